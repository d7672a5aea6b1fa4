package jsonstream

import (
	"github.com/toolparse/toolparse/internal/bytescan"
	"github.com/toolparse/toolparse/internal/jsonvalue"
	"github.com/toolparse/toolparse/internal/lex"
	"github.com/toolparse/toolparse/toolcall"
)

// openString reads the opening quote of a key or a string.
func (s *Scanner) openString(in string, i int) (Kind, int, bool) {
	s.key = s.KeyNext()
	if s.key && !s.beginKey() || !s.key && !s.beginValue() {
		return s.invalid(ErrSyntax, i)
	}
	s.quote, s.lex, s.text, s.escape.High, s.doubt, s.gap = in[i], inString, s.text[:0], 0, false, gapNone
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
	if end := bytescan.PlainEnd(in, i+1); end < len(in) && in[end] == '"' && s.quote == '"' && end-i <= maxKey && !s.hasCloser(in, i+1, end) {
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
	} else if s.Quiet && !s.key && s.escape.High == 0 {
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
	if s.escape.High != 0 && (j > i || j < len(in) && in[j] != '\\') {
		return s.char(s.escape.Flush(), i)
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
	case c == '\\' && j+1 < len(in) && s.escape.High == 0 && simpleEscapes[in[j+1]] != "":
		if s.Out != nil {
			s.Out.Pass(in, j, j+2)
		}
		return s.char(simpleEscapes[in[j+1]], j+2)
	case c == '\\':
		s.lex = inEscape
		s.escape.Begin()
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

// readEscape reads an escape, or a part of one, from in[i] on.
func (s *Scanner) readEscape(in string, i int) (Kind, int, bool) {
	text, next, verdict := s.escape.Read(in, i)
	switch raw := s.escape.Raw(); {
	case verdict == lex.EscapeMore:
	case verdict == lex.EscapeWrong: // its backslash is literal, and the bytes after it are content
		s.Tolerances |= toolcall.InvalidEscape
		s.add(`\\`)
		s.addBytes(raw[1:])
	case string(raw) == `\'`: // JSON has no such escape, but the languages that models write do
		if s.quote == '"' {
			s.Tolerances |= toolcall.InvalidEscape
		}
		s.add(`'`)
	default:
		s.addBytes(raw)
	}
	if verdict != lex.EscapeMore {
		s.lex = inString
	}
	kind, _, emit := s.char(text, next)
	return kind, next, emit && text != ""
}

// simpleEscapes maps the character after a backslash to what the escape stands for.
var simpleEscapes = [256]string{
	'"': `"`, '\\': `\`, '/': "/", 'b': "\b", 'f': "\f", 'n': "\n", 'r': "\r", 't': "\t",
}
