// Package gemini reads and writes Gemini's generateContent and
// streamGenerateContent.
package gemini

import (
	"bytes"
	"iter"
	"slices"
	"strings"

	"github.com/toolparse/toolparse/internal/wire"
	"github.com/toolparse/toolparse/internal/wire/rawjson"
	"github.com/toolparse/toolparse/internal/wire/wireio"
)

// Wire is the name of the wire.
const Wire = "gemini"

// Codec reads and writes Gemini's generateContent; see [wire.Codec]. It reads the names
// of members in either spelling, systemInstruction or system_instruction, and writes the
// first.
//
// The URL of a request names the model and selects streaming. The body has no place for
// either, which is a loss.
var Codec = wireio.Codec[*reading, *writing]{
	NewReader: newReading, NewWriter: newWriting,
	ReadRequest: (*reading).request, ReadResponse: (*reading).response, ReadTools: (*reading).tools,
	WriteRequest: (*writing).request, WriteResponse: (*writing).response, WriteTools: (*writing).tools, WriteStream: newEncoder,
}

// The ids and names that Gemini accepts. Ids may have any characters.
var (
	idRule   = wire.Rule{AnyChars: true}
	nameRule = wire.Rule{Max: 128, OtherChars: "_.:-", FirstChars: "_"}
)

// reading reads a whole body.
type reading struct {
	wireio.Reader
	calls map[int]*streamedCall // streamed calls in the next list of parts, by the indices of their pieces
}

func newReading() *reading { return &reading{Reader: wireio.Reader{Wire: Wire, Spelling: camel}} }

// writing writes a whole body.
type writing struct {
	wireio.Writer
	answer    bool                // instead of a request
	native    bool                // the answer comes from a server of this wire
	model     string              // of the request; "" if unknown
	ownModel  bool                // a request of this wire named the model
	generated wireio.GeneratedIDs // ids that the wire does not need
}

func newWriting(opts wire.Options) *writing {
	return &writing{Writer: wireio.NewWriter(Wire, opts, idRule, nameRule), generated: wireio.GeneratedIDs{}}
}

// isBefore3 reports whether a model is known to be older than version 3. Such models read
// no media in results, and require no signatures.
func isBefore3(model string) bool {
	name := model[strings.LastIndexByte(model, '/')+1:]
	return strings.HasPrefix(name, "gemini-1") || strings.HasPrefix(name, "gemini-2")
}

// isClaude reports whether a model is Anthropic's, which the vendor only hosts.
func isClaude(model string) bool {
	return strings.HasPrefix(model[strings.LastIndexByte(model, '/')+1:], "claude")
}

// known are the names of several words that decoders read in answers.
var known = [...]string{
	"responseId", "modelVersion", inTime, inUsage, inFeedback, "blockReason", "finishReason", "finishMessage", "safetyRatings",
	"functionCall", "thoughtSignature", "partialArgs", "willContinue", "jsonPath", "stringValue", "numberValue", "boolValue", "nullValue",
	"promptTokenCount", "cachedContentTokenCount", "candidatesTokenCount", "thoughtsTokenCount", "totalTokenCount", toolUse,
}

// members yields the members of an object, with the known names in the spelling of the
// vendor's answers, because some clients and servers use underscores. Do not use it for
// an object that a model wrote.
func members(v rawjson.Value) iter.Seq2[[]byte, rawjson.Value] {
	return func(yield func([]byte, rawjson.Value) bool) {
		for key, member := range v.Fields() {
			if bytes.IndexByte(key, '_') > 0 {
				if name := camel(key); slices.Contains(known[:], name) || isPartKind(name) {
					key = []byte(name)
				}
			}
			if !yield(key, member) {
				return
			}
		}
	}
}

// camel returns the name of a field in the spelling of answers.
func camel(key []byte) string {
	first := -1
	for i, c := range key {
		if c == '_' && i > 0 {
			first = i
			break
		}
	}
	if first < 0 {
		return string(key)
	}
	out := append(make([]byte, 0, len(key)), key[:first]...)
	for i := first; i < len(key); i++ {
		c := key[i]
		if c == '_' && i+1 < len(key) && key[i+1] >= 'a' && key[i+1] <= 'z' {
			i++
			c = key[i] - 'a' + 'A'
		}
		out = append(out, c)
	}
	return string(out)
}
