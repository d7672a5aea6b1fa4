package pairs

import (
	"strings"

	"github.com/toolparse/toolparse/internal/lex"
	"github.com/toolparse/toolparse/internal/syntax"
)

// readPlain reads arguments between two pairs. It takes each one in a single step, and to the
// same end as in several, as long as the input has all of the argument and the token after it
// as models nearly always write them: each marker has the dialect's own text, and the value
// contains nothing that may begin one. It returns where to continue, and whether the arguments
// have ended there.
func (m *machine) readPlain(h syntax.Host, in string, i int) (next int, done bool) {
	i = lex.SkipBlanks(in, i)
	looked := m.limits.Lookable(in, i)
	which, opened := m.form.between.Begins(looked, i)
	if which != 0 {
		return i, false
	}
	for which == 0 {
		key, kind, from := m.form.plainKey(looked, opened)
		if from == 0 {
			return i, false
		}
		to := m.form.findStop(in, from)
		looked = m.limits.Lookable(in, to)
		end, closed := m.form.ends.Begins(looked, to)
		if end != 0 {
			return i, false
		}
		next = lex.SkipBlanks(looked, closed)
		if which, opened = m.form.between.Begins(looked, next); which < 0 {
			return i, false
		}
		s := m.openMember(key, kind, m.args)
		if m.args.LayoutOf(key) == "" && !m.args.QuotesStrings() {
			for skip := m.form.skip; skip != "" && from < to && in[from] == skip[0]; from++ {
				skip = skip[1:]
			}
			m.closeMember(m.Whole(s, in, from, to))
		} else {
			m.beginValue(h, key, s)
			m.closeMember(m.value.AddLast(in, from, to))
		}
		h.Decide()
		m.phase, i = between, next
		if done = which > m.form.voids; done {
			m.End()
			h.End(h.At(i))
		}
	}
	return i, done
}

// plainKey reads, after the opener of a key, everything before the value. It returns
// the key and the written type, which are parts of in, with the offset of the value, or 0 if
// that is not all there or not plain.
func (f *compiled) plainKey(in string, i int) (key, kind string, value int) {
	if f.keyAttr != "" {
		if key, i = plainAttribute(in, i, f.keyAttr); key == "" {
			return "", "", 0
		}
		if kind, value = plainAttribute(in, i, f.typeAttr); kind == "" {
			value = i
		}
		if !strings.HasPrefix(in[value:], string(f.tagEnd)) {
			return "", "", 0
		}
		return key, kind, value + len(f.tagEnd)
	}
	n := lex.NameEnd(in, i, lex.MaxName)
	if n == i || f.keyEnds == nil {
		return "", "", 0
	}
	end, value := f.keyEnds.Begins(in, n)
	if end == 0 && f.valueOpen != nil {
		end, value = f.valueOpen.Begins(in, lex.SkipBlanks(in, value))
	}
	if end != 0 {
		return "", "", 0
	}
	return in[i:n], "", value
}

// plainAttribute returns the value of the attribute at in[i], which begins with open and is a
// name, with the offset after it; or "".
func plainAttribute(in string, i int, open string) (value string, next int) {
	if open == "" || !strings.HasPrefix(in[i:], open) {
		return "", i
	}
	from := i + len(open)
	n := lex.NameEnd(in, from, lex.MaxName)
	if n == from || n == len(in) || in[n] != '"' {
		return "", i
	}
	return in[from:n], n + 1
}
