package adapter

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/toolparse/toolparse"
	"github.com/toolparse/toolparse/internal/schema"
)

// Syntax says what segments of one type call.
type Syntax struct {
	Tool  string  // the tool's name; "" means the one that the event names
	Build Builder // of its arguments
}

// Builder makes arguments of a segment's metadata, with numbers as json.Number,
// and its content. What it returns must be JSON as one object; a
// json.RawMessage is taken as it is. An error makes the call malformed, and its
// text is a problem for the model to mend. It is also asked about calls that
// were cut short, with what had arrived of them; there an error only means that
// their Arguments are the bare content.
//
// The metadata are what the end added to those of the start. What describes the
// segment and not the call (tool_name, call_id, status, reason, tolerances,
// unknown_tool) is not among them. A Builder may change the map.
type Builder func(metadata map[string]any, content string) (any, error)

// Syntaxes is a registry of syntaxes by the type of segment. A program adds to
// what [DefaultSyntaxes] returns, or replaces what is in it.
type Syntaxes map[toolparse.SegmentType]Syntax

// DefaultSyntaxes returns the syntaxes of the founding design, as a map of the
// caller's own: write_file and edit_file, whose metadata must have a path, and
// run_bash.
func DefaultSyntaxes() Syntaxes {
	return Syntaxes{
		toolparse.SegmentWriteFile: {Tool: "write_file", Build: Fields("content", "path")},
		toolparse.SegmentEditFile:  {Tool: "edit_file", Build: Fields("patch", "path")},
		toolparse.SegmentRunBash:   {Tool: "run_bash", Build: command},
	}
}

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
			args = append(schema.AppendString(args, name), ':')
			args = append(append(args, value...), ',')
		}
		args = append(schema.AppendString(args, content), ':')
		return json.RawMessage(append(schema.AppendString(args, text), '}')), nil
	}
}

// command is the Builder of run_bash. A command of blanks is none.
func command(metadata map[string]any, text string) (any, error) {
	if strings.TrimSpace(text) == "" {
		return nil, fmt.Errorf("%w: the command", ErrMissing)
	}
	return Fields("command")(metadata, text)
}

// arguments runs the Builder and checks that an object comes out.
func (s Syntax) arguments(metadata map[string]any, content string) (json.RawMessage, error) {
	if s.Build == nil {
		return nil, errors.New("the tool syntax has no builder")
	}
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
	return bytes.HasPrefix(bytes.TrimLeft(b, " \t\r\n"), []byte("{")) && json.Valid(b)
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

// notArguments are the metadata that describe the segment, not the call.
var notArguments = [...]string{"call_id", "unknown_tool"}
