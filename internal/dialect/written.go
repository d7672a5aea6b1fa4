package dialect

import "github.com/toolparse/toolparse/internal/jsonvalue"

// Written holds what only writers of calls need: where readers accept any layout, it is the
// one that a model's own template writes.
type Written struct {
	// Envelope is one call of HeadEnvelope or HeadKey. In it, {name} and {id} stand for
	// JSON strings and {args} for the arguments. If it is empty, writers use the first
	// names that the head and the arguments list.
	Envelope string `json:"envelope,omitempty"`
	// List encloses the calls of a message if one JSON value in one frame contains them
	// all.
	List Pair `json:"list,omitzero"`
	// Compact: JSON has no blanks after commas and colons.
	Compact bool `json:"compact,omitempty"`
	// Indent is the number of blanks by which the content of a JSON value is indented, one
	// item a line. The line in which it begins says how far its own level is indented.
	Indent int `json:"indent,omitempty"`
	// Reasoning encloses reasoning; by default the first pair of the dialect is used.
	Reasoning Pair `json:"reasoning,omitzero"`
	// Text encloses text.
	Text Pair `json:"text,omitzero"`
	// TextAlways: in a conversation, the markers of Text precede calls even if there is
	// no text.
	TextAlways bool `json:"text_always,omitempty"`
	// Call is written before a call, or before its section if each call has its own; {name}
	// stands for the tool's name.
	Call string `json:"call,omitempty"`
	// Keeps says which reasoning of earlier turns a prompt keeps; by default none.
	Keeps Keeps `json:"keeps,omitempty"`
	// Begun is the beginning of an answer that the models' own prompt already contains: the
	// opener of reasoning, or of a call. See Options.Prompted.
	Begun string `json:"begun,omitempty"`
	// Prompt is the text with which calls begin and the prompt for an answer ends, so that
	// the first call of the answer lacks it. Heads are other ways in which the models then
	// begin a call; in them {name} stands for the tool's name.
	Prompt string   `json:"prompt,omitempty"`
	Heads  []string `json:"heads,omitempty"`
	// Lead separates text from the calls that follow it.
	Lead string `json:"lead,omitempty"`
	// LeadReasoning: Lead also separates reasoning from calls.
	LeadReasoning bool `json:"lead_reasoning,omitempty"`
	// Empty replaces the arguments of a call without any.
	Empty string `json:"empty,omitempty"`
	// Sorted: the arguments, and the members of objects in them, are ordered by name.
	Sorted bool `json:"sorted,omitempty"`
	// Numbered: the ids of calls are their numbers in the conversation, from 0.
	Numbered bool `json:"numbered,omitempty"`
}

// EnvelopeForm returns a call of HeadEnvelope or HeadKey, with slots for its parts as in
// [Written.Envelope].
func (d *Dialect) EnvelopeForm() string {
	layout := d.Written.JSON()
	switch {
	case d.Written.Envelope != "":
		return d.Written.Envelope
	case d.Head.Form == HeadKey:
		return "{{name}" + layout.Colon + "{args}}"
	}
	return `{"` + d.Head.Name[0] + `"` + layout.Colon + `{name}` + layout.Comma + `"` + d.Args.Keys[0] + `"` + layout.Colon + "{args}}"
}

// JSON returns the layout of JSON in calls.
func (w *Written) JSON() jsonvalue.Layout { return layoutOf(w.Compact, w.Indent) }

func layoutOf(compact bool, indent int) jsonvalue.Layout {
	switch {
	case compact:
		return jsonvalue.Compact
	case indent > 0:
		return jsonvalue.Indented(indent)
	}
	return jsonvalue.Spaced
}

// Keeps says which reasoning a prompt keeps.
type Keeps string

// The values of Keeps.
const (
	KeepsTurn Keeps = "turn" // reasoning since the user's last message
	KeepsAll  Keeps = "all"
)
