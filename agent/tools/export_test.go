package tools

// For the tests of package tools_test.
var (
	CompleteRequirements = completeRequirements
	RequiredDocument     = required
)

func (t Task) Requirements() []Requirement { return t.requirements() }
