package schema

// settle works out the types of all parts, now that every reference has its
// target, and refuses what would send a reader round in circles.
func (c *compiler) settle() error {
	s := settler{state: make(map[*Schema]int, len(c.parts))}
	for _, part := range c.parts {
		if err := s.visit(part.schema, 0); err != nil {
			return part.at.fail(err)
		}
	}
	return nil
}

type settler struct {
	state map[*Schema]int
}

const (
	visiting = iota + 1
	settled
)

// visit computes the types of s from those of everything that applies to the
// same value. Recursion through properties and items is no concern of it: there
// each step has a smaller value to look at.
func (v *settler) visit(s *Schema, depth int) error {
	switch {
	case v.state[s] == settled:
		return nil
	case v.state[s] == visiting:
		return ErrCircle
	case depth > maxDepth:
		return errTooDeep
	}
	v.state[s] = visiting
	for below := range s.below() {
		if err := v.visit(below, depth+1); err != nil {
			return err
		}
	}
	v.state[s] = settled
	s.measure()
	s.types = s.ownTypes()
	for _, choice := range s.choices {
		s.types = s.types.meet(typesOfChoice(choice, s.types != 0))
	}
	for _, part := range s.all {
		s.types = s.types.meet(part.types)
	}
	if s.nullable && s.types != 0 {
		s.types |= typeNull
	}
	return nil
}

// maxReach keeps reach from overflowing; no look-up goes as far.
const maxReach = 1 << 30

func (s *Schema) measure() {
	s.reach = 1
	for below := range s.below() {
		s.reach = min(s.reach+below.reach, maxReach)
	}
}

// ownTypes are the types that s itself allows: the declared ones, or else
// those that its other keywords speak of.
func (s *Schema) ownTypes() typeSet {
	types := s.declared
	if types == 0 && s.enum != nil {
		for _, member := range s.enum.values {
			types |= member.is()
		}
	}
	if types != 0 {
		return types
	}
	o := &s.object
	if o.properties != nil || o.patterns != nil || o.required != nil || o.additional != nil {
		types |= typeObject
	}
	if s.array.items != nil || s.array.prefix != nil {
		types |= typeArray
	}
	return types
}

// typesOfChoice are the types of a list of alternatives together. One that
// restricts no type leaves things as they are, or, where nothing else tells
// the type (restricted is false), stands for a string.
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
