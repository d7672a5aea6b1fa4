package fuzz

import (
	"runtime"
	"testing"

	"github.com/toolparse/toolparse/internal/streamgen"
)

// TestHostile checks that what a parser emits, holds and allocates for a hostile input
// is proportional to its size. It counts instead of timing; benchmarks measure time.
func TestHostile(t *testing.T) {
	const size = 1 << 14
	for _, h := range streamgen.Hostiles() {
		t.Run(h.Name, func(t *testing.T) {
			opts, err := optionsFor(h.Dialect)
			if err != nil {
				t.Fatal(err)
			}
			sizes := []int{size, 2 * size}
			if testing.Short() {
				sizes = []int{size / 8}
			}
			for _, n := range sizes {
				text := h.Text(n)
				if err := invariants(opts, text, streamgen.Every(4, text)); err != nil {
					t.Fatalf("%d bytes: %.500s", n, err)
				}
			}
			small, large := emitted(t, h, size), emitted(t, h, 4*size)
			if large.events > 5*small.events+100 {
				t.Errorf("%d events for %d bytes, %d for 4 times as many", small.events, size, large.events)
			}
			if large.bytes > 5*small.bytes+1000 {
				t.Errorf("%d bytes out for %d bytes in, %d for 4 times as many", small.bytes, size, large.bytes)
			}
			if a, b := allocated(t, h, size), allocated(t, h, 4*size); b > 6*a+64<<10 {
				t.Errorf("%d bytes allocated for %d bytes in, %d for 4 times as many", a, size, b)
			}
		})
	}
}

type output struct{ events, bytes int }

// emitted counts what comes out of a hostile input in 4-byte chunks.
func emitted(t *testing.T, h streamgen.Hostile, size int) output {
	opts, _ := optionsFor(h.Dialect)
	r, err := record(opts, streamgen.Every(4, h.Text(size)))
	if err != nil {
		t.Fatal(err)
	}
	var out output
	for _, e := range r.events() {
		out.events++
		out.bytes += len(e.Payload) + len(e.Raw)
	}
	return out
}

// allocated measures the bytes that parsing a hostile input allocates. The
// parser of a megabyte may grow its buffers by doubling, never copy what it
// holds with every chunk.
func allocated(t *testing.T, h streamgen.Hostile, size int) uint64 {
	opts, _ := optionsFor(h.Dialect)
	chunks := streamgen.Every(4, h.Text(size))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if _, err := record(opts, chunks); err != nil {
		t.Fatal(err)
	}
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}
