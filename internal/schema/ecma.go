package schema

import (
	"errors"
	"fmt"
	"regexp/syntax"
	"strings"
)

// patternFault tells what is wrong with a pattern that is no regular expression, be
// it of RE2 or of ECMAScript, which JSON Schema means and which has more: look-around,
// references to groups.
func patternFault(pattern string) error {
	_, err := syntax.Parse(pattern, syntax.Perl)
	if err == nil {
		return nil
	}
	fault := rangeFault(err)
	if fault == "" {
		fault = ecmaFault(pattern)
	}
	if fault != "" {
		return fmt.Errorf("%w: %s is no regular expression: %s", ErrValue, quote(shorten(pattern, maxQuoted)), fault)
	}
	return nil
}

// rangeFault is what RE2 finds of ranges and counts that end before they begin, which
// no syntax allows.
func rangeFault(err error) string {
	e, ok := errors.AsType[*syntax.Error](err)
	if !ok {
		return ""
	}
	switch low, high := 0, 0; {
	case e.Code == syntax.ErrInvalidCharRange && !strings.ContainsAny(e.Expr, `\[:`):
		return e.Expr + " is no range"
	case e.Code == syntax.ErrInvalidRepeatSize:
		if n, _ := fmt.Sscanf(e.Expr, "{%d,%d}", &low, &high); n == 2 && low > high {
			return e.Expr + " is no count"
		}
	}
	return ""
}

// ecmaFault looks for the faults that every syntax of regular expressions has, in one
// pass: brackets, and repetitions of nothing. It is "" where there are none.
func ecmaFault(pattern string) string {
	groups := 0
	inClass, atom := false, false // atom: what is before could be repeated
	for i := 0; i < len(pattern); i++ {
		c := pattern[i]
		switch {
		case c == '\\':
			if i++; i == len(pattern) {
				return "it ends in a backslash"
			}
			atom = true
		case inClass:
			inClass = c != ']'
		case c == '[':
			inClass, atom = true, true
		case c == '(':
			groups++
			atom = false
			if i+1 < len(pattern) && pattern[i+1] == '?' {
				i++ // the mark of a kind of group
			}
		case c == ')':
			if groups--; groups < 0 {
				return "a ) closes nothing"
			}
			atom = true
		case c == '*' || c == '+' || c == '?':
			if !atom {
				return "a " + string(c) + " repeats nothing"
			}
			if i+1 < len(pattern) && pattern[i+1] == '?' {
				i++ // as few as can be
			}
			atom = false
		case c == '{' && isCount(pattern[i:]):
			if !atom {
				return "a count repeats nothing"
			}
		case c == '|':
			atom = false
		default:
			atom = true
		}
	}
	switch {
	case inClass:
		return "a [ is never closed"
	case groups > 0:
		return "a ( is never closed"
	}
	return ""
}

// isCount reports whether a text begins with a count, such as {2,5}. Another brace
// stands for itself.
func isCount(text string) bool {
	for i := 1; i < len(text); i++ {
		switch c := text[i]; {
		case c == '}':
			return i > 1
		case !isDigit(c) && (c != ',' || i == 1):
			return false
		}
	}
	return false
}
