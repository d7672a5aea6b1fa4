package features

import (
	"encoding/json"

	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/wire/rawjson"
	"github.com/toolparse/toolparse/internal/wire/schemaform"
	"github.com/toolparse/toolparse/toolcall"
)

// row is what the packages of other wires know about a wire. To add a wire, add its
// package, a row here, and one in the table of package all. No code compares the name
// of a wire, which a test checks.
type row struct {
	name     string
	features map[Feature]Entry
	Traits

	// isDefault reports whether a member of an answer or request has its default value; nil
	// means that no member has one.
	isDefault func(path, value string) bool

	// The forms of its settings; settings.go has their paths.
	answer    answerForm
	grouped   bool     // an inner object contains grammars and schemas
	spellings bool     // names may be in camelCase or snake_case
	apart     []string // objects whose members are separate entries in chat.Extras
	efforts   []string // the words for an effort that it has, of those in effort.go
	capitals  bool     // writes them in capitals
	thinking  thinkingForm
}

// Traits are further differences between wires that encoders depend on.
type Traits struct {
	// SignsCalls means that its provider signs calls, and requires the signatures back.
	SignsCalls bool
	// PassesSignatures means that its servers pass on another provider's signatures of
	// calls.
	PassesSignatures bool
	// NamesInPieces means that its servers may send the name of a call in several pieces.
	NamesInPieces bool
	// NeedsNoIDs means that calls need no ids.
	NeedsNoIDs bool
	// DetailFormat is the name that gateways give its reasoning in reasoning_details.
	DetailFormat string
	// PassedFormat is the path of the extra with the DetailFormat of reasoning that its
	// streams pass on.
	PassedFormat string
	// Files is the provider that stores files for requests. Wires of one provider have the
	// same ids.
	Files string
	// Prompt is the member of a request that contains the prompt.
	Prompt string
}

// answerForm is how a wire specifies the format of an answer. The functions are nil if it
// cannot.
type answerForm struct {
	read  func(rawjson.Value) (answerFormat, bool)
	write func(answerFormat) ([]byte, bool)
	// rules rewrite a schema that the wire does not support as it is; nil if it supports all.
	rules func(json.RawMessage) (json.RawMessage, []schemaform.Change, bool)
	mime  bool // the type of an answer, and a schema in another form, are separate settings
}

// thinkingForm is how a wire specifies the amount of thinking, as a budget.
type thinkingForm struct {
	read  func(rawjson.Value) (budget int, ok bool)
	write func(budget int) (value, note string)
}

// wires are the rows. The table is read-only.
var wires = [...]*row{&openai, &responses, &anthropic, &gemini, &ollama}

// wireOf returns the row of a wire, or an empty one.
func wireOf(name string) *row {
	for _, w := range wires {
		if w.name == name {
			return w
		}
	}
	return &row{}
}

// TraitsOf returns the traits of a wire; an unknown wire has none.
func TraitsOf(name string) Traits { return wireOf(name).Traits }

// WiresWith returns the names of the wires whose traits satisfy a condition.
func WiresWith(is func(Traits) bool) (names []string) {
	for _, w := range wires {
		if is(w.Traits) {
			names = append(names, w.name)
		}
	}
	return names
}

// finishFeatures maps reasons that some wire has no word for to their feature.
var finishFeatures = map[chat.FinishReason]Feature{
	chat.FinishContentFilter: FinishFilter, chat.FinishRefusal: FinishRefusal, chat.FinishPause: FinishPause,
	chat.FinishError: FinishError, chat.FinishOther: FinishOther,
}

// FinishWords are a wire's words for finish reasons, each the nearest that it has.
type FinishWords map[chat.FinishReason]string

// Of returns the word for a reason. It reports, once for each field, a reason that the
// wire has no word for. FinishUnset has the word "".
func (w FinishWords) Of(l *Log, field string, f chat.Finish) (word string) {
	lacks := finishFeatures[f.Reason]
	if e, _ := Of(l.Wire, lacks); e.Outcome == Changed {
		l.Finish(lacks, field, f)
	}
	return w[f.Reason]
}

// Signer returns the wire whose provider made a signature that came on a wire, for
// chat.Part.SignedBy. That is the wire itself, except for the signature of a call on a wire
// whose provider makes none: there it is the wire whose provider does, because some
// servers pass its signatures on.
func Signer(wire string, d toolcall.Delta) string {
	if d.Name == toolcall.SignsCall && !TraitsOf(wire).SignsCalls {
		if signers := WiresWith(func(t Traits) bool { return t.SignsCalls }); len(signers) > 0 {
			return signers[0]
		}
	}
	return wire
}
