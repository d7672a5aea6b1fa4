package jsonstream

import (
	"github.com/toolparse/toolparse/internal/jsonvalue"
	"github.com/toolparse/toolparse/internal/strictjson"
	"github.com/toolparse/toolparse/toolcall"
)

// words maps literals, as models write them, to JSON.
var words = map[string]struct {
	json      string
	tolerance toolcall.Tolerances
}{
	"true":      {"true", 0},
	"false":     {"false", 0},
	"null":      {"null", 0},
	"True":      {"true", toolcall.PythonLiteral},
	"False":     {"false", toolcall.PythonLiteral},
	"None":      {"null", toolcall.PythonLiteral},
	"NaN":       {`"NaN"`, toolcall.NonFiniteNumber},
	"nan":       {`"nan"`, toolcall.NonFiniteNumber},
	"Infinity":  {`"Infinity"`, toolcall.NonFiniteNumber},
	"-Infinity": {`"-Infinity"`, toolcall.NonFiniteNumber},
	"inf":       {`"inf"`, toolcall.NonFiniteNumber},
	"-inf":      {`"-inf"`, toolcall.NonFiniteNumber},
}

// openWord begins a number, a literal, or an unquoted key.
func (s *Scanner) openWord(in string, i int) (Kind, int, bool) {
	if !isWord(in[i]) {
		return s.invalid(ErrSyntax, i)
	}
	s.key = s.KeyNext()
	if s.key && (!isNameStart(in[i]) || !s.beginKey()) || !s.key && !s.beginValue() {
		return s.invalid(ErrSyntax, i)
	}
	s.lex, s.text = inWord, s.text[:0]
	return More, i, false
}

// word reads the rest of a word, which ends before the first byte that cannot belong to it.
func (s *Scanner) word(in string, i int) (Kind, int, bool) {
	j := i
	for j < len(in) && isWord(in[j]) {
		j++
	}
	most, err := maxScalar, ErrLong
	switch {
	case s.key:
		most, err = maxBareKey, ErrSyntax
	case !mayBeNumber(s.text, in[i:j]):
		most, err = maxLiteral, ErrSyntax
	}
	if room := max(0, most-len(s.text)); j-i > room {
		return s.invalid(err, i+room)
	}
	run := ""
	if s.text = append(s.text, in[i:j]...); len(s.text) == j-i {
		run = in
	}
	if j == len(in) {
		return More, j, true
	}
	if s.key {
		s.Tolerances |= toolcall.UnquotedKey
		s.add(`"`)
		s.addBytes(s.text)
		s.add(`"`)
		s.lex, s.expect, s.members = between, expectColon, true
		return Key, j, true
	}
	if !s.endWord(run, i, j) {
		_, n := strictjson.ScanNumber(s.text)
		s.addBytes(s.text[:n]) // the valid prefix
		return s.invalid(ErrSyntax, j)
	}
	return Scalar, j, true
}

// mayBeNumber reports whether a and b, joined, begin like a number. It is called for every
// word and therefore does not join them.
func mayBeNumber(a []byte, b string) bool {
	var head [len("-0")]byte
	copy(head[copy(head[:], a):], b)
	first := head[0]
	if first == '-' {
		first = head[1]
	}
	return first >= '0' && first <= '9'
}

// endWord interprets the complete word in text. If in is not empty, in[a:b] is the same
// word, and can be passed on without a copy. endWord reports whether the word is a scalar.
func (s *Scanner) endWord(in string, a, b int) bool {
	if !jsonvalue.IsNumber(s.text) {
		w, ok := words[string(s.text)]
		if !ok {
			s.Err = ErrSyntax
			return false
		}
		if w.tolerance != 0 {
			s.Tolerances |= w.tolerance
			s.text, in = append(s.text[:0], w.json...), ""
		}
	}
	if in != "" && s.Out != nil {
		s.Out.Pass(in, a, b)
	} else {
		s.addBytes(s.text)
	}
	s.lex = between
	s.endValue()
	return true
}
