package schema

import (
	"strings"
	"unicode/utf8"

	"github.com/toolparse/toolparse/internal/jsonstream"
	"github.com/toolparse/toolparse/internal/jsonvalue"
	"github.com/toolparse/toolparse/toolcall"
)

const (
	// maxScalar is how long a text may be, blanks included, to become a
	// number, a boolean or null; and how far into a text the decision
	// whether it is a container may lie.
	maxScalar = 4096
	// maxNesting is how deep an object or array may be.
	maxNesting = 128

	blanks = " \t\r\n"
)

// Convert turns text, a whole value as a tag dialect writes it, into JSON of the
// first type allowed that it fits, in the order null, integer, number,
// boolean, object, array, string; a text that equals a member of an enum has
// that member's type. Numbers keep their text.
//
// used tells what had to be put up with: toolcall.UnconvertedValue where no
// type allowed fits, and the value is a string all the same; the repairs where
// an object or array was only nearly JSON.
//
// It takes time linear in the text.
func (s *Schema) Convert(text string) (value string, used toolcall.Tolerances) {
	types := s.allowed()
	if types == typeString {
		return jsonvalue.Quote(text), 0
	}
	trimmed := strings.Trim(text, blanks)
	if len(text) <= maxScalar {
		if v, ok := s.convertMember(text, trimmed); ok {
			return v, 0
		}
		if v, used, ok := types.convertScalar(trimmed); ok {
			return v, used
		}
	}
	if v, used, ok := types.convertContainer(text, trimmed); ok {
		return v, used
	}
	if types&typeString == 0 {
		used = toolcall.UnconvertedValue
	}
	return jsonvalue.Quote(text), used
}

// convertMember finds the member of an enum that the text equals. Members that
// are objects or arrays need no search: their text can be of no other type.
func (s *Schema) convertMember(text, trimmed string) (value string, ok bool) {
	if s.alone() && s.enum == nil {
		return "", false
	}
	return s.convertAmong(text, trimmed)
}

// convertAmong is convertMember for a schema with members somewhere. It stands
// apart so that only such a schema pays for the closure.
func (s *Schema) convertAmong(text, trimmed string) (value string, ok bool) {
	best := typeSet(0)
	for part := range s.parts() {
		if part.enum == nil {
			continue
		}
		for _, member := range part.enum.values {
			kind := typeOf(member)
			if !s.types.fits(kind) || best != 0 && kind >= best {
				continue
			}
			if v, equal := equalsText(member, text, trimmed); equal {
				value, best = v, kind
			}
		}
	}
	return value, best != 0
}

// equalsText reports whether text is how a tag dialect writes the scalar v,
// and returns it as JSON.
func equalsText(v *value, text, trimmed string) (json string, equal bool) {
	switch v.Kind {
	case jsonvalue.Null:
		return trimmed, trimmed == "null"
	case jsonvalue.Number:
		equal = jsonvalue.IsNumber(trimmed) && jsonvalue.ParseDecimal(trimmed) == jsonvalue.ParseDecimal(v.Text)
		return trimmed, equal
	case jsonvalue.Bool:
		return v.Text, equalFold(trimmed, v.Text)
	case jsonvalue.String:
		if text == v.Text {
			return jsonvalue.Quote(text), true
		}
	}
	return "", false
}

func (t typeSet) convertScalar(text string) (value string, used toolcall.Tolerances, ok bool) {
	if t&typeNull != 0 {
		if text == "null" {
			return text, 0, true
		}
		if t&typeString == 0 && text == "None" {
			return "null", toolcall.PythonLiteral, true
		}
	}
	if t&(typeInteger|typeNumber) != 0 && jsonvalue.IsNumber(text) {
		if t&typeNumber != 0 || jsonvalue.ParseDecimal(text).IsInteger() {
			return text, 0, true
		}
	}
	if t&typeBoolean != 0 {
		switch {
		case text == "1" || equalFold(text, "true"):
			return "true", 0, true
		case text == "0" || equalFold(text, "false"):
			return "false", 0, true
		}
	}
	return "", 0, false
}

func (t typeSet) convertContainer(text, trimmed string) (value string, used toolcall.Tolerances, ok bool) {
	if t&(typeObject|typeArray) == 0 {
		return "", 0, false
	}
	if trimmed == "" {
		// Where it may be a string, nothing is the empty string.
		switch {
		case t&typeString != 0 || len(text) >= maxScalar:
			return "", 0, false
		case t&typeObject != 0:
			return "{}", 0, true
		}
		return "[]", 0, true
	}
	if !t.mayBeContainer(text) {
		return "", 0, false
	}
	if value, used, ok = scanContainer(trimmed); ok || t&typeString != 0 {
		return value, used, ok
	}
	if inner, escaped := unescape(trimmed); escaped {
		value, used, ok = scanContainer(inner)
		used |= toolcall.StringArguments
	}
	return value, used, ok
}

// unescape is text as it was before its quotes were escaped for a string, where
// they are.
func unescape(text string) (plain string, escaped bool) {
	if !strings.Contains(text, `\"`) {
		return "", false
	}
	var b strings.Builder
	var scan jsonstream.Scanner
	text = `"` + text + `"`
	for at := 0; at < len(text); {
		kind, next := scan.Next(text, at)
		switch at = next; kind {
		case jsonstream.StringPart:
			b.WriteString(scan.Part)
		case jsonstream.StringEnd:
			return b.String(), at == len(text)
		}
	}
	return "", false
}

// scanContainer returns trimmed, an object or array, as JSON.
func scanContainer(trimmed string) (value string, used toolcall.Tolerances, ok bool) {
	var out jsonstream.Out
	scan := jsonstream.Scanner{Out: &out, MaxDepth: maxNesting, Quiet: true}
	for at := 0; at < len(trimmed); {
		kind, next := scan.Next(trimmed, at)
		if kind == jsonstream.Invalid || kind == jsonstream.More && next < len(trimmed) {
			return "", 0, false // no JSON, or something after it
		}
		at = next
	}
	if !scan.Close() {
		return "", 0, false
	}
	return replaceInvalid(out.Take()), scan.Tolerances, true
}

// MayConvert reports whether a text that begins with prefix might still become
// another type than a string. It is false for good once it is false: then
// Convert makes a string of the whole text, whatever follows, so that the value
// may stream as one. A nil Schema is a string: false. It looks at the first
// 4 KiB alone: the answer for a longer prefix holds for good.
func (s *Schema) MayConvert(prefix string) bool {
	types := s.allowed()
	if types == typeString {
		return false
	}
	if len(prefix) <= maxScalar && types.mayBeScalar(prefix) {
		return true
	}
	return types.mayBeContainer(prefix)
}

// mayBeScalar reports whether a number, a boolean or null may begin with prefix.
func (t typeSet) mayBeScalar(prefix string) bool {
	text := strings.TrimLeft(prefix, blanks)
	word := strings.TrimRight(text, blanks)
	ended := len(word) < len(text)
	if word == "" {
		return t&(typeNull|typeInteger|typeNumber|typeBoolean) != 0
	}
	if ended {
		_, _, ok := t.convertScalar(word)
		return ok
	}
	if t&typeNull != 0 && (strings.HasPrefix("null", word) || t&typeString == 0 && strings.HasPrefix("None", word)) {
		return true
	}
	if t&typeBoolean != 0 {
		if word == "0" || word == "1" || hasPrefixFold("true", word) || hasPrefixFold("false", word) {
			return true
		}
	}
	if t&(typeInteger|typeNumber) == 0 {
		return false
	}
	n, _ := jsonvalue.ScanNumber(word)
	return n == len(word)
}

// mayBeContainer reports whether an object or an array, as far as those are
// allowed, may begin with prefix.
func (t typeSet) mayBeContainer(prefix string) bool {
	head := strings.TrimLeft(prefix[:min(len(prefix), maxScalar)], blanks)
	if head == "" {
		return t&(typeObject|typeArray) != 0 && len(prefix) < maxScalar
	}
	first := strings.TrimLeft(head[1:], blanks)
	switch {
	case head[0] == '{' && t&typeObject != 0:
		return first == "" || strings.IndexByte(`}"'`, first[0]) >= 0 || isNameStart(first[0]) || t.mayBeEscaped(first)
	case head[0] == '[' && t&typeArray != 0:
		return first == "" || strings.IndexByte(`]"'{[-+.`, first[0]) >= 0 || isDigit(first[0]) || isNameStart(first[0]) || t.mayBeEscaped(first)
	}
	return false
}

// mayBeEscaped reports whether a container whose first bytes are these may be
// one whose quotes are escaped. Where a string is allowed, that is one.
func (t typeSet) mayBeEscaped(first string) bool {
	return t&typeString == 0 && first[0] == '\\' && (len(first) == 1 || strings.IndexByte(`"nrt`, first[1]) >= 0)
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func isNameStart(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' || c == '_' || c == '$' }

// equalFold compares as strings.EqualFold does, but folds ASCII alone. b is
// in lower case.
func equalFold(a, b string) bool { return len(a) == len(b) && hasPrefixFold(b, a) }

// hasPrefixFold reports whether s, in lower case, begins with prefix in any case.
func hasPrefixFold(s, prefix string) bool {
	if len(prefix) > len(s) {
		return false
	}
	for i := range len(prefix) {
		c := prefix[i]
		if 'A' <= c && c <= 'Z' {
			c |= 0x20
		}
		if c != s[i] {
			return false
		}
	}
	return true
}

// replaceInvalid replaces each byte of s that is no UTF-8 by U+FFFD.
func replaceInvalid(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	return string([]rune(s))
}
