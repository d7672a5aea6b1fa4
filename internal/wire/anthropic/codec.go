// Package anthropic reads and writes Anthropic Messages.
package anthropic

import (
	"github.com/toolparse/toolparse/internal/wire"
	"github.com/toolparse/toolparse/internal/wire/wireio"
)

// Wire is the name of the wire.
const Wire = "anthropic"

// Codec reads and writes Anthropic Messages; see [wire.Codec].
//
// max_tokens is mandatory on this wire: a request without a limit gets 4096, and a loss
// says so.
var Codec = wireio.Codec[*reading, *writing]{
	NewReader: newReading, NewWriter: newWriting,
	ReadRequest: (*reading).request, ReadResponse: (*reading).response, ReadTools: (*reading).tools,
	WriteRequest: (*writing).request, WriteResponse: (*writing).response, WriteTools: (*writing).tools, WriteStream: newEncoder,
}

// defaultMaxTokens is the limit for requests without one. Every model of the vendor
// accepts it.
const defaultMaxTokens = 4096

// The ids and names that Anthropic accepts.
var (
	idRule   = wire.Rule{OtherChars: "_-"}
	nameRule = wire.Rule{Max: 128, OtherChars: "_-"}
)

// reading reads a whole body.
type reading struct {
	wireio.Reader
	loading loading
}

func newReading() *reading { return &reading{Reader: wireio.Reader{Wire: Wire}} }

// writing writes a whole body.
type writing struct {
	wireio.Writer
	answer bool // instead of a request
	thinks int  // tokens for thinking, in addition to those of the answer
}

func newWriting(opts wire.Options) *writing {
	return &writing{Writer: wireio.NewWriter(Wire, opts, idRule, nameRule)}
}
