package features

import (
	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/format/internal/rawjson"
)

// wire is what others than a wire's own package know of it. To add a wire is to
// add its package, and a row here and in the table of package format: no code
// compares a name with that of another wire, and a test says so.
type wire struct {
	name     string
	features map[Feature]Entry
	Traits

	// usual reports whether a member of its answers or requests has the value that
	// goes without saying; nil: none has.
	usual func(path, value string) bool

	// What its settings look like; see settings.go for where they stand.
	answer    answerForm
	grouped   bool     // grammars and schemas stand in an object of their own
	spellings bool     // names may be in camelCase or in snake_case
	apart     []string // the objects whose members stand apart in chat.Extras
	efforts   []string // the words that it has for an effort, of those in effort.go
	capitals  bool     // and writes in capitals
	thinking  thinkingForm
}

// Traits are what encoders go by where wires differ beside their features.
type Traits struct {
	// SignsCalls: its provider signs calls, and wants the signatures back.
	SignsCalls bool
	// PassesSignatures: its servers hand on the signatures that another provider
	// makes of calls.
	PassesSignatures bool
	// NamesInPieces: its servers may send the name of a call in several pieces.
	NamesInPieces bool
	// NeedsNoIDs: its calls need no ids.
	NeedsNoIDs bool
	// DetailFormat is what gateways call its reasoning in reasoning_details.
	DetailFormat string
	// PassedFormat is the path of the extra by which its streams tell the
	// DetailFormat of reasoning that they hand on.
	PassedFormat string
	// Prompt is the member of a request that holds what is asked.
	Prompt string
}

// answerForm is how a wire says what an answer must be; nil functions: not at all.
type answerForm struct {
	read  func(rawjson.Value) (answerFormat, bool)
	write func(answerFormat) ([]byte, bool)
	mime  bool // the type of an answer, and a schema in a form of its own, are settings apart
}

// thinkingForm is how a wire says how much a model may think, as a budget.
type thinkingForm struct {
	read  func(rawjson.Value) (budget int, ok bool)
	write func(budget int) (value, note string)
}

// wires are the rows. Nothing writes to them.
var wires = [...]*wire{&openai, &responses, &anthropic, &gemini, &ollama}

// wireOf returns the row of a wire; that of an unknown one is empty.
func wireOf(name string) *wire {
	for _, w := range wires {
		if w.name == name {
			return w
		}
	}
	return &wire{}
}

// TraitsOf returns the traits of a wire; an unknown one has none.
func TraitsOf(name string) Traits { return wireOf(name).Traits }

// WiresWith returns the names of the wires whose traits are such.
func WiresWith(is func(Traits) bool) (names []string) {
	for _, w := range wires {
		if is(w.Traits) {
			names = append(names, w.name)
		}
	}
	return names
}

// finishFeatures are the reasons that some wire has no word for.
var finishFeatures = map[chat.FinishReason]Feature{
	chat.FinishContentFilter: FinishFilter, chat.FinishRefusal: FinishRefusal, chat.FinishPause: FinishPause,
	chat.FinishError: FinishError, chat.FinishOther: FinishOther,
}

// FinishWords are a wire's words for the reasons by which an answer ends, each with the
// nearest that it has.
type FinishWords map[chat.FinishReason]string

// Of returns the word for a reason, with the feature that the wire lacks, if it lacks one;
// "" is no reason.
func (w FinishWords) Of(wire string, r chat.FinishReason) (word string, lacks Feature) {
	if e, _ := Of(wire, finishFeatures[r]); e.Outcome == Changed {
		lacks = finishFeatures[r]
	}
	return w[r], lacks
}
