package parser

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolparse/toolparse/internal/dialect"
	"github.com/toolparse/toolparse/toolcall"
)

// TestFileTools checks when a call has a segment type of its own.
func TestFileTools(t *testing.T) {
	declared := func(name, properties string) []toolcall.ToolDefinition {
		return []toolcall.ToolDefinition{{Name: name, Parameters: json.RawMessage(`{"type":"object","properties":` + properties + `}`)}}
	}
	gemini := func(name, args string) string { return `{"name":"` + name + `","args":` + args + `}` }
	long := strings.Repeat("x", 400)
	for _, tt := range []struct {
		name, dialect, in string
		opts              Options
		want              []string
	}{
		{"own members", "json-gemini", gemini("write_file", `{"path":"a","content":"x"}`), Options{},
			[]string{`write_file write_file: x complete`}},
		{"the content first", "json-gemini", gemini("write_file", `{"content":"x\n","path":"a"}`), Options{},
			[]string{"write_file write_file: x\n complete"}},
		{"an extra argument after the content", "json-gemini", gemini("write_file", `{"path":"a","content":"x","mode":1}`), Options{},
			[]string{`write_file write_file: x complete`}},
		{"an extra argument before the content", "json-gemini", gemini("write_file", `{"path":"a","mode":1,"content":"x"}`), Options{},
			[]string{`tool_call write_file: {"path":"a","mode":1,"content":"x"} complete`}},
		{"an extra argument that is declared", "json-gemini", gemini("write_file", `{"path":"a","mode":1,"content":"x"}`),
			Options{Tools: declared("write_file", `{"path":{"type":"string"},"content":{"type":"string"},"mode":{}}`)},
			[]string{`write_file write_file: x complete`}},
		{"no content", "json-gemini", gemini("write_file", `{"path":"a"}`), Options{},
			[]string{`tool_call write_file: {"path":"a"} complete`}},
		{"empty content", "json-gemini", gemini("write_file", `{"path":"a","content":""}`), Options{},
			[]string{`write_file write_file:  complete`}},
		{"content that is no text", "json-gemini", gemini("write_file", `{"path":"a","content":["x"]}`), Options{},
			[]string{`tool_call write_file: {"path":"a","content":["x"]} complete`}},
		{"an empty path", "json-gemini", gemini("write_file", `{"content":"x","path":""}`), Options{},
			[]string{`tool_call write_file: {"content":"x","path":""} complete`}},
		{"another tool of the name", "json-gemini", gemini("edit_file", `{"path":"a","old_content":"x"}`), Options{},
			[]string{`tool_call edit_file: {"path":"a","old_content":"x"} complete`}},
		{"another tool is declared", "json-gemini", gemini("edit_file", `{"path":"a","patch":"x"}`),
			Options{Tools: declared("edit_file", `{"path":{"type":"string"},"old_content":{"type":"string"}}`)},
			[]string{`tool_call edit_file: {"path":"a","patch":"x"} complete`}},
		{"the name is the last member", "json-gemini", `{"args":{"path":"a","content":"x"},"name":"write_file"}`, Options{},
			[]string{`write_file write_file: x complete`}},
		{"content first, longer than may be held", "json-gemini", gemini("write_file", `{"content":"`+long+`","path":"a"}`), Options{Limits: toolcall.Limits{HeldBytes: 200}},
			[]string{`tool_call write_file: {"content":"` + long + `","path":"a"} complete`}},
		{"cut before the kind of the call is certain", "json-gemini", `{"name":"write_file","args":{"path":"a","con`, Options{},
			[]string{`tool_call write_file: {"path":"a","con incomplete end_of_stream`}},
		{"cut in the content", "json-gemini", `{"name":"write_file","args":{"path":"a","content":"x`, Options{},
			[]string{`write_file write_file: x incomplete end_of_stream`}},

		{"tags, the content first", "xml", `<tool name="write_file"><arguments><arg name="content">__START_CONTENT__
a
__END_CONTENT__</arg><arg name="path">b</arg></arguments></tool>`, Options{},
			[]string{"write_file write_file: a\n complete"}},
		{"tags of another tool", "xml", `<tool name="edit_file"><arguments><arg name="path">a</arg><arg name="old">b</arg></arguments></tool>`, Options{},
			[]string{`tool_call edit_file: {"path":"a","old":"b"} complete`}},
		{"a path as attribute", "xml", `<tool name="write_file" path="a"><arguments><arg name="content">b</arg></arguments></tool>`, Options{},
			[]string{`write_file write_file: b complete`}},
		{"a header contains the path", "sentinel", `[[SEG_START {"type":"tool","tool_name":"write_file","path":"a"}]]{"content":"b"}[[SEG_END]]`, Options{},
			[]string{`write_file write_file: b complete`}},
		{"a header contains everything", "sentinel", `[[SEG_START {"type":"tool","tool_name":"write_file","path":"a","content":"b"}]][[SEG_END]]`, Options{},
			[]string{`write_file write_file: b complete`}},

		{"a header with foreign members is the whole call", "sentinel", "[[SEG_START {\"type\":\"run_bash\",\"cmd\":\"ls\"}]]\n[[SEG_END]]", Options{},
			[]string{`tool_call run_bash: {"cmd":"ls"} complete`}},
		{"the same without a path", "sentinel", `[[SEG_START {"type":"write_file","file":"a","text":null}]] [[SEG_END]]`, Options{},
			[]string{`tool_call write_file: {"file":"a","text":null} complete`}},
		{"the same with one", "sentinel", `[[SEG_START {"path":"a","edits":[1],"type":"edit_file"}]][[SEG_END]] so`, Options{},
			[]string{`tool_call edit_file: {"path":"a","edits":[1]} complete`, `text:  so complete`}},
		{"the same of another tool of the name", "sentinel", `[[SEG_START {"type":"edit_file","old":"a"}]][[SEG_END]]`, Options{Tools: declared("edit_file", `{"path":{},"old":{}}`)},
			[]string{`tool_call edit_file: {"old":"a"} complete`}},
		{"the same of a tool that is not declared", "sentinel", `[[SEG_START {"type":"edit_file","old":"a"}]][[SEG_END]]`, Options{Tools: declared("f", `{}`)},
			[]string{`tool_call edit_file: {"old":"a"} complete`}},
		{"foreign members and a body", "sentinel", "[[SEG_START {\"type\":\"run_bash\",\"cmd\":[1]}]]\n[[SEG_ENd]]\n[[SEG_END]]", Options{},
			[]string{`run_bash run_bash: [[SEG_ENd]] complete`}},
		{"foreign members and a cut", "sentinel", "[[SEG_START {\"type\":\"run_bash\",\"cmd\":1}]]\n[[SEG_EN", Options{},
			[]string{`run_bash run_bash:  incomplete end_of_stream`}},
		{"foreign members, no path and a body", "sentinel", `[[SEG_START {"type":"write_file","file":"a"}]] b[[SEG_END]]`, Options{},
			[]string{`text: [[SEG_START {"type":"write_file","file":"a"}]] b[[SEG_END]] complete`}},
		{"a file without content", "sentinel", `[[SEG_START {"type":"write_file","path":"a"}]][[SEG_END]]`, Options{},
			[]string{`write_file write_file:  complete`}},

		{"a shorthand with foreign attributes", "xml", `<run_bash cmd="ls"> </run_bash >`, Options{},
			[]string{`tool_call run_bash: {"cmd":"ls"} complete`}},
		{"a shorthand with its content as attribute", "xml", `<run_bash command="ls"></run_bash>`, Options{},
			[]string{`tool_call run_bash: {"command":"ls"} complete`}},
		{"a shorthand with foreign attributes and a body", "xml", "<run_bash cmd=\"1\">\nls</run_bas>\n</run_bash>", Options{},
			[]string{`run_bash run_bash: ls</run_bas> complete`}},
		{"a shorthand with foreign attributes, cut", "xml", "<run_bash cmd=\"1\">\n</run", Options{},
			[]string{`run_bash run_bash:  incomplete end_of_stream`}},
		{"a shorthand", "xml", `<write_file path="a">b</write_file>`, Options{},
			[]string{`write_file write_file: b complete`}},
		{"a shorthand without content", "xml", `<write_file path="a"/>`, Options{},
			[]string{`tool_call write_file: {"path":"a"} complete`}},
		{"a shorthand of a tool that is not declared", "xml", `<run_bash>ls</run_bash>`, Options{Tools: declared("bash", `{}`)},
			[]string{`text: <run_bash>ls</run_bash> complete`}},
		{"a shorthand of another tool of the name", "xml", `<edit_file path="a">b</edit_file>`, Options{Tools: declared("edit_file", `{"path":{},"old":{}}`)},
			[]string{`text: <edit_file path="a">b</edit_file> complete`}},
		{"a header's type that is another tool", "sentinel", `[[SEG_START {"type":"edit_file","path":"a"}]]b[[SEG_END]]`, Options{Tools: declared("edit_file", `{"path":{},"old":{}}`)},
			[]string{`text: [[SEG_START {"type":"edit_file","path":"a"}]]b[[SEG_END]] complete`}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for _, n := range []int{len(tt.in), 1, 3, 7} {
				if diff := cmp.Diff(tt.want, outcomes(t, tt.dialect, tt.in, n, tt.opts)); diff != "" {
					t.Errorf("in pieces of %d bytes (-want +got):\n%s", n, diff)
				}
			}
		})
	}
}

// TestContentStreams checks that the content of a file tool streams as soon as the kind of the
// call is certain.
func TestContentStreams(t *testing.T) {
	for _, tt := range []struct{ dialect, head string }{
		{"json-gemini", `{"name":"write_file","args":{"path":"a","content":"`},
		{"json-gemini", `{"name":"run_bash","args":{"command":"`},
		{"json-gemini", `{"name":"run_bash","args":{"cmd":"`},
		{"xml", `<tool name="run_bash"><arguments><arg name="command">`},
		{"qwen3_coder", "<tool_call>\n<function=write_file>\n<parameter=path>\na\n</parameter>\n<parameter=content>\n"},
		{"olmo3", `<function_calls>write_file(path="a", content="`},
		{"gemma4", `<|tool_call>call:write_file{path:<|"|>a<|"|>,content:<|"|>`},
		{"yaml_xml", "<write_file>\npath: a\ncontent: |\n  "},
	} {
		dialects, err := dialect.Named(tt.dialect, "")
		if err != nil {
			t.Fatal(err)
		}
		p, err := New(Options{Dialects: dialects})
		if err != nil {
			t.Fatal(err)
		}
		events := p.Feed(nil, tt.head)
		if events = p.Feed(events, "some words"); len(events) < 2 || !strings.HasSuffix(events[len(events)-1].Delta(), "some words") {
			t.Errorf("%s: %s: the content is not sent: %v", tt.dialect, tt.head, events)
		}
	}
}

// TestShorthandNotes checks that a note says why a tag that looks like a call is not one.
func TestShorthandNotes(t *testing.T) {
	for _, tt := range []struct{ in, tool, want string }{
		{`<run_bash>ls</run_bash>`, "bash", ruleUndeclared},
		{`<edit_file path="a">b</edit_file>`, "edit_file", ruleContent},
	} {
		var notes []toolcall.Note
		p, err := New(Options{Dialects: []*dialect.Dialect{row("xml")}, Notes: &notes, Tools: []toolcall.ToolDefinition{
			{Name: tt.tool, Parameters: json.RawMessage(`{"properties":{"other":{"type":"string"}}}`)},
		}})
		if err != nil {
			t.Fatal(err)
		}
		p.Close(p.Feed(nil, tt.in))
		if len(notes) != 1 || notes[0].Rule != tt.want || notes[0].Offset != 0 || notes[0].Dialect != "xml" {
			t.Errorf("%s: got %v, want a note that %s", tt.in, notes, tt.want)
		}
	}
}

// TestOwnShorthands checks that a shorthand of a user's dialect counts whichever tools are
// declared, unless the tool that it calls cannot take its content.
func TestOwnShorthands(t *testing.T) {
	own := *row("xml")
	own.Name, own.Shorthands = "mine", []dialect.FileTool{
		{Tag: "run_sql", Content: "statement", Attrs: []string{"db"}, Needs: "db"}, {Tag: "ask", Tool: "run_sql", Content: "statement"},
	}
	for _, tt := range []struct{ in, tools, want string }{
		{`<run_sql db="main">select 1</run_sql>`, ``, `run_sql run_sql statement {"db":"main"}`},
		{`<run_sql DB="main">select 1</run_sql>`, `[{"Name":"other"}]`, `run_sql run_sql statement {"db":"main","unknown_tool":true}`},
		{`<run_sql db="main">select 1</run_sql>`, `[{"Name":"run_sql","Parameters":{"properties":{"statement":{}}}}]`, `run_sql run_sql statement {"db":"main"}`},
		{`<run_sql db="main">select 1</run_sql>`, `[{"Name":"run_sql"}]`, `run_sql run_sql statement {"db":"main"}`},
		{`<run_sql db="main">select 1</run_sql>`, `[{"Name":"run_sql","Parameters":{"properties":{"query":{}}}}]`, `text   `},
		{`<run_sql>select 1</run_sql>`, ``, `text   `},
		{`<ask>select 1</ask>`, `[{"Name":"run_sql"}]`, `ask run_sql statement `},
	} {
		var tools []toolcall.ToolDefinition
		if tt.tools != "" {
			if err := json.Unmarshal([]byte(tt.tools), &tools); err != nil {
				t.Fatal(err)
			}
		}
		p, err := New(Options{Dialects: []*dialect.Dialect{&own}, Tools: tools})
		if err != nil {
			t.Fatal(err)
		}
		e := p.Close(p.Feed(nil, tt.in))[0]
		if got := string(e.Segment) + " " + e.Name + " " + e.ContentParameter() + " " + e.Payload; got != tt.want {
			t.Errorf("%s with %s: got %s, want %s", tt.in, tt.tools, got, tt.want)
		}
	}
}
