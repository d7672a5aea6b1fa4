package nested

import (
	"strings"

	"github.com/toolparse/toolparse/internal/lex"
)

// tag reads one tag incrementally: blanks, the mark before every tag if the dialect has
// one, and the tag itself.
type tag struct {
	form   *compiled
	phase  tagPhase
	blanks int         // the bytes before the mark
	mark   lex.Literal // in the mark
	name   []byte
	quote  byte // of an open attribute value
	close  bool // it is a closing tag
	ends   bool // accept only closing tags
	void   bool // it closes itself
}

type tagPhase uint8

const (
	tagBlank  tagPhase = iota // before the tag and its mark
	tagMark                   // in the mark
	tagLess                   // after the mark, before <
	tagSlash                  // after <
	tagName                   // in the name
	tagRest                   // after the name
	tagQuoted                 // in an attribute's value
)

// token is the result of reading a tag.
type token uint8

const (
	tokenMore  token = iota // more input is needed
	tokenOpen               // an opening tag
	tokenClose              // a closing tag
	tokenNone               // something else
)

// reset prepares t for another tag.
func (t *tag) reset(form *compiled) {
	name := t.name[:0]
	*t = tag{}
	t.form, t.name, t.mark.Text = form, name, form.mark
}

// read consumes in from offset i. The offset it returns is the one after the tag.
func (t *tag) read(in string, i int) (token, int) {
	for ; i < len(in); i++ {
		c := in[i]
		switch t.phase {
		case tagBlank:
			if lex.IsBlank(c) {
				t.blanks++
				continue
			}
			t.phase = tagMark
			if t.mark.Text == "" {
				t.phase = tagLess
			}
			i--
		case tagMark:
			next, done, ok := t.mark.Match(in, i)
			if !ok {
				return tokenNone, next
			}
			if done {
				t.phase = tagLess
			}
			i = next - 1
		case tagLess:
			if lex.IsBlank(c) && t.mark.Text != "" {
				continue
			}
			if c != '<' {
				return tokenNone, i
			}
			t.phase = tagSlash
		case tagSlash:
			switch {
			case c == '/' && !t.close:
				t.close = true
			case lex.IsBlank(c) && t.close:
			case t.ends && !t.close:
				return tokenNone, i
			case t.form.names[c]:
				t.phase, t.name = tagName, append(t.name, c)
			default:
				return tokenNone, i
			}
		case tagName:
			n := t.form.names.End(in, i)
			if room := lex.MaxName - len(t.name); n-i > room {
				return tokenNone, i + room
			}
			if t.name = append(t.name, in[i:n]...); n == len(in) {
				return tokenMore, n
			}
			t.phase, i = tagRest, n-1
		case tagRest:
			switch {
			case c == '>':
				if t.close {
					return tokenClose, i + 1
				}
				return tokenOpen, i + 1
			case t.close && !lex.IsBlank(c), c == '<', t.void, len(t.name) == 0:
				return tokenNone, i
			case c == '/':
				t.void = true
			case c == '"' || c == '\'':
				t.phase, t.quote = tagQuoted, c
			}
		case tagQuoted:
			n := strings.IndexByte(in[i:], t.quote)
			if n < 0 {
				return tokenMore, len(in)
			}
			i += n
			t.phase = tagRest
		}
	}
	return tokenMore, i
}

// is reports whether the tag just read has this name.
func (t *tag) is(name string) bool { return name != "" && string(t.name) == name }

// isIndex reports whether the name of the tag just read is a number.
func (t *tag) isIndex() bool { return lex.IsDigits(string(t.name)) }
