package schemaform

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/toolparse/toolparse/format/internal/payload"
)

// The keywords that Gemini documents for schemas in the form of JSON Schema, by
// what their values are. Others make it refuse a request.
var (
	geminiPlain = []string{
		"$id", "$anchor", "$schema", "type", "format", "title", "description", "enum", "required", "minItems", "maxItems",
		"minimum", "maximum", "propertyOrdering", "default", "example",
	}
	geminiLists   = []string{"anyOf", "oneOf", "prefixItems"}
	geminiSchemas = []string{"items", "additionalProperties"}
	geminiMaps    = []string{"properties", "$defs"}
)

// FitsGeminiJSON reports whether Gemini reads all of a schema as it is, where it
// takes JSON Schema and not the form of its own.
func FitsGeminiJSON(schema json.RawMessage) bool {
	v, err := parse(schema)
	return err == nil && v.Kind == payload.Object && fitsGemini(v, 0)
}

func fitsGemini(v payload.Value, depth int) bool {
	if v.Kind == payload.Bool {
		return true
	}
	if v.Kind != payload.Object || depth > maxNested {
		return false
	}
	for key, member := range v.Fields() {
		name, fits := string(key), false
		switch {
		case name == "$schema", slices.Contains(geminiPlain, name):
			fits = true
		case name == "$ref":
			fits = strings.HasPrefix(string(member.Raw), "#/$defs/")
		case slices.Contains(geminiSchemas, name):
			fits = fitsGemini(member, depth+1)
		case slices.Contains(geminiLists, name):
			fits = member.Kind == payload.Array
			for item := range member.Items() {
				fits = fits && fitsGemini(item, depth+1)
			}
		case slices.Contains(geminiMaps, name):
			fits = member.Kind == payload.Object
			for key, item := range member.Fields() {
				fits = fits && isGeminiName(string(key)) && fitsGemini(item, depth+1)
			}
		}
		if !fits {
			return false
		}
	}
	return true
}

// maxNested bounds how deep a schema is looked into.
const maxNested = 100
