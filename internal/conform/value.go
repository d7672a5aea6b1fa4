package conform

import (
	"encoding/json"
	"io"
	"strconv"
	"strings"
)

// decode reads text as one JSON value whose numbers are kept as written.
func decode(text string) (value any, ok bool) {
	dec := json.NewDecoder(strings.NewReader(text))
	dec.UseNumber()
	if dec.Decode(&value) != nil {
		return nil, false
	}
	if _, err := dec.Token(); err != io.EOF {
		return nil, false
	}
	return value, true
}

// equal compares two decoded JSON values. Numbers are equal when they are the
// same number, at any size and precision: 1.0 and 1 are, 0.1 and
// 0.1000000000000000001 are not.
func equal(a, b any) bool {
	switch a := a.(type) {
	case json.Number:
		b, ok := b.(json.Number)
		return ok && canonical(string(a)) == canonical(string(b))
	case []any:
		b, ok := b.([]any)
		if !ok || len(a) != len(b) {
			return false
		}
		for i := range a {
			if !equal(a[i], b[i]) {
				return false
			}
		}
		return true
	case map[string]any:
		b, ok := b.(map[string]any)
		if !ok || len(a) != len(b) {
			return false
		}
		for k, v := range a {
			w, ok := b[k]
			if !ok || !equal(v, w) {
				return false
			}
		}
		return true
	}
	return a == b // nil, bool, string
}

// canonical returns the one text for a JSON number's value: digits without
// zeros at either end, and an exponent.
func canonical(number string) string {
	mantissa, sign := strings.CutPrefix(number, "-")
	exp := 0
	if i := strings.IndexAny(mantissa, "eE"); i >= 0 {
		n, err := strconv.ParseInt(mantissa[i+1:], 10, 32)
		if err != nil {
			return number // an absurd exponent equals only itself
		}
		mantissa, exp = mantissa[:i], int(n)
	}
	whole, frac, _ := strings.Cut(mantissa, ".")
	digits := whole + frac
	exp -= len(frac)
	digits = strings.TrimLeft(digits, "0")
	trimmed := strings.TrimRight(digits, "0")
	if trimmed == "" {
		return "0"
	}
	exp += len(digits) - len(trimmed)
	minus := ""
	if sign {
		minus = "-"
	}
	return minus + trimmed + "e" + strconv.Itoa(exp)
}

// render writes a decoded JSON value on one line, its keys sorted.
func render(value any) string {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(value); err != nil {
		return err.Error()
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// squeeze returns JSON text, whole or cut, without the blanks outside its
// strings.
func squeeze(text string) string {
	var b strings.Builder
	inString, escaped := false, false
	for i := range len(text) {
		switch c := text[i]; {
		case escaped:
			escaped = false
		case inString:
			escaped, inString = c == '\\', c != '"'
		case c == '"':
			inString = true
		case c == ' ' || c == '\t' || c == '\n' || c == '\r':
			continue
		}
		b.WriteByte(text[i])
	}
	return b.String()
}
