// Package ollama reads and writes Ollama's /api/chat.
package ollama

import (
	"strings"

	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/format/internal/wireio"
)

// Wire is the name of the wire.
const Wire = "ollama"

// Codec reads and writes Ollama's chat; see chat.Codec. Where a request does
// not say whether to stream, this wire streams.
type Codec struct{}

var _ chat.Codec = Codec{}

// Ollama takes any id and any name.
var anything = chat.Rule{AnyChars: true}

// reading is what a whole body is read with.
type reading struct {
	wireio.Reader
	answer bool // it is an answer, not a request
}

func newReading() *reading { return &reading{Reader: wireio.Reader{Wire: Wire}} }

// writing is what a whole body is written with.
type writing struct {
	wireio.Writer
	made wireio.GeneratedIDs // ids that the wire does not need
}

func newWriting(opts chat.Options) *writing {
	return &writing{Writer: wireio.NewWriter(Wire, opts, anything, anything), made: wireio.GeneratedIDs{}}
}

// The members of a line that deltas tell. All others are extras, but for those
// that mean nothing: the role, as an answer is the model's; the time of a line
// behind the first; "type":"function" of a call; null.
const (
	fieldModel   = "model"
	fieldCreated = "created_at"
	fieldMessage = "message"
	fieldDone    = "done"
	fieldReason  = "done_reason"
	fieldInput   = "prompt_eval_count"
	fieldOutput  = "eval_count"
	fieldError   = "error"

	fieldResponse = "response" // of /api/generate, in place of a message

	fieldRole     = "role"
	fieldContent  = "content"
	fieldThinking = "thinking"
	fieldCalls    = "tool_calls"

	fieldID        = "id"
	fieldType      = "type"
	fieldIndex     = "index"
	fieldName      = "name"
	fieldArguments = "arguments"
)

// isSaid reports whether a member of a line of /api/generate, which has no message,
// is what a message would hold.
func isSaid(key []byte) bool {
	switch string(key) {
	case fieldResponse, fieldThinking, fieldCalls:
		return true
	}
	return false
}

// inFunction is where a tool and a call say what they are.
const inFunction = "function"

// The objects of a line, as the paths of extras begin.
const (
	inLine         = ""
	inFraction     = "fraction" // in fieldCreated: the time, where it is not one of whole seconds
	inMessage      = fieldMessage
	inCall         = inMessage + "." + fieldCalls + "[]"
	inCallFunction = inCall + "." + inFunction
)

// splitPath returns the object that an extra belongs to, and its name there.
func splitPath(path string) (in, name string) {
	for _, in := range [...]string{inCallFunction, inCall, inMessage, fieldError, fieldCreated} {
		if name, ok := strings.CutPrefix(path, in+"."); ok {
			return in, name
		}
	}
	return inLine, path
}

// isTold reports whether deltas tell a member of a line's object, so that it is
// no extra, whatever a path says.
func isTold(in, name string) bool {
	switch in {
	case inLine:
		switch name {
		case fieldModel, fieldCreated, fieldMessage, fieldDone, fieldReason, fieldInput, fieldOutput, fieldError:
			return true
		}
	case inMessage:
		switch name {
		case fieldRole, fieldContent, fieldThinking, fieldCalls:
			return true
		}
	case inCall:
		return name == fieldID || name == inFunction
	case inCallFunction:
		return name == fieldIndex || name == fieldName || name == fieldArguments
	}
	return false
}
