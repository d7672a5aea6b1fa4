package schemaform

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/toolparse/toolparse/internal/jsonvalue"
	"github.com/toolparse/toolparse/internal/schema"
)

// The keywords that Gemini documents for schemas in JSON Schema, by the kind of their
// values. It rejects requests with others.
var (
	geminiPlain = []string{
		"$id", "$anchor", "$schema", "type", "format", "title", "description", "enum", "required", "minItems", "maxItems",
		"minimum", "maximum", "propertyOrdering", "default", "example",
	}
	geminiLists   = []string{"anyOf", "oneOf", "prefixItems"}
	geminiSchemas = []string{"items", "additionalProperties"}
	geminiMaps    = []string{"properties", "$defs"}
)

// FitsGeminiJSON reports whether Gemini accepts a schema unchanged where it reads JSON
// Schema instead of its own form.
func FitsGeminiJSON(raw json.RawMessage) bool {
	v, err := parse(raw)
	return err == nil && v.Is(jsonvalue.Object) && fitsGemini(v)
}

func fitsGemini(v *jsonvalue.Value) bool {
	if !v.Is(jsonvalue.Object) {
		return v.Is(jsonvalue.Bool)
	}
	for i, keyword := range v.Keys {
		k := v.List[i]
		switch {
		case slices.Contains(geminiPlain, keyword):
			continue
		case keyword == "$ref" && k.Is(jsonvalue.String) && strings.HasPrefix(k.Text, "#/$defs/"):
			continue
		case slices.Contains(geminiSchemas, keyword) && !k.Is(jsonvalue.Array):
		case slices.Contains(geminiLists, keyword) && k.Is(jsonvalue.Array):
		case slices.Contains(geminiMaps, keyword) && k.Is(jsonvalue.Object):
			if slices.ContainsFunc(k.Keys, func(name string) bool { return !isGeminiName(name) }) {
				return false
			}
		default:
			return false
		}
		for _, sub := range schema.Subschemas(keyword, k) {
			if !fitsGemini(sub) {
				return false
			}
		}
	}
	return true
}
