package schema

import (
	"strings"

	"github.com/toolparse/toolparse/internal/bytescan"
	"github.com/toolparse/toolparse/internal/jsonstream"
	"github.com/toolparse/toolparse/internal/jsonvalue"
	"github.com/toolparse/toolparse/internal/lex"
	"github.com/toolparse/toolparse/internal/strictjson"
	"github.com/toolparse/toolparse/toolcall"
)

const (
	// maxScalar limits, in bytes with blanks, a text that may become a number, a boolean or
	// null. It also limits how far into a text the decision may lie whether the text is a
	// container.
	maxScalar = 4096
	// maxNesting limits the nesting of an object or array.
	maxNesting = 128
)

// Convert turns text, a complete value as a tag dialect writes it, into JSON. It tries the
// allowed types in the order null, integer, number, boolean, object, array, string; a text
// that equals a member of an enum gets that member's type. Numbers keep their text.
//
// used is toolcall.UnconvertedValue if the text fits no allowed type and becomes a string
// anyway, or the repairs if an object or array was only nearly JSON. The time is linear in
// the text.
func (s *Schema) Convert(text string) (value string, used toolcall.Tolerances) {
	value, used, ok := s.ConvertTyped(text)
	if ok {
		return value, used
	}
	if !s.AllowsString() {
		used = toolcall.UnconvertedValue
	}
	return jsonvalue.Quote(text), used
}

// ConvertTyped is Convert for a text that fits a type other than string, or equals a member of
// an enum. Otherwise ok is false, and Convert makes the text a string.
func (s *Schema) ConvertTyped(text string) (value string, used toolcall.Tolerances, ok bool) {
	types := s.allowed()
	if types == typeString {
		return "", 0, false
	}
	trimmed := lex.TrimBlanks(text)
	if len(text) <= maxScalar {
		if value, ok = s.convertMember(text, trimmed); ok {
			return value, 0, true
		}
		if value, used, ok = types.convertScalar(trimmed); ok {
			return value, used, true
		}
	}
	if value, used, ok = types.convertContainer(text, trimmed); ok {
		return value, used, true
	}
	return "", 0, false
}

// convertMember finds the enum member that the text equals. Objects and arrays need no
// search: their text can have no other type.
func (s *Schema) convertMember(text, trimmed string) (value string, ok bool) {
	best := typeSet(0)
	s.anyPart(func(part *Schema) bool {
		if part.enum == nil {
			return false
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
		return false
	})
	return value, best != 0
}

// equalsText reports whether a tag dialect writes the scalar v as text, and returns it as
// JSON.
func equalsText(v *value, text, trimmed string) (json string, equal bool) {
	switch v.Kind {
	case jsonvalue.Null:
		return trimmed, trimmed == "null"
	case jsonvalue.Number:
		equal = jsonvalue.IsNumber(trimmed) && jsonvalue.ParseDecimal(trimmed) == jsonvalue.ParseDecimal(v.Text)
		return trimmed, equal
	case jsonvalue.Bool:
		return v.Text, lex.EqualFold(trimmed, v.Text)
	case jsonvalue.String:
		if text == v.Text {
			return jsonvalue.Quote(text), true
		}
	}
	return "", false
}

// convertScalar converts text to null, a number or a boolean, as far as t allows them.
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
		if t&typeNumber != 0 || lex.IsDigits(text) || jsonvalue.ParseDecimal(text).IsInteger() {
			return text, 0, true
		}
	}
	if t&(typeInteger|typeNumber) != 0 && t&typeString == 0 {
		if n, ok := jsonvalue.MendNumber(text, ""); ok && (t&typeNumber != 0 || jsonvalue.ParseDecimal(n).IsInteger()) {
			return n, toolcall.CoercedType, true
		}
	}
	if t&typeBoolean != 0 {
		switch {
		case text == "1" || lex.EqualFold(text, "true"):
			return "true", 0, true
		case text == "0" || lex.EqualFold(text, "false"):
			return "false", 0, true
		}
	}
	return "", 0, false
}

// convertContainer converts text to an object or an array, as far as t allows them.
func (t typeSet) convertContainer(text, trimmed string) (value string, used toolcall.Tolerances, ok bool) {
	if t&(typeObject|typeArray) == 0 {
		return "", 0, false
	}
	if trimmed == "" {
		// If it may be a string, an empty text is the empty string.
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

// unescape undoes the escaping of quotes in text. It returns false if there are none to
// undo.
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

// scanContainer repairs trimmed, an object or array, and returns it as JSON.
func scanContainer(trimmed string) (value string, used toolcall.Tolerances, ok bool) {
	value, used, err := jsonstream.Repair(trimmed, maxNesting)
	return bytescan.ToUTF8(value), used, err == nil
}

// MayConvert reports whether a text that begins with prefix may still become anything other
// than a string. Once it is false it stays false: Convert makes the whole text a string,
// whatever follows, so the value may stream. It is false for a nil Schema, which stands for
// a string. It examines only the first 4 KiB; for a longer prefix the answer no longer
// changes.
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
	word := lex.TrimBlanks(prefix)
	ended := prefix != "" && lex.IsBlank(prefix[len(prefix)-1])
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
	if t&typeString == 0 {
		return jsonvalue.MayMend(word)
	}
	n, _ := strictjson.ScanNumber(word)
	return n == len(word)
}

// mayBeContainer reports whether an object or an array, if t allows one, may begin with
// prefix.
func (t typeSet) mayBeContainer(prefix string) bool {
	head := prefix[:min(len(prefix), maxScalar)]
	head = head[lex.SkipBlanks(head, 0):]
	if head == "" {
		return t&(typeObject|typeArray) != 0 && len(prefix) < maxScalar
	}
	first := head[lex.SkipBlanks(head, 1):]
	switch {
	case head[0] == '{' && t&typeObject != 0:
		return first == "" || strings.IndexByte(`}"'`, first[0]) >= 0 || isKeyStart(first[0]) || t.mayBeEscaped(first)
	case head[0] == '[' && t&typeArray != 0:
		return first == "" || strings.IndexByte(`]"'{[-+.0123456789`, first[0]) >= 0 || isKeyStart(first[0]) || t.mayBeEscaped(first)
	}
	return false
}

// mayBeEscaped reports whether the quotes in a container with these first bytes may be
// escaped. If a string is allowed, the text is a string instead.
func (t typeSet) mayBeEscaped(first string) bool {
	return t&typeString == 0 && first[0] == '\\' && (len(first) == 1 || strings.IndexByte(`"nrt`, first[1]) >= 0)
}

// isKeyStart reports whether c may begin a key or a word without quotes.
func isKeyStart(c byte) bool { return lex.IsLetter(c) || c == '_' || c == '$' }

// hasPrefixFold reports whether s, in lower case, begins with prefix, ignoring ASCII case.
func hasPrefixFold(s, prefix string) bool {
	return len(prefix) <= len(s) && lex.EqualFold(prefix, s[:len(prefix)])
}
