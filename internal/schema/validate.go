package schema

import (
	"strconv"
	"unicode/utf8"

	"github.com/toolparse/toolparse"
)

const (
	// maxProblems is how many problems are reported at most: a model that
	// made more has to start again anyway.
	maxProblems = 20
	// minSteps is the work that every check may take, however small the
	// document. It stops schemas whose alternatives multiply.
	minSteps = 1 << 20
	// stepsPerByte is what each byte of the document adds to it.
	stepsPerByte = 8
	// stepsPerName is the work of comparing two names, of which a message
	// takes no more than maxNames.
	stepsPerName = 32
	maxNames     = 500
)

// Validate lists the ways in which a JSON document breaks the schema, worded
// for the model that wrote it: at most 20, in the order of the document, what
// is missing first. A document that cannot be read, or that takes more work to
// check than its size allows, is one problem. A nil Schema allows everything.
//
// It knows the keywords that the package names, with oneOf as anyOf. Where no
// alternative fits, the problems are those of the nearest one.
func (s *Schema) Validate(doc []byte) []toolparse.Problem {
	if s == nil {
		return nil
	}
	v, err := parse(doc)
	if err != nil {
		return []toolparse.Problem{{Rule: "json", Message: "this is not valid JSON (" + err.Error() + "); send one JSON object"}}
	}
	steps := minSteps + stepsPerByte*len(doc)
	c := checker{steps: &steps}
	c.check(s, v, nil)
	if steps < 0 {
		c.problems = append(c.problems, toolparse.Problem{Rule: "limit",
			Message: "the arguments are too complicated to be checked; send simpler ones"})
	}
	return c.problems
}

// spot is a position in a document; nil is the document itself.
type spot struct {
	up   *spot
	name string
}

func (p *spot) member(name string) *spot { return &spot{p, name} }
func (p *spot) element(i int) *spot      { return &spot{p, strconv.Itoa(i)} }

func (p *spot) pointer() string {
	var names []string
	for ; p != nil; p = p.up {
		names = append(names, p.name)
	}
	return joinPointer("", names)
}

// checker collects the problems of one value, or of one alternative for it.
type checker struct {
	problems []toolparse.Problem
	steps    *int // left, shared by all alternatives
}

func (c *checker) report(at *spot, rule, message string) {
	p := toolparse.Problem{Path: at.pointer(), Rule: rule, Message: message}
	for _, known := range c.problems { // parts of allOf may say the same
		if p == known {
			return
		}
	}
	if len(c.problems) < maxProblems {
		c.problems = append(c.problems, p)
	}
}

// spend accounts for work and reports whether there is any left to do.
func (c *checker) spend(steps int) bool {
	*c.steps -= 1 + steps
	return *c.steps >= 0 && len(c.problems) < maxProblems
}

// spendOnNames accounts for a search among n names for the one that was meant.
func (c *checker) spendOnNames(n int) bool { return c.spend(stepsPerName * min(n, maxNames)) }

func (c *checker) check(s *Schema, v *value, at *spot) {
	if s == nil || !c.spend(0) {
		return
	}
	if s.never {
		c.report(at, "false", "nothing is allowed here; leave it out")
		return
	}
	if s.nullable && v.kind == typeNull {
		return
	}
	if s.declared != 0 && !s.declared.fits(v.is()) {
		// Whatever else the schema says would be noise.
		c.report(at, "type", wrongType(s, v))
		return
	}
	if s.enum != nil && c.spend(v.size()) && !s.enum.keys[v.key()] {
		c.spendOnNames(len(s.enum.values))
		c.report(at, s.enum.rule(), notInEnum(s.enum.values, v))
		return
	}
	switch v.kind {
	case typeNumber:
		c.checkNumber(&s.number, v, at)
	case typeString:
		c.checkText(&s.text, v, at)
	case typeArray:
		c.checkArray(&s.array, v, at)
	case typeObject:
		c.checkObject(s, v, at)
	}
	for _, part := range s.all {
		c.check(part, v, at)
	}
	for _, choice := range s.choices {
		c.checkChoice(choice, v, at)
	}
}

func (c *checker) checkNumber(r *numberRules, v *value, at *spot) {
	d := parseDecimal(v.text)
	if b := r.min; b != nil {
		if order := d.compare(b.decimal); order < 0 || b.exclusive && order == 0 {
			c.report(at, b.rule("exclusiveMinimum", "minimum"), outOfRange(b, "at least", "greater than", v))
		}
	}
	if b := r.max; b != nil {
		if order := d.compare(b.decimal); order > 0 || b.exclusive && order == 0 {
			c.report(at, b.rule("exclusiveMaximum", "maximum"), outOfRange(b, "at most", "less than", v))
		}
	}
	if r.multipleOf != nil && !d.multipleOf(*r.multipleOf) {
		c.report(at, "multipleOf", "must be a multiple of "+r.multipleText+", but is "+describe(v))
	}
}

func (c *checker) checkText(r *textRules, v *value, at *spot) {
	if r.minLen == noLimit && r.maxLen == noLimit && r.pattern == nil || !c.spend(v.size()) {
		return
	}
	n := utf8.RuneCountInString(v.text)
	if r.minLen != noLimit && n < r.minLen {
		c.report(at, "minLength", wrongLength("at least", r.minLen, "character", n))
	}
	if r.maxLen != noLimit && n > r.maxLen {
		c.report(at, "maxLength", wrongLength("at most", r.maxLen, "character", n))
	}
	if r.pattern != nil && !r.pattern.MatchString(v.text) {
		c.report(at, "pattern", "must match the pattern "+shorten(r.pattern.String(), maxPattern)+", but is "+describe(v))
	}
}

func (c *checker) checkArray(r *arrayRules, v *value, at *spot) {
	n := len(v.elems)
	if r.minLen != noLimit && n < r.minLen {
		c.report(at, "minItems", wrongLength("at least", r.minLen, "element", n))
	}
	if r.maxLen != noLimit && n > r.maxLen {
		c.report(at, "maxItems", wrongLength("at most", r.maxLen, "element", n))
	}
	if r.unique && c.spend(v.size()) {
		seen := make(map[string]int, n)
		for i, elem := range v.elems {
			key := elem.key()
			if first, double := seen[key]; double {
				c.report(at.element(i), "uniqueItems", "repeats element "+strconv.Itoa(first)+", but all must differ; leave it out")
				continue
			}
			seen[key] = i
		}
	}
	for i, elem := range v.elems {
		if s := r.element(i); s != nil {
			c.check(s, elem, at.element(i))
		}
	}
}

// element is the schema of the element with index i.
func (r *arrayRules) element(i int) *Schema {
	if i < len(r.prefix) {
		return r.prefix[i]
	}
	return r.items
}

func (c *checker) checkObject(s *Schema, v *value, at *spot) {
	o := &s.object
	if !c.spend(len(o.required)) {
		return
	}
	for _, name := range o.required {
		if v.members[name] == nil && c.spendOnNames(len(v.names)) {
			c.report(at, "required", o.missing(name, v, at))
		}
	}
	if o.properties == nil && o.patterns == nil && o.additional == nil {
		return
	}
	for _, name := range v.names {
		if !c.spend(len(o.patterns)) {
			return
		}
		c.checkMember(o, name, v.members[name], at)
	}
}

func (c *checker) checkMember(o *objectRules, name string, v *value, at *spot) {
	own := o.properties[name]
	known := own != nil
	if known {
		c.check(own, v, at.member(name))
	}
	for _, p := range o.patterns {
		if p.name.MatchString(name) {
			known = true
			c.check(p.schema, v, at.member(name))
		}
	}
	if known || o.additional == nil {
		return
	}
	if o.additional.never {
		c.spendOnNames(len(o.names))
		c.report(at.member(name), "additionalProperties", o.unknown(name, at))
		return
	}
	c.check(o.additional, v, at.member(name))
}

// checkChoice checks that one of the alternatives fits, or else reports what
// is wrong by the one that is nearest.
func (c *checker) checkChoice(list []*Schema, v *value, at *spot) {
	self := at.pointer()
	var best []toolparse.Problem
	least := 0
	strange := true // to each alternative v is another kind of value
	for _, s := range list {
		alternative := checker{steps: c.steps}
		alternative.check(s, v, at)
		if *c.steps < 0 || len(alternative.problems) == 0 {
			return
		}
		strange = strange && isStrange(alternative.problems, self)
		if off := distance(alternative.problems, self); best == nil || off < least {
			best, least = alternative.problems, off
		}
	}
	if strange {
		c.report(at, "anyOf", noAlternative(list, v))
		return
	}
	c.problems = append(c.problems, best[:min(len(best), maxProblems-len(c.problems))]...)
}

// isStrange reports whether all that is wrong is that the value at self has
// the wrong type or is none of those listed.
func isStrange(problems []toolparse.Problem, self string) bool {
	p := problems[0]
	switch p.Rule {
	case "type", "enum", "const", "anyOf", "false":
		return len(problems) == 1 && p.Path == self
	}
	return false
}

// distance tells how far the value at self is from an alternative with these
// problems. A wrong type means another value altogether; a wrong constant
// inside mostly is what tells the alternatives apart.
func distance(problems []toolparse.Problem, self string) int {
	total := 0
	for _, p := range problems {
		switch {
		case p.Path == self && p.Rule != "required":
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

// size is the work of looking at the whole value, in steps.
func (v *value) size() int {
	n := 1 + len(v.text)>>8
	for _, elem := range v.elems {
		n += elem.size()
	}
	for _, member := range v.members {
		n += member.size()
	}
	return n
}
