package yaml

import (
	"errors"
	"math"
	"strings"

	"github.com/toolparse/toolparse/internal/jsonstream"
	"github.com/toolparse/toolparse/internal/lex"
	"github.com/toolparse/toolparse/internal/schema"
	"github.com/toolparse/toolparse/internal/syntax"
	"github.com/toolparse/toolparse/toolcall"
)

// endLines ends a value whose lines were held, and reports whether it is valid. For a
// string parameter, the value is the lines themselves.
func (m *machine) endLines() bool {
	s := m.schema
	if m.whole {
		s = m.Schema()
	}
	object, array := s.AllowsContainer()
	if !m.whole && !s.Untyped() && !object && !array && s.AllowsString() {
		m.writeLines(splitLines(string(m.hold)))
		return true
	}
	r := treeReader{lines: splitLines(string(m.hold)), depth: m.limits.Depth}
	json, used, err := r.document(s)
	if err != nil {
		if errors.Is(err, errDepth) {
			m.text.status, m.text.reason = toolcall.Rejected, toolcall.ReasonTooDeep
		}
		return false
	}
	m.Call.Tolerate(used)
	if m.whole {
		if json = lex.TrimBlanks(json); len(json) < 2 || json[0] != '{' {
			m.text.status, m.text.reason = toolcall.Malformed, toolcall.ReasonNotAnObject
			return false
		}
		m.Call.Tolerate(toolcall.JSONBody)
		m.All(json)
		return true
	}
	m.Write(json)
	return true
}

// writeLines writes lines as a text, without the indentation that they share.
func (m *machine) writeLines(lines []textLine) {
	b := blockText{chomp: '-', indent: math.MaxInt}
	for _, line := range lines {
		if line.text != "" {
			b.indent = min(b.indent, line.indent)
		}
	}
	m.begin(blockScalar)
	b.addLines(&m.value, lines, -1)
	b.end(&m.value)
	m.endText()
}

// treeReader converts one YAML value, whose lines are completely available, to JSON. It
// knows block and flow arrays and maps and all kinds of scalars, but no anchors, tags,
// directives or complex keys.
type treeReader struct {
	lines []textLine
	at    int // the current line
	depth int // remaining nesting
	out   jsonstream.Out
	used  toolcall.Tolerances
}

type textLine struct {
	indent int
	text   string // without surrounding blanks
	raw    string
}

var (
	errUnsupported = errors.New("unsupported YAML")
	errDepth       = errors.New("YAML is nested too deep")
)

func splitLines(text string) []textLine {
	var lines []textLine
	for raw := range strings.SplitSeq(strings.TrimSuffix(text, "\n"), "\n") {
		raw = strings.TrimSuffix(raw, "\r")
		lines = append(lines, textLine{len(raw) - len(strings.TrimLeft(raw, " \t")), lex.TrimBlanks(raw), raw})
	}
	return lines
}

// document converts all lines as one value.
func (r *treeReader) document(s *schema.Schema) (string, toolcall.Tolerances, error) {
	if err := r.node(-1, s); err != nil {
		return "", 0, err
	}
	if r.skip(); r.at < len(r.lines) {
		return "", 0, errUnsupported
	}
	return r.out.Take(), r.used, nil
}

// skip skips lines without content.
func (r *treeReader) skip() {
	for r.at < len(r.lines) {
		if t := r.lines[r.at].text; t != "" && t[0] != '#' {
			return
		}
		r.at++
	}
}

// enter enters a container or a scalar at the next level of nesting.
func (r *treeReader) enter() error {
	if r.depth--; r.depth < 0 {
		return errDepth
	}
	return nil
}

// key writes the key of a member, which must be a new one.
func (r *treeReader) key(name string, names *syntax.Names) error {
	if !names.Add(name) {
		return errUnsupported
	}
	r.out.AddQuoted(name)
	r.out.AddByte(':')
	return nil
}

// node converts the value that begins at the next line with content. The value is empty
// unless that line is indented further than parent.
func (r *treeReader) node(parent int, s *schema.Schema) error {
	if err := r.enter(); err != nil {
		return err
	}
	defer func() { r.depth++ }()
	r.skip()
	if r.at == len(r.lines) || r.lines[r.at].indent <= parent {
		r.empty(s)
		return nil
	}
	line := r.lines[r.at]
	if isDash(line.text) {
		return r.items("[]", line.indent, func(n int, line *textLine) error { return r.element(line, s.Element(n)) })
	}
	if _, _, ok := splitKey(line.text); ok {
		var names syntax.Names
		return r.items("{}", line.indent, func(_ int, line *textLine) error { return r.member(line, s, &names) })
	}
	return r.scalar(line.text, parent, s)
}

// items converts a block array or a block map, all of whose lines have the given indentation.
// It calls item for each element or member.
func (r *treeReader) items(brackets string, indent int, item func(n int, line *textLine) error) error {
	r.out.Add(brackets[:1])
	for n := 0; ; n++ {
		if r.skip(); r.at == len(r.lines) {
			break
		}
		line := &r.lines[r.at]
		if line.indent != indent || isDash(line.text) != (brackets == "[]") {
			break
		}
		if n > 0 {
			r.out.AddByte(',')
		}
		if err := item(n, line); err != nil {
			return err
		}
	}
	r.out.Add(brackets[1:])
	return nil
}

// element converts an element of a block array.
func (r *treeReader) element(line *textLine, s *schema.Schema) error {
	indent := line.indent
	rest := strings.TrimLeft(line.text[1:], " \t")
	if rest == "" || rest[0] == '#' {
		r.at++
	} else { // the rest becomes a line of its own, with its own indentation
		line.indent, line.text = indent+len(line.text)-len(rest), rest
	}
	return r.node(indent, s)
}

// member converts a member of a block map with schema s.
func (r *treeReader) member(line *textLine, s *schema.Schema, names *syntax.Names) error {
	key, rest, ok := splitKey(line.text)
	if !ok {
		return errUnsupported
	}
	if err := r.key(key, names); err != nil {
		return err
	}
	indent := line.indent
	if rest = lex.TrimBlanks(rest); rest != "" && rest[0] != '#' {
		return r.scalar(rest, indent, s.Property(key))
	}
	r.at++
	r.skip()
	if r.at < len(r.lines) && isDash(r.lines[r.at].text) && r.lines[r.at].indent == indent {
		indent-- // the dashes of an array need not be indented
	}
	return r.node(indent, s.Property(key))
}

func isDash(text string) bool { return text == "-" || strings.HasPrefix(text, "- ") }

// splitKey splits a line into a key and the text after its colon.
func splitKey(text string) (key, rest string, ok bool) {
	var h keyScan
	for k := 0; k < len(text); k++ {
		switch h.take(text[k]) {
		case syntax.Begins:
			return string(h.key), text[k:], true
		case syntax.Differs:
			return "", "", false
		}
	}
	if h.take('\n') == syntax.Begins {
		return string(h.key), "", true
	}
	return "", "", false
}

// scalar converts a scalar or a flow value that begins with text in the current line and
// continues in the lines that are indented further than parent.
func (r *treeReader) scalar(text string, parent int, s *schema.Schema) error {
	switch text[0] {
	case '|', '>':
		if r.block(text, parent, s) {
			return nil
		}
	case '"', '\'', '[', '{':
		f := flowReader{text: r.joined(text, parent), tree: r}
		if err := f.value(s, false); err != nil {
			return err
		}
		return r.consumed(&f)
	}
	lines := []string{text}
	for r.at++; r.at < len(r.lines); r.at++ {
		line := r.lines[r.at]
		if line.text != "" && (line.indent <= parent || line.text[0] == '#') {
			break
		}
		lines = append(lines, line.text)
	}
	r.plain(foldLines(strings.Join(lines, "\n"), false), s)
	return nil
}

// joined returns text joined with the following lines that are indented further than
// parent.
func (r *treeReader) joined(text string, parent int) string {
	var b strings.Builder
	b.WriteString(text)
	for k := r.at + 1; k < len(r.lines); k++ {
		line := r.lines[k]
		closes := line.indent == max(parent, 0) && line.text != "" && (line.text[0] == ']' || line.text[0] == '}')
		if line.text != "" && line.indent <= parent && !closes {
			break
		}
		b.WriteByte('\n')
		b.WriteString(line.raw)
	}
	return b.String()
}

// consumed continues after a flow value. Nothing may follow it in its line.
func (r *treeReader) consumed(f *flowReader) error {
	rest, _, _ := strings.Cut(f.text[f.i:], "\n")
	if rest = strings.TrimLeft(rest, " \t\r"); rest != "" && rest[0] != '#' {
		return errUnsupported
	}
	r.at += 1 + strings.Count(f.text[:f.i], "\n")
	return nil
}

// block converts a block scalar. It returns false if the header is invalid, which means
// that the text is not a block scalar.
func (r *treeReader) block(header string, parent int, s *schema.Schema) bool {
	b, ok := blockOf(header, parent)
	if !ok {
		return false
	}
	var out jsonstream.Out
	var v syntax.Value
	v.Reset(syntax.Plain, &out, nil, 0)
	r.at++
	r.at += b.addLines(&v, r.lines[r.at:], parent)
	b.end(&v)
	r.text(out.Take(), s)
	return true
}

// empty writes an absent value.
func (r *treeReader) empty(s *schema.Schema) {
	json, used := absent(s)
	r.used |= used
	r.out.Add(json)
}

// plain writes a plain scalar.
func (r *treeReader) plain(text string, s *schema.Schema) {
	if json, ok := typedScalar(text, s); ok {
		r.out.Add(json)
		return
	}
	r.text(text, s)
}

// text writes a scalar as the type that its schema wants.
func (r *treeReader) text(text string, s *schema.Schema) {
	if s.Untyped() {
		s = nil
	}
	json, used := s.Convert(text)
	r.used |= used
	r.out.Add(json)
}
