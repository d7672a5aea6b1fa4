package manifest

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestFit holds the judge to what the keywords mean where validators differ, or that
// the oracle does not know.
func TestFit(t *testing.T) {
	for _, test := range []struct {
		schema, value string
		want          fit
	}{
		{`{"type":"integer"}`, `1.0`, fits},
		{`{"type":"dict"}`, `{}`, fits},
		{`{"type":"STRING","nullable":true}`, `null`, fits},
		{`{"enum":[1.0,"a"]}`, `1`, fits},
		{`{"const":{"a":1,"b":2}}`, `{"b":2,"a":1e0}`, fits},
		{`{"const":9007199254740993}`, `9007199254740992`, misfit},
		{`{"multipleOf":0.1}`, `0.3`, fits},
		{`{"minimum":5,"exclusiveMinimum":true}`, `5`, misfit},
		{`{"minimum":1}`, `1e99999`, unsure},
		{`{"maxLength":2}`, `"äö"`, fits},
		{`{"items":[{"type":"string"}],"additionalItems":false}`, `["a",1]`, misfit},
		{`{"dependencies":{"a":["b"]}}`, `{"a":1}`, misfit},
		{`{"minContains":0,"contains":{"type":"string"}}`, `[]`, fits},
		{`{"contains":{"type":"string"},"maxContains":1}`, `["a","b"]`, misfit},
		{`{"pattern":"^(?=a)"}`, `"a"`, unsure},
		{`{"not":{"pattern":"^(?=a)"}}`, `"a"`, unsure},
		{`{"anyOf":[{"pattern":"^(?=a)"},{"minLength":1}]}`, `"a"`, fits},
		{`{"oneOf":[{"pattern":"^(?=a)"},{"minLength":1}]}`, `"a"`, unsure},
		{`{"allOf":[{"pattern":"^(?=a)"},{"minLength":2}]}`, `"a"`, misfit},
		{`{"if":{"pattern":"^(?=a)"},"then":{"maxLength":3},"else":{"minLength":1}}`, `"a"`, fits},
		{`{"if":{"pattern":"^(?=a)"},"then":{"minLength":3}}`, `"a"`, unsure},
		{`{"patternProperties":{"^(?=a)":{"type":"integer"}},"additionalProperties":false}`, `{"a":1}`, unsure},
		{`{"patternProperties":{"^(?=a)":{"type":"integer"}}}`, `{"a":1}`, fits},
		{`{"not":{"$ref":"#"}}`, `1`, unsure},
		{`{"unevaluatedProperties":false,"if":{"properties":{"a":{"const":1}},"required":["a"]},"then":{"properties":{"b":true}}}`, `{"a":1,"b":2}`, fits},
		{`{"unevaluatedItems":false,"prefixItems":[true],"contains":{"const":7}}`, `[1,7]`, fits},
	} {
		doc, err := newDocument(json.RawMessage(test.schema))
		if err != nil {
			t.Fatal(err)
		}
		v, err := parseNode(json.RawMessage(test.value))
		if err != nil {
			t.Fatal(err)
		}
		if got := newJudge(doc).fit(doc.root, v); got != test.want {
			t.Errorf("%s with %s: got %d, want %d", test.schema, test.value, got, test.want)
		}
	}
}

// TestFitOracle: of any schema and value, the judge says what another validator says.
func TestFitOracle(t *testing.T) {
	values := []string{`"a"`, `"x-ab"`, `"some a"`, `""`, `1`, `-3`, `2.5`, `10`, `true`, `null`, `[]`, `["a",1]`, `[1,2,2]`, `{}`, `{"a":1}`, `{"a":"b","x-y":[1]}`, `{"a":1,"b":{"a":"abc"},"c":null}`}
	rapid.Check(t, func(t *rapid.T) {
		raw, err := json.Marshal(rawSchema{"allOf": []any{anyRules(t, 3)}, "$defs": rawSchema{
			"tree": rawSchema{"properties": rawSchema{"b": rawSchema{"$ref": "#/$defs/tree"}}}, "short": rawSchema{"maxLength": 3},
		}})
		if err != nil {
			t.Fatal(err)
		}
		doc, err := newDocument(raw)
		if err != nil {
			t.Fatal(err)
		}
		for _, value := range values {
			v, err := parseNode(json.RawMessage(value))
			if err != nil {
				t.Fatal(err)
			}
			got, broken := newJudge(doc).fit(doc.root, v), oracle(raw, json.RawMessage(value))
			if (got == fits) != (broken == nil) {
				t.Fatalf("%s with %s: got %d, but %v", raw, value, got, broken)
			}
		}
	})
}

// TestFitHostile: schemas that multiply are given up soon, and never overflow a stack.
func TestFitHostile(t *testing.T) {
	var defs strings.Builder
	for i := range 60 {
		fmt.Fprintf(&defs, `"d%d":{"not":{"anyOf":[{"$ref":"#/$defs/d%d"},{"$ref":"#/$defs/d%d"}]}},`, i, i+1, i+1)
	}
	for _, schema := range []string{
		`{"$defs":{` + defs.String() + `"d60":{"not":{}}},"$ref":"#/$defs/d0"}`,
		`{"if":{"$ref":"#"},"then":{"$ref":"#"}}`,
		`{"dependentSchemas":{"a":{"$ref":"#"}}}`,
	} {
		doc, err := newDocument(json.RawMessage(schema))
		if err != nil {
			t.Fatal(err)
		}
		v, err := parseNode(json.RawMessage(`{"a":1}`))
		if err != nil {
			t.Fatal(err)
		}
		if got := newJudge(doc).fit(doc.root, v); got != unsure {
			t.Errorf("%s: got %d", schema, got)
		}
	}
}
