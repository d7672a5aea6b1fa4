package gemma

import "github.com/toolparse/toolparse/internal/lex"

// Models nearly always write keys that are names, and strings in the dialect's own quotes. Where
// the input has all of a key, or what follows the end of a value, the functions of this file
// read it in one step, without a look and to the same end as in several.

// readPlainKey reads the key at in[i], and the quote of a string after it. It returns where to
// continue, or 0 if the key must be read in steps.
func (m *machine) readPlainKey(in string, i int) int {
	colon := m.form.names.Key(in, i, ':')
	if colon == 0 {
		return 0
	}
	return m.beginPlain(in, i, colon)
}

// beginPlain begins the member whose key is in[i:colon], and the string after it, if there is one.
// It returns where to continue.
func (m *machine) beginPlain(in string, i, colon int) int {
	m.beginMember(in[i:colon])
	if which, next := m.form.marks.Begins(in, colon+1); which == 0 {
		m.beginString(0)
		return next
	}
	return colon + 1
}

// readPlainEnd ends a value before in[i] with end, if what follows a value is there: a comma and
// another key, which it reads, or the bracket that closes the arguments, and what ends the call. It
// returns where to continue, or 0 if that must be read in steps. in is lookable.
func (m *machine) readPlainEnd(in string, i int, end func()) int {
	i = lex.SkipBlanks(in, i)
	switch {
	case i == len(in) || m.top() != '{':
	case in[i] == ',':
		key := lex.SkipBlanks(in, i+1)
		colon := m.form.names.Key(in, key, ':')
		if colon == 0 {
			return 0
		}
		end()
		return m.beginPlain(in, key, colon)
	case in[i] == '}' && len(m.stack) == 1:
		if which, _ := m.form.marks.Begins(in, lex.SkipBlanks(in, i+1)); which > 0 {
			end()
			return i
		}
	}
	return 0
}
