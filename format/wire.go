package format

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/wire/anthropic"
	"github.com/toolparse/toolparse/internal/wire/envelope"
	"github.com/toolparse/toolparse/internal/wire/features"
	"github.com/toolparse/toolparse/internal/wire/frame"
	"github.com/toolparse/toolparse/internal/wire/gemini"
	"github.com/toolparse/toolparse/internal/wire/ollama"
	"github.com/toolparse/toolparse/internal/wire/openai"
	"github.com/toolparse/toolparse/internal/wire/rawjson"
	"github.com/toolparse/toolparse/internal/wire/responses"
	"github.com/toolparse/toolparse/toolcall"
)

// Wire is the name of a provider's format.
type Wire string

// The wires.
const (
	Auto      Wire = "auto" // detect the wire
	Text      Wire = "text" // no wire: plain text
	OpenAI    Wire = "openai"
	Responses Wire = "responses"
	Anthropic Wire = "anthropic"
	Gemini    Wire = "gemini"
	Ollama    Wire = "ollama"
)

// wire is what this package knows about a wire.
type wire struct {
	name    Wire
	decoder func() decoder
	codec   chat.Codec
	server  *chat.Server
	marks   *envelope.Marks
	end     string // name of the end of a stream
}

// wires are the wires, in a fixed order. The table is read-only.
var wires = [...]wire{
	{OpenAI, func() decoder { return new(openai.Decoder) }, openai.Codec, &openai.Server, &openai.Marks, "[DONE] or a finish reason"},
	{Responses, func() decoder { return new(responses.Decoder) }, responses.Codec, &responses.Server, &responses.Marks, "response.completed"},
	{Anthropic, func() decoder { return new(anthropic.Decoder) }, anthropic.Codec, &anthropic.Server, &anthropic.Marks, "message_stop"},
	{Gemini, func() decoder { return new(gemini.Decoder) }, gemini.Codec, &gemini.Server, &gemini.Marks, "a finish reason"},
	{Ollama, func() decoder { return new(ollama.Decoder) }, ollama.Codec, &ollama.Server, &ollama.Marks, `"done":true`},
}

// indexOf returns the row number of a wire, or -1 for Auto, Text and unknown names.
func indexOf(w Wire) int {
	return slices.IndexFunc(wires[:], func(row wire) bool { return row.name == w })
}

// rowOf returns the row of a wire, or nil for Auto, Text and unknown names.
func rowOf(w Wire) *wire {
	if i := indexOf(w); i >= 0 {
		return &wires[i]
	}
	return nil
}

// Wires returns the wires in a fixed order, without Auto and Text.
func Wires() []Wire {
	names := make([]Wire, len(wires))
	for i, w := range wires {
		names[i] = w.name
	}
	return names
}

// ParseWire returns the wire with this name; "" means Auto. The error for any other name
// lists the valid ones.
func ParseWire(name string) (Wire, error) {
	if name == "" {
		return Auto, nil
	}
	names := []string{string(Auto), string(Text)}
	for _, w := range wires {
		names = append(names, string(w.name))
	}
	if slices.Contains(names, name) {
		return Wire(name), nil
	}
	return "", fmt.Errorf("unknown wire format %q, want one of %s", name, strings.Join(names, ", "))
}

// decoder is implemented by the decoders of all wires.
type decoder interface {
	// Feed decodes an event and appends its deltas to dst.
	Feed(dst []toolcall.Delta, e frame.Event) ([]toolcall.Delta, error)
	// Close appends what was held back; no event follows.
	Close(dst []toolcall.Delta) []toolcall.Delta
	// Ended reports whether the protocol's end marker has come.
	Ended() bool
	// Meta returns what is known about the answer so far.
	Meta() chat.Meta
	// Faults lists what was left out of an answer.
	Faults() []chat.Loss
	// Mistyped returns the values of a wrong type in a whole answer that made Feed fail.
	Mistyped() []rawjson.Mistyped
	// Reset makes it ready for another response, as if it were new, but keeps memory.
	Reset()
}

// reader is a decoder with the memory for its deltas.
type reader struct {
	decoder
	deltas   []toolcall.Delta
	envelope envelope.Envelope // of the event whose wire is being checked
}

// spare holds the readers of streams that have ended, by the row of their wire. A stream gives
// its reader back only at its end, when callers keep nothing of it but strings.
var spare [len(wires)]sync.Pool

// borrow returns a reader for a wire, which must have a row.
func borrow(w Wire) *reader {
	at := indexOf(w)
	if r, ok := spare[at].Get().(*reader); ok {
		return r
	}
	return &reader{decoder: wires[at].decoder()}
}

// maxSpare is the number of deltas of one event after which a reader is not kept.
const maxSpare = 64

// giveBack makes a reader available to other streams of a wire.
func giveBack(r *reader, w Wire) {
	if cap(r.deltas) > maxSpare {
		return
	}
	clear(r.deltas[:cap(r.deltas)]) // which would keep their strings
	r.Reset()
	if r.envelope.Whole.Kind != rawjson.Absent {
		r.envelope = envelope.Envelope{} // which would keep the body
	}
	spare[indexOf(w)].Put(r)
}

// endMarker returns the name of the end of a stream.
func (w Wire) endMarker() string {
	if row := rowOf(w); row != nil {
		return row.end
	}
	return "its end"
}

// ServerOf returns how to speak a wire over HTTP.
func ServerOf(w Wire) (*chat.Server, error) {
	if row := rowOf(w); row != nil {
		return row.server, nil
	}
	return nil, fmt.Errorf("%q is not a wire format", w)
}

// Signer returns the wire whose provider made a signature that came on w, for
// [chat.Part.SignedBy]. That is w itself, except for the signature of a call on a wire
// whose provider makes none: there it is the wire whose provider does, because some
// servers pass its signatures on.
func Signer(w Wire, d toolcall.Delta) string {
	if d.Name == toolcall.SignsCall && !features.TraitsOf(string(w)).SignsCalls {
		if signers := features.WiresWith(func(t features.Traits) bool { return t.SignsCalls }); len(signers) > 0 {
			return signers[0]
		}
	}
	return string(w)
}
