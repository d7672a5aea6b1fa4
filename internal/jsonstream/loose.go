package jsonstream

import (
	"strings"

	"github.com/toolparse/toolparse/internal/jsonvalue"
	"github.com/toolparse/toolparse/internal/lex"
	"github.com/toolparse/toolparse/toolcall"
)

// closes reports whether in[i:], which follows a quote, is enough to be sure that the quote
// closes its string.
func closes(in string, i int) bool {
	i = lex.SkipBlanks(in, i)
	return i < len(in) && (in[i] == ',' || in[i] == '}' || in[i] == ']')
}

// loose handles the states that only a lenient reader has: comments, a quote that may be
// content, and the closer. emit is false if the byte completes no token.
func (s *Scanner) loose(in string, i int) (kind Kind, next int, emit bool) {
	if s.lex == inLine {
		i = s.line(in, i)
	}
	if i == len(in) {
		return More, i, true
	}
	switch c := in[i]; s.lex {
	case inSlash:
		switch c {
		case '/':
			s.lex = inLine
		case '*':
			s.lex = inBlock
		default:
			return s.invalid(ErrSyntax, i)
		}
		s.Tolerances |= toolcall.Comment
	case inLine:
		if c != '\n' {
			s.inside, s.lex, s.marker = inLine, inMarker, 0
			return More, i, false
		}
		s.lex = between
		return More, i, false
	case inBlock:
		return s.block(in, i)
	case inStar:
		switch c {
		case '/':
			s.lex, s.past = between, 0
			return More, i + 1, false
		case '*':
			s.hide(1)
		default:
			s.lex = inBlock
			return More, i, false
		}
	case afterQuote:
		return s.afterQuote(in, i)
	case inMarker:
		return s.inMarker(in, i)
	}
	return More, i + 1, false
}

// line returns the offset, in a line comment, of the end of the line or of a possible
// closer.
func (s *Scanner) line(in string, i int) int {
	n := strings.IndexByte(in[i:], '\n')
	if n < 0 {
		n = len(in)
	} else {
		n += i
	}
	return s.markerStop(in, i, n)
}

// block reads more of a block comment, up to a star or a possible closer.
func (s *Scanner) block(in string, i int) (kind Kind, next int, emit bool) {
	n := strings.IndexByte(in[i:], '*')
	if n < 0 {
		n = len(in) - i
	}
	j := i + n
	if s.past == 0 {
		j = s.markerStop(in, i, j)
	}
	s.hide(j - i)
	switch {
	case j == len(in):
		return More, j, true
	case in[j] == '*':
		s.lex = inStar
		s.hide(1)
		return More, j + 1, false
	}
	s.inside, s.lex, s.marker = inBlock, inMarker, 0
	return More, j, false
}

// hide counts n bytes of a block comment after the closer in it.
func (s *Scanner) hide(n int) {
	if s.past > 0 {
		s.past += n
	}
}

// markerStop returns the offset in in[i:j] at which the closer may begin, or j.
func (s *Scanner) markerStop(in string, i, j int) int {
	if s.Closer == "" {
		return j
	}
	if n := strings.IndexByte(in[i:j], s.Closer[0]); n >= 0 {
		return i + n
	}
	return j
}

// closerStop returns the offset in in[i:j] at which the Closer begins, or begins and may go on
// in the next input, or j.
func (s *Scanner) closerStop(in string, i, j int) int {
	for ; i < j; i++ {
		n := strings.IndexByte(in[i:j], s.Closer[0])
		if n < 0 {
			break
		}
		i += n
		if rest := in[i:j]; strings.HasPrefix(rest, s.Closer) || j == len(in) && strings.HasPrefix(s.Closer, rest) {
			return i
		}
	}
	return j
}

// hasCloser reports whether Next must return ErrInString at the Closer in the key in[i:j].
func (s *Scanner) hasCloser(in string, i, j int) bool {
	return s.Stops && j-i >= len(s.Closer) && strings.Contains(in[i:j], s.Closer)
}

// KeepCloser continues after ErrInString: the Closer is content. It returns the token of that.
func (s *Scanner) KeepCloser() Kind {
	s.Err, s.lex, s.marker, s.gap = nil, inString, 0, gapNone
	s.add(s.Closer)
	kind, _, _ := s.char(s.Closer, 0)
	return kind
}

// SingleQuoted reports whether single quotes enclose the current string, which then may contain
// double ones.
func (s *Scanner) SingleQuoted() bool { return s.quote == '\'' }

func (s *Scanner) beginsMarker(c byte) bool { return s.Closer != "" && c == s.Closer[0] }

// inMarker reads in[i], a byte of what may be the closer. If it does not match, the bytes
// that did become content.
func (s *Scanner) inMarker(in string, i int) (Kind, int, bool) {
	if in[i] == s.Closer[s.marker] {
		if s.marker++; s.marker == len(s.Closer) {
			switch s.inside {
			case afterQuote:
				s.quoteCloses()
			case inBlock: // it counts if the comment does not end
				s.lex, s.past, s.marker = inBlock, s.marker, 0
				return More, i + 1, false
			}
			if s.inside == inString && !s.doubt {
				return s.invalid(ErrInString, i+1)
			}
			return s.invalid(ErrCloser, i+1)
		}
		return More, i + 1, false
	}
	again := s.begunAgain()
	read := s.Closer[:s.marker-again]
	if s.marker = again; again == 0 {
		s.lex = s.inside
	}
	if s.inside == afterQuote {
		s.quoteIsContent()
		s.add(read)
		s.Part += read
		return StringPart, i, !s.Quiet
	}
	if s.inside != inString {
		return More, i, false
	}
	s.add(read)
	return s.char(read, i)
}

// begunAgain returns how many of the bytes that matched the closer, in a string, are the
// beginning of another closer.
func (s *Scanner) begunAgain() int {
	for k := s.marker - 1; k > 0 && s.inside == inString; k-- {
		if s.Closer[:k] == s.Closer[s.marker-k:s.marker] {
			return k
		}
	}
	return 0
}

// afterQuote reads in[i], which decides whether the quote before it closes the string. hold
// has the blanks between the two.
func (s *Scanner) afterQuote(in string, i int) (Kind, int, bool) {
	c := in[i]
	if s.twice {
		if s.gap == gapColon {
			return s.invalid(ErrSyntax, i)
		}
		if c == ',' || c == '}' || c == ']' || lex.IsBlank(c) { // the second quote closes
			s.quoteIsContent()
			s.twice, s.lex = false, afterQuote
			return StringPart, i, !s.Quiet
		}
		s.quoteCloses()
		s.again = true
		return StringEnd, i, true
	}
	switch {
	case lex.IsBlank(c):
		s.hold = append(s.hold, c)
		return More, i + 1, false
	case c == '"' && len(s.hold) == 0:
		s.twice = true
		return More, i + 1, false
	case c == ',' || c == '}' || c == ']' || c == '"':
		s.quoteCloses()
		return StringEnd, i, true
	case s.beginsMarker(c):
		s.inside, s.lex, s.marker = afterQuote, inMarker, 0
		return More, i, false
	}
	err := s.quoteInGap(c, len(s.hold) == 0)
	if s.quoteIsContent(); err != nil {
		return s.invalid(err, i)
	}
	return StringPart, i, !s.Quiet
}

// quoteCloses ends the string with the quote that was read.
func (s *Scanner) quoteCloses() {
	s.add(`"`)
	s.addBytes(s.hold)
	s.hold, s.lex, s.doubt = s.hold[:0], between, false
	s.endValue()
}

// quoteIsContent makes the quote that was read, and the blanks after it, content.
func (s *Scanner) quoteIsContent() {
	s.Tolerances |= toolcall.UnescapedQuote
	s.add(`\"`)
	for _, c := range s.hold {
		if c < 0x20 {
			s.Tolerances |= toolcall.ControlCharacter
			s.add(jsonvalue.Escape(c))
			continue
		}
		s.add(" ")
	}
	s.Part = `"` + string(s.hold)
	s.hold, s.lex, s.doubt = s.hold[:0], inString, true
}
