package nested

import (
	"strings"

	"github.com/toolparse/toolparse/internal/lex"
	"github.com/toolparse/toolparse/internal/syntax"
)

// Models nearly always write tags without blanks and attributes. Where the input has all of such
// a tag, the functions of this file read it in one step, without a look and to the same end as in
// several.

// plainOpener returns the name in the opening tag at in[i], a part of in, and the offset after
// the tag, or 0 if no plain opening tag is there.
func (f *compiled) plainOpener(in string, i int) (name string, next int) {
	if !strings.HasPrefix(in[i:], f.open) {
		return "", 0
	}
	i += len(f.open)
	n := f.names.End(in, i)
	if n == i || n-i > lex.MaxName || n == len(in) || in[n] != '>' {
		return "", 0
	}
	return in[i:n], n + 1
}

// plainEnd reports whether the closing tag that ends the arguments is at in[i].
func (f *compiled) plainEnd(in string, i int) bool {
	return f.outer != "" && strings.HasPrefix(in[i:], f.end)
}

// readPlain reads, between the arguments, the opening tag of one that is no container, or the
// closing tag of all. It returns where to continue, or false if the tag must be read in steps.
func (m *machine) readPlain(h syntax.Host, in string, i int) (next int, ok bool) {
	looked := m.limits.Lookable(in, i)
	if len(m.levels) > 1 {
		return i, false
	}
	if m.form.plainEnd(looked, i) {
		m.writeLater(&m.levels[0])
		m.name = "" // it may be a part of the input
		m.End()
		h.End(h.At(i))
		return i, true
	}
	name, next := m.form.plainOpener(looked, i)
	return next, next > 0 && m.beginPlain(h, name)
}

// beginPlain begins the value of an argument, whose opening tag was just read, unless that may be
// a container.
func (m *machine) beginPlain(h syntax.Host, name string) bool {
	if m.beginsCall(h, name) {
		return false
	}
	s := m.Schema().Property(name)
	if object, array := m.containers(name, s); object || array {
		return false
	}
	m.name, m.schema, m.repeat = name, s, nil
	m.beginValue(h, s)
	return true
}

// readPlainCloser reads, in the value of an argument whose last run is in[from:i], the closing tag
// at in[i], if that closes it: the opening tag of the next argument follows, or the closing tag of
// all. It returns the offset of what follows, or 0 if the tags must be read in steps.
func (m *machine) readPlainCloser(h syntax.Host, in string, from, i int) int {
	looked := m.limits.Lookable(in, i)
	rest, closes := strings.CutPrefix(looked[i:], m.form.close)
	if closes {
		rest, closes = strings.CutPrefix(rest, m.name)
	}
	if !closes || rest == "" || rest[0] != '>' || len(m.levels) > 1 || m.repeat != nil {
		return 0
	}
	next := lex.SkipBlanks(looked, len(looked)-len(rest)+len(">"))
	name, after := m.form.plainOpener(looked, next)
	if after == 0 && !m.form.plainEnd(looked, next) {
		return 0
	}
	m.Call.Tolerate(m.value.AddLast(in, from, i))
	if m.Close(); after > 0 && m.beginPlain(h, name) {
		return after
	}
	m.to(h, between)
	return next
}
