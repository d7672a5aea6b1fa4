package parser

import (
	"strings"

	"github.com/toolparse/toolparse"
)

// tagLexer reads the attributes of a tag, up to its end.
type tagLexer struct {
	dialect   *Dialect
	shorthand *fileTool // the tag is a tool of its own

	phase     tagPhase
	quote     byte
	name      []byte // of the attribute at hand
	value     []byte
	attrs     []attribute
	unquoted  bool // an attribute had no quotes
	selfClose bool
}

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
)

// tagVerdict is what became of a tag.
type tagVerdict uint8

const (
	tagMore tagVerdict = iota
	tagDone
	tagBroken
)

// maxAttribute bounds the name of an attribute, in bytes.
const maxAttribute = 256

// read reads on in the tag. On tagDone, the offset is that after the >.
func (t *tagLexer) read(in string, i int) (tagVerdict, int) {
	for ; i < len(in); i++ {
		c := in[i]
		switch t.phase {
		case tagQuoted:
			n := strings.IndexByte(in[i:], t.quote)
			if n < 0 {
				t.value = append(t.value, in[i:]...)
				return tagMore, len(in)
			}
			t.value = append(t.value, in[i:i+n]...)
			i += n
			t.endAttribute()
			t.phase = tagBoundary
		case tagBoundary:
			if !isBlank(c) && c != '>' && c != '/' {
				return tagBroken, i
			}
			t.phase = tagBlank
			fallthrough
		case tagBlank:
			switch {
			case isBlank(c):
			case c == '>':
				return tagDone, i + 1
			case c == '/':
				t.phase = tagSlash
			case isNameStart(c):
				t.phase, t.name, t.value = tagName, append(t.name[:0], c), t.value[:0]
			default:
				return tagBroken, i
			}
		case tagName:
			if isName(c) && len(t.name) < maxAttribute {
				t.name = append(t.name, c)
				continue
			}
			t.phase = tagAfterName
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
			case c == '>' || c == '<' || c == '/':
				return tagBroken, i
			default:
				t.phase, t.unquoted, t.value = tagBare, true, append(t.value, c)
			}
		case tagBare:
			switch {
			case isBlank(c):
				t.endAttribute()
				t.phase = tagBlank
			case c == '>':
				if n := len(t.value) - 1; t.value[n] == '/' {
					t.value, t.selfClose = t.value[:n], true
				}
				t.endAttribute()
				return tagDone, i + 1
			case c == '<' || c == '"' || c == '\'':
				return tagBroken, i
			default:
				t.value = append(t.value, c)
			}
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

func (t *tagLexer) endAttribute() {
	t.attrs = append(t.attrs, attribute{string(t.name), decodeEntities(string(t.value))})
}

// attr returns the value of an attribute, by its name in any case.
func (t *tagLexer) attr(names ...string) (string, bool) {
	for _, name := range names {
		for _, a := range t.attrs {
			if equalFold(a.name, name) {
				return a.value, true
			}
		}
	}
	return "", false
}

// inTag reads the opening tag of a call.
func (p *Parser) inTag(in string, i int) int {
	verdict, i := p.tag.read(in, i)
	switch verdict {
	case tagBroken:
		return p.reject(in, i)
	case tagDone:
		if p.tag.shorthand != nil {
			return p.shorthandOpens(in, i)
		}
		return p.tagOpens(in, i)
	}
	return i
}

// tagOpens is at the end of the opening tag of a call. Unless it closes
// itself, what follows decides whether it is one.
func (p *Parser) tagOpens(in string, i int) int {
	name, ok := p.tag.attr(p.tag.dialect.Head.Name...)
	if !ok || name == "" {
		return p.reject(in, i)
	}
	p.body.name, p.body.opened = name, p.at(i)
	p.body.look = look{}
	if p.tag.selfClose {
		p.openTagCall(in, i)
		if !p.tooMany(in, i) {
			p.beginArguments()
			return p.endArguments(in, i, true)
		}
		return i
	}
	p.state = stateOpener
	p.deadline = p.off + int64(i) + int64(p.opts.Limits.BlankBytes+closerBytes)
	return i
}

// openTagCall begins the call whose opening tag has just been read.
func (p *Parser) openTagCall(in string, i int) {
	c := p.newCall(p.body.name)
	if p.tag.unquoted {
		c.tolerances |= toolparse.UnquotedAttribute
	}
	p.beginCall(c, in, p.tag.dialect)
	c.body = p.body.opened
	p.body.dialect = p.tag.dialect
	for _, a := range p.tag.attrs {
		if equalFold(a.name, p.tag.dialect.Head.Name[0]) {
			continue
		}
		p.extraAttribute(c, a)
	}
}

// extraAttribute is an attribute beside the name: an argument if the tool has
// such a parameter, else metadata.
func (p *Parser) extraAttribute(c *call, a attribute) {
	switch {
	case c.file != nil:
		if a.name == c.file.content {
			p.body.extra = append(p.body.extra, a)
			return
		}
		c.setArgument(a.name, a.value)
	case c.schema.Declares(a.name):
		p.body.extra = append(p.body.extra, a)
	default:
		c.setMeta(a.name, quote(a.value))
	}
}

// shorthandOpens is at the end of a tag that is a tool of its own.
func (p *Parser) shorthandOpens(in string, i int) int {
	f := p.tag.shorthand
	if !p.tools.knows(f.name) {
		return p.reject(in, i) // a tag named like a tool is one only for a known tool
	}
	if f.needs != "" {
		if v, ok := p.tag.attr(f.needs); !ok || v == "" {
			return p.reject(in, i)
		}
	}
	c := p.newCall(f.name)
	c.asFile(f)
	if p.tag.unquoted {
		c.tolerances |= toolparse.UnquotedAttribute
	}
	for _, a := range p.tag.attrs {
		c.setArgument(strings.ToLower(a.name), a.value)
	}
	p.beginCall(c, in, p.tag.dialect)
	c.body = p.at(i)
	if p.tooMany(in, i) {
		return i
	}
	p.body = body{dialect: p.tag.dialect}
	if p.tag.selfClose {
		p.endCall(in, p.at(i), toolparse.Complete, toolparse.ReasonNone)
		return i
	}
	c.content = true
	p.startText(in)
	p.beginRaw("</"+string(f.segment), true)
	return i
}
