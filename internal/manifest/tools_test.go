package manifest

import (
	"encoding/json"
	"fmt"
	"math/big"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/toolparse/toolparse/internal/dialect"
	"github.com/toolparse/toolparse/internal/schema"
	"github.com/toolparse/toolparse/toolcall"
)

func TestInfer(t *testing.T) {
	type inner struct {
		Depth int `json:"depth,omitempty" jsonschema:"how deep"`
	}
	type args struct {
		Path  string   `json:"path" jsonschema:"where"`
		Tags  []string `json:"tags,omitempty"`
		Inner inner    `json:"inner"`
	}
	d, err := Infer[args]("walk", "Walk a tree.")
	if err != nil {
		t.Fatal(err)
	}
	root := Example{About: "the root", Arguments: json.RawMessage(`{"path":"/","inner":{"depth":1}}`)}
	m, err := New([]toolcall.ToolDefinition{d}, Options{Provider: "anthropic", Examples: map[string][]Example{"walk": {root}}})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`<arg name="path" type="string" description="where" required="true"/>`, `<arg name="depth" type="integer" description="how deep"/>`,
		"Example, the root:\n<tool name=\"walk\"><arguments><arg name=\"path\">/</arg><arg name=\"inner\"><arg name=\"depth\">1</arg></arg></arguments></tool>",
	} {
		if !strings.Contains(m.Text(), want) {
			t.Errorf("no %q in\n%s", want, m.Text())
		}
	}
	if _, err := Infer[func()]("f", ""); err == nil || !strings.Contains(err.Error(), `tool "f"`) {
		t.Errorf("a function is no object: %v", err)
	}
}

// TestInferObjects checks that only types with named members can be parameters.
func TestInferObjects(t *testing.T) {
	infer := map[string]func(name, description string) (toolcall.ToolDefinition, error){
		"struct": Infer[struct{}], "pointer": Infer[*struct{}], "map": Infer[map[string]int], "any": Infer[any],
		"int": Infer[int], "list": Infer[[]string], "*string": Infer[*string], "time.Time": Infer[time.Time],
	}
	for _, name := range []string{"struct", "pointer", "map", "any"} {
		if tool, err := infer[name]("f", ""); err != nil || strings.Contains(string(tool.Parameters), "null") {
			t.Errorf("%s: %s, error %v", name, tool.Parameters, err)
		}
	}
	for _, name := range []string{"int", "list", "*string", "time.Time"} {
		if _, err := infer[name]("f", ""); err == nil || !strings.Contains(err.Error(), "fields of a struct") {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

// TestInferTags checks that tags restrict the fields of a struct at every depth.
func TestInferTags(t *testing.T) {
	type inner struct {
		Depth int `json:"depth" default:"2" minimum:"1" maximum:"9"`
	}
	type args struct {
		Mode  string            `json:"mode" enum:"fast,slow" default:"fast"`
		Rate  float64           `json:"rate,omitempty" minimum:"0.5" enum:"0.5,1"`
		All   bool              `json:"all" default:"true"`
		Inner []inner           `json:"inner"`
		More  map[string]*inner `json:"more"`
		One   *float64          `json:"one,omitempty"`
		None  *float64          `json:"none"`
	}
	tool, err := Infer[args]("walk", "Walk a tree.")
	if err != nil {
		t.Fatal(err)
	}
	var got any
	if err := json.Unmarshal(tool.Parameters, &got); err != nil {
		t.Fatal(err)
	}
	depth := map[string]any{
		"type": "object", "additionalProperties": false,
		"properties": map[string]any{"depth": map[string]any{"type": "integer", "default": 2.0, "minimum": 1.0, "maximum": 9.0}},
	}
	orNull := map[string]any{"type": []any{"null", "object"}}
	for key, value := range depth {
		if key != "type" {
			orNull[key] = value
		}
	}
	want := map[string]any{
		"type": "object", "additionalProperties": false, "required": []any{"inner", "more", "none"},
		"properties": map[string]any{
			"mode":  map[string]any{"type": "string", "enum": []any{"fast", "slow"}, "default": "fast"},
			"rate":  map[string]any{"type": "number", "enum": []any{0.5, 1.0}, "minimum": 0.5},
			"all":   map[string]any{"type": "boolean", "default": true},
			"inner": map[string]any{"type": "array", "items": depth},
			"one":   map[string]any{"type": "number"},
			"none":  map[string]any{"type": []any{"null", "number"}},
			"more":  map[string]any{"type": "object", "additionalProperties": orNull},
		},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	type number struct {
		N int `json:"n" minimum:"one"`
	}
	type value struct {
		N int `json:"n" enum:"1,two"`
	}
	_, first := Infer[number]("f", "")
	_, second := Infer[value]("f", "")
	for _, err := range []error{first, second} {
		if err == nil || !strings.Contains(err.Error(), "field N") {
			t.Errorf("%v", err)
		}
	}
}

// TestBadInput checks that the error for something that cannot be taught names the tool and
// the place.
func TestBadInput(t *testing.T) {
	def := func(name, schema string) toolcall.ToolDefinition {
		return toolcall.ToolDefinition{Name: name, Parameters: json.RawMessage(schema)}
	}
	object := `{"type":"object","properties":{"a":{"type":"string"}}}`
	examples := map[string][]Example{
		"nested": {{Arguments: json.RawMessage(`{"a":{"b":1}}`)}},
		"shown":  {{Arguments: json.RawMessage(`{"a":1}`)}},
	}
	for _, test := range []struct {
		name     string
		def      toolcall.ToolDefinition
		provider string
		dialect  string
		want     []string
	}{
		{"no JSON", def("t", `{`), "", "xml", []string{`tool "t"`, "not valid JSON"}},
		{"no schema", def("t", `[]`), "", "xml", []string{`tool "t"`, "object or a boolean"}},
		{"inner", def("t", `{"properties":{"a":{"items":7}}}`), "", "xml", []string{`tool "t"`, "/properties/a/items"}},
		{"reference", def("t", `{"properties":{"a":{"$ref":"#/nowhere"}}}`), "", "hermes", []string{`tool "t"`, "/properties/a/$ref", "nowhere"}},
		{"circle", def("t", `{"$defs":{"a":{"$ref":"#/$defs/b"},"b":{"$ref":"#/$defs/a"}},"properties":{"x":{"$ref":"#/$defs/a"}}}`), "", "hermes", []string{`tool "t"`, "itself"}},
		{"endless", def("t", `{"type":"object","properties":{"n":{"$ref":"#"}},"required":["n"]}`), "", "hermes", []string{`tool "t"`, `"/n/n"`, "no finite value"}},
		{"no object", def("t", `{"type":"string"}`), "", "hermes", []string{`tool "t"`, "/type"}},
		{"blank", def("a b", object), "openai", "", []string{`tool "a b"`, "providers do not allow ' ' at byte 1"}},
		{"too long", def(strings.Repeat("x", 129), object), "openai", "", []string{"128"}},
		{"markup", def("a<b", object), "", "hermes", []string{`tool "a<b"`}},
		{"reserved", def("none", object), "", "hermes", []string{`tool "none"`, "reserved"}},
		{"keyword", def("import", object), "", "pythonic", []string{`tool "import"`, "name"}},
		{"own word", def("think", object), "", "morphxml", []string{`tool "think"`, "name"}},
		{"results", def("tool_response", object), "", "morphxml", []string{`tool "tool_response"`, "name", "<tool_response>", "would be a call"}},
		{"results", def("result", object), "", "yaml_xml", []string{`tool "result"`, "<result>"}},
		{"around tools", def("tools", object), "", "morphxml", []string{`tool "tools"`, "<tools>"}},
		{"type", def("t", `{"type":"objekt"}`), "", "hermes", []string{`tool "t"`, "at /type", `did you mean "object"?`}},
		{"bounds", def("t", `{"properties":{"a":{"minimum":5,"maximum":3}}}`), "", "hermes", []string{`tool "t"`, "at /properties/a/minimum", "minimum 5 and maximum 3"}},
		{"example's place", def("nested", `{"properties":{"a":{"properties":{"b":{"not":{}}}}}}`), "", "xml", []string{`tool "nested"`, "example 1", `"/a/b"`}},
		{"example", def("shown", object), "", "xml", []string{`tool "shown"`, "example 1"}},
		{"empty enum", def("t", `{"properties":{"a":{"enum":[]}}}`), "", "hermes", []string{`tool "t"`, "at /properties/a/enum"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			opts := Options{Provider: test.provider, Examples: examples}
			if test.dialect != "" {
				var err error
				if opts.Dialect, err = ForProvider("", test.dialect); err != nil {
					t.Fatal(err)
				}
			}
			good := []toolcall.ToolDefinition{{Name: "good"}}
			m, err := New(append(good, test.def), opts)
			if err == nil {
				t.Fatalf("it is accepted:\n%s", m.Text())
			}
			for _, want := range test.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("got %q, want %q in it", err, want)
				}
			}
		})
	}
}

// TestProviderNames checks that a provider's rule for names does not restrict a manifest for
// no provider, because its calls are text.
func TestProviderNames(t *testing.T) {
	for _, provider := range append(Providers(), "responses", "google", "") {
		for _, name := range []string{"file.write", "1st", "a:b", "ns/tool", strings.Repeat("x", 100)} {
			m, err := New([]toolcall.ToolDefinition{{Name: name}}, Options{Provider: provider})
			if err != nil {
				t.Errorf("%s: %v", provider, err)
			} else if !strings.Contains(m.Text(), name) {
				t.Errorf("%s: no %s in\n%s", provider, name, m.Text())
			}
		}
	}
}

// TestNames checks that a manifest accepts exactly the names that can be written in its
// dialect and read back, and one for a provider only those that providers accept.
func TestNames(t *testing.T) {
	schema := json.RawMessage(`{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"integer"}},"required":["a"]}`)
	taken := map[string]int{}
	for _, name := range []string{"two words", "größe", "天気", "a(b", "a.b", "</tools>", "<tool_call>", "a\nb", "1st"} {
		for _, d := range dialect.All() {
			if d.Head.Form == "" {
				continue
			}
			def := toolcall.ToolDefinition{Name: name, Parameters: schema}
			if d.Args.Param != "" { // its calls are one text
				def.Parameters = json.RawMessage(`{"type":"object","properties":{"` + d.Args.Param + `":{"type":"string"}}}`)
			}
			m, err := New([]toolcall.ToolDefinition{def}, Options{Dialect: d, Style: StyleTeach})
			if err != nil {
				if !strings.Contains(err.Error(), "name: ") && !strings.Contains(err.Error(), "cannot express a call") {
					t.Errorf("%s, %q: %v", d.Name, name, err)
				}
				continue
			}
			taken[name]++
			text := m.Text()
			if names, _ := read(t, d, []toolcall.ToolDefinition{def}, text[strings.LastIndex(text, "To call a tool"):]); len(names) == 0 || names[0] != name {
				t.Errorf("%s: calls of %q are read as %q in\n%s", d.Name, name, names, text)
			}
		}
		if _, err := New([]toolcall.ToolDefinition{{Name: name}}, Options{Provider: "gemini"}); (err == nil) != (name == "a.b" || name == "1st") {
			t.Errorf("gemini, %q: %v", name, err)
		}
	}
	for name, least := range map[string]int{"two words": 80, "größe": 88, "天気": 88, "a.b": 88, "1st": 75, "a(b": 40} {
		if taken[name] < least {
			t.Errorf("%q is accepted by %d dialects, not %d", name, taken[name], least)
		}
	}
	for _, name := range []string{"</tools>", "<tool_call>", "a\nb"} {
		if taken[name] > 0 {
			t.Errorf("%q is accepted by %d dialects", name, taken[name])
		}
	}
}

// TestEmptyParameterName checks that a parameter with an empty name is reported if the dialect
// cannot write it, and that its tool can still be called if the parameter is optional.
func TestEmptyParameterName(t *testing.T) {
	d, err := ForProvider("", "morphxml")
	if err != nil {
		t.Fatal(err)
	}
	for schema, want := range map[string]string{
		`{"type":"object","properties":{"":{"type":"string"},"a":{"type":"string"}},"required":["a"]}`:                                       `tool "f": at /properties/: morphxml cannot express`,
		`{"type":"object","properties":{"":{"type":"string"},"a":{"type":"string"}},"required":[""]}`:                                        `tool "f": the dialect cannot express a call of it`,
		`{"type":"object","properties":{"a":{"properties":{"":{"type":"string"},"b":{"type":"string"}},"required":["b"]}},"required":["a"]}`: `tool "f": at /properties/a/properties/: morphxml cannot express`,
	} {
		m, err := New([]toolcall.ToolDefinition{{Name: "f", Parameters: json.RawMessage(schema)}, {Name: "g"}}, Options{Dialect: d})
		if err != nil {
			t.Fatalf("%s: %v", schema, err)
		}
		if got := m.Uncallable(); len(got) != 1 || !strings.HasPrefix(got[0].Error(), want) {
			t.Errorf("%s: got %v, want %s", schema, got, want)
		}
	}
}

// TestHostileSchemas checks that references that multiply soon lead to an error or a manifest.
func TestHostileSchemas(t *testing.T) {
	defs := ""
	for i := range 60 {
		defs += fmt.Sprintf(`"d%d":{"type":"object","properties":{"a":{"$ref":"#/$defs/d%d"},"b":{"$ref":"#/$defs/d%d"}},"required":["a","b"]},`, i, i+1, i+1)
	}
	defs += `"d60":{"type":"string"}`
	all := strings.ReplaceAll(defs, `"type":"object","properties":{"a":`, `"allOf":[`)
	all = strings.ReplaceAll(strings.ReplaceAll(all, `,"b":`, `,`), `},"required":["a","b"]}`, `]}`)
	for name, s := range map[string]string{
		"members": `{"type":"object","properties":{"x":{"$ref":"#/$defs/d0"}},"required":["x"],"$defs":{` + defs + `}}`,
		"allOf":   `{"type":"object","properties":{"x":{"$ref":"#/$defs/d0"}},"required":["x"],"$defs":{` + all + `}}`,
		"items":   `{"type":"object","properties":{"x":{"type":"array","minItems":2000000000}},"required":["x"]}`,
		"length":  `{"type":"object","properties":{"x":{"type":"string","minLength":2000000000}},"required":["x"]}`,
		"pattern": `{"type":"object","properties":{"x":{"type":"string","pattern":"^((a{1000}){1000}){1000}$"}},"required":["x"]}`,
		"number":  `{"type":"object","properties":{"x":{"type":"number","minimum":1e308,"multipleOf":1e-300}},"required":["x"]}`,
	} {
		for _, dialect := range []string{"xml", "hermes", "openai"} {
			t.Run(name+"/"+dialect, func(t *testing.T) {
				d, err := ForProvider("", dialect)
				if err != nil {
					t.Fatal(err)
				}
				m, err := New([]toolcall.ToolDefinition{{Name: "t", Parameters: json.RawMessage(s)}}, Options{Dialect: d})
				if err != nil && !strings.Contains(err.Error(), `tool "t"`) {
					t.Error(err)
				}
				if err == nil && len(m.Text()) > 200<<10 {
					t.Errorf("%d bytes", len(m.Text()))
				}
			})
		}
	}
}

// A named type that reads itself from text.
type level int

func (l *level) UnmarshalText(text []byte) error {
	_, err := fmt.Sscanf(string(text), "L%d", l)
	return err
}

// A type that reads itself from any JSON.
type freeForm struct{ raw string }

func (a *freeForm) UnmarshalJSON(text []byte) error {
	a.raw = string(text)
	return nil
}

// The schema of a field accepts what encoding/json does.
func TestInferOwnForms(t *testing.T) {
	type args struct {
		Quoted  int              `json:"quoted,string"`
		Flag    *bool            `json:"flag,string,omitempty"`
		Big     *big.Int         `json:"big"`
		Raw     json.RawMessage  `json:"raw"`
		Pointer *json.RawMessage `json:"pointer"`
		Address netip.Addr       `json:"address"`
		Level   level            `json:"level"`
		Any     freeForm         `json:"any"`
		Bytes   []byte           `json:"bytes"`
		Keys    map[int]string   `json:"keys"`
		Deep    []map[uint8]struct {
			Level level `json:"level"`
		} `json:"deep"`
		Number json.Number `json:"number"`
		At     time.Time   `json:"at"`
	}
	d, err := Infer[args]("f", "")
	if err != nil {
		t.Fatal(err)
	}
	s, err := schema.Compile(d.Parameters)
	if err != nil {
		t.Fatal(err)
	}
	good := map[string]string{
		"quoted": `"5"`, "flag": `"true"`, "big": "5", "raw": `{"a":1}`, "pointer": "[1]", "address": `"10.0.0.1"`, "level": `"L3"`,
		"any": "[true]", "bytes": `"aGk="`, "keys": `{"-1":"x"}`, "deep": `[{"1":{"level":"L1"}}]`, "number": "5", "at": `"2026-01-02T03:04:05Z"`,
	}
	bad := map[string]string{
		"quoted": "5", "flag": "true", "big": `"5"`, "address": "{}", "level": "3", "bytes": "[1]", "keys": `{"a":"x"}`,
		"deep": `[{"1":{"level":1}}]`, "number": `"x"`, "at": "5",
	}
	object := func(replace, with string) string {
		var members []string
		for name, value := range good {
			if name == replace {
				value = with
			}
			members = append(members, fmt.Sprintf("%q:%s", name, value))
		}
		return "{" + strings.Join(members, ",") + "}"
	}
	check := func(text string) []toolcall.Problem {
		problems, _ := s.Validate([]byte(text))
		return problems
	}
	if problems := check(object("", "")); len(problems) > 0 {
		t.Errorf("%v\n%s", problems, d.Parameters)
	}
	var got args
	if err := json.Unmarshal([]byte(object("", "")), &got); err != nil {
		t.Error(err)
	}
	for name, value := range bad {
		if len(check(object(name, value))) == 0 {
			t.Errorf("%s: the schema accepts %s", name, value)
		}
		if err := json.Unmarshal([]byte(object(name, value)), &got); err == nil && name != "bytes" {
			t.Errorf("%s: encoding/json accepts %s", name, value)
		}
	}
}

// A string in quotes within quotes is an error that names the field.
func TestInferTwiceQuoted(t *testing.T) {
	_, err := Infer[struct {
		Name string `json:"name,string"`
	}]("f", "")
	if err == nil || !strings.Contains(err.Error(), "field Name") {
		t.Error(err)
	}
}
