package schema

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
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

	start, end int // the bytes of the document that it stands in
}

// parse decodes one JSON value. Of two members with one name the last wins.
func parse(data []byte) (*value, error) {
	p := parser{data: data, dec: json.NewDecoder(bytes.NewReader(data))}
	p.dec.UseNumber()
	v, err := p.value(0)
	if err == nil {
		if _, more := p.dec.Token(); more == nil {
			err = errors.New("more than one value")
		} else if !errors.Is(more, io.EOF) {
			err = more
		}
	}
	if err != nil {
		if errors.Is(err, io.EOF) {
			err = io.ErrUnexpectedEOF
		}
		return nil, fmt.Errorf("at byte %d: %w", p.dec.InputOffset(), err)
	}
	return v, nil
}

type parser struct {
	data []byte
	dec  *json.Decoder
}

// value reads the next value, whose place is inside depth others.
func (p *parser) value(depth int) (v *value, err error) {
	start := int(p.dec.InputOffset())
	tok, err := p.dec.Token()
	if err != nil {
		return nil, err
	}
	switch tok := tok.(type) {
	case nil:
		v = &value{kind: typeNull}
	case bool:
		v = &value{kind: typeBoolean, text: strconv.FormatBool(tok)}
	case json.Number:
		v = &value{kind: typeNumber, text: string(tok)}
	case string:
		v = &value{kind: typeString, text: tok}
	case json.Delim:
		if depth >= maxDepth {
			return nil, errTooDeep
		}
		if tok == '{' {
			v, err = p.object(depth)
		} else {
			v, err = p.array(depth)
		}
		if err != nil {
			return nil, err
		}
	}
	// The decoder counts a separator to the token behind it.
	for bytes.IndexByte([]byte(" \t\r\n,:"), p.data[start]) >= 0 {
		start++
	}
	v.start, v.end = start, int(p.dec.InputOffset())
	return v, nil
}

func (p *parser) object(depth int) (*value, error) {
	v := &value{kind: typeObject, members: map[string]*value{}}
	for p.dec.More() {
		tok, err := p.dec.Token()
		if err != nil {
			return nil, err
		}
		name := tok.(string) // the decoder lets nothing else stand for a name
		member, err := p.value(depth + 1)
		if err != nil {
			return nil, err
		}
		if v.members[name] == nil {
			v.names = append(v.names, name)
		}
		v.members[name] = member
	}
	_, err := p.dec.Token() // the closing brace
	return v, err
}

func (p *parser) array(depth int) (*value, error) {
	v := &value{kind: typeArray}
	for p.dec.More() {
		elem, err := p.value(depth + 1)
		if err != nil {
			return nil, err
		}
		v.elems = append(v.elems, elem)
	}
	_, err := p.dec.Token() // the closing bracket
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
