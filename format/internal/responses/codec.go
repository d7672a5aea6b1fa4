// Package responses reads and writes OpenAI Responses: requests, answers, tools
// and streams.
//
// The wire is a list of items. Items of the model that follow one another are
// one message of the canonical chat, each of its parts an item or, of a message
// item, one of its contents. What only the wire knows of an item stands with its
// part, so that the items come back as they were.
//
// # Extras of a stream
//
// What no other delta tells is a DeltaExtra, in its place before what it belongs
// to, or where it ends. It comes again only where it has changed. Its name is
//
//	response.service_tier          a member of the response, or of its usage, error, ...
//	output_text.delta.logprobs     a member of an event of that type
//	item.type, item.id, item.phase that an item begins; its members
//	item.content[].type            that a part of it begins
//	item.content[].annotations     a member of the part
//	item.content[].annotations[]   an annotation that came in an event
//	content[].output_audio         a whole part that is not known, with its event
//	output[].web_search_call       a whole item that is not known, with its event
//	call[].apply_patch_call        the same of one that a call tells of, too
//	event.web_search_call.searching  a whole event that is not known
//	item.content                   all parts, where they contradict their pieces
//
// The encoder divides what it writes into items and parts by them, and keeps
// their ids. The status of a call is the last that comes of it. Left out is what
// means nothing (extras.go lists it), and what is encrypted of an item before its
// end, which is provisional.
//
// # What is refused
//
// Pieces of a call that was not begun or is done, items and parts that are begun
// twice, or after pieces of them, and a response that is completed while an item
// is not done. A text may do without the start of its item, and any item without
// pieces: servers do so, and nothing is lost by it.
//
// # Memory
//
// Decoding a stream takes the memory of its largest event. Writing one takes that
// of the answer: response.completed must hold the whole output again, since the
// vendor's clients take it for the last word, and there is nothing to point back
// to what was sent. An answer of more than 256 MiB ends as one that failed.
package responses

import (
	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/format/internal/openai"
	"github.com/toolparse/toolparse/format/internal/wireio"
)

// Wire is the name of the wire.
const Wire = "responses"

// Codec reads and writes Responses; see chat.Codec.
type Codec struct{}

var _ chat.Codec = Codec{}

// Server is how Responses are spoken over HTTP.
var Server = chat.Server{
	Path: "/responses", Models: openai.Server.Models, Key: openai.Server.Key, StreamType: openai.Server.StreamType,
	EncodeError: openai.EncodeError, EncodeModels: openai.Server.EncodeModels, EncodeModel: openai.Server.EncodeModel, DecodeModels: openai.Server.DecodeModels,
}

// What OpenAI accepts. It takes any characters in an id.
var (
	idRule   = chat.Rule{Max: 64, AnyChars: true}
	nameRule = chat.Rule{Max: 64, OtherChars: "_-"}
)

// inItem is where the members of an item stand that is more than its part: a
// message around its content, or anything that is no message.
const inItem = "item"

// The names by which parts tell, as Spelling extras, how they stood in items.
const (
	nextItem    = "item"         // a text begins another message item than the text before it
	nextPart    = "part"         // reasoning belongs to the item of the reasoning before it
	asSummary   = "summary"      // reasoning is a summary,
	asContent   = "content"      // or it is the model's own words,
	asReference = "reasoning"    // or it is neither, and only the server knows it
	asRole      = "role"         // the role is the wire's own
	asString    = "input"        // the input of a request is a text
	asNoStream  = "stream"       // a request says that it wants no stream
	asNoTools   = "tools"        // the list of tools is there, and empty
	asPrompt    = "instructions" // a system message stands there
	asBare      = "file_data"    // a file has no data URL,
	asUnnamed   = "filename"     // or data, and no name
	asCustom    = "custom"       // a result is that of a custom tool
	asItemID    = "id"           // a result names the item of its call, and not the call
	asName      = "name"         // a result names its tool
	asHere      = "strict"       // a tool is strict, or not said to be, by the rules of this wire
)

// reading is what a whole body is read with.
type reading struct {
	wireio.Reader
	answer bool // and not a request

	cut    bool                   // the answer was cut, in the item that is read
	asked  map[string]*clientItem // the ids of calls that clientItems know
	byItem map[string]string      // their ids by those of their items
	served map[string]bool        // the ids of such calls that the server runs
}

func newReading() *reading {
	return &reading{
		Reader: wireio.Reader{Wire: Wire},
		asked:  map[string]*clientItem{}, byItem: map[string]string{}, served: map[string]bool{},
	}
}

// writing is what a whole body is written with.
type writing struct {
	wireio.Writer
	answer  bool                   // an answer is written, not a request
	seed    string                 // for the ids of the items of an answer
	items   int                    // how many such ids were made
	cut     bool                   // the answer was cut
	state   bool                   // the server knows more of the chat than what is written
	custom  map[string]bool        // the tools whose input is free text
	natives map[string]chat.Native // of the tools that have one
	calls   map[string]written     // the calls that were written, by their ids
}

func newWriting(opts chat.Options) *writing {
	return &writing{
		Writer: wireio.NewWriter(Wire, opts, idRule, nameRule),
		custom: map[string]bool{}, natives: map[string]chat.Native{}, calls: map[string]written{},
	}
}

// written is a call that was written: as what its result must answer it.
type written struct {
	answer string      // the type of its result
	name   string      // of a function, or a custom tool, as the wire calls it
	row    *clientItem // nil: a function, or a custom tool
	itemID string
}

// The types of results of functions, and of custom tools.
const (
	functionAnswer = "function_call_output"
	customAnswer   = "custom_tool_call_output"
)

// itemID makes the id of an item that has none. prefix tells its kind.
func itemID(prefix, seed string, n int) string {
	return prefix + chat.MakeID(seed, n, prefix)[len("call_"):]
}
