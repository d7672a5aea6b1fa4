package schemaform

import (
	"encoding/json"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestToDecoded(t *testing.T) {
	tests := []struct {
		name, in, want string
		changes        []Change
		no             bool
	}{
		{"no schema", ``, "", []Change{{"", "the root is not an object"}}, true},
		{"any object", `{"type":"object"}`, "", []Change{{"", "an object with any properties is not supported"}}, true},
		{"as it should be", `{"type":"object", "properties":{"a":{"type":["string","null"],"format":"date","pattern":"^[a-z]+$"}},"additionalProperties":false}`, `{"type":"object", "properties":{"a":{"type":["string","null"],"format":"date","pattern":"^[a-z]+$"}},"additionalProperties":false}`, nil, false},
		{
			"what the decoder lacks",
			`{"$schema":"s","type":"object","properties":{"n":{"type":"integer","minimum":1,"maximum":9,"description":"d"},"s":{"type":"string","minLength":2,"format":"regex","pattern":"a(?=b)"},"l":{"type":"array","minItems":2,"items":{"oneOf":[{"const":1},{"enum":[{}]}]}},"m":{"type":"array","minItems":1,"uniqueItems":true}},"required":["n"]}`,
			`{"type":"object","properties":{"n":{"type":"integer","description":"d\nminimum: 1\nmaximum: 9"},"s":{"type":"string","description":"minLength: 2\nformat: \"regex\"\npattern: \"a(?=b)\""},"l":{"type":"array","items":{"anyOf":[{"const":1},{"description":"enum: [{}]"}]},"description":"minItems: 2"},"m":{"type":"array","minItems":1,"description":"uniqueItems: true"}},"required":["n"],"additionalProperties":false}`,
			[]Change{
				{".$schema", "left out"}, {".properties.n.minimum", "part of the description"}, {".properties.n.maximum", "part of the description"},
				{".properties.s.minLength", "part of the description"}, {".properties.s.format", "part of the description"}, {".properties.s.pattern", "part of the description"},
				{".properties.l.minItems", "part of the description"}, {".properties.l.items.oneOf", "written as anyOf"}, {".properties.l.items.anyOf.enum", "part of the description"},
				{".properties.m.uniqueItems", "part of the description"}, {".additionalProperties", "false"},
			}, false,
		},
		{
			"references", `{"type":"object","properties":{"a":{"$ref":"#/$defs/A"},"b":{"$ref":"#/$defs/A"}},"additionalProperties":false,"$defs":{"A":{"type":"object","properties":{"c":{"$ref":"#/$defs/B~1"}}},"B/":{"type":"string","maxLength":3}}}`,
			`{"type":"object","properties":{"a":{"$ref":"#/$defs/A"},"b":{"$ref":"#/$defs/A"}},"$defs":{"A":{"type":"object","properties":{"c":{"$ref":"#/$defs/B~1"}},"additionalProperties":false},"B/":{"type":"string","description":"maxLength: 3"}},"additionalProperties":false}`,
			[]Change{{".$defs.A.additionalProperties", "false"}, {".$defs.B/.maxLength", "part of the description"}}, false,
		},
		{"recursion", `{"type":"object","properties":{"a":{"$ref":"#/$defs/A"}},"$defs":{"A":{"anyOf":[{"$ref":"#/$defs/B"}]},"B":{"$ref":"#/$defs/A"}}}`, "", []Change{{".$defs.B.$ref", "the schema is recursive"}}, true},
		{"to the root", `{"type":"object","properties":{"a":{"$ref":"#"}}}`, "", []Change{{".properties.a.$ref", "the schema is recursive"}}, true},
		{"out of it", `{"type":"object","properties":{"a":{"$ref":"http://x"}}}`, "", []Change{{".properties.a.$ref", "a reference that leads to no part of the schema"}}, true},
		{"to nothing", `{"type":"object","properties":{"a":{"$ref":"#/$defs/A"}}}`, "", []Change{{".properties.a.$ref", "a reference that leads to no part of the schema"}}, true},
		{"maps", `{"type":"object","properties":{"a":{"type":"object","additionalProperties":{"type":"string"}}}}`, "", []Change{{".properties.a", "an object with any properties is not supported"}}, true},
		{"open objects", `{"type":"object","properties":{"a":{"type":"object"}}}`, "", []Change{{".properties.a", "an object with any properties is not supported"}}, true},
		{"anything", `{"type":"object","properties":{"a":true}}`, "", []Change{{".properties.a", "a value of any type is not supported"}}, true},
		{"not valid JSON", `{`, "", []Change{{"", "the root is not an object"}}, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if tt.no {
				tt.want = tt.in
			}
			got, changes, ok := ToDecoded(json.RawMessage(tt.in))
			if ok == tt.no {
				t.Errorf("ok is %v", ok)
			}
			if diff := cmp.Diff(tt.want, string(got)); diff != "" {
				t.Errorf("schema (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tt.changes, changes); diff != "" {
				t.Errorf("changes (-want +got):\n%s", diff)
			}
			if again, more, _ := ToDecoded(got); !tt.no && (string(again) != string(got) || len(more) > 0) {
				t.Errorf("it changes again: %v\n%s", more, again)
			}
		})
	}
}

// Whatever the schema is, rewriting it ends, and what conforms does not change again.
func TestToDecodedOfAnything(t *testing.T) {
	var gen func(t *rapid.T, depth int) string
	gen = func(t *rapid.T, depth int) string {
		var members []string
		for i := range rapid.IntRange(0, 3).Draw(t, "members") {
			name := rapid.SampledFrom([]string{"type", "properties", "items", "anyOf", "oneOf", "$defs", "$ref", "minimum", "enum", "additionalProperties", "description", "pattern", "not"}).Draw(t, "name")
			value := rapid.SampledFrom([]string{`"object"`, `["object","null"]`, "1", "false", "null", `"#"`, `"#/$defs/a"`, `"#/properties/a/items"`, "[{}]"}).Draw(t, "value")
			if depth > 0 && i%2 == 0 {
				inner := gen(t, depth-1)
				value = rapid.SampledFrom([]string{inner, `{"a":` + inner + "}", "[" + inner + "]"}).Draw(t, "inner")
			}
			members = append(members, strconv.Quote(name)+":"+value)
		}
		return "{" + strings.Join(members, ",") + "}"
	}
	rapid.Check(t, func(t *rapid.T) {
		in := gen(t, 4)
		out, _, ok := ToDecoded(json.RawMessage(in))
		if !ok {
			return
		}
		if again, changes, ok := ToDecoded(out); !ok || len(changes) > 0 {
			t.Errorf("%s\nbecomes %s\nand then %s: %v", in, out, again, changes)
		}
	})
}

// A chain of references takes time linear in it, and one that is too long is refused.
func TestToDecodedFollowsManyReferences(t *testing.T) {
	chain := func(n int) string {
		var b strings.Builder
		b.WriteString(`{"type":"object","additionalProperties":false,"properties":{},"$defs":{`)
		for i := range n {
			b.WriteString(`"d` + strconv.Itoa(i) + `":{"anyOf":[{"$ref":"#/$defs/d` + strconv.Itoa(i+1) + `"},{"$ref":"#/$defs/d` + strconv.Itoa(i+1) + `"}]},`)
		}
		b.WriteString(`"d` + strconv.Itoa(n) + `":{"type":"string"}}}`)
		return b.String()
	}
	if _, changes, ok := ToDecoded(json.RawMessage(chain(3000))); !ok {
		t.Errorf("%v", changes)
	}
	if _, changes, ok := ToDecoded(json.RawMessage(chain(20_000))); ok || changes[0].Action != "it has too many references" {
		t.Errorf("%v, %v", ok, changes)
	}
}
