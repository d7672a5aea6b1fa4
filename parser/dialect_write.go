package parser

// Written is what only the writing of a call needs to know: where a reader takes
// any layout, which one a model's own template writes.
type Written struct {
	// Envelope is one call of HeadEnvelope or HeadKey. In it {name} and {id} stand
	// for JSON strings and {args} for the arguments. Where it is empty, the first
	// names that the head and the arguments list are used.
	Envelope string `json:"envelope,omitempty"`
	// List is around the calls of a message where one JSON value, in one frame,
	// holds them all.
	List Pair `json:"list,omitzero"`
	// Compact: JSON has no blanks after its commas and colons.
	Compact bool `json:"compact,omitempty"`
	// Reasoning is around reasoning; by default the first of the dialect's.
	Reasoning Pair `json:"reasoning,omitzero"`
	// Text is around text.
	Text Pair `json:"text,omitzero"`
	// Call is around a call, or its section if it has one of its own; {name} stands
	// for the tool's.
	Call Pair `json:"call,omitzero"`
	// Count is the attribute that counts the calls of a message, from 1.
	Count string `json:"count,omitempty"`
	// Lead is between text and the calls that follow it.
	Lead string `json:"lead,omitempty"`
}

// Results says how the results of calls are written to a model. In the markers
// {name} and {id} stand for those of the call.
type Results struct {
	Turn    Pair   `json:"turn,omitzero"`     // around all that follow one message
	Result  Pair   `json:"result,omitzero"`   // around one
	Between string `json:"between,omitempty"` // between two
	// Quoted: the text of a result is written as a JSON string.
	Quoted bool `json:"quoted,omitempty"`
}

// ResultForm is how results are written: as Hermes does, after which most templates
// have been made, where the dialect does not say.
func (d *Dialect) ResultForm() Results {
	if d.Results == (Results{}) {
		return toolResponse
	}
	return d.Results
}
