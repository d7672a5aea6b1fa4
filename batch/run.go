package batch

import (
	"context"
	"fmt"
	"io"
	"sync"
	"time"
)

// Run reads the records of r and writes their results to w, in the same order. It ends
// with the input, with ctx, with an error of r or w, or, with [Options.Strict], with a
// [RecordError], after writing the results of all records before that. Memory is bounded
// by a few chunks of records for each worker, whatever the size of the input. Blank lines
// are skipped.
func (b *Batch) Run(ctx context.Context, w io.Writer, r io.Reader) (*Stats, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	start := time.Now()

	var workers sync.WaitGroup
	todo, ordered := make(chan *chunk, 2*b.opts.Workers), make(chan *chunk, 2*b.opts.Workers)
	spare := make(chan *chunk, 4*b.opts.Workers) // finished chunks, to reuse their memory
	var readErr error
	workers.Go(func() {
		defer close(ordered)
		defer close(todo)
		readErr = b.split(ctx, r, spare, func(c *chunk) bool {
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

	all := NewStats()
	var writeErr error
	for c := range ordered {
		<-c.done
		if writeErr != nil {
			continue // finish what has begun
		}
		all.Add(c.stats)
		if _, err := w.Write(c.out); err != nil {
			writeErr = &OutputError{err}
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

// OutputError means that a result could not be written.
type OutputError struct{ Err error }

func (e *OutputError) Error() string { return "output: " + e.Err.Error() }
func (e *OutputError) Unwrap() error { return e.Err }

// RecordError means that a record could not be read. [Options.Strict] ends the run with
// it.
type RecordError struct {
	Line int64
	Err  error
}

func (e *RecordError) Error() string { return fmt.Sprintf("line %d: %v", e.Line, e.Err) }
func (e *RecordError) Unwrap() error { return e.Err }

// SkipError means that an input has fewer records than [Options.Skip].
type SkipError struct{ Records, Skip int64 }

func (e *SkipError) Error() string {
	return fmt.Sprintf("the output has results for %[2]d records, but the input has only %[1]d: the output belongs to another input", e.Records, e.Skip)
}

// InputError means that the input could not be read.
type InputError struct {
	Line int64 // the line that was being read
	Err  error
}

func (e *InputError) Error() string { return fmt.Sprintf("line %d: %v", e.Line, e.Err) }
func (e *InputError) Unwrap() error { return e.Err }

// work reads the records of a chunk.
func (w *worker) work(c *chunk) {
	b := w.batch
	c.stats = NewStats()
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
			c.out, c.failed = c.out[:from], &RecordError{l.number, err}
			break
		}
		c.stats.Records++
		if err != nil {
			c.stats.Errors++
		}
		c.out = append(c.out, '\n')
	}
}
