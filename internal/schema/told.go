package schema

// Told returns the schema of a value whose syntax tells its type, where kind is
// not "", as one word: "string", or "true" for a string, or any other. Quoted says that
// strings stand in quotes there, so that values without a schema are JSON.
func (s *Schema) Told(kind string, quoted bool) *Schema {
	switch {
	case quoted && s.Untyped():
		return Any
	case kind == "", !s.Untyped() && !s.AllowsString():
		return s
	case kind == "string", kind == "true":
		return nil
	case s.Untyped():
		return Any
	}
	return s
}
