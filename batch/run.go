package batch

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"
)

// Run reads the records of r, which may be compressed with gzip or zstd, and writes their
// results to w, in the same order. It ends with the input, with ctx, with an error of w, or
// with a [LineError] of r or, with [Options.Strict], of a record, after writing the results of
// all records before that. Memory is bounded by a few chunks of records for each worker,
// whatever the size of the input. Blank lines are skipped.
func (b *Batch) Run(ctx context.Context, w io.Writer, r io.Reader) (*Stats, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	start := time.Now()
	all := newStats()
	plain, err := decompressed(r)
	if err != nil {
		return all, err
	}
	defer plain.Close()

	var workers sync.WaitGroup
	todo, ordered := make(chan *chunk, 2*b.opts.Workers), make(chan *chunk, 2*b.opts.Workers)
	spare := make(chan *chunk, 4*b.opts.Workers) // finished chunks, to reuse their memory
	var readErr error
	workers.Go(func() {
		defer close(ordered)
		defer close(todo)
		readErr = b.split(ctx, plain, spare, func(c *chunk) bool {
			select {
			case ordered <- c:
			case <-ctx.Done():
				return false
			}
			todo <- c // a worker is always ready to take it
			return true
		})
	})
	for range b.opts.Workers {
		workers.Go(func() {
			w := worker{batch: b, calls: tally{known: map[callKind]*callCount{}}}
			for c := range todo {
				w.work(c)
				close(c.done)
			}
		})
	}

	var writeErr error
	for c := range ordered {
		<-c.done
		if writeErr != nil {
			continue // finish what has begun
		}
		all.add(c.stats)
		if _, err := w.Write(c.out); err != nil {
			writeErr = fmt.Errorf("output: %w", err)
		} else if c.failed != nil {
			writeErr = c.failed
		}
		if writeErr != nil {
			cancel(writeErr)
		}
		select {
		case spare <- c:
		default:
		}
	}
	workers.Wait()
	all.Time = time.Since(start)
	switch {
	case writeErr != nil:
		return all, writeErr
	case readErr != nil:
		return all, readErr
	}
	return all, context.Cause(ctx)
}

// RunFiles is [Batch.Run] for several inputs, one after the other, which open opens by their
// names. If there are several, each result names its file. The first error ends the run,
// because the results of later inputs would be at the wrong place in the output.
func (b *Batch) RunFiles(ctx context.Context, w io.Writer, names []string, open func(name string) (io.ReadCloser, error)) (*Stats, error) {
	all, skip := newStats(), b.skip
	for i, name := range names {
		part := b.part("", skip)
		if len(names) > 1 {
			part.file = name
		}
		err := part.runFile(ctx, w, name, open, all)
		if short, ok := errors.AsType[*shortError](err); ok && i < len(names)-1 {
			skip -= short.records
			continue
		}
		if err != nil {
			return all, err
		}
		skip = 0
	}
	return all, nil
}

// runFile reads one input, and adds its counts to all.
func (b *Batch) runFile(ctx context.Context, w io.Writer, name string, open func(string) (io.ReadCloser, error), all *Stats) error {
	in, err := open(name)
	if err != nil {
		return err
	}
	defer in.Close()
	stats, err := b.Run(ctx, w, in)
	all.add(stats)
	return err
}

// LineError means that the input could not be read from a line on or, with [Options.Strict],
// that the record in this line could not be read.
type LineError struct {
	Line int64
	Err  error
}

func (e *LineError) Error() string { return fmt.Sprintf("line %d: %v", e.Line, e.Err) }
func (e *LineError) Unwrap() error { return e.Err }

// shortError means that an input has fewer records than are to be skipped.
type shortError struct{ records, skip int64 }

func (e *shortError) Error() string {
	return fmt.Sprintf("the output has results for %d records, but the input has only %d: the output belongs to another input", e.skip, e.records)
}

// work reads the records of a chunk.
func (w *worker) work(c *chunk) {
	b := w.batch
	c.stats = newStats()
	defer w.calls.addTo(c.stats)
	for _, l := range c.lines {
		from := len(c.out)
		var err error
		if l.tooLarge {
			err = fmt.Errorf("the record has more than %d bytes", b.opts.MaxRecordBytes)
			c.out = b.appendFailure(c.out, l.number, err)
		} else {
			c.out, err = w.append(c.out, c.data[l.from:l.to], l.number)
		}
		if err != nil && b.opts.Strict {
			c.out, c.failed = c.out[:from], &LineError{l.number, err}
			break
		}
		c.stats.Records++
		if err != nil {
			c.stats.Errors++
		}
		c.out = append(c.out, '\n')
	}
}
