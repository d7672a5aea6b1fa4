package schema

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// maxDepth bounds the nesting of schemas and of the documents that they are
// held against, and with it every recursion in this package.
const maxDepth = 256

var errTooDeep = fmt.Errorf("nested deeper than %d levels", maxDepth)

// value is a JSON value that keeps what encoding/json drops: the order of
// members and the text of numbers.
type value struct {
	kind    typeSet  // one of null, number, boolean, object, array, string
	text    string   // of a string, decoded; of a number or a boolean, as written
	names   []string // of an object's members
	members map[string]*value
	elems   []*value // of an array
}

// parse decodes one JSON value. Of two members with one name the last wins.
func parse(data []byte) (*value, error) {
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	v, err := parseValue(dec, 0)
	if err == nil {
		if _, more := dec.Token(); more == nil {
			err = errors.New("more than one value")
		} else if !errors.Is(more, io.EOF) {
			err = more
		}
	}
	if err != nil {
		if errors.Is(err, io.EOF) {
			err = io.ErrUnexpectedEOF
		}
		return nil, fmt.Errorf("at byte %d: %w", dec.InputOffset(), err)
	}
	return v, nil
}

func parseValue(dec *json.Decoder, depth int) (*value, error) {
	tok, err := dec.Token()
	if err != nil {
		return nil, err
	}
	switch tok := tok.(type) {
	case nil:
		return &value{kind: typeNull}, nil
	case bool:
		return &value{kind: typeBoolean, text: fmt.Sprint(tok)}, nil
	case json.Number:
		return &value{kind: typeNumber, text: string(tok)}, nil
	case string:
		return &value{kind: typeString, text: tok}, nil
	}
	if depth >= maxDepth {
		return nil, errTooDeep
	}
	if tok == json.Delim('{') {
		return parseObject(dec, depth)
	}
	return parseArray(dec, depth)
}

func parseObject(dec *json.Decoder, depth int) (*value, error) {
	v := &value{kind: typeObject, members: map[string]*value{}}
	for dec.More() {
		tok, err := dec.Token()
		if err != nil {
			return nil, err
		}
		name := tok.(string) // the decoder lets nothing else stand for a name
		member, err := parseValue(dec, depth+1)
		if err != nil {
			return nil, err
		}
		if v.members[name] == nil {
			v.names = append(v.names, name)
		}
		v.members[name] = member
	}
	_, err := dec.Token() // the closing brace
	return v, err
}

func parseArray(dec *json.Decoder, depth int) (*value, error) {
	v := &value{kind: typeArray}
	for dec.More() {
		elem, err := parseValue(dec, depth+1)
		if err != nil {
			return nil, err
		}
		v.elems = append(v.elems, elem)
	}
	_, err := dec.Token() // the closing bracket
	return v, err
}

// get returns an object's member, and nil where it has none, or where it is
// null: generators write keywords that are not set as null.
func (v *value) get(name string) *value {
	if m := v.members[name]; m != nil && m.kind != typeNull {
		return m
	}
	return nil
}

// is tells the value's one type, with integral numbers apart.
func (v *value) is() typeSet {
	if v.kind == typeNumber && parseDecimal(v.text).integral() {
		return typeInteger
	}
	return v.kind
}
