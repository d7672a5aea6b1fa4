package parser

import (
	"io"
	"iter"

	"github.com/toolparse/toolparse"
)

// Events parses a stream of deltas. The iterator is lazy and single-use. An
// error of deltas comes last, after the events of what had arrived: every
// segment that was open ends first.
func Events(deltas iter.Seq2[toolparse.Delta, error], opts Options) iter.Seq2[toolparse.Event, error] {
	return func(yield func(toolparse.Event, error) bool) {}
}

// Text reads r as text deltas, one a read, of at most size bytes each (0 means
// 4096). A delta never ends inside a UTF-8 sequence, unless the input does.
func Text(r io.Reader, size int) iter.Seq2[toolparse.Delta, error] {
	return func(yield func(toolparse.Delta, error) bool) {}
}
