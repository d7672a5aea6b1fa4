package yaml

import (
	"github.com/toolparse/toolparse/internal/lex"
	"github.com/toolparse/toolparse/internal/schema"
	"github.com/toolparse/toolparse/internal/syntax"
)

// yamlHead checks, byte by byte, whether a line of YAML begins with a key.
type yamlHead struct {
	at    yamlHeadAt
	key   []byte
	quote byte
	blank bool // the last byte of a plain key is a blank
}

type yamlHeadAt uint8

const (
	yamlHeadStart  yamlHeadAt = iota
	yamlHeadPlain             // in a plain key
	yamlHeadColon             // after a colon
	yamlHeadQuoted            // in a quoted key
	yamlHeadAfter             // after a quoted key
	yamlHeadOther             // not a key
)

// yamlVerdict says what a line begins with.
type yamlVerdict uint8

const (
	yamlUnsure  yamlVerdict = iota
	yamlIsKey               // a key and a colon precede this byte
	yamlIsOther             // not a key
)

func (h *yamlHead) reset() { *h = yamlHead{key: h.key[:0]} }

// take takes the next byte of the line.
func (h *yamlHead) take(c byte) yamlVerdict {
	switch h.at {
	case yamlHeadStart:
		switch c {
		case '"', '\'':
			h.at, h.quote = yamlHeadQuoted, c
			return yamlUnsure
		case '?', '[', ']', '{', '}', ',', '#', '&', '*', '!', '|', '>', '%', '@', '`', '<':
			return h.other()
		}
		h.at = yamlHeadPlain
		fallthrough
	case yamlHeadPlain:
		switch {
		case c == ':':
			h.at = yamlHeadColon
			return yamlUnsure
		case c == '\n', c == '<', c == '#' && h.blank, len(h.key) > lex.MaxName:
			return h.other()
		}
		h.key, h.blank = append(h.key, c), lex.IsBlank(c)
	case yamlHeadColon:
		if lex.IsBlank(c) {
			for len(h.key) > 0 && lex.IsBlank(h.key[len(h.key)-1]) {
				h.key = h.key[:len(h.key)-1]
			}
			return yamlIsKey
		}
		if h.quote != 0 {
			return h.other()
		}
		h.key = append(h.key, ':')
		h.at = yamlHeadPlain
		return h.take(c)
	case yamlHeadQuoted:
		switch {
		case c == h.quote:
			h.at = yamlHeadAfter
			return yamlUnsure
		case c == '\n', c == '\\', len(h.key) > lex.MaxName:
			return h.other()
		}
		h.key = append(h.key, c)
	case yamlHeadAfter:
		switch c {
		case ' ', '\t':
		case ':':
			h.at = yamlHeadColon
		default:
			return h.other()
		}
	}
	return yamlUnsure
}

func (h *yamlHead) other() yamlVerdict {
	h.at = yamlHeadOther
	return yamlIsOther
}

// yamlFirst reads ahead after the tag that opens a call, to check whether arguments begin
// there: a key, a JSON object, or the closer.
type yamlFirst struct {
	head   yamlHead
	at     yamlFirstAt
	dashes int
}

type yamlFirstAt uint8

const (
	yamlFirstLine    yamlFirstAt = iota // at the beginning of a line
	yamlFirstKey                        // in a possible key
	yamlFirstComment                    // in a comment
	yamlFirstDashes                     // in the dashes that begin a document
	yamlFirstCloser                     // in a possible closer
)

// BeginLookahead starts after the opening tag.
func (m *machine) BeginLookahead(f *syntax.Form, _ *schema.Schema, _ bool) {
	m.form = f
	m.ahead.at, m.ahead.dashes = yamlFirstLine, 0
	m.ahead.head.reset()
}

// ReadLookahead reads possible arguments. The tag is prose if these bytes cannot be arguments.
func (m *machine) ReadLookahead(in string, i int) (syntax.Verdict, int) {
	y := &m.ahead
	for ; i < len(in); i++ {
		c := in[i]
		switch y.at {
		case yamlFirstLine:
			switch {
			case lex.IsBlank(c):
				continue
			case c == '{':
				return syntax.Begins, i
			case c == '#':
				y.at = yamlFirstComment
				continue
			case c == '-':
				y.at, y.dashes = yamlFirstDashes, 1
				continue
			case c == '<':
				y.at = yamlFirstCloser
				m.match.Reset(m.form.After)
			default:
				y.at = yamlFirstKey
			}
		case yamlFirstComment:
			if c == '\n' {
				y.at = yamlFirstLine
			}
			continue
		case yamlFirstDashes:
			switch {
			case c == '-' && y.dashes < 3:
				y.dashes++
			case lex.IsBlank(c) && y.dashes == 3:
				y.at = yamlFirstLine
			default:
				return syntax.Differs, i
			}
			continue
		}
		if y.at == yamlFirstCloser {
			which, next := m.match.Match(in, i)
			switch which {
			case lex.MatchMore:
				return syntax.Unsure, next
			case lex.MatchNone:
				return syntax.Differs, next
			}
			return syntax.Begins, next
		}
		switch y.head.take(c) {
		case yamlIsKey:
			return syntax.Begins, i
		case yamlIsOther:
			return syntax.Differs, i
		}
	}
	return syntax.Unsure, i
}
