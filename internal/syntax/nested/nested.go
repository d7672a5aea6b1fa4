// Package nested reads arguments that are written as one tag for each parameter, with the
// parameter's name: <city>Oslo</city>. Objects and arrays are tags inside the value.
package nested

import (
	"slices"

	"github.com/toolparse/toolparse/internal/dialect"
	"github.com/toolparse/toolparse/internal/jsonstream"
	"github.com/toolparse/toolparse/internal/lex"
	"github.com/toolparse/toolparse/internal/schema"
	"github.com/toolparse/toolparse/internal/syntax"
	"github.com/toolparse/toolparse/internal/syntax/pairs"
	"github.com/toolparse/toolparse/toolcall"
)

// Syntax is the syntax of nested tags.
var Syntax = syntax.Syntax{
	New:     func(limits syntax.Limits) syntax.Machine { return &machine{limits: limits} },
	Compile: func(f *syntax.Form) any { return compile(f) },
	First: func(a *dialect.Args) []lex.Pattern {
		return []lex.Pattern{lex.NewPattern(a.KeyMark.Open) + lex.NameByte}
	},
	Fault:   fault,
	Write:   write,
	Grammar: grammar,
	About:   pairs.About,
}

// machine reads nested tags. The schema and the first token of a value decide what the
// value is. Strings stream.
//
// levels is the stack of open containers. JSON for a member goes to the out of its level as
// soon as it is read, except for an array that is written as repeated tags: its elements
// may be scattered, so level.later collects them, and writeLater writes them when the
// container ends. As in package pairs, a closing tag ends a value only if a structural
// token follows.
type machine struct {
	syntax.Writer
	limits    syntax.Limits
	args      *dialect.Args
	form      *compiled
	phase     phase
	tag       tag
	value     syntax.Value
	name      string         // the tag of the open value
	schema    *schema.Schema // of the open value
	levels    []level        // the open containers; the first one is all arguments
	closerEnd int64          // stream offset after the value's closer, during a look past it
	upper     int            // the level whose closing tag occurred in the value
	quoted    bool           // the value has its own closing tag in its text
	repeat    *laterMember   // the array that the open value is an element of
	elem      jsonstream.Out // JSON of that element
}

type phase uint8

const (
	between     phase = iota // between the members of a container
	atStart                  // at the beginning of a value that may be a container
	inValue                  // in a value's text
	atEnd                    // at a tag in the value
	afterCloser              // after the value's closing tag: a structural token must follow
	afterUpper               // after the closing tag of a container in the value
)

func (m *machine) Begin(h syntax.Host, c syntax.Call, f *syntax.Form) {
	m.Writer.Begin(c)
	m.args, m.form = &f.Args, f.Compiled.(*compiled)
	m.levels = append(m.levels[:0], level{name: m.form.outer, schema: m.Schema()})
	m.repeat = nil
	m.to(h, between)
}

// to enters a phase that reads a tag.
func (m *machine) to(h syntax.Host, phase phase) {
	m.phase = phase
	m.tag.reset(m.form)
	h.Decide()
}

func (m *machine) top() *level { return &m.levels[len(m.levels)-1] }

func (m *machine) Read(h syntax.Host, in string, i int) int {
	if m.phase == inValue {
		return m.readValue(h, in, i)
	}
	if !h.Looking() {
		if m.phase == between {
			if i = lex.SkipBlanks(in, i); i == len(in) {
				return i
			}
			if next, ok := m.readPlain(h, in, i); ok {
				return next
			}
		}
		h.Look(i)
	}
	got, next := m.tag.read(in, i)
	switch got {
	case tokenMore:
		return next
	case tokenNone:
		return m.Expire(h, in, next)
	}
	switch m.phase {
	case between:
		return m.between(h, in, next, got)
	case atStart:
		return m.start(h, in, next, got)
	case atEnd:
		return m.valueMayEnd(h, in, next, got)
	case afterCloser:
		return m.afterValue(h, in, next, got)
	default:
		return m.afterUpper(h, in, next, got)
	}
}

// Expire decides that the pending bytes are not markup.
func (m *machine) Expire(h syntax.Host, in string, i int) int {
	switch m.phase {
	case between:
		m.Call.Tolerate(toolcall.TextBetween)
		to := h.From() + 1
		m.to(h, between)
		return h.Rewind(in, i, to)
	case atStart:
		return m.startText(h, in, i)
	}
	return m.isContent(h, in, i)
}

// between handles a tag between the members of a container.
func (m *machine) between(h syntax.Host, in string, i int, got token) int {
	if got == tokenOpen {
		if len(m.levels) == 1 && m.endsArgs(h, got) {
			if m.Key == "" { // an opener written twice, or lost arguments
				m.Call.Break(toolcall.Malformed, toolcall.ReasonUnreadArgument)
			}
			return m.finishArgs(h, in, i)
		}
		if m.beginsElement() {
			m.Call.Tolerate(toolcall.MissingCloser) // of the previous element
			m.closeLevel()
		}
		return m.beginMember(h, i)
	}
	k := m.levelOf(got)
	if k < 0 && !m.endsArgs(h, got) { // it closes nothing
		m.Call.Tolerate(toolcall.TextBetween)
		m.to(h, between)
		return i
	}
	for len(m.levels) > max(k, 0)+1 {
		m.Call.Tolerate(toolcall.MissingCloser)
		m.closeLevel()
	}
	if k > 0 {
		m.closeLevel()
		m.to(h, between)
		return i
	}
	return m.finishArgs(h, in, i)
}

// endsArgs reports whether the tag just read belongs to what encloses the arguments.
func (m *machine) endsArgs(h syntax.Host, got token) bool {
	name := m.Name(m.tag.name)
	if got == tokenOpen {
		return m.beginsCall(h, name)
	}
	return slices.Contains(m.form.ends, name) || m.tag.is(m.form.outer)
}

// beginsCall reports whether an opening tag with this name begins another call: if no marker
// does that, a tag that is named after a declared tool and not after a declared member.
func (m *machine) beginsCall(h syntax.Host, name string) bool {
	if m.form.bare {
		return !m.top().schema.Declares(name) && h.IsTool(name)
	}
	return slices.Contains(m.form.begin, name)
}

// finishArgs ends the arguments before the pending bytes.
func (m *machine) finishArgs(h syntax.Host, in string, i int) int {
	m.writeLater(&m.levels[0])
	return m.EndBefore(h, in, i)
}

func (m *machine) Finish(h syntax.Host) bool {
	switch m.phase {
	case afterCloser: // the value's own closer is present, the call's is not
		m.closeValue()
	case afterUpper: // the call's closer is present, the value's is not
		if m.upper != 0 {
			return false
		}
		m.lacksCloser()
		for len(m.levels) > 1 {
			m.closeLevel()
		}
		m.writeLater(&m.levels[0])
		m.End()
		return true
	}
	return false
}

func (m *machine) PassThrough() (syntax.PassAs, *syntax.Stops) {
	if m.phase != inValue || !m.Direct() {
		return 0, nil
	}
	return m.value.PassThrough(m.form.stopTable)
}
