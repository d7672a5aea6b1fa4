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

// verdict says what a line begins with.
type verdict uint8

const (
	unsure verdict = iota
	isKey          // a key and a colon precede this byte
	notKey         // not a key
)

func (h *keyScan) reset() { *h = keyScan{key: h.key[:0]} }

// takeName takes the bytes of a plain key from in[i] on that may be part of a name, and returns the
// offset after them.
func (h *keyScan) takeName(in string, i int) int {
	if h.at > keyPlain {
		return i
	}
	n, rest := 0, in[i:min(len(in), i+max(0, lex.MaxName-len(h.key)))]
	for n < len(rest) && inNames[rest[n]] {
		n++
	}
	if n > 0 {
		h.at, h.key, h.blank = keyPlain, append(h.key, in[i:i+n]...), false
	}
	return i + n
}

// inNames has the bytes of names, without the colon, which may end a key.
var inNames = func() (t [256]bool) {
	for c := range t {
		t[c] = lex.IsName(byte(c)) && c != ':'
	}
	return t
}()

// take takes the next byte of the line.
func (h *keyScan) take(c byte) verdict {
	switch h.at {
	case keyStart:
		switch c {
		case '"', '\'':
			h.at, h.quote = keyQuoted, c
			return unsure
		case '?', '[', ']', '{', '}', ',', '#', '&', '*', '!', '|', '>', '%', '@', '`', '<':
			return h.other()
		}
		h.at = keyPlain
		fallthrough
	case keyPlain:
		switch {
		case c == ':':
			h.at = keyColon
			return unsure
		case c == '\n', c == '<', c == '#' && h.blank, len(h.key) > lex.MaxName:
			return h.other()
		}
		h.key, h.blank = append(h.key, c), lex.IsBlank(c)
	case keyColon:
		if lex.IsBlank(c) {
			for len(h.key) > 0 && lex.IsBlank(h.key[len(h.key)-1]) {
				h.key = h.key[:len(h.key)-1]
			}
			return isKey
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
			return unsure
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
	return unsure
}

func (h *keyScan) other() verdict {
	h.at = keyNone
	return notKey
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
		switch y.head.take(c) {
		case isKey:
			return syntax.Begins, i
		case notKey:
			return syntax.Differs, i
		}
	}
	return syntax.Unsure, i
}
