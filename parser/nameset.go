package parser

import "slices"

// nameSet is a set of names: a few of them are searched, more are hashed.
type nameSet struct {
	few  []string
	many map[string]bool
}

// maxFew is how many names are searched one by one.
const maxFew = 16

// has reports whether a name is in the set.
func (s *nameSet) has(name string) bool { return s.many[name] || slices.Contains(s.few, name) }

// reset empties the set. Its memory is kept.
func (s *nameSet) reset() { s.few, s.many = s.few[:0], nil }

// add adds a name, and reports whether it is new.
func (s *nameSet) add(name string) bool {
	if s.has(name) {
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
