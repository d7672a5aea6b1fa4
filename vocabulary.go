package toolparse

import (
	"github.com/toolparse/toolparse/format"
	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/manifest"
	"github.com/toolparse/toolparse/internal/toolfile"
	"github.com/toolparse/toolparse/toolcall"
)

// Aliases of the types that all packages share.
type (
	// ToolDefinition is a tool that a model may call.
	ToolDefinition = toolcall.ToolDefinition
	// ToolInvocation is one call that a model made. Check Runnable before running it.
	ToolInvocation = toolcall.ToolInvocation
	// Event is one step in the life of a segment.
	Event = toolcall.Event
	// SegmentType says what a run of output is: text, reasoning, a call.
	SegmentType = toolcall.SegmentType
	// Status says how a segment ended.
	Status = toolcall.Status
	// Limits bound what hostile input can make a stream hold or emit.
	Limits = toolcall.Limits
	// Range is a range of bytes in a text.
	Range = toolcall.Range
	// Note explains why a part of the text is not a call, or names the dialect that
	// would read it as one.
	Note = toolcall.Note
	// Usage counts the tokens of an answer.
	Usage = chat.Usage
	// Finish says why an answer ended.
	Finish = chat.Finish
	// Request is a request to a model, independent of the wire format.
	Request = chat.Request
	// Message is one turn of a conversation.
	Message = chat.Message
	// Loss describes something that a wire format or a dialect cannot express.
	Loss = chat.Loss
	// Wire names a provider's wire format.
	Wire = format.Wire
)

// The wire formats. Auto detects the format of a body. Text is a model's plain text,
// without a wire format.
const (
	Auto      = format.Auto
	Text      = format.Text
	OpenAI    = format.OpenAI
	Responses = format.Responses
	Anthropic = format.Anthropic
	Gemini    = format.Gemini
	Ollama    = format.Ollama
)

// The event types, and the segment types that all dialects share.
const (
	SegmentStart   = toolcall.SegmentStart
	SegmentContent = toolcall.SegmentContent
	SegmentEnd     = toolcall.SegmentEnd

	SegmentText      = toolcall.SegmentText
	SegmentReasoning = toolcall.SegmentReasoning
	SegmentRefusal   = toolcall.SegmentRefusal
	SegmentToolCall  = toolcall.SegmentToolCall
	SegmentWriteFile = toolcall.SegmentWriteFile
	SegmentEditFile  = toolcall.SegmentEditFile
	SegmentRunBash   = toolcall.SegmentRunBash
)

// The ways in which a segment ends.
const (
	Complete   = toolcall.Complete
	Incomplete = toolcall.Incomplete
	Malformed  = toolcall.Malformed
	Rejected   = toolcall.Rejected
)

// Tool returns the definition of a tool whose parameters are the fields of the struct
// T, named as encoding/json names them. The tag jsonschema:"..." describes a field.
// Tool fails if T is not a struct or the like, or JSON cannot express it.
func Tool[T any](name, description string) (ToolDefinition, error) {
	return manifest.Infer[T](name, description)
}

// ReadTools reads a list of tools in the form of any provider or of MCP. If an element
// is not a tool definition, the error gives its place in the list. [ReadToolList] also
// returns warnings and the tools that the provider runs.
func ReadTools(list []byte) ([]ToolDefinition, error) {
	tools, err := ReadToolList(list)
	return tools.Tools, err
}

// ToolList is the content of a list of tools.
type ToolList struct {
	Tools []ToolDefinition
	// Hosted names the tools that the provider defines and runs itself, such as
	// web_search. They are not in Tools, because the client has nothing to run.
	Hosted []string
	// Warnings report likely misspellings, such as "requierd" in a schema. The tools
	// are read all the same, but a misspelt schema keyword has no effect.
	Warnings []string
}

// ReadToolList reads a list of tools as [ReadTools] does, and returns all that it
// holds.
func ReadToolList(list []byte) (ToolList, error) {
	read, err := toolfile.ParseList(list)
	tools := ToolList{Tools: read.Definitions(), Hosted: read.Hosted}
	for _, w := range read.Warnings {
		tools.Warnings = append(tools.Warnings, w.Text)
	}
	return tools, err
}
