package conform

import (
	"strings"

	"github.com/toolparse/toolparse/internal/jsonvalue"
	"github.com/toolparse/toolparse/internal/strictjson"
)

// maxDepth is the depth to which encoding/json reads a vector.
const maxDepth = 10_000

// decode reads text as one JSON value.
func decode(text string) (value *jsonvalue.Value, ok bool) {
	value, err := jsonvalue.Options{MaxDepth: maxDepth}.Parse(text)
	return value, err == nil
}

// render returns a JSON value on one line, with sorted keys.
func render(v *jsonvalue.Value) string { return v.Sorted(strings.Compare).String() }

// squeeze returns JSON text, whole or cut, without the blanks outside its
// strings.
func squeeze(text string) string {
	var out []byte
	done := 0 // text[:done] is in out, as far as it is kept
	for at := 0; at < len(text); at++ {
		switch text[at] {
		case '"':
			at = jsonvalue.StringEnd([]byte(text), at+1)
		case ' ', '\t', '\n', '\r':
			out = append(out, text[done:at]...)
			done = at + 1
		}
	}
	return string(append(out, text[done:]...))
}

// closeJSON completes JSON that is cut or broken somewhere. It keeps the valid part, an
// unfinished string up to its last whole character, and the longest valid part of a
// number. It drops a member without a value, and closes what is open. Text without any
// value gives {}.
func closeJSON(text string) string {
	var p strictjson.Partial
	p.Add(text)
	p.End()
	if value := p.Value(); value != nil {
		return squeeze(string(value))
	}
	return "{}"
}
