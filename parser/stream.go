package parser

import (
	"io"
	"iter"
	"unicode/utf8"

	"github.com/toolparse/toolparse"
)

// Events parses a stream of deltas. The iterator is lazy and single-use. An
// error of deltas comes last, after the events of what had arrived: every
// segment that was open ends first. So does an error of opts, alone.
func Events(deltas iter.Seq2[toolparse.Delta, error], opts Options) iter.Seq2[toolparse.Event, error] {
	return func(yield func(toolparse.Event, error) bool) {
		p, err := New(opts)
		if err != nil {
			yield(toolparse.Event{}, err)
			return
		}
		var events []toolparse.Event
		var order Order
		send := func() bool {
			for _, e := range events {
				if opts.Strict {
					if broken := order.Check(e); broken != nil {
						yield(toolparse.Event{}, broken)
						return false
					}
				}
				if !yield(e, nil) {
					return false
				}
			}
			return true
		}
		for d, failed := range deltas {
			if failed != nil {
				err = failed
				break
			}
			if events = p.FeedDelta(events[:0], d); !send() {
				return
			}
		}
		if events = p.Close(events[:0]); send() && err != nil {
			yield(toolparse.Event{}, err)
		}
	}
}

// defaultChunk is the size of one read, in bytes.
const defaultChunk = 4 << 10

// Text reads r as text deltas, one for each read, of about size bytes (0 means
// 4096). A delta does not end inside a UTF-8 sequence, unless the input does
// so or the sequence is broken. The iterator is lazy and single-use; an error
// of r other than io.EOF comes last.
func Text(r io.Reader, size int) iter.Seq2[toolparse.Delta, error] {
	if size <= 0 {
		size = defaultChunk
	}
	return func(yield func(toolparse.Delta, error) bool) {
		buf := make([]byte, utf8.UTFMax+size)
		kept := 0 // bytes of a sequence that the last read cut
		for {
			n, err := r.Read(buf[kept : kept+size])
			n += kept
			kept = 0
			if err == nil {
				kept = cutRune(buf[:n])
			}
			if n > kept && !yield(toolparse.Delta{Kind: toolparse.DeltaText, Text: string(buf[:n-kept])}, nil) {
				return
			}
			copy(buf, buf[n-kept:n])
			if err != nil {
				if err != io.EOF {
					yield(toolparse.Delta{}, err)
				}
				return
			}
		}
	}
}

// cutRune is the length of an incomplete UTF-8 sequence at the end of b.
func cutRune(b []byte) int {
	for n := 1; n < utf8.UTFMax && n <= len(b); n++ {
		if c := b[len(b)-n]; utf8.RuneStart(c) {
			if c >= utf8.RuneSelf && !utf8.FullRune(b[len(b)-n:]) {
				return n
			}
			return 0
		}
	}
	return 0
}

// Writer returns a writer that feeds p and hands its events to yield, for use
// with io.Copy or io.TeeReader. Close closes p. An error of yield ends the
// writing and is returned.
func (p *Parser) Writer(yield func(toolparse.Event) error) io.WriteCloser {
	return &writer{p: p, yield: yield}
}

type writer struct {
	p      *Parser
	yield  func(toolparse.Event) error
	events []toolparse.Event
}

// Write parses b, which it does not keep.
func (w *writer) Write(b []byte) (int, error) {
	w.events = w.p.Feed(w.events[:0], string(b))
	return len(b), w.send()
}

// Close ends the stream.
func (w *writer) Close() error {
	w.events = w.p.Close(w.events[:0])
	return w.send()
}

func (w *writer) send() error {
	for _, e := range w.events {
		if err := w.yield(e); err != nil {
			return err
		}
	}
	return nil
}
