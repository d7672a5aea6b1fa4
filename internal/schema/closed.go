package schema

// Closed reports whether the schema, or an alternative of it, names its
// properties, so that others are undeclared. The parser asks it before it takes
// a tag for an argument.
func (s *Schema) Closed() bool {
	for part := range s.parts() {
		if len(part.object.properties) > 0 {
			return true
		}
	}
	return false
}
