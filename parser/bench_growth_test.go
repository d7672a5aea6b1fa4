package parser_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/toolparse/toolparse"
	"github.com/toolparse/toolparse/internal/benchtext"
)

// growth is every way to write one long call. A file tool's content is
// decoded, another tool's arguments are passed on as JSON.
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

// BenchmarkGrowth parses one call with an argument of 1 KB to 10 MB in 4-byte
// chunks. x-1KB is the time per byte over that of the shortest call, measured
// in turns with it: it must stay below 1.5.
func BenchmarkGrowth(b *testing.B) {
	const chunk = 4
	for _, g := range growth {
		long := func(b *testing.B, n int) stream {
			s := newStream(b, g.strategy, []benchtext.Turn{{Call: benchtext.LongCall(g.tool, n)}})
			s.check(b, chunk)
			return s
		}
		for _, n := range []int{1 << 10, 10 << 10, 100 << 10, 1 << 20, 10 << 20} {
			b.Run(fmt.Sprintf("%s/%s/bytes=%d", g.name, g.tool, n), func(b *testing.B) {
				long(b, n).benchBeside(b, chunk, long(b, 1<<10), "x-1KB")
			})
		}
	}
}

// benchBeside measures the stream, and in turns with it another one, as often
// as makes it about as long. It reports the time per byte of the one over that
// of the other as metric. What else the machine does weighs on both alike.
func (s stream) benchBeside(b *testing.B, n int, other stream, metric string) {
	b.SetBytes(int64(s.size))
	b.ReportAllocs()
	events := make([]toolparse.Event, 0, 64)
	times := min(1+s.size/other.size, 1<<10)
	var own, beside time.Duration
	for b.Loop() {
		start := time.Now()
		events = s.run(b, n, events, nil)
		own += time.Since(start)

		b.StopTimer()
		start = time.Now()
		for range times {
			events = other.run(b, n, events, nil)
		}
		beside += time.Since(start)
		b.StartTimer()
	}
	perByte := own.Seconds() / float64(s.size)
	b.ReportMetric(perByte/(beside.Seconds()/float64(times*other.size)), metric)
}
