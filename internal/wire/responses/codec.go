// Package responses reads and writes OpenAI Responses: requests, answers, tools and
// streams.
//
// The wire is a list of items. Successive items of the model are one message of the
// canonical chat. Each of its parts is an item or, in a message item, one of its
// contents. Members of an item that only this wire has are kept with its part, so that
// the items come back unchanged.
//
// # Extras of a stream
//
// Members that no other delta expresses are a DeltaExtra, before what they belong to, or
// at its end. It is repeated only if the value changes. Its name is one of these:
//
//	response.service_tier          a member of the response, or of its usage, error, ...
//	output_text.delta.logprobs     a member of an event of that type
//	item.type, item.id, item.phase an item begins; its members
//	item.content[].type            a part of it begins
//	item.content[].annotations     a member of the part
//	item.content[].annotations[]   an annotation that came in an event
//	content[].output_audio         a whole part of an unknown type, with its event
//	output[].web_search_call       a whole item of an unknown type, with its event
//	call[].apply_patch_call        the same for an item that is a call, too
//	event.web_search_call.searching  a whole event of an unknown type
//	item.content                   all parts, if they contradict their pieces
//
// The encoder of this wire writes them back, except the last of these, parts of an unknown
// type, and members of events other than errors and the end: these are reported.
//
// They tell the encoder where items and parts begin, and their ids. The status of a call
// is its last delta. Meaningless members are left out (extras.go lists them), and so is
// encrypted content before the end of its item, which is provisional.
//
// # Errors
//
// These are errors: pieces of a call that has not begun or is done; an item that begins
// after its pieces; a call that is repeated differently; and a response that completes
// while a call is not done. A text may lack the start of its item, and an item its pieces,
// and the start or end of items and parts may be repeated, because some servers send
// streams like that without loss.
//
// # Memory
//
// Decoding a stream takes the memory of its largest event. Writing one takes that of the
// answer, because response.completed must contain the whole output again: the vendor's
// clients use that. An answer of more than 256 MiB ends as a failed one.
package responses

import (
	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/wire"
	"github.com/toolparse/toolparse/internal/wire/openai"
	"github.com/toolparse/toolparse/internal/wire/wireio"
)

// Wire is the name of the wire.
const Wire = "responses"

// Codec reads and writes Responses; see wire.Codec.
var Codec = wireio.Codec[*reading, *writing]{
	NewReader: newReading, NewWriter: newWriting,
	ReadRequest: (*reading).request, ReadResponse: (*reading).response, ReadTools: (*reading).tools,
	WriteRequest: (*writing).request, WriteResponse: (*writing).response, WriteTools: (*writing).tools, WriteStream: newEncoder,
}

// Server describes Responses over HTTP.
var Server = wire.Server{
	Base: openai.Server.Base, Path: "/responses", Models: openai.Server.Models,
	KeyName: openai.Server.KeyName, Key: openai.Server.Key, StreamType: openai.Server.StreamType,
	EncodeError: openai.EncodeError, EncodeModels: openai.Server.EncodeModels, EncodeModel: openai.Server.EncodeModel, DecodeModels: openai.Server.DecodeModels,
	// Store nothing on the server, and return the encrypted reasoning instead.
	Extras: chat.Extras{{Wire: Wire, Name: "store", Value: []byte("false")}, {Wire: Wire, Name: "include", Value: []byte(`["reasoning.encrypted_content"]`)}},
}

// The ids and names that OpenAI accepts. Ids may have any characters.
var (
	idRule   = wire.Rule{Max: 64, AnyChars: true}
	nameRule = wire.Rule{Max: 64, OtherChars: "_-"}
)

// inItem is the path of the members of an item that is more than its part: of a message,
// besides its content, or of anything that is not a message.
const inItem = "item"

// Names with which parts record, as extras with Spelling, their form in items.
const (
	nextItem    = "item"         // a text begins another message item
	nextPart    = "part"         // reasoning belongs to the item of the reasoning before it
	asSummary   = "summary"      // reasoning is a summary,
	asContent   = "content"      // or the model's own words,
	asReference = "reasoning"    // or neither, and only the server knows it
	asRole      = "role"         // the role exists only on this wire
	asString    = "input"        // the input of a request is a text
	asNoStream  = "stream"       // a request disables streaming explicitly
	asNoTools   = "tools"        // the list of tools exists, and is empty
	asPrompt    = "instructions" // the member with a system message
	asBare      = "file_data"    // a file has no data URL,
	asUnnamed   = "filename"     // or has data but no name
	asCustom    = "custom"       // a result is that of a custom tool
	asItemID    = "id"           // a result refers to the item of its call instead of the call
	asName      = "name"         // a result names its tool
	asHere      = "strict"       // whether a tool is strict follows this wire's rules
)

// reading reads a whole body.
type reading struct {
	wireio.Reader

	cut    bool                   // the answer was cut in the current item
	asked  map[string]*clientItem // by the id of a call
	byItem map[string]string      // ids of these calls, by the ids of their items
	served map[string]bool        // ids of such calls that the server runs
}

func newReading() *reading {
	return &reading{
		Reader: wireio.Reader{Wire: Wire},
		asked:  map[string]*clientItem{}, byItem: map[string]string{}, served: map[string]bool{},
	}
}

// writing writes a whole body.
type writing struct {
	wireio.Writer
	answer bool                 // instead of a request
	seed   string               // for the ids of an answer's items
	items  int                  // number of such ids
	cut    bool                 // the answer was cut
	state  bool                 // the server knows parts of the chat that are not written
	listed map[string]chat.Tool // tools that were written, by name
	calls  map[string]written   // likewise, by id
}

func newWriting(opts wire.Options) *writing {
	return &writing{
		Writer: wireio.NewWriter(Wire, opts, idRule, nameRule),
		listed: map[string]chat.Tool{}, calls: map[string]written{},
	}
}

// written is a call that was written, in the form in which its result must refer to it.
type written struct {
	answer string      // the type of its result
	name   string      // the wire's name of a function or a custom tool
	row    *clientItem // nil for a function or a custom tool
	itemID string
}

// The types of the results of functions and custom tools.
const (
	functionAnswer = "function_call_output"
	customAnswer   = "custom_tool_call_output"
)

// itemID returns an id for an item that has none. prefix depends on the item's type.
func itemID(prefix, seed string, n int) string {
	return prefix + wire.MakeID(seed, n, prefix)[len("call_"):]
}
