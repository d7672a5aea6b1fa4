package manifest

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/toolparse/toolparse/internal/schema"
	"github.com/toolparse/toolparse/toolcall"
	"pgregory.net/rapid"
)

// oracle validates a value with another project's validator.
func oracle(schema, value json.RawMessage) error {
	var s jsonschema.Schema
	if err := json.Unmarshal(schema, &s); err != nil {
		return err
	}
	resolved, err := s.Resolve(nil)
	if err != nil {
		return err
	}
	var v any
	if err := json.Unmarshal(value, &v); err != nil {
		return err
	}
	return resolved.Validate(v)
}

// rawSchema is a schema as JSON, whose members are ordered by name.
type rawSchema map[string]any

// anyRules draws a schema with any keywords, which may contradict each other.
func anyRules(t *rapid.T, depth int) any {
	if depth <= 0 || rapid.IntRange(0, 19).Draw(t, "boolean") == 0 {
		return rapid.SampledFrom([]any{true, true, rawSchema{"type": "string"}, rawSchema{"type": "integer"}, false}).Draw(t, "leaf")
	}
	s := rawSchema{}
	if rapid.IntRange(0, 3).Draw(t, "typed") > 0 {
		s["type"] = rapid.SampledFrom([]any{"string", "integer", "number", "array", "object", "boolean", "null", []any{"string", "null"}, []any{"integer", "array"}}).Draw(t, "type")
	}
	for range rapid.IntRange(0, 3).Draw(t, "keywords") {
		rule(t, s, depth)
	}
	return s
}

// rule adds a keyword or two to a schema.
func rule(t *rapid.T, s rawSchema, depth int) {
	sub := func() any { return anyRules(t, depth-1) }
	count := func(most int) int { return rapid.IntRange(0, most).Draw(t, "count") }
	number := func() float64 {
		return rapid.SampledFrom([]float64{-7.5, -3, 0, 0.25, 0.5, 0.75, 1, 2, 3.7, 10, 1e6}).Draw(t, "number")
	}
	name := func() string { return rapid.SampledFrom([]string{"a", "b", "c", "x-y", "ab"}).Draw(t, "name") }
	names := func() []string {
		return rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "c"}), 0, 2).Draw(t, "names")
	}
	pattern := func() string {
		return rapid.SampledFrom([]string{"^[a-z]{2,4}$", "^x-", "[0-9]", "b", `^\d{3}-\d$`}).Draw(t, "pattern")
	}
	scalar := func() any {
		return rapid.SampledFrom([]any{"some a", "a", "", 1, 2.5, true, nil, []any{}, rawSchema{"a": 1}}).Draw(t, "scalar")
	}
	switch keyword := rapid.SampledFrom([]string{
		"const", "enum", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minLength", "maxLength",
		"pattern", "items", "prefixItems", "contains", "minContains", "maxContains", "minItems", "maxItems", "uniqueItems",
		"unevaluatedItems", "properties", "properties", "patternProperties", "additionalProperties", "propertyNames", "required",
		"minProperties", "maxProperties", "dependentRequired", "dependentSchemas", "unevaluatedProperties",
		"allOf", "anyOf", "oneOf", "not", "if", "$ref", "examples",
	}).Draw(t, "keyword"); keyword {
	case "const":
		s[keyword] = scalar()
	case "enum", "examples":
		s[keyword] = []any{scalar(), scalar()}
	case "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum":
		s[keyword] = number()
	case "multipleOf":
		s[keyword] = rapid.SampledFrom([]float64{2, 3, 0.5}).Draw(t, "step")
	case "minLength", "maxLength":
		s[keyword] = count(30)
	case "minContains", "maxContains", "minItems", "maxItems", "minProperties", "maxProperties":
		s[keyword] = count(4)
	case "uniqueItems":
		s[keyword] = true
	case "pattern":
		s[keyword] = pattern()
	case "prefixItems", "allOf", "anyOf", "oneOf":
		s[keyword] = []any{sub(), sub()}
	case "properties", "dependentSchemas":
		s[keyword] = rawSchema{name(): sub(), name(): sub()}
	case "patternProperties":
		s[keyword] = rawSchema{pattern(): sub()}
	case "required":
		s[keyword] = names()
	case "dependentRequired":
		s[keyword] = rawSchema{name(): names()}
	case "if":
		s["if"], s["then"], s["else"] = sub(), sub(), sub()
	case "$ref":
		s[keyword] = rapid.SampledFrom([]string{"#/$defs/tree", "#/$defs/short"}).Draw(t, "ref")
	default:
		s[keyword] = sub()
	}
}

// placed matches an error that names its tool and a path.
var placed = regexp.MustCompile(`^tool "t": .*at ("/|""|/)`)

// TestSamples checks with another validator that the examples for any schema fit it, or that
// the error names the tool and the place.
func TestSamples(t *testing.T) {
	made := 0
	rapid.Check(t, func(t *rapid.T) {
		s := rawSchema{"type": "object", "$defs": rawSchema{
			"tree":  rawSchema{"type": "object", "properties": rawSchema{"below": rawSchema{"$ref": "#/$defs/tree"}, "n": rawSchema{"type": "integer"}}},
			"short": rawSchema{"type": "string", "maxLength": 3},
		}}
		s["properties"] = rawSchema{"p": anyRules(t, 3), "q": anyRules(t, 2)}
		s["required"] = []string{"p"}
		if rapid.Bool().Draw(t, "rules") {
			rule(t, s, 2)
		}
		raw, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		calls, err := samples(raw)
		if err != nil {
			if !placed.MatchString(err.Error()) {
				t.Fatalf("%s: %v", raw, err)
			}
			return
		}
		for _, call := range calls {
			if strings.Contains(string(call.Arguments), `"..."`) {
				continue
			}
			made++
			if err := oracle(raw, call.Arguments); err != nil {
				t.Fatalf("%s\ndoes not fit\n%s\n%v", call.Arguments, raw, err)
			}
		}
	})
	if made == 0 && !testing.Short() { // too few draws
		t.Error("no sample was ever made")
	}
}

// samples returns the calls that a manifest shows of a tool with this schema.
func samples(schema json.RawMessage) ([]toolcall.ToolInvocation, error) {
	tools, err := newTools([]toolcall.ToolDefinition{{Name: "t", Parameters: schema}})
	if err != nil {
		return nil, err
	}
	anyway := func(...toolcall.ToolInvocation) (string, error) { return "", nil }
	if err := tools[0].sample(anyway); err != nil {
		return nil, err
	}
	if tools[0].why != nil {
		return nil, fmt.Errorf("tool %q: %w", tools[0].Name, tools[0].why)
	}
	tools[0].vary(anyway)
	if tools[0].loose && !strings.Contains(string(tools[0].full.Arguments), `"..."`) {
		return nil, fmt.Errorf("tool %q: no placeholder in %s", tools[0].Name, tools[0].full.Arguments)
	}
	return []toolcall.ToolInvocation{tools[0].full, tools[0].least, tools[0].other}, nil
}

// TestValidateOracle checks that our validator and another one agree on any schema and value.
func TestValidateOracle(t *testing.T) {
	values := []string{`"a"`, `"x-ab"`, `"some a"`, `""`, `1`, `-3`, `2.5`, `10`, `true`, `null`, `[]`, `["a",1]`, `[1,2,2]`, `{}`, `{"a":1}`, `{"a":"b","x-y":[1]}`, `{"a":1,"b":{"a":"abc"},"c":null}`}
	rapid.Check(t, func(t *rapid.T) {
		raw, err := json.Marshal(rawSchema{"allOf": []any{anyRules(t, 3)}, "$defs": rawSchema{
			"tree": rawSchema{"properties": rawSchema{"b": rawSchema{"$ref": "#/$defs/tree"}}}, "short": rawSchema{"maxLength": 3},
		}})
		if err != nil {
			t.Fatal(err)
		}
		s, err := schema.Compile(raw)
		if err != nil {
			t.Fatal(err)
		}
		for _, value := range values {
			problems, unchecked := s.Validate([]byte(value))
			if broken := oracle(raw, json.RawMessage(value)); (len(problems) == 0) != (broken == nil) || len(unchecked) > 0 {
				t.Fatalf("%s with %s: got %v, unchecked %v, but %v", raw, value, problems, unchecked, broken)
			}
		}
	})
}
