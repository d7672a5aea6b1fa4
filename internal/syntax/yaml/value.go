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
func (m *machine) endLines(h syntax.Host) bool {
	s := m.schema
	if m.whole {
		s = m.Schema()
	}
	object, array := s.AllowsContainer()
	if !m.whole && !s.Untyped() && !object && !array && s.AllowsString() {
		m.writeLines(h, yamlLinesOf(string(m.hold)))
		return true
	}
	r := yamlReader{lines: yamlLinesOf(string(m.hold)), depth: m.limits.Depth}
	json, used, err := r.document(s)
	if err != nil {
		m.text.status, m.text.reason = toolcall.Malformed, toolcall.ReasonInvalidJSON
		if errors.Is(err, errYAMLDepth) {
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
func (m *machine) writeLines(h syntax.Host, lines []yamlRow) {
	b := blockText{chomp: '-', indent: math.MaxInt}
	for _, line := range lines {
		if line.text != "" {
			b.indent = min(b.indent, line.indent)
		}
	}
	m.beginText(h, yamlBlock)
	b.addLines(&m.value, lines, -1)
	b.end(&m.value)
	m.endText()
}

func yamlIndentOf(line string) int {
	n := 0
	for n < len(line) && (line[n] == ' ' || line[n] == '\t') {
		n++
	}
	return n
}

// yamlReader converts one YAML value, whose lines are completely available, to JSON. It
// knows block and flow arrays and maps and all kinds of scalars, but no anchors, tags,
// directives or complex keys.
type yamlReader struct {
	lines []yamlRow
	at    int // the current line
	depth int // remaining nesting
	out   jsonstream.Out
	used  toolcall.Tolerances
}

type yamlRow struct {
	indent int
	text   string // without surrounding blanks
	raw    string
}

var (
	errYAML      = errors.New("unsupported YAML")
	errYAMLDepth = errors.New("YAML is nested too deep")
)

func yamlLinesOf(text string) []yamlRow {
	var lines []yamlRow
	for _, raw := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
		raw = strings.TrimSuffix(raw, "\r")
		lines = append(lines, yamlRow{yamlIndentOf(raw), lex.TrimBlanks(raw), raw})
	}
	return lines
}

// document converts all lines as one value.
func (r *yamlReader) document(s *schema.Schema) (string, toolcall.Tolerances, error) {
	if err := r.node(-1, s); err != nil {
		return "", 0, err
	}
	if r.skip(); r.at < len(r.lines) {
		return "", 0, errYAML
	}
	return r.out.Take(), r.used, nil
}

// skip skips lines without content.
func (r *yamlReader) skip() {
	for r.at < len(r.lines) {
		if t := r.lines[r.at].text; t != "" && t[0] != '#' {
			return
		}
		r.at++
	}
}

// node converts the value that begins at the next line with content. The value is empty
// unless that line is indented further than parent.
func (r *yamlReader) node(parent int, s *schema.Schema) error {
	if r.depth--; r.depth < 0 {
		return errYAMLDepth
	}
	defer func() { r.depth++ }()
	r.skip()
	if r.at == len(r.lines) || r.lines[r.at].indent <= parent {
		r.empty(s)
		return nil
	}
	line := r.lines[r.at]
	if isDash(line.text) {
		return r.list(line.indent, s)
	}
	if _, _, ok := yamlKeyOf(line.text); ok {
		return r.mapping(line.indent, s)
	}
	return r.scalar(line.text, parent, s)
}

func isDash(text string) bool { return text == "-" || strings.HasPrefix(text, "- ") }

// yamlKeyOf splits a line into a key and the text after its colon.
func yamlKeyOf(text string) (key, rest string, ok bool) {
	var h yamlHead
	for k := 0; k < len(text); k++ {
		switch h.take(text[k]) {
		case yamlIsKey:
			return string(h.key), text[k:], true
		case yamlIsOther:
			return "", "", false
		}
	}
	if h.take('\n') == yamlIsKey {
		return string(h.key), "", true
	}
	return "", "", false
}

// list converts a block array.
func (r *yamlReader) list(indent int, s *schema.Schema) error {
	r.out.AddByte('[')
	for n := 0; ; n++ {
		if r.skip(); r.at == len(r.lines) || r.lines[r.at].indent != indent || !isDash(r.lines[r.at].text) {
			break
		}
		if n > 0 {
			r.out.AddByte(',')
		}
		line := &r.lines[r.at]
		rest := strings.TrimLeft(line.text[1:], " \t")
		if rest == "" || rest[0] == '#' {
			r.at++
		} else { // the item becomes a line of its own, with its own indentation
			line.indent, line.text = indent+len(line.text)-len(rest), rest
		}
		if err := r.node(indent, s.Element(n)); err != nil {
			return err
		}
	}
	r.out.AddByte(']')
	return nil
}

// mapping converts a block map.
func (r *yamlReader) mapping(indent int, s *schema.Schema) error {
	var names syntax.Names
	count := 0
	r.out.AddByte('{')
	for {
		if r.skip(); r.at == len(r.lines) || r.lines[r.at].indent != indent || isDash(r.lines[r.at].text) {
			break
		}
		key, rest, ok := yamlKeyOf(r.lines[r.at].text)
		if !ok {
			return errYAML
		}
		if !names.Add(key) {
			return errYAML
		}
		if count++; count > 1 {
			r.out.AddByte(',')
		}
		r.out.AddQuoted(key)
		r.out.AddByte(':')
		if err := r.member(lex.TrimBlanks(rest), indent, s.Property(key)); err != nil {
			return err
		}
	}
	r.out.AddByte('}')
	return nil
}

// member converts the value after a key. rest is the part of it in the key's line.
func (r *yamlReader) member(rest string, indent int, s *schema.Schema) error {
	if rest != "" && rest[0] != '#' {
		return r.scalar(rest, indent, s)
	}
	r.at++
	r.skip()
	if r.at < len(r.lines) && r.lines[r.at].indent == indent && isDash(r.lines[r.at].text) {
		if r.depth--; r.depth < 0 {
			return errYAMLDepth
		}
		defer func() { r.depth++ }()
		return r.list(indent, s)
	}
	return r.node(indent, s)
}

// scalar converts a scalar or a flow value that begins with text in the current line and
// continues in the lines that are indented further than parent.
func (r *yamlReader) scalar(text string, parent int, s *schema.Schema) error {
	switch text[0] {
	case '|', '>':
		if r.block(text, parent, s) {
			return nil
		}
	case '"', '\'', '[', '{':
		f := yamlFlow{text: r.joined(text, parent), r: r}
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
func (r *yamlReader) joined(text string, parent int) string {
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
func (r *yamlReader) consumed(f *yamlFlow) error {
	rest := f.text[f.i:]
	if n := strings.IndexByte(rest, '\n'); n >= 0 {
		rest = rest[:n]
	}
	if rest = strings.TrimLeft(rest, " \t\r"); rest != "" && rest[0] != '#' {
		return errYAML
	}
	r.at += 1 + strings.Count(f.text[:f.i], "\n")
	return nil
}

// block converts a block scalar. It returns false if the header is invalid, which means
// that the text is not a block scalar.
func (r *yamlReader) block(header string, parent int, s *schema.Schema) bool {
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
func (r *yamlReader) empty(s *schema.Schema) {
	if s.Untyped() || s.MayConvert("n") {
		r.out.Add("null")
		return
	}
	r.text("", s)
}

// plain writes a plain scalar.
func (r *yamlReader) plain(text string, s *schema.Schema) {
	if json, ok := yamlScalar(text, s); ok {
		r.out.Add(json)
		return
	}
	r.text(text, s)
}

// text writes a scalar as the type that its schema wants.
func (r *yamlReader) text(text string, s *schema.Schema) {
	if s.Untyped() {
		s = nil
	}
	json, used := s.Convert(text)
	r.used |= used
	r.out.Add(json)
}
