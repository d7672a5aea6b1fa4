package tags

import (
	"strings"

	"github.com/toolparse/toolparse/dialect"
	"github.com/toolparse/toolparse/internal/lex"
	"github.com/toolparse/toolparse/internal/syntax"
)

// plain holds the tags of an argument as models nearly always write them. Where the input has
// all of such a tag, the machine reads it in one step, without a look and to the same end as
// in several: <arg name="city">Oslo</arg>.
type plain struct {
	open  string // up to the parameter's name; "" if tags must be read in steps
	close string
}

func compile(a *dialect.Args) *plain {
	if lex.EqualFold(a.Tag, a.Wrapper) {
		return &plain{}
	}
	return &plain{open: "<" + a.Tag + " " + a.Key + `="`, close: "</" + a.Tag + ">"}
}

// opener returns the parameter's name, a part of in, in the opening tag at in[i], and the offset
// after the tag, or 0 if that is not there or not plain.
func (p *plain) opener(in string, i int) (key string, next int) {
	if p.open == "" || !strings.HasPrefix(in[i:], p.open) {
		return "", 0
	}
	i += len(p.open)
	n := strings.IndexByte(in[i:], '"')
	if next = i + n + len(`">`); n < 0 || next > len(in) || in[next-1] != '>' || strings.IndexByte(in[i:i+n], '&') >= 0 {
		return "", 0
	}
	return in[i : i+n], next
}

// readPlainOpener reads the opening tag of an argument at in[i] between two values. It returns
// the offset after the tag, or 0 if the tag must be read in steps.
func (m *machine) readPlainOpener(h syntax.Host, in string, i int) int {
	key, next := m.plain.opener(m.lookable(in, i), i)
	if next == 0 || m.top().array {
		return 0
	}
	m.closer = m.args.Tag
	m.beginTagged(h, key, next)
	return next
}

// readPlainCloser reads, in a value, the closing tag at in[i] and the opening tag of the next
// argument, without which it closes nothing. It returns the offset after both, or 0 if they
// must be read in steps.
func (m *machine) readPlainCloser(h syntax.Host, in string, i int) int {
	in = m.lookable(in, i)
	if m.closer != m.args.Tag || m.top().array || !strings.HasPrefix(in[i:], m.plain.close) {
		return 0
	}
	next := lex.SkipBlanks(in, i+len(m.plain.close))
	key, next := m.plain.opener(in, next)
	if next == 0 {
		return 0
	}
	m.endValue()
	m.beginTagged(h, key, next)
	return next
}

// lookable returns in up to the deadline of a look at in[i].
func (m *machine) lookable(in string, i int) string { return in[:min(len(in), i+m.limits.Look)] }
