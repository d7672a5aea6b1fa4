package schemaform

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/toolparse/toolparse/internal/jsonvalue"
	"github.com/toolparse/toolparse/internal/schema"
)

// object makes the schema of an object with one property, p.
func object(schema string) string { return `{"type":"object","properties":{"p":` + schema + `}}` }

func TestToGemini(t *testing.T) {
	tests := []struct {
		name, in, want string // of the property p; all of it where in begins with '='
		own            bool
		changes        []string
	}{
		{"types", `{"type":"string","title":"t","description":"d","minLength":1,"maxLength":2,"pattern":"^a","default":"x"}`, `{"type":"STRING","title":"t","description":"d","minLength":1,"maxLength":2,"pattern":"^a","default":"x"}`, true, nil},
		{"null beside a type", `{"type":["string","null"],"enum":["a",null]}`, `{"type":"STRING","nullable":true,"enum":["a"]}`, true, nil},
		{"OpenAPI's null", `{"type":"integer","nullable":true,"minimum":1}`, `{"type":"INTEGER","nullable":true,"minimum":1}`, true, nil},
		{"alternatives alone", `{"anyOf":[{"type":"string"},{"type":"object","properties":{"a":{"type":"boolean"}},"required":["a"]}]}`, `{"anyOf":[{"type":"STRING"},{"type":"OBJECT","properties":{"a":{"type":"BOOLEAN"}},"required":["a"]}]}`, true, nil},
		{"formats", `{"type":"string","format":"date-time"}`, `{"type":"STRING","format":"date-time"}`, true, nil},
		{"lists", `{"type":"array","items":{"type":"number"},"minItems":1}`, `{"type":"ARRAY","items":{"type":"NUMBER"},"minItems":1}`, true, nil},

		{"several types", `{"type":["string","integer"]}`, `{"type":["string","integer"]}`, false, nil},
		{"alternatives beside words", `{"description":"d","anyOf":[{"type":"string"},{"type":"null"}],"default":null}`, `{"description":"d","anyOf":[{"type":"string"},{"type":"null"}],"default":null}`, false, nil},
		{"lists of anything", `{"type":"array"}`, `{"type":"array"}`, false, nil},
		{"enumerations of numbers", `{"enum":[1,2]}`, `{"enum":[1,2]}`, false, nil},
		{"formats that are not known", `{"type":"string","format":"uri"}`, `{"type":"string","format":"uri"}`, false, nil},
		{"closed objects", `{"type":"object","properties":{"a":{"type":"string"}},"additionalProperties":false}`, `{"type":"object","properties":{"a":{"type":"string"}},"additionalProperties":false}`, false, nil},
		{"required properties that are not there", `{"type":"object","properties":{},"required":["b"]}`, `{"type":"object","properties":{},"required":["b"]}`, false, nil},
		{"const", `{"const":"a"}`, `{"enum":["a"]}`, false, nil},
		{"const that is no text", `{"const":true,"description":"d"}`, `{"description":"d\nconst: true"}`, false, []string{".const: part of the description"}},
		{"allOf", `{"allOf":[{"type":"string","minLength":1}]}`, `{"anyOf":[{"type":"string","description":"minLength: 1"}]}`, false, []string{".allOf: written as anyOf", ".allOf.minLength: part of the description"}},
		{"what has no place", `{"type":"array","items":[{"type":"string"}],"uniqueItems":true,"$comment":"c"}`, `{"type":"array","description":"items: [{\"type\":\"string\"}]\nuniqueItems: true"}`, false, []string{".items: part of the description", ".uniqueItems: part of the description", ".$comment: left out"}},

		{
			"references", `={"type":"object","properties":{"a":{"$ref":"#/$defs/A"},"b":{"$ref":"#/definitions/B~1x"},"c":{"$ref":"#/definitions/C"},"d":{"$ref":"#/properties/a"}},"$defs":{"A":{"type":"string"}},"definitions":{"B/x":{"$ref":"#/definitions/C"},"C":{"const":1}}}`,
			`{"type":"object","properties":{"a":{"$ref":"#/$defs/A"},"b":{"$ref":"#/$defs/def0"},"c":{"$ref":"#/$defs/C"},"d":{"$ref":"#/$defs/def1"}},"$defs":{"def0":{"$ref":"#/$defs/C"},"C":{"enum":[1]},"def1":{"$ref":"#/$defs/A"},"A":{"type":"string"}}}`, false, nil,
		},
		{"a reference to the root", `={"type":"object","properties":{"a":{"$ref":"#"}}}`, `{"type":"object","properties":{"a":{"$ref":"#/$defs/def0"}},"$defs":{"def0":{"type":"object","properties":{"a":{"$ref":"#/$defs/def0"}}}}}`, false, nil},
		{"references to nothing", `={"type":"object","properties":{"a":{"$ref":"#/x"},"b":{"$ref":"https://example.com/a"}}}`, `{"type":"object","properties":{"a":{"$ref":"#/$defs/def0"},"b":{}},"$defs":{"def0":{}}}`, false, []string{".properties.b.$ref: left out", ".$defs: #/x points to nothing"}},
		{
			"alternatives at the root", `={"anyOf":[{"type":"object","properties":{"x":{"type":"string"},"y":{"type":"string"}},"required":["x"]},{"type":"object","properties":{"x":{"type":"string"}},"required":["x"]}]}`,
			`{"type":"OBJECT","properties":{"x":{"type":"STRING"},"y":{"type":"STRING"}},"required":["x"]}`, true, []string{": its alternatives are merged into one object"},
		},
		{"no object at the root", `={"type":"string"}`, `{"type":"OBJECT","properties":{"input":{"type":"STRING"}},"required":["input"]}`, true, []string{`: wrapped: its value is the argument "input"`}},
		{"nothing at the root", `={"type":"object","properties":{}}`, ``, false, nil},
		{"nothing at the root but words", `={"description":"d"}`, ``, false, []string{": left out: the wire accepts no object without properties"}},
		{"anything at the root", `=true`, ``, false, nil},
		{"no schema", `=[]`, ``, false, []string{": left out: it is not the schema of an object"}},
		{"names", `={"properties":{"a-b":{"type":"string"}}}`, `{"type":"OBJECT","properties":{"a-b":{"type":"STRING"}}}`, true, []string{".properties.a-b: " + oddName}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			kind := map[bool]string{true: "OBJECT", false: "object"}[tt.own]
			in, want, prefix := object(tt.in), `{"type":"`+kind+`","properties":{"p":`+tt.want+`}}`, ".properties.p"
			if whole, ok := strings.CutPrefix(tt.in, "="); ok {
				in, want, prefix = whole, tt.want, ""
			}
			got, own, changes := ToGemini(json.RawMessage(in))
			if diff := cmp.Diff(want, string(got)); diff != "" || own != tt.own {
				t.Errorf("own: %v (-want +got):\n%s", own, diff)
			}
			var texts []string
			for _, c := range changes {
				texts = append(texts, strings.TrimPrefix(c.Path, prefix)+": "+c.Action)
			}
			if diff := cmp.Diff(tt.changes, texts); diff != "" {
				t.Errorf("changes (-want +got):\n%s", diff)
			}
		})
	}
}

// conforms holds that a schema in JSON Schema has only keywords that the vendor documents,
// and references that lead to a definition.
func conforms(t interface{ Fatalf(string, ...any) }, raw json.RawMessage) {
	root, err := jsonvalue.Parse(string(raw))
	if err != nil {
		t.Fatalf("%v: %s", err, raw)
	}
	var walk func(v *jsonvalue.Value)
	walk = func(v *jsonvalue.Value) {
		for i, name := range v.Keys {
			if _, known := geminiKeywords[name]; !known && name != "$ref" {
				t.Fatalf("unknown keyword %q in %s", name, raw)
			}
			if to := v.List[i].Text; name == "$ref" && v.List[i].Is(jsonvalue.String) && !root.Get("$defs").Has(jsonvalue.UnescapePointer(strings.TrimPrefix(to, "#/$defs/"))) {
				t.Fatalf("the reference %q in %s", to, raw)
			}
			for _, sub := range schema.Subschemas(name, v.List[i]) {
				walk(sub)
			}
		}
	}
	walk(root)
}

// genSchema draws schemas with all kinds of keywords.
func genSchema(t *rapid.T, depth int) map[string]any {
	s := map[string]any{}
	maybe := func(name string, value func() any) {
		if rapid.IntRange(0, 5).Draw(t, name) == 0 {
			s[name] = value()
		}
	}
	kinds := []any{"string", "number", "integer", "boolean", "object", "array", "null", []any{"string", "null"}, []any{"integer", "object"}, "odd"}
	if rapid.IntRange(0, 4).Draw(t, "typed") > 0 {
		s["type"] = rapid.SampledFrom(kinds).Draw(t, "type")
	}
	fixed := func(v ...any) func() any { return func() any { return rapid.SampledFrom(v).Draw(t, "value") } }
	maybe("description", fixed("d", "", 5))
	maybe("enum", fixed([]any{"a", "b"}, []any{1, "a"}, []any{nil}, []any{"", nil}, []any{}))
	maybe("const", fixed("a", 1, nil, map[string]any{}))
	maybe("format", fixed("uri", "int32", "date-time", 5))
	maybe("minimum", fixed(1, "x"))
	maybe("exclusiveMinimum", fixed(1, 1.5, true))
	maybe("maxLength", fixed(3))
	maybe("pattern", fixed("^a"))
	maybe("nullable", fixed(true, false))
	maybe("uniqueItems", fixed(true, false))
	maybe("additionalProperties", fixed(true, false, map[string]any{"type": "string"}))
	maybe("required", fixed([]any{"a", "b"}, []any{"zz"}, "a"))
	maybe("$ref", fixed("#/$defs/A", "#/$defs/B", "#", "#/no", "x"))
	if depth == 0 {
		return s
	}
	sub := func() any {
		if rapid.IntRange(0, 8).Draw(t, "boolean") == 0 {
			return rapid.Bool().Draw(t, "schema")
		}
		return genSchema(t, depth-1)
	}
	several := func() any {
		var list []any
		for range rapid.IntRange(0, 3).Draw(t, "several") {
			list = append(list, sub())
		}
		return list
	}
	maybe("items", sub)
	maybe("prefixItems", several)
	maybe("anyOf", several)
	maybe("oneOf", several)
	maybe("allOf", several)
	maybe("not", sub)
	maybe("properties", func() any {
		p := map[string]any{}
		for _, name := range []string{"a", "b", "c"} {
			if rapid.Bool().Draw(t, name) {
				p[name] = sub()
			}
		}
		return p
	})
	return s
}

// Whatever the schema, what comes out has only what the provider knows, and what comes out
// in its own form is its own translation.
func TestToGeminiConforms(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		schema := genSchema(t, 3)
		schema["properties"] = map[string]any{"p": genSchema(t, rapid.IntRange(0, 3).Draw(t, "depth")), "q": map[string]any{"type": "string"}}
		schema["$defs"] = map[string]any{"A": genSchema(t, 1), "B": genSchema(t, 2)}
		for name := range schema { // so that the vendor's own form is tried, too
			if name != "properties" && name != "type" && rapid.Bool().Draw(t, "less") {
				delete(schema, name)
			}
		}
		delete(schema, "nullable") // arguments are an object
		raw, err := json.Marshal(schema)
		if err != nil {
			t.Fatal(err)
		}
		got, own, _ := ToGemini(raw)
		switch {
		case len(got) == 0:
			t.Fatalf("nothing of %s", raw)
		case !own:
			conforms(t, got)
			return
		}
		again, own, changes := ToGemini(FromGemini(got))
		if diff := cmp.Diff(value(got), value(again)); diff != "" || !own || len(changes) > 0 {
			t.Fatalf("%s\nchanges %v\n(-first +again):\n%s", got, changes, diff)
		}
	})
}

func value(raw json.RawMessage) (v any) {
	if err := json.Unmarshal(raw, &v); err != nil {
		return string(raw)
	}
	return v
}

func TestFromGemini(t *testing.T) {
	for _, tt := range []struct{ in, want string }{
		{`{"type":"OBJECT","properties":{"type":{"type":"STRING","nullable":true},"any_of":{"any_of":[{"type":"INTEGER","min_items":"3"},{"type":"NUMBER"}],"nullable":true}},"property_ordering":["type"]}`, `{"type":"object","properties":{"type":{"type":["string","null"]},"any_of":{"anyOf":[{"type":"integer","minItems":3},{"type":"number"},{"type":"null"}]}},"propertyOrdering":["type"]}`},
		{`{"type":"INTEGER","format":"enum","enum":["101","201"]}`, `{"type":"integer","format":"enum","enum":[101,201]}`},
		{`{"type":"string","enum":["1"],"nullable":true}`, `{"type":["string","null"],"enum":["1",null]}`},
		{`{"type":"TYPE_UNSPECIFIED","nullable":false}`, `{"nullable":false}`},
		{`{"type":5,"items":{"type":7}}`, `{"type":"array","items":{"type":"null"}}`},
		{`{"type":6,"properties":{"a":{"type":1,"nullable":true},"b":{"type":0}}}`, `{"type":"object","properties":{"a":{"type":["string","null"]},"b":{}}}`},
		{`{"type":8,"items":true}`, `{"type":8,"items":true}`},
		{`[`, `[`},
	} {
		if got := string(FromGemini(json.RawMessage(tt.in))); got != tt.want {
			t.Errorf("%s\nbecomes %s\nwant    %s", tt.in, got, tt.want)
		}
	}
}

// Hostile schemas do not multiply.
func TestLimits(t *testing.T) {
	var doubling, nested, refs strings.Builder
	for i := range 60 {
		fmt.Fprintf(&doubling, `"d%d":{"type":"object","properties":{"x":{"$ref":"#/definitions/d%d"},"y":{"$ref":"#/definitions/d%d"}}},`, i, i+1, i+1)
	}
	for i := range 200 {
		fmt.Fprintf(&refs, `{"$ref":"#%s"},`, strings.Repeat("/properties/a", i+1))
		nested.WriteString(`{"properties":{"a":`)
	}
	for name, schema := range map[string]string{
		"references that double": `{"type":"object","properties":{"a":{"$ref":"#/definitions/d0"}},"definitions":{` + doubling.String() + `"d60":{"type":"string"}}}`,
		"references to all":      `{"type":"object","properties":{"r":{"anyOf":[` + strings.TrimSuffix(refs.String(), ",") + `]},"a":` + nested.String() + `{}` + strings.Repeat("}}", 200) + `}}`,
		"nesting":                object(strings.Repeat(`{"type":"array","items":`, 2000) + `{}` + strings.Repeat(`}`, 2000)),
	} {
		t.Run(name, func(t *testing.T) {
			got, _, changes := ToGemini(json.RawMessage(schema))
			if len(got) > maxMoved*len(schema) || len(changes) > maxChanges+1 {
				t.Errorf("%d bytes become %d, with %d changes", len(schema), len(got), len(changes))
			}
			if len(got) > 0 {
				conforms(t, got)
			}
		})
	}
}

func FuzzToGemini(f *testing.F) {
	f.Add([]byte(object(`{"anyOf":[{"$ref":"#"},{"enum":[1,null]}],"format":"x"}`)))
	f.Add([]byte(`{"type":["object","null"],"allOf":[{"properties":{"a":{"const":"x"}}}],"$defs":{"a":{}}}`))
	f.Fuzz(func(t *testing.T, schema []byte) {
		if got, own, _ := ToGemini(schema); len(got) > 0 && !own {
			conforms(t, got)
		}
	})
}
