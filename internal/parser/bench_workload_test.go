package parser_test

import (
	"math"
	"testing"
	"time"

	"github.com/toolparse/toolparse/toolcall"
)

// workload is a function to measure.
type workload struct {
	size int // bytes that a run reads
	run  func()
}

// workload parses the stream in chunks of n bytes. It reuses one slice for all events, like a
// consumer that passes them on.
func (s stream) workload(tb testing.TB, n int) workload {
	events := make([]toolcall.Event, 0, 64)
	return workload{s.size, func() { events = s.run(tb, n, events, nil) }}
}

// bench measures w.
func (w workload) bench(b *testing.B) {
	b.SetBytes(int64(w.size))
	b.ReportAllocs()
	for b.Loop() {
		w.run()
	}
}

// benchBeside measures w and, in turns with it, other, repeated so that it takes about as
// long. It reports, as metric, the time per byte of w relative to other, from the best turn of
// each: other load on the machine affects both alike, and the best turns least.
func (w workload) benchBeside(b *testing.B, other workload, metric string) {
	b.SetBytes(int64(w.size))
	b.ReportAllocs()
	times := min(max(1, w.size/other.size), 1<<10)
	own, beside := time.Duration(math.MaxInt64), time.Duration(math.MaxInt64)
	for b.Loop() {
		start := time.Now()
		w.run()
		own = min(own, time.Since(start))

		b.StopTimer()
		start = time.Now()
		for range times {
			other.run()
		}
		beside = min(beside, time.Since(start))
		b.StartTimer()
	}
	perByte, besidePerByte := own.Seconds()/float64(w.size), beside.Seconds()/float64(times*other.size)
	b.ReportMetric(perByte/besidePerByte, metric)
}
