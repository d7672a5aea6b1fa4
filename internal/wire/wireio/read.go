package wireio

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/native"
	"github.com/toolparse/toolparse/internal/wire"
	"github.com/toolparse/toolparse/internal/wire/features"
	"github.com/toolparse/toolparse/internal/wire/frame"
	"github.com/toolparse/toolparse/internal/wire/rawjson"
	"github.com/toolparse/toolparse/internal/wire/unknown"
)

// Reader reads one body of a wire. It continues after values of a wrong type, and reports
// the first one at the end.
type Reader struct {
	rawjson.Reader
	Texts rawjson.Texts
	Wire  string
	// Spelling returns the name of a member in the spelling of the wire's own clients;
	// nil for wires with one spelling.
	Spelling func(key []byte) string
	// IsAnswer means that the body is a whole answer, and neither a request nor an event of
	// a stream.
	IsAnswer bool
	bodyState
}

// bodyState is a Reader without its memory and what belongs to the wire.
type bodyState struct {
	faults []chat.Loss        // what is wrong in a whole answer
	whole  *chat.Call         // the last call whose arguments show whether they are complete
	tools  map[string]toolKey // by unique name; see ToolName
	listed map[string]toolKey // likewise, of the request's own list; read-only
	memory *wire.ToolMemory   // nil remembers nothing
	known  knownTools
}

// Reset makes r ready for another body of the wire, and keeps memory.
func (r *Reader) Reset() {
	r.Reader.Reset()
	r.Texts.Reset()
	r.IsAnswer, r.bodyState = false, bodyState{}
}

// minBatched is the size from which a body has many texts.
const minBatched = 4 << 10

// Body checks a body, which must be UTF-8, and returns its value.
func (r *Reader) Body(body []byte) (rawjson.Value, error) {
	if len(body) >= minBatched {
		r.Texts.Batch()
	}
	v, err := r.Open(frame.Event{Framing: frame.JSON, Number: 1, Data: body})
	if err == nil && !utf8.Valid(body) {
		err = &frame.SyntaxError{Event: 1, Offset: int64(rawjson.ValidText(body)), Err: rawjson.ErrNotText}
	}
	return v, r.named(err)
}

// RequestBody is Body for a request.
func (r *Reader) RequestBody(body []byte, o wire.RequestOptions) (rawjson.Value, error) {
	if o.MaxValues > 0 && rawjson.HasMoreValues(body, o.MaxValues) {
		return rawjson.Value{}, &frame.SyntaxError{Wire: r.Wire, Event: 1, Err: fmt.Errorf("%w: more than %d", wire.ErrTooManyValues, o.MaxValues)}
	}
	r.memory = o.Tools
	if v, ok := r.bodyWithKnownTools(body); ok {
		return v, nil
	}
	return r.Body(body)
}

// Failure returns the first error since Body, or nil.
func (r *Reader) Failure() error { return r.known.inBody(r.named(r.Err())) }

// named adds the wire to a syntax error.
func (r *Reader) named(err error) error {
	if bad, ok := err.(*frame.SyntaxError); ok {
		bad.Wire = r.Wire
	}
	return err
}

// Missing reports that a required value, or a member of it, is missing.
func (r *Reader) Missing(v rawjson.Value, path ...string) { r.Fail(v, ErrMissing, path...) }

// ErrMissing means that a required value is missing.
var ErrMissing = errors.New("it is missing")

var errTime = errors.New("not a time in seconds")

// Time reads a time in seconds since 1970, without its fraction, which few servers send.
func (r *Reader) Time(v rawjson.Value, path ...string) int64 {
	seconds, ok := timeOf(v)
	if !ok {
		r.mistyped(v, errTime, path...)
	}
	return seconds
}

const maxTime = 1 << 53

func timeOf(v rawjson.Value) (seconds int64, ok bool) {
	if n, ok := v.Int(); ok || !v.IsSet() {
		return int64(n), true
	}
	f, err := strconv.ParseFloat(string(v.Raw), 64)
	if err != nil || v.Kind != rawjson.Number || f < -maxTime || f > maxTime {
		return 0, false
	}
	return int64(f), true
}

// List returns the array that a whole body must be.
func (r *Reader) List(v rawjson.Value, path ...string) rawjson.Value {
	if !v.IsSet() {
		r.Missing(v, path...)
	}
	return r.Array(v, path...)
}

// Text decodes a string; "" for null and absence.
func (r *Reader) Text(v rawjson.Value, path ...string) string {
	return r.Texts.Whole(r.String(v, path...))
}

// Label returns a value that is a string, or a number instead of one, as in the ids of some
// servers.
func (r *Reader) Label(v rawjson.Value, path ...string) rawjson.Value {
	if v.Kind == rawjson.Number {
		v.Kind = rawjson.String
	}
	return r.String(v, path...)
}

// TextList decodes a list of strings.
func (r *Reader) TextList(v rawjson.Value, path string) (texts []string) {
	for item := range r.Array(v, path).Items() {
		texts = append(texts, r.Text(item, path, "[]"))
	}
	return texts
}

// Stop reads stop sequences: a list of strings, or one string. ok is false for other values.
func (r *Reader) Stop(v rawjson.Value) (stop []string, ok bool) {
	if v.Kind == rawjson.String {
		return []string{r.Texts.Whole(v)}, true
	}
	for s := range v.Items() {
		if s.Kind != rawjson.String {
			return nil, false
		}
		stop = append(stop, r.Texts.Whole(s))
	}
	return stop, v.Kind == rawjson.Array
}

// Content reads content that is a text or a list of parts. It leaves out parts that are
// not ok.
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

// CallArguments reads the arguments of a call that are a text or an object.
func (r *Reader) CallArguments(call *chat.Call, v rawjson.Value) {
	if call.Arguments = r.Texts.WholeArguments(v); !IsEmptyArguments(v) {
		r.NoteComplete(call)
	}
}

// IsEmptyArguments reports whether arguments are empty, so that they do not show whether
// they are complete.
func IsEmptyArguments(v rawjson.Value) bool {
	switch {
	case v.Kind == rawjson.String && FirstByte(v.Raw) == '{': // as nearly always
		return false
	case v.IsZero() || v.Kind != rawjson.String:
		return v.IsZero()
	}
	object, _, ok := native.Object(string(v.Raw))
	return ok && object == ""
}

// CallObject reads the arguments of a call on wires where they are an object, which is
// empty until there are any.
func (r *Reader) CallObject(call *chat.Call, v rawjson.Value) {
	if call.Arguments = r.ObjectArguments(v); call.Arguments != "" && call.Arguments != "{}" {
		r.NoteComplete(call)
	}
}

// NoteComplete records the last call whose arguments show that they are complete.
func (r *Reader) NoteComplete(call *chat.Call) { r.whole = call }

// NoteCut records that an answer was cut. It marks the last call if its arguments do not
// show whether they are complete: a call without any, which may have been cut before they
// began, and the text of a custom tool.
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

// Extra returns a member as the only extra of an object.
func (r *Reader) Extra(name string, v rawjson.Value) chat.Extras {
	return chat.Extras{{Wire: r.Wire, Name: name, Value: v.JSON()}}
}

// Spelled returns the extras of an object that only record a name.
func (r *Reader) Spelled(name string) chat.Extras {
	return chat.Extras{{Wire: r.Wire, Name: name, Spelling: true}}
}

// OtherPart returns a part that the canonical chat cannot express.
func (r *Reader) OtherPart(v rawjson.Value) chat.Part {
	return chat.Part{Kind: chat.PartOther, Extras: r.Others(v, "")}
}

// Finish reads a finish reason of the wire; "" is none.
func (r *Reader) Finish(word string) chat.Finish {
	if word == "" {
		return chat.Finish{}
	}
	return wire.ReadFinish(r.Wire, word)
}

// Error reads a provider's error, or nil for none, and keeps its other members as those of
// the object in.
func (r *Reader) Error(v rawjson.Value, in string, keep *unknown.Keeper) *wire.Error {
	if !v.IsSet() {
		return nil
	}
	d := r.Texts.Error(v)
	for key, member := range r.Texts.ErrorRest(v) {
		keep.Keep(in, key, member)
	}
	return &wire.Error{Code: d.Name, Message: d.Text}
}

// belongs names the wires whose requests have the prompt in this member, or "".
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

// RequirePrompt fails unless a request has the member with the prompt, or one that some
// clients send instead. If the request has the member of another wire instead, the error
// says so.
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
