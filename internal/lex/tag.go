package lex

import (
	"math"
	"strings"
)

// Tag reads the attributes of an opening tag, from the byte after its name to its end. It
// reuses its memory for the next tag.
type Tag struct {
	// Bounded limits the total size of the names and values (see maxBounded). Set it for a
	// tag that turns out to be prose unless it ends properly.
	Bounded   bool
	Unquoted  bool // an attribute had no quotes, or (unless Bounded) no blank before it
	SelfClose bool

	phase tagPhase
	quote byte
	text  []byte // the names and values of the attributes
	attrs []attributeSpan
	end   Literal // the marker that ends the tag, if that is not >
	seen  *Recent // the strings of recent values
}

// attributeSpan locates an attribute in Tag.text: its name is text[name:value] and its
// value text[value:end]. end is 0 until the value is complete.
type attributeSpan struct{ name, value, end int }

type tagPhase uint8

const (
	tagBoundary  tagPhase = iota // expects a blank or the end: after the tag's name or a quoted value
	tagBlank                     // between attributes
	tagName                      // in an attribute's name
	tagAfterName                 // between the name and the =
	tagEquals                    // after =
	tagQuoted                    // in a value in quotes
	tagBare                      // in a value without
	tagSlash                     // after a /
	tagEnd                       // in the marker that ends the tag
)

// TagVerdict is the state of a tag after [Tag.Read].
type TagVerdict uint8

const (
	TagMore   TagVerdict = iota // the tag needs more input
	TagDone                     // the tag has ended
	TagBroken                   // not a tag
)

const (
	maxAttribute = 256     // maximum length of an attribute's name, in bytes
	maxBounded   = 1 << 10 // maximum length of all names and values of a Bounded tag, in bytes
)

// Reset prepares t for another tag, which ends with >.
func (t *Tag) Reset() {
	t.Bounded, t.Unquoted, t.SelfClose = false, false, false
	t.phase, t.text, t.attrs, t.end = tagBoundary, t.text[:0], t.attrs[:0], Literal{}
}

// EndWith makes marker end the tag instead of >. An empty marker changes nothing.
func (t *Tag) EndWith(marker Pattern) {
	if marker != "" && marker != ">" {
		t.end = Literal{Text: string(marker)}
	}
}

// ends reports whether c may end the tag.
func (t *Tag) ends(c byte) bool {
	if t.end.Text == "" {
		return c == '>'
	}
	return c == t.end.Text[0]
}

// Read consumes in from offset i. With [TagDone] the offset is the one after the end of the
// tag; with [TagBroken] it is that of the byte that does not fit.
func (t *Tag) Read(in string, i int) (TagVerdict, int) {
	if t.phase == tagBoundary && len(t.attrs) == 0 {
		if next, ok := t.readPlain(in, i); ok {
			return TagDone, next
		}
	}
	for ; i < len(in); i++ {
		c := in[i]
		if t.room() < 0 {
			return TagBroken, i
		}
		switch t.phase {
		case tagQuoted:
			n := strings.IndexByte(in[i:], t.quote)
			if n > t.room() || n < 0 && len(in)-i > t.room() {
				return TagBroken, i
			}
			if n < 0 {
				t.text = append(t.text, in[i:]...)
				return TagMore, len(in)
			}
			t.text = append(t.text, in[i:i+n]...)
			i += n
			t.endAttribute()
			t.phase = tagBoundary
		case tagBoundary:
			switch {
			case IsBlank(c), t.ends(c), c == '/':
			case IsNameStart(c) && len(t.attrs) > 0 && !t.Bounded:
				t.Unquoted = true
			default:
				return TagBroken, i
			}
			t.phase = tagBlank
			fallthrough
		case tagBlank:
			switch {
			case IsBlank(c):
			case t.ends(c):
				if t.end.Text == "" {
					return TagDone, i + 1
				}
				t.phase = tagEnd
				i--
			case c == '/':
				t.phase = tagSlash
			case IsNameStart(c):
				t.phase = tagName
				t.attrs = append(t.attrs, attributeSpan{name: len(t.text)})
				t.text = append(t.text, c)
			default:
				return TagBroken, i
			}
		case tagName:
			at := &t.attrs[len(t.attrs)-1]
			if n := NameEnd(in, i, min(maxAttribute-len(t.text)+at.name, 1+t.room())); n > i {
				t.text = append(t.text, in[i:n]...)
				i = n - 1
				continue
			}
			t.phase, at.value = tagAfterName, len(t.text)
			fallthrough
		case tagAfterName:
			switch {
			case IsBlank(c):
			case c == '=':
				t.phase = tagEquals
			default:
				return TagBroken, i
			}
		case tagEquals:
			switch {
			case IsBlank(c):
			case c == '"' || c == '\'':
				t.phase, t.quote = tagQuoted, c
			case c == '>' || c == '<':
				return TagBroken, i
			default:
				t.phase, t.Unquoted, t.text = tagBare, true, append(t.text, c)
			}
		case tagBare:
			switch {
			case IsBlank(c):
				t.endAttribute()
				t.phase = tagBlank
			case c == '>':
				if n := len(t.text) - 1; t.text[n] == '/' {
					t.text, t.SelfClose = t.text[:n], true
				}
				t.endAttribute()
				return TagDone, i + 1
			case c == '<' || c == '"' || c == '\'':
				return TagBroken, i
			default:
				t.text = append(t.text, c)
			}
		case tagEnd:
			next, done, ok := t.end.Match(in, i)
			switch {
			case !ok:
				return TagBroken, next
			case done:
				return TagDone, next
			}
			return TagMore, next
		case tagSlash:
			if IsBlank(c) {
				continue
			}
			if c != '>' {
				return TagBroken, i
			}
			t.SelfClose = true
			return TagDone, i + 1
		}
	}
	return TagMore, i
}

// readPlain reads, in one step and to the same end as [Tag.Read], a tag that the input has
// completely and that consists of attributes like name="value" alone. It reads nothing of
// other tags.
func (t *Tag) readPlain(in string, i int) (next int, ok bool) {
	end := t.end.Text
	if end == "" {
		end = ">"
	}
	for i < len(in) && in[i] != end[0] {
		name := SkipBlanks(in, i)
		equals := NameEnd(in, name, maxAttribute)
		value := equals + len(`="`)
		if name == i || name == equals || !IsNameStart(in[name]) || value > len(in) || in[equals:value] != `="` {
			break
		}
		n := strings.IndexByte(in[value:min(len(in), value+maxBounded)], '"')
		if n < 0 || equals-name+n > t.room() {
			break
		}
		at := len(t.text)
		t.text = append(append(t.text, in[name:equals]...), in[value:value+n]...)
		t.attrs = append(t.attrs, attributeSpan{at, at + equals - name, len(t.text)})
		i = value + n + 1
	}
	if strings.HasPrefix(in[i:], end) {
		return i + len(end), true
	}
	t.text, t.attrs = t.text[:0], t.attrs[:0]
	return 0, false
}

// room returns how many more bytes the names and values may have.
func (t *Tag) room() int {
	if !t.Bounded {
		return math.MaxInt / 2 // to which callers may add
	}
	return maxBounded - len(t.text)
}

func (t *Tag) endAttribute() { t.attrs[len(t.attrs)-1].end = len(t.text) }

// Len returns the number of attributes.
func (t *Tag) Len() int { return len(t.attrs) }

// Name returns the name of attribute k. It is valid until t consumes more input.
func (t *Tag) Name(k int) []byte { return t.text[t.attrs[k].name:t.attrs[k].value] }

// Value returns the value of attribute k with its entities decoded.
func (t *Tag) Value(k int) string {
	if t.seen == nil {
		t.seen = &Recent{}
	}
	return DecodeEntities(t.seen.String(t.text[t.attrs[k].value:t.attrs[k].end]))
}

// AttrSoFar is Attr for a tag that has not ended: it ignores an incomplete last attribute.
func (t *Tag) AttrSoFar(names ...string) (string, bool) {
	if n := len(t.attrs); n > 0 && t.attrs[n-1].end == 0 {
		t.attrs = t.attrs[:n-1]
	}
	return t.Attr(names...)
}

// Attr returns the value of the first of the given attributes that the tag has. Names match
// in any ASCII case.
func (t *Tag) Attr(names ...string) (string, bool) {
	for _, name := range names {
		for k := range t.attrs {
			if EqualFold(t.Name(k), name) {
				return t.Value(k), true
			}
		}
	}
	return "", false
}
