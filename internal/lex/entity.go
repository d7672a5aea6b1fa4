package lex

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// MaxEntity is the length, in bytes, of the longest entities: &#x10FFFF; and &#1114111;
const MaxEntity = 10

// Entity decodes text, which runs from the & to the ; of an entity: one of the five that
// XML predefines, or a numeric one. For all others, and for numbers that are not valid
// characters, it returns false, and the caller keeps the text as it is.
func Entity(text string) (string, bool) {
	name := text[1 : len(text)-1]
	switch name {
	case "lt":
		return "<", true
	case "gt":
		return ">", true
	case "amp":
		return "&", true
	case "quot":
		return `"`, true
	case "apos":
		return "'", true
	}
	digits, base := strings.TrimPrefix(name, "#"), 10
	if digits == name {
		return "", false
	}
	if rest := strings.TrimLeft(digits, "xX"); len(rest) == len(digits)-1 {
		digits, base = rest, 16
	}
	n, err := strconv.ParseUint(digits, base, 32)
	if err != nil || n == 0 || n > utf8.MaxRune || !utf8.ValidRune(rune(n)) {
		return "", false
	}
	if n < utf8.RuneSelf {
		return string([]byte{byte(n)}), true // which does not allocate
	}
	return string(rune(n)), true
}

// IsEntityByte reports whether c may occur between the & and the ; of an entity.
func IsEntityByte(c byte) bool {
	return Lower(c) >= 'a' && Lower(c) <= 'z' || c >= '0' && c <= '9' || c == '#'
}

// EntityReader reads an entity that may arrive in pieces.
type EntityReader struct{ seen []byte }

// Reset prepares r for another entity.
func (r *EntityReader) Reset() { r.seen = r.seen[:0] }

// Read consumes the entity from in[i] on, which at first is its &. more means that it needs
// more input; else text is what the entity stands for, or "" if there is no entity.
func (r *EntityReader) Read(in string, i int) (text string, next int, more bool) {
	from, most := i, i+MaxEntity-len(r.seen)
	if len(r.seen) == 0 {
		i++
	}
	for i < len(in) && i < most && IsEntityByte(in[i]) {
		i++
	}
	if i == len(in) {
		r.seen = append(r.seen, in[from:]...)
		return "", i, true
	}
	if in[i] == ';' {
		entity := in[from : i+1]
		if len(r.seen) > 0 {
			entity = string(r.seen) + entity
		}
		if text, ok := Entity(entity); ok {
			return text, i + 1, false
		}
	}
	return "", i, false
}

var (
	textEscapes      = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")
	attributeEscapes = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;")
)

// EscapeText writes the characters of markup as entities, and EscapeAttribute double quotes,
// too.
func EscapeText(s string) string      { return textEscapes.Replace(s) }
func EscapeAttribute(s string) string { return attributeEscapes.Replace(s) }

// DecodeEntities replaces every entity in s that [Entity] can decode. It returns s itself,
// without allocating, if s contains no &.
func DecodeEntities(s string) string {
	if strings.IndexByte(s, '&') < 0 {
		return s
	}
	var b strings.Builder
	for {
		i := strings.IndexByte(s, '&')
		if i < 0 {
			b.WriteString(s)
			return b.String()
		}
		var entity EntityReader
		text, next, _ := entity.Read(s, i)
		if text == "" {
			text = s[i:next]
		}
		b.WriteString(s[:i])
		b.WriteString(text)
		s = s[next:]
	}
}

// InCDATA reports whether a text needs a CDATA section, and one can hold it.
func InCDATA(text string) bool {
	return strings.ContainsAny(text, "<&\n") && !strings.Contains(text, CDATAClose)
}
