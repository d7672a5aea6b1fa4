package format

import (
	"encoding/json"

	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/wire/features"
)

// Support says to what extent a wire supports something.
type Support uint8

// The degrees of support.
const (
	No     Support = iota
	Partly         // in part or in another form, or depending on the model or the server
	Yes
)

var supportNames = [...]string{"no", "partly", "yes"}

// String returns the degree in lower case.
func (s Support) String() string { return supportNames[min(int(s), len(supportNames)-1)] }

// Capabilities are what a wire format can express. Servers and models may support less,
// and many servers that imitate OpenAI's do.
type Capabilities struct {
	FunctionCalling Support // native calls
	ParallelCalls   Support // several calls in one answer, which a request can forbid
	Streaming       Support // of arguments, while the model writes them
	JSONMode        Support // an answer that is JSON, and fits a schema
	ToolChoice      Support // none, required, or one tool
}

// CapabilitiesOf returns the capabilities of a wire, from the table of what each wire
// carries. Auto and Text have none.
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

// AnswerFormat is the required format of an answer's text, such as response_format in
// Chat Completions and text.format in Responses.
type AnswerFormat struct {
	JSON   bool            // exactly one JSON value
	Schema json.RawMessage // schema of the value; nil means any
	// Unknown is the member of the request that requires some other format, or "".
	Unknown string
}

// TakeAnswerFormat returns the format that a request requires, in whichever wire it was
// read, and the extras without it. It is for callers that enforce the format themselves.
func TakeAnswerFormat(extras chat.Extras) (AnswerFormat, chat.Extras) {
	a, rest := features.TakeAnswer(extras)
	return AnswerFormat(a), rest
}
