package schemaform

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestToStrict(t *testing.T) {
	tests := []struct {
		name, in, want string
		changes        []Change
		no             bool
	}{
		{"as it should be", `{"type":"object", "properties":{"a":{"type":"string"}},"required":["a"],"additionalProperties":false}`, `{"type":"object", "properties":{"a":{"type":"string"}},"required":["a"],"additionalProperties":false}`, nil, false},
		{
			"open objects with optional properties", `{"type":"object","properties":{"a":{"type":"string","enum":["x"],"default":"x"},"b":{"type":["integer","null"]},"c":{"$ref":"#/$defs/C","description":"d"},"d":{"type":"object","properties":{"e":{"type":"string"}}},"f":{"type":"string"}},"required":["d","f"],"$defs":{"C":{"type":"array","items":{"oneOf":[{"type":"string"},{"type":"number"}]}}}}`,
			`{"type":"object","properties":{"a":{"type":["string","null"],"enum":["x",null]},"b":{"type":["integer","null"]},"c":{"anyOf":[{"$ref":"#/$defs/C","description":"d"},{"type":"null"}]},"d":{"type":"object","properties":{"e":{"type":["string","null"]}},"additionalProperties":false,"required":["e"]},"f":{"type":"string"}},"$defs":{"C":{"type":"array","items":{"anyOf":[{"type":"string"},{"type":"number"}]}}},"additionalProperties":false,"required":["a","b","c","d","f"]}`,
			[]Change{
				{".properties.a", "made required and nullable"}, {".properties.a.default", "left out"}, {".properties.b", "made required and nullable"},
				{".properties.c", "made required and nullable"}, {".properties.d.properties.e", "made required and nullable"},
				{".properties.d.additionalProperties", "false"}, {".$defs.C.items.oneOf", "written as anyOf"}, {".additionalProperties", "false"},
			}, false,
		},
		{"no properties", `{"type":"object"}`, `{"type":"object","additionalProperties":false,"required":[],"properties":{}}`, []Change{{".additionalProperties", "false"}, {".properties", "none"}}, false},
		{"constants", `{"type":"object","properties":{"a":{"const":1}},"additionalProperties":false}`, `{"type":"object","properties":{"a":{"anyOf":[{"const":1},{"type":"null"}]}},"additionalProperties":false,"required":["a"]}`, []Change{{".properties.a", "made required and nullable"}}, false},
		{"maps", `{"type":"object","properties":{"a":{"type":"object","additionalProperties":{"type":"string"}}},"required":["a"]}`, "", []Change{{".properties.a.additionalProperties", "additional properties cannot be strict"}}, true},
		{"anything", `{"type":"object","properties":{"a":{}}}`, "", []Change{{".properties.a", "a value of any type cannot be strict"}}, true},
		{"anything but for what goes", `{"type":"object","properties":{"a":{"additionalProperties":true,"default":1}}}`, "", []Change{{".properties.a", "a value of any type cannot be strict"}}, true},
		{"keywords", `{"type":"object","properties":{"a":{"allOf":[]}}}`, "", []Change{{".properties.a.allOf", "strict tools do not support the keyword"}}, true},
		{"alternatives at the root", `{"type":"object","anyOf":[{"type":"object"}]}`, "", []Change{{"", "the root is not an object"}}, true},
		{"not valid JSON", `{`, "", []Change{{"", "the root is not an object"}}, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if tt.no {
				tt.want = tt.in
			}
			got, changes, ok := ToStrict(json.RawMessage(tt.in))
			if diff := cmp.Diff(tt.want, string(got)); diff != "" || ok == tt.no {
				t.Errorf("ok is %v (-want +got):\n%s", ok, diff)
			}
			if diff := cmp.Diff(tt.changes, changes); diff != "" {
				t.Errorf("changes (-want +got):\n%s", diff)
			}
		})
	}
}

// What comes out keeps to the rules, so that nothing of it is rewritten again.
func TestToStrictIsStable(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		schema := map[string]any{"type": "object", "properties": map[string]any{"p": genSchema(t, 2), "q": genSchema(t, 2)}}
		raw, err := json.Marshal(schema)
		if err != nil {
			t.Fatal(err)
		}
		got, _, ok := ToStrict(raw)
		if !json.Valid(got) {
			t.Fatalf("no JSON: %s", got)
		}
		again, changes, okAgain := ToStrict(got)
		if ok && (!okAgain || len(changes) > 0 || string(again) != string(got)) {
			t.Fatalf("%s\n%s\n%s\n%v", raw, got, again, changes)
		}
	})
}
