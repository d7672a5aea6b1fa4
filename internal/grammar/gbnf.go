package grammar

import (
	"fmt"
	"strings"

	"github.com/toolparse/toolparse/internal/rules"
)

// writeRules appends root and all rules that it refers to as GBNF.
func writeRules(dst []byte, root *rules.Rule) []byte {
	for _, r := range rules.Reachable(root) {
		name := r.Name
		if r == root {
			name = "root"
		}
		dst = append(append(dst, name...), " ::= "...)
		dst = append(appendNode(dst, r.Body, false), '\n')
	}
	return dst
}

// appendNode appends an expression. inner says that it is in a sequence or before
// an operator, where alternatives need parentheses.
func appendNode(dst []byte, n *rules.Node, inner bool) []byte {
	switch n.Kind {
	case rules.KindText:
		return appendLiteral(dst, n.Text)
	case rules.KindChar:
		return appendClass(dst, n.Set)
	case rules.KindRule:
		return append(dst, n.Rule.Name...)
	case rules.KindRepeat:
		of := n.Of[0]
		if of.Kind == rules.KindSeq || of.Kind == rules.KindRepeat {
			dst = append(appendNode(append(dst, '('), of, false), ')')
		} else {
			dst = appendNode(dst, of, true)
		}
		return append(dst, times(n.Min, n.Max)...)
	case rules.KindAlt:
		if inner {
			dst = append(dst, '(')
		}
		for i, o := range n.Of {
			if i > 0 {
				dst = append(dst, " | "...)
			}
			dst = appendNode(dst, o, true)
		}
		if inner {
			dst = append(dst, ')')
		}
		return dst
	}
	if len(n.Of) == 0 {
		return append(dst, `""`...)
	}
	for i, o := range n.Of {
		if i > 0 {
			dst = append(dst, ' ')
		}
		dst = appendNode(dst, o, true)
	}
	return dst
}

func times(least, most int) string {
	switch {
	case least == 0 && most == 1:
		return "?"
	case least == 0 && most < 0:
		return "*"
	case least == 1 && most < 0:
		return "+"
	case most < 0:
		return fmt.Sprintf("{%d,}", least)
	case least == most:
		return fmt.Sprintf("{%d}", least)
	}
	return fmt.Sprintf("{%d,%d}", least, most)
}

func appendLiteral(dst []byte, s string) []byte {
	dst = append(dst, '"')
	for _, r := range s {
		dst = appendRune(dst, r, `"\`)
	}
	return append(dst, '"')
}

// appendClass appends a character class, negated if the set includes the last code
// point.
func appendClass(dst []byte, set rules.Charset) []byte {
	dst = append(dst, '[')
	if set.Has(0x10ffff) {
		dst = append(dst, '^')
		set = set.Complement()
	}
	for _, x := range set {
		if x[0] == 0xd800 && x[1] == 0xdfff {
			continue // text contains no surrogates
		}
		dst = appendRune(dst, x[0], `]\^-`)
		if x[1] > x[0] {
			dst = appendRune(append(dst, '-'), x[1], `]\^-`)
		}
	}
	return append(dst, ']')
}

// appendRune appends a character of a literal or a class, and escapes the special ones.
// It avoids \x, because readers disagree on where that ends before more hexadecimal
// digits.
func appendRune(dst []byte, r rune, special string) []byte {
	switch {
	case r == '\n':
		return append(dst, `\n`...)
	case r == '\r':
		return append(dst, `\r`...)
	case r == '\t':
		return append(dst, `\t`...)
	case r == '"' || r == '\\' || r == ']' || r == '[':
		if strings.ContainsRune(special, r) || r == '\\' {
			return append(dst, '\\', byte(r))
		}
		return append(dst, byte(r))
	case r < ' ' || r == 0x7f || r < 0x80 && strings.ContainsRune(special, r) ||
		r >= 0x80 && r <= 0xa0 || r >= 0x2000 && r <= 0x206f || r >= 0xd7ff && r <= 0xffff:
		return fmt.Appendf(dst, `\u%04X`, r)
	case r > 0xffff:
		return fmt.Appendf(dst, `\U%08X`, r)
	}
	return append(dst, string(r)...)
}
