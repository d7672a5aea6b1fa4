package wire

import (
	"encoding/json"
	"time"

	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/recent"
	"github.com/toolparse/toolparse/toolcall"
)

// Codec reads and writes one wire. It is safe for concurrent use.
//
// Decoders check all of their input. Their errors are *frame.SyntaxError, with the byte
// offset and the field. Encoders write what the vendor's own clients and servers accept.
// They report as a [chat.Loss] what the wire cannot express.
type Codec interface {
	// With returns the codec that decodes requests with these options.
	With(RequestOptions) Codec

	// DecodeRequest reads a request. With an error, the request is nil or only part of it.
	DecodeRequest(body []byte) (*chat.Request, error)
	EncodeRequest(*chat.Request, Options) ([]byte, []chat.Loss)

	DecodeResponse(body []byte) (*Response, error)
	EncodeResponse(*Response, Options) ([]byte, []chat.Loss)

	// These read and write the list of tools of a request.
	DecodeTools(list []byte) ([]chat.Tool, error)
	EncodeTools([]chat.Tool, Options) ([]byte, []chat.Loss)

	NewEncoder(Options) Encoder
}

// Options configure encoders.
type Options struct {
	// VendorOnly writes only what the vendor documents. Otherwise encoders also use
	// extensions that several servers of the wire support, such as reasoning_content in
	// Chat Completions.
	VendorOnly bool

	// Model replaces the model that a request names. Wires with the model in the URL
	// ignore it.
	Model string

	// IDs and Names replace call ids and tool names that the wire does not accept. The
	// encoder adds to them. Pass your own and keep them to translate the model's answer
	// back; nil means new ones with the rule of the wire.
	IDs, Names *Renames

	// SentNames are the Names of the request as it was sent to the provider. Set them to
	// encode the answer: its calls then get the names, namespaces and types of the
	// caller's tools back.
	SentNames *Renames

	// Texts remembers long texts of recent requests. Nil remembers none.
	Texts *recent.Texts

	// Seal marks signatures and encrypted reasoning in a streamed answer, so that the caller
	// recognises its own when a client sends them back. of is as in the Name of a delta: "",
	// toolcall.SignsCall or toolcall.SignsRedacted. With Seal, signatures of reasoning are
	// written whichever provider made them, and those of calls, on wires that have none, as
	// encrypted reasoning after the call. Nil leaves them as they are.
	Seal func(signature, of string) string

	// Began is when the request for an answer came. Wires that report how long an answer took
	// then do, unless the provider has reported it. The zero time leaves it out.
	Began time.Time
}

// Encoder writes one answer as a stream. It is not safe for concurrent use.
//
// Call SetMeta before the first delta, before Close, and whenever the Meta has changed.
// Append and Close append bytes of the wire to dst and return it; the caller can send
// them at once.
type Encoder interface {
	SetMeta(chat.Meta)
	// Append writes a delta in normal form; see the package comment.
	Append(dst []byte, d toolcall.Delta) []byte
	// Close writes the end of the stream. Without a finish reason, the stream ends as a
	// truncated one.
	Close(dst []byte) []byte
	// Losses returns the losses so far.
	Losses() []chat.Loss
}

// CustomParameters returns the schema with which wires without custom tools offer one as
// a function.
func CustomParameters() json.RawMessage {
	return json.RawMessage(`{"type":"object","properties":{"input":{"type":"string"}},"required":["input"]}`)
}

// UsesName reports whether a wire used this name; see [chat.Extra.Spelling].
func UsesName(x chat.Extras, wire, name string) bool {
	for i := range x {
		if e := &x[i]; e.Spelling && e.Name == name && e.Wire == wire {
			return true
		}
	}
	return false
}

// SwitchOf returns On or Off.
func SwitchOf(on bool) chat.Switch {
	if on {
		return chat.On
	}
	return chat.Off
}
