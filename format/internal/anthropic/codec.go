// Package anthropic reads and writes Anthropic Messages.
package anthropic

import (
	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/format/internal/wireio"
)

// Wire is the name of the wire.
const Wire = "anthropic"

// Codec reads and writes Anthropic Messages; see chat.Codec.
//
// max_tokens is mandatory there: a request without a limit gets one of 4096, and
// a loss that says so.
type Codec struct{}

var _ chat.Codec = Codec{}

// defaultMaxTokens is the limit of a request that has none. Every model that
// the vendor offers accepts it.
const defaultMaxTokens = 4096

// What Anthropic accepts.
var (
	idRule   = chat.Rule{OtherChars: "_-"}
	nameRule = chat.Rule{Max: 128, OtherChars: "_-"}
)

// reading is what a whole body is read with.
type reading struct {
	wireio.Reader
	answer bool // and not a request
}

func newReading() *reading { return &reading{Reader: wireio.Reader{Wire: Wire}} }

// writing is what a whole body is written with.
type writing struct {
	wireio.Writer
	answer bool // it is an answer, not a request
}

func newWriting(opts chat.Options) *writing {
	return &writing{Writer: wireio.NewWriter(Wire, opts, idRule, nameRule)}
}
