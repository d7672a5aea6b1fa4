package parser_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/toolparse/toolparse/internal/benchtext"
	"github.com/toolparse/toolparse/internal/streamgen"
)

// BenchmarkHostile parses 1 MB of every hostile input. x-normal is the time per byte relative
// to prose with calls in the same dialect, measured in turns with it. The aim is 3: a flood of
// markup costs more, because the parser examines each piece, but every byte costs the same.
func BenchmarkHostile(b *testing.B) {
	turns := benchtext.Turns(replyBytes)
	writers := map[string]func(benchtext.Call) string{
		"xml": benchtext.XML, "json-openai": benchtext.OpenAI, "sentinel": benchtext.Sentinel,
		"json-gemini": benchtext.Gemini, "json-default": benchtext.Default, "api_tool_call": benchtext.None,
	}
	for _, h := range streamgen.Hostiles() {
		write, ok := writers[h.Dialect]
		if !ok {
			b.Fatalf("no normal case for %s", h.Dialect)
		}
		for _, n := range []int{4, 4 << 10} {
			name := fmt.Sprintf("%s/%s/chunk=%d", h.Dialect, strings.ReplaceAll(h.Name, " ", "-"), n)
			b.Run(name, func(b *testing.B) {
				hostile := textStream(b, h.Dialect, h.Text(replyBytes))
				normal := textStream(b, h.Dialect, benchtext.Reply(turns, write))
				hostile.workload(b, n).benchBeside(b, normal.workload(b, n), "x-normal")
			})
		}
	}
}
