package schema

// Untyped reports whether nothing restricts the value's type.
func (s *Schema) Untyped() bool { return s == nil || s.types == 0 }

// Closed reports whether the schema, or an alternative of it, names its
// properties, so that others are undeclared.
func (s *Schema) Closed() bool {
	for part := range s.parts() {
		if len(part.object.properties) > 0 {
			return true
		}
	}
	return false
}
