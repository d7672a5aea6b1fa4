package adapter

import (
	"bytes"
	"encoding/json"

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
// describe the segment itself ([toolcall.Event.Parameters]). A Builder may change the
// map.
type Builder func(metadata map[string]any, content string) (any, error)

// Syntaxes maps segment types to syntaxes. A segment whose start names the parameter of
// its content ([toolcall.Event.ContentParameter]) needs none, unless its tool has another
// name or its arguments are more than the metadata and the content.
type Syntaxes map[toolcall.SegmentType]Syntax

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
		return nil, errNotAnObject
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
