package toolfile_test

import (
	"encoding/json"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/toolfile"
	"github.com/toolparse/toolparse/internal/wire"
	"github.com/toolparse/toolparse/toolcall"
)

const (
	params  = `{"type":"object","properties":{"city":{"type":"string"}},"required":["city"]}`
	openai  = `{"type":"function","function":{"name":"get_weather","description":"Now","parameters":` + params + `,"strict":true}}`
	weather = `"name":"get_weather","description":"Now"`
)

func TestParse(t *testing.T) {
	want := []toolcall.ToolDefinition{{Name: "get_weather", Description: "Now", Parameters: json.RawMessage(params)}}
	tests := []struct {
		name, in string
		want     []toolcall.ToolDefinition
	}{
		{"openai list", `[` + openai + `]`, want},
		{"openai one tool", openai, want},
		{"openai request", `{"model":"m","messages":[],"tools":[` + openai + `]}`, want},
		{"a namespace of Responses", `[{"type":"namespace","name":"sea","tools":[{"type":"function","name":"tides","parameters":{"type":"object"}}]}]`,
			[]toolcall.ToolDefinition{{Name: "sea__tides", Parameters: json.RawMessage(`{"type":"object"}`)}}},
		{"responses", `[{"type":"function",` + weather + `,"parameters":` + params + `}]`, want},
		{"anthropic", `[{` + weather + `,"input_schema":` + params + `}]`, want},
		{"anthropic request", `{"tools":[{` + weather + `,"input_schema":` + params + `}],"max_tokens":1}`, want},
		{"gemini request", `{"tools":[{"functionDeclarations":[{` + weather + `,"parameters":` + params + `}]}]}`, want},
		{"gemini in snake case", `[{"function_declarations":[{` + weather + `,"parameters_json_schema":` + params + `}]}]`, want},
		{"gemini one element", `{"functionDeclarations":[{` + weather + `,"parametersJsonSchema":` + params + `}]}`, want},
		{"mcp result", `{"tools":[{` + weather + `,"title":"W","inputSchema":` + params + `,"outputSchema":{}}],"nextCursor":"x"}`, want},
		{"mcp answer", `{"jsonrpc":"2.0","id":1,"result":{"tools":[{` + weather + `,"inputSchema":` + params + `}]}}`, want},
		{"blanks and a byte order mark", "\uFEFF\n [ " + openai + " \n]\n", want},
		{"empty list", `[]`, nil},
		{"no schema", `[{"name":"now"}]`, []toolcall.ToolDefinition{{Name: "now"}}},
		{"null schema and description", `[{"name":"now","description":null,"parameters":null}]`, []toolcall.ToolDefinition{{Name: "now"}}},
		{"boolean schema", `[{"name":"now","parameters":false}]`, []toolcall.ToolDefinition{{Name: "now", Parameters: json.RawMessage(`false`)}}},
		{"custom", `[{"type":"custom","custom":{"name":"sql"}},{"type":"custom","name":"awk"}]`,
			[]toolcall.ToolDefinition{{Name: "sql", Parameters: wire.CustomParameters()}, {Name: "awk", Parameters: wire.CustomParameters()}}},
		{"gemini without a list", `{"tools":{"functionDeclarations":[{"name":"now"}]}}`, []toolcall.ToolDefinition{{Name: "now"}}},
		{"hosted tools are passed over", `[{"type":"web_search"},{"googleSearch":{}},{"code_execution":{}},{"name":"now"}]`, []toolcall.ToolDefinition{{Name: "now"}}},
		{"mixed shapes in order", `[{"name":"b"},` + openai + `,{"name":"a","input_schema":{}}]`,
			[]toolcall.ToolDefinition{{Name: "b"}, want[0], {Name: "a", Parameters: json.RawMessage(`{}`)}}},
		{"gemini type names", `[{"functionDeclarations":[{"name":"f","parameters":{"type": "OBJECT", "properties":{` +
			`"type":{"type":"STRING","enum":["STRING","x"]},"l":{"type":"ARRAY","items":{"type":"INTEGER"}},"m":{"description":"OBJECT","type":"NULL"}}}}]}]`,
			[]toolcall.ToolDefinition{{Name: "f", Parameters: json.RawMessage(`{"type": "object", "properties":{` +
				`"type":{"type":"string","enum":["STRING","x"]},"l":{"type":"array","items":{"type":"integer"}},"m":{"description":"OBJECT","type":"null"}}}`)}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := toolfile.Parse([]byte(tt.in))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("tools (-want +got):\n%s", diff)
			}
		})
	}
}

func TestParseErrors(t *testing.T) {
	const wantTool = `: expected a tool: an object with "function" (OpenAI), "input_schema" (Anthropic), "functionDeclarations" (Gemini) or "inputSchema" (MCP)`
	tests := []struct{ name, in, want string }{
		{"empty", " \n", "expected a JSON list of tools, got empty input"},
		{"broken", "[\n {\"name\": }\n]", "line 2:11: expected JSON: invalid character '}' looking for beginning of value"},
		{"YAML", "# tools\ntools:\n  - name: x\n", "the input is YAML; convert it to JSON first (yq -o json)"},
		{"a list in YAML", "- name: x\n", "the input is YAML; convert it to JSON first (yq -o json)"},
		{"no YAML", "tools", "line 1:2: expected JSON: invalid character 'o' in literal true (expecting 'r')"},
		{"cut", `[{"name":"a"`, "line 1:12: expected JSON: unexpected end of JSON input"},
		{"two values", `[] []`, "line 1:4: expected JSON: invalid character '[' after top-level value"},
		{"no list", `"tools"`, "$: expected a list of tools, or an object with such a list, got a string"},
		{"tools no list", `{"tools":{}}`, "$.tools: expected a list of tools, got an object"},
		{"no tool", `[1]`, "$[0]" + wantTool + ", got a number"},
		{"unknown object", `[{"name":"a"},{"functoin":{}}]`, "$[1]" + wantTool},
		{"function no object", `[{"function":"f"}]`, "$[0].function: expected an object with the tool's name, got a string"},
		{"no name", `{"tools":[{"type":"function","function":{}}]}`, "$.tools[0].function.name: expected a string, got nothing"},
		{"name no string", `[{"name":7}]`, "$[0].name: expected a string, got a number"},
		{"empty name", `[{"name":""}]`, "$[0].name: expected the tool's name, got an empty string"},
		{"description no string", `[{"name":"a","description":["x"]}]`, "$[0].description: expected a string, got a list"},
		{"schema no object", `[{"functionDeclarations":[{"name":"a","parameters":["a"]}]}]`,
			"$[0].functionDeclarations[0].parameters: expected a JSON Schema, an object or a boolean, got a list"},
		{"twice", `[{"name":"a"},{"function":{"name":"a"}}]`, `$[1].function.name: tool "a" is declared twice, first at $[0]`},
		{"a call", `{"name":"f","arguments":{"a":1}}`, `$: expected a tool, got a call of "f": a tool has "parameters", not "arguments"`},
		{"a call of OpenAI's", `[{"name":"a"},{"id":"c","type":"function","function":{"name":"f","arguments":"{}"}}]`,
			`$[1].function: expected a tool, got a call of "f": a tool has "parameters", not "arguments"`},
		{"a call of Anthropic's", `[{"type":"tool_use","id":"c","name":"f","input":{}}]`, `$[0]: expected a tool, got a call of "f": a tool has "parameters", not "input"`},
		{"a misspelt key", `[{"name":"f","paramters":{"type":"object"}}]`, `$[0].paramters: unknown member "paramters" of a tool; did you mean "parameters"?`},
		{"another misspelt key", `[{"name":"f","inputschema":{"type":"object"}}]`, `$[0].inputschema: unknown member "inputschema" of a tool; did you mean "input_schema"?`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := toolfile.Parse([]byte(tt.in))
			var broken *toolfile.Error
			if !errors.As(err, &broken) {
				t.Fatalf("got error %v, want a *toolfile.Error", err)
			}
			if diff := cmp.Diff(tt.want, err.Error()); diff != "" {
				t.Errorf("error (-want +got):\n%s", diff)
			}
		})
	}
}

func TestHosted(t *testing.T) {
	list, err := toolfile.ParseList([]byte(`[{"type":"web_search"},{"name":"now"},{"google_search":{}},{"type":"web_search_20250305","name":"web_search"}]`))
	if err != nil {
		t.Fatal(err)
	}
	want := toolfile.List{
		Tools:  []chat.Tool{{ToolDefinition: toolcall.ToolDefinition{Name: "now"}}},
		Hosted: []string{"web_search", "google_search", "web_search_20250305"},
	}
	if diff := cmp.Diff(want, list); diff != "" {
		t.Error(diff)
	}
}

// What only the wire of a tool knows is kept for that wire.
func TestMembersOfOneWire(t *testing.T) {
	list, err := toolfile.ParseList([]byte(`[
		{"type":"function","function":{"name":"a","strict":true},"x":1},
		{"name":"b","input_schema":{"type":"object"},"cache_control":{"type":"ephemeral"}},
		{"type":"function","name":"c","strict":false}]`))
	if err != nil {
		t.Fatal(err)
	}
	want := []chat.Tool{
		{ToolDefinition: toolcall.ToolDefinition{Name: "a"}, Strict: chat.On, Extras: chat.Extras{{Wire: "openai", Name: "x", Value: json.RawMessage("1")}}},
		{
			ToolDefinition: toolcall.ToolDefinition{Name: "b", Parameters: json.RawMessage(`{"type":"object"}`)},
			Extras:         chat.Extras{{Wire: "anthropic", Name: "cache_control", Value: json.RawMessage(`{"type":"ephemeral"}`)}},
		},
		{ToolDefinition: toolcall.ToolDefinition{Name: "c"}, Strict: chat.Off},
	}
	if diff := cmp.Diff(want, list.Tools); diff != "" {
		t.Error(diff)
	}
}

// TestMisspelt: unknown words that are a slip away from known ones are reported once,
// and the tools are read.
func TestMisspelt(t *testing.T) {
	for in, want := range map[string][]string{
		`[{"name":"f","parameters":{"type":"object","properites":{"a":{}}}}]`:                                            {`tool "f": schema: unknown keyword "properites"; did you mean "properties"?`},
		`[{"type":"function","function":{"name":"f","parameters":{"properties":{"a":{"type":"strng"}},"requierd":[]}}}]`: {`tool "f": schema at /properties/a: unknown type "strng"; did you mean "string"?`, `tool "f": schema: unknown keyword "requierd"; did you mean "required"?`},
		`[{"type":"funtion","function":{"name":"f"}}]`:                                                                   {`$[0].type: unknown type "funtion" of a tool; did you mean "function"?`},
		`[{"name":"f","parameters":{"$defs":{"d":{"anyOf":[{},{"any_of":[]}]}}}}]`:                                       {`tool "f": schema at /$defs/d/anyOf/1: unknown keyword "any_of"; did you mean "anyOf"?`},
		// The name of a parameter is no keyword, nor is a value, nor an extension.
		`[{"name":"f","parameters":{"properties":{"types":{"default":{"typ":1},"x-item":2}},"enumNames":[],"strict":true}}]`: nil,
	} {
		list, err := toolfile.ParseList([]byte(in))
		if err != nil || len(list.Tools) != 1 {
			t.Errorf("%s: %v, %v", in, list.Tools, err)
		}
		var got []string
		for _, w := range list.Warnings {
			got = append(got, w.Text)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s\n%s", in, diff)
		}
	}
}

// TestClientTools: tools that a vendor defines and the client runs have the
// parameters that the vendor documents.
func TestClientTools(t *testing.T) {
	for in, members := range map[string][]string{
		`{"type":"bash_20250124","name":"bash"}`:                                                  {"command", "restart"},
		`{"type":"text_editor_20250728","name":"str_replace_based_edit_tool","max_characters":9}`: {"command", "path", "file_text", "insert_line", "insert_text", "old_str", "new_str", "view_range"},
		`{"type":"computer_20250124","name":"computer","display_width_px":9}`:                     {"action", "coordinate", "text", "scroll_direction", "scroll_amount", "duration"},
		`{"type":"memory_20250818","name":"memory"}`:                                              {"command", "path", "old_path", "new_path"},
		`{"type":"local_shell"}`:                                                                  {"command", "timeout_ms"},
	} {
		list, err := toolfile.ParseList([]byte(in))
		if err != nil || len(list.Tools) != 1 {
			t.Errorf("%s: %v, %v", in, list.Tools, err)
			continue
		}
		var schema struct{ Properties map[string]any }
		if err := json.Unmarshal(list.Tools[0].Parameters, &schema); err != nil || list.Tools[0].Description == "" {
			t.Errorf("%s: %v, description %q", in, err, list.Tools[0].Description)
		}
		for _, name := range members {
			if schema.Properties[name] == nil {
				t.Errorf("%s: no parameter %q in %s", in, name, list.Tools[0].Parameters)
			}
		}
	}
}
