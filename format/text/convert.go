package text

import (
	"encoding/json"
	"strings"

	"github.com/toolparse/toolparse/internal/jsonvalue"
	"github.com/toolparse/toolparse/internal/schema"
)

// plain is the text of a value as the dialects without types of their own write
// it: of a string the string, of anything else its JSON. It is an error where a
// reader that goes by the schema s would not take it for the same value.
func (w *Writer) plain(v *value, s *schema.Schema) (string, error) {
	text := v.Text
	if v.Kind != jsonvalue.String {
		text = string(w.spacing().appendJSON(nil, v))
	}
	switch {
	case hasHalf(v):
		return "", fault("a string contains half of a surrogate pair, which text cannot express")
	case v.Kind != jsonvalue.String && s.Untyped():
		return "", faultf("without a schema, %s would be read as a string", article(v.Kind))
	}
	got, used := s.Convert(text)
	read, err := decode(json.RawMessage(got))
	if err != nil || used != 0 || !same(read, v) {
		return "", faultf("%s would be read as %s: %s", article(v.Kind), clip(got), "the schema says so")
	}
	return text, nil
}

// article is a kind with its article.
func article(k jsonvalue.Kind) string {
	switch k {
	case jsonvalue.Null:
		return "null"
	case jsonvalue.Array, jsonvalue.Object:
		return "an " + k.String()
	}
	return "a " + k.String()
}

// clip shortens a text for a message.
func clip(s string) string {
	const most = 60
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "") + "..."
}
