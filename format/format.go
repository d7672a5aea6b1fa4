// Package format reads what providers send: framing, wire formats, deltas.
package format

import (
	"io"
	"iter"

	"github.com/toolparse/toolparse"
)

// Wire names a provider's format.
type Wire string

// The wires.
const (
	Auto      Wire = "auto" // sniff
	Text      Wire = "text" // no wire: plain text
	OpenAI    Wire = "openai"
	Responses Wire = "responses"
	Anthropic Wire = "anthropic"
	Gemini    Wire = "gemini"
	Ollama    Wire = "ollama"
)

// Options configure a Stream.
type Options struct {
	Wire          Wire // "" means Auto
	MaxEventBytes int  // of one event; default 32 MiB
	ChunkBytes    int  // of one read; default 4096
}

// Stream decodes one response body.
type Stream struct{}

// NewStream returns a stream over r. It reads nothing before it is asked.
func NewStream(r io.Reader, opts Options) *Stream { return &Stream{} }

// Wire tells the wire of the stream: the one asked for, or the one that was
// sniffed, for which it reads as much of the input as it needs.
func (s *Stream) Wire() (Wire, error) { return "", nil }

// Deltas decodes the stream. The iterator is lazy and single-use; an error
// comes last, after every delta that could be decoded.
func (s *Stream) Deltas() iter.Seq2[toolparse.Delta, error] { return nil }
