package syntax

import "slices"

// Names is a set of names. It searches the first few linearly and hashes the rest, since
// most calls have few arguments.
type Names struct {
	few  []string
	many map[string]bool
}

// maxFew is the number of names that are searched linearly.
const maxFew = 16

// Has reports whether a name is in the set.
func (s *Names) Has(name string) bool {
	return slices.Contains(s.few, name) || s.many != nil && s.many[name]
}

// Empty reports whether no name has been added.
func (s *Names) Empty() bool { return len(s.few) == 0 }

// Reset empties the set and keeps its memory, but not that of the names.
func (s *Names) Reset() {
	clear(s.few)
	s.few, s.many = s.few[:0], nil
}

// Add adds a name and reports whether it is new.
func (s *Names) Add(name string) bool {
	if s.Has(name) {
		return false
	}
	if len(s.few) < maxFew {
		s.few = append(s.few, name)
		return true
	}
	if s.many == nil {
		s.many = map[string]bool{}
	}
	s.many[name] = true
	return true
}
