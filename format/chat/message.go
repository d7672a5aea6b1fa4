package chat

import (
	"encoding/json"
	"fmt"
	"slices"
)

// Role is who a message is from. Roles that only one wire knows are kept as
// that wire spells them.
type Role string

// The roles.
const (
	System    Role = "system"
	Developer Role = "developer" // a system message, to wires that have no such role
	User      Role = "user"
	Assistant Role = "assistant"
	ToolRole  Role = "tool"
)

// Message is one turn. Messages can be kept as JSON: what is marshalled is read back the
// same.
type Message struct {
	Role  Role   `json:"role"`
	Parts []Part `json:"parts"`

	Extras Extras `json:"extras,omitempty"`
}

// PartKind tells what a [Part] is.
type PartKind uint8

// The kinds of part.
const (
	PartOther     PartKind = iota // what only its wire knows: all of it is in Extras
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

// MarshalText implements [encoding.TextMarshaler]: it is String, and never fails.
func (k PartKind) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// UnmarshalText implements [encoding.TextUnmarshaler]: it takes what MarshalText
// writes, and fails on other text.
func (k *PartKind) UnmarshalText(text []byte) error {
	i := slices.Index(partNames[:], string(text))
	if i < 0 {
		return fmt.Errorf("unknown kind of part %q", text)
	}
	*k = PartKind(i)
	return nil
}

// Part is a piece of a message. Of its fields those are set that Kind names.
type Part struct {
	Kind PartKind `json:"kind"`
	Text string   `json:"text,omitempty"`

	// Signature is what a provider needs to trust its own reasoning again, or,
	// at Gemini, a text or a call. It is never shown and never forged.
	Signature string `json:"signature,omitempty"`
	// Redacted is reasoning that came encrypted, without Text.
	Redacted string `json:"redacted,omitempty"`
	// SignedBy is the wire whose provider made Signature or Redacted. No other
	// provider accepts them.
	SignedBy string `json:"signed_by,omitempty"`

	Media  *Media  `json:"media,omitempty"`
	Call   *Call   `json:"call,omitempty"`
	Result *Result `json:"result,omitempty"`

	Extras Extras `json:"extras,omitempty"`
}

// Media is an image or a file: its bytes, or where they are.
type Media struct {
	Type string `json:"type,omitempty"` // MIME type; "" is unknown
	Name string `json:"name,omitempty"` // file name
	Data string `json:"data,omitempty"` // base64, as the wire had it

	URL string `json:"url,omitempty"` // in place of Data
	ID  string `json:"id,omitempty"`  // at the provider, in place of Data
}

// Call is a tool call.
type Call struct {
	ID        string `json:"id"`
	Name      string `json:"name"`
	Arguments string `json:"arguments"`        // JSON text, the model's own bytes; broken where the answer was cut
	Custom    bool   `json:"custom,omitempty"` // of a custom tool
	Native    Native `json:"native,omitzero"`  // what its wire says of it beside the name
	Cut       bool   `json:"cut,omitempty"`    // the answer was cut in it: more may belong to its arguments, even where they are whole JSON, and nobody may run it
}

// Result answers a call.
type Result struct {
	CallID  string `json:"call_id"`
	Name    string `json:"name,omitempty"` // of the tool; see Link
	Parts   []Part `json:"parts"`          // text, images, files
	IsError bool   `json:"is_error,omitempty"`
}

// TextPart returns a part of text.
func TextPart(text string) Part { return Part{Kind: PartText, Text: text} }

// CallPart returns a part that is a call.
func CallPart(id, name, arguments string) Part {
	return Part{Kind: PartCall, Call: &Call{ID: id, Name: name, Arguments: arguments}}
}

// ResultPart returns a part that is a result, of texts or whatever else.
func ResultPart(callID string, parts ...Part) Part {
	return Part{Kind: PartResult, Result: &Result{CallID: callID, Parts: parts}}
}

// HasCalls reports whether there is a call in the message.
func (m Message) HasCalls() bool {
	for _, p := range m.Parts {
		if p.Kind == PartCall {
			return true
		}
	}
	return false
}

// Extra is a member of a wire's object that the canonical chat has no field
// for.
type Extra struct {
	Wire  string          `json:"wire"`         // whose member it is
	In    string          `json:"in,omitempty"` // the object inside of what the Extra belongs to, such as "function"; "" is that itself
	Name  string          `json:"name"`
	Value json.RawMessage `json:"value,omitempty"` // its own bytes

	// Spelling: there is no value; the Extra only tells that its wire used this
	// name, of several that it has, for what a field of the canonical chat
	// holds, such as max_tokens for MaxTokens. It is no loss elsewhere.
	Spelling bool `json:"spelling,omitempty"`
}

// Extras are the extra members of one object, in their order.
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

// UsesName reports whether the wire used this name; see Extra.Spelling.
func (x Extras) UsesName(wire, name string) bool {
	for i := range x {
		if e := &x[i]; e.Spelling && e.Name == name && e.Wire == wire {
			return true
		}
	}
	return false
}
