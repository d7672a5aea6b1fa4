package chat

import "github.com/toolparse/toolparse/toolcall"

// Codec reads and writes one wire. Its methods may be used at the same time.
//
// Decoders check all of their input; an error is a *format.SyntaxError with the
// byte offset and the field. Encoders write what the vendor's own clients and
// servers accept; what the wire cannot hold is a Loss, and an error means that
// there is nothing that could be sent.
type Codec interface {
	DecodeRequest(body []byte) (*Request, error)
	EncodeRequest(*Request, Options) ([]byte, []Loss, error)

	DecodeResponse(body []byte) (*Response, error)
	EncodeResponse(*Response, Options) ([]byte, []Loss, error)

	// The list of tools, as it stands in a request.
	DecodeTools(list []byte) ([]Tool, error)
	EncodeTools([]Tool, Options) ([]byte, []Loss, error)

	NewEncoder(Options) Encoder
}

// Options are about writing.
type Options struct {
	// VendorOnly keeps to what the vendor itself documents. Without it,
	// extensions that servers of the same wire have agreed on are used, such as
	// reasoning_content in Chat Completions.
	VendorOnly bool

	// Model, of a request, is the model that is asked, in place of the one that the
	// request names. Wires whose URL names the model pass it over.
	Model string

	// IDs and Names are for call ids and tool names that the wire does not
	// accept. Give your own, and keep it, to translate back what a model
	// answers: an encoder adds to it. Nil means a fresh one for the wire.
	IDs, Names *Renames

	// Request, of an answer, is the request of the client that is answered, as it was
	// before it was translated for the provider. Package format makes Sent of it, where
	// that is nil; a Codec and its Encoder pass it over.
	Request *Request

	// SentNames, of an answer, are the Names of the request that it answers, as that was
	// written for the provider: calls get the names back that the caller's tools
	// have, with their namespaces and types.
	SentNames *Renames
}

// Encoder writes one answer as a stream. It is not safe for concurrent use.
//
// Call SetMeta whenever something of it is new, and always before the first
// delta and before Close. Append and Close append the wire's bytes to dst and
// return it; what they wrote can be sent at once.
type Encoder interface {
	SetMeta(Meta)
	// Append writes a delta in normal form; see the package's comment.
	Append(dst []byte, d toolcall.Delta) ([]byte, error)
	// Close writes what ends the stream. Without a finish reason before it, the
	// stream ends as one that was cut.
	Close(dst []byte) ([]byte, error)
	// Losses are those so far.
	Losses() []Loss
}

// Loss tells what a target cannot hold.
type Loss struct {
	Field  string // where in the canonical value, such as messages[2].parts[0].signature
	Reason string // why
	Action string // what was done instead
	// Minor: nobody can do anything about it, and hardly anybody misses it, such as
	// the time of an answer.
	Minor bool
}

// String returns the loss on one line.
func (l Loss) String() string { return l.Field + ": " + l.Reason + "; " + l.Action }
