package yaml

import (
	"strings"

	"github.com/toolparse/toolparse/internal/lex"
	"github.com/toolparse/toolparse/internal/syntax"
	"github.com/toolparse/toolparse/toolcall"
)

// textState is the progress of a value's text.
type textState struct {
	whole      bool   // a plain text is held to its end
	gap        []byte // blanks that may end a line of plain text
	started    bool   // part of the text has been written
	unindented bool   // a line of a block lacks its indentation
	cr         bool   // a carriage return may belong to a line break

	status toolcall.Status // why the value is invalid
	reason toolcall.Reason
}

// begin begins a value of a kind.
func (m *machine) begin(kind valueKind) {
	m.kind = kind
	m.text = textState{gap: m.text.gap[:0]}
	m.core, m.hold = "", m.hold[:0]
	m.open = kind == plainText && m.Out != nil && (m.schema.Untyped() || !m.schema.AllowsString())
	if !m.open && kind != heldLines {
		m.beginTyped()
	}
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

// put writes part of the text.
func (m *machine) put(text string) { m.putPart(text, 0, len(text)) }

func (m *machine) putPart(in string, a, b int) {
	if a >= b {
		return
	}
	m.text.started = true
	if !m.open {
		m.value.Add(in, a, b)
		return
	}
	if m.core == "" {
		m.core = in[a:b]
	} else {
		m.core += in[a:b]
	}
	if len(m.core) > maxCore || m.schema.Untyped() && !mayBeCore(m.core) {
		m.settle()
	}
}

// settle decides that a plain text is not one of YAML's scalars.
func (m *machine) settle() {
	m.beginTyped()
	m.value.Add(m.core, 0, len(m.core))
	m.core = ""
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
		m.phase = inComment
		return i
	case c == '|' || c == '>':
		m.line = append(m.line[:0], c)
		m.phase = inHeader
		return i + 1
	case c == '"' || c == '\'':
		m.begin(quotedString)
		m.quoted.reset(c, m.limits.Blanks)
		m.phase = inContent
		return m.readContent(h, in, i+1)
	case (c == '[' || c == '{') && flow:
		m.begin(heldLines)
		m.phase = inContent
		return m.readContent(h, in, i)
	}
	m.begin(plainText)
	m.phase = inContent
	if len(m.line) > 1 { // after more than one blank, it may be kept as it is
		m.text.whole = true
		m.hold = append(m.hold, m.line[1:]...)
	}
	return m.readContent(h, in, i)
}

// readHeader reads the header of a block scalar; m.line has its bytes.
func (m *machine) readHeader(h syntax.Host, in string, i int) int {
	for ; i < len(in) && in[i] != '\n' && len(m.line) <= lex.MaxName; i++ {
		m.line = append(m.line, in[i])
	}
	if i == len(in) {
		return i
	}
	block, ok := blockOf(string(m.line), m.base)
	if !ok || in[i] != '\n' {
		m.begin(plainText)
		m.phase = inContent
		m.put(string(m.line))
		return i
	}
	m.begin(blockScalar)
	m.block = block
	return m.nextLine(h, i+1)
}

// readContent reads the text of a value.
func (m *machine) readContent(h syntax.Host, in string, i int) int {
	switch m.kind {
	case plainText:
		return m.readPlain(h, in, i)
	case quotedString:
		return m.readQuoted(h, in, i)
	case heldLines:
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
	if m.kind == blockScalar {
		m.block.breaks++
	} else {
		m.put("\n")
	}
	return m.nextLine(h, n+1)
}

// plainEnds are the bytes that may end a run of plain text.
var plainEnds = [256]bool{' ': true, '\t': true, '\n': true, '\r': true, '#': true, '<': true}

// readPlain reads a line of plain text. Only the first line streams.
func (m *machine) readPlain(h syntax.Host, in string, i int) int {
	t := &m.text
	waits := m.waits()
	for i < len(in) {
		n, rest := 0, in[i:]
		for n < len(rest) && !plainEnds[rest[n]] {
			n++
		}
		if n > 0 {
			m.putPlain(waits, in, i, i+n)
			i += n
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
			m.phase = inComment
			return i
		default:
			m.putPlain(waits, in, i, i+1)
		}
		i++
	}
	return i
}

// waits reports whether more plain text must be held until its end.
func (m *machine) waits() bool { return m.text.whole || len(m.hold) > 0 }

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
	m.kind = rawText
	m.Call.Tolerate(toolcall.TextBetween)
	if m.open {
		m.settle()
	}
	m.put(string(m.hold))
	m.hold = m.hold[:0]
}

// foldLines folds the lines of a plain text: it trims and joins them. started means that the
// text continues one that has been written.
func foldLines(text string, started bool) string {
	if lex.SkipBlanks(text, 0) == len(text) {
		return ""
	}
	var b strings.Builder
	breaks := 0
	for line := range strings.SplitSeq(text, "\n") {
		if line = trimLine(line); line != "" {
			if started {
				b.WriteString(foldBreaks(breaks))
			}
			b.WriteString(line)
			started, breaks = true, 0
		}
		breaks++
	}
	return b.String()
}

// foldBreaks returns what n newlines between two folded lines stand for.
func foldBreaks(n int) string {
	switch n {
	case 0:
		return ""
	case 1:
		return " "
	}
	return strings.Repeat("\n", n-1)
}

// trimLine returns a line of plain text without surrounding blanks and without a
// comment.
func trimLine(line string) string {
	line = lex.TrimBlanks(line)
	for k := 0; k < len(line); k++ {
		if line[k] == '#' && (k == 0 || lex.IsBlank(line[k-1])) {
			return lex.TrimBlanks(line[:k])
		}
	}
	return line
}

// endOpen ends the open value, and reports whether it is valid.
func (m *machine) endOpen() bool {
	switch m.kind {
	case noValue:
		return true
	case pending:
		if m.Out != nil && !m.Content {
			json, used := absent(m.schema)
			m.Call.Tolerate(used)
			m.Out.Add(json)
		}
	case heldLines:
		if !m.endLines() {
			return false
		}
	case plainText:
		if len(m.hold) > 1 { // one byte is a blank, or the end of the only line
			m.put(foldLines(string(m.hold), m.text.started))
		}
		m.hold = m.hold[:0]
		m.endText()
	case blockScalar:
		if m.text.cr {
			m.put("\r")
		}
		m.block.end(&m.value)
		m.endText()
	default:
		m.endText()
	}
	m.kind = noValue
	m.Close()
	return true
}

// endText ends a text.
func (m *machine) endText() {
	if m.open {
		if json, ok := typedScalar(m.core, m.schema); ok {
			m.Out.Add(json)
			m.open, m.core = false, ""
			return
		}
		m.settle()
	}
	m.Call.Tolerate(m.value.End())
}
