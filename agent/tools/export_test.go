package tools

import "slices"

// For the tests of package tools_test.
var (
	CompleteRequirements = completeRequirements
	RequiredDocument     = required
)

// ReadTask returns the kinds of a task, in order, and what it needs.
func ReadTask(text string) (kinds []string, needs []Requirement) {
	t := readTask(text)
	slices.Sort(t.kinds)
	return t.kinds, t.requirements()
}

func (s *Set) Provision(kinds ...string) ([]string, error) { return s.provision(kinds) }
