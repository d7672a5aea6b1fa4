package schema

import "fmt"

// settle computes the types of all new parts, after every reference has found its target.
// It returns an error for circular references, which would make readers loop.
func (d *Document) settle() error {
	for _, part := range d.parts[d.settled:] {
		if err := visit(part.schema, 0); err != nil {
			return &fault{part.value, err}
		}
	}
	d.settled = len(d.parts)
	return nil
}

// The reach of a schema that has not been settled. A settled one has at least 1.
const (
	unvisited int32 = 0
	visiting  int32 = -1
)

// maxChain limits a chain of references, and thereby every recursion over the schemas that
// apply in place.
const maxChain = 10_000

// visit computes the types of s from everything that applies to the same value. Recursion
// through properties and items is harmless, since each step has a smaller value.
func visit(s *Schema, depth int) error {
	switch {
	case s.reach == visiting:
		return ErrCircle
	case s.reach != unvisited:
		return nil
	case depth > maxChain:
		return fmt.Errorf("%w: a chain of more than %d references", ErrTooLarge, maxChain)
	}
	s.reach = visiting
	for below := range s.below() {
		if err := visit(below, depth+1); err != nil {
			return err
		}
	}
	s.measure()
	s.types = s.ownTypes()
	for _, choice := range s.choices {
		s.types = s.types.meet(typesOfChoice(choice.list, s.types != 0))
	}
	for _, part := range s.all {
		s.types = s.types.meet(part.types)
	}
	if s.nullable && s.types != 0 {
		s.types |= typeNull
	}
	return nil
}

// maxReach keeps reach from overflowing. No look-up is that expensive.
const maxReach = 1 << 29

// measure computes reach from the schemas below s.
func (s *Schema) measure() {
	s.reach = 1
	for below := range s.below() {
		s.reach = min(s.reach+below.reach, maxReach)
	}
}

// ownTypes returns the types that s itself allows: the declared ones, or else those that
// its other keywords imply.
func (s *Schema) ownTypes() typeSet {
	types := s.declared
	if types == 0 && s.enum != nil {
		for _, member := range s.enum.values {
			types |= typeOf(member)
		}
	}
	if types != 0 {
		return types
	}
	if o := s.object; o != nil && (o.declares || o.patterns != nil || o.required != nil || o.additional != nil) {
		types |= typeObject
	}
	if r := s.array; r != nil && (r.items != nil || r.prefix != nil) {
		types |= typeArray
	}
	return types
}

// typesOfChoice returns the types that a list of alternatives allows together. An
// alternative without a restriction removes all restrictions or, if no other schema
// restricts the type (restricted is false), stands for a string.
func typesOfChoice(list []*Schema, restricted bool) typeSet {
	var types typeSet
	for _, s := range list {
		switch {
		case s.never:
		case s.types != 0:
			types |= s.types
		case restricted:
			return 0
		default:
			types |= typeString
		}
	}
	return types
}
