// Package openai reads and writes OpenAI Chat Completions, in the form of OpenAI and of
// the many servers that imitate it.
package openai

import (
	"github.com/toolparse/toolparse/internal/wire"
	"github.com/toolparse/toolparse/internal/wire/wireio"
)

// Wire is the name of the wire.
const Wire = "openai"

// Codec reads and writes Chat Completions; see wire.Codec.
var Codec = wireio.Codec[*reading, *writing]{
	NewReader: newReading, NewWriter: newWriting,
	ReadRequest: (*reading).request, ReadResponse: (*reading).response, ReadTools: (*reading).tools,
	WriteRequest: (*writing).request, WriteResponse: (*writing).response, WriteTools: (*writing).tools, WriteStream: newEncoder,
}

// The ids and names that OpenAI accepts. Ids may have any characters.
var (
	idRule   = wire.Rule{Max: 40, AnyChars: true}
	nameRule = wire.Rule{Max: 64, OtherChars: "_-"}
)

// reading reads a whole body.
type reading struct{ wireio.Reader }

func newReading() *reading { return &reading{Reader: wireio.Reader{Wire: Wire}} }

// writing writes a whole body.
type writing struct {
	wireio.Writer
	custom map[string]bool // tools whose input is free text
	called map[string]bool // ids of the calls that were written
	joins  bool            // the content of a message is one string, or null
}

func newWriting(opts wire.Options) *writing {
	return &writing{Writer: wireio.NewWriter(Wire, opts, idRule, nameRule), custom: map[string]bool{}, called: map[string]bool{}}
}
