package dialect

// Channels describes dialects in which every message begins with a header that says who the
// message is for: reasoning is for the model itself, text for the user, and a call for a
// tool. A header consists of tokens with words between them. If a dialect has channels, the
// parser recognises reasoning and text by them; the dialect's other markers for those are
// only used for writing.
type Channels struct {
	// Open lists the tokens that begin a header. The header at the beginning of the stream
	// may lack it, because the prompt ends with it.
	Open []string `json:"open,omitempty"`
	// Within lists the tokens that may occur inside a header.
	Within []string `json:"within,omitempty"`
	// Message lists the tokens that end a header: the message follows. A blank at the end
	// of such a token is layout.
	Message []string `json:"message,omitempty"`
	// Close lists the tokens that end a message. Another header ends it, too. The blanks in
	// such a token may be missing.
	Close []string `json:"close,omitempty"`
	// To is the prefix of the word that names the recipient.
	To string `json:"to,omitempty"`

	// Roles lists words of a header that say nothing about its message. If there are none,
	// any word directly after the first token is the author.
	Roles []string `json:"roles,omitempty"`
	// Reasoning, Text and Calls list words, recipients and ending tokens of headers whose
	// message is of that kind. In a message for a recipient in Text, markup is text. All
	// other messages are text. The first entry of Calls belongs to the dialect's first form,
	// the second to the next, and so on; in a form with a literal name, that is the author.
	Reasoning []string `json:"reasoning,omitempty"`
	Text      []string `json:"text,omitempty"`
	Calls     []string `json:"calls,omitempty"`
	// Addressed: any other recipient is a tool, and the message is its call: the header is
	// the opener and contains the name, and the message is the arguments. Otherwise the call
	// is inside the message, and must be one of the recipient. The dialect's other forms are
	// alternative ways to write those arguments; the beginning of the message decides. Two
	// messages of text, or of reasoning, are lines of their own.
	Addressed bool `json:"addressed,omitempty"`
	// Own lists recipients that are the model's own tools. Messages to them are neither
	// calls nor text, unless the tools are declared.
	Own []string `json:"own,omitempty"`
}
