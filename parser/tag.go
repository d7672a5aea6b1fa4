package parser

import (
	"math"
	"strings"
)

// tagLexer reads the attributes of a tag, up to its end. Its memory is kept
// from tag to tag.
type tagLexer struct {
	dialect   *Dialect
	shorthand *fileTool // the tag is a tool of its own
	head      bool      // it is the opener of a call, and no tool of its own

	phase     tagPhase
	quote     byte
	text      []byte // the names and values of the attributes
	attrs     []attributeSpan
	unquoted  bool // an attribute had no quotes
	selfClose bool
	end       literal // what ends the tag, where that is no >
}

// attributeSpan is an attribute in the lexer's text: its name is
// text[name:value], its value text[value:end].
type attributeSpan struct{ name, value, end int }

// attribute is an attribute that outlives its tag.
type attribute struct{ name, value string }

type tagPhase uint8

const (
	tagBoundary  tagPhase = iota // the byte after the tag's name
	tagBlank                     // between attributes
	tagName                      // in an attribute's name
	tagAfterName                 // after it
	tagEquals                    // after =
	tagQuoted                    // in a value in quotes
	tagBare                      // in a value without
	tagSlash                     // after a /
	tagEnd                       // in what ends the tag
)

// tagVerdict is what became of a tag.
type tagVerdict uint8

const (
	tagMore tagVerdict = iota
	tagDone
	tagBroken
)

const (
	maxAttribute = 256     // bytes of an attribute's name
	maxHead      = 1 << 10 // bytes of all names and values in the opener of a call, which nothing is sure of until it ends
)

// reset makes the lexer ready for another tag.
func (t *tagLexer) reset(d *Dialect, shorthand *fileTool) {
	*t = tagLexer{dialect: d, shorthand: shorthand, text: t.text[:0], attrs: t.attrs[:0]}
}

// endWith makes something else than a > end the tag.
func (t *tagLexer) endWith(marker string) {
	if marker = string(newPattern(marker)); marker != "" && marker != ">" {
		t.end = literal{text: marker}
	}
}

// ends reports whether c may end the tag.
func (t *tagLexer) ends(c byte) bool {
	if t.end.text == "" {
		return c == '>'
	}
	return c == t.end.text[0]
}

// read reads on in the tag. On tagDone, the offset is that after the >.
func (t *tagLexer) read(in string, i int) (tagVerdict, int) {
	for ; i < len(in); i++ {
		c := in[i]
		if t.room() < 0 {
			return tagBroken, i
		}
		switch t.phase {
		case tagQuoted:
			n := strings.IndexByte(in[i:], t.quote)
			if n > t.room() || n < 0 && len(in)-i > t.room() {
				return tagBroken, i
			}
			if n < 0 {
				t.text = append(t.text, in[i:]...)
				return tagMore, len(in)
			}
			t.text = append(t.text, in[i:i+n]...)
			i += n
			t.endAttribute()
			t.phase = tagBoundary
		case tagBoundary:
			if !isBlank(c) && !t.ends(c) && c != '/' {
				return tagBroken, i
			}
			t.phase = tagBlank
			fallthrough
		case tagBlank:
			switch {
			case isBlank(c):
			case t.ends(c):
				if t.end.text == "" {
					return tagDone, i + 1
				}
				t.phase = tagEnd
				i--
			case c == '/':
				t.phase = tagSlash
			case isNameStart(c):
				t.phase = tagName
				t.attrs = append(t.attrs, attributeSpan{name: len(t.text)})
				t.text = append(t.text, c)
			default:
				return tagBroken, i
			}
		case tagName:
			at := &t.attrs[len(t.attrs)-1]
			if isName(c) && len(t.text)-at.name < maxAttribute {
				t.text = append(t.text, c)
				continue
			}
			t.phase, at.value = tagAfterName, len(t.text)
			fallthrough
		case tagAfterName:
			switch {
			case isBlank(c):
			case c == '=':
				t.phase = tagEquals
			default:
				return tagBroken, i
			}
		case tagEquals:
			switch {
			case isBlank(c):
			case c == '"' || c == '\'':
				t.phase, t.quote = tagQuoted, c
			case c == '>' || c == '<':
				return tagBroken, i
			default:
				t.phase, t.unquoted, t.text = tagBare, true, append(t.text, c)
			}
		case tagBare:
			switch {
			case isBlank(c):
				t.endAttribute()
				t.phase = tagBlank
			case c == '>':
				if n := len(t.text) - 1; t.text[n] == '/' {
					t.text, t.selfClose = t.text[:n], true
				}
				t.endAttribute()
				return tagDone, i + 1
			case c == '<' || c == '"' || c == '\'':
				return tagBroken, i
			default:
				t.text = append(t.text, c)
			}
		case tagEnd:
			next, done, ok := t.end.match(in, i)
			switch {
			case !ok:
				return tagBroken, next
			case done:
				return tagDone, next
			}
			return tagMore, next
		case tagSlash:
			if isBlank(c) {
				continue
			}
			if c != '>' {
				return tagBroken, i
			}
			t.selfClose = true
			return tagDone, i + 1
		}
	}
	return tagMore, i
}

// room is how many bytes more the names and values may have.
func (t *tagLexer) room() int {
	if !t.head {
		return math.MaxInt
	}
	return maxHead - len(t.text)
}

func (t *tagLexer) endAttribute() { t.attrs[len(t.attrs)-1].end = len(t.text) }

// name returns the name of an attribute.
func (t *tagLexer) name(a attributeSpan) []byte { return t.text[a.name:a.value] }

// value returns the value of an attribute, its entities decoded.
func (t *tagLexer) value(a attributeSpan) string {
	return decodeEntities(string(t.text[a.value:a.end]))
}

// given is attr for a tag that has not ended.
func (t *tagLexer) given(names ...string) (string, bool) {
	if n := len(t.attrs); n > 0 && t.attrs[n-1].end == 0 {
		t.attrs = t.attrs[:n-1]
	}
	return t.attr(names...)
}

// attr returns the value of an attribute, by its name in any case.
func (t *tagLexer) attr(names ...string) (string, bool) {
	for _, name := range names {
		for _, a := range t.attrs {
			if equalFold(t.name(a), name) {
				return t.value(a), true
			}
		}
	}
	return "", false
}
