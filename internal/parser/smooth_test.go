package parser

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/toolparse/toolparse/internal/dialect"
	"github.com/toolparse/toolparse/toolcall"
)

// smoothTexts reach every context that has a fast path.
var smoothTexts = []struct{ name, dialect, text string }{
	{"text", "xml", strings.Repeat("Some prose, with a < b and [c].\n\n", 8)},
	{"reasoning", "xml", "<think>" + strings.Repeat("so, if a < b\n", 8) + "</think>\nHence."},
	{"inline code", "xml", "See `<tool name=\"x\"/>, which is only quoted` here, and `so\non`."},
	{"fence", "xml", "```sh\n" + strings.Repeat("echo '<tool name=\"x\"/>'\n", 4) + "```\nDone.\n~~~\n`\n~~~\n"},
	{"argument", "xml", `<tool name="x"><arguments><arg name="k">` + strings.Repeat("a line & \"more\"\n", 8) + `</arg></arguments></tool> end`},
	{"file", "xml", `<write_file path="a">` + "\n" + strings.Repeat("if a < b {\n\treturn\n}\r\n", 8) + `</write_file> end`},
	{"raw markers", "xml", `<write_file path="a">__START_CONTENT__` + strings.Repeat("</write_file> __x__ ", 4) + `__END_CONTENT__</write_file>`},
	{"sentinel", "sentinel", `[[SEG_START {"type":"run_bash"}]]` + strings.Repeat("[[ -f x ]] && echo \"y\"\n", 8) + `[[SEG_END]]`},
	{"escapes", "hermes", `<tool_call>{"name":"x","arguments":{"k":"` + strings.Repeat(`a \"line\"\n\\ \/ \u00e9 `, 8) + `"}}</tool_call> end`},
	{"escapes of a file", "hermes", `<tool_call>{"name":"write_file","arguments":{"path":"a","content":"` + strings.Repeat(`a \"line\"\n`, 8) + `"}}</tool_call> end`},
	{"pairs", "qwen3_coder", "<tool_call>\n<function=x>\n<parameter=k>\n" + strings.Repeat(someCode, 6) + "</parameter>\n</function>\n</tool_call> end"},
	{"pairs of a file", "qwen3_coder", "<tool_call>\n<function=write_file>\n<parameter=path>a</parameter>\n<parameter=content>\n" + strings.Repeat(someCode, 6) + "</parameter>\n</function>\n</tool_call> end"},
	{"pairs without layout", "glm47", "<tool_call>x<arg_key>k</arg_key><arg_value>" + strings.Repeat(someCode, 6) + "</arg_value></tool_call> end"},
	{"pairs with entities", "anthropic_invoke", `<function_calls><invoke name="x"><parameter name="k">` + strings.Repeat(someCode+"&lt;", 6) + "</parameter></invoke></function_calls> end"},
	{"nested tags", "minimax_m3", "]<]minimax[>[<tool_call>\n]<]minimax[>[<invoke name=\"x\">]<]minimax[>[<k>" + strings.Repeat(someCode, 6) + "]<]minimax[>[</k>]<]minimax[>[</invoke>\n]<]minimax[>[</tool_call> end"},
	{"tags named like parameters", "morphxml", "<x>\n<k>" + strings.Repeat(someCode, 6) + "</k>\n</x> end"},
	{"Gemma", "gemma4", `<|tool_call>call:x{k:<|"|>` + strings.Repeat(someCode, 6) + `<|"|>}<tool_call|> end`},
	{"a file of Gemma", "gemma4", `<|tool_call>call:write_file{path:<|"|>a<|"|>,content:<|"|>` + strings.Repeat(someCode, 6) + `<|"|>}<tool_call|> end`},
	{"Python", "olmo3", `<function_calls>x(k="` + strings.Repeat(`a "line\"\n \/ \x41 it's `, 8) + `")</function_calls> end`},
	{"single quotes", "olmo3", `<function_calls>x(k='` + strings.Repeat(`a "line\"\n \' `, 8) + `')</function_calls> end`},
	{"three quotes", "olmo3", `<function_calls>x(k="""` + strings.Repeat("a \"line\"\n", 8) + `""")</function_calls> end`},
	{"a raw string", "olmo3", `<function_calls>x(k=r"` + strings.Repeat(`a \n b`, 8) + `")</function_calls> end`},
	{"a file of Python", "olmo3", `<function_calls>write_file(path="a", content='` + strings.Repeat(`a "line"\n`, 8) + `')</function_calls> end`},
	{"YAML", "yaml_xml", "<x>\nk: |\n" + strings.Repeat("  a \"line\" and \\ and <\n", 8) + "</x> end"},
	{"YAML in quotes", "yaml_xml", "<x>\nk: \"a" + strings.Repeat(`a \"line\"\n  \\ \/ \x41 `, 6) + strings.Repeat("more \n  lines\n\n", 4) + "\"\n</x> end"},
	{"a file of YAML in quotes", "yaml_xml", "<write_file>\npath: a\ncontent: \"a" + strings.Repeat(`a \"line\"\n  \\ \/ \x41 `, 6) + "\"\n</write_file> end"},
	{"JSON", "json", `Now: {"name":"x","arguments":{"k":"` + strings.Repeat(`a \"line\"\n`, 8) + `","n":[1, 2]}} end`},
}

// someCode contains every byte that matters, and all kinds of line ends.
const someCode = "if a[i] < b && c_d {\n\tprint(\"}\") \\ \r\n  x = 'y' \n\n}\r é\n"

// TestSmooth checks that the fast path makes the same events as the state machine.
func TestSmooth(t *testing.T) {
	for _, tt := range smoothTexts {
		t.Run(tt.name, func(t *testing.T) {
			dialects, err := dialect.Named(tt.dialect, "openai")
			if err != nil {
				t.Fatal(err)
			}
			if got, open := feedBy(t, dialects, tt.text, []int{4}, false); open == 0 || got[len(got)-1].Status != toolcall.Complete {
				t.Errorf("the smooth way was open to %d chunks of 4 bytes; the last segment ended %v", open, got[len(got)-1].Status)
			}
			rapid.Check(t, func(t *rapid.T) {
				sizes := rapid.SliceOfN(rapid.OneOf(rapid.IntRange(1, 5), rapid.IntRange(6, 100)), 1, 20).Draw(t, "sizes")
				smooth, open := feedBy(t, dialects, tt.text, sizes, false)
				long, _ := feedBy(t, dialects, tt.text, sizes, true)
				if diff := cmp.Diff(long, smooth); diff != "" {
					t.Fatalf("with the smooth way open to %d chunks (-long +smooth):\n%s", open, diff)
				}
			})
		})
	}
}

// feedBy feeds text in chunks of these sizes, over and over, and counts the chunks for which
// the fast path was open. With long, it closes the fast path.
func feedBy(t rapid.TB, dialects []*dialect.Dialect, text string, sizes []int, long bool) (events []toolcall.Event, open int) {
	t.Helper()
	p, err := New(Options{Dialects: dialects})
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; text != ""; i++ {
		n := min(sizes[i%len(sizes)], len(text))
		if long {
			p.smooth = smooth{}
		}
		if p.smooth.stops != nil {
			open++
		}
		events = p.Feed(events, text[:n])
		text = text[n:]
	}
	return p.Close(events), open
}

// TestSmoothLimit checks that a call cannot exceed its limit on the fast path.
func TestSmoothLimit(t *testing.T) {
	p, err := New(Options{Dialects: []*dialect.Dialect{row("xml")}, Limits: toolcall.Limits{CallBytes: 200}})
	if err != nil {
		t.Fatal(err)
	}
	pieces := []string{`<run_bash>`}
	for range 100 {
		pieces = append(pieces, "echo")
	}
	lines := segments(p, pieces...)
	if len(lines) == 0 || !strings.Contains(lines[0], " rejected call_too_large ") {
		t.Errorf("got %q", lines)
	}
}
