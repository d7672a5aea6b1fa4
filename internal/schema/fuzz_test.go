package schema

import (
	"encoding/json"
	"testing"
)

// seeds are schemas with a text and a document for each.
var seeds = []struct{ schema, text, doc string }{
	{`{"type":"integer"}`, "7.0", `7`},
	{`{"type":["boolean","null"]}`, " TRUE ", `null`},
	{`{"enum":["1",1,null,{"a":1.0}]}`, "1", `{"a":1}`},
	{`{"type":"array","items":{"type":"string"},"uniqueItems":true}`, "['a', \"b\",]", `["a","a"]`},
	{`{"type":"object","properties":{"a":{"$ref":"#"}},"required":["a"],"additionalProperties":false}`, `{a: None}`, `{"a":{"a":{"b":1}}}`},
	{`{"anyOf":[{"properties":{"k":{"const":"x"}}},{"type":"string","pattern":"^a+$"}],"allOf":[true]}`, `{"k":"x"}`, `"b"`},
	{`{"patternProperties":{"^x":{"minimum":-1e999}},"prefixItems":[{"multipleOf":0.1}]}`, ``, `[0.3]`},
}

// FuzzSchema: no schema and no document make the validator panic, or run beyond its
// budget, which would be a test that hangs.
func FuzzSchema(f *testing.F) {
	for _, s := range seeds {
		f.Add([]byte(s.schema), []byte(s.doc))
	}
	for i, g := range suite(f) {
		if i%4 == 0 { // to begin quickly
			f.Add([]byte(g.Schema), []byte(g.Tests[i%len(g.Tests)].Data))
		}
	}
	f.Add([]byte(`{"pattern":"^(?!a)(?:(?!b).)*[^\\s]{2,3000}(?<!c)$"}`), []byte(`"xyz"`))
	f.Fuzz(func(t *testing.T, schema, doc []byte) {
		s, err := Compile(schema)
		if err != nil {
			return
		}
		if len(schema) > 0 && !isBlank(schema) && !json.Valid(schema) {
			t.Errorf("Compile(%q) took what is no JSON", schema)
		}
		checkValidate(t, s, doc)
	})
}

func FuzzConvert(f *testing.F) {
	for _, s := range seeds {
		f.Add([]byte(s.schema), s.text)
	}
	f.Fuzz(func(t *testing.T, schema []byte, text string) {
		if s, err := Compile(schema); err == nil {
			checkConvert(t, s, text)
		}
	})
}
