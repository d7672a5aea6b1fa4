package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"sync/atomic"
	"time"

	"github.com/schollz/progressbar/v3"
)

// progress shows the progress of a run on a terminal: how much is done, how fast, and how
// long it will take. Elsewhere it is nil, and does nothing.
type progress struct {
	bar     *progressbar.ProgressBar
	results atomic.Int64
}

// newProgress begins to show the progress over inputs. The time left is known only if all
// of them are files.
func (r *batchRun) newProgress(names []string) *progress {
	if r.quiet || !isTerminal(r.cli.stderr.w) || r.output == "" && isTerminal(r.cli.stdout.w) { // where the results go
		return nil
	}
	total := int64(0)
	for _, name := range names {
		info, err := os.Stat(name)
		if name == "-" || err != nil || !info.Mode().IsRegular() {
			total = -1
			break
		}
		total += info.Size()
	}
	return &progress{bar: progressbar.NewOptions64(total,
		progressbar.OptionSetWriter(r.cli.stderr.w), progressbar.OptionShowBytes(true), progressbar.OptionSetPredictTime(true),
		progressbar.OptionThrottle(200*time.Millisecond), progressbar.OptionClearOnFinish(), progressbar.OptionSetWidth(20),
	)}
}

// reader counts the bytes that are read of an input.
func (p *progress) reader(r io.Reader) io.Reader {
	if p == nil {
		return r
	}
	return io.TeeReader(r, p.bar)
}

// writer counts the results that are written.
func (p *progress) writer(w io.Writer) io.Writer {
	if p == nil {
		return w
	}
	return countingWriter{w, p}
}

type countingWriter struct {
	io.Writer
	*progress
}

func (w countingWriter) Write(b []byte) (int, error) {
	n, err := w.Writer.Write(b)
	w.bar.Describe(fmt.Sprintf("%d records", w.results.Add(int64(bytes.Count(b[:n], []byte("\n"))))))
	return n, err
}

// close removes the progress from the terminal.
func (p *progress) close() {
	if p != nil {
		_ = p.bar.Clear() // of a terminal: there is nobody to tell
	}
}
