package format

import (
	"io"
	"unicode/utf8"

	"github.com/toolparse/toolparse"
)

// text gives the input as text, a delta for each read. A delta does not end
// inside a UTF-8 sequence, unless the input does.
func (s *Stream) text(yield func(toolparse.Delta, error) bool) error {
	var buf []byte
	for {
		p, err := s.in.next()
		buf = append(buf, p...)
		kept := 0
		if err == nil {
			kept = cutRune(buf)
		}
		if n := len(buf) - kept; n > 0 {
			if !yield(toolparse.Delta{Kind: toolparse.DeltaText, Text: string(buf[:n])}, nil) {
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

// cutRune returns the length of an incomplete UTF-8 sequence at the end of b.
func cutRune(b []byte) int {
	for n := 1; n < utf8.UTFMax && n <= len(b); n++ {
		if c := b[len(b)-n]; utf8.RuneStart(c) {
			if !utf8.FullRune(b[len(b)-n:]) {
				return n
			}
			return 0
		}
	}
	return 0
}
