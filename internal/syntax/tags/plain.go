package tags

import (
	"strings"

	"github.com/toolparse/toolparse/internal/dialect"
	"github.com/toolparse/toolparse/internal/lex"
	"github.com/toolparse/toolparse/internal/syntax"
)

// plain holds the tags of an argument as models nearly always write them. Where the input has
// all of such a tag, the machine reads it in one step, without a look and to the same end as
// in several: <arg name="city">Oslo</arg>.
type plain struct {
	open string // up to the parameter's name
	call string // the closing tag of the call
}

// The tags around all arguments, and the closing tag of one.
const (
	wrapperOpen  = "<" + dialect.WrapperTag + ">"
	wrapperClose = "</" + dialect.WrapperTag + ">"
	argClose     = "</" + dialect.ArgTag + ">"
)

func compile(f *dialect.Form) *plain {
	return &plain{open: "<" + dialect.ArgTag + " " + f.Args.Key + `="`, call: "</" + callName(f) + ">"}
}

// opener returns the parameter's name, a part of in, in the opening tag at in[i], and the offset
// after the tag, or 0 if that is not there or not plain.
func (p *plain) opener(in string, i int) (key string, next int) {
	if !strings.HasPrefix(in[i:], p.open) {
		return "", 0
	}
	i += len(p.open)
	n := strings.IndexByte(in[i:], '"')
	if next = i + n + len(`">`); n < 0 || next > len(in) || in[next-1] != '>' || strings.IndexByte(in[i:i+n], '&') >= 0 {
		return "", 0
	}
	return in[i : i+n], next
}

// readPlain reads, between two values, the opening tag of an argument at in[i], or one of the tags
// around all of them. It returns where to continue, or 0 if the tag must be read in steps.
func (m *machine) readPlain(h syntax.Host, in string, i int) int {
	looked := m.limits.Lookable(in, i)
	if m.plainWrapper(looked, i) {
		if m.frames[0].closer == "" {
			m.frames[0].closer = dialect.WrapperTag
			return i + len(wrapperOpen)
		}
		h.Look(i)
		h.Decide()
		return m.closeFrames(h, in, i+len(wrapperClose), 0)
	}
	key, next := m.plain.opener(looked, i)
	if next == 0 || m.top().array {
		return 0
	}
	m.closer = dialect.ArgTag
	m.beginTagged(h, key, next)
	return next
}

// plainWrapper reports whether the tag around all arguments that is due is at in[i].
func (m *machine) plainWrapper(in string, i int) bool {
	due := wrapperOpen
	if m.frames[0].closer != "" {
		due = wrapperClose
	}
	return len(m.frames) == 1 && strings.HasPrefix(in[i:], due)
}

// readPlainCloser reads, in a value whose last run is in[from:i], the closing tag at in[i] and
// what follows, without which it closes nothing: the opening tag of the next argument, or before
// the closing tag around all of them. It returns where to continue, or 0 if the tags must be read
// in steps.
func (m *machine) readPlainCloser(h syntax.Host, in string, from, i int) int {
	looked := m.limits.Lookable(in, i)
	if m.closer != dialect.ArgTag || m.top().array || !strings.HasPrefix(looked[i:], argClose) {
		return 0
	}
	after := lex.SkipBlanks(looked, i+len(argClose))
	key, next := m.plain.opener(looked, after)
	switch {
	case next > 0:
		m.endValueWith(in, from, i)
		m.beginTagged(h, key, next)
		return next
	case m.frames[0].closer != "" && m.plainWrapper(looked, after):
		m.endValueWith(in, from, i)
		return after
	}
	return 0
}
