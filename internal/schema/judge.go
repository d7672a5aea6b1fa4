package schema

import "github.com/toolparse/toolparse/internal/jsonvalue"

// Judge holds values that somebody makes up against the parts of a document, until one
// fits. It has a budget for all of them together, and is not safe for concurrent use.
type Judge struct {
	doc     *Document
	steps   int
	vouched map[vouched]bool
	last    []uncheckedRule // what the last value hung on
}

// maxJudged bounds how deep schemas stand in each other for a value that was made up.
const maxJudged = 1000

// Judge returns a judge of values for parts of the document.
func (d *Document) Judge() *Judge {
	return &Judge{doc: d, steps: minSteps, vouched: map[vouched]bool{}}
}

// Fits reports whether a value fits a part of the document, or a schema that was put
// together of its parts. unchecked are the patterns that it hangs on, which could not be
// checked; with any, ok is false. It fails where the schema cannot be read, and once the
// budget is spent.
func (j *Judge) Fits(part, v *jsonvalue.Value) (ok bool, unchecked []string, err error) {
	if part.Is(jsonvalue.Null) { // as generators write what is not set
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

// Vouch takes what the last value hung on for granted, from now on.
func (j *Judge) Vouch() {
	for _, u := range j.last {
		j.vouched[u.vouched] = true
	}
}

// MatchPattern reports whether a text matches a pattern. It is not known where the
// pattern cannot be checked.
func MatchPattern(source, text string) (match, known bool) {
	got := (&pattern{source: source}).match(text)
	return got == fits, got != unsure
}
