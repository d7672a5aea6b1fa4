package schema

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// Classes that are wider in ECMAScript than in RE2, as written inside brackets.
const (
	spaces   = `\t-\r \x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}\x{feff}`
	noSpaces = `\x{0}-\x{8}\x{e}-\x{1f}!-\x{9f}\x{a1}-\x{167f}\x{1681}-\x{1fff}\x{200b}-\x{2027}\x{202a}-\x{202e}` +
		`\x{2030}-\x{205e}\x{2060}-\x{2fff}\x{3001}-\x{fefe}\x{ff00}-\x{10ffff}`
)

// escape parses an escape outside brackets.
func (p *patternParser) escape() (term, error) {
	if p.at+1 == len(p.source) {
		return term{}, p.fault("it ends in a backslash")
	}
	switch c := p.source[p.at+1]; {
	case '1' <= c && c <= '9', c == 'k':
		return term{}, errReference
	case c == 'b' || c == 'B' || c == 'A' || c == 'z':
		p.at += 2
		return term{text: `\` + string(c)}, nil
	case c == 'Z': // Python's name for it
		p.at += 2
		return term{text: `\z`}, nil
	}
	text, inside, err := p.character()
	if inside {
		text = "[" + text + "]"
	}
	return term{text: text, single: true}, err
}

// character parses an escape for a character or a class. inside means that text must be
// enclosed in brackets.
func (p *patternParser) character() (text string, inside bool, err error) {
	if p.at+1 == len(p.source) {
		return "", false, p.fault("it ends in a backslash")
	}
	c := p.source[p.at+1]
	switch c {
	case 's', 'S', 'd', 'D', 'w', 'W':
		p.at += 2
		switch c {
		case 's':
			return spaces, true, nil
		case 'S':
			return noSpaces, true, nil
		}
		return `\` + string(c), false, nil
	case 'p', 'P':
		return p.property()
	case 't', 'n', 'r', 'f', 'v':
		p.at += 2
		return `\` + string(c), false, nil
	case '0':
		p.at += 2
		return `\x{0}`, false, nil
	case 'c':
		if p.at+2 < len(p.source) {
			if letter := p.source[p.at+2] | 0x20; 'a' <= letter && letter <= 'z' {
				p.at += 3
				return fmt.Sprintf(`\x{%x}`, letter&0x1f), false, nil
			}
		}
	case 'x', 'u':
		if r, n := codePoint(p.rest()); n > 0 {
			p.at += n
			return fmt.Sprintf(`\x{%x}`, r), false, nil
		}
	case 'Q', 'C', 'E':
		return "", false, fmt.Errorf(`it has an escape \%c`, c) // RE2 may accept it
	}
	r, size := utf8.DecodeRuneInString(p.source[p.at+1:])
	p.at += 1 + size
	if r < utf8.RuneSelf && !isWordByte(byte(r)) {
		return `\` + string(r), false, nil
	}
	return string(r), false, nil
}

func isWordByte(c byte) bool {
	return isDigit(c) || 'a' <= c|0x20 && c|0x20 <= 'z' || c == '_'
}

// property parses \p{...}.
func (p *patternParser) property() (text string, inside bool, err error) {
	end := strings.IndexByte(p.rest(), '}')
	if !strings.HasPrefix(p.rest()[2:], "{") || end < 0 {
		if len(p.rest()) > 2 { // \pL
			p.at += 3
			return p.source[p.at-3 : p.at], false, nil
		}
		return "", false, p.fault("it ends in an escape")
	}
	kind, name := p.source[p.at:p.at+2], p.source[p.at+3:p.at+end]
	p.at += end + 1
	if _, value, found := strings.Cut(name, "="); found { // Script=Greek
		name = value
	}
	return kind + "{" + name + "}", false, nil
}

// codePoint parses \xHH, \uHHHH, \u{H...} or a surrogate pair of two \uHHHH. n is its
// length in bytes, or 0 if it is none of these.
func codePoint(s string) (r rune, n int) {
	hex := func(s string) rune {
		v, err := strconv.ParseUint(s, 16, 32)
		if err != nil || v > utf8.MaxRune {
			return -1
		}
		return rune(v)
	}
	switch {
	case s[1] == 'x' && len(s) >= 4 && hex(s[2:4]) >= 0:
		return hex(s[2:4]), 4
	case strings.HasPrefix(s, `\u{`) || strings.HasPrefix(s, `\x{`):
		if end := strings.IndexByte(s, '}'); end > 3 && hex(s[3:end]) >= 0 {
			return hex(s[3:end]), end + 1
		}
	case s[1] == 'u' && len(s) >= 6 && hex(s[2:6]) >= 0:
		r = hex(s[2:6])
		if utf16.IsSurrogate(r) && len(s) >= 12 && s[6:8] == `\u` {
			if whole := utf16.DecodeRune(r, hex(s[8:12])); whole != utf8.RuneError {
				return whole, 12
			}
		}
		return r, 6
	}
	return 0, 0
}

// class parses a class in brackets.
func (p *patternParser) class() (string, error) {
	p.at++
	negated := p.skip("^")
	var b strings.Builder
	for p.at < len(p.source) && p.source[p.at] != ']' {
		low, lowSet, err := p.classAtom()
		if err != nil {
			return "", err
		}
		rest := p.rest()
		if len(rest) < 2 || rest[0] != '-' || rest[1] == ']' {
			b.WriteString(low)
			continue
		}
		p.at++
		high, highSet, err := p.classAtom()
		switch {
		case err != nil:
			return "", err
		case lowSet || highSet: // the hyphen is literal
			b.WriteString(low + `\-` + high)
		case classRune(low) > classRune(high):
			return "", p.fault("%s-%s is not a valid range", low, high)
		default:
			b.WriteString(low + "-" + high)
		}
	}
	if !p.skip("]") {
		return "", p.fault("a [ is never closed")
	}
	switch {
	case b.Len() > 0 && negated:
		return "[^" + b.String() + "]", nil
	case b.Len() > 0:
		return "[" + b.String() + "]", nil
	case negated:
		return `[\x{0}-\x{10ffff}]`, nil
	}
	return `[^\x{0}-\x{10ffff}]`, nil
}

// classAtom parses a character inside brackets, or an escape for a set of characters.
func (p *patternParser) classAtom() (text string, set bool, err error) {
	switch c := p.source[p.at]; {
	case c == '\\' && p.at+1 < len(p.source) && p.source[p.at+1] == 'b':
		p.at += 2
		return `\x{8}`, false, nil
	case c == '\\':
		text, inside, err := p.character()
		return text, inside || len(text) > 1 && strings.IndexByte("dDwWpP", text[1]) >= 0, err
	case c == '[':
		if end := strings.Index(p.rest(), ":]"); strings.HasPrefix(p.rest(), "[:") && end > 0 { // a class of RE2 and Perl
			p.at += end + 2
			return p.source[p.at-end-2 : p.at], true, nil
		}
		p.at++
		return `\[`, false, nil
	case c == '-', c == '&', c == '~', c == '^':
		p.at++
		return `\` + string(c), false, nil
	}
	_, size := utf8.DecodeRuneInString(p.rest())
	p.at += size
	return p.source[p.at-size : p.at], false, nil
}

// classRune returns the character that an atom of a class stands for; text is RE2 source.
func classRune(text string) rune {
	if hex, ok := strings.CutPrefix(text, `\x{`); ok {
		n, _ := strconv.ParseInt(strings.TrimSuffix(hex, "}"), 16, 32)
		return rune(n)
	}
	if c, ok := strings.CutPrefix(text, `\`); ok {
		if at := strings.Index("tnvfr", c); at >= 0 {
			return []rune("\t\n\v\f\r")[at]
		}
		text = c
	}
	r, _ := utf8.DecodeRuneInString(text)
	return r
}
