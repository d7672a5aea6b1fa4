package schema

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolparse/toolparse/internal/jsonvalue"
)

func TestCompileErrors(t *testing.T) {
	chain := func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, `"d%d":{"$ref":"#/$defs/d%d"},`, i, i+1)
		}
		return fmt.Sprintf(`{"$ref":"#/$defs/d0","$defs":{%s"d%d":{"type":"string"}}}`, b.String(), n)
	}
	tests := []struct {
		name, schema, path string
		err                error
	}{
		{"a number", `5`, "", ErrNotASchema},
		{"a property that is no schema", `{"properties":{"a":{"items":"string"}}}`, "/properties/a/items", ErrNotASchema},
		{"properties", `{"properties":[]}`, "/properties", ErrKeyword},
		{"type", `{"properties":{"a/b":{"type":5}}}`, "/properties/a~1b/type", ErrKeyword},
		{"types", `{"type":["string",{}]}`, "/type", ErrKeyword},
		{"required", `{"required":"a"}`, "/required", ErrKeyword},
		{"enum", `{"enum":"a"}`, "/enum", ErrKeyword},
		{"anyOf", `{"anyOf":{}}`, "/anyOf", ErrKeyword},
		{"empty anyOf", `{"anyOf":[]}`, "/anyOf", ErrKeyword},
		{"in anyOf", `{"anyOf":[{},5]}`, "/anyOf/1", ErrNotASchema},
		{"$ref", `{"$ref":5}`, "/$ref", ErrKeyword},
		{"$ref nowhere", `{"items":{"$ref":"#/$defs/a"}}`, "/items/$ref", ErrReference},
		{"$ref elsewhere", `{"$ref":"https://example.com/a"}`, "/$ref", ErrReference},
		{"$ref to a bad part", `{"$ref":"#/$defs/a","$defs":{"a":{"items":1}}}`, "/$defs/a/items", ErrNotASchema},
		{"circle of one", `{"$ref":"#"}`, "", ErrCircle},
		{"circle of two", `{"$ref":"#/$defs/a","$defs":{"a":{"$ref":"#/$defs/b"},"b":{"$ref":"#/$defs/a"}}}`, "", ErrCircle},
		{"circle through anyOf", `{"$defs":{"a":{"anyOf":[{"type":"string"},{"$ref":"#/$defs/a"}]}},"items":{"$ref":"#/$defs/a"}}`, "/items", ErrCircle},
		{"too deep", strings.Repeat(`{"items":`, 200) + "{}" + strings.Repeat("}", 200), "", nil},
		{"far too deep", strings.Repeat(`{"items":`, 100_000) + "{}" + strings.Repeat("}", 100_000), "", jsonvalue.ErrTooDeep},
		{"long chain", chain(100), "", nil},
		{"very long chain", chain(5000), "", nil},
		{"chain too long", chain(20_000), "", ErrTooLarge},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Compile(json.RawMessage(tt.schema))
			if !errors.Is(err, tt.err) {
				t.Fatalf("Compile: %v, want %v", err, tt.err)
			}
			var place *Error
			if tt.err != nil && (!errors.As(err, &place) || place.Path != tt.path) {
				t.Errorf("Compile: %v, want it at %q", err, tt.path)
			}
		})
	}
	t.Run("message", func(t *testing.T) {
		_, err := Compile(json.RawMessage(`{"items":{"$ref":"#/$defs/a%zz"}}`))
		const want = `schema: at /items/$ref: $ref points to nothing in the schema: "#/$defs/a%zz"`
		if err == nil || err.Error() != want {
			t.Errorf("Compile: %v, want %s", err, want)
		}
	})
	t.Run("broken JSON", func(t *testing.T) {
		var syntax *jsonvalue.SyntaxError
		if _, err := Compile(json.RawMessage(`{"type" "x"}`)); !errors.As(err, &syntax) {
			t.Errorf("Compile: %v", err)
		}
	})
}

func TestCompileIsLenient(t *testing.T) {
	for _, schema := range []string{
		``, ` `, `null`, `true`, `false`, `{}`, `{"type":"file"}`, `{"type":[]}`, `{"enum":null,"items":null}`,
		`{"properties":{"a":{"required":true}}}`, `{"pattern":"(?<!x)y"}`, `{"minimum":"low","maxLength":-1,"minItems":1e99}`,
		`{"not":{},"if":{},"format":"date","x-custom":[1]}`, `{"items":[{"type":"string"}],"additionalItems":false}`,
	} {
		t.Run(schema, func(t *testing.T) { mustCompile(t, schema) })
	}
}

func TestLookup(t *testing.T) {
	const doc = `{"type":"object",
		"properties":{"a":{"type":"integer"},"l":{"type":"array","items":{"type":"boolean"}},
			"pair":{"prefixItems":[{"type":"integer"},{"type":"null"}]},"both":{"type":["object","array"]}},
		"patternProperties":{"^x-":{"type":"number"}},
		"allOf":[{"$ref":"#/$defs/more"}],
		"oneOf":[{"properties":{"kind":{"const":"k"},"v":{"type":"string"}}},{"properties":{"v":{"type":"integer"}}}],
		"$defs":{"more":{"properties":{"a":{"minimum":3},"m":{"type":"boolean"}},"additionalProperties":{"type":"null"}}}}`
	s := mustCompile(t, doc)
	types := map[string]string{}
	for _, name := range []string{"a", "l", "x-1", "m", "kind", "v", "other"} {
		types[name] = s.Property(name).allowed().String()
	}
	want := map[string]string{"a": "an integer", "l": "an array", "x-1": "a number", "m": "a boolean", "kind": "a string",
		"v": "an integer or a string", "other": "null"}
	if diff := cmp.Diff(want, types); diff != "" {
		t.Errorf("types of properties (-want +got):\n%s", diff)
	}
	for name, want := range map[string]bool{"a": true, "m": true, "v": true, "x-1": false, "other": false} {
		if got := s.Declares(name); got != want {
			t.Errorf("Declares(%q) = %v", name, got)
		}
	}
	if !s.Closed() || s.Property("a").Closed() {
		t.Errorf("Closed: %v, of a %v", s.Closed(), s.Property("a").Closed())
	}
	if s.Untyped() || s.Property("a").Untyped() {
		t.Error("Untyped, though the types are known")
	}
	elements := map[string][]typeSet{"l": {typeBoolean, typeBoolean}, "pair": {typeInteger, typeNull, typeString}}
	for name, want := range elements {
		for i, want := range want {
			if got := s.Property(name).Element(i).allowed(); got != want {
				t.Errorf("element %d of %s: %v", i, name, got)
			}
		}
	}
	if s.Property("pair").Element(2) != nil {
		t.Error("something is said of what is beyond prefixItems")
	}
	if o, a := s.Property("both").AllowsContainer(); !o || !a {
		t.Errorf("both allows %v, %v", o, a)
	}
	if o, a := s.Property("a").AllowsContainer(); o || a || s.Property("a").AllowsString() {
		t.Errorf("a allows more than integers")
	}
}

func TestNilSchema(t *testing.T) {
	var s *Schema
	if s.Property("a") != nil || s.Declares("a") || s.Element(0) != nil || s.MayConvert("1") || !s.AllowsString() || !s.Untyped() || s.Closed() {
		t.Error("the nil schema knows more than it can")
	}
	if got, used := s.Convert("1"); got != `"1"` || used != 0 {
		t.Errorf("Convert = %s, %v", got, used)
	}
	if got, _ := s.Validate([]byte("[")); got != nil {
		t.Errorf("Validate = %v", got)
	}
	if got, used := s.Coerce([]byte(`["1"]`)); string(got) != `["1"]` || used != 0 {
		t.Errorf("Coerce = %s, %v", got, used)
	}
}
