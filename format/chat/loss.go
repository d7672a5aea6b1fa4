package chat

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
