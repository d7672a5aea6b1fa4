package parser_test

import (
	"strings"
	"testing"

	"github.com/toolparse/toolparse/dialect"
	"github.com/toolparse/toolparse/parser"
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
