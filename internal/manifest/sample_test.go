package manifest

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/dialect"
	"github.com/toolparse/toolparse/toolcall"
)

// required returns the schema of a tool with one required parameter, a.
func required(schema string) json.RawMessage {
	return json.RawMessage(`{"type":"object","properties":{"a":` + schema + `},"required":["a"]}`)
}

// TestSampled checks the value for each keyword for which the usual value does not fit.
func TestSampled(t *testing.T) {
	for _, test := range []struct{ schema, want string }{
		{`{"not":{"type":"string"}}`, `1`},
		{`{"type":"string","not":{"const":"some a"}}`, `"another a"`},
		{`{"type":"string","not":{"maxLength":10}}`, `"2026-05-17T09:30:00Z"`},
		{`{"type":"string","pattern":"^[a-z]{2,4}$"}`, `"abc"`},
		{`{"type":"string","pattern":"^\\d{4}-\\d{2}-\\d{2}$"}`, `"2026-05-17"`},
		{`{"type":"string","default":"ten","examples":["nine"]}`, `"nine"`},
		{`{"type":"string","maxLength":3}`, `"som"`},
		{`{"type":"string","pattern":"^(a)\\1$","default":"aa"}`, `"aa"`},
		{`{"type":"array","contains":{"const":7}}`, `[7, "another a"]`},
		{`{"type":"array","items":{"type":"integer"},"contains":{"minimum":50},"minItems":3}`, `[50, 2, 3]`},
		{`{"type":"array","uniqueItems":true,"items":{"enum":["a"]}}`, `["a"]`},
		{`{"type":"array","uniqueItems":true,"items":{"type":"null"}}`, `[null]`},
		{`{"type":"array","uniqueItems":true,"items":{"minimum":3,"maximum":3,"type":"integer"}}`, `[3]`},
		{`{"type":"array","uniqueItems":true,"minItems":5,"items":{"type":"string"}}`, `["some a", "another a", "one more a", "A", "ABC"]`},
		{`{"type":"array","uniqueItems":true,"minItems":3,"items":{"type":"integer","maximum":-4}}`, `[-4, -5, -6]`},
		{`{"type":"array","uniqueItems":true,"minItems":3,"items":{"type":"integer","minimum":4,"maximum":6}}`, `[4, 5, 6]`},
		{`{"type":"array","minItems":2,"items":{"type":"integer","minimum":-32,"maximum":-32}}`, `[-32, -32]`},
		{`{"type":"array","prefixItems":[{"type":"integer"}],"items":false}`, `[1]`},
		{`{"type":"object","minProperties":1,"patternProperties":{"^x-[a-z]+$":{"type":"integer"}}}`, `{"key": "some key"}`},
		{`{"properties":{}}`, `{"key": "some key"}`},
		{`{"additionalProperties":true}`, `{"key": "some key"}`},
		{`{"items":[]}`, `["some a", "another a"]`},
		{`{"type":"object","propertyNames":{"pattern":"^[a-z]$"}}`, `{}`},
		{`{"type":"object","properties":{"x":{"const":1},"y":{"const":2}},"required":["x"],"dependentRequired":{"x":["y"]}}`, `{"x": 1, "y": 2}`},
		{`{"type":"object","properties":{"x":{"const":1},"y":{"type":"string"}},"required":["x"],"dependentSchemas":{"x":{"required":["y"]}}}`, `{"x": 1, "y": "some y"}`},
		{`{"type":"object","allOf":[{"properties":{"x":{"type":"integer"}}},{"properties":{"x":{"minimum":9}},"required":["x"]}]}`, `{"x": 9}`},
		{`{"oneOf":[{"type":"integer"},{"type":"number"}]}`, `1.5`},
		{`{"type":"number","minimum":0.5,"maximum":0.75}`, `0.625`},
		{`{"allOf":[{"type":"integer","multipleOf":4},{"exclusiveMinimum":12}]}`, `16`},
		{`{"type":"number","multipleOf":0.5,"minimum":100.2}`, `100.5`},
		{`{"type":"integer","minimum":9007199254740993}`, `9007199254740993`},
		{`{"type":"integer","minimum":9007199254740993,"maximum":9007199254740993}`, `9007199254740993`},
		{`{"type":"INTEGER","minimum":"7"}`, `7`},
	} {
		calls, err := samples(required(test.schema))
		if err != nil {
			t.Errorf("%s: %v", test.schema, err)
			continue
		}
		if got, want := string(calls[1].Arguments), `{"a": `+test.want+`}`; got != want {
			t.Errorf("%s: got %s, want %s", test.schema, got, want)
		}
	}
}

// TestNotSampled checks that the error says where no value is known to fit, and what helps,
// and that an optional part is left out instead. A placeholder replaces a text whose pattern
// no known text matches.
func TestNotSampled(t *testing.T) {
	for _, test := range []struct{ schema, want string }{
		{`{"type":"integer","minimum":0.2,"maximum":0.8}`, "found no value"},
		{`false`, "found no value"},
		{`{"not":{"$ref":"#/properties/a"}}`, "found no value"},
		{`{"type":"array","minItems":1000}`, "found no value"},
	} {
		_, err := samples(required(test.schema))
		if err == nil || !strings.HasPrefix(err.Error(), `tool "t": at "/a": `) || !strings.Contains(err.Error(), test.want) || !strings.Contains(err.Error(), "Options.Examples") {
			t.Errorf("%s: got %v, want %q", test.schema, err, test.want)
		}
		optional := `{"type":"object","properties":{"a":` + test.schema + `,"b":{"type":"integer"}},"required":["b"]}`
		if calls, err := samples(json.RawMessage(optional)); err != nil || string(calls[0].Arguments) != `{"b": 1}` {
			t.Errorf("%s: got %v, %v", optional, calls, err)
		}
	}
	for _, pattern := range []string{`^([0-9])\\1[a-z]{4,}$`, `^q{7}$`} {
		calls, err := samples(required(`{"type":"string","pattern":"` + pattern + `"}`))
		if err != nil || string(calls[0].Arguments) != `{"a": "..."}` {
			t.Errorf("%s: got %v, %v", pattern, calls, err)
		}
	}
}

// TestBorrowed checks that the examples of a definition replace those that cannot be made.
func TestBorrowed(t *testing.T) {
	d := toolcall.ToolDefinition{Name: "t", Parameters: required(`{"type":"string","pattern":"^(a|b)\\1$"}`)}
	hermes, err := ForProvider("", "hermes")
	if err != nil {
		t.Fatal(err)
	}
	if m, err := New([]toolcall.ToolDefinition{d}, Options{Dialect: hermes, Style: StyleTeach}); err != nil || !strings.Contains(m.Text(), `"a": "..."`) {
		t.Errorf("%v", err)
	}
	own := map[string][]Example{"t": {{Arguments: json.RawMessage(`{"a":"aa"}`)}, {Arguments: json.RawMessage(`{"a":"bb"}`)}}}
	m, err := New([]toolcall.ToolDefinition{d}, Options{Dialect: hermes, Style: StyleTeach, Examples: own})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"a": "aa"`, `"a": "bb"`} {
		if strings.Count(strings.ReplaceAll(m.Text(), `"a":"`, `"a": "`), want) < 2 {
			t.Errorf("no %s among the calls of\n%s", want, m.Text())
		}
	}
}

// TestUnwritable checks that a parameter that a dialect cannot write is not left out if an
// object needs it.
func TestUnwritable(t *testing.T) {
	gemma, err := ForProvider("", "gemma4")
	if err != nil {
		t.Fatal(err)
	}
	d := toolcall.ToolDefinition{Name: "t", Parameters: json.RawMessage(`{"type":"object","properties":{"a:b":{"type":"string"}},"minProperties":1}`)}
	if m, err := New([]toolcall.ToolDefinition{d}, Options{Dialect: gemma, Style: StyleTeach}); err == nil {
		t.Errorf("it is accepted:\n%s", m.Text())
	}
	d.Parameters = json.RawMessage(`{"type":"object","properties":{"größe":{"type":"integer"}},"required":["größe"]}`)
	if m, err := New([]toolcall.ToolDefinition{d}, Options{Dialect: gemma, Style: StyleTeach}); err != nil || !strings.Contains(m.Text(), "{größe:1}") {
		t.Errorf("%v\n%s", err, m.Text())
	}
}

func TestUnknownChoice(t *testing.T) {
	_, err := New([]toolcall.ToolDefinition{{Name: "t"}}, Options{Choice: chat.ToolChoice{Mode: 99}})
	if err == nil || !strings.Contains(err.Error(), "tool choice: unknown mode 99") {
		t.Errorf("got %v", err)
	}
}

// TestWithoutSchema checks that the arguments in examples are an object even if the schema
// leaves their type open.
func TestWithoutSchema(t *testing.T) {
	dialects, err := dialect.Named("hermes", "")
	if err != nil {
		t.Fatal(err)
	}
	for schema, want := range map[string]string{
		"":                               "{}",
		"null":                           "{}",
		"true":                           "{}",
		"{}":                             "{}",
		`{"additionalProperties":false}`: "{}",
		`{"description":"None."}`:        "{}",
		`{"type":"object"}`:              "{}",
		`{"type":["object","null"]}`:     "{}",
		`{"properties":{"n":{"type":"integer"}},"required":["n"]}`: `{"n": 1}`,
	} {
		m, err := New([]toolcall.ToolDefinition{{Name: "ping", Parameters: json.RawMessage(schema)}}, Options{Dialect: dialects[0], Style: StyleTeach})
		if err != nil {
			t.Errorf("%s: %v", schema, err)
			continue
		}
		if call := `{"name": "ping", "arguments": ` + want + `}`; !strings.Contains(m.Text(), call) {
			t.Errorf("%s: there is no %s in\n%s", schema, call, m.Text())
		}
	}
}

// TestSampleWord checks that a value is a likely one of a common parameter, or else says which
// parameter it is.
func TestSampleWord(t *testing.T) {
	for name, want := range map[string]string{
		"path": "a.txt", "name": "Ann", "city": "Oslo", "project path": "some project path", "tool_name": "some tool name", "owner": "some owner", "<x>": "some x", "": "some text",
	} {
		if got := sampleWord(name, 0); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}
