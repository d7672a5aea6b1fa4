package wireio

import (
	"github.com/toolparse/toolparse/format/internal/features"
	"github.com/toolparse/toolparse/format/internal/rawjson"
)

// invalidJSON is where arguments stand that are no JSON, on wires where those
// of a call must be an object. Anthropic's documentation has it so.
const invalidJSON = "INVALID_JSON"

// ObjectArguments reads arguments that are an object. Text that is no JSON
// comes out of its wrapping.
func (r *Reader) ObjectArguments(v rawjson.Value) string {
	if name, wrapped, ok := v.Only(); ok && name == invalidJSON && wrapped.Kind == rawjson.String {
		if text := r.Texts.Whole(wrapped); !IsJSON(text) {
			return text
		}
	}
	return r.Texts.WholeArguments(v)
}

// ObjectArguments writes the arguments at a field as an object, which is
// wrapped around what is none.
func (w *Writer) ObjectArguments(arguments, field string) {
	v, err := rawjson.Parse(arguments)
	switch {
	case err != nil:
		w.Log.Add(features.BrokenArguments, field)
		w.Object()
		w.KeyString(invalidJSON, arguments)
		w.EndObject()
	case v.Kind == rawjson.Absent:
		w.Raw([]byte("{}"))
	case v.Kind != rawjson.Object:
		w.Log.Add(features.NotObject, field)
		w.Object()
		w.Member("input", v.JSON())
		w.EndObject()
	default:
		w.Raw(v.Raw)
	}
}

// IsJSON reports whether a text is one JSON value, or blank.
func IsJSON(text string) bool {
	_, err := rawjson.Parse(text)
	return err == nil
}
