package clients

import (
	"bytes"
	"io"
	"runtime"
	"testing"

	"github.com/toolparse/toolparse/format"
)

// Decoding, and translating to any wire, takes no more than two allocations a
// delta.
func TestAllocations(t *testing.T) {
	for _, l := range longs {
		body := l.body(t, longDeltas)
		if n := drain(t, bytes.NewReader(body), l.wire); n != longDeltas {
			t.Fatalf("%s: %d deltas", l.wire, n)
		}
		decode := testing.AllocsPerRun(1, func() { drain(t, bytes.NewReader(body), l.wire) }) / longDeltas
		if decode > 2 {
			t.Errorf("%s: %.2f allocations a delta", l.wire, decode)
		}
		for _, to := range format.Wires() {
			each := testing.AllocsPerRun(1, func() {
				if _, err := format.TranslateStream(io.Discard, bytes.NewReader(body), l.wire, to, format.TranslateOptions{}); err != nil {
					t.Fatal(err)
				}
			}) / longDeltas
			if each > 2 {
				t.Errorf("%s to %s: %.2f allocations a delta", l.wire, to, each)
			}
		}
	}
}

// What a translation holds does not grow with the stream. Responses is no
// target here: its last event repeats the whole text, which has to be held.
func TestMemoryIsFlat(t *testing.T) {
	const size = 16 << 20
	for _, l := range longs {
		for _, to := range format.Wires() {
			if to == format.Responses {
				continue
			}
			w := &meter{t: t}
			if _, err := format.TranslateStream(w, l.reader(t, size), l.wire, to, format.TranslateOptions{}); err != nil {
				t.Fatal(err)
			}
			if w.first == 0 || w.most > w.first+512<<10 {
				t.Errorf("%s to %s: the heap grew from %d to %d bytes", l.wire, to, w.first, w.most)
			}
		}
	}
}

// meter looks at the heap each time so many bytes were written to it.
type meter struct {
	t           *testing.T
	size, next  int
	first, most uint64
}

func (m *meter) Write(p []byte) (int, error) {
	if m.size += len(p); m.size >= m.next {
		m.next = m.size + 2<<20
		runtime.GC()
		var s runtime.MemStats
		runtime.ReadMemStats(&s)
		if m.most = max(m.most, s.HeapAlloc); m.first == 0 && m.size > 1<<20 {
			m.first = s.HeapAlloc
		}
	}
	return len(p), nil
}
