package schema

import "github.com/toolparse/toolparse/internal/jsonvalue"

// Judge checks made-up values against parts of a document, until one fits. One budget
// covers all checks. It is not safe for concurrent use.
type Judge struct {
	doc     *Document
	steps   int
	vouched map[vouched]bool
	last    []uncheckedRule // what the last verdict depended on
}

// maxJudged limits the nesting of schemas for a made-up value.
const maxJudged = 1000

// Judge returns a judge for values of parts of the document.
func (d *Document) Judge() *Judge {
	return &Judge{doc: d, steps: minSteps, vouched: map[vouched]bool{}}
}

// Fits reports whether a value fits a part of the document, or a schema that was assembled
// from its parts. unchecked lists the patterns that the verdict depends on and that could
// not be checked; if there are any, ok is false. Fits returns an error if the schema cannot
// be read or the budget is used up.
func (j *Judge) Fits(part, v *jsonvalue.Value) (ok bool, unchecked []string, err error) {
	if part.Is(jsonvalue.Null) { // generators write unset keywords as null
		return true, nil, nil
	}
	s, err := j.doc.Part(part)
	if err != nil {
		return false, nil, err
	}
	c := newChecker(s, &j.steps)
	c.quiet, c.vouched, c.maxDepth = true, j.vouched, maxJudged
	got := c.child(s, v)
	if j.last = nil; j.steps < 0 {
		return false, nil, ErrTooLarge
	}
	if got != unsure {
		return got == fits, nil, nil
	}
	j.last = c.unchecked
	for _, u := range c.unchecked {
		unchecked = append(unchecked, u.pattern)
	}
	return false, unchecked, nil
}

// AssumeMatches makes the judge assume, from now on, that the unchecked patterns of the last
// value match.
func (j *Judge) AssumeMatches() {
	for _, u := range j.last {
		j.vouched[u.vouched] = true
	}
}
