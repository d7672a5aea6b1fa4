package toolcall

// Problem is one way in which arguments break their schema, worded for the
// model that wrote them.
type Problem struct {
	Path    string `json:"path"`    // JSON pointer of the value, "" for the arguments themselves
	Rule    string `json:"rule"`    // the schema keyword: "type", "required", "enum", ...
	Message string `json:"message"` // what was expected, what was there, what to do
}

// Error returns the message with its place.
func (p Problem) Error() string {
	if p.Path == "" {
		return p.Message
	}
	return p.Path + ": " + p.Message
}
