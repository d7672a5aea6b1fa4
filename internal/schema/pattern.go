package schema

import (
	"errors"
	"fmt"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"sync"
)

// pattern is a regular expression in the syntax of ECMAScript, as JSON Schema requires. It
// is translated to RE2, which matches in linear time, when it is first needed.
//
// RE2 has no look-around. But a look-ahead at the start of a text, as in ^(?!/etc).*$, is
// an independent condition, and so is a look-behind at its end; match checks each of them
// separately. All other look-around and references to groups cannot be checked, and match
// returns unsure.
type pattern struct {
	source string

	compile sync.Once
	ways    []conditions // the pattern matches if one of these holds
	err     error        // why the pattern cannot be checked
}

// conditions must all hold.
type conditions []condition

// condition says that a text must match re, or must not.
type condition struct {
	re   *regexp.Regexp
	want bool
}

// maxMatchCost limits the work of one match, in steps.
const maxMatchCost = 1 << 19

// cost estimates the work of matching a text, in steps.
func (p *pattern) cost(text string) int { return len(text) * (8 + len(p.source)) >> 9 }

// match matches a text. It returns unsure if the pattern cannot be checked.
func (p *pattern) match(text string) verdict {
	p.compile.Do(func() { p.ways, p.err = compilePattern(p.source) })
	if p.err != nil {
		return unsure
	}
	for _, way := range p.ways {
		if way.hold(text) {
			return fits
		}
	}
	return misfit
}

// why says why the pattern was not checked.
func (p *pattern) why() string {
	if p.err != nil {
		return p.err.Error()
	}
	return "the pattern and the text are too long"
}

func (c conditions) hold(text string) bool {
	for _, one := range c {
		if one.re.MatchString(text) != one.want {
			return false
		}
	}
	return true
}

// patternFault returns an error for a pattern that is not a valid regular expression. A
// valid pattern that merely cannot be checked has no fault.
func patternFault(source string) error {
	if _, err := syntax.Parse(source, syntax.Perl); err == nil {
		return nil
	}
	_, err := parsePattern(source)
	if fault, ok := errors.AsType[*patternError](err); ok {
		return fmt.Errorf("%w: %s is not a valid regular expression: %s", ErrValue, quoted(source), fault.what)
	}
	return nil
}

// patternError is a fault that is invalid in every syntax of regular expressions.
type patternError struct{ what string }

func (e *patternError) Error() string { return "it is not a valid regular expression: " + e.what }

// The reasons why a pattern cannot be checked.
var (
	errLook      = errors.New("its lookaround cannot be checked")
	errReference = errors.New("it has a back-reference")
	errRepeats   = errors.New("it has too many repetitions")
)

// compilePattern returns the conditions of each alternative of a pattern.
func compilePattern(source string) ([]conditions, error) {
	parsed, err := parsePattern(source)
	if err != nil {
		if re, plain := regexp.Compile(source); plain == nil { // a syntax that only RE2 has
			return []conditions{{{re, true}}}, nil
		}
		return nil, err
	}
	if !parsed.looks() {
		re, err := regexp.Compile(parsed.flags + parsed.alternatives.String())
		if err != nil {
			return nil, err
		}
		return []conditions{{{re, true}}}, nil
	}
	if strings.Contains(parsed.flags, "m") { // ^ and $ are not the ends of the text
		return nil, errLook
	}
	var ways []conditions
	for _, sequence := range parsed.alternatives {
		checks, err := sequence.split()
		if err != nil {
			return nil, err
		}
		way := make(conditions, len(checks))
		for i, c := range checks {
			if way[i].re, err = regexp.Compile(parsed.flags + c.source); err != nil {
				return nil, err
			}
			way[i].want = c.want
		}
		ways = append(ways, way)
	}
	return ways, nil
}

// check is a condition that has not been compiled yet.
type check struct {
	source string
	want   bool
}

// split turns the look-around of a sequence into separate conditions, where that is
// possible.
func (s sequence) split() ([]check, error) {
	s = s.flat()
	// Look-ahead at the start of the text. The assertion may precede or follow the anchor.
	n := 0
	for n < len(s) && (s[n].anchor == '^' || s[n].look != nil && !s[n].look.behind) {
		n++
	}
	ahead, start, err := s[:n].outer('^', "^(?:", ")")
	if err != nil {
		return nil, err
	}
	s = append(start, s[n:]...)
	// Look-behind at the end of the text.
	for n = len(s); n > 0 && (s[n-1].anchor == '$' || s[n-1].look != nil && s[n-1].look.behind); {
		n--
	}
	behind, end, err := s[n:].outer('$', "(?:", ")$")
	if err != nil {
		return nil, err
	}
	s = append(s[:n:n], end...)
	rest, more, err := s.tempered()
	if err != nil {
		return nil, err
	}
	return slices.Concat(ahead, behind, more, []check{{rest, true}}), nil
}

// outer returns the look-around in anchors and assertions at one end of a text as checks,
// and the anchor that remains. Without an anchor, s itself remains.
func (s sequence) outer(anchor byte, before, after string) (checks []check, rest sequence, err error) {
	if !slices.ContainsFunc(s, func(t term) bool { return t.anchor == anchor }) {
		return nil, slices.Clip(s), nil
	}
	for _, t := range s {
		if t.look != nil {
			inner, err := t.look.inner.plain()
			if err != nil {
				return nil, nil, err
			}
			checks = append(checks, check{before + inner + after, !t.look.negative})
		}
	}
	return checks, sequence{{text: string(anchor), anchor: anchor}}, nil
}

// tempered returns the source of a sequence without outer look-around. Two other forms can
// be checked: an assertion about what must follow the end of the match or precede its
// start, and ^(?:(?!x).)*$, which says that x occurs nowhere in the text.
func (s sequence) tempered() (source string, checks []check, err error) {
	var b strings.Builder
	for i, t := range s {
		switch {
		case t.look != nil && !t.look.negative && (i == len(s)-1 && !t.look.behind || i == 0 && t.look.behind):
			inner, err := t.look.inner.plain()
			if err != nil {
				return "", nil, err
			}
			b.WriteString("(?:" + inner + ")")
		case t.look != nil:
			return "", nil, errLook
		case t.group != nil && t.group.looks():
			ban, ok := t.bans()
			if !ok || len(s) != 3 || i != 1 || s[0].anchor != '^' || s[2].anchor != '$' {
				return "", nil, errLook
			}
			checks = append(checks, check{ban, false})
			b.WriteString("(?:" + t.group.inner[0][1].text + ")" + t.repeat)
		default:
			b.WriteString(t.text)
		}
	}
	return b.String(), checks, nil
}

// bans returns x if t is (?:(?!x).)*. x must match at least one character, so that it
// begins before the end of the text.
func (t term) bans() (source string, ok bool) {
	if len(t.group.inner) != 1 || len(t.group.inner[0]) != 2 || t.repeat != "*" && t.repeat != "+" {
		return "", false
	}
	first, second := t.group.inner[0][0], t.group.inner[0][1]
	if first.look == nil || first.look.behind || !first.look.negative || !second.single {
		return "", false
	}
	source, err := first.look.inner.plain()
	if err != nil {
		return "", false
	}
	parsed, err := syntax.Parse(source, syntax.Perl)
	return source, err == nil && leastLength(parsed) > 0
}

// leastLength returns a lower bound for the length of a match, in characters.
func leastLength(re *syntax.Regexp) int {
	switch re.Op {
	case syntax.OpLiteral:
		return len(re.Rune)
	case syntax.OpCharClass, syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		return 1
	case syntax.OpCapture, syntax.OpPlus:
		return leastLength(re.Sub[0])
	case syntax.OpRepeat:
		return re.Min * leastLength(re.Sub[0])
	case syntax.OpConcat:
		total := 0
		for _, sub := range re.Sub {
			total += leastLength(sub)
		}
		return total
	case syntax.OpAlternate:
		least := leastLength(re.Sub[0])
		for _, sub := range re.Sub[1:] {
			least = min(least, leastLength(sub))
		}
		return least
	}
	return 0
}
