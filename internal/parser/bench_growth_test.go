package parser_test

import (
	"fmt"
	"testing"

	"github.com/toolparse/toolparse/internal/benchtext"
)

// growth lists every way to write one long call. The parser decodes the content of a file
// tool, and passes on the arguments of another tool as JSON.
var growth = []struct {
	strategy
	tool string
}{
	{xmlTags, benchtext.PutFile},
	{xmlTags, benchtext.WriteFile},
	{shorthand, benchtext.WriteFile},
	{jsonOpenAI, benchtext.PutFile},
	{jsonOpenAI, benchtext.WriteFile},
	{sentinel, benchtext.PutFile},
	{sentinel, benchtext.WriteFile},
	{apiCall, benchtext.PutFile},
	{apiCall, benchtext.WriteFile},
	{auto, benchtext.PutFile},
}

// BenchmarkGrowth parses calls with an argument of 1 KB to 10 MB in 4-byte chunks. Each run
// parses about 1 MB of them, one after the other, so that the cost of making a parser does not
// matter. x-1KB is the time per byte relative to calls of 1 KB, measured in turns with them:
// it must stay below 1.5.
func BenchmarkGrowth(b *testing.B) {
	const chunk, total = 4, 1 << 20
	for _, g := range growth {
		calls := func(b *testing.B, n int) workload {
			turns := make([]benchtext.Turn, max(1, total/n))
			for i := range turns {
				turns[i].Call = benchtext.LongCall(g.tool, n)
			}
			s := newStream(b, g.strategy, turns)
			s.check(b, chunk)
			return s.workload(b, chunk)
		}
		for _, n := range []int{1 << 10, 10 << 10, 100 << 10, 1 << 20, 10 << 20} {
			b.Run(fmt.Sprintf("%s/%s/bytes=%d", g.name, g.tool, n), func(b *testing.B) {
				calls(b, n).benchBeside(b, calls(b, 1<<10), "x-1KB")
			})
		}
	}
}
