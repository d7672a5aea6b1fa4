package parser

import (
	"io"
	"iter"
	"unicode/utf8"

	"github.com/toolparse/toolparse/internal/printable"
	"github.com/toolparse/toolparse/toolcall"
)

// defaultChunk is the size of one read, in bytes.
const defaultChunk = 4 << 10

// maxEmptyReads limits the consecutive reads that return nothing.
const maxEmptyReads = 100

// Text reads r as text deltas, one for each read, of about size bytes (0 or less means
// 4096). A delta does not end inside a UTF-8 sequence, unless the input ends there or the
// sequence is invalid. The iterator is lazy and single-use, and does not close r. An error
// of r other than io.EOF comes last, unchanged; [io.ErrNoProgress] comes after a hundred
// consecutive reads without bytes or an error. Each delta costs one copy of its bytes.
func Text(r io.Reader, size int) iter.Seq2[toolcall.Delta, error] {
	if size <= 0 {
		size = defaultChunk
	}
	return func(yield func(toolcall.Delta, error) bool) {
		buf := make([]byte, utf8.UTFMax+size)
		cut := 0   // bytes of a sequence that the last read cut
		empty := 0 // consecutive reads that returned nothing
		for {
			n, err := r.Read(buf[cut : cut+size])
			if empty++; n > 0 {
				empty = 0
			} else if err == nil && empty == maxEmptyReads {
				err = io.ErrNoProgress
			}
			n += cut
			cut = 0
			if err == nil {
				cut = printable.CutTail(buf[:n])
			}
			if n > cut && !yield(toolcall.Delta{Kind: toolcall.DeltaText, Text: string(buf[:n-cut])}, nil) {
				return
			}
			copy(buf, buf[n-cut:n])
			if err != nil {
				if err != io.EOF {
					yield(toolcall.Delta{}, err)
				}
				return
			}
		}
	}
}
