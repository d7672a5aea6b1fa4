package codec

import (
	"slices"
	"strings"

	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/format/internal/carry"
	"github.com/toolparse/toolparse/format/internal/payload"
)

// Answer returns an answer without those calls that somebody might run though they are
// none: calls without a name, and, where the wire has arguments as objects, those whose
// arguments are none. A choice that loses such a call ends as one that was cut.
func (w *Writer) Answer(res *chat.Response, objects bool) *chat.Response {
	own := *res
	own.Choices = slices.Clone(res.Choices)
	for i, choice := range res.Choices {
		parts, broken := w.runnable(choice, At("choices", i)+".message.parts", objects)
		choice.Message.Parts = parts
		if broken && !choice.Finish.Reason.IsCut() {
			choice.Finish = chat.Finish{Reason: chat.FinishLength}
		}
		own.Choices[i] = choice
	}
	return &own
}

// nothing stands in the place of what is left out, so that the others keep theirs.
var nothing = chat.TextPart("")

// runnable returns the parts of a choice without such calls. Broken tells that one was
// left out whose arguments are no object.
func (w *Writer) runnable(choice chat.Choice, field string, objects bool) (parts []chat.Part, broken bool) {
	last := -1 // the call that a cut went through
	for i, p := range choice.Message.Parts {
		if p.Kind == chat.PartCall {
			last = i
		}
	}
	parts = make([]chat.Part, 0, len(choice.Message.Parts))
	for i, p := range choice.Message.Parts {
		if p.Kind != chat.PartCall || p.Call == nil {
			parts = append(parts, p)
			continue
		}
		arguments, whole := Object(p.Call.Arguments)
		isCut := i == last && p.Call.Arguments == "" && choice.Finish.Reason.IsCut() // before they began
		switch {
		case p.Call.Name == "":
			w.Log.Add(carry.NamelessCall, At(field, i))
			p = nothing
		case isCut || !whole && objects:
			broken = true
			w.Log.Add(carry.BrokenArguments, At(field, i)+".call.arguments", "the call is left out, and the answer is as one that was cut")
			p = nothing
		case whole && arguments != p.Call.Arguments && objects:
			call := *p.Call
			call.Arguments = arguments
			p.Call = &call
		}
		parts = append(parts, p)
	}
	return parts, broken
}

// Object returns the object that arguments are, as package parser reads them: blanks
// and null are an object without members, which is returned as "", and a string may
// hold the object.
func Object(arguments string) (object string, ok bool) {
	v, err := parse(arguments)
	if err == nil && v.Kind == payload.String {
		var texts payload.Texts
		arguments = texts.Whole(v)
		v, err = parse(arguments)
	}
	switch {
	case err != nil:
		return arguments, false
	case v.Kind <= payload.Null:
		return "", true
	}
	return strings.TrimSpace(arguments), v.Kind == payload.Object
}
