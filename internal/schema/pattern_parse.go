package schema

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/toolparse/toolparse/internal/jsonvalue"
)

// expression is a parsed pattern whose parts are written for RE2.
type expression struct { // leading flags such as (?i), if any
	flags string // (?i), as some write in front
	alternatives
}

// alternatives are sequences, one of which must match.
type alternatives []sequence

// sequence is a list of terms that must match one after another.
type sequence []term

// term is an atom with its quantifier.
type term struct {
	text   string // source for RE2; empty for look-around
	anchor byte   // '^' or '$' if the term is an anchor
	single bool   // matches exactly one character
	repeat string // the quantifier, which is also part of text
	look   *look
	group  *group
}

// look is a look-around assertion.
type look struct {
	behind, negative bool
	inner            alternatives
}

// group is a capturing or non-capturing group.
type group struct{ inner alternatives }

// looks reports whether there is look-around anywhere inside.
func (a alternatives) looks() bool {
	for _, s := range a {
		for _, t := range s {
			if t.look != nil || t.group != nil && t.group.inner.looks() {
				return true
			}
		}
	}
	return false
}

func (g *group) looks() bool { return g.inner.looks() }

func (a alternatives) String() string {
	var b strings.Builder
	for i, s := range a {
		if i > 0 {
			b.WriteByte('|')
		}
		for _, t := range s {
			b.WriteString(t.text)
		}
	}
	return b.String()
}

// plain returns the source if there is no look-around inside.
func (a alternatives) plain() (string, error) {
	if a.looks() {
		return "", errLook
	}
	return a.String(), nil
}

// flat replaces groups without a quantifier that contain look-around by their terms.
func (s sequence) flat() sequence {
	var out sequence
	for _, t := range s {
		if t.group != nil && t.repeat == "" && len(t.group.inner) == 1 && t.group.inner.looks() {
			out = append(out, t.group.inner[0].flat()...)
		} else {
			out = append(out, t)
		}
	}
	return out
}

// maxGroups limits the nesting of groups.
const maxGroups = 200

// patternParser parses ECMAScript's syntax with the extensions of RE2 and Python, and
// translates each atom to RE2.
type patternParser struct {
	source string
	at     int
	dotAll bool // the flag s is set
	copies int  // copies of atoms that were made for counts beyond RE2's limit
}

func parsePattern(source string) (expression, error) {
	p := patternParser{source: source}
	var e expression
	if strings.HasPrefix(source, "(?") {
		if n := 2 + len(source[2:]) - len(strings.TrimLeft(source[2:], "ims")); n > 2 && n < len(source) && source[n] == ')' {
			e.flags = source[:n+1]
			p.at, p.dotAll = n+1, strings.Contains(e.flags, "s")
		}
	}
	var err error
	e.alternatives, err = p.alternatives(0)
	if err == nil && p.at < len(source) {
		err = p.fault("a ) closes nothing")
	}
	return e, err
}

func (p *patternParser) fault(format string, args ...any) error {
	return &patternError{fmt.Sprintf(format, args...)}
}

func (p *patternParser) rest() string { return p.source[p.at:] }

func (p *patternParser) skip(word string) bool {
	if strings.HasPrefix(p.rest(), word) {
		p.at += len(word)
		return true
	}
	return false
}

func (p *patternParser) alternatives(depth int) (alternatives, error) {
	list := alternatives{nil}
	for p.at < len(p.source) && p.source[p.at] != ')' {
		if p.skip("|") {
			list = append(list, nil)
			continue
		}
		t, err := p.term(depth)
		if err != nil {
			return nil, err
		}
		last := len(list) - 1
		list[last] = append(list[last], t)
	}
	return list, nil
}

// term parses an atom with its quantifier.
func (p *patternParser) term(depth int) (term, error) {
	switch c := p.source[p.at]; {
	case c == '*' || c == '+' || c == '?':
		return term{}, p.fault("a %c repeats nothing", c)
	case c == '{' && isCount(p.rest()):
		return term{}, p.fault("a count repeats nothing")
	}
	t, err := p.atom(depth)
	if err != nil || t.anchor != 0 {
		return t, err
	}
	return p.repeated(t)
}

func (p *patternParser) atom(depth int) (term, error) {
	switch c := p.source[p.at]; c {
	case '^', '$':
		p.at++
		return term{text: string(c), anchor: c}, nil
	case '(':
		return p.group(depth)
	case '[':
		text, err := p.class()
		return term{text: text, single: true}, err
	case '\\':
		return p.escape()
	case '.':
		p.at++
		if p.dotAll {
			return term{text: ".", single: true}, nil
		}
		return term{text: `[^\n\r\x{2028}\x{2029}]`, single: true}, nil
	case '{', '}', ']':
		p.at++
		return term{text: `\` + string(c), single: true}, nil
	}
	_, size := utf8.DecodeRuneInString(p.rest())
	p.at += size
	return term{text: p.source[p.at-size : p.at], single: true}, nil
}

func (p *patternParser) group(depth int) (term, error) {
	if depth >= maxGroups {
		return term{}, errRepeats
	}
	t, opener := term{}, "("
	p.at++
	switch {
	case p.skip("?="):
		t.look = &look{}
	case p.skip("?!"):
		t.look = &look{negative: true}
	case p.skip("?<="):
		t.look = &look{behind: true}
	case p.skip("?<!"):
		t.look = &look{behind: true, negative: true}
	case p.skip("?:"):
		opener = "(?:"
	case p.skip("?P="):
		return term{}, errReference
	case strings.HasPrefix(p.rest(), "?P<"), strings.HasPrefix(p.rest(), "?<"):
		end := strings.IndexByte(p.rest(), '>')
		if end < 0 {
			return term{}, p.fault("the name of a group is not closed")
		}
		p.at += end + 1
	case p.skip("?"):
		end := strings.IndexAny(p.rest(), ":)")
		if end < 0 || strings.Trim(p.rest()[:end], "imsU-") != "" {
			if p.at < len(p.source) {
				return term{}, p.fault("(?%s is not a group", p.rest()[:1])
			}
			return term{}, p.fault("a ( is never closed")
		}
		return term{}, fmt.Errorf("it sets flags: (?%s", p.rest()[:end+1]) // RE2 may accept it
	}
	inner, err := p.alternatives(depth + 1)
	if err != nil {
		return term{}, err
	}
	if !p.skip(")") {
		return term{}, p.fault("a ( is never closed")
	}
	if t.look != nil {
		t.look.inner = inner
		return t, nil
	}
	t.group = &group{inner}
	t.text = opener + inner.String() + ")"
	return t, nil
}

// maxCount is RE2's limit on a repetition count. For larger counts the parser copies the
// atom, up to maxCopies times.
const (
	maxCount  = 1000
	maxCopies = 64
)

// repeated parses the quantifier of a term.
func (p *patternParser) repeated(t term) (term, error) {
	if p.at == len(p.source) {
		return t, nil
	}
	from := p.at
	switch c := p.source[p.at]; {
	case c == '*' || c == '+' || c == '?':
		p.at++
	case c == '{' && isCount(p.rest()):
		p.at += strings.IndexByte(p.rest(), '}') + 1
	default:
		return t, nil
	}
	if t.look != nil {
		return term{}, errLook
	}
	t.single = false
	t.repeat = p.source[from:p.at]
	p.skip("?") // whether a repetition is lazy does not change whether there is a match
	if t.repeat[0] != '{' {
		t.text += t.repeat
		return t, nil
	}
	low, high, open := readCount(t.repeat)
	if !open && high < low {
		return term{}, p.fault("%s is not a valid count", t.repeat)
	}
	text, err := p.count(t.text, low, high, open)
	t.text = text
	return t, err
}

// isCount reports whether a text begins with a count such as {2,5}. Any other brace is
// literal.
func isCount(text string) bool {
	for i := 1; i < len(text); i++ {
		switch c := text[i]; {
		case c == '}':
			return i > 1
		case !isDigit(c) && (c != ',' || i == 1 || strings.IndexByte(text[1:i], ',') >= 0):
			return false
		}
	}
	return false
}

// readCount parses {low}, {low,} or {low,high}. It clamps numbers that exceed the length of
// any text.
func readCount(text string) (low, high int, open bool) {
	number := func(s string) int {
		n, err := strconv.Atoi(s)
		if err != nil {
			return maxLength
		}
		return n
	}
	first, second, ranged := strings.Cut(strings.Trim(text, "{}"), ",")
	low = number(first)
	switch {
	case !ranged:
		return low, low, false
	case second == "":
		return low, 0, true
	}
	return low, number(second), false
}

// count repeats an atom, in parts no larger than RE2's limit.
func (p *patternParser) count(atom string, low, high int, open bool) (string, error) {
	var b strings.Builder
	add := func(count string) {
		p.copies++
		b.WriteString(atom + count)
	}
	if low/maxCount+high/maxCount > maxCopies {
		return "", errRepeats
	}
	for ; low > maxCount; low -= maxCount {
		add("{" + strconv.Itoa(maxCount) + "}")
		high -= maxCount
	}
	switch {
	case open:
		add("{" + strconv.Itoa(low) + ",}")
	case high <= maxCount:
		add("{" + strconv.Itoa(low) + "," + strconv.Itoa(high) + "}")
	default:
		add("{" + strconv.Itoa(low) + "," + strconv.Itoa(maxCount) + "}")
		for high -= maxCount; high > 0; high -= maxCount {
			add("{0," + strconv.Itoa(min(high, maxCount)) + "}")
		}
	}
	if p.copies > 4*maxCopies {
		return "", errRepeats
	}
	if b.Len() > len(atom)+len("{1000,1000}") {
		return "(?:" + b.String() + ")", nil
	}
	return b.String(), nil
}

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
	if _, value, given := strings.Cut(name, "="); given { // Script=Greek
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

// quoted returns a text as JSON, shortened.
func quoted(s string) string { return jsonvalue.Quote(shorten(s, maxQuoted)) }
