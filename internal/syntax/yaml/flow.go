package yaml

import (
	"strings"

	"github.com/toolparse/toolparse/internal/jsonstream"
	"github.com/toolparse/toolparse/internal/lex"
	"github.com/toolparse/toolparse/internal/schema"
	"github.com/toolparse/toolparse/internal/syntax"
)

// yamlFlow reads a flow value that is completely available: [a, b], {k: v}, or a scalar.
type yamlFlow struct {
	text string
	i    int
	r    *yamlReader
}

// skip skips blanks and comments.
func (f *yamlFlow) skip() {
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
func (f *yamlFlow) next() byte {
	if f.skip(); f.i == len(f.text) {
		return 0
	}
	return f.text[f.i]
}

// value reads a value. Inside an array or a map, plain text ends at a comma or a bracket.
func (f *yamlFlow) value(s *schema.Schema, inside bool) error {
	switch f.next() {
	case 0:
		return errYAML
	case '[':
		return f.list(s)
	case '{':
		return f.mapping(s)
	case '"', '\'':
		text, err := f.quoted()
		if err != nil {
			return err
		}
		f.r.text(text, s)
		return nil
	}
	if !inside {
		return errYAML
	}
	f.r.plain(f.plain(), s)
	return nil
}

// enter enters an array or a map.
func (f *yamlFlow) enter() error {
	if f.r.depth--; f.r.depth < 0 {
		return errYAMLDepth
	}
	f.i++
	return nil
}

func (f *yamlFlow) list(s *schema.Schema) error {
	if err := f.enter(); err != nil {
		return err
	}
	f.r.out.AddByte('[')
	for n := 0; ; n++ {
		if f.next() == ']' {
			break
		}
		if n > 0 {
			f.r.out.AddByte(',')
		}
		if err := f.value(s.Element(n), true); err != nil {
			return err
		}
		if more, err := f.comma(']'); err != nil {
			return err
		} else if !more {
			break
		}
	}
	f.leave("]")
	return nil
}

// leave leaves an array or a map at its closing bracket.
func (f *yamlFlow) leave(bracket string) {
	f.i++
	f.r.depth++
	f.r.out.Add(bracket)
}

// comma consumes a comma and reports true, or reports false before the closing bracket.
func (f *yamlFlow) comma(bracket byte) (bool, error) {
	switch f.next() {
	case ',':
		f.i++
		return true, nil
	case bracket:
		return false, nil
	}
	return false, errYAML
}

func (f *yamlFlow) mapping(s *schema.Schema) error {
	if err := f.enter(); err != nil {
		return err
	}
	f.r.out.AddByte('{')
	var names syntax.Names
	for n := 0; f.next() != '}'; n++ {
		key, err := f.key()
		if err != nil {
			return err
		}
		if !names.Add(key) {
			return errYAML
		}
		if n > 0 {
			f.r.out.AddByte(',')
		}
		f.r.out.AddQuoted(key)
		f.r.out.AddByte(':')
		property := s.Property(key)
		switch f.next() {
		case ':':
			f.i++
			if c := f.next(); c == ',' || c == '}' {
				f.r.empty(property)
				break
			}
			if err := f.value(property, true); err != nil {
				return err
			}
		default:
			f.r.empty(property)
		}
		if more, err := f.comma('}'); err != nil {
			return err
		} else if !more {
			break
		}
	}
	f.leave("}")
	return nil
}

// key reads a key, quoted or plain.
func (f *yamlFlow) key() (string, error) {
	switch c := f.next(); c {
	case 0, '[', '{', ']', ',', ':':
		return "", errYAML
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
	return "", errYAML
}

// plain reads plain text in an array or a map.
func (f *yamlFlow) plain() string {
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
func (f *yamlFlow) quoted() (string, error) {
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
			return "", errYAML
		case q.quote == '\'' && f.i < len(f.text) && f.text[f.i] == '\'': // two quotes stand for one
			q.put(&v, "'")
			f.i++
		default:
			f.r.used |= q.used
			return out.Take(), nil
		}
	}
}
