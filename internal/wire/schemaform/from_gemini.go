package schemaform

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/toolparse/toolparse/internal/jsonvalue"
	"github.com/toolparse/toolparse/internal/schema"
)

// FromGemini converts a schema in Gemini's form to JSON Schema. It returns invalid JSON
// unchanged.
func FromGemini(raw json.RawMessage) json.RawMessage {
	v, err := parse(raw)
	if err != nil || !v.Is(jsonvalue.Object) {
		return raw
	}
	return jsonvalue.Compact.AppendWritten(nil, fromGemini(v, 0))
}

func fromGemini(v *jsonvalue.Value, depth int) *jsonvalue.Value {
	if !v.Is(jsonvalue.Object) || depth > maxNesting {
		return v
	}
	nullable, kind := v.Get("nullable").IsTrue(), kindIn(v.Get("type"))
	out := jsonvalue.NewObject()
	for i, keyword := range v.Keys {
		name, k := camel(keyword), v.List[i]
		switch name {
		case "nullable":
			if nullable && (kind != 0 || v.Get("anyOf").Is(jsonvalue.Array) || v.Get("any_of").Is(jsonvalue.Array)) {
				continue
			}
		case "type":
			if isText(k, "TYPE_UNSPECIFIED") || k.Is(jsonvalue.Number) && k.Text == "0" {
				continue
			}
			if kind != 0 {
				k = jsonvalue.NewString(kind.names()[0])
			}
			if nullable && kind != 0 && kind != isNull {
				k = jsonvalue.NewArray(k, jsonvalue.NewString("null"))
			}
		case "enum":
			k = enumOf(k, kind, nullable)
		case "anyOf", "properties", "items":
			k = schema.MapSubschemas(name, k, func(_ string, sub *jsonvalue.Value) *jsonvalue.Value { return fromGemini(sub, depth+1) })
			if name == "anyOf" && nullable && kind == 0 {
				k = jsonvalue.NewArray(slices.Concat(k.Elements(), []*jsonvalue.Value{typeNull})...)
			}
		case "minItems", "maxItems", "minProperties", "maxProperties", "minLength", "maxLength":
			k = numberIn(k) // big numbers may come as strings
		}
		out.Set(name, k)
	}
	return out
}

// kindIn returns the type that a word or the number of Gemini's enum names, or none.
func kindIn(v *jsonvalue.Value) types {
	switch {
	case v.Is(jsonvalue.String):
		return typeOf(v.Text)
	case v.Is(jsonvalue.Number):
		return map[string]types{"1": isString, "2": isNumber, "3": isInteger, "4": isBoolean, "5": isArray, "6": isObject, "7": isNull}[v.Text]
	}
	return 0
}

// numberIn returns the number in a string, and any other value unchanged.
func numberIn(v *jsonvalue.Value) *jsonvalue.Value {
	if v.Is(jsonvalue.String) {
		if number, err := jsonvalue.Parse(v.Text); err == nil && number.Is(jsonvalue.Number) {
			return number
		}
	}
	return v
}

// enumOf converts an enum, whose members are strings in Gemini's form, whatever the type.
func enumOf(v *jsonvalue.Value, kind types, nullable bool) *jsonvalue.Value {
	if !v.Is(jsonvalue.Array) {
		return v
	}
	out := jsonvalue.NewArray()
	for _, item := range v.List {
		if kind&(isInteger|isNumber) != 0 {
			item = numberIn(item)
		}
		out.List = append(out.List, item)
	}
	if nullable {
		out.List = append(out.List, null)
	}
	return out
}

// camel returns a keyword without underscores, which some clients use.
func camel(name string) string {
	switch name {
	case "any_of", "min_items", "max_items", "min_properties", "max_properties", "min_length", "max_length", "property_ordering":
		head, tail, _ := strings.Cut(name, "_")
		return head + strings.ToUpper(tail[:1]) + tail[1:]
	}
	return name
}
