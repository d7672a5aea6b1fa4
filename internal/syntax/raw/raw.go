// Package raw reads arguments that are the plain text of a single parameter.
package raw

import (
	"slices"
	"strings"

	"github.com/toolparse/toolparse/internal/dialect"
	"github.com/toolparse/toolparse/internal/lex"
	"github.com/toolparse/toolparse/internal/schema"
	"github.com/toolparse/toolparse/internal/syntax"
	"github.com/toolparse/toolparse/toolcall"
)

// Syntax is the syntax of such a text.
var Syntax = syntax.Syntax{
	New:     func(limits syntax.Limits) syntax.Machine { return &machine{limits: limits} },
	Compile: func(f *syntax.Form) any { return compile(f) },
	Fault: func(f *dialect.Form) (field, wrong string) {
		if f.Args.Param == "" {
			return "args.param", "is empty"
		}
		return "", ""
	},
	Write:   write,
	Grammar: grammar,
	About: func(*dialect.Args, func(string) string) (written, typed string) {
		return "one argument as plain text", "a string."
	},
}

// machine reads the text up to the call's closer or, if there is none, up to whatever may
// follow. With Args.Object, a text that begins with a brace is a JSON object with all
// arguments, which may stand in a code fence.
type machine struct {
	syntax.Writer
	limits syntax.Limits
	form   *syntax.Form
	phase  phase
	match  lex.Matcher
	value  syntax.Value
	*compiled
	fresh   bool // only blanks since the beginning of the line
	started bool // the text is not blank
	fenced  bool // the object is in a code fence
}

// compiled is what the machine needs of a form.
type compiled struct {
	closer *lex.Set // end the text anywhere
	ends   *lex.Set // end the text at the beginning of a line
	stops  string   // the first bytes of ends
}

func compile(f *syntax.Form) *compiled {
	c := &compiled{ends: lex.NewSet(slices.Concat(f.After.Patterns, lex.NewPatterns(f.Args.Until...))...)}
	var closer []lex.Pattern
	for k, after := range f.After.Patterns {
		if f.Kinds[k] != syntax.AfterNext {
			closer = append(closer, after)
		}
	}
	c.closer = lex.NewSet(closer...)
	for _, end := range c.ends.Patterns {
		c.stops += end.Literal()[:1]
	}
	return c
}

type phase uint8

const (
	beforeText phase = iota // before the text
	atFence                 // at a possible fence before the object
	inText                  // in the text
	atEnd                   // at a possible end of the text
	afterJSON               // at a possible end of the fence after the object
)

// The lines around an object in a code fence. The object's brace is read again.
var (
	fenceOpens  = lex.NewSet("```json"+lex.OptBlanks+"{", "```"+lex.OptBlanks+"{")
	fenceCloses = lex.NewSet(lex.OptBlanks + "```")
)

func (m *machine) Begin(h syntax.Host, c syntax.Call, f *syntax.Form) {
	m.Writer.Begin(c)
	m.form, m.compiled = f, f.Compiled.(*compiled)
	m.phase, m.fresh, m.started, m.fenced = beforeText, false, false, false
}

func (m *machine) Read(h syntax.Host, in string, i int) int {
	switch m.phase {
	case beforeText:
		for ; i < len(in) && lex.IsBlank(in[i]); i++ {
			m.fresh = m.fresh || in[i] == '\n'
		}
		if i == len(in) {
			return i
		}
		switch {
		case in[i] == '{' && m.form.Args.Object:
			h.JSON()
		case in[i] == '`' && m.form.Args.Object:
			m.to(h, i, atFence, fenceOpens)
		default:
			m.phase = inText
		}
		return i
	case inText:
		return m.readText(h, in, i)
	}
	which, next := m.match.Match(in, i)
	switch which {
	case lex.MatchMore:
		return next
	case lex.MatchNone:
		return m.Expire(h, in, next)
	}
	switch m.phase {
	case atFence:
		m.fenced = true
		m.Call.Tolerate(toolcall.CodeFence)
		h.Decide()
		h.JSON()
		return next - 1
	case afterJSON:
		h.Decide()
		return h.Done(in, next)
	}
	m.endText()
	return m.EndBefore(h, in, next)
}

// to begins to match set at in[i].
func (m *machine) to(h syntax.Host, i int, phase phase, set *lex.Set) {
	h.Look(i)
	m.phase = phase
	m.match.Reset(set)
}

// AfterJSON continues after an object with all arguments.
func (m *machine) AfterJSON(h syntax.Host, in string, i int) int {
	if !m.fenced {
		return h.Done(in, i)
	}
	m.to(h, i, afterJSON, fenceCloses)
	return i
}

// add adds in[a:b] to the text.
func (m *machine) add(in string, a, b int) {
	if a == b {
		return
	}
	m.beginText()
	m.value.Add(in, a, b)
}

func (m *machine) beginText() {
	if !m.started {
		m.started = true
		key := syntax.TextParam(&m.form.Args, m.Schema())
		m.Open(key)
		m.Writer.Value(&m.value, m.Schema().Property(key), dialect.LayoutTrim, m.limits.Blanks)
	}
}

// takesNothing reports whether a tool is declared without parameters. A blank text is no
// argument of it.
func takesNothing(s *schema.Schema) bool { return s != nil && !s.Closed() }

// endText ends the text.
func (m *machine) endText() {
	if !m.started && takesNothing(m.Schema()) {
		return
	}
	m.beginText()
	m.Call.Tolerate(m.value.End())
	m.Close()
}

// readText reads the text up to a possible end.
func (m *machine) readText(h syntax.Host, in string, i int) int {
	n := i
	for ; n < len(in); n++ {
		c := in[n]
		if strings.IndexByte(m.stops, c) >= 0 && m.mayEnd(c) {
			break
		}
		m.fresh = c == '\n' || m.fresh && lex.IsBlank(c)
	}
	m.add(in, i, n)
	if n < len(in) {
		h.Look(n)
	}
	return n
}

// mayEnd reports whether an end of the text may begin with c, and if so prepares to match
// it.
func (m *machine) mayEnd(c byte) bool {
	list := m.closer
	if m.fresh {
		list = m.ends
	}
	for _, p := range list.Patterns {
		if p[0] == c {
			m.phase = atEnd
			m.match.Reset(list)
			return true
		}
	}
	return false
}

// Expire decides that the pending bytes are content: the first byte is, and the rest is
// read again. After an object they are not part of the arguments.
func (m *machine) Expire(h syntax.Host, in string, i int) int {
	if m.phase == afterJSON {
		h.End(h.From())
		return h.Rewind(in, i, h.From())
	}
	m.phase, m.fresh = inText, false
	m.add(h.Pending(in, i, h.From()), 0, 1)
	return h.Rewind(in, i, h.From()+1)
}

func (m *machine) Finish(h syntax.Host) bool {
	if m.phase == afterJSON {
		return true
	}
	if m.form.Closer != "" && !m.form.Frame.Stop || m.phase == beforeText {
		return false // the call has a closer, which is missing, or no text
	}
	if m.phase == atEnd { // part of a marker, and therefore text
		text := h.Pending("", 0, h.From())
		m.add(text, 0, len(text))
	}
	h.Decide()
	m.endText()
	m.End()
	return true
}

func (m *machine) PassThrough() (syntax.PassAs, *syntax.Stops) { return 0, nil }

// write writes the single argument as plain text, or all arguments as JSON.
func write(dst []byte, w *syntax.Writing) ([]byte, error) {
	a := w.Args
	if a.Object {
		return w.JSON.AppendAt(dst, w.Values, 0), nil
	}
	if len(w.Values.Keys) == 0 && takesNothing(w.Schema) {
		return dst, nil
	}
	param := syntax.TextParam(a, w.Schema)
	if len(w.Values.Keys) != 1 || w.Values.Keys[0] != param {
		return dst, &syntax.Unwritable{Reason: syntax.Reasonf("its one argument must be %q", param)}
	}
	text, err := w.Plain(w.Values.List[0], w.Schema.Property(param))
	if err != nil {
		return dst, &syntax.Unwritable{Argument: param, Reason: err}
	}
	return append(dst, text...), nil
}
