package wireio

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/format/internal/features"
	"github.com/toolparse/toolparse/format/internal/frame"
	"github.com/toolparse/toolparse/format/internal/normalize"
	"github.com/toolparse/toolparse/format/internal/rawjson"
	"github.com/toolparse/toolparse/format/internal/unknown"
)

// Reader reads one body of a wire. Wrong types do not stop it: they are the
// error in the end.
type Reader struct {
	rawjson.Reader
	Texts rawjson.Texts
	Wire  string
	// Spelling returns the name of a member as the wire's own clients spell it; nil is
	// for wires with one spelling.
	Spelling func(key []byte) string

	faults []chat.Loss        // what is wrong in a whole answer
	whole  *chat.Call         // the last call whose arguments show whether they are all
	tools  map[string]toolKey // by the one name that each has; see ToolName
}

// Body checks a body, which has to be UTF-8, and returns the value that it is.
func (r *Reader) Body(body []byte) (rawjson.Value, error) {
	v, err := r.Open(frame.Event{Framing: frame.JSON, Number: 1, Data: body})
	if err == nil && !utf8.Valid(body) {
		err = &frame.SyntaxError{Event: 1, Offset: int64(rawjson.ValidText(body)), Err: rawjson.ErrNotText}
	}
	return v, r.named(err)
}

// Answer is as Body, for an answer, of which it leaves out what is of another type
// than t says.
func (r *Reader) Answer(body []byte, t *Type) (rawjson.Value, error) {
	v, err := r.Body(body)
	if err != nil {
		return v, err
	}
	return r.OpenAnswer(frame.Event{Framing: frame.JSON, Number: 1, Data: body}, v, t), nil
}

// Failure returns the first thing that was wrong since Body, or nil.
func (r *Reader) Failure() error { return r.named(r.Err()) }

// named names the wire in a syntax error.
func (r *Reader) named(err error) error {
	if bad, ok := err.(*frame.SyntaxError); ok {
		bad.Wire = r.Wire
	}
	return err
}

// Missing makes it the failure that a value, or a member of it, is not there
// though it must be.
func (r *Reader) Missing(v rawjson.Value, path ...string) { r.Fail(v, ErrMissing, path...) }

// ErrMissing says so.
var ErrMissing = errors.New("it is missing")

// List returns the array that a whole body must be.
func (r *Reader) List(v rawjson.Value, path ...string) rawjson.Value {
	if !v.IsSet() {
		r.Missing(v, path...)
	}
	return r.Array(v, path...)
}

// Text decodes a string; null and absence are "".
func (r *Reader) Text(v rawjson.Value, path ...string) string {
	return r.Texts.Whole(r.String(v, path...))
}

// TextList decodes a list of strings.
func (r *Reader) TextList(v rawjson.Value, path string) (texts []string) {
	for item := range r.Array(v, path).Items() {
		texts = append(texts, r.Text(item, path, "[]"))
	}
	return texts
}

// Content reads a content: a text, or a list of parts. A part that is not ok has
// nothing in it.
func (r *Reader) Content(v rawjson.Value, path string, read func(v rawjson.Value, path string) (part chat.Part, ok bool)) []chat.Part {
	if v.Kind != rawjson.Array {
		if text := r.Text(v, path); text != "" {
			return []chat.Part{chat.TextPart(text)}
		}
		return nil
	}
	var parts []chat.Part
	for item := range v.Items() {
		if part, ok := read(r.Object(item, path, "[]"), path+"[]"); ok {
			parts = append(parts, part)
		}
	}
	return parts
}

// CallArguments reads the arguments of a call that are a text, or an object.
func (r *Reader) CallArguments(call *chat.Call, v rawjson.Value) {
	if call.Arguments = r.Texts.WholeArguments(v); !IsEmptyArguments(v) {
		r.NoteComplete(call)
	}
}

// IsEmptyArguments reports whether arguments say nothing, and so do not show whether they are all.
func IsEmptyArguments(v rawjson.Value) bool {
	if v.IsZero() || v.Kind != rawjson.String {
		return v.IsZero()
	}
	object, _, ok := normalize.Object(string(v.Raw))
	return ok && object == ""
}

// CallObject reads the arguments of a call that are an object, and that stand empty
// until there are any.
func (r *Reader) CallObject(call *chat.Call, v rawjson.Value) {
	if call.Arguments = r.ObjectArguments(v); call.Arguments != "" && call.Arguments != "{}" {
		r.NoteComplete(call)
	}
}

// NoteComplete notes that a call was read that tells itself whether it is whole.
func (r *Reader) NoteComplete(call *chat.Call) { r.whole = call }

// NoteCut notes that an answer was cut. It marks the last call, where its arguments do
// not show whether they are all: those of a call without any, which was cut before
// they began, and the text of a custom tool.
func (r *Reader) NoteCut(parts []chat.Part) {
	for _, p := range slices.Backward(parts) {
		if p.Kind == chat.PartCall {
			if p.Call == r.whole {
				return
			}
			if p.Call.Cut = true; !p.Call.Custom {
				p.Call.Arguments = ""
			}
			return
		}
	}
}

// Keeper returns a keeper for the extras of one object.
func (r *Reader) Keeper() unknown.Keeper { return unknown.Keeper{Wire: r.Wire} }

// Finish reads a finish reason of the wire; no word is no reason.
func (r *Reader) Finish(word string) chat.Finish {
	if word == "" {
		return chat.Finish{}
	}
	return chat.ReadFinish(r.Wire, word)
}

// belongs names the wires whose requests hold the prompt in a member, "" for none.
func belongs(member string) string {
	wires := features.WiresWith(func(t features.Traits) bool { return t.Prompt == member })
	switch last := len(wires) - 1; {
	case last < 0:
		return ""
	case last == 0:
		return member + " belongs to " + wires[0]
	default:
		return member + " belongs to " + strings.Join(wires[:last], ", ") + " or " + wires[last]
	}
}

// RequirePrompt fails unless a request has the member that holds the prompt, or one
// of those that some clients send in its place. A request that has only the member of
// another wire is likely to be that wire's, and the error says so.
func (r *Reader) RequirePrompt(request rawjson.Value, member string, instead ...string) {
	found, other := false, ""
	for key, v := range request.Fields() {
		switch {
		case !v.IsSet():
		case string(key) == member:
			return
		case unknown.IsOneOf(instead, key):
			found = true
		default:
			if whose := belongs(string(key)); whose != "" {
				other = whose
			}
		}
	}
	switch {
	case other != "":
		r.Fail(request, fmt.Errorf("%w, and %s", ErrMissing, other), member)
	case !found:
		r.Missing(request, member)
	}
}
