package jsonstream

import (
	"unicode/utf8"

	"github.com/toolparse/toolparse/internal/bytescan"
	"github.com/toolparse/toolparse/internal/jsonvalue"
	"github.com/toolparse/toolparse/internal/strictjson"
	"github.com/toolparse/toolparse/toolcall"
)

// openString reads the opening quote of a key or a string.
func (s *Scanner) openString(in string, i int) (Kind, int, bool) {
	s.key = s.KeyNext()
	if s.key && !s.beginKey() || !s.key && !s.beginValue() {
		return s.invalid(ErrSyntax, i)
	}
	s.quote, s.lex, s.text, s.high, s.doubt, s.gap = in[i], inString, s.text[:0], 0, false, gapNone
	if s.quote == '"' {
		s.pass(in, i)
	} else {
		s.Tolerances |= toolcall.SingleQuotes
		s.add(`"`)
	}
	if !s.key {
		return StringStart, i + 1, true
	}
	// A name that has no escapes and is in the input completely, as most are, is read at once.
	if end := stringStop(in, i+1, s.quote); end < len(in) && in[end] == '"' && s.quote == '"' && end-i <= maxKey && !s.hasCloser(in, i+1, end) {
		if s.Out != nil {
			s.Out.Pass(in, i+1, end+1)
		}
		s.text, s.lex = append(s.text, in[i+1:end]...), between
		s.expect, s.members = expectColon, true
		return Key, end + 1, true
	}
	return More, i + 1, false
}

// stringRun reads a string's content up to the next byte that is not plain.
func (s *Scanner) stringRun(in string, i int) (Kind, int, bool) {
	if s.key && len(s.text) > maxKey { // only escapes can grow text beyond the limit
		return s.invalid(ErrLong, i)
	}
	j := stringStop(in, i, s.quote)
	if s.doubt {
		j = s.markerStop(in, i, j)
	} else if s.Quiet && !s.key && s.high == 0 {
		// The caller does not need the content: complete escapes are copied as they are.
		for j+1 < len(in) && in[j] == '\\' && simpleEscapes[in[j+1]] != "" {
			if j += 2; s.quote == '"' {
				j = bytescan.EscapedEnd(in, j)
			}
			j = stringStop(in, j, s.quote)
		}
	}
	if s.Stops && !s.doubt {
		j = s.closerStop(in, i, j)
	}
	if s.high != 0 && (j > i || j < len(in) && in[j] != '\\') {
		s.high = 0
		if s.key {
			s.text = append(s.text, replacement...)
		} else {
			s.Part = replacement
			return StringPart, i, !s.Quiet
		}
	}
	if j > i {
		room := max(0, maxKey-len(s.text))
		long := s.key && j-i > room
		if long {
			j = i + room
		}
		if s.Out != nil {
			s.Out.Pass(in, i, j)
		}
		if !s.key {
			if s.Loose {
				s.followGap(in[i:j])
			}
			s.Part = in[i:j]
			return StringPart, j, !s.Quiet
		}
		s.text = append(s.text, in[i:j]...)
		if long {
			return s.invalid(ErrLong, j)
		}
	}
	if j == len(in) {
		return More, j, true
	}
	switch c := in[j]; {
	case c == '\\' && s.gap != gapNone:
		s.gap = gapNone
		return More, j, false
	case (s.doubt || s.Stops) && s.beginsMarker(c):
		s.inside, s.lex, s.marker = inString, inMarker, 0
		return More, j, false
	case c == s.quote && s.Loose && c == '"' && !s.key && len(s.stack) > 0 && !closes(in, j+1):
		s.lex, s.twice, s.hold = afterQuote, false, s.hold[:0]
		return More, j + 1, false
	case c == s.quote:
		if c == '"' {
			s.pass(in, j)
		} else {
			s.add(`"`)
		}
		s.lex = between
		if s.key {
			s.expect, s.members = expectColon, true
			return Key, j + 1, true
		}
		s.endValue()
		return StringEnd, j + 1, true
	case c == '\\' && j+1 < len(in) && s.high == 0 && simpleEscapes[in[j+1]] != "":
		if s.Out != nil {
			s.Out.Pass(in, j, j+2)
		}
		return s.char(simpleEscapes[in[j+1]], j+2)
	case c == '\\':
		s.lex, s.hold = inEscape, append(s.hold[:0], '\\')
		s.Part = ""
		return More, j + 1, false
	case c == '"': // inside single quotes
		s.add(`\"`)
		return s.char(`"`, j+1)
	default: // a raw control character
		s.Tolerances |= toolcall.ControlCharacter
		s.add(jsonvalue.Escape(c))
		return s.char(in[j:j+1], j+1)
	}
}

// char emits one character of a string, or adds it to the key.
func (s *Scanner) char(c string, next int) (Kind, int, bool) {
	if s.key {
		s.text = append(s.text, c...)
		return More, next, false
	}
	s.Part = c
	return StringPart, next, !s.Quiet
}

// escape reads in[i], a byte of an escape, and returns the offset after what it consumed.
// hold has the bytes before it. It sets Part to the decoded text, or to "" if the escape is
// incomplete.
func (s *Scanner) escape(in string, i int) int {
	c := in[i]
	s.Part = ""
	if s.lex == inUnicode {
		if !strictjson.IsHex(c) {
			// Too few digits follow the u: the backslash is literal.
			s.mendEscape()
			return i
		}
		if s.hold = append(s.hold, c); len(s.hold) == 6 {
			s.endUnicode()
		}
		return i + 1
	}
	if c == 'u' {
		s.lex, s.hold = inUnicode, append(s.hold, c)
		return i + 1
	}
	if char := simpleEscapes[c]; char != "" {
		s.hold = append(s.hold, c)
		s.addBytes(s.hold)
		s.endEscape(char)
		return i + 1
	}
	if c == '\'' { // JSON has no such escape, but the languages that models write do
		if s.quote == '"' {
			s.Tolerances |= toolcall.InvalidEscape
		}
		s.add(`'`)
		s.endEscape(`'`)
		return i + 1
	}
	s.mendEscape()
	return i
}

// endEscape ends an escape that stands for char.
func (s *Scanner) endEscape(char string) {
	s.hold, s.lex = s.hold[:0], inString
	s.decoded(s.loneSurrogate(), char)
}

// simpleEscapes maps the character after a backslash to what the escape stands for.
var simpleEscapes = [256]string{
	'"': `"`, '\\': `\`, '/': "/", 'b': "\b", 'f': "\f", 'n': "\n", 'r': "\r", 't': "\t",
}

// mendEscape repairs an unknown escape: its backslash is literal, and the bytes after it
// are content.
func (s *Scanner) mendEscape() {
	s.Tolerances |= toolcall.InvalidEscape
	s.add(`\\`)
	s.addBytes(s.hold[1:])
	s.endEscape(string(s.hold))
}

// endUnicode decodes the \uXXXX in hold, and combines surrogates.
func (s *Scanner) endUnicode() {
	r := strictjson.CodeUnit(s.hold[2:])
	s.addBytes(s.hold)
	s.hold, s.lex = s.hold[:0], inString
	switch {
	case r >= 0xD800 && r < 0xDC00:
		lone := s.loneSurrogate()
		s.high = r
		s.decoded(lone, "")
	case r >= 0xDC00 && r < 0xE000 && s.high != 0:
		r = (s.high-0xD800)<<10 | (r - 0xDC00) + 0x10000
		s.high = 0
		s.decoded("", string(r))
	case r >= 0xDC00 && r < 0xE000:
		s.decoded("", replacement)
	default:
		s.decoded(s.loneSurrogate(), string(r))
	}
}

const replacement = string(utf8.RuneError)

// loneSurrogate returns the replacement character if a high surrogate waits in vain, or "".
func (s *Scanner) loneSurrogate() string {
	if s.high == 0 {
		return ""
	}
	s.high = 0
	return replacement
}

// decoded adds the characters to the key, or sets Part.
func (s *Scanner) decoded(a, b string) {
	if s.key {
		s.text = append(append(s.text, a...), b...)
		return
	}
	if a == "" {
		s.Part = b
		return
	}
	s.Part = a + b
}
