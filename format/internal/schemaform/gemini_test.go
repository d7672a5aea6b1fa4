package schemaform

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// object makes the schema of an object with one property, p.
func object(schema string) string { return `{"type":"object","properties":{"p":` + schema + `}}` }

func TestToGemini(t *testing.T) {
	tests := []struct {
		name, in, want string // of the property p; all of it where in begins with '='
		changes        []string
	}{
		{"types", `{"type":"string","title":"t","description":"d","minLength":1,"maxLength":2,"pattern":"^a","default":"x"}`, `{"type":"STRING","title":"t","description":"d","minLength":1,"maxLength":2,"pattern":"^a","default":"x"}`, nil},
		{"null beside a type", `{"type":["string","null"]}`, `{"type":"STRING","nullable":true}`, nil},
		{"OpenAPI's null", `{"type":"integer","nullable":true,"minimum":1}`, `{"type":"INTEGER","nullable":true,"minimum":1}`, nil},
		{"several types", `{"type":["string","integer","null"],"description":"d","minimum":1,"maxLength":3}`, `{"anyOf":[{"type":"STRING","description":"d","nullable":true,"maxLength":3},{"type":"INTEGER","description":"d","nullable":true,"minimum":1}]}`, nil},
		{"alternatives stand alone", `{"description":"d","anyOf":[{"type":"string","description":"e"},{"type":"null"},{"type":"object","properties":{"a":{"type":"boolean"}}}]}`, `{"anyOf":[{"type":"STRING","description":"d\ne","nullable":true},{"type":"OBJECT","description":"d","nullable":true,"properties":{"a":{"type":"BOOLEAN"}}}]}`, nil},
		{"one alternative beside null", `{"anyOf":[{"type":"array","items":{"type":"number"}},{"type":"null"}],"default":null}`, `{"type":"ARRAY","nullable":true,"items":{"type":"NUMBER"},"default":null}`, nil},
		{"oneOf", `{"oneOf":[{"type":"string"},{"type":"number"}]}`, `{"anyOf":[{"type":"STRING"},{"type":"NUMBER"}]}`, []string{".oneOf: written as anyOf"}},
		{"allOf", `{"allOf":[{"type":"object","properties":{"a":{"type":"string"}},"required":["a"]},{"properties":{"a":{"minLength":2,"maxLength":9},"b":{"type":"number"}},"required":["b"]}],"properties":{"a":{"maxLength":5}}}`, `{"type":"OBJECT","properties":{"a":{"type":"STRING","minLength":2,"maxLength":5},"b":{"type":"NUMBER"}},"required":["a","b"]}`, []string{".allOf: merged"}},
		{"enumerations of strings", `{"enum":["a","b",null]}`, `{"type":"STRING","nullable":true,"enum":["a","b"]}`, nil},
		{"empty members of enumerations", `{"type":"string","enum":["","b"]}`, `{"type":"STRING","enum":["b"]}`, []string{".enum: the empty one is left out"}},
		{"enumerations of numbers", `{"description":"d","enum":[1,2]}`, `{"type":"INTEGER","description":"d\nOne of: 1, 2"}`, []string{".enum: moved into the description: an enumeration has strings only"}},
		{"const", `{"const":"a"}`, `{"type":"STRING","enum":["a"]}`, []string{".const: written as an enumeration of one"}},
		{"const that is no string", `{"const":true}`, `{"type":"BOOLEAN","description":"One of: true"}`, []string{".const: written as an enumeration of one", ".const: moved into the description: an enumeration has strings only"}},
		{"formats", `{"type":"string","format":"date-time"}`, `{"type":"STRING","format":"date-time"}`, nil},
		{"formats that are not known", `{"type":"string","format":"uri"}`, `{"type":"STRING","description":"Format: uri"}`, []string{".format: moved into the description"}},
		{"bounds", `{"type":"integer","exclusiveMinimum":0,"exclusiveMaximum":10,"maximum":5}`, `{"type":"INTEGER","minimum":1,"maximum":5}`, []string{".exclusiveMinimum: written as minimum"}},
		{"bounds of fractions", `{"type":"number","exclusiveMinimum":0}`, `{"type":"NUMBER","description":"exclusiveMinimum: 0"}`, []string{".exclusiveMinimum: moved into the description"}},
		{"what has no place", `{"type":"array","items":{"type":"string"},"uniqueItems":true,"x-a":1,"$comment":"c"}`, `{"type":"ARRAY","description":"uniqueItems: true","items":{"type":"STRING"}}`, []string{".uniqueItems: moved into the description", ".x-a: left out", ".$comment: left out"}},
		{"additionalProperties", `{"type":"object","properties":{"a":{"type":"string"}},"additionalProperties":false}`, `{"type":"OBJECT","properties":{"a":{"type":"STRING"}}}`, []string{".additionalProperties: left out"}},
		{"additionalProperties with a schema", `{"type":"object","additionalProperties":{"type":"number"}}`, `{"type":"OBJECT","description":"Other members: {\"type\":\"number\"}"}`, []string{".additionalProperties: moved into the description"}},
		{"required properties that are not there", `{"type":"object","properties":{"a":{"type":"string"}},"required":["a","b"]}`, `{"type":"OBJECT","properties":{"a":{"type":"STRING"}},"required":["a"]}`, []string{".required: b is left out: no such property"}},
		{"arrays of nothing said", `{"type":"array"}`, `{"type":"ARRAY","items":{"type":"STRING"}}`, []string{".items: missing but required: written as strings"}},
		{"tuples", `{"prefixItems":[{"type":"string"},{"type":"number"}]}`, `{"type":"ARRAY","description":"prefixItems: [{\"type\":\"string\"},{\"type\":\"number\"}]","items":{"anyOf":[{"type":"STRING"},{"type":"NUMBER"}]}}`, []string{".prefixItems: moved into the description"}},
		{"tuples of old", `{"items":[{"type":"string"},{"const":1}]}`, `{"type":"ARRAY","description":"items: [{\"type\":\"string\"},{\"const\":1}]","items":{"anyOf":[{"type":"STRING"},{"type":"INTEGER","description":"One of: 1"}]}}`, []string{".items: moved into the description", ".items.anyOf[1].const: written as an enumeration of one", ".items.anyOf[1].const: moved into the description: an enumeration has strings only"}},
		{
			"anything", `{}`, `{"anyOf":[{"type":"STRING","description":"Any JSON value; an object or an array as JSON text."},{"type":"NUMBER","description":"Any JSON value; an object or an array as JSON text."},{"type":"BOOLEAN","description":"Any JSON value; an object or an array as JSON text."}]}`,
			[]string{".type: missing: written as a string, a number or a boolean"},
		},
		{"null alone", `{"type":"null"}`, `{"type":"STRING","description":"Always null.","nullable":true}`, []string{".type: written as a string that may be null"}},
		{"types that exclude each other", `{"type":"string","allOf":[{"type":"number"}]}`, `{"type":"STRING"}`, []string{".allOf: merged", ": two of its parts contradict each other: the first one counts"}},
		{"references elsewhere", `{"type":"string","$ref":"https://example.com/a"}`, `{"type":"STRING"}`, []string{".$ref: left out: https://example.com/a points to nothing"}},

		{
			"references", `={"type":"object","properties":{"a":{"$ref":"#/$defs/A","description":"own"},"b":{"$ref":"#/definitions/B~1x"}},"$defs":{"A":{"type":"string","description":"d"}},"definitions":{"B/x":{"$ref":"#/properties/a"}}}`,
			`{"type":"OBJECT","properties":{"a":{"type":"STRING","description":"own\nd"},"b":{"type":"STRING","description":"own\nd"}}}`,
			[]string{".properties.a.$ref: written out", ".properties.b.$ref: written out"},
		},
		{
			"references in a circle", `={"type":"object","properties":{"a":{"$ref":"#/$defs/N"}},"$defs":{"N":{"type":"object","properties":{"next":{"$ref":"#/$defs/N"},"v":{"type":"string"}}}}}`,
			`{"type":"OBJECT","properties":{"a":{"type":"OBJECT","properties":{"next":{"type":"OBJECT","description":"As N around it."},"v":{"type":"STRING"}}}}}`,
			[]string{".properties.a.$ref: written out", ".properties.a.properties.next.$ref: not followed: it refers to itself"},
		},
		{
			"alternatives at the root", `={"anyOf":[{"type":"object","properties":{"k":{"const":"a"},"x":{"type":"string"}},"required":["k","x"]},{"type":"object","properties":{"k":{"const":"b"}},"required":["k"]}]}`,
			`{"type":"OBJECT","properties":{"k":{"anyOf":[{"type":"STRING","enum":["a"]},{"type":"STRING","enum":["b"]}]},"x":{"type":"STRING"}},"required":["k"]}`,
			[]string{".anyOf: its alternatives are merged into one object", ".properties.k.anyOf[0].const: written as an enumeration of one", ".properties.k.anyOf[1].const: written as an enumeration of one"},
		},
		{"no object at the root", `={"type":"string"}`, `{"type":"OBJECT","properties":{"input":{"type":"STRING"}},"required":["input"]}`, []string{`: wrapped: its value is the argument "input"`}},
		{"nothing at the root", `={"type":"object","properties":{}}`, ``, nil},
		{"nothing at the root but words", `={"description":"d"}`, ``, []string{": left out: the wire accepts no object without properties"}},
		{"anything at the root", `=true`, ``, nil},
		{"no schema", `=[]`, ``, []string{": left out: it is not the schema of an object"}},
		{"a property that cannot be", `={"properties":{"a":false,"b":{"type":"string"}}}`, `{"type":"OBJECT","properties":{"b":{"type":"STRING"}}}`, []string{".properties.a: left out: no value fits it"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			in, want, prefix := object(tt.in), `{"type":"OBJECT","properties":{"p":`+tt.want+`}}`, ".properties.p"
			if whole, ok := strings.CutPrefix(tt.in, "="); ok {
				in, want, prefix = whole, tt.want, ""
			}
			got, changes := ToGemini(json.RawMessage(in))
			if diff := cmp.Diff(want, string(got)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			var texts []string
			for _, c := range changes {
				texts = append(texts, strings.TrimPrefix(c.Path, prefix)+": "+c.Action)
			}
			if diff := cmp.Diff(tt.changes, texts); diff != "" {
				t.Errorf("changes (-want +got):\n%s", diff)
			}
			if len(got) > 0 {
				conforms(t, got)
			}
		})
	}
}

// fataler is a *testing.T or a *rapid.T.
type fataler interface {
	Helper()
	Fatalf(string, ...any)
}

// conforms holds that a schema has nothing which the provider refuses.
func conforms(t fataler, schema json.RawMessage) {
	t.Helper()
	known := []string{
		"type", "title", "description", "nullable", "enum", "items", "properties", "required", "anyOf", "format", "pattern", "default", "example",
		"minLength", "maxLength", "minimum", "maximum", "minItems", "maxItems", "minProperties", "maxProperties", "propertyOrdering",
	}
	var walk func(v map[string]any, path string)
	walk = func(v map[string]any, path string) {
		for key := range v {
			if !slices.Contains(known, key) {
				t.Fatalf("%s: unknown name %q in %s", path, key, schema)
			}
		}
		if branches, ok := v["anyOf"].([]any); ok {
			if len(v) > 1 || len(branches) < 2 {
				t.Fatalf("%s: anyOf does not stand alone in %s", path, schema)
			}
			for _, b := range branches {
				walk(b.(map[string]any), path+".anyOf")
			}
			return
		}
		kind, _ := v["type"].(string)
		if !slices.Contains([]string{"STRING", "NUMBER", "INTEGER", "BOOLEAN", "ARRAY", "OBJECT"}, kind) {
			t.Fatalf("%s: type %v in %s", path, v["type"], schema)
		}
		if enum, ok := v["enum"]; ok {
			for _, item := range enum.([]any) {
				if s, ok := item.(string); !ok || s == "" || kind != "STRING" {
					t.Fatalf("%s: enum %v in %s", path, enum, schema)
				}
			}
		}
		if items, ok := v["items"]; ok != (kind == "ARRAY") {
			t.Fatalf("%s: items %v in %s", path, items, schema)
		} else if ok {
			walk(items.(map[string]any), path+".items")
		}
		properties, _ := v["properties"].(map[string]any)
		for name, p := range properties {
			walk(p.(map[string]any), path+"."+name)
		}
		required, _ := v["required"].([]any)
		for _, name := range required {
			if properties[name.(string)] == nil {
				t.Fatalf("%s: required %v in %s", path, required, schema)
			}
		}
	}
	var root map[string]any
	if err := json.Unmarshal(schema, &root); err != nil {
		t.Fatalf("%v: %s", err, schema)
	}
	if root["type"] != "OBJECT" || root["properties"] == nil {
		t.Fatalf("the root is not an object: %s", schema)
	}
	walk(root, "")
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

// Whatever the schema, what comes out has only what the provider knows, is its
// own translation, and comes back from JSON Schema as it was.
func TestToGeminiConforms(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		schema := genSchema(t, 3)
		schema["properties"] = map[string]any{"p": genSchema(t, 3), "q": genSchema(t, 2)}
		schema["$defs"] = map[string]any{"A": genSchema(t, 1), "B": genSchema(t, 2)}
		raw, err := json.Marshal(schema)
		if err != nil {
			t.Fatal(err)
		}
		got, _ := ToGemini(raw)
		if len(got) == 0 {
			t.Fatalf("nothing of %s", raw)
		}
		conforms(t, got)
		back := FromGemini(got)
		again, changes := ToGemini(back)
		if diff := cmp.Diff(value(got), value(again)); diff != "" || len(changes) > 0 {
			t.Fatalf("%s\nas JSON Schema %s\nchanges %v\n(-first +again):\n%s", got, back, changes, diff)
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

// Hostile schemas end, and what is too large is left out, with a record.
func TestLimits(t *testing.T) {
	var doubling strings.Builder
	doubling.WriteString(`{"type":"object","properties":{"a":{"$ref":"#/$defs/d0"}},"$defs":{`)
	for i := range 60 {
		fmt.Fprintf(&doubling, `"d%d":{"type":"object","properties":{"x":{"$ref":"#/$defs/d%d"},"y":{"$ref":"#/$defs/d%d"}}},`, i, i+1, i+1)
	}
	doubling.WriteString(`"d60":{"type":"string"}}}`)
	many := func(n int, item string) string { return strings.TrimSuffix(strings.Repeat(item+",", n), ",") }
	for name, schema := range map[string]string{
		"references that double": doubling.String(),
		"nesting":                object(strings.Repeat(`{"type":"array","items":`, 2000) + `{}` + strings.Repeat(`}`, 2000)),
		"alternatives":           object(`{"anyOf":[` + many(3000, `{"type":"object","properties":{"a":{"type":"string"}}}`) + `]}`),
		"alternatives around much": object(`{"properties":{` + strings.TrimSuffix(func() string {
			var b strings.Builder
			for i := range 900 {
				fmt.Fprintf(&b, `"p%d":{"type":"string"},`, i)
			}
			return b.String()
		}(), ",") + `},"anyOf":[` + many(900, `{"anyOf":[{"type":"object"},{"type":"object"}]}`) + `]}`),
		"references to everywhere": object(`{"anyOf":[` + many(3000, `{"$ref":"#/properties/p/x/y"}`) + `]}`),
	} {
		t.Run(name, func(t *testing.T) {
			begin := time.Now()
			got, changes := ToGemini(json.RawMessage(schema))
			conforms(t, got)
			if len(changes) == 0 || len(changes) > maxChanges+1 {
				t.Errorf("%d changes", len(changes))
			}
			t.Logf("%d bytes become %d in %v", len(schema), len(got), time.Since(begin))
		})
	}
}

func FuzzToGemini(f *testing.F) {
	f.Add([]byte(object(`{"anyOf":[{"$ref":"#"},{"enum":[1,null]}],"format":"x"}`)))
	f.Add([]byte(`{"type":["object","null"],"allOf":[{"properties":{"a":{"const":"x"}}}],"$defs":{"a":{}}}`))
	f.Fuzz(func(t *testing.T, schema []byte) {
		if got, _ := ToGemini(schema); len(got) > 0 {
			conforms(t, got)
			if again, _ := ToGemini(FromGemini(got)); len(again) > 0 {
				conforms(t, again)
			}
		}
	})
}
