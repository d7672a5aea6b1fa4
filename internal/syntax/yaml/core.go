package yaml

import (
	"math/big"
	"strings"

	"github.com/toolparse/toolparse/internal/jsonvalue"
	"github.com/toolparse/toolparse/internal/lex"
	"github.com/toolparse/toolparse/internal/schema"
	"github.com/toolparse/toolparse/internal/strictjson"
	"github.com/toolparse/toolparse/toolcall"
)

// maxCore exceeds the length, in bytes, of a plain text that is not a string.
const maxCore = 128

// mayBeCore reports whether a plain text with this beginning may be null, a boolean or
// a number.
func mayBeCore(text string) bool {
	if len(text) > maxCore {
		return false
	}
	switch c := text[0]; {
	case c >= '0' && c <= '9', c == '+', c == '-', c == '.':
		for _, c := range []byte(text) {
			if !strictjson.IsHex(c) && strings.IndexByte("+-._xoXO", c) < 0 {
				return false
			}
		}
		return true
	case c == '~':
		return len(text) == 1
	}
	for _, word := range []string{"null", "true", "false"} {
		if len(text) <= len(word) && lex.EqualFold(text, word[:len(text)]) {
			return true
		}
	}
	return false
}

// coreScalar converts a plain text that is not a string to JSON, by the core schema of YAML
// 1.2. It treats numbers without a JSON form (.inf, .nan) as strings.
func coreScalar(text string) (string, bool) {
	switch text {
	case "~", "null", "Null", "NULL":
		return "null", true
	case "true", "True", "TRUE":
		return "true", true
	case "false", "False", "FALSE":
		return "false", true
	}
	if text == "" || len(text) > maxCore {
		return "", false
	}
	return coreNumber(text)
}

// coreNumber converts a YAML number to JSON.
func coreNumber(text string) (string, bool) {
	if strings.HasPrefix(text, "0x") || strings.HasPrefix(text, "0o") {
		n, ok := new(big.Int).SetString(text, 0) // 0 means that the prefix gives the base
		if !ok || strings.Contains(text, "_") {
			return "", false
		}
		return n.String(), true
	}
	return jsonvalue.MendNumber(text, "")
}

// typedScalar converts a plain text that is not a string to JSON. It returns false if the text
// is a string, or of no type that the schema allows.
func typedScalar(text string, s *schema.Schema) (string, bool) {
	switch {
	case s.Untyped():
		return coreScalar(text)
	case s.AllowsString():
		return "", false
	}
	if json, used := s.Convert(text); used == 0 { // JSON's own spelling
		return json, true
	}
	text = lex.TrimBlanks(text)
	json, ok := coreScalar(text)
	if !ok {
		switch strings.ToLower(text) {
		case "yes", "on":
			json = "true"
		case "no", "off":
			json = "false"
		default:
			return "", false
		}
	}
	_, used := s.Convert(json)
	return json, used == 0
}

// absent returns the JSON of a value that is absent: null if the schema allows it, else what
// an empty text is.
func absent(s *schema.Schema) (string, toolcall.Tolerances) {
	if s.Untyped() || s.MayConvert("n") {
		return "null", 0
	}
	return s.Convert("")
}
