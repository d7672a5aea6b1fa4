package python

import (
	"math/big"
	"strings"

	"github.com/toolparse/toolparse/internal/jsonstream"
	"github.com/toolparse/toolparse/internal/jsonvalue"
	"github.com/toolparse/toolparse/internal/lex"
	"github.com/toolparse/toolparse/toolcall"
)

// pyScalar returns the JSON of a word that is a literal.
func pyScalar(word []byte) (json string, used toolcall.Tolerances, ok bool) {
	switch string(word) {
	case "True", "true":
		return "true", 0, true
	case "False", "false":
		return "false", 0, true
	case "None", "null":
		return "null", 0, true
	case "nan", "NaN", "inf", "-inf", "+inf", "Infinity", "-Infinity", "+Infinity":
		return quoted(string(word)), toolcall.NonFiniteNumber, true
	}
	json, ok = pyNumber(string(word))
	return json, 0, ok
}

// pyNumber converts a Python number to JSON. It keeps all digits.
func pyNumber(s string) (json string, ok bool) {
	sign := ""
	switch {
	case strings.HasPrefix(s, "-"):
		sign, s = "-", s[1:]
	case strings.HasPrefix(s, "+"):
		s = s[1:]
	}
	if s, ok = joinDigits(s); !ok {
		return "", false
	}
	if len(s) > 2 && s[0] == '0' {
		base := 0
		switch s[1] | 0x20 {
		case 'x':
			base = 16
		case 'o':
			base = 8
		case 'b':
			base = 2
		}
		if base != 0 {
			n, ok := new(big.Int).SetString(s[2:], base)
			if !ok || digit(s[2]) < 0 {
				return "", false
			}
			return sign + n.String(), true
		}
	}
	whole, rest := s, ""
	if n := strings.IndexAny(s, ".eE"); n >= 0 {
		whole, rest = s[:n], s[n:]
	}
	if whole == "" && (len(rest) < 2 || digit(rest[1]) < 0 || digit(rest[1]) > 9) {
		return "", false
	}
	if whole = strings.TrimLeft(whole, "0"); whole == "" || digit(whole[0]) < 0 {
		whole = "0" + whole
	}
	if strings.HasPrefix(rest, ".") && (len(rest) == 1 || rest[1]|0x20 == 'e') {
		rest = ".0" + rest[1:]
	}
	s = sign + whole + rest
	return s, jsonstream.IsNumber(s)
}

// joinDigits removes the underscores between digits.
func joinDigits(s string) (joined string, ok bool) {
	if strings.IndexByte(s, '_') < 0 {
		return s, true
	}
	var b strings.Builder
	for i := range len(s) {
		if s[i] != '_' {
			b.WriteByte(s[i])
		} else if i == 0 || i+1 == len(s) || digit(s[i+1]) < 0 || digit(s[i-1]) < 0 && s[i-1]|0x20 != 'x' && s[i-1]|0x20 != 'o' {
			return "", false
		}
	}
	return b.String(), true
}

// isPyLiteral reports whether word, followed by the byte c, is a literal or the prefix of a
// string.
func isPyLiteral(word []byte, c byte) bool {
	if c == '"' || c == '\'' {
		return isRawPrefix(word) || isPlainPrefix(word)
	}
	_, _, ok := pyScalar(word)
	return ok
}

// isRawPrefix reports whether word is the prefix of a raw string, which keeps backslashes.
func isRawPrefix(word []byte) bool { return len(word) == 1 && lex.Lower(word[0]) == 'r' }

// isPlainPrefix reports whether word is a string prefix without effect. Bytes and formatted
// strings have no counterpart in JSON.
func isPlainPrefix(word []byte) bool { return len(word) == 1 && lex.Lower(word[0]) == 'u' }

// isPyName reports whether word is a name.
func isPyName(word []byte) bool {
	for i, c := range word {
		if !lex.IsName(c) || i == 0 && !lex.IsNameStart(c) {
			return false
		}
	}
	return len(word) > 0
}

// quoted returns s as a JSON string.
func quoted(s string) string { return string(jsonvalue.AppendQuoted(nil, s)) }
