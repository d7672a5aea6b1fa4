package yaml

import (
	"strings"

	"github.com/toolparse/toolparse/internal/jsonstream"
	"github.com/toolparse/toolparse/internal/lex"
	"github.com/toolparse/toolparse/internal/schema"
	"github.com/toolparse/toolparse/internal/syntax"
)

// flowReader reads a flow value that is completely available: [a, b], {k: v}, or a scalar.
type flowReader struct {
	text string
	i    int
	tree *treeReader // receives the JSON
}

// skip skips blanks and comments.
func (f *flowReader) skip() {
	for f.i < len(f.text) {
		switch c := f.text[f.i]; {
		case lex.IsBlank(c):
			f.i++
		case c == '#' && (f.i == 0 || lex.IsBlank(f.text[f.i-1])):
			f.i += lineEnd(f.text[f.i:], 0)
		default:
			return
		}
	}
}

// next returns the next significant byte without consuming it, or 0 at the end.
func (f *flowReader) next() byte {
	if f.skip(); f.i == len(f.text) {
		return 0
	}
	return f.text[f.i]
}

// value reads a value. Inside an array or a map, plain text ends at a comma or a bracket.
func (f *flowReader) value(s *schema.Schema, inside bool) error {
	switch f.next() {
	case 0:
		return errUnsupported
	case '[':
		return f.items("[]", func(n int) error { return f.value(s.Element(n), true) })
	case '{':
		var names syntax.Names
		return f.items("{}", func(int) error { return f.member(s, &names) })
	case '"', '\'':
		text, err := f.quoted()
		if err != nil {
			return err
		}
		f.tree.text(text, s)
		return nil
	}
	if !inside {
		return errUnsupported
	}
	f.tree.plain(f.plain(), s)
	return nil
}

// items reads an array or a map in brackets. It calls item for each element or member.
func (f *flowReader) items(brackets string, item func(n int) error) error {
	if err := f.tree.enter(); err != nil {
		return err
	}
	f.i++
	f.tree.out.Add(brackets[:1])
	for n := 0; f.next() != brackets[1]; n++ {
		if n > 0 {
			f.tree.out.AddByte(',')
		}
		if err := item(n); err != nil {
			return err
		}
		switch f.next() {
		case ',':
			f.i++
		case brackets[1]:
		default:
			return errUnsupported
		}
	}
	f.i++
	f.tree.out.Add(brackets[1:])
	f.tree.depth++
	return nil
}

// member reads a key of a map with its value, if it has one.
func (f *flowReader) member(s *schema.Schema, names *syntax.Names) error {
	key, err := f.key()
	if err != nil {
		return err
	}
	if err := f.tree.key(key, names); err != nil {
		return err
	}
	if f.next() == ':' {
		f.i++
		if c := f.next(); c != ',' && c != '}' {
			return f.value(s.Property(key), true)
		}
	}
	f.tree.empty(s.Property(key))
	return nil
}

// key reads a key, quoted or plain.
func (f *flowReader) key() (string, error) {
	switch c := f.next(); c {
	case 0, '[', '{', ']', ',', ':':
		return "", errUnsupported
	case '"', '\'':
		return f.quoted()
	}
	from := f.i
	for f.i < len(f.text) {
		switch c := f.text[f.i]; c {
		case ',', '[', ']', '{', '}', '\n':
			return lex.TrimBlanks(f.text[from:f.i]), nil
		case ':':
			if f.i+1 == len(f.text) || lex.IsBlank(f.text[f.i+1]) || strings.IndexByte(`,[]{}"'`, f.text[f.i+1]) >= 0 || lex.IsName(f.text[f.i+1]) {
				return lex.TrimBlanks(f.text[from:f.i]), nil
			}
		}
		f.i++
	}
	return "", errUnsupported
}

// plain reads plain text in an array or a map.
func (f *flowReader) plain() string {
	from := f.i
	for f.i < len(f.text) {
		c := f.text[f.i]
		if c == ',' || c == '[' || c == ']' || c == '{' || c == '}' || c == '#' && lex.IsBlank(f.text[f.i-1]) {
			break
		}
		if c == ':' && (f.i+1 == len(f.text) || lex.IsBlank(f.text[f.i+1])) {
			break
		}
		f.i++
	}
	lines := strings.Split(f.text[from:f.i], "\n")
	for k, line := range lines {
		lines[k] = lex.TrimBlanks(line)
	}
	return lex.TrimBlanks(strings.Join(lines, " "))
}

// quoted reads a quoted string.
func (f *flowReader) quoted() (string, error) {
	var out jsonstream.Out
	var v syntax.Value
	v.Reset(syntax.Plain, &out, nil, 0)
	var q quotedText
	q.reset(f.text[f.i], len(f.text))
	f.i++
	for {
		at, end := q.read(f.text, f.i, &v)
		f.i = at + 1
		switch {
		case end != quotedQuote:
			return "", errUnsupported
		case q.quote == '\'' && f.i < len(f.text) && f.text[f.i] == '\'': // two quotes stand for one
			q.put(&v, "'")
			f.i++
		default:
			f.tree.used |= q.used
			return out.Take(), nil
		}
	}
}
