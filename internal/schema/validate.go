package schema

import (
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/toolparse/toolparse/internal/jsonvalue"
	"github.com/toolparse/toolparse/toolcall"
)

const (
	// maxProblems limits the problems that are reported. A model that made more has to
	// start again anyway.
	maxProblems = 20
	// minSteps is the work that every check may do, however small the document. The limit
	// stops schemas whose alternatives multiply.
	minSteps = 1 << 20
	// stepsPerByte is the additional work for each byte of the document.
	stepsPerByte = 8
	// stepsPerName is the work of comparing two names. A message considers at most
	// maxNames.
	stepsPerName = 32
	maxNames     = 500
	// maxStack limits the nesting of schemas during a check, counting those for parts of
	// the value and those in place. Only not, if and the like can come near it, because
	// settle does not follow them.
	maxStack = 2 * maxChain
)

// verdict says whether a value fits a schema. A combination of verdicts is their minimum.
type verdict uint8

const (
	misfit verdict = iota
	unsure         // the result depends on something that cannot be checked
	fits
)

// Validate lists the violations of the schema in a JSON document, worded for the model that
// wrote it: at most 20, in the order of the document, with missing members first. A
// document that cannot be read, or that needs more work than its size allows, gives one
// problem. If no alternative of anyOf or oneOf fits, the problems are those of the closest
// one. A nil Schema allows everything.
//
// unchecked lists what could not be checked although the result may depend on it, such as a
// pattern that needs more than linear time. If there is any, an empty list of problems does
// not mean that the document fits.
func (s *Schema) Validate(doc []byte) (problems, unchecked []toolcall.Problem) {
	if s == nil {
		return nil, nil
	}
	v, err := jsonvalue.Parse(doc)
	if err != nil {
		return []toolcall.Problem{{Rule: "json", Message: "the arguments are not valid JSON (" + err.Error() + "); send one JSON object"}}, nil
	}
	steps := minSteps + stepsPerByte*len(doc)
	c := newChecker(s, &steps)
	if got := c.child(s, v); steps < 0 || c.tooDeep && got == unsure {
		c.problems = append(c.problems, toolcall.Problem{Rule: "limit",
			Message: "the arguments are too complex to check; send simpler ones"})
	}
	return c.problems, c.unchecked
}

// checker checks one document against one schema.
//
// All checks return a verdict and, unless quiet is set, report problems. The methods spend
// steps from a shared budget; when it is used up, the verdict is unsure. seen, an argument
// of many methods, records which members or elements some schema has evaluated; it is nil
// unless the document has a keyword for unevaluated ones.
type checker struct {
	problems  []toolcall.Problem
	unchecked []toolcall.Problem
	steps     *int // remaining work
	depth     int
	maxDepth  int
	tooDeep   bool // the nesting exceeded maxDepth, so some schemas were skipped
	quiet     bool // only the verdict counts; report nothing
	path      []step
	scope     []*resource // the resources that validation has passed through, outermost first

	unevaluated, dynamic bool // copied from traits
}

// step is one step of a path into a document: part number index of a value.
type step struct {
	of    *value
	index int
}

func newChecker(s *Schema, steps *int) *checker {
	c := &checker{steps: steps, maxDepth: maxStack}
	if s.doc != nil {
		c.unevaluated, c.dynamic = s.doc.unevaluated, s.doc.dynamic
	}
	return c
}

func (c *checker) enter(v *value, i int) { c.path = append(c.path, step{v, i}) }
func (c *checker) back()                 { c.path = c.path[:len(c.path)-1] }

// pointer returns the JSON pointer to the current value.
func (c *checker) pointer() string {
	names := make([]string, len(c.path))
	for i, s := range c.path {
		names[i] = s.of.PartName(s.index)
	}
	return jsonvalue.JoinPointer("", names...)
}

// fail reports a problem, unless only the verdict counts. It returns misfit.
func (c *checker) fail(rule string, message func() string) verdict {
	if !c.quiet {
		c.report(rule, message())
	}
	return misfit
}

// report records a problem with the current value.
func (c *checker) report(rule string, message string) {
	p := toolcall.Problem{Path: c.pointer(), Rule: rule, Message: message}
	if len(c.problems) < maxProblems && !slices.Contains(c.problems, p) { // parts of allOf may report the same problem
		c.problems = append(c.problems, p)
	}
}

// passOver records that a rule could not be checked for the current value.
func (c *checker) passOver(rule, message string) verdict {
	u := toolcall.Problem{Path: c.pointer(), Rule: rule, Message: message}
	if len(c.unchecked) < maxProblems && !slices.Contains(c.unchecked, u) {
		c.unchecked = append(c.unchecked, u)
	}
	return unsure
}

// spend subtracts work, and reports whether checking should continue.
func (c *checker) spend(steps int) bool {
	*c.steps -= 1 + steps
	return *c.steps >= 0 && len(c.problems) < maxProblems
}

// stop returns the verdict after spend has reported false.
func (c *checker) stop() verdict {
	if *c.steps < 0 {
		return unsure
	}
	return misfit // there are enough problems
}

// spendOnNames subtracts the work of searching n names for the intended one.
func (c *checker) spendOnNames(n int) { c.spend(stepsPerName * min(n, maxNames)) }

// over reports whether the verdict is final and nothing needs to be reported.
func (c *checker) over(got verdict) bool { return got == misfit && c.quiet }

// child checks a value that is a part of another one.
func (c *checker) child(s *Schema, v *value) verdict { return c.check(s, v, c.seenOf(v)) }

// seenOf returns a slice to record the evaluated members or elements of v. It returns nil if
// no schema needs it.
func (c *checker) seenOf(v *value) []bool {
	if !c.unevaluated || len(v.List) == 0 {
		return nil
	}
	return make([]bool, len(v.List))
}

// inPlace checks the same value against a further schema. What that evaluates counts if it
// fits.
func (c *checker) inPlace(s *Schema, v *value, seen []bool) verdict {
	if seen == nil {
		return c.check(s, v, nil)
	}
	branch := make([]bool, len(seen))
	got := c.check(s, v, branch)
	if got != misfit {
		for i := range branch {
			seen[i] = seen[i] || branch[i]
		}
	}
	return got
}

// quietly is inPlace for a schema that need not fit.
func (c *checker) quietly(s *Schema, v *value, seen []bool) verdict {
	was, problems := c.quiet, c.problems
	c.quiet, c.problems = true, nil
	got := c.inPlace(s, v, seen)
	c.quiet, c.problems = was, problems
	return got
}

// problemsWith returns what would be reported if the value had to fit a schema.
func (c *checker) problemsWith(s *Schema, v *value) []toolcall.Problem {
	outer := c.problems
	c.problems = nil
	c.child(s, v)
	found := c.problems
	c.problems = outer
	return found
}

// check checks a value against a schema and all schemas that apply in place.
func (c *checker) check(s *Schema, v *value, seen []bool) verdict {
	if s == nil {
		return fits
	}
	if !c.spend(0) {
		return c.stop()
	}
	if c.depth >= c.maxDepth {
		c.tooDeep = true
		return unsure
	}
	c.depth++
	defer func() { c.depth-- }()
	if c.dynamic && s.home != nil && (len(c.scope) == 0 || c.scope[len(c.scope)-1] != s.home) {
		c.scope = append(c.scope, s.home)
		defer func() { c.scope = c.scope[:len(c.scope)-1] }()
	}
	switch {
	case s.never:
		return c.fail("false", func() string { return "no value is allowed here; leave it out" })
	case s.nullable && v.Kind == jsonvalue.Null:
		return fits
	case s.declared != 0 && !s.declared.fits(typeOf(v)):
		// Any other problem would only distract.
		return c.fail("type", func() string { return wrongType(s, v) })
	case s.enum != nil && c.spend(size(v)) && !s.enum.has(v):
		return c.fail(s.enum.rule(), func() string {
			c.spendOnNames(len(s.enum.values))
			return notInEnum(s.enum.values, v)
		})
	}
	got := fits
	switch {
	case v.Kind == jsonvalue.Number && s.number != nil:
		got = c.checkNumber(s.number, v)
	case v.Kind == jsonvalue.String && s.text != nil:
		got = c.checkText(s.text, v)
	case v.Kind == jsonvalue.Array && s.array != nil:
		got = c.checkArray(s.array, v, seen)
	case v.Kind == jsonvalue.Object && s.object != nil:
		got = c.checkObject(s.object, v, seen)
	}
	for _, part := range s.all {
		if c.over(got) {
			return misfit
		}
		got = min(got, c.inPlace(part, v, seen))
	}
	for _, choice := range s.choices {
		if c.over(got) {
			return misfit
		}
		got = min(got, c.checkChoice(choice, v, seen))
	}
	if s.more != nil && !c.over(got) {
		got = min(got, c.checkMore(s.more, v, seen))
	}
	return got
}

func (c *checker) checkNumber(r *numberRules, v *value) verdict {
	got := fits
	d := jsonvalue.ParseDecimal(v.Text)
	if b := r.min; b != nil && !b.admits(d, +1) {
		got = c.fail(b.rule("exclusiveMinimum", "minimum"), func() string { return outOfRange(b, "at least", "greater than", v) })
	}
	if b := r.max; b != nil && !b.admits(d, -1) {
		got = c.fail(b.rule("exclusiveMaximum", "maximum"), func() string { return outOfRange(b, "at most", "less than", v) })
	}
	if r.multipleOf == nil {
		return got
	}
	switch multiple, known := d.IsMultipleOf(*r.multipleOf); {
	case !known:
		return min(got, c.passOver("multipleOf", "the number has too many digits to divide by "+shorten(r.multipleText, maxQuoted)))
	case !multiple:
		return c.fail("multipleOf", func() string { return "must be a multiple of " + r.multipleText + ", but is " + describe(v) })
	}
	return got
}

func (c *checker) checkText(r *textRules, v *value) verdict {
	if !c.spend(size(v)) {
		return c.stop()
	}
	got := fits
	if r.length != (Lengths{0, NoLimit}) {
		got = c.checkLength(r.length, utf8.RuneCountInString(v.Text), "Length", "character")
	}
	if r.pattern == nil || c.over(got) {
		return got
	}
	match := c.match(r.pattern, v.Text)
	if match == misfit {
		c.fail("pattern", func() string {
			return "must match the pattern " + shorten(r.pattern.source, maxPattern) + ", but is " + describe(v)
		})
	}
	return min(got, match)
}

// checkLength checks a length or a count: minLength, maxItems and so on.
func (c *checker) checkLength(l Lengths, n int, keyword, what string) verdict {
	switch {
	case n < l.Min:
		return c.fail("min"+keyword, func() string { return wrongLength("at least", l.Min, what, n) })
	case !l.hold(n):
		return c.fail("max"+keyword, func() string { return wrongLength("at most", l.Max, what, n) })
	}
	return fits
}

// match matches a text against a pattern.
func (c *checker) match(p *pattern, text string) verdict {
	got := unsure
	if cost := p.cost(text); cost < maxMatchCost && c.spend(cost) {
		got = p.match(text)
	}
	if got != unsure {
		return got
	}
	return c.passOver("pattern", uncheckedPattern(p))
}

func (c *checker) checkArray(r *arrayRules, v *value, seen []bool) verdict {
	got := c.checkLength(r.length, len(v.List), "Items", "element")
	if r.unique && !c.over(got) && c.spend(size(v)) {
		first := make(map[string]int, len(v.List))
		for i, elem := range v.List {
			key := elem.Key()
			was, double := first[key]
			if !double {
				first[key] = i
				continue
			}
			if got = misfit; c.quiet {
				break
			}
			c.enter(v, i)
			c.report("uniqueItems", "repeats element "+strconv.Itoa(was)+", but all must differ; leave it out")
			c.back()
		}
	}
	if r.items == nil && r.prefix == nil {
		return got
	}
	for i, elem := range v.List {
		if c.over(got) {
			break
		}
		s := r.element(i)
		if s == nil {
			break
		}
		c.enter(v, i)
		got = min(got, c.child(s, elem))
		c.back()
		if seen != nil {
			seen[i] = true
		}
	}
	return got
}

func (c *checker) checkObject(o *objectRules, v *value, seen []bool) verdict {
	if !c.spend(len(o.required)) {
		return c.stop()
	}
	got := fits
	for _, name := range o.required {
		if v.Has(name) {
			continue
		}
		if got = misfit; c.quiet {
			return misfit
		}
		if c.spendOnNames(len(v.Keys)); *c.steps >= 0 {
			c.report("required", o.missing(name, v, c.noun()))
		}
	}
	if len(o.names) == 0 && o.patterns == nil && o.additional == nil {
		return got
	}
	for i, name := range v.Keys {
		if c.over(got) {
			return misfit
		}
		if !c.spend(len(o.patterns)) {
			return min(got, c.stop())
		}
		c.enter(v, i)
		one, known := c.checkMember(o, name, v.List[i])
		c.back()
		got = min(got, one)
		if seen != nil && known {
			seen[i] = true
		}
	}
	return got
}

// checkMember checks a member. known reports whether o has a schema for it.
func (c *checker) checkMember(o *objectRules, name string, v *value) (got verdict, known bool) {
	got, may := fits, false
	if member := o.declared(name); member != nil {
		got, known = c.child(member, v), true
	}
	for _, p := range o.patterns {
		mark := len(c.unchecked)
		switch match := c.match(p.name, name); match {
		case fits:
			got, known = min(got, c.child(p.schema, v)), true
		case unsure:
			if c.quietly(p.schema, v, c.seenOf(v)) == fits {
				may, c.unchecked = true, c.unchecked[:mark] // the pattern makes no difference
			} else {
				may, got = true, min(got, unsure)
			}
		}
	}
	switch {
	case known || o.additional == nil:
		return got, known
	case may:
		if c.quietly(o.additional, v, c.seenOf(v)) != fits {
			got = min(got, c.passOver("patternProperties", "could not check whether the name matches a pattern"))
		}
	case o.additional.never:
		return c.fail("additionalProperties", func() string {
			c.spendOnNames(len(o.names))
			return o.unknown(name, c.nounOfMember())
		}), true
	default:
		got = min(got, c.child(o.additional, v))
	}
	return got, true
}

// size returns the work of examining a whole value, in steps.
func size(v *value) int {
	n := 1 + len(v.Text)>>8
	for _, part := range v.List {
		n += size(part)
	}
	return n
}
