package python

import "github.com/toolparse/toolparse/internal/lex"

// Models nearly always write a key and its equals sign without blanks, and arguments in simple
// quotes. Where the input has all of that, the functions of this file read it in one step, to
// the same end as in several.

// readPlainKey reads the key at in[i], and the quote of a string after it. It returns where to
// continue, or 0 if the key must be read in steps.
func (m *machine) readPlainKey(in string, i int) int {
	equals := lex.KeyBytes.Key(in, i, '=')
	if equals == 0 || m.signs.options {
		return 0
	}
	return m.beginPlain(in, i, equals)
}

// beginPlain begins the argument whose key is in[i:equals], and the string after it, if there is
// one. It returns where to continue.
func (m *machine) beginPlain(in string, i, equals int) int {
	m.Open(in[i:equals])
	m.phase = beforeValue
	i = equals + 1
	if i+1 < len(in) && (in[i] == '"' || in[i] == '\'') && in[i+1] != in[i] {
		m.str.raw = false
		i = m.openString(in, i)
		m.phase = inText
	}
	return i
}

// readPlainEnd ends the open string at the quote before in[i] and begins the next argument, if
// a comma and a key follow. It returns where to continue, or 0 if that must be read in steps.
func (m *machine) readPlainEnd(in string, i int) int {
	looked := m.limits.Lookable(in, i-1)
	if len(m.stack) > 0 || m.str.triple || m.signs.options || i >= len(looked) || in[i] != ',' {
		return 0
	}
	key := lex.SkipBlanks(looked, i+1)
	equals := lex.KeyBytes.Key(looked, key, '=')
	if equals == 0 {
		return 0
	}
	m.endString()
	m.Close()
	return m.beginPlain(in, key, equals)
}
