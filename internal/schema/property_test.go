package schema

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/toolparse/toolparse/internal/jsonvalue"
	"github.com/toolparse/toolparse/toolcall"
	"pgregory.net/rapid"
)

// genSchema makes schemas of every keyword, of at most the given depth.
func genSchema(depth int) *rapid.Generator[map[string]any] {
	return rapid.Custom(func(t *rapid.T) map[string]any {
		s := map[string]any{}
		has := func(keyword string) bool { return rapid.IntRange(0, 3).Draw(t, keyword) == 0 }
		if rapid.Bool().Draw(t, "typed") {
			names := rapid.SliceOfNDistinct(rapid.SampledFrom(typeNames[:]), 1, 3, rapid.ID[string]).Draw(t, "type")
			s["type"] = names
			if len(names) == 1 {
				s["type"] = names[0]
			}
		}
		if has("nullable") {
			s["nullable"] = true
		}
		if has("enum") {
			s["enum"] = rapid.SliceOfN(genValue(1), 0, 3).Draw(t, "members")
		}
		if has("bounds") {
			s["minimum"], s["exclusiveMaximum"], s["multipleOf"] = 0, 100, 0.5
			s["minLength"], s["maxLength"], s["pattern"] = 1, 5, "^[a-z0-9]*$"
			s["minItems"], s["maxItems"], s["uniqueItems"] = 1, 2, true
		}
		if depth == 0 {
			return s
		}
		sub := genSchema(depth - 1)
		if has("ref") {
			s["$ref"] = "#/$defs/d"
		}
		for _, keyword := range []string{"anyOf", "oneOf", "allOf", "prefixItems"} {
			if has(keyword) {
				s[keyword] = rapid.SliceOfN(sub, 1, 2).Draw(t, keyword+" list")
			}
		}
		for _, keyword := range []string{"properties", "patternProperties"} {
			if has(keyword) {
				s[keyword] = rapid.MapOfN(rapid.SampledFrom([]string{"a", "b", "c"}), sub, 0, 2).Draw(t, keyword+" map")
				s["required"] = []string{"a"}
			}
		}
		for _, keyword := range []string{"items", "additionalProperties"} {
			if has(keyword) {
				s[keyword] = sub.Draw(t, keyword+" schema")
			}
		}
		return s
	})
}

// genValue makes JSON values.
func genValue(depth int) *rapid.Generator[any] {
	return rapid.Custom(func(t *rapid.T) any {
		kinds := 5
		if depth > 0 {
			kinds = 7
		}
		switch rapid.IntRange(0, kinds-1).Draw(t, "kind") {
		case 0:
			return nil
		case 1:
			return rapid.Bool().Draw(t, "boolean")
		case 2:
			return rapid.IntRange(-3, 3).Draw(t, "integer")
		case 3:
			return json.Number(numbers.Draw(t, "number"))
		case 4:
			return texts.Draw(t, "string")
		case 5:
			return rapid.SliceOfN(genValue(depth-1), 0, 3).Draw(t, "array")
		}
		return rapid.MapOfN(rapid.SampledFrom([]string{"a", "b", "c"}), genValue(depth-1), 0, 3).Draw(t, "object")
	})
}

// numbers are JSON numbers of moderate exponents.
var numbers = rapid.StringMatching(`-?(0|[1-9][0-9]{0,6})(\.[0-9]{1,4})?([eE][+-]?[0-9]{1,2})?`)

// texts are what a tag dialect may have between its tags: much of it nearly JSON.
var texts = rapid.OneOf(
	numbers,
	rapid.StringMatching(`[ \n]{0,2}(true|FALSE|null|None|NaN|0|1|-|\{|\[|abc)[ \n]{0,2}`),
	rapid.Map(rapid.SliceOfN(rapid.SampledFrom([]string{
		`{`, `}`, `[`, `]`, `,`, `:`, ` `, "\n", `"a"`, `'b'`, `c`, `1`, `-2.5`, `true`, `None`, `\`, "\xff", "é", "\x00",
	}), 0, 8), func(parts []string) string { return strings.Join(parts, "") }),
	rapid.Map(genValueShallow, func(v any) string { return marshal(v) }),
	rapid.String(),
)

var genValueShallow = rapid.OneOf(
	rapid.Just[any](map[string]any{"a": 1}), rapid.Just[any]([]any{"x", 1.5}), rapid.Just[any](map[string]any{}), rapid.Just[any]([]any{}))

func marshal(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err) // generated values all can be marshalled
	}
	return string(b)
}

// drawSchema makes a whole document with a definition that may be recursive.
// Of those that refer to themselves in place it keeps none.
func drawSchema(t *rapid.T) *Schema {
	root := genSchema(2).Draw(t, "schema")
	root["$defs"] = map[string]any{"d": genSchema(1).Draw(t, "definition")}
	s, err := Compile(json.RawMessage(marshal(root)))
	if err != nil {
		t.Skip(err)
	}
	return s
}

func TestConvertAgreesWithMayConvert(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		checkConvert(t, drawSchema(t), texts.Draw(t, "text"))
	})
}

// checkConvert checks that what Convert makes of text is JSON of a type that
// is allowed, and that MayConvert foretells it.
func checkConvert(t interface{ Errorf(string, ...any) }, s *Schema, text string) {
	got, used := s.Convert(text)
	v, err := jsonvalue.Parse(got)
	if err != nil {
		t.Errorf("Convert(%q) = %q: %v", text, got, err)
		return
	}
	unconverted := used&toolcall.UnconvertedValue != 0
	if fits := s.allowed().fits(typeOf(v)); fits == unconverted {
		t.Errorf("Convert(%q) = %s (%v), of a type that is allowed: %v", text, got, used, fits)
	}
	if v.Is(jsonvalue.String) && got != jsonvalue.Quote(text) {
		t.Errorf("Convert(%q) = %s, want the text itself", text, got)
	}
	may := true
	for n := 0; n <= len(text); n++ {
		if n > 64 && n < len(text)-64 {
			continue
		}
		switch now := s.MayConvert(text[:n]); {
		case !now && !v.Is(jsonvalue.String):
			t.Errorf("MayConvert(%q) is false, but Convert(%q) = %s", text[:n], text, got)
			return
		case now && !may:
			t.Errorf("MayConvert(%q) is true again", text[:n])
			return
		default:
			may = now
		}
	}
	if !may && unconverted == s.AllowsString() {
		t.Errorf("Convert(%q): %v, but strings are allowed: %v", text, used, s.AllowsString())
	}
}

func TestValidateAnything(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		checkValidate(t, drawSchema(t), []byte(marshal(genValue(3).Draw(t, "document"))))
	})
}

// checkValidate checks that Validate gives the same answer twice, within its
// bounds, and that Coerce keeps the document JSON and makes it no worse.
func checkValidate(t interface{ Errorf(string, ...any) }, s *Schema, doc []byte) {
	problems, unchecked := s.Validate(doc)
	if again, also := s.Validate(doc); fmt.Sprint(problems, unchecked) != fmt.Sprint(again, also) {
		t.Errorf("Validate(%s) gives %v, then %v", doc, problems, again)
	}
	if len(problems) > maxProblems+1 {
		t.Errorf("%d problems", len(problems))
	}
	for _, p := range problems {
		if p.Rule == "" || p.Message == "" {
			t.Errorf("Validate(%s): empty problem %+v", doc, p)
		}
	}
	coerced, used := s.Coerce(doc)
	if json.Valid(doc) && !json.Valid(coerced) {
		t.Errorf("Coerce(%s) = %s", doc, coerced)
	}
	if (used == 0) != (string(coerced) == string(doc)) {
		t.Errorf("Coerce(%s) = %s (%v)", doc, coerced, used)
	}
	if len(problems) == 0 && used != 0 {
		t.Errorf("Coerce(%s) = %s (%v), though it was valid", doc, coerced, used)
	}
}

// TestValidateFindsNothingInWhatFits converts text to a value of the types
// that a schema allows, which it then must accept.
func TestValidateFindsNothingInWhatFits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		types := rapid.SliceOfNDistinct(rapid.SampledFrom(typeNames[:]), 1, 4, rapid.ID[string]).Draw(t, "types")
		s, err := Compile(json.RawMessage(marshal(map[string]any{"type": types})))
		if err != nil {
			t.Fatal(err)
		}
		value, used := s.Convert(texts.Draw(t, "text"))
		problems, _ := s.Validate([]byte(value))
		if wrong := used&toolcall.UnconvertedValue != 0; wrong != (len(problems) > 0) {
			t.Errorf("%s (%v): %v", value, used, problems)
		}
	})
}
