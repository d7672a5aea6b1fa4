// Package openai reads OpenAI Chat Completions, as OpenAI and the many servers
// that follow it write them.
package openai

import (
	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/format/internal/wireio"
)

// Wire is the name of the wire.
const Wire = "openai"

// Codec reads and writes Chat Completions; see chat.Codec.
type Codec struct{}

var _ chat.Codec = Codec{}

// What OpenAI accepts. It takes any characters in an id.
var (
	idRule   = chat.Rule{Max: 40, AnyChars: true}
	nameRule = chat.Rule{Max: 64, OtherChars: "_-"}
)

// reading is what a whole body is read with.
type reading struct {
	wireio.Reader
	flat bool // there was a call without the member function
}

func newReading() *reading { return &reading{Reader: wireio.Reader{Wire: Wire}} }

// writing is what a whole body is written with.
type writing struct {
	wireio.Writer
	custom map[string]bool // the tools whose input is free text
	called map[string]bool // the ids of the calls that were written
	joins  bool            // a message's content is one string or null
}

func newWriting(opts chat.Options) *writing {
	return &writing{Writer: wireio.NewWriter(Wire, opts, idRule, nameRule), custom: map[string]bool{}, called: map[string]bool{}}
}
