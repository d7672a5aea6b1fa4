package schema

import (
	"errors"
	"fmt"
	"regexp"
	"regexp/syntax"
	"sync"
)

// pattern is a regular expression in the syntax of ECMAScript, as JSON Schema requires. It
// is translated to RE2, which matches in linear time, when it is first needed.
//
// RE2 has no look-around. But a look-ahead at the start of a text, as in ^(?!/etc).*$, is an
// independent condition, which match checks separately. All other look-around and references
// to groups cannot be checked, and match returns unsure.
type pattern struct {
	source string

	compile    sync.Once
	conditions []condition // all must hold
	err        error       // why the pattern cannot be checked
}

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
	p.compile.Do(func() { p.conditions, p.err = compilePattern(p.source) })
	if p.err != nil {
		return unsure
	}
	for _, c := range p.conditions {
		if c.re.MatchString(text) != c.want {
			return misfit
		}
	}
	return fits
}

// why says why the pattern was not checked.
func (p *pattern) why() string {
	if p.err != nil {
		return p.err.Error()
	}
	return "the pattern and the text are too long"
}

func compilePattern(source string) ([]condition, error) {
	t := translate(source)
	if t.err != nil {
		return nil, t.err
	}
	var list []condition
	for _, c := range t.checks() {
		re, err := regexp.Compile(c.source)
		if err != nil {
			return nil, err
		}
		list = append(list, condition{re, c.want})
	}
	return list, nil
}

// patternFault returns an error for a pattern that is not a valid regular expression. A
// valid pattern that merely cannot be checked has no fault.
func patternFault(source string) error {
	if _, err := syntax.Parse(source, syntax.Perl); err == nil {
		return nil
	}
	for _, c := range translate(source).checks() {
		_, err := syntax.Parse(c.source, syntax.Perl)
		if fault, ok := errors.AsType[*syntax.Error](err); ok && invalid(fault) {
			return fmt.Errorf("%w: %s is not a valid regular expression: %s", ErrValue, quoted(source), fault.Code)
		}
	}
	return nil
}

// invalid reports whether an error of RE2 is a fault in every syntax of regular expressions.
func invalid(fault *syntax.Error) bool {
	switch fault.Code {
	case syntax.ErrMissingBracket, syntax.ErrMissingParen, syntax.ErrUnexpectedParen, syntax.ErrMissingRepeatArgument,
		syntax.ErrInvalidRepeatOp, syntax.ErrTrailingBackslash:
		return true
	case syntax.ErrInvalidCharRange:
		return fault.Expr[0] != '\\' // not the name of a class
	}
	return false
}
