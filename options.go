package toolparse

import (
	"github.com/toolparse/toolparse/dialect"
)

// Options configure a [Kit]. The zero value reads any provider's stream or body, and
// plain text in any dialect that has markers of its own.
type Options struct {
	// Tools are the tools that the model may call. Their schemas give types to the
	// values of dialects that write only text, and validate the arguments. A call of
	// any other tool is marked Unknown. Without Tools every name counts as known and
	// nothing is validated; [Answer.Notes] says so.
	Tools []ToolDefinition

	// Dialect says how the model writes calls in its text: the name or alias of a
	// dialect, "auto", or "json" for the JSON form that the wire's provider teaches.
	// If Dialect, Model and Custom are all unset, text that comes on a wire is not
	// searched for calls, and plain text is searched as with "auto".
	Dialect string
	// Model selects the dialect by the id or the file name of a model, such as
	// "qwen3-coder:30b".
	Model string
	// Custom is a dialect of your own; see [dialect.Read].
	Custom *dialect.Dialect

	// Wire is the wire format of the input. "" means Auto.
	Wire Wire

	// Choice selects one of several candidate answers, from 0.
	Choice int

	// Strict makes a call malformed if reading it needed a tolerance.
	Strict bool
	// Coerce converts values to the types in the tool's schema if the conversion
	// loses nothing.
	Coerce bool
	// Recover also searches text for calls of Tools in all other dialects.
	Recover bool
	// StartInReasoning says that the answer begins inside reasoning, because the
	// prompt's template opened it.
	StartInReasoning bool
	// CallsInReasoning makes calls inside reasoning count.
	CallsInReasoning bool
	// CallsInCode makes calls in inline code and code fences count.
	CallsInCode bool
	// Prefill is the beginning of the answer that the prompt already contained. It is
	// parsed, but no event contains it.
	Prefill string
	// Prompted says that the prompt ended as the template of the dialect's models ends it,
	// such as with "<think>". The column written.begun of the dialect says how; it comes before
	// Prefill. It needs Dialect, Model or Custom.
	Prompted bool

	// IDPrefix begins every segment id. Give each answer of a conversation its own.
	IDPrefix string
	// RandomIDs makes ids of nine random alphanumerics, which every wire accepts.
	RandomIDs bool

	// Spans fills [Answer.Spans] for plain text.
	Spans bool

	// NoMessage leaves [Answer.Message] empty, which saves its copies of the arguments.
	NoMessage bool

	// Syntaxes build the calls of your own segment types.
	Syntaxes map[SegmentType]Syntax

	// Share is a kit whose memory of recent prompts this one shares. A kit remembers what
	// [Kit.Prompt] and [Kit.Request] wrote, up to some megabytes, so that the next request of
	// a conversation only writes what is new in it.
	Share *Kit

	Limits Limits
	// MaxEventBytes bounds one event of a wire stream. 0 means 32 MiB.
	MaxEventBytes int
}

// Syntax says how the segments of one type become calls. A segment whose start names the
// parameter of its content, as those of a dialect's own tags do, needs one only if its tool
// has another name, or its arguments are more than the metadata and the content.
type Syntax struct {
	Tool string // name of the tool; "" means the name in the event

	// Build returns the arguments of a call, given its segment's metadata, with numbers as
	// json.Number, and its content. The result must encode as one JSON object; a
	// json.RawMessage is used as it is. An error makes the call malformed and becomes a
	// problem for the model. Build also gets the part of an incomplete call that arrived; an
	// error then only means that the call's Arguments are the bare content. The metadata is
	// that of the segment's start and end, merged, and Build may change it. Nil means the
	// metadata and the content.
	Build func(metadata map[string]any, content string) (any, error)
}
