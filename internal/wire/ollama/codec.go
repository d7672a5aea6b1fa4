// Package ollama reads and writes Ollama's /api/chat.
package ollama

import (
	"time"

	"github.com/toolparse/toolparse/internal/wire"
	"github.com/toolparse/toolparse/internal/wire/wireio"
)

// Wire is the name of the wire.
const Wire = "ollama"

// Codec reads and writes Ollama's chat; see [wire.Codec]. On this wire, streaming is the
// default for requests.
var Codec = wireio.Codec[*reading, *writing]{
	NewReader: newReading, NewWriter: newWriting,
	ReadRequest: (*reading).request, ReadResponse: (*reading).response, ReadTools: (*reading).tools,
	WriteRequest: (*writing).request, WriteResponse: (*writing).response, WriteTools: (*writing).tools, WriteStream: newEncoder,
}

// Ollama accepts any ids and names.
var anything = wire.Rule{AnyChars: true}

// reading reads a whole body.
type reading struct {
	wireio.Reader
}

func newReading() *reading { return &reading{Reader: wireio.Reader{Wire: Wire}} }

// writing writes a whole body.
type writing struct {
	wireio.Writer
	generated wireio.GeneratedIDs // ids that the wire does not need
	began     time.Time           // see wire.Options
}

func newWriting(opts wire.Options) *writing {
	return &writing{Writer: wireio.NewWriter(Wire, opts, anything, anything), generated: wireio.GeneratedIDs{}, began: opts.Began}
}

// isOutput reports whether a member of a line of /api/generate, which has no message, is
// what a message would contain.
func isOutput(key []byte) bool {
	switch string(key) {
	case "response", "thinking", "tool_calls":
		return true
	}
	return false
}

// inFunction is the object with the name and the other members of a tool or a call.
const inFunction = "function"

// The objects of a line, with which the paths of extras begin.
const (
	inLine         = ""
	inFraction     = "fraction" // in created_at: a time with fractions of a second
	inMessage      = "message"
	inCall         = inMessage + ".tool_calls[]"
	inCallFunction = inCall + "." + inFunction
)

// isExpressed reports whether deltas express a member of a line's object, so that it is not an
// extra. Neither are meaningless members: the role, which is always the model's; the time,
// except in the first line; "type":"function" of a call; null.
func isExpressed(in, name string) bool {
	switch in {
	case inLine:
		switch name {
		case "model", "created_at", "message", "done", "done_reason", "prompt_eval_count", "eval_count", "error":
			return true
		}
	case inMessage:
		switch name {
		case "role", "content", "thinking", "tool_calls":
			return true
		}
	case inCall:
		return name == "id" || name == inFunction
	case inCallFunction:
		return name == "index" || name == "name" || name == "arguments"
	}
	return false
}
