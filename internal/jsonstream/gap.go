package jsonstream

import (
	"slices"
	"strings"
)

// gap tracks, inside a string, how much of the text between two objects the content ends
// with: }},{"key". A string that lacks its closing quote runs on into that text, which is
// how the scanner recognises it. It also runs on into the next member: "key": "text.
type gap uint8

const (
	gapNone  gap = iota
	gapClose     // after one brace
	gapEnd       // after two or more braces
	gapComma
	gapBrace
	gapKey    // in the key
	gapMember // in what may be the key of the next member
	gapColon  // after that key
)

// followGap updates the gap with the next run of the string's content.
func (s *Scanner) followGap(run string) {
	switch s.gap {
	case gapKey:
		if len(s.next)+len(run) > maxBareKey {
			s.gap = gapNone
			return
		}
		s.next = append(s.next, run...)
		return
	case gapMember:
		return
	case gapColon:
		if strings.Trim(run, ": ") == "" {
			return
		}
	}
	from := len(run)
	for from > 0 && isGap(run[from-1]) {
		from--
	}
	if from > 0 {
		s.gap = gapNone
	}
	for _, c := range []byte(run[from:]) {
		switch {
		case c == '}' && (s.gap == gapClose || s.gap == gapEnd):
			s.gap = gapEnd
		case c == '}':
			s.gap = gapClose
		case c == ',' && s.gap == gapEnd:
			s.gap = gapComma
		case c == '{' && (s.gap == gapEnd || s.gap == gapComma):
			s.gap = gapBrace
		case c != ' ' || s.gap == gapNone:
			s.gap = gapNone
		}
	}
}

func isGap(c byte) bool { return c == '}' || c == ',' || c == '{' || c == ' ' }

// quoteInGap handles a quote that has become content, at the byte c after it. bare means
// that no blanks come between the two. It returns an error if the string has run on into
// the next object or member.
func (s *Scanner) quoteInGap(c byte, bare bool) error {
	was := s.gap
	s.gap = gapNone
	switch {
	case was == gapColon, c == ':' && s.top() == '[' && was == gapNone && !s.doubt:
		return ErrSyntax
	case was == gapKey && c == ':' && slices.Contains(s.Keys, string(s.next)):
		return ErrMissingQuote
	case c == ':' && (was == gapKey || was == gapMember || !s.doubt):
		s.gap = gapColon
	case was == gapBrace && bare:
		s.gap, s.next = gapKey, s.next[:0]
	case bare:
		s.gap = gapMember
	}
	return nil
}

// NextKey returns, after ErrMissingQuote, the first key of the object that the string ran into.
func (s *Scanner) NextKey() string { return string(s.next) }

// EndsInGap reports whether a run of a string's content ends with something that may begin
// the text between two objects.
func EndsInGap(run string) bool {
	n := len(run)
	for n > 0 && isGap(run[n-1]) {
		if n--; run[n] == '}' {
			return true
		}
	}
	return false
}
