package schema

import (
	"github.com/toolparse/toolparse/internal/jsonvalue"
)

// checkMore checks the keywords that few schemas have. The unevaluated keywords come last,
// because they depend on what all others have evaluated.
func (c *checker) checkMore(r *moreRules, v *value, seen []bool) verdict {
	got := fits
	if r.dynamic != nil {
		got = c.inPlace(c.dynamicTarget(r.dynamic), v, seen)
	}
	if r.not != nil && !c.over(got) {
		got = min(got, c.checkNot(r.not, v))
	}
	if r.cond != nil && !c.over(got) {
		got = min(got, c.checkConditional(r, v, seen))
	}
	switch {
	case c.over(got):
	case v.Kind == jsonvalue.Object:
		got = min(got, c.checkMembers(r, v, seen))
	case v.Kind == jsonvalue.Array && r.contains != nil:
		got = min(got, c.checkContains(r, v, seen))
	}
	if c.over(got) {
		return misfit
	}
	switch {
	case v.Kind == jsonvalue.Object && r.restMembers != nil:
		got = min(got, c.checkRest(r.restMembers, "unevaluatedProperties", v, seen))
	case v.Kind == jsonvalue.Array && r.restItems != nil:
		got = min(got, c.checkRest(r.restItems, "unevaluatedItems", v, seen))
	}
	return got
}

// dynamicTarget returns the target of a $dynamicRef in the current scope.
func (c *checker) dynamicTarget(r *dynamicReference) *Schema {
	if r.anchor != "" {
		for _, in := range c.scope {
			if s := in.dynamic[r.anchor]; s != nil {
				return s
			}
		}
	}
	return r.target
}

func (c *checker) checkNot(s *Schema, v *value) verdict {
	mark := len(c.unchecked)
	got := fits - c.quietly(s, v, c.seenOf(v))
	if got != unsure {
		c.unchecked = c.unchecked[:mark]
	}
	if got == misfit {
		return c.fail("not", func() string { return ruledOut(s, v, c.noun()) })
	}
	return got
}

func (c *checker) checkConditional(r *moreRules, v *value, seen []bool) verdict {
	mark := len(c.unchecked)
	switch c.quietly(r.cond, v, seen) {
	case fits:
		c.unchecked = c.unchecked[:mark]
		return c.inPlace(r.then, v, seen)
	case misfit:
		c.unchecked = c.unchecked[:mark]
		return c.inPlace(r.otherwise, v, seen)
	}
	then, otherwise := c.quietly(r.then, v, seen), c.quietly(r.otherwise, v, seen)
	switch {
	case then == fits && otherwise == fits:
		c.unchecked = c.unchecked[:mark]
		return fits
	case then == misfit && otherwise == misfit:
		return c.inPlace(r.then, v, seen)
	}
	return unsure
}

// checkMembers checks the number of members, their names, and what they depend on.
func (c *checker) checkMembers(r *moreRules, v *value, seen []bool) verdict {
	got := c.checkLength(r.members, len(v.Keys), "Properties", c.noun())
	for _, d := range r.dependents {
		if c.over(got) || !c.spend(len(d.needs)) {
			return min(got, c.stop())
		}
		if !v.Has(d.member) {
			continue
		}
		if d.schema != nil {
			got = min(got, c.inPlace(d.schema, v, seen))
		}
		for _, name := range d.needs {
			if v.Has(name) {
				continue
			}
			got = c.fail("dependentRequired", func() string {
				return "the " + c.noun() + " " + jsonvalue.Quote(name) + " is missing, which " +
					quoted(d.member) + " needs beside it; add it"
			})
		}
	}
	if r.names == nil {
		return got
	}
	for i, name := range v.Keys {
		if c.over(got) {
			return misfit
		}
		c.enter(v, i)
		got = min(got, c.checkName(r.names, name))
		c.back()
	}
	return got
}

// checkName checks the name of a member.
func (c *checker) checkName(s *Schema, name string) verdict {
	v := &value{Kind: jsonvalue.String, Text: name}
	got := c.quietly(s, v, nil)
	if got != misfit || c.quiet {
		return got
	}
	message := "this name is not allowed"
	if why := c.problemsWith(s, v); len(why) > 0 && why[0].Rule != "false" {
		message += ": it " + why[0].Message
	}
	c.report("propertyNames", message)
	return misfit
}

func (c *checker) checkContains(r *moreRules, v *value, seen []bool) verdict {
	sure, maybe, mark := 0, 0, len(c.unchecked)
	for i, elem := range v.List {
		c.enter(v, i)
		got := c.quietly(r.contains, elem, c.seenOf(elem))
		c.back()
		switch got {
		case fits:
			sure++
			if seen != nil {
				seen[i] = true
			}
		case unsure:
			maybe++
		}
		if *c.steps < 0 {
			return unsure
		}
	}
	l := r.contained
	switch {
	case sure+maybe < l.Min:
		rule := "minContains"
		if l.Min == 1 {
			rule = "contains"
		}
		return c.fail(rule, func() string { return wrongContent("at least", l.Min, r.contains, sure) })
	case !Lengths{0, l.Max}.hold(sure):
		return c.fail("maxContains", func() string { return wrongContent("at most", l.Max, r.contains, sure) })
	case !l.hold(sure), !l.hold(sure + maybe):
		return unsure
	}
	c.unchecked = c.unchecked[:mark]
	return fits
}

// checkRest checks the parts of a value that no other schema has evaluated.
func (c *checker) checkRest(rest *Schema, rule string, v *value, seen []bool) verdict {
	got := fits
	for i, part := range v.List {
		if seen[i] {
			continue
		}
		seen[i] = true
		if c.over(got) {
			continue
		}
		c.enter(v, i)
		if rest.never {
			got = c.fail(rule, func() string { return c.unexpectedPart(v, i) })
		} else {
			got = min(got, c.child(rest, part))
		}
		c.back()
	}
	return got
}
