// Package all lists the wires, which nothing else names: how each is recognised, read,
// written and spoken over HTTP.
package all

import (
	"fmt"
	"slices"
	"strings"

	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/wire"
	"github.com/toolparse/toolparse/internal/wire/anthropic"
	"github.com/toolparse/toolparse/internal/wire/envelope"
	"github.com/toolparse/toolparse/internal/wire/frame"
	"github.com/toolparse/toolparse/internal/wire/gemini"
	"github.com/toolparse/toolparse/internal/wire/ollama"
	"github.com/toolparse/toolparse/internal/wire/openai"
	"github.com/toolparse/toolparse/internal/wire/rawjson"
	"github.com/toolparse/toolparse/internal/wire/responses"
	"github.com/toolparse/toolparse/toolcall"
)

// Names in the place of a wire's that are no wires.
const (
	Auto = "auto" // detect the wire
	Text = "text" // no wire: plain text
)

// Wire is all that there is to a wire.
type Wire struct {
	Name       string
	NewDecoder func() Decoder
	Codec      wire.Codec
	Server     *wire.Server
	Marks      *envelope.Marks
	End        string // name of the end of a stream
}

// Wires are the wires, in a fixed order. The table is read-only.
var Wires = [...]Wire{
	{openai.Wire, func() Decoder { return new(openai.Decoder) }, openai.Codec, &openai.Server, &openai.Marks, "[DONE] or a finish reason"},
	{responses.Wire, func() Decoder { return new(responses.Decoder) }, responses.Codec, &responses.Server, &responses.Marks, "response.completed"},
	{anthropic.Wire, func() Decoder { return new(anthropic.Decoder) }, anthropic.Codec, &anthropic.Server, &anthropic.Marks, "message_stop"},
	{gemini.Wire, func() Decoder { return new(gemini.Decoder) }, gemini.Codec, &gemini.Server, &gemini.Marks, "a finish reason"},
	{ollama.Wire, func() Decoder { return new(ollama.Decoder) }, ollama.Codec, &ollama.Server, &ollama.Marks, `"done":true`},
}

// Decoder reads the events of a stream, or the body of a whole answer.
type Decoder interface {
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

// IndexOf returns the index of a wire in [Wires], or -1 for Auto, Text and unknown names.
func IndexOf(name string) int {
	return slices.IndexFunc(Wires[:], func(w Wire) bool { return w.Name == name })
}

// Check returns an error that lists the valid names if name is neither a wire's nor Auto
// nor Text.
func Check(name string) error {
	if name == Auto || name == Text || IndexOf(name) >= 0 {
		return nil
	}
	names := []string{Auto, Text}
	for _, w := range Wires {
		names = append(names, w.Name)
	}
	return fmt.Errorf("unknown wire format %q, want one of %s", name, strings.Join(names, ", "))
}

// Of returns a wire. It returns an error for Auto, Text and unknown names.
func Of[Name ~string](name Name) (*Wire, error) {
	if at := IndexOf(string(name)); at >= 0 {
		return &Wires[at], nil
	}
	if err := Check(string(name)); err != nil {
		return nil, err
	}
	return nil, fmt.Errorf("%q is not a wire format", name)
}

// CodecOf returns the codec of a wire. It returns an error for Auto, Text and unknown
// names.
func CodecOf[Name ~string](name Name) (wire.Codec, error) {
	w, err := Of(name)
	if err != nil {
		return nil, err
	}
	return w.Codec, nil
}

// ServerOf returns how to speak a wire over HTTP. It returns an error for Auto, Text and
// unknown names.
func ServerOf[Name ~string](name Name) (*wire.Server, error) {
	w, err := Of(name)
	if err != nil {
		return nil, err
	}
	return w.Server, nil
}
