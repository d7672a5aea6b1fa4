package nested

import (
	"strings"

	"github.com/toolparse/toolparse/internal/lex"
)

// tag reads one tag incrementally: blanks, the mark before every tag if the dialect has
// one, and the tag itself.
type tag struct {
	form  *compiled
	phase tagPhase
	mark  lex.Literal // in the mark
	name  []byte
	quote byte // of an open attribute value
	close bool // it is a closing tag
	ends  bool // accept only closing tags
	void  bool // it closes itself
}

type tagPhase uint8

const (
	nestedBlank  tagPhase = iota // before the tag and its mark
	nestedMark                   // in the mark
	nestedLess                   // after the mark, before <
	nestedSlash                  // after <
	nestedName                   // in the name
	nestedRest                   // after the name
	nestedQuoted                 // in an attribute's value
)

// token is the result of reading a tag.
type token uint8

const (
	nestedMore  token = iota // more input is needed
	nestedOpen               // an opening tag
	nestedClose              // a closing tag
	nestedNone               // something else
)

// reset prepares t for another tag.
func (t *tag) reset(form *compiled) {
	*t = tag{form: form, name: t.name[:0], mark: lex.Literal{Text: form.mark}}
}

// read consumes in from offset i. The offset it returns is the one after the tag.
func (t *tag) read(in string, i int) (token, int) {
	for ; i < len(in); i++ {
		c := in[i]
		switch t.phase {
		case nestedBlank:
			if lex.IsBlank(c) {
				continue
			}
			t.phase = nestedMark
			if t.mark.Text == "" {
				t.phase = nestedLess
			}
			i--
		case nestedMark:
			next, done, ok := t.mark.Match(in, i)
			if !ok {
				return nestedNone, next
			}
			if done {
				t.phase = nestedLess
			}
			i = next - 1
		case nestedLess:
			if lex.IsBlank(c) && t.mark.Text != "" {
				continue
			}
			if c != '<' {
				return nestedNone, i
			}
			t.phase = nestedSlash
		case nestedSlash:
			switch {
			case c == '/' && !t.close:
				t.close = true
			case lex.IsBlank(c) && t.close:
			case t.ends && !t.close:
				return nestedNone, i
			case t.form.isName(c):
				t.phase, t.name = nestedName, append(t.name, c)
			default:
				return nestedNone, i
			}
		case nestedName:
			if t.form.isName(c) {
				if len(t.name) == lex.MaxName {
					return nestedNone, i
				}
				t.name = append(t.name, c)
				continue
			}
			t.phase = nestedRest
			i--
		case nestedRest:
			switch {
			case c == '>':
				if t.close {
					return nestedClose, i + 1
				}
				return nestedOpen, i + 1
			case t.close && !lex.IsBlank(c), c == '<', t.void, len(t.name) == 0:
				return nestedNone, i
			case c == '/':
				t.void = true
			case c == '"' || c == '\'':
				t.phase, t.quote = nestedQuoted, c
			}
		case nestedQuoted:
			n := strings.IndexByte(in[i:], t.quote)
			if n < 0 {
				return nestedMore, len(in)
			}
			i += n
			t.phase = nestedRest
		}
	}
	return nestedMore, i
}

// is reports whether the tag just read has this name.
func (t *tag) is(name string) bool { return name != "" && string(t.name) == name }

// isIndex reports whether the name of the tag just read is a number.
func (t *tag) isIndex() bool { return lex.IsDigits(string(t.name)) }
