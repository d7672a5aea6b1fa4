package schema

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/toolparse/toolparse/internal/jsonvalue"
)

// sketch is a shape in few words, one line for each alternative.
func sketch(t interface{ Fatal(...any) }, doc string) []string {
	root, err := jsonvalue.Parse(doc)
	if err != nil {
		t.Fatal(err)
	}
	shapes, err := NewDocument(root).Shaper(1000).Alternatives(root)
	if err != nil {
		return []string{err.Error()}
	}
	var lines []string
	for _, s := range shapes {
		if s.Never {
			lines = append(lines, "never")
			continue
		}
		line := strings.Join(s.Kinds(), "|")
		for _, v := range s.Enum {
			line += " =" + v.String()
		}
		for _, p := range s.AllProperties() {
			line += " " + p.Name + map[bool]string{false: "?"}[p.Required]
			if p.Schema != nil {
				line += ":" + p.Schema.String()
			}
		}
		for _, l := range []struct {
			name string
			*Limit
		}{{"min", s.Min}, {"max", s.Max}} {
			if l.Limit != nil {
				line += fmt.Sprint(" ", l.name, " ", l.RatString(), map[bool]string{true: " open"}[l.Open])
			}
		}
		for _, l := range []struct {
			name string
			Lengths
		}{{"length", s.Length}, {"count", s.ItemCount}, {"members", s.MemberCount}} {
			if l.Lengths != (Lengths{0, NoLimit}) {
				line += fmt.Sprint(" ", l.name, " ", l.Min, "..", l.Max)
			}
		}
		for i, p := range s.PrefixItems {
			line += fmt.Sprint(" [", i, "]", p)
		}
		if s.Items != nil {
			line += " items " + s.Items.String()
		}
		if s.AdditionalProperties != nil {
			line += " others " + s.AdditionalProperties.String()
		}
		if s.Description != "" {
			line += " // " + s.Description
		}
		lines = append(lines, strings.TrimSpace(line))
	}
	return lines
}

// TestShape: what a manifest shows, a grammar allows and a wire is sent is this.
func TestShape(t *testing.T) {
	for doc, want := range map[string][]string{
		`{}`:                             {""},
		`true`:                           {""},
		`false`:                          {"never"},
		`{"type":["STRING","null"]}`:     {"string|null"},
		`{"type":"any","minLength":2}`:   {"string length 2..-1"},
		`{"type":"int","nullable":true}`: {"integer|null"},
		`{"allOf":[{"type":["integer","string"]},{"type":"number"}]}`:                                                   {"integer"},
		`{"allOf":[{"type":"string"},{"type":"integer"}]}`:                                                              {"never"},
		`{"enum":[1,2,3],"allOf":[{"enum":[3.0,2]},{"const":2}]}`:                                                       {" =2"[1:]},
		`{"enum":["a"],"const":"b"}`:                                                                                    {"never"},
		`{"minimum":1,"exclusiveMinimum":true,"allOf":[{"minimum":"1"},{"maximum":5}]}`:                                 {"number min 1 open max 5"},
		`{"minItems":1,"allOf":[{"maxItems":4},{"minItems":2,"maxItems":9}]}`:                                           {"array count 2..4"},
		`{"$ref":"#/$defs/a","$defs":{"a":{"$ref":"#/$defs/b"},"b":{"type":"string","description":"a b"}},"title":"t"}`: {"string // a b"},
		`{"properties":{"a":{"type":"integer"}},"required":["a","z"],"allOf":[{"properties":{"a":{"minimum":1},"b":true},"required":["a"]}]}`: {
			`object a:{"allOf":[{"type":"integer"},{"minimum":1}]} b?:true z`},
		`{"additionalProperties":{"type":"string"},"allOf":[{"additionalProperties":false}]}`:                {"object others false"},
		`{"prefixItems":[{"type":"string"}],"items":false,"allOf":[{"prefixItems":[true,{"type":"null"}]}]}`: {`array [0]{"type":"string"} [1]{"type":"null"} items false`},
		`{"items":[{"type":"string"}],"additionalItems":{"type":"null"}}`:                                    {`array [0]{"type":"string"} items {"type":"null"}`},
		`{"anyOf":[{"type":"string"},{"type":"null"}],"description":"d"}`:                                    {"string // d", "null // d"},
		`{"type":"integer","anyOf":[{"minimum":3},{"type":"string"}],"oneOf":[{"maximum":9},{"maximum":5}]}`: {"integer min 3 max 9", "integer min 3 max 5"},
		`{"anyOf":[{"anyOf":[{"const":1},{"const":2}]},{"const":3}]}`:                                        {"=1", "=2", "=3"},
		`{"anyOf":[{"type":"string"},false]}`:                                                                {"string"},
		`{"type":null,"items":null,"additionalProperties":null}`:                                             {""},
	} {
		if diff := cmp.Diff(want, sketch(t, doc)); diff != "" {
			t.Errorf("%s\n%s", doc, diff)
		}
	}
}

// TestShapeBounded: schemas that multiply end in an error; a part that applies twice, or
// refers to itself, is read once.
func TestShapeBounded(t *testing.T) {
	var laughs, choices strings.Builder
	for i := range 40 {
		fmt.Fprintf(&laughs, `"%d":{"allOf":[{"$ref":"#/$defs/%[2]d"},{"$ref":"#/$defs/%[2]d"}]},`, i, i+1)
		choices.WriteString(`{"anyOf":[{"minimum":1},{"minimum":2}]},`)
	}
	for _, doc := range []string{`{"type":"string","$ref":"#"}`, `{"$ref":"#/$defs/0","$defs":{` + laughs.String() + `"40":{"type":"string"}}}`} {
		if got := sketch(t, doc); !slices.Equal(got, []string{"string"}) {
			t.Errorf("%s: got %q", doc, got)
		}
	}
	for name, doc := range map[string]string{
		"choices": `{"allOf":[` + choices.String() + `{}]}`,
		"never":   `{"allOf":[` + choices.String() + `{"anyOf":[false]}]}`,
	} {
		root, err := jsonvalue.Parse(doc)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := NewDocument(root).Shaper(20_000).Alternatives(root); !errors.Is(err, ErrTooLarge) {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

// TestShapeHoldsWhatFits: a value that fits a schema has the type, the place in the enum
// and the bounds that one of its shapes says; and a compiled schema allows its text that
// type.
func TestShapeHoldsWhatFits(t *testing.T) {
	values := []string{`"a"`, `"abc"`, `1`, `2.5`, `-3`, `true`, `null`, `[]`, `[1,"a"]`, `{}`, `{"a":1}`, `{"a":"x","b":[]}`}
	rapid.Check(t, func(t *rapid.T) {
		doc := genInPlace(3).Draw(t, "schema")
		root, err := jsonvalue.Parse(doc)
		if err != nil {
			t.Fatal(err)
		}
		compiled, err := Compile([]byte(doc))
		if err != nil {
			t.Skip(err)
		}
		shapes, err := NewDocument(root).Shaper(10_000).Alternatives(root)
		if err != nil {
			t.Skip(err)
		}
		for _, text := range values {
			v, err := jsonvalue.Parse(text)
			if err != nil {
				t.Fatal(err)
			}
			if problems, _ := compiled.Validate([]byte(text)); len(problems) > 0 {
				continue
			}
			if !slices.ContainsFunc(shapes, func(s *Shape) bool { return s.holds(v) }) {
				t.Fatalf("%s fits %s, but no shape of it: %q", text, doc, sketch(t, doc))
			}
		}
	})
}

// holds reports whether a value is of a shape, as far as its own keywords go.
func (s *Shape) holds(v *value) bool {
	switch {
	case s.Never, !s.Allows(v) && !(s.nullable && v.Kind == jsonvalue.Null):
		return false
	case s.HasEnum:
		return slices.ContainsFunc(s.Enum, func(e *value) bool { return jsonvalue.Equal(e, v) })
	}
	switch v.Kind {
	case jsonvalue.Number:
		d, _ := v.Decimal()
		r, _ := d.Rat()
		return (s.Min == nil || r.Cmp(s.Min.Rat) > 0 || r.Cmp(s.Min.Rat) == 0 && !s.Min.Open) &&
			(s.Max == nil || r.Cmp(s.Max.Rat) < 0 || r.Cmp(s.Max.Rat) == 0 && !s.Max.Open)
	case jsonvalue.String:
		return s.Length.hold(len(v.Text))
	case jsonvalue.Array:
		return s.ItemCount.hold(len(v.List)) && !(s.Items.IsFalse() && len(v.List) > len(s.PrefixItems))
	case jsonvalue.Object:
		return s.MemberCount.hold(len(v.Keys)) && !slices.ContainsFunc(s.Required, func(name string) bool { return !v.Has(name) })
	}
	return true
}

// genInPlace draws schemas whose parts apply in place.
func genInPlace(depth int) *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		if depth == 0 {
			return rapid.SampledFrom([]string{`{}`, `true`, `false`, `{"type":"string"}`, `{"type":"integer"}`}).Draw(t, "leaf")
		}
		sub := func() string { return genInPlace(depth-1).Draw(t, "sub") }
		var words []string
		for _, word := range rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"type", "enum", "minimum", "maximum", "length", "count", "required", "items", "allOf", "anyOf", "oneOf", "$ref", "nullable"}), 0, 4, rapid.ID).Draw(t, "words") {
			n := rapid.IntRange(0, 3).Draw(t, "n")
			words = append(words, map[string]string{
				"type":    `"type":` + rapid.SampledFrom([]string{`"string"`, `"integer"`, `"number"`, `["array","null"]`, `["object","string","integer"]`}).Draw(t, "type"),
				"enum":    `"enum":` + rapid.SampledFrom([]string{`["a",1]`, `[1,2.5,null]`, `[{"a":1},[]]`}).Draw(t, "enum"),
				"minimum": fmt.Sprintf(`"minimum":%d`, n-1), "maximum": fmt.Sprintf(`"exclusiveMaximum":%d`, n), "length": fmt.Sprintf(`"minLength":%d`, n),
				"count": fmt.Sprintf(`"maxItems":%d`, n), "required": `"required":["a"]`, "items": `"items":` + sub(), "nullable": `"nullable":true`,
				"allOf": `"allOf":[` + sub() + `,` + sub() + `]`, "anyOf": `"anyOf":[` + sub() + `,` + sub() + `]`, "oneOf": `"oneOf":[` + sub() + `,` + sub() + `]`,
				"$ref": `"$ref":"#/$defs/r","$defs":{"r":` + sub() + `}`,
			}[word])
		}
		doc := "{" + strings.Join(words, ",") + "}"
		if strings.ContainsAny(doc, "O$") { // beside others in place, null by nullable is in no shape
			doc = strings.ReplaceAll(doc, `"nullable":true`, `"nullable":false`)
		}
		return doc
	})
}
