package grammar_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/toolparse/toolparse/internal/dialect"
	"github.com/toolparse/toolparse/internal/grammar"
	"github.com/toolparse/toolparse/toolcall"
)

// TestGrowth checks that the memory for a grammar does not grow with the square of its schema:
// for four times the schema it is less than six times as much.
func TestGrowth(t *testing.T) {
	numbered := func(n int, format string) string {
		parts := make([]string, n)
		for i := range parts {
			parts[i] = strings.ReplaceAll(format, "#", fmt.Sprint("name", 10000+i))
		}
		return strings.Join(parts, ",")
	}
	for name, schema := range map[string]func(n int) string{
		"enum": func(n int) string { return `{"properties":{"a":{"enum":[` + numbered(8*n, `"#"`) + `]}}}` },
		"enums met": func(n int) string {
			return `{"properties":{"a":{"enum":[` + numbered(8*n, `"#"`) + `],"allOf":[{"enum":[` + numbered(8*n, `"#"`) + `]}]}}}`
		},
		"pattern": func(n int) string {
			return `{"properties":{"a":{"type":"string","pattern":"` + strings.Repeat(`\n`, 100*n) + `"}}}`
		},
		"optional": func(n int) string { return `{"properties":{` + numbered(n, `"#":{"type":"string"}`) + `}}` },
		"required": func(n int) string {
			return `{"properties":{` + numbered(n, `"#":{"type":"string"}`) + `},"required":[` + numbered(n, `"#"`) + `]}`
		},
		"merged": func(n int) string {
			return `{"properties":{` + numbered(n, `"#":{"type":"string"}`) + `},"allOf":[{"properties":{` + numbered(n, `"#":{"minLength":1}`) + `}}]}`
		},
	} {
		for _, dialectName := range []string{"hermes", "xml", "qwen3_coder", "morphxml", "pythonic"} {
			t.Run(name+"/"+dialectName, func(t *testing.T) {
				dialects, err := dialect.Named(dialectName, "")
				if err != nil {
					t.Fatal(err)
				}
				takes := func(n int) uint64 {
					tools := []toolcall.ToolDefinition{define("t", schema(n))}
					var before, after runtime.MemStats
					runtime.ReadMemStats(&before)
					if _, losses, err := grammar.Write(dialects[0], grammar.GBNF, grammar.Options{Tools: tools}); err != nil || len(losses) > 0 {
						t.Fatal(err, losses)
					}
					runtime.ReadMemStats(&after)
					return after.TotalAlloc - before.TotalAlloc
				}
				if small, large := takes(250), takes(1000); large > 6*small {
					t.Errorf("%d bytes, and for four times as much %d", small, large)
				}
			})
		}
	}
}
