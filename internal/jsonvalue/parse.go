package jsonvalue

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unsafe"

	"github.com/toolparse/toolparse/internal/bytescan"
	"github.com/toolparse/toolparse/internal/strictjson"
)

// MaxDepth is the nesting limit unless [Options] set another one. It bounds every recursion
// over a parsed value.
const MaxDepth = 256

// Reasons why a document cannot be parsed. Others are io.ErrUnexpectedEOF and
// *[strictjson.Error].
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
	MaxDepth    int  // nesting limit, at most [strictjson.MaxDepth]; 0 means [MaxDepth]
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
	if o.MaxDepth == 0 {
		o.MaxDepth = MaxDepth
	}
	data := unsafe.Slice(unsafe.StringData(doc), len(doc)) // which nothing changes
	var room [128]uint32
	ends, texts, ok := strictjson.AppendEnds(room[:0], nil, data)
	if !ok {
		return nil, o.fault(data)
	}
	p := parser{doc: doc, options: o, texts: texts, isUTF8: bytescan.IsUTF8(doc)}
	return p.value(ends, 0)
}

// fault says why a document is not JSON, or is nested too deep.
func (o Options) fault(doc []byte) error {
	scan := strictjson.Scanner{MaxDepth: o.MaxDepth}
	bad, ok := scan.Check(doc).(*strictjson.Error)
	switch {
	case !ok:
		return &SyntaxError{len(doc), io.ErrUnexpectedEOF}
	case bad.TooDeep:
		return &SyntaxError{bad.At, fmt.Errorf("%w, deeper than %d levels", ErrTooDeep, o.MaxDepth)}
	case scan.Whole():
		return &SyntaxError{bad.At, ErrTrailing}
	}
	return &SyntaxError{bad.At, bad}
}

// parser makes values of a document that is known to be JSON. Many of its methods get the
// entries of [strictjson.AppendEnds], which would be allocated if they were a field.
type parser struct {
	doc     string
	at      int
	entry   int // the next one
	options Options
	texts   []byte
	isUTF8  bool

	// Values are allocated in blocks, since a document is freed as a whole.
	free []Value

	// The parts and names of all open arrays and objects; those of the innermost are on
	// top.
	parts []*Value
	names []string
}

// skip passes blanks, commas and colons, and returns the byte that follows.
func (p *parser) skip() byte {
	for {
		switch c := p.doc[p.at]; c {
		case ' ', '\t', '\n', '\r', ',', ':':
			p.at++
		default:
			return c
		}
	}
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

func (p *parser) value(ends []uint32, depth int) (v *Value, err error) {
	c := p.skip()
	v = p.new()
	v.Start = p.at
	switch c {
	case '{', '[':
		if depth >= p.options.MaxDepth {
			return nil, p.options.fault([]byte(p.doc))
		}
		if v.Kind = Array; c == '{' {
			v.Kind = Object
		}
		if err := p.container(v, ends, depth); err != nil {
			return nil, err
		}
	case '"':
		v.Kind = String
		v.Text, _ = p.string(ends)
	case 't':
		v.Kind, v.Text = Bool, "true"
	case 'f':
		v.Kind, v.Text = Bool, "false"
	case 'n':
		v.Kind, v.Text = Null, "null"
	default:
		n, _ := strictjson.ScanNumber(p.doc[p.at:])
		v.Kind, v.Text = Number, p.doc[p.at:p.at+n]
	}
	if v.Kind < String {
		p.at += len(v.Text)
	}
	v.Raw = p.doc[v.Start:p.at]
	return v, nil
}

// container reads the parts of an array or an object, whose opening bracket is next.
func (p *parser) container(v *Value, ends []uint32, depth int) error {
	p.at++
	p.entry += 2
	// The names and parts of the enclosing containers are below these on the same stacks.
	names, parts := len(p.names), len(p.parts)
	for c := p.skip(); c != '}' && c != ']'; c = p.skip() {
		if v.Kind == Object {
			p.name(v, p.names[names:], ends)
		}
		part, err := p.value(ends, depth+1)
		if err != nil {
			return err
		}
		p.parts = append(p.parts, part)
	}
	p.at++
	v.Keys, v.List = slices.Clone(p.names[names:]), slices.Clone(p.parts[parts:])
	p.names, p.parts = p.names[:names], p.parts[:parts]
	return p.unique(v)
}

// name reads the name of a member of v, which follows those before.
func (p *parser) name(v *Value, before []string, ends []uint32) {
	start := p.at
	name, altered := p.string(ends)
	if altered && v.names == nil {
		for _, other := range before {
			v.known().raw = append(v.known().raw, Quote(other))
		}
	}
	if altered || v.names != nil {
		v.known().raw = append(v.known().raw, p.doc[start:p.at])
	}
	p.names = append(p.names, name)
}

// string reads a string, whose opening quote is next. altered reports that text differs from
// the bytes between the quotes.
func (p *parser) string(ends []uint32) (text string, altered bool) {
	end := int(ends[p.entry] / 2)
	text, altered = p.doc[p.at+1:end], ends[p.entry]%2 != 0
	p.at = end + 1
	if p.entry++; altered {
		if from, to := ends[p.entry], ends[p.entry+1]; from != strictjson.NoText {
			text = string(p.texts[from:to])
		} else {
			text = unescape(text)
		}
		p.entry += 2
	}
	if !p.isUTF8 && !bytescan.IsUTF8(text) {
		return string([]rune(text)), true // U+FFFD for each byte that is not UTF-8
	}
	return text, altered
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

// unescape decodes the content of a string that is known to be valid.
func unescape(content string) string {
	text, _, _ := strictjson.AppendText(nil, []byte(content), 0)
	return string(text)
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
