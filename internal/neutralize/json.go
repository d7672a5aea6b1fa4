package neutralize

import (
	"fmt"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// JSON breaks the markup in the strings of a JSON text by character codes, so that the value
// stays the same. Markup that includes braces of the JSON itself stays.
func (b *Neutralizer) JSON(s string, at Place) string {
	s = escape(s, b.markers.find(s))
	for range maxPasses {
		cuts := b.cuts(s, at)
		if len(cuts) == 0 {
			return s
		}
		escaped := escape(s, cuts)
		if escaped == s {
			return s
		}
		s = escaped
	}
	return escape(s, beginnings(s))
}

// escape writes the characters at the cuts as codes if they are in strings. A character that
// is an escape already stays, and the next one is written as a code instead.
func escape(s string, cuts []int) string {
	var b strings.Builder
	from := 0                     // offset of what is not copied yet
	inString, due := false, false // due: a character of this string must be escaped
	for at := 0; at < len(s) && (due || len(cuts) > 0); {
		n := unit(s[at:])
		for len(cuts) > 0 && cuts[0] < at+n {
			due, cuts = inString, cuts[1:]
		}
		switch {
		case s[at] == '"':
			inString, due = !inString, false
		case due && s[at] != '\\':
			b.WriteString(s[from:at])
			r, _ := utf8.DecodeRuneInString(s[at:])
			for _, code := range utf16.AppendRune(nil, r) {
				fmt.Fprintf(&b, `\u%04x`, code)
			}
			from, due = at+n, false
		}
		at += n
	}
	b.WriteString(s[from:])
	return b.String()
}

// unit returns the length of the first character of s, which is JSON, or of its escape.
func unit(s string) int {
	switch {
	case s[0] != '\\':
		_, n := utf8.DecodeRuneInString(s)
		return n
	case strings.HasPrefix(s, `\u`):
		return min(len(`\u0000`), len(s))
	}
	return min(len(`\n`), len(s))
}
