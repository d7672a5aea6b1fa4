// Package gemini reads and writes Gemini's generateContent and
// streamGenerateContent.
package gemini

import (
	"bytes"
	"iter"
	"slices"
	"strings"

	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/format/internal/rawjson"
	"github.com/toolparse/toolparse/format/internal/wireio"
)

// Wire is the name of the wire.
const Wire = "gemini"

// Codec reads and writes Gemini's generateContent; see chat.Codec. Requests are
// read with the names of their fields in either spelling, systemInstruction or
// system_instruction, and written in the first.
//
// The URL of a request names its model, and says whether to stream: what
// belongs there is a loss of the body.
type Codec struct{ reads chat.RequestOptions }

// With implements [chat.Codec].
func (c Codec) With(o chat.RequestOptions) chat.Codec {
	c.reads = o
	return c
}

var _ chat.Codec = Codec{}

// What Gemini accepts. It takes any characters in an id.
var (
	idRule   = chat.Rule{AnyChars: true}
	nameRule = chat.Rule{Max: 128, OtherChars: "_.:-", FirstChars: "_"}
)

// reading is what a whole body is read with.
type reading struct {
	wireio.Reader
	calls map[int]*streamedCall // those of the parts that are read next, by the places of their pieces
}

func newReading() *reading { return &reading{Reader: wireio.Reader{Wire: Wire, Spelling: camel}} }

// writing is what a whole body is written with.
type writing struct {
	wireio.Writer
	answer bool   // it is an answer, not a request
	own    bool   // that a server of this wire gave
	model  string // that a request is for, where it is known
	// ownModel: the request named it on this wire.
	ownModel bool
	made     wireio.GeneratedIDs // ids that the wire does not need
}

func newWriting(opts chat.Options) *writing {
	return &writing{Writer: wireio.NewWriter(Wire, opts, idRule, nameRule), made: wireio.GeneratedIDs{}}
}

// isBefore3 reports whether a model is known to be older than version 3: those
// read no media in results, and do not ask for signatures.
func isBefore3(model string) bool {
	name := model[strings.LastIndexByte(model, '/')+1:]
	return strings.HasPrefix(name, "gemini-1") || strings.HasPrefix(name, "gemini-2")
}

// isClaude reports whether a model is one of another provider, that the vendor
// only hosts.
func isClaude(model string) bool {
	return strings.HasPrefix(model[strings.LastIndexByte(model, '/')+1:], "claude")
}

// known are the members of answers that are read and have names of several words.
var known = [...]string{
	"responseId", "modelVersion", inTime, inUsage, inFeedback, "blockReason", "finishReason", "finishMessage", "safetyRatings",
	"functionCall", "thoughtSignature", "partialArgs", "willContinue", "jsonPath", "stringValue", "numberValue", "boolValue", "nullValue",
	"promptTokenCount", "cachedContentTokenCount", "candidatesTokenCount", "thoughtsTokenCount", "totalTokenCount", toolUse,
}

// members yields the members of an object with the known names in the spelling of
// the vendor's answers: some clients, and some servers, spell them with underscores.
// It is not for what a model wrote.
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
