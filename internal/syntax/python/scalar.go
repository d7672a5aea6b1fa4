package python

import (
	"math/big"
	"strings"

	"github.com/toolparse/toolparse/internal/jsonvalue"
	"github.com/toolparse/toolparse/internal/lex"
	"github.com/toolparse/toolparse/toolcall"
)

// scalar returns the JSON of a word that is a literal.
func scalar(word []byte) (json string, used toolcall.Tolerances, ok bool) {
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
	json, ok = number(string(word))
	return json, 0, ok
}

// number converts a Python number to JSON. It keeps all digits.
func number(s string) (json string, ok bool) {
	digits := s
	if s != "" && (s[0] == '-' || s[0] == '+') {
		digits = s[1:]
	}
	if len(digits) > 2 && digits[0] == '0' && strings.IndexByte("xob", lex.Lower(digits[1])) >= 0 {
		if n, ok := new(big.Int).SetString(s, 0); ok { // 0 means that the prefix gives the base
			return n.String(), true
		}
		return "", false
	}
	if strings.IndexByte(s, '_') >= 0 { // allowed between digits
		for i := range len(s) {
			if s[i] == '_' && (i == 0 || i+1 == len(s) || !lex.IsDigits(s[i-1:i]) || !lex.IsDigits(s[i+1:i+2])) {
				return "", false
			}
		}
		s = strings.ReplaceAll(s, "_", "")
	}
	return jsonvalue.MendNumber(s, ".0")
}

// isLiteral reports whether word, followed by the byte c, is a literal or the prefix of a
// string.
func isLiteral(word []byte, c byte) bool {
	if c == '"' || c == '\'' {
		return isRawPrefix(word) || isPlainPrefix(word)
	}
	_, _, ok := scalar(word)
	return ok
}

// isRawPrefix reports whether word is the prefix of a raw string, which keeps backslashes.
func isRawPrefix(word []byte) bool { return len(word) == 1 && lex.Lower(word[0]) == 'r' }

// isPlainPrefix reports whether word is a string prefix without effect. Bytes and formatted
// strings have no counterpart in JSON.
func isPlainPrefix(word []byte) bool { return len(word) == 1 && lex.Lower(word[0]) == 'u' }

// isName reports whether word is a name.
func isName(word []byte) bool {
	for i, c := range word {
		if !lex.IsName(c) || i == 0 && !lex.IsNameStart(c) {
			return false
		}
	}
	return len(word) > 0
}

// quoted returns s as a JSON string.
func quoted(s string) string { return string(jsonvalue.AppendQuoted(nil, s)) }
