package schema

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// expression is a parsed pattern whose parts are written for RE2.
type expression struct {
	flags string // leading flags such as (?i), if any
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
	if open {
		add("{" + strconv.Itoa(low) + ",}")
	} else {
		for first := true; first || high > 0; first = false {
			add("{" + strconv.Itoa(low) + "," + strconv.Itoa(min(high, maxCount)) + "}")
			low, high = 0, high-maxCount
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
