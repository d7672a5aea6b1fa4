package jsonvalue

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/toolparse/toolparse/internal/strictjson"
)

// MaxDepth is the nesting limit unless [Options] set another one. It bounds every recursion
// over a parsed value.
const MaxDepth = 256

// Reasons why a document cannot be parsed. Others are io.ErrUnexpectedEOF and errors that
// name an unexpected character.
var (
	ErrTooDeep      = errors.New("nested too deep")
	ErrTrailing     = errors.New("more than one value")
	ErrDuplicateKey = errors.New("a key is repeated")
)

// SyntaxError says where and why a document is not JSON, or exceeds the [Options].
type SyntaxError struct {
	Offset int // byte offset in the document
	Err    error
}

func (e *SyntaxError) Error() string { return fmt.Sprintf("at byte %d: %v", e.Offset, e.Err) }

// Unwrap returns the reason.
func (e *SyntaxError) Unwrap() error { return e.Err }

// duplicateKeyError is ErrDuplicateKey with the repeated key.
type duplicateKeyError struct{ key string }

func (e duplicateKeyError) Error() string { return fmt.Sprintf("the key %q is repeated", e.key) }
func (e duplicateKeyError) Unwrap() error { return ErrDuplicateKey }

// Options control [Options.Parse]. The zero value gives the behaviour of [Parse].
type Options struct {
	MaxDepth    int  // nesting limit; 0 means [MaxDepth]
	UniqueNames bool // reject objects that repeat a name
}

// Parse reads one JSON value, strictly by RFC 8259. The time is linear in the size. If a
// name is repeated, the last value wins and takes the place of the first. Invalid UTF-8 in
// a string and half of a surrogate pair become U+FFFD in its Text. The error is a
// *[SyntaxError].
func Parse[Bytes ~[]byte | ~string](doc Bytes) (*Value, error) {
	return Options{}.Parse(string(doc))
}

// Parse reads one JSON value like the function [Parse], under these options.
func (o Options) Parse(doc string) (*Value, error) {
	p := parser{doc: doc, options: o}
	if p.options.MaxDepth == 0 {
		p.options.MaxDepth = MaxDepth
	}
	v, err := p.value(0)
	if err != nil {
		return nil, err
	}
	if p.blanks(); p.at < len(doc) {
		return nil, p.fail(ErrTrailing)
	}
	return v, nil
}

type parser struct {
	doc     string
	at      int
	options Options

	// Values are allocated in blocks, since a document is freed as a whole.
	free []Value

	// The parts and names of all open arrays and objects; those of the innermost are on
	// top.
	parts []*Value
	names []string
}

func (p *parser) fail(err error) error { return &SyntaxError{p.at, err} }

// unexpected returns the error for a character that does not fit, or for the end.
func (p *parser) unexpected(where string) error {
	if p.at >= len(p.doc) {
		return &SyntaxError{len(p.doc), io.ErrUnexpectedEOF}
	}
	r, _ := utf8.DecodeRuneInString(p.doc[p.at:])
	return p.fail(fmt.Errorf("invalid character %q %s", r, where))
}

func (p *parser) blanks() {
	for p.at < len(p.doc) {
		switch p.doc[p.at] {
		case ' ', '\t', '\n', '\r':
			p.at++
		default:
			return
		}
	}
}

// peek skips blanks and returns the next byte, or 0 at the end.
func (p *parser) peek() byte {
	if p.blanks(); p.at < len(p.doc) {
		return p.doc[p.at]
	}
	return 0
}

// new allocates a Value from the current block.
func (p *parser) new() *Value {
	if len(p.free) == 0 {
		p.free = make([]Value, min(max(1, len(p.doc)/64), 64))
	}
	v := &p.free[0]
	p.free = p.free[1:]
	return v
}

func (p *parser) value(depth int) (v *Value, err error) {
	c := p.peek()
	v = p.new()
	v.Start = p.at
	switch {
	case c == '{' || c == '[':
		if depth >= p.options.MaxDepth {
			return nil, p.fail(fmt.Errorf("%w, deeper than %d levels", ErrTooDeep, p.options.MaxDepth))
		}
		if c == '{' {
			err = p.object(v, depth)
		} else {
			err = p.array(v, depth)
		}
	case c == '"':
		v.Kind = String
		v.Text, _, err = p.string()
	case c == '-' || isDigit(c):
		n, whole := ScanNumber(p.doc[p.at:])
		if p.at += n; n != whole {
			return nil, p.unexpected("in a number")
		}
		v.Kind, v.Text = Number, p.doc[v.Start:p.at]
	case c == 't':
		v.Kind, v.Text, err = Bool, "true", p.word("true")
	case c == 'f':
		v.Kind, v.Text, err = Bool, "false", p.word("false")
	case c == 'n':
		v.Kind, v.Text, err = Null, "null", p.word("null")
	default:
		err = p.unexpected("where a value begins")
	}
	if err != nil {
		return nil, err
	}
	v.Raw = p.doc[v.Start:p.at]
	return v, nil
}

func (p *parser) word(word string) error {
	for i := range len(word) {
		if p.at >= len(p.doc) || p.doc[p.at] != word[i] {
			return p.unexpected("in " + word)
		}
		p.at++
	}
	return nil
}

// more reports whether another part of an array or an object follows. It consumes the comma
// before the part, or the closer.
func (p *parser) more(first bool, closer byte, where string) (bool, error) {
	switch c := p.peek(); {
	case c == closer:
		p.at++
		return false, nil
	case first:
		return true, nil
	case c == ',':
		p.at++
		return true, nil
	}
	return false, p.unexpected(where)
}

func (p *parser) object(v *Value, depth int) error {
	v.Kind = Object
	p.at++
	// The names and parts of the enclosing objects are below these on the same stacks.
	names, parts := len(p.names), len(p.parts)
	for {
		more, err := p.more(len(p.names) == names, '}', "after a member")
		if err != nil {
			return err
		}
		if !more {
			break
		}
		if p.peek() != '"' {
			return p.unexpected("where a name begins")
		}
		start := p.at
		name, altered, err := p.string()
		if err != nil {
			return err
		}
		if altered && v.names == nil {
			for _, before := range p.names[names:] {
				v.known().raw = append(v.known().raw, Quote(before))
			}
		}
		if altered || v.names != nil {
			v.known().raw = append(v.known().raw, p.doc[start:p.at])
		}
		if p.peek() != ':' {
			return p.unexpected("after a name")
		}
		p.at++
		p.names = append(p.names, name)
		member, err := p.value(depth + 1)
		if err != nil {
			return err
		}
		p.parts = append(p.parts, member)
	}
	v.Keys, v.List = slices.Clone(p.names[names:]), slices.Clone(p.parts[parts:])
	p.names, p.parts = p.names[:names], p.parts[:parts]
	return p.unique(v)
}

// unique removes members whose name is repeated.
func (p *parser) unique(v *Value) error {
	if len(v.Keys) < manyKeys {
		for i, key := range v.Keys {
			for _, before := range v.Keys[:i] {
				if before == key {
					return p.merge(v)
				}
			}
		}
		return nil
	}
	v.makeIndex()
	if len(v.names.index) < len(v.Keys) {
		return p.merge(v)
	}
	return nil
}

// merge keeps the last value of each name, at the place of the first, or returns an error
// under UniqueNames.
func (p *parser) merge(v *Value) error {
	first := make(map[string]int, len(v.Keys))
	n := 0
	for i, key := range v.Keys {
		at, twice := first[key]
		if twice {
			if p.options.UniqueNames {
				return &SyntaxError{v.List[i].Start, duplicateKeyError{key}}
			}
			v.List[at] = v.List[i]
			continue
		}
		first[key] = n
		v.Keys[n], v.List[n] = key, v.List[i]
		if v.names != nil && v.names.raw != nil {
			v.names.raw[n] = v.names.raw[i]
		}
		n++
	}
	v.Keys, v.List = v.Keys[:n], v.List[:n]
	if v.names != nil && v.names.index != nil {
		v.makeIndex()
	}
	return nil
}

func (p *parser) array(v *Value, depth int) error {
	v.Kind = Array
	p.at++
	parts := len(p.parts)
	for {
		more, err := p.more(len(p.parts) == parts, ']', "after an element")
		if err != nil {
			return err
		}
		if !more {
			break
		}
		elem, err := p.value(depth + 1)
		if err != nil {
			return err
		}
		p.parts = append(p.parts, elem)
	}
	v.List = slices.Clone(p.parts[parts:])
	p.parts = p.parts[:parts]
	return nil
}

// string reads a string; its opening quote is next. altered reports that text differs from
// the bytes between the quotes.
func (p *parser) string() (text string, altered bool, err error) {
	p.at++
	from := p.at
	for ; p.at < len(p.doc); p.at++ {
		switch c := p.doc[p.at]; {
		case c == '"':
			text = p.doc[from:p.at]
			p.at++
			if altered {
				return unescape(text), true, nil
			}
			return text, false, nil
		case c == '\\':
			altered = true
			if err := p.escape(); err != nil {
				return "", false, err
			}
		case c < ' ':
			return "", false, p.unexpected("in a string")
		case c >= utf8.RuneSelf:
			r, size := utf8.DecodeRuneInString(p.doc[p.at:])
			if r == utf8.RuneError && size == 1 {
				altered = true
			}
			p.at += size - 1
		}
	}
	return "", false, p.unexpected("in a string")
}

// escape consumes an escape except for its last byte.
func (p *parser) escape() error {
	p.at++
	if p.at >= len(p.doc) {
		return p.unexpected("in a string")
	}
	switch p.doc[p.at] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return nil
	case 'u':
		for range 4 {
			p.at++
			if p.at >= len(p.doc) || !strictjson.IsHex(p.doc[p.at]) {
				return p.unexpected(`in an escape \u`)
			}
		}
		return nil
	}
	return p.unexpected("in an escape")
}

// unescape decodes the content of a string that is known to be valid.
func unescape(content string) string {
	text, _, _ := strictjson.AppendText(nil, []byte(content), 0)
	if utf8.Valid(text) {
		return string(text)
	}
	return string([]rune(string(text))) // U+FFFD for each byte that is not UTF-8
}

// HasLoneSurrogate reports whether the escapes in a string, as written in JSON, include
// half of a surrogate pair, which no UTF-8 text can express.
func HasLoneSurrogate(raw string) bool {
	if !strings.Contains(raw, `\u`) {
		return false
	}
	_, end, whole := strictjson.AppendText(nil, []byte(raw), len(`"`))
	return end >= 0 && !whole
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }
