package batch

import (
	"bufio"
	"bytes"
	"context"
	"errors"
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
	todo, ordered := make(chan *chunk), make(chan *chunk, 2*b.opts.Workers)
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

	all := newStats()
	var writeErr error
	for c := range ordered {
		<-c.done
		if writeErr != nil {
			continue // finish what has begun
		}
		all.add(c.stats)
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

// chunk is a sequence of records that one worker reads.
type chunk struct {
	data  []byte
	lines []line
	done  chan struct{} // closed when the following fields are set

	out    []byte
	stats  *Stats
	failed error // a *RecordError that ends the run
}

// newChunk returns an empty chunk, if possible with the memory of a spare one.
func newChunk(spare <-chan *chunk) *chunk {
	c := &chunk{done: make(chan struct{})}
	select {
	case old := <-spare:
		if cap(old.data) <= 2*chunkBytes { // otherwise it had a large record
			c.data, c.lines = old.data[:0], old.lines[:0]
		}
		if cap(old.out) <= 4*chunkBytes {
			c.out = old.out[:0]
		}
	default:
	}
	return c
}

// line is a record of a chunk.
type line struct {
	number   int64
	from, to int
	tooLarge bool
}

// The size from which a chunk is full, in bytes and in records.
const (
	chunkBytes   = 128 << 10
	chunkRecords = 256
)

// split cuts an input into chunks and passes them to send, until that returns false.
func (b *Batch) split(ctx context.Context, r io.Reader, spare <-chan *chunk, send func(*chunk) bool) error {
	in := buffered(r)
	number, skip := b.opts.FirstLine, b.opts.Skip
	c := newChunk(spare)
	for ctx.Err() == nil {
		from := len(c.data)
		var tooLarge bool
		var err error
		c.data, tooLarge, err = appendLine(c.data, in, b.opts.MaxRecordBytes)
		record := bytes.TrimSpace(c.data[from:])
		switch {
		case len(record) == 0 && !tooLarge:
			c.data = c.data[:from]
		case skip > 0:
			skip--
			c.data = c.data[:from]
		case err != nil && err != io.EOF: // an incomplete record: it is read again after a Resume
			c.data = c.data[:from]
		default:
			c.lines = append(c.lines, line{number, from, len(c.data), tooLarge})
		}
		number++
		full := len(c.data) >= chunkBytes || len(c.lines) >= chunkRecords
		if len(c.lines) > 0 && (full || err != nil || in.Buffered() == 0) {
			if !send(c) {
				return nil
			}
			c = newChunk(spare)
		}
		if err == io.EOF {
			if skip > 0 {
				return &SkipError{b.opts.Skip - skip, b.opts.Skip}
			}
			return nil
		}
		if err != nil {
			return &InputError{number - 1, err}
		}
	}
	return nil
}

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

// appendLine appends the next line. It skips a line of more than most bytes.
func appendLine(dst []byte, in *bufio.Reader, most int) (_ []byte, tooLarge bool, err error) {
	from := len(dst)
	for {
		piece, err := in.ReadSlice('\n')
		if !tooLarge {
			dst = append(dst, piece...)
			if len(dst)-from > most && len(bytes.TrimRight(dst[from:], "\r\n")) > most {
				dst, tooLarge = dst[:from], true
				if cap(dst) > 2*chunkBytes {
					dst = append(make([]byte, 0, from), dst...) // so that the chunk does not keep the memory
				}
			}
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return dst, tooLarge, err
		}
	}
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
