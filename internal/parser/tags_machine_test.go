package parser_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolparse/toolparse/internal/dialect"
	"github.com/toolparse/toolparse/internal/parser"
	"github.com/toolparse/toolparse/toolcall"
)

// shelf is the tool that the tests of tags call.
var shelf = toolcall.ToolDefinition{Name: "fill_shelf", Parameters: json.RawMessage(`{"type":"object","properties":{
	"label":{"type":"string"}, "rows":{"type":"integer"}, "books":{"type":"array","items":{"type":"object","properties":{"title":{"type":"string"}}}},
	"sizes":{"type":"array","items":{"type":"integer"}}, "spot":{"type":"object","properties":{"room":{"type":"string"}}}}}`)}

// shelfCalls lists the calls in text, which it feeds byte by byte: name, arguments, status,
// reason if there is one, and tolerances.
func shelfCalls(t *testing.T, name, text string, limits toolcall.Limits) []string {
	t.Helper()
	p := shelfParser(t, name, limits)
	var events []toolcall.Event
	for i := range len(text) {
		events = p.Feed(events, text[i:i+1])
	}
	var calls []string
	var call string
	for _, e := range p.Close(events) {
		if !e.Segment.IsCall() {
			continue
		}
		switch e.Type {
		case toolcall.SegmentStart:
			call = e.Name + " "
		case toolcall.SegmentContent:
			call += e.Delta()
		case toolcall.SegmentEnd:
			call += " " + e.Status.String()
			if e.Reason != toolcall.ReasonNone {
				call += " " + e.Reason.String()
			}
			calls = append(calls, strings.TrimSpace(call+" "+e.Tolerances.String()))
		}
	}
	return calls
}

func shelfParser(t *testing.T, name string, limits toolcall.Limits) *parser.Parser {
	t.Helper()
	dialects, err := dialect.Named(name, "")
	if err != nil {
		t.Fatal(err)
	}
	p, err := parser.New(parser.Options{Dialects: dialects, Tools: []toolcall.ToolDefinition{shelf}, Limits: limits})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestTagTolerances checks that a call records what was tolerated, and that clean calls record
// nothing.
func TestTagTolerances(t *testing.T) {
	const mark = "]<]minimax[>["
	for _, tt := range []struct{ name, dialect, text, want string }{
		{"clean", "qwen3_coder", "<tool_call>\n<function=fill_shelf>\n<parameter=label>\na\n</parameter>\n</function>\n</tool_call>",
			`fill_shelf {"label":"a"} complete`},
		{"no section", "qwen3_coder", "<function=fill_shelf>\n<parameter=label>\na\n</parameter>\n</function>",
			`fill_shelf {"label":"a"} complete missing_opener`},
		{"no closer of the section", "qwen3_coder", "<tool_call>\n<function=fill_shelf>\n</function>",
			`fill_shelf {} complete missing_closer`},
		{"no closer of a value", "qwen3_coder", "<tool_call><function=fill_shelf><parameter=label>\na\n<parameter=rows>2</parameter></function></tool_call>",
			`fill_shelf {"label":"a","rows":2} complete missing_closer`},
		{"a repeated key does not end the value", "qwen3_coder", "<tool_call><function=fill_shelf><parameter=label>\na\n<parameter=label>2</parameter></function></tool_call>",
			`fill_shelf {"label":"a\n<parameter=label>2"} complete`},
		{"a tag without a key", "qwen3_coder", "<tool_call><function=fill_shelf><parameter/></function></tool_call>",
			`fill_shelf {} complete missing_key`},
		{"twice", "qwen3_coder", "<tool_call><function=fill_shelf><parameter=rows>1</parameter><parameter=rows>2</parameter></function></tool_call>",
			`fill_shelf {"rows":1} complete duplicate_argument`},
		{"an unknown type", "qwen3_coder", "<tool_call><function=fill_shelf><parameter=rows>many</parameter></function></tool_call>",
			`fill_shelf {"rows":"many"} complete unconverted_value`},
		{"text between", "qwen3_coder", "<tool_call><function=fill_shelf>\nhm <parameter=rows>1</parameter></function></tool_call>", ""},
		{"cut in a value", "qwen3_coder", "<tool_call><function=fill_shelf><parameter=label>a",
			`fill_shelf {"label":"a incomplete end_of_stream`},
		{"cut after a value", "qwen3_coder", "<tool_call><function=fill_shelf><parameter=label>a</parameter>",
			`fill_shelf {"label":"a" incomplete end_of_stream`},
		{"all in one parameter", "deepseek_v4", `<｜DSML｜tool_calls><｜DSML｜invoke name="fill_shelf"><｜DSML｜parameter name="input" string="false">{"rows": 1}</｜DSML｜parameter></｜DSML｜invoke></｜DSML｜tool_calls>`,
			`fill_shelf {"rows": 1} complete json_body`},
		{"an extra argument", "deepseek_v4", `<｜DSML｜tool_calls><｜DSML｜invoke name="fill_shelf"><｜DSML｜parameter name="input" string="false">{"rows": 1}</｜DSML｜parameter><｜DSML｜parameter name="rows" string="false">2</｜DSML｜parameter></｜DSML｜invoke></｜DSML｜tool_calls>`,
			`fill_shelf {"rows": 1} complete json_body,duplicate_argument`},
		{"a misspelt closer", "deepseek_v4", `<｜DSML｜tool_calls><｜DSML｜invoke name="fill_shelf"><｜DSML｜parameter name="label" string="true">a</｜DSML｜paremeter></｜DSML｜invoke></｜DSML｜tool_calls>`,
			`fill_shelf {"label":"a"} complete missing_closer`},
		{"an unquoted attribute", "minicpm5", `<function name=fill_shelf><param name="rows">1</param></function>`,
			`fill_shelf {"rows":1} complete unquoted_attribute`},
		{"nested, clean", "minimax_m3", mark + "<tool_call>" + mark + `<invoke name="fill_shelf">` + mark + "<spot>" + mark + "<room>b" + mark + "</room>" + mark + "</spot>" + mark + "</invoke>" + mark + "</tool_call>",
			`fill_shelf {"spot":{"room":"b"}} complete`},
		{"nested, an open object", "minimax_m3", mark + "<tool_call>" + mark + `<invoke name="fill_shelf">` + mark + "<spot>" + mark + "<room>b" + mark + "</room>" + mark + "</invoke>" + mark + "</tool_call>",
			`fill_shelf {"spot":{"room":"b"}} complete missing_closer`},
		{"nested, the next call without this one's closer", "minimax_m3", mark + "<tool_call>" + mark + `<invoke name="fill_shelf">` + mark + "<rows>1" + mark + "</rows>" + mark + `<invoke name="fill_shelf">` + mark + "</invoke>" + mark + "</tool_call>",
			`fill_shelf {"rows":1} complete missing_closer; fill_shelf {} complete`},
		{"nested, cut in an object", "morphxml", "<fill_shelf><spot><room>b</room>",
			`fill_shelf {"spot":{"room":"b" incomplete end_of_stream`},
		{"nested, text between", "morphxml", "<fill_shelf><spot><room>b</room></spot> and <rows>1</rows></fill_shelf>",
			`fill_shelf {"spot":{"room":"b"},"rows":1} complete text_between_arguments`},
		{"nested, elements with others in between", "morphxml", "<fill_shelf><sizes>1</sizes><rows>2</rows><sizes>3, 4</sizes></fill_shelf>",
			`fill_shelf {"rows":2,"sizes":[1,3,4]} complete`},
		{"nested, an element without its closer", "morphxml", "<fill_shelf><books><title>x</title><books><title>y</title></books></fill_shelf>",
			`fill_shelf {"books":[{"title":"x"},{"title":"y"}]} complete missing_closer`},
		{"nested, a value without its closer at the end", "morphxml", "<fill_shelf><label>x</fill_shelf>",
			`fill_shelf {"label":"x"} complete missing_closer`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, strings.Join(shelfCalls(t, tt.dialect, tt.text, toolcall.Limits{}), "; ")); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestNestedDepth checks that tags that nest too deep make the call rejected.
func TestNestedDepth(t *testing.T) {
	text := "<fill_shelf>" + strings.Repeat("<spot>", 9) + "<room>x</room>" + strings.Repeat("</spot>", 9) + "</fill_shelf>"
	for _, tt := range []struct {
		depth int
		want  string
	}{
		{12, `fill_shelf {"spot":{"spot":{"spot":{"spot":{"spot":{"spot":{"spot":{"spot":{"spot":{"room":"x"}}}}}}}}}} complete`},
		{3, `fill_shelf {"spot":{"spot":{"spot":{ rejected nested_too_deep`},
	} {
		if got := strings.Join(shelfCalls(t, "morphxml", text, toolcall.Limits{Depth: tt.depth}), "; "); got != tt.want {
			t.Errorf("depth %d: %s\nwant %s", tt.depth, got, tt.want)
		}
	}
}

// TestTagStrings checks that a string streams as it arrives, also inside nested tags, and also
// if a marker may begin in it.
func TestTagStrings(t *testing.T) {
	const mark = "]<]minimax[>["
	for _, tt := range []struct{ dialect, head string }{
		{"qwen3_coder", "<tool_call>\n<function=fill_shelf>\n<parameter=label>\n"},
		{"seed_oss", "<seed:tool_call>\n<function=fill_shelf>\n<parameter=label>"},
		{"minimax_m2", "<minimax:tool_call>\n<invoke name=\"fill_shelf\">\n<parameter name=\"label\">"},
		{"deepseek_v32", "<｜DSML｜function_calls>\n<｜DSML｜invoke name=\"fill_shelf\">\n<｜DSML｜parameter name=\"label\" string=\"true\">"},
		{"minicpm5", `<function name="fill_shelf"><param name="label">`},
		{"minicpm5", `<function name="fill_shelf"><param name="label"><![CDATA[`},
		{"minimax_m3", mark + "<tool_call>" + mark + `<invoke name="fill_shelf">` + mark + "<spot>" + mark + "<room>"},
		{"morphxml", "<fill_shelf>\n<label>"},
		{"morphxml", "<fill_shelf>\n<spot><room>"},
		{"cline", "<fill_shelf>\n<label>\n"},
	} {
		t.Run(tt.dialect, func(t *testing.T) {
			p := shelfParser(t, tt.dialect, toolcall.Limits{})
			p.Feed(nil, tt.head)
			for i := range 50 {
				const piece = "a < b ]]; "
				var got string
				for _, e := range p.Feed(nil, piece) {
					got += e.Delta()
				}
				if i > 0 && len(got) < len(piece)-1 || i > 0 && len(got) > len(piece)+1 {
					t.Fatalf("piece %d came as %q", i, got)
				}
			}
		})
	}
}
