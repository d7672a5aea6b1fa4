package grammar

import (
	"fmt"
	"strings"
)

// writeRules appends root and all rules that it refers to as GBNF.
func writeRules(dst []byte, root *rule) []byte {
	for _, r := range reachable(root) {
		name := r.name
		if r == root {
			name = "root"
		}
		dst = append(append(dst, name...), " ::= "...)
		dst = append(appendNode(dst, r.body, false), '\n')
	}
	return dst
}

// appendNode appends an expression. inner says that it is in a sequence or before
// an operator, where alternatives need parentheses.
func appendNode(dst []byte, n *node, inner bool) []byte {
	switch n.kind {
	case kindLit:
		return appendLiteral(dst, n.text)
	case kindChar:
		return appendClass(dst, n.set)
	case kindRule:
		return append(dst, n.rule.name...)
	case kindRep:
		of := n.of[0]
		if of.kind == kindSeq || of.kind == kindRep {
			dst = append(appendNode(append(dst, '('), of, false), ')')
		} else {
			dst = appendNode(dst, of, true)
		}
		return append(dst, times(n.min, n.max)...)
	case kindAlt:
		if inner {
			dst = append(dst, '(')
		}
		for i, o := range n.of {
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
	if len(n.of) == 0 {
		return append(dst, `""`...)
	}
	for i, o := range n.of {
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
func appendClass(dst []byte, set charset) []byte {
	dst = append(dst, '[')
	if set.has(0x10ffff) {
		dst = append(dst, '^')
		set = set.complement()
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
