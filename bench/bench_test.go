package bench

import (
	"fmt"
	"strings"
	"testing"

	"github.com/toolparse/toolparse/internal/benchtext"
)

// BenchmarkReply reads prose with a call every 2 KB, 1 MB in all. The floor is
// what it takes to call IndexByte on each chunk.
func BenchmarkReply(b *testing.B) {
	turns := benchtext.Turns(1 << 20)
	for _, n := range []int{4, 64, 4 << 10} {
		for _, c := range contestants() {
			b.Run(fmt.Sprintf("parser=%s/chunk=%d", c.name, n), func(b *testing.B) {
				c.bench(b, c.replies(turns), n, len(turns))
			})
		}
		b.Run(fmt.Sprintf("parser=floor/chunk=%d", n), func(b *testing.B) {
			text := benchtext.Reply(turns, benchtext.Hermes)
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				floor(text, n)
			}
		})
	}
}

// BenchmarkLongCall reads one call in 4-byte chunks, up to the longest that a
// parser finishes within seconds.
func BenchmarkLongCall(b *testing.B) {
	for _, c := range contestants() {
		for _, n := range []int{1 << 10, 10 << 10, 100 << 10, 1 << 20, 10 << 20} {
			if n > c.longest {
				break
			}
			b.Run(fmt.Sprintf("parser=%s/bytes=%d", c.name, n), func(b *testing.B) {
				turn := benchtext.Turn{Call: benchtext.LongCall(benchtext.PutFile, n)}
				c.bench(b, c.replies([]benchtext.Turn{turn}), 4, 1)
			})
		}
	}
}

// bench measures the contestant, which must find so many calls every time.
func (c contestant) bench(b *testing.B, replies []string, n, calls int) {
	size := 0
	for _, r := range replies {
		size += len(r)
	}
	b.SetBytes(int64(size))
	b.ReportAllocs()
	for b.Loop() {
		found := 0
		for _, r := range replies {
			found += c.read(b, r, n, nil)
		}
		if found != calls {
			b.Fatalf("found %d calls, want %d", found, calls)
		}
	}
}

// floor looks in each chunk of text for a byte that is in none.
func floor(text string, n int) {
	for text != "" {
		k := min(n, len(text))
		if strings.IndexByte(text[:k], 0) >= 0 {
			panic("a zero byte in the text")
		}
		text = text[k:]
	}
}
