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

// Syntax says what segments of one type call.
type Syntax struct {
	Tool  string  // the tool's name; "" means the one that the event names
	Build Builder // of its arguments; nil means what the events say themselves
}

// Builder makes arguments of a segment's metadata, with numbers as json.Number,
// and its content. What it returns must be JSON as one object; a
// json.RawMessage is taken as it is. An error makes the call malformed, and its
// text is a problem for the model to mend. It is also asked about calls that
// were cut short, with what had arrived of them; there an error only means that
// their Arguments are the bare content.
//
// The metadata are what the end added to those of the start. What describes the
// segment and not the call ([toolcall.ReservedMetadata]) is not among them. A
// Builder may change the map.
type Builder func(metadata map[string]any, content string) (any, error)

// Syntaxes is a registry of syntaxes by the type of segment. Segments whose
// events say which parameter their content is ([toolcall.Origin]) need none: it
// is for other names, and for arguments that are not simply the metadata and the
// content.
type Syntaxes map[toolcall.SegmentType]Syntax

// ErrMissing is the error of a Builder that lacks something.
var ErrMissing = errors.New("missing")

// Fields returns the Builder for arguments that are the metadata, with the
// content as the parameter of that name. The parameters that it needs must be
// there and not be empty; they come first and the content last.
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

// arguments runs the Builder and checks that an object comes out.
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
