package chat

import (
	"fmt"
	"slices"
)

// Role says who wrote a message. Roles that only one wire has keep its spelling.
type Role string

// The roles.
const (
	System    Role = "system"
	Developer Role = "developer" // a system message, on wires without this role
	User      Role = "user"
	Assistant Role = "assistant"
	ToolRole  Role = "tool"
)

// Message is one message of a conversation. It marshals to JSON and back without loss.
type Message struct {
	Role  Role   `json:"role"`
	Parts []Part `json:"parts"`

	Extras Extras `json:"extras,omitempty"`
}

// PartKind is the kind of a [Part].
type PartKind uint8

// The kinds of part, with the fields that they use.
const (
	PartOther     PartKind = iota // only one wire has it: all of it is in Extras
	PartText                      // Text
	PartReasoning                 // Text, Signature, Redacted
	PartRefusal                   // Text: the model declines
	PartImage                     // Media
	PartFile                      // Media
	PartCall                      // Call
	PartResult                    // Result
)

var partNames = [...]string{"other", "text", "reasoning", "refusal", "image", "file", "call", "result"}

// String returns the kind in lower case.
func (k PartKind) String() string {
	if int(k) < len(partNames) {
		return partNames[k]
	}
	return "unknown"
}

// MarshalText implements [encoding.TextMarshaler]. It never fails.
func (k PartKind) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// UnmarshalText implements [encoding.TextUnmarshaler]. It fails on unknown kinds.
func (k *PartKind) UnmarshalText(text []byte) error {
	i := slices.Index(partNames[:], string(text))
	if i < 0 {
		return fmt.Errorf("unknown kind of part %q", text)
	}
	*k = PartKind(i)
	return nil
}

// Part is a piece of a message. Kind says which fields are set.
type Part struct {
	Kind PartKind `json:"kind"`
	Text string   `json:"text,omitempty"`

	// Signature proves to a provider that it made this reasoning; with Gemini, also a
	// text or a call. It is not meant for people, and nobody else can make one.
	Signature string `json:"signature,omitempty"`
	// Redacted is encrypted reasoning, which has no Text.
	Redacted string `json:"redacted,omitempty"`
	// SignedBy is the wire whose provider made Signature or Redacted. Other providers
	// reject them.
	SignedBy string `json:"signed_by,omitempty"`

	Media  *Media  `json:"media,omitempty"`
	Call   *Call   `json:"call,omitempty"`
	Result *Result `json:"result,omitempty"`

	Extras Extras `json:"extras,omitempty"`
}

// Media is an image or a file: its bytes, or a reference to them.
type Media struct {
	Type string `json:"type,omitempty"` // MIME type; "" if unknown
	Name string `json:"name,omitempty"` // file name
	Data string `json:"data,omitempty"` // base64 in the standard alphabet

	URL string `json:"url,omitempty"` // instead of Data
	ID  string `json:"id,omitempty"`  // the provider's id, instead of Data
	// StoredBy is the wire whose provider has the file with the ID; "" is that of the reader.
	StoredBy string `json:"stored_by,omitempty"`
}

// Call is a tool call.
type Call struct {
	ID        string `json:"id"`
	Name      string `json:"name"`
	Arguments string `json:"arguments"`        // JSON text, the model's own bytes; incomplete if the answer was cut
	Custom    bool   `json:"custom,omitempty"` // the tool is a custom one
	Native    Native `json:"native,omitzero"`  // what the wire says about the call besides the name
	Cut       bool   `json:"cut,omitempty"`    // the answer was cut in this call: its arguments may be incomplete even if they are valid JSON, so it must not run
}

// Result is the result of a call.
type Result struct {
	CallID  string `json:"call_id"`
	Name    string `json:"name,omitempty"` // of the tool; see Link
	Parts   []Part `json:"parts"`          // text, images, files
	IsError bool   `json:"is_error,omitempty"`
}

// TextPart returns a part of text.
func TextPart(text string) Part { return Part{Kind: PartText, Text: text} }

// CallPart returns a part with a call.
func CallPart(id, name, arguments string) Part {
	return Part{Kind: PartCall, Call: &Call{ID: id, Name: name, Arguments: arguments}}
}

// ResultPart returns a part with a result.
func ResultPart(callID string, parts ...Part) Part {
	return Part{Kind: PartResult, Result: &Result{CallID: callID, Parts: parts}}
}

// HasCalls reports whether the message has any calls.
func (m Message) HasCalls() bool {
	for _, p := range m.Parts {
		if p.Kind == PartCall {
			return true
		}
	}
	return false
}
