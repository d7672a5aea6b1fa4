package parser

import (
	"fmt"
	"strings"
	"testing"

	"github.com/toolparse/toolparse/internal/dialect"
	"github.com/toolparse/toolparse/internal/lex"
)

// TestEntitiesInValues checks that the parser decodes values as it decodes attributes, however
// they are cut.
func TestEntitiesInValues(t *testing.T) {
	const head, tail = `<tool name="x"><arguments><arg name="k">`, `</arg></arguments></tool>`
	for _, text := range []string{"a&lt;b", "&#x1F600;", "&nbsp;", "&lt", "&&amp;;", "&#xD800;", "&#x10FFFF;", "&aaaaaaaaaaaaaaa;"} {
		t.Run(text, func(t *testing.T) {
			want := fmt.Sprintf("tool_call x content %q complete", `{"k":`+quote(lex.DecodeEntities(text))+`}`)
			for cut := range len(text) + 1 {
				p, err := New(Options{Dialects: []*dialect.Dialect{row("xml")}})
				if err != nil {
					t.Fatal(err)
				}
				lines := segments(p, head+text[:cut], text[cut:]+tail)
				if len(lines) != 1 || !strings.HasPrefix(lines[0], want+" ") {
					t.Errorf("cut at %d: %q, want %q", cut, lines, want)
				}
			}
		})
	}
}
