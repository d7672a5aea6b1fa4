package format

import (
	"encoding/json"

	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/format/internal/features"
)

// Support tells how far a wire can do something.
type Support uint8

// The degrees of support.
const (
	No     Support = iota
	Partly         // some of it, or in another shape; the model or the server decides
	Yes
)

var supportNames = [...]string{"no", "partly", "yes"}

// String returns the degree in lower case.
func (s Support) String() string { return supportNames[min(int(s), len(supportNames)-1)] }

// Capabilities are what a wire has words for. Whether a server and its model keep
// to them is theirs: many that are like OpenAI's take less.
type Capabilities struct {
	FunctionCalling Support // native calls
	ParallelCalls   Support // several calls in one answer, which can be switched
	Streaming       Support // of arguments, while they are written
	JSONMode        Support // an answer that is JSON, of a schema
	ToolChoice      Support // none, required, or one tool
}

// CapabilitiesOf returns what a wire can do, by the table of what each wire
// carries. A wire that cannot be written can do nothing.
func CapabilitiesOf(w Wire) Capabilities {
	if _, err := CodecOf(w); err != nil {
		return Capabilities{}
	}
	of := func(needed ...features.Feature) Support {
		least := Yes
		for _, f := range needed {
			if e, _ := features.Of(string(w), f); e.Outcome != features.Carried {
				least = Partly
			}
		}
		return least
	}
	c := Capabilities{
		FunctionCalling: Yes,
		ParallelCalls:   of(features.ParallelCalls),
		Streaming:       of(features.StreamedArguments),
		ToolChoice:      of(features.ChoiceNone, features.ChoiceRequired, features.ChoiceOne),
	}
	if features.HasAnswerSchema(string(w)) {
		c.JSONMode = Yes
	}
	return c
}

// AnswerFormat is what the text of an answer must be: response_format of Chat
// Completions, text.format of Responses, and their like.
type AnswerFormat struct {
	JSON   bool            // one JSON value, and nothing else
	Schema json.RawMessage // which the value must fit; nil for any
	// Unknown is the member of the request that asks for something else; "" for none.
	Unknown string
}

// TakeAnswerFormat returns the form that a request asks for, in whatever wire it was
// read, and its extras without that: for a caller who sees to the form in another way.
func TakeAnswerFormat(extras chat.Extras) (AnswerFormat, chat.Extras) {
	a, rest := features.TakeAnswer(extras)
	return AnswerFormat(a), rest
}
