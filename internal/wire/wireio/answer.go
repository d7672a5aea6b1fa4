package wireio

import (
	"slices"

	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/native"
	"github.com/toolparse/toolparse/internal/wire"
	"github.com/toolparse/toolparse/internal/wire/features"
	"github.com/toolparse/toolparse/internal/wire/rawjson"
	"github.com/toolparse/toolparse/toolcall"
)

// Answer returns an answer without the calls that a client might run although package
// parser would not: calls without a name, calls in which the answer was cut, and calls
// whose arguments exceed the limits or are not an object. Arguments that are not JSON
// stay on wires where they are a text, because no client can run them. A choice with such
// a call finishes as a truncated one.
func (w *Writer) Answer(res *wire.Response, objects bool) *wire.Response {
	copied := *res
	copied.Choices = slices.Clone(res.Choices)
	for i, choice := range res.Choices {
		parts, broken := w.runnable(choice, copied.Wire == w.wire, At("choices", i)+".message.parts", objects)
		choice.Message.Parts = parts
		if broken && !wire.IsCut(choice.Finish.Reason) {
			choice.Finish = chat.Finish{Reason: chat.FinishLength}
		}
		if choice.Finish.Reason == chat.FinishUnset && copied.Wire != "" { // as at the end of a stream without a reason
			choice.Finish = wire.WithCalls(chat.Finish{Reason: chat.FinishStop}, choice.Message.HasCalls())
		}
		copied.Choices[i] = choice
	}
	return &copied
}

// nothing replaces a part that is left out, so that the other parts keep their indices.
var nothing = chat.TextPart("")

// runnable returns the parts of a choice without such calls. broken reports that one of
// them had broken arguments.
func (w *Writer) runnable(choice wire.Choice, same bool, field string, objects bool) (parts []chat.Part, broken bool) {
	last := -1 // the call in which the answer was cut
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
		arguments, repaired, whole := native.Object(p.Call.Arguments)
		isCut := p.Call.Cut || i == last && whole && arguments == "" && wire.IsCut(choice.Finish.Reason) // before the arguments began
		switch {
		case native.IsNameless(p.Call.Name):
			w.Log.Add(features.NamelessCall, At(field, i))
			p = nothing
		case p.Call.Cut && same && !hasMorePieces(choice.Message.Parts[i+1:]):
			// The finish reason is written unchanged; without one, the answer must not
			// look complete.
			broken = broken || choice.Finish.Reason == chat.FinishUnset
		case isCut:
			broken = true
			w.Log.Add(features.BrokenArguments, At(field, i)+".call.arguments", "the answer was cut in the call, which is left out")
			p = nothing
		case !whole && (objects || isObject(p.Call.Arguments)):
			broken = true
			w.Log.Add(features.BrokenArguments, At(field, i)+".call.arguments", "the call is left out, and the answer ends as truncated")
			p = nothing
		case !whole && same: // unchanged
		case !whole:
			broken = true
			if !wire.IsCut(choice.Finish.Reason) {
				w.Log.Add(features.BrokenArguments, At(field, i)+".call.arguments", "written as they are, and the answer is as one that was cut")
			}
		case arguments != p.Call.Arguments && (objects || repaired&^toolcall.StringArguments != 0):
			if repaired != 0 {
				w.Log.Add(features.RepairedArguments, At(field, i)+".call.arguments")
			}
			call := *p.Call
			call.Arguments = arguments
			p.Call = &call
		}
		parts = append(parts, p)
	}
	return parts, broken
}

// hasMorePieces reports whether the call before these parts has further pieces. Without a
// name, those are left out, and the rest of the call could look complete.
func hasMorePieces(parts []chat.Part) bool {
	i := slices.IndexFunc(parts, func(p chat.Part) bool { return p.Kind == chat.PartCall && p.Call != nil })
	return i >= 0 && native.IsNameless(parts[i].Call.Name)
}

// isObject reports whether arguments are an object, of any size and depth.
func isObject(arguments string) bool {
	v, err := rawjson.Parse(arguments)
	return err == nil && v.Kind == rawjson.Object
}

// invalidJSON is the member for arguments that are not JSON, on wires where arguments
// must be an object. Anthropic documents it.
const invalidJSON = "INVALID_JSON"

// ObjectArguments reads arguments that are an object. It unwraps text that is not JSON.
func (r *Reader) ObjectArguments(v rawjson.Value) string {
	if name, wrapped, ok := v.Only(); ok && name == invalidJSON && wrapped.Kind == rawjson.String {
		if text := r.Texts.Whole(wrapped); !IsJSON(text) {
			return text
		}
	}
	return r.Texts.WholeArguments(v)
}

// ObjectArguments writes the arguments in a field as an object, and wraps anything else
// in one.
func (w *Writer) ObjectArguments(arguments, field string) {
	v, err := rawjson.Parse(arguments)
	switch {
	case err != nil:
		w.Log.Add(features.BrokenArguments, field)
		w.Object()
		w.KeyString(invalidJSON, arguments)
		w.EndObject()
	case v.Kind == rawjson.Absent:
		w.Raw([]byte("{}"))
	case v.Kind != rawjson.Object:
		w.Log.Add(features.NotObject, field)
		w.Object()
		w.Member("input", v.JSON())
		w.EndObject()
	default:
		w.Raw(v.Raw)
	}
}

// IsJSON reports whether a text is one JSON value, or blank.
func IsJSON(text string) bool {
	_, err := rawjson.Parse(text)
	return err == nil
}
