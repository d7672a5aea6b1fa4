package openai

import (
	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/wire"
	"github.com/toolparse/toolparse/internal/wire/rawjson"
	"github.com/toolparse/toolparse/internal/wire/wireio"
	"github.com/toolparse/toolparse/toolcall"
)

// failureOf returns the error in an event or a body, wherever servers put it. named means
// that the event's name says that it is an error.
func failureOf(root rawjson.Value, f *fields, named bool) rawjson.Value {
	switch {
	case !f.failure.IsZero(), f.failure.IsSet() && !f.choices.IsSet():
		return f.failure
	case f.object.Is("error"), named:
		return root
	case !f.choices.IsSet() && f.detail.IsSet():
		return f.detail
	}
	return rawjson.Value{}
}

// inBase is the object in which MiniMax reports errors, next to empty choices.
const inBase = "base_resp"

// baseFailure returns the error in base_resp. ok reports whether there is one: a code of 0
// means success.
func baseFailure(t *rawjson.Texts, base rawjson.Value) (e toolcall.Delta, ok bool) {
	code, said := base.Get("status_code"), base.Get("status_msg")
	if code.Kind != rawjson.Number || string(code.Raw) == "0" || said.Kind != rawjson.String {
		return e, false
	}
	return toolcall.Delta{Kind: toolcall.DeltaError, Name: t.Name(code), Text: t.Whole(said)}, true
}

// errorRest passes to keep the members of an error besides its message and code, and the
// name of the code, if a writer would choose another. An error without a message is kept
// as a whole, as its message.
func errorRest(v rawjson.Value, keep keepFunc) {
	if text := v.Get("message"); text.Kind != rawjson.String || len(text.Raw) == 0 {
		return
	}
	code, value := rawjson.CodeOf(v)
	for key, m := range v.Fields() {
		switch name := string(key); {
		case name == "message", name == "object" && m.Is("error"):
		case name != code || !value.IsSet():
			keep(inError, key, m)
		case name != "code" || isNumber(string(m.Raw)) && m.Kind == rawjson.String:
			keep(inError, key, nameOnly)
		}
	}
}

// isNumber reports whether servers write a code as a number.
func isNumber(code string) bool {
	for i := range len(code) {
		if code[i] < '0' || code[i] > '9' || code[0] == '0' {
			return false
		}
	}
	return code != ""
}

// failure writes an error as an object. sameWire means that it is of this wire, so that
// nothing is made up.
func (w *writing) failure(e wire.Error, x chat.Extras, sameWire bool) {
	w.Object()
	w.KeyString("message", e.Message)
	at := "code"
	for _, name := range [...]string{"status", "type"} {
		if wire.UsesName(x, Wire, inError+"."+name) {
			at = name
		}
	}
	for _, name := range [...]string{"status", "type"} {
		if x.Get(Wire, inError, at) != nil { // another member has that name
			at = name
		}
	}
	if !sameWire || e.Code == wireio.StreamError {
		w.Text("type", wireio.ErrorOf(0, e.Code).OpenAI)
	}
	switch {
	case e.Code == "" || e.Code == wireio.StreamError:
	case isNumber(e.Code) && at == "code" && !wire.UsesName(x, Wire, inError+".code"):
		w.Member(at, []byte(e.Code))
	default:
		w.Text(at, e.Code)
	}
	w.EndWith(x, inError)
}
