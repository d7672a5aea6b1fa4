package parser

import (
	"github.com/toolparse/toolparse/internal/dialect"
	"github.com/toolparse/toolparse/internal/native"
	"github.com/toolparse/toolparse/internal/schema"
	"github.com/toolparse/toolparse/toolcall"
)

// Options configure a Parser. The zero value is ready for use: native tool calls and
// reasoning tags, no declared tools, default limits.
type Options struct {
	// Dialects lists the dialects to look for in text; see [dialect.Named]. If there are several,
	// the stream uses the first one whose opener is certain. None means api_tool_call: text
	// is only text, except for reasoning tags.
	Dialects []*dialect.Dialect

	// Tools lists the declared tools. Their schemas give types to the values of tag
	// dialects. Syntaxes without a marker of their own call only these tools. If it is
	// empty, every name counts as known.
	Tools []toolcall.ToolDefinition
	// Schemas are the parameters of Tools by name, as [Compiled.Schemas] returns them. Nil
	// compiles them.
	Schemas map[string]*schema.Schema

	// IDPrefix is prepended to every segment id: "seg_1" becomes "turn_3:seg_1".
	IDPrefix string
	// RandomIDs generates ids of nine random alphanumerics, which every provider's wire
	// accepts (without an IDPrefix), instead of counting.
	RandomIDs bool

	// StartInReasoning: the prompt's template has opened the reasoning, so the stream
	// begins inside it.
	StartInReasoning bool
	// Prefill is the beginning of the answer that the prompt already contains: an opened
	// reasoning, the header of a message, the beginning of a forced call. It is parsed as
	// if the model had written it, but its text and reasoning are not emitted, and its
	// bytes are in no event's Raw. Its calls are emitted, with all of their arguments.
	Prefill string
	// Prompted: the prompt ended as the template of the models ends it, so that the
	// Written.Begun (or Written.Prompt) of the first of Dialects comes before Prefill.
	Prompted bool

	// CallsInReasoning: calls inside reasoning count, including reasoning that a provider's
	// wire separates: if Dialects write no calls in text, those of "auto" are used for it.
	// By default reasoning is only reasoning, except in dialects whose calls end it or may
	// occur in it.
	CallsInReasoning bool
	// CallsInCode: calls quoted in inline code or in a code fence count. By default they
	// are text.
	CallsInCode bool

	// Recover also looks in text and reasoning for the calls of all other dialects, but
	// only of declared tools. Models fall back to the syntax that they were trained on,
	// whatever the prompt says, and servers leave calls in either place.
	Recover bool

	// Special, if not nil, lists the byte ranges of the stream that were special tokens of
	// the model, in order, as reported by its tokenizer. A marker without any byte in these
	// ranges is text. Beginnings of calls without a marker are exempt. It is for one
	// stream; see [Compiled.WithSpecial].
	Special []toolcall.Range

	// Notes, if not nil, receives a [Note] for every candidate that did not become a call,
	// up to 1000 of them, in the order of the decisions.
	Notes *[]toolcall.Note

	// Strict makes every segment with a tolerance malformed, and makes Events check the
	// order of events.
	Strict bool

	// Choice is the candidate of the answer whose deltas are parsed. Others are ignored.
	Choice int

	Limits toolcall.Limits
}

// withDefaults returns limits with the default for every field that is not set.
func withDefaults(l toolcall.Limits) toolcall.Limits {
	def := func(v *int, d int) {
		if *v <= 0 {
			*v = d
		}
	}
	def(&l.CallBytes, native.MaxBytes)
	def(&l.HeldBytes, 4<<20)
	def(&l.BlankBytes, 64<<10)
	def(&l.Depth, native.MaxDepth)
	def(&l.Calls, native.MaxCalls)
	return l
}
