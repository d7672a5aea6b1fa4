package adapter

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/toolparse/toolparse/internal/jsonvalue"
	"github.com/toolparse/toolparse/internal/strictjson"
	"github.com/toolparse/toolparse/toolcall"
)

// Syntax says how the segments of one type become calls.
type Syntax struct {
	Tool  string  // name of the tool; "" means the name in the event
	Build Builder // builds the arguments; nil means the event's own metadata and content
}

// Builder returns the arguments of a call, given its segment's metadata, with numbers
// as json.Number, and its content. The result must encode as one JSON object; a
// json.RawMessage is used as it is. An error makes the call malformed and becomes a
// problem for the model. The adapter also calls the Builder for an incomplete call,
// with the part that arrived; an error then only means that the invocation's Arguments
// are the bare content.
//
// The metadata is that of the segment's start and end, merged, without the members that
// describe the segment itself ([toolcall.ReservedMetadata]). A Builder may change the
// map.
type Builder func(metadata map[string]any, content string) (any, error)

// Syntaxes maps segment types to syntaxes. A segment whose start names the parameter of
// its content ([toolcall.Origin]) needs none, unless its tool has another name or its
// arguments are more than the metadata and the content.
type Syntaxes map[toolcall.SegmentType]Syntax

// ErrMissing is the error of a Builder if something it needs is missing.
var ErrMissing = errors.New("missing")

// Fields returns a Builder whose arguments are the metadata, and the content under the
// given name. The parameters in needs must exist and not be empty. They come first in
// the arguments, and the content last.
func Fields(content string, needs ...string) Builder {
	return func(metadata map[string]any, text string) (any, error) {
		for _, name := range needs {
			if v := metadata[name]; v == nil || v == "" {
				return nil, fmt.Errorf("%w: the parameter %q", ErrMissing, name)
			}
		}
		names := slices.Clone(needs)
		for _, name := range slices.Sorted(maps.Keys(metadata)) {
			if name != content && !slices.Contains(needs, name) {
				names = append(names, name)
			}
		}
		args := make([]byte, 0, len(text)+len(text)/8+64)
		args = append(args, '{')
		for _, name := range names {
			value, err := marshal(metadata[name])
			if err != nil {
				return nil, err
			}
			args = append(jsonvalue.AppendQuoted(args, name), ':')
			args = append(append(args, value...), ',')
		}
		args = append(jsonvalue.AppendQuoted(args, content), ':')
		return json.RawMessage(append(jsonvalue.AppendQuoted(args, text), '}')), nil
	}
}

// arguments runs the Builder and checks that the result is an object.
func (s Syntax) arguments(metadata map[string]any, content string) (json.RawMessage, error) {
	v, err := s.Build(metadata, content)
	if err != nil {
		return nil, err
	}
	args, isRaw := v.(json.RawMessage)
	if !isRaw {
		if args, err = marshal(v); err != nil {
			return nil, err
		}
	}
	if !isObject(args) {
		return nil, ErrNotAnObject
	}
	return args, nil
}

func isObject(b []byte) bool {
	return bytes.HasPrefix(bytes.TrimLeft(b, " \t\r\n"), []byte("{")) && strictjson.Valid(b)
}

// marshal is json.Marshal without HTML escapes.
func marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}
