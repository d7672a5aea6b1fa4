package schema

import "github.com/toolparse/toolparse/internal/jsonvalue"

// Judge checks made-up values against parts of a document, until one fits. One budget
// covers all checks. It is not safe for concurrent use.
type Judge struct {
	doc   *Document
	steps int
}

// maxJudged limits the nesting of schemas for a made-up value.
const maxJudged = 1000

// Judge returns a judge for values of parts of the document.
func (d *Document) Judge() *Judge {
	return &Judge{doc: d, steps: minSteps}
}

// Fits reports whether a value fits a part of the document, or a schema that was assembled
// from its parts. If the verdict depends on something that cannot be checked, such as a
// pattern, ok is false and may is true. Fits returns an error if the schema cannot be read or
// the budget is used up.
func (j *Judge) Fits(part, v *jsonvalue.Value) (ok, may bool, err error) {
	if part.Is(jsonvalue.Null) { // generators write unset keywords as null
		return true, true, nil
	}
	s, err := j.doc.Part(part)
	if err != nil {
		return false, false, err
	}
	c := newChecker(s, &j.steps)
	c.quiet, c.maxDepth = true, maxJudged
	got := c.child(s, v)
	if j.steps < 0 {
		return false, false, ErrTooLarge
	}
	return got == fits, got != misfit && !c.tooDeep, nil
}
