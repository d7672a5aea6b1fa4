package parser_test

import (
	"strings"
	"testing"

	"github.com/toolparse/toolparse/internal/dialect"
	"github.com/toolparse/toolparse/internal/parser"
)

// TestBlankNames checks, for every row, that a name of blanks alone names no tool: the example
// with such a name is text, as with an empty name.
func TestBlankNames(t *testing.T) {
	for _, d := range dialect.All() {
		if d.Head.Form == "" || d.CallsInReasoning {
			continue
		}
		for _, blanks := range []string{"", " ", "\t", " \t "} {
			input := strings.ReplaceAll(d.Example, "get_weather", blanks)
			for _, c := range read(t, input, parser.Options{Dialects: dialectsOf(t, d.Name)}).calls {
				if strings.Trim(c.Name, " \t") == "" {
					t.Errorf("%s: a call of %q in %q", d.Name, c.Name, input)
				}
			}
		}
	}
}

// A word with a colon introduces a call, and is not its name, wherever names stand by
// themselves.
func TestWordBeforeColonIsNoName(t *testing.T) {
	for _, name := range []string{"poolside_v1", "laguna_s21", "glm45"} {
		for _, body := range []string{`Sure: {"name": "f", "arguments": {"a": 1}}`, `Call: {"a": 1}`, "f:\n<arg_key>a</arg_key>\n<arg_value>1</arg_value>"} {
			input := "<tool_call>\n" + body + "\n</tool_call>"
			for _, c := range read(t, input, parser.Options{Dialects: dialectsOf(t, name)}).calls {
				if strings.HasSuffix(c.Name, ":") {
					t.Errorf("%s: a call of %q in %q", name, c.Name, input)
				}
			}
		}
		input := "<tool_call>ns:f\n<arg_key>a</arg_key>\n<arg_value>1</arg_value>\n</tool_call>"
		if calls := read(t, input, parser.Options{Dialects: dialectsOf(t, name)}).calls; len(calls) != 1 || calls[0].Name != "ns:f" {
			t.Errorf("%s: %v in %q", name, calls, input)
		}
	}
}

// A section without a call is not text, also after a call.
func TestEmptySectionAfterCall(t *testing.T) {
	const empty = "<｜tool▁calls▁begin｜><｜tool▁calls▁end｜>"
	call := "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>f<｜tool▁sep｜>{}<｜tool▁call▁end｜><｜tool▁calls▁end｜>"
	for _, input := range []string{"Well." + empty, call + "Well." + empty} {
		if got := read(t, input, parser.Options{Dialects: dialectsOf(t, "deepseek_v31")}).text; got != "Well." {
			t.Errorf("the text of %q is %q", input, got)
		}
	}
}
