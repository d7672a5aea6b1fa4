package chat

import "encoding/json"

// Extra is a member of a wire's object that has no field in the canonical chat.
type Extra struct {
	Wire  string          `json:"wire"`         // the wire that has the member
	In    string          `json:"in,omitempty"` // the inner object that holds the member, such as "function"; "" if it is the object itself
	Name  string          `json:"name"`
	Value json.RawMessage `json:"value,omitempty"` // as on the wire

	// Spelling means that there is no value: the Extra only records which of several
	// names its wire used for a field, such as max_tokens for MaxTokens. Other wires do
	// not report it as a loss.
	Spelling bool `json:"spelling,omitempty"`
}

// Extras are the extra members of one object, in order.
type Extras []Extra

// Get returns the last value of a wire's member, or nil.
func (x Extras) Get(wire, in, name string) json.RawMessage {
	for i := len(x) - 1; i >= 0; i-- {
		if e := &x[i]; e.Name == name && e.In == in && e.Wire == wire && !e.Spelling {
			return e.Value
		}
	}
	return nil
}

// Loss says what the target wire cannot express.
type Loss struct {
	Field  string // path in the canonical value, such as messages[2].parts[0].signature
	Reason string // why the wire cannot express it
	Action string // what was done instead
	// Minor marks a loss that nobody can avoid and hardly anybody notices, such as the
	// time of an answer.
	Minor bool
}

// String returns the loss on one line.
func (l Loss) String() string { return l.Field + ": " + l.Reason + "; " + l.Action }
