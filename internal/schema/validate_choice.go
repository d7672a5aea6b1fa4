package schema

import "github.com/toolparse/toolparse/toolcall"

// checkChoice checks that at least one alternative fits, or for oneOf exactly one, and
// reports what is wrong otherwise.
func (c *checker) checkChoice(choice choice, v *value, seen []bool) verdict {
	var which []int // the alternatives that fit
	maybe := 0
	mark := len(c.unchecked)
	for i, s := range choice.list {
		switch c.quietly(s, v, seen) {
		case fits:
			which = append(which, i)
		case unsure:
			maybe++
		}
		if *c.steps < 0 {
			return unsure
		}
		if seen == nil && (len(which) == 1 && !choice.one || len(which) == 2) {
			break
		}
	}
	if len(which) == 0 && maybe > 0 || choice.one && len(which) == 1 && maybe > 0 {
		return unsure
	}
	c.unchecked = c.unchecked[:mark]
	switch {
	case len(which) == 0:
		if !c.quiet {
			c.reportNearest(choice, v)
		}
		return misfit
	case choice.one && len(which) > 1:
		return c.fail("oneOf", func() string { return moreThanOne(choice.list, which, v) })
	}
	return fits
}

// reportNearest reports the problems of the alternative that is closest to the value.
func (c *checker) reportNearest(choice choice, v *value) {
	self := c.pointer()
	var best []toolcall.Problem
	least := 0
	strange := true // v has the wrong kind for every alternative
	for _, s := range choice.list {
		problems := c.problemsWith(s, v)
		if *c.steps < 0 || len(problems) == 0 {
			return
		}
		strange = strange && isStrange(problems, self)
		if off := distance(problems, self); best == nil || off < least {
			best, least = problems, off
		}
	}
	if strange {
		c.report(choice.keyword(), noAlternative(choice.list, v))
		return
	}
	c.problems = append(c.problems, best[:min(len(best), maxProblems-len(c.problems))]...)
}

// isStrange reports whether the only problem is that the value at self has the wrong type
// or is not one of the listed values.
func isStrange(problems []toolcall.Problem, self string) bool {
	p := problems[0]
	switch p.Rule {
	case "type", "enum", "const", "anyOf", "oneOf", "false":
		return len(problems) == 1 && p.Path == self
	}
	return false
}

// distance measures how far the value at self is from an alternative with these problems. A
// wrong type means a different kind of value; a wrong constant inside usually is what
// distinguishes the alternatives.
func distance(problems []toolcall.Problem, self string) int {
	total := 0
	for _, p := range problems {
		switch {
		case p.Path == self && p.Rule != "required" && p.Rule != "dependentRequired":
			total += 1000
		case p.Rule == "const" || p.Rule == "enum":
			total += 100
		case p.Rule == "required" || p.Rule == "additionalProperties" || p.Rule == "type":
			total += 10
		default:
			total++
		}
	}
	return total
}
