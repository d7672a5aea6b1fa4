package yaml

import (
	"github.com/toolparse/toolparse/internal/lex"
	"github.com/toolparse/toolparse/internal/schema"
	"github.com/toolparse/toolparse/internal/syntax"
)

// keyScan checks, byte by byte, whether a line of YAML begins with a key.
type keyScan struct {
	at    keyPhase
	key   []byte
	quote byte
	blank bool // the last byte of a plain key is a blank
}

type keyPhase uint8

const (
	keyStart  keyPhase = iota
	keyPlain           // in a plain key
	keyColon           // after a colon
	keyQuoted          // in a quoted key
	keyAfter           // after a quoted key
	keyNone            // not a key
)

func (h *keyScan) reset() { *h = keyScan{key: h.key[:0]} }

// takeName takes the bytes of a plain key from in[i] on that may be part of a name, and returns the
// offset after them.
func (h *keyScan) takeName(in string, i int) int {
	if h.at > keyPlain {
		return i
	}
	n := lex.KeyBytes.End(in[:min(len(in), i+max(0, lex.MaxName-len(h.key)))], i)
	if n > i {
		h.at, h.key, h.blank = keyPlain, append(h.key, in[i:n]...), false
	}
	return n
}

// take takes the next byte of the line, and reports whether the line begins with a key and its
// colon, which precede this byte.
func (h *keyScan) take(c byte) syntax.Verdict {
	switch h.at {
	case keyStart:
		switch c {
		case '"', '\'':
			h.at, h.quote = keyQuoted, c
			return syntax.Unsure
		case '?', '[', ']', '{', '}', ',', '#', '&', '*', '!', '|', '>', '%', '@', '`', '<':
			return h.other()
		}
		h.at = keyPlain
		fallthrough
	case keyPlain:
		switch {
		case c == ':':
			h.at = keyColon
			return syntax.Unsure
		case c == '\n', c == '<', c == '#' && h.blank, len(h.key) > lex.MaxName:
			return h.other()
		}
		h.key, h.blank = append(h.key, c), lex.IsBlank(c)
	case keyColon:
		if lex.IsBlank(c) {
			for len(h.key) > 0 && lex.IsBlank(h.key[len(h.key)-1]) {
				h.key = h.key[:len(h.key)-1]
			}
			return syntax.Begins
		}
		if h.quote != 0 {
			return h.other()
		}
		h.key = append(h.key, ':')
		h.at = keyPlain
		return h.take(c)
	case keyQuoted:
		switch {
		case c == h.quote:
			h.at = keyAfter
			return syntax.Unsure
		case c == '\n', c == '\\', len(h.key) > lex.MaxName:
			return h.other()
		}
		h.key = append(h.key, c)
	case keyAfter:
		switch c {
		case ' ', '\t':
		case ':':
			h.at = keyColon
		default:
			return h.other()
		}
	}
	return syntax.Unsure
}

func (h *keyScan) other() syntax.Verdict {
	h.at = keyNone
	return syntax.Differs
}

// lookahead reads ahead after the tag that opens a call, to check whether arguments begin
// there: a key, a JSON object, or the closer.
type lookahead struct {
	head   keyScan
	at     lookaheadPhase
	dashes int
}

type lookaheadPhase uint8

const (
	aheadLine    lookaheadPhase = iota // at the beginning of a line
	aheadKey                           // in a possible key
	aheadComment                       // in a comment
	aheadDashes                        // in the dashes that begin a document
	aheadCloser                        // in a possible closer
)

// BeginLookahead starts after the opening tag.
func (m *machine) BeginLookahead(f *syntax.Form, _ *schema.Schema, _ bool) {
	m.form = f
	m.ahead.at, m.ahead.dashes = aheadLine, 0
	m.ahead.head.reset()
}

// ReadLookahead reads possible arguments. The tag is prose if these bytes cannot be arguments.
func (m *machine) ReadLookahead(in string, i int) (syntax.Verdict, int) {
	y := &m.ahead
	for ; i < len(in); i++ {
		c := in[i]
		switch y.at {
		case aheadLine:
			switch {
			case lex.IsBlank(c):
				continue
			case c == '{':
				return syntax.Begins, i
			case c == '#':
				y.at = aheadComment
				continue
			case c == '-':
				y.at, y.dashes = aheadDashes, 1
				continue
			case c == '<':
				y.at = aheadCloser
				m.match.Reset(m.form.After)
			default:
				y.at = aheadKey
			}
		case aheadComment:
			if c == '\n' {
				y.at = aheadLine
			}
			continue
		case aheadDashes:
			switch {
			case c == '-' && y.dashes < 3:
				y.dashes++
			case lex.IsBlank(c) && y.dashes == 3:
				y.at = aheadLine
			default:
				return syntax.Differs, i
			}
			continue
		}
		if y.at == aheadCloser {
			which, next := m.match.Match(in, i)
			switch which {
			case lex.MatchMore:
				return syntax.Unsure, next
			case lex.MatchNone:
				return syntax.Differs, next
			}
			return syntax.Begins, next
		}
		if n := y.head.takeName(in, i); n > i {
			i = n - 1
			continue
		}
		if verdict := y.head.take(c); verdict != syntax.Unsure {
			return verdict, i
		}
	}
	return syntax.Unsure, i
}
