package ollama

import (
	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/format/internal/codec"
)

// Wire is the name of the wire.
const Wire = "ollama"

// Codec reads and writes Ollama's chat; see chat.Codec. Where a request does
// not say whether to stream, this wire streams.
type Codec struct{}

var _ chat.Codec = Codec{}

// Ollama takes any id and any name.
var anything = chat.Rule{Any: true}

// reading is what a whole body is read with.
type reading struct{ codec.Reader }

func newReading() *reading { return &reading{codec.Reader{Wire: Wire}} }

// writing is what a whole body is written with.
type writing struct {
	codec.Writer
	made codec.Made // ids of calls that the wire need not be told
}

func newWriting(opts chat.Options) *writing {
	return &writing{Writer: codec.NewWriter(Wire, opts, anything, anything), made: codec.Made{}}
}
