package format

import (
	"io"

	"github.com/toolparse/toolparse/internal/utf8cut"
	"github.com/toolparse/toolparse/toolcall"
)

// text gives the input as text, a delta for each read. A delta does not end
// inside a UTF-8 sequence, unless the input does.
func (s *Stream) text(yield func(toolcall.Delta, error) bool) error {
	var buf []byte
	for {
		p, err := s.in.next()
		buf = append(buf, p...)
		kept := 0
		if err == nil {
			kept = utf8cut.Tail(buf)
		}
		if n := len(buf) - kept; n > 0 {
			if !yield(toolcall.Delta{Kind: toolcall.DeltaText, Text: string(buf[:n])}, nil) {
				return errStopped
			}
			buf = append(buf[:0], buf[n:]...)
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}
