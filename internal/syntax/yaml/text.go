package yaml

import (
	"strings"

	"github.com/toolparse/toolparse/internal/lex"
	"github.com/toolparse/toolparse/internal/syntax"
	"github.com/toolparse/toolparse/toolcall"
)

// yamlText is the progress of a value's text.
type yamlText struct {
	held       bool   // a plain text is held to its end
	gap        []byte // blanks that may end a line of plain text
	begun      bool   // part of the text has been written
	unindented bool   // a line of a block lacks its indentation
	cr         bool   // a carriage return may belong to a line break

	status toolcall.Status // why the value is invalid
	reason toolcall.Reason
}

// beginText begins a value that is text.
func (m *machine) beginText(h syntax.Host, kind yamlKind) {
	m.kind = kind
	m.text = yamlText{gap: m.text.gap[:0]}
	m.core, m.open, m.hold = m.core[:0], false, m.hold[:0]
	if kind == yamlPlain && m.Out != nil && (m.schema.Untyped() || !m.schema.AllowsString()) {
		m.open = true
		return
	}
	m.beginTyped()
}

// beginTyped begins a text that becomes the type that its schema wants.
func (m *machine) beginTyped() {
	s := m.schema
	if s.Untyped() {
		s = nil
	}
	m.open = false
	m.Writer.Value(&m.value, s, "", m.limits.Blanks)
}

// beginLines begins a value that is held until its lines are complete.
func (m *machine) beginLines() {
	m.kind = yamlLines
	m.text = yamlText{gap: m.text.gap[:0]}
	m.hold = m.hold[:0]
}

// put writes part of the text.
func (m *machine) put(text string) { m.putPart(text, 0, len(text)) }

func (m *machine) putPart(in string, a, b int) {
	if a >= b {
		return
	}
	m.text.begun = true
	if !m.open {
		m.value.Add(in, a, b)
		return
	}
	m.core = append(m.core, in[a:b]...)
	if len(m.core) > maxYAMLCore || m.schema.Untyped() && !mayBeYAMLCore(m.core) {
		m.settle()
	}
}

// settle decides that a plain text is not one of YAML's scalars.
func (m *machine) settle() {
	m.beginTyped()
	m.value.Add(string(m.core), 0, len(m.core))
}

// readAfterKey reads what follows a key in its line.
func (m *machine) readAfterKey(h syntax.Host, in string, i int) int {
	for ; i < len(in) && (in[i] == ' ' || in[i] == '\t' || in[i] == '\r'); i++ {
		m.line = append(m.line, in[i])
	}
	if i == len(in) {
		return i
	}
	object, array := m.schema.AllowsContainer()
	flow := m.schema.Untyped() || object || array
	switch c := in[i]; {
	case c == '\n':
		return m.nextLine(h, i+1)
	case c == '#' && len(m.line) > 0:
		m.phase = yamlSkip
		return i
	case c == '|' || c == '>':
		m.line = append(m.line[:0], c)
		m.phase = yamlHeader
		return i + 1
	case c == '"' || c == '\'':
		m.beginText(h, yamlQuoted)
		m.quoted.reset(c, m.limits.Blanks)
		m.phase = yamlContent
		return i + 1
	case (c == '[' || c == '{') && flow:
		m.beginLines()
		m.phase = yamlContent
		return i
	}
	m.beginPlain(h)
	return i
}

// beginPlain begins a plain text after the blanks in m.line. After more than one blank it
// is held, because it may be kept as it is.
func (m *machine) beginPlain(h syntax.Host) {
	m.beginText(h, yamlPlain)
	if m.phase = yamlContent; len(m.line) > 1 {
		m.text.held = true
		m.hold = append(m.hold, m.line[1:]...)
	}
}

// readHeader reads the header of a block scalar; m.line has its bytes.
func (m *machine) readHeader(h syntax.Host, in string, i int) int {
	for ; i < len(in) && in[i] != '\n'; i++ {
		if len(m.line) > lex.MaxName {
			break
		}
		m.line = append(m.line, in[i])
	}
	if i == len(in) {
		return i
	}
	block, ok := blockOf(string(m.line), m.base)
	if !ok || in[i] != '\n' {
		m.beginText(h, yamlPlain)
		m.phase = yamlContent
		m.put(string(m.line))
		return i
	}
	m.beginText(h, yamlBlock)
	m.block = block
	return m.nextLine(h, i+1)
}

// readContent reads the text of a value.
func (m *machine) readContent(h syntax.Host, in string, i int) int {
	switch m.kind {
	case yamlPlain:
		return m.readPlain(h, in, i)
	case yamlQuoted:
		return m.readQuoted(h, in, i)
	case yamlLines:
		n := i
		for n < len(in) && in[n] != '\n' && in[n] != '<' {
			n++
		}
		m.hold = append(m.hold, in[i:n]...)
		if len(m.hold) > m.limits.Held {
			return h.Fail(in, n, toolcall.Rejected, toolcall.ReasonTooMuchHeld)
		}
		switch {
		case n == len(in):
		case in[n] == '<':
			m.lookInline(h, n)
		default:
			m.hold = append(m.hold, '\n')
			return m.nextLine(h, n+1)
		}
		return n
	}
	return m.readLines(h, in, i)
}

// lineEnd returns the offset of the first newline at or after i, or len(in).
func lineEnd(in string, i int) int {
	if n := strings.IndexByte(in[i:], '\n'); n >= 0 {
		return i + n
	}
	return len(in)
}

// readLines reads the rest of a line of a block scalar or raw text.
func (m *machine) readLines(h syntax.Host, in string, i int) int {
	n := lineEnd(in, i)
	if m.text.cr && n > i {
		m.put("\r")
		m.text.cr = false
	}
	end := n
	if end > i && in[end-1] == '\r' {
		m.text.cr = true
		end--
	}
	m.putPart(in, i, end)
	if n == len(in) {
		return n
	}
	m.text.cr = false
	if m.kind == yamlBlock {
		m.block.breaks++
	} else {
		m.put("\n")
	}
	return m.nextLine(h, n+1)
}

// readPlain reads a line of plain text. Only the first line streams.
func (m *machine) readPlain(h syntax.Host, in string, i int) int {
	t := &m.text
	waits := m.waits()
	for i < len(in) {
		n := i
		for n < len(in) && !lex.IsBlank(in[n]) && in[n] != '#' && in[n] != '<' {
			n++
		}
		if n > i {
			m.putPlain(waits, in, i, n)
			i = n
			continue
		}
		switch c := in[i]; {
		case c == '\n':
			m.hold = append(append(m.hold, t.gap...), '\n')
			t.gap = t.gap[:0]
			if len(m.hold) > m.limits.Held {
				return h.Fail(in, i, toolcall.Rejected, toolcall.ReasonTooMuchHeld)
			}
			return m.nextLine(h, i+1)
		case lex.IsBlank(c):
			if t.gap = append(t.gap, c); len(t.gap) > m.limits.Blanks {
				m.putPlain(waits, "", 0, 0)
			}
		case c == '<':
			m.putPlain(waits, "", 0, 0)
			m.lookInline(h, i)
			return i
		case len(t.gap) > 0 && !waits: // a comment
			t.gap = t.gap[:0]
			m.phase = yamlSkip
			return i
		default:
			m.putPlain(waits, in, i, i+1)
		}
		i++
	}
	return i
}

// waits reports whether more plain text must be held until its end.
func (m *machine) waits() bool { return m.text.held || len(m.hold) > 0 }

// putPlain writes or holds part of a plain text, after the blanks before it.
func (m *machine) putPlain(waits bool, in string, a, b int) {
	t := &m.text
	if waits {
		m.hold = append(append(m.hold, t.gap...), in[a:b]...)
	} else {
		m.put(string(t.gap))
		m.putPart(in, a, b)
	}
	t.gap = t.gap[:0]
}

// toRaw makes a plain text raw text that is not YAML. The bytes read so far are kept as
// they are.
func (m *machine) toRaw() {
	m.kind = yamlRaw
	m.Call.Tolerate(toolcall.TextBetween)
	if m.open {
		m.settle()
	}
	m.put(string(m.hold))
	m.hold = m.hold[:0]
}

// foldLines folds the lines of a plain text: it trims and joins them. begun means that the
// text continues one that has been written.
func foldLines(text string, begun bool) string {
	var b strings.Builder
	breaks := 0
	for line := range strings.SplitSeq(text, "\n") {
		if line = yamlTrimLine(line); line != "" {
			if begun {
				b.WriteString(yamlBreaks(breaks))
			}
			b.WriteString(line)
			begun, breaks = true, 0
		}
		breaks++
	}
	return b.String()
}

// yamlBreaks returns what n newlines between two folded lines stand for.
func yamlBreaks(n int) string {
	switch n {
	case 0:
		return ""
	case 1:
		return " "
	}
	return strings.Repeat("\n", n-1)
}

// yamlTrimLine returns a line of plain text without surrounding blanks and without a
// comment.
func yamlTrimLine(line string) string {
	line = lex.TrimBlanks(line)
	for k := 0; k < len(line); k++ {
		if line[k] == '#' && (k == 0 || lex.IsBlank(line[k-1])) {
			return lex.TrimBlanks(line[:k])
		}
	}
	return line
}

// endOpen ends the open value, and reports whether it is valid.
func (m *machine) endOpen(h syntax.Host) bool {
	switch m.kind {
	case yamlNone:
		return true
	case yamlPending:
		m.emptyValue()
	case yamlLines:
		if !m.endLines(h) {
			return false
		}
	case yamlPlain:
		m.put(foldLines(string(m.hold), m.text.begun))
		m.hold = m.hold[:0]
		m.endText()
	case yamlBlock:
		if m.text.cr {
			m.put("\r")
		}
		m.block.end(&m.value)
		m.endText()
	default:
		m.endText()
	}
	m.kind = yamlNone
	m.Close()
	return true
}

// emptyValue writes the value of a key without one.
func (m *machine) emptyValue() {
	switch {
	case m.Out == nil, m.Content:
	case m.schema.Untyped():
		m.Out.Add("null")
	case m.schema.AllowsString() && !m.schema.MayConvert(""):
		m.Out.Add(`""`)
	default:
		json, used := m.schema.Convert("null")
		if used != 0 {
			json, used = m.schema.Convert("")
		}
		m.Call.Tolerate(used)
		m.Out.Add(json)
	}
}

// endText ends a text.
func (m *machine) endText() {
	if m.open {
		if json, ok := yamlScalar(string(m.core), m.schema); ok {
			m.Out.Add(json)
			m.open = false
			return
		}
		m.settle()
	}
	m.Call.Tolerate(m.value.End())
}
