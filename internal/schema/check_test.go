package schema

import (
	"encoding/json"
	"errors"
	"testing"

	"pgregory.net/rapid"
)

func TestCheck(t *testing.T) {
	for _, test := range []struct {
		schema string
		path   string
		why    error
	}{
		{`7`, "", ErrNotASchema},
		{`{"type":"objekt"}`, "/type", ErrType},
		{`{"properties":{"a":{"type":["string","strng"]}}}`, "/properties/a/type/1", ErrType},
		{`{"type":[]}`, "/type", ErrKeyword},
		{`{"type":7}`, "/type", ErrKeyword},
		{`{"enum":[]}`, "/enum", ErrUnsatisfiable},
		{`{"enum":"a"}`, "/enum", ErrKeyword},
		{`{"pattern":"(["}`, "/pattern", ErrValue},
		{`{"pattern":5}`, "/pattern", ErrKeyword},
		{`{"patternProperties":{"*a":{}}}`, "/patternProperties/*a", ErrValue},
		{`{"minimum":"x"}`, "/minimum", ErrKeyword},
		{`{"exclusiveMaximum":"x"}`, "/exclusiveMaximum", ErrKeyword},
		{`{"minLength":-1}`, "/minLength", ErrValue},
		{`{"maxItems":1.5}`, "/maxItems", ErrValue},
		{`{"maxProperties":{}}`, "/maxProperties", ErrKeyword},
		{`{"multipleOf":0}`, "/multipleOf", ErrValue},
		{`{"multipleOf":-2}`, "/multipleOf", ErrValue},
		{`{"minimum":5,"maximum":3}`, "/minimum", ErrUnsatisfiable},
		{`{"exclusiveMinimum":3,"maximum":3}`, "/exclusiveMinimum", ErrUnsatisfiable},
		{`{"minimum":3,"exclusiveMinimum":true,"maximum":3}`, "/exclusiveMinimum", ErrUnsatisfiable},
		{`{"minimum":9007199254740993,"maximum":9007199254740992}`, "/minimum", ErrUnsatisfiable},
		{`{"minLength":5,"maxLength":3}`, "/minLength", ErrUnsatisfiable},
		{`{"minItems":5,"maxItems":3}`, "/minItems", ErrUnsatisfiable},
		{`{"items":[{"type":"x"}]}`, "/items/0/type", ErrType},
		{`{"items":7}`, "/items", ErrNotASchema},
		{`{"prefixItems":{}}`, "/prefixItems", ErrKeyword},
		{`{"uniqueItems":"yes"}`, "/uniqueItems", ErrKeyword},
		{`{"required":["a",1]}`, "/required/1", ErrKeyword},
		{`{"properties":[]}`, "/properties", ErrKeyword},
		{`{"dependentRequired":{"a":"b"}}`, "/dependentRequired/a", ErrKeyword},
		{`{"dependencies":{"a":7}}`, "/dependencies/a", ErrNotASchema},
		{`{"anyOf":[]}`, "/anyOf", ErrKeyword},
		{`{"not":{"if":{"then":{"type":"x"}}}}`, "/not/if/then/type", ErrType},
		{`{"$defs":{"a/b":{"type":"x"}}}`, "/$defs/a~1b/type", ErrType},
		{`{"description":5}`, "/description", ErrKeyword},
		{`{"examples":"a"}`, "/examples", ErrKeyword},
	} {
		err := Check(json.RawMessage(test.schema))
		fault, ok := errors.AsType[*Error](err)
		if !ok || fault.Path != test.path || !errors.Is(err, test.why) {
			t.Errorf("%s: got %v, want %v at %q", test.schema, err, test.why, test.path)
		}
	}
}

// TestCheckAllows: what other drafts and providers write is no fault.
func TestCheckAllows(t *testing.T) {
	for _, schema := range []string{
		``, `null`, `true`, `{"not":false}`, `{"type":["STRING","null"]}`, `{"type":"any"}`, `{"type":"TYPE_UNSPECIFIED"}`, `{"type":"dict"}`,
		`{"minLength":"5","maximum":"7"}`, `{"minimum":1,"exclusiveMinimum":true}`, `{"type":null,"enum":null,"items":null}`,
		`{"properties":{"a":{"required":true}}}`, `{"items":[{},true],"additionalItems":false}`, `{"items":[]}`,
		`{"const":{"type":"objekt"},"default":{"minimum":"x"},"x-mine":{"pattern":"(["}}`, `{"minItems":2.0}`,
		`{"pattern":"^(?=.*[0-9])[a-z0-9]{4,}$"}`, `{"pattern":"^(a)\\1$"}`, `{"pattern":"(?<!a)b"}`, `{"pattern":"[^]"}`,
		`{"pattern":"a{2000}"}`, `{"pattern":"\\u00e9(?!x)"}`, `{"pattern":"(?<year>\\d{4})\\k<year>"}`, `{"pattern":"\\p{Script=Greek}"}`,
		`{"pattern":"(?=a+?)a{1,}?b*?"}`, `{"pattern":"[(*](?=x)"}`, `{"pattern":"[\\s-.][a-\\d]"}`,
	} {
		if err := Check(json.RawMessage(schema)); err != nil {
			t.Errorf("%s: %v", schema, err)
		}
	}
}

func TestPatternFault(t *testing.T) {
	for _, pattern := range []string{"([", "(", ")", "a)(?=b", "*", "(*a)", "a|+b", "(?=", `a\`, "[a", "(?=x)[", "[z-a]", "^(?=[z-a])", "{2}", "a++"} {
		if patternFault(pattern) == nil {
			t.Errorf("%q is taken", pattern)
		}
	}
}

// TestCheckHostile: any JSON is judged, and never panics; what Check allows, Compile
// reads, references aside.
func TestCheckHostile(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		raw := anyKeywords(t, 3)
		doc, err := json.Marshal(raw)
		if err != nil {
			t.Fatal(err)
		}
		if Check(doc) != nil {
			return
		}
		if _, err := Compile(doc); err != nil && !errors.Is(err, ErrReference) && !errors.Is(err, ErrCircle) {
			t.Fatalf("%s: %v", doc, err)
		}
	})
}

// anyKeywords draws a schema whose keywords have mostly right values.
func anyKeywords(t *rapid.T, depth int) any {
	scalar := rapid.SampledFrom([]any{nil, true, false, -1, 0, 2, 3.5, "string", "objekt", "([", "#", "a", []any{}, []any{"a"}, map[string]any{}})
	if depth == 0 {
		return scalar.Draw(t, "scalar")
	}
	schema := map[string]any{}
	for range rapid.IntRange(0, 3).Draw(t, "keywords") {
		keyword := rapid.SampledFrom([]string{
			"type", "enum", "minimum", "maximum", "multipleOf", "minLength", "maxLength", "pattern", "items", "prefixItems",
			"properties", "patternProperties", "required", "dependencies", "allOf", "anyOf", "not", "if", "$ref", "nullable",
		}).Draw(t, "keyword")
		switch rapid.IntRange(0, 3).Draw(t, "kind") {
		case 0:
			schema[keyword] = anyKeywords(t, depth-1)
		case 1:
			schema[keyword] = []any{anyKeywords(t, depth-1)}
		case 2:
			schema[keyword] = map[string]any{"a": anyKeywords(t, depth-1)}
		default:
			schema[keyword] = scalar.Draw(t, "value")
		}
	}
	return schema
}
