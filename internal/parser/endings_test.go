package parser

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolparse/toolparse/internal/dialect"
	"github.com/toolparse/toolparse/toolcall"
)

// ended lists the calls in text: name, content, how they end, and the id of the wire.
func ended(t *testing.T, dialectName, text string, opts Options) []string {
	t.Helper()
	var err error
	if opts.Dialects, err = dialect.Named(dialectName, ""); err != nil {
		t.Fatal(err)
	}
	p, err := New(opts)
	if err != nil {
		t.Fatal(err)
	}
	var calls []string
	content := ""
	for _, e := range p.Close(p.Feed(nil, text)) {
		switch {
		case !e.Segment.IsCall():
		case e.Type == toolcall.SegmentStart:
			content = e.Name + " "
		case e.Type == toolcall.SegmentContent:
			content += e.Payload
		default:
			end := e.Status.String()
			if e.Reason != toolcall.ReasonNone {
				end += " (" + e.Reason.String() + ")"
			}
			calls = append(calls, strings.TrimSpace(fmt.Sprintf("%s %s %s %s", content, end, e.Tolerances.Names(), e.Payload)))
		}
	}
	return calls
}

func toolOf(name, properties string) toolcall.ToolDefinition {
	return toolcall.ToolDefinition{Name: name, Parameters: json.RawMessage(`{"type":"object","properties":` + properties + `}`)}
}

var seaTools = []toolcall.ToolDefinition{
	toolOf("book", `{"port":{"type":"string"},"seats":{"type":"integer"},"stops":{"type":"array"}}`),
	toolOf("sail", `{"port":{"type":"string"},"wind":{"type":"object"}}`),
	{Name: "anchor"},
}

// TestEndings checks how calls end in the dialects with keys and values, and in those with a
// name outside of JSON, and which tolerances they record.
func TestEndings(t *testing.T) {
	for _, tt := range []struct {
		name, dialect, text string
		want                []string
	}{
		{"no tolerance", "glm45", "<tool_call>book\n<arg_key>port</arg_key>\n<arg_value>A</arg_value>\n</tool_call>",
			[]string{`book {"port":"A"} complete []`}},
		{"escaped layout", "glm45", `<tool_call>book\n<arg_key>port</arg_key>\n<arg_value>A</arg_value>\n</tool_call>`,
			[]string{`book {"port":"A"} complete [text_between_arguments]`}},
		{"a backslash that is not an escape", "glm45", `<tool_call>book` + "\n" + `<arg_key>port</arg_key>\x<arg_value>A</arg_value></tool_call>`,
			[]string{`book {"port":"\\x<arg_value>A"} complete [missing_opener]`}},
		{"escaped list", "glm47", `<tool_call>book<arg_key>stops</arg_key><arg_value>[\"A\"]</arg_value></tool_call>`,
			[]string{`book {"stops":["A"]} complete [string_arguments]`}},
		{"missing value opener", "glm45", "<tool_call>book\n<arg_key>port</arg_key>\nA</arg_value></tool_call>",
			[]string{`book {"port":"A"} complete [missing_opener]`}},
		{"missing value closer", "glm47", "<tool_call>book<arg_key>port</arg_key><arg_value>A</tool_call>",
			[]string{`book {"port":"A"} complete [missing_closer]`}},
		{"cut in a value", "glm47", "<tool_call>book<arg_key>port</arg_key><arg_value>A",
			[]string{`book {"port":"A incomplete (end_of_stream) []`}},
		{"unknown tool", "hy_v3", "<tool_calls>\n<tool_call>fly<tool_sep>\n</tool_call>\n</tool_calls>",
			[]string{`fly {} complete []`}},
		{"no section", "hy_v3", "<tool_call>anchor<tool_sep></tool_call>",
			[]string{`anchor {} complete [missing_opener]`}},
		{"quoted", "hyperclovax_seed_think", `<tool_call>book` + "\n" + `<arg_key>port</arg_key><arg_value>"A\n\u0042"</arg_value></tool_call>`,
			[]string{`book {"port":"A\nB"} complete []`}},
		{"a quoted value, cut in an escape", "hyperclovax_seed_think", `<tool_call>book` + "\n" + `<arg_key>port</arg_key><arg_value>"A\u00`,
			[]string{`book {"port":"A incomplete (end_of_stream) []`}},
		{"a quoted value without its closing quote", "hyperclovax_seed_think", `<tool_call>book` + "\n" + `<arg_key>port</arg_key><arg_value>"A</arg_value></tool_call>`,
			[]string{`book {"port":"A"} complete [missing_closer]`}},
		{"text after a quoted value", "hyperclovax_seed_think", `<tool_call>book` + "\n" + `<arg_key>port</arg_key><arg_value>"A" and B</arg_value></tool_call>`,
			[]string{`book {"port":"A\" and B"} complete [unescaped_quote]`}},
		{"quoted number", "hyperclovax_seed_think", `<tool_call>book` + "\n" + `<arg_key>seats</arg_key><arg_value>"7"</arg_value></tool_call>`,
			[]string{`book {"seats":7} complete []`}},
		{"id", "kimi_k2", "<|tool_calls_section_begin|><|tool_call_begin|>functions.book:3<|tool_call_argument_begin|>{}<|tool_call_end|><|tool_calls_section_end|>",
			[]string{`book {} complete [] {"call_id":"functions.book:3"}`}},
		{"a number, and the tool has the first key", "kimi_k2", `<|tool_calls_section_begin|><|tool_call_begin|>3<|tool_call_argument_begin|>{"wind": {}, "port": 1}<|tool_call_end|><|tool_calls_section_end|>`,
			[]string{`sail {"wind": {}, "port": 1} complete [] {"call_id":"3"}`}},
		{"a number, and the tool has the second key", "kimi_k2", `<|tool_call_begin|>3<|tool_call_argument_begin|>{"port": "A", "seats": 1}<|tool_call_end|>`,
			[]string{`book {"port": "A", "seats": 1} complete [missing_opener] {"call_id":"3"}`}},
		{"a number that fits both tools", "kimi_k2", `<|tool_call_begin|>3<|tool_call_argument_begin|>{"port": "A"}<|tool_call_end|>`,
			nil},
		{"a number, cut off", "kimi_k2", `<|tool_call_begin|>3<|tool_call_argument_begin|>{"port": "A`, nil},
		{"prefix alone", "kimi_k2", `<|tool_call_begin|>functions.<|tool_call_argument_begin|>{}<|tool_call_end|>`, nil},
		{"call id", "mistral", `[TOOL_CALLS]book[CALL_ID]abcdefghi[ARGS]{}`, []string{`book {} complete [] {"call_id":"abcdefghi"}`}},
		{"no call", "mistral", `[TOOL_CALLS]f(x){}`, nil},
		{"no JSON", "deepseek_v31", `<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>book<｜tool▁sep｜>{port}<｜tool▁call▁end｜><｜tool▁calls▁end｜>`,
			[]string{`book {"port" malformed (invalid_json) [unquoted_key]`}},
		{"declared in a bare syntax", "glm53_flash", `<![anchor>{}`, []string{`anchor {} complete []`}},
		{"undeclared in a bare syntax", "glm53_flash", `<![fly>{}`, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, ended(t, tt.dialect, tt.text, Options{Tools: seaTools})); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// TestNamedDepth checks that arguments that are nested too deep make the call rejected.
func TestNamedDepth(t *testing.T) {
	deep := strings.Repeat(`{"a":`, 40)
	for dialect, text := range map[string]string{
		"mistral":      "[TOOL_CALLS]book[ARGS]" + deep,
		"deepseek_v31": "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>book<｜tool▁sep｜>" + deep,
		"kimi_k2":      "<|tool_call_begin|>1<|tool_call_argument_begin|>" + deep,
		"poolside_v1":  "<tool_call>book\n" + deep,
	} {
		t.Run(dialect, func(t *testing.T) {
			calls := ended(t, dialect, text+"}</s>", Options{Limits: toolcall.Limits{Depth: 20}})
			if len(calls) != 1 || !strings.Contains(calls[0], "rejected (nested_too_deep)") {
				t.Errorf("got %q", calls)
			}
		})
	}
}

// TestLongArgumentStreams checks that, in every dialect here, a long string streams as it
// arrives, and that little more than the length of a marker is held back.
func TestLongArgumentStreams(t *testing.T) {
	const chunks, held = 500, 200
	for _, d := range dialect.All() {
		if d.Args.Form != dialect.ArgsPairs && (d.Head.Form != dialect.HeadLiteral || d.Args.Form != dialect.ArgsJSON) {
			continue
		}
		t.Run(d.Name, func(t *testing.T) {
			before, after, _ := strings.Cut(d.Example, "Oslo")
			p, err := New(Options{Dialects: []*dialect.Dialect{d}})
			if err != nil {
				t.Fatal(err)
			}
			sent, out := 0, 0
			feed := func(chunk string) {
				for _, e := range p.Feed(nil, chunk) {
					if e.Type == toolcall.SegmentContent {
						out += len(e.Payload)
					}
				}
			}
			feed(before)
			for range chunks {
				feed("sea. ")
				if sent += len("sea. "); out < sent-held {
					t.Fatalf("%d bytes of %d are out", out, sent)
				}
			}
			feed(after)
			if out < sent {
				t.Errorf("%d bytes of %d are out at the end", out, sent)
			}
		})
	}
}
