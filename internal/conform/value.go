package conform

import (
	"slices"
	"strings"

	"github.com/toolparse/toolparse/internal/jsonvalue"
)

// maxDepth is the depth to which encoding/json reads a vector.
const maxDepth = 10_000

// decode reads text as one JSON value.
func decode(text string) (value *jsonvalue.Value, ok bool) {
	value, err := jsonvalue.Options{MaxDepth: maxDepth}.Parse(text)
	return value, err == nil
}

// render returns a JSON value on one line, with sorted keys.
func render(v *jsonvalue.Value) string { return sorted(v).String() }

func sorted(v *jsonvalue.Value) *jsonvalue.Value {
	switch v.Kind {
	case jsonvalue.Object:
		out := jsonvalue.NewObject()
		for _, key := range slices.Sorted(slices.Values(v.Keys)) {
			out.Set(key, sorted(v.Get(key)))
		}
		return out
	case jsonvalue.Array:
		out := jsonvalue.NewArray()
		for _, elem := range v.List {
			out.List = append(out.List, sorted(elem))
		}
		return out
	}
	return v
}

// squeeze returns JSON text, whole or cut, without the blanks outside its
// strings.
func squeeze(text string) string {
	var b strings.Builder
	inString, escaped := false, false
	for i := range len(text) {
		switch c := text[i]; {
		case escaped:
			escaped = false
		case inString:
			escaped, inString = c == '\\', c != '"'
		case c == '"':
			inString = true
		case c == ' ' || c == '\t' || c == '\n' || c == '\r':
			continue
		}
		b.WriteByte(text[i])
	}
	return b.String()
}
