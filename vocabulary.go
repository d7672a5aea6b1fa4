package toolparse

import (
	"github.com/toolparse/toolparse/format"
	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/parser"

	"github.com/toolparse/toolparse/toolcall"
)

// The words that all packages share.
type (
	// ToolDefinition is a tool that a model may call.
	ToolDefinition = toolcall.ToolDefinition
	// ToolInvocation is one call that a model asked for. Ask Runnable before running it.
	ToolInvocation = toolcall.ToolInvocation
	// Event is one step in the life of a segment.
	Event = toolcall.Event
	// SegmentType is the meaning of a run of output.
	SegmentType = toolcall.SegmentType
	// Status is how a segment ended.
	Status = toolcall.Status
	// Limits bound what hostile input can make a stream hold or emit.
	Limits = parser.Limits
	// Note says of a part of the text why it is no call, or which dialect would read it.
	Note = parser.Note
	// Usage counts the tokens of an answer.
	Usage = chat.Usage
	// Finish is why an answer ended.
	Finish = chat.Finish
	// Request is what a caller asks of a model, whatever the wire format.
	Request = chat.Request
	// Loss is what a wire format or a dialect cannot express.
	Loss = chat.Loss
	// Wire names a provider's wire format.
	Wire = format.Wire
)

// The wire formats. Auto finds out which one a body is in, Text is what a model
// wrote, without any.
const (
	Auto      = format.Auto
	Text      = format.Text
	OpenAI    = format.OpenAI
	Responses = format.Responses
	Anthropic = format.Anthropic
	Gemini    = format.Gemini
	Ollama    = format.Ollama
)

// The types of event, and the types of segment that every dialect shares.
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
