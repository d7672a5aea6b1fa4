package gemini

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/wire"
	"github.com/toolparse/toolparse/internal/wire/rawjson"
	"github.com/toolparse/toolparse/internal/wire/unknown"
	"github.com/toolparse/toolparse/internal/wire/wireio"
	"github.com/toolparse/toolparse/toolcall"
)

var (
	errManyStreaming = errors.New("too many candidates stream calls at once")
	errNumber        = errors.New("no number")
	errPieces        = errors.New("willContinue or partialArgs is of a wrong type")
)

// callFields are the members of a functionCall.
type callFields struct {
	id, name, args, partial rawjson.Value
	more                    bool
}

// call decodes a functionCall with its extras. It returns the call's id, if the piece has
// one.
func (d *Decoder) call(dst []toolcall.Delta, v rawjson.Value, choice int) (string, []toolcall.Delta) {
	var f callFields
	others := false
	if d.IsAnswer && !hasSoundPieces(v) {
		d.FailType(v, errPieces, callPath)
		return "", dst
	}
	d.Each(v, callPath, func([]byte, rawjson.Value) { others = true }, "id", wireio.TextMember(&f.id), "name", wireio.TextMember(&f.name),
		"args", func(args rawjson.Value) {
			if args.IsSet() {
				f.args = args // with another type, only the call is malformed
			}
		},
		"partialArgs", wireio.ListMember(&f.partial), "willContinue", &f.more)
	if d.Err() != nil {
		return "", dst // malformed input must neither become a call that runs, nor complete one
	}
	id, dst := d.piece(dst, v, f, choice)
	if others {
		for key, member := range members(v) {
			switch string(key) {
			case "id", "name", "args", "partialArgs", "willContinue":
			default:
				dst = unknown.Add(dst, choice, toolcall.NoIndex, callPath, key, member)
			}
		}
	}
	return id, dst
}

// hasSoundPieces reports whether the members that say whether a call is complete have the
// right types. Without one of these, the call could look complete.
func hasSoundPieces(call rawjson.Value) bool {
	for key, v := range members(call) {
		name := string(key)
		if v.IsSet() && (name == "willContinue" && v.Kind != rawjson.Bool || name == "partialArgs" && v.Kind != rawjson.Array) {
			return false
		}
		if name != "partialArgs" {
			continue
		}
		for piece := range v.Items() {
			if piece.Kind != rawjson.Object {
				return false
			}
		}
	}
	return true
}

// piece decodes a whole call, or a piece of one whose arguments stream. Such a call begins
// with its name and willContinue, continues without a name, and ends with a piece without
// willContinue or, if that is missing, with the next call or the finish reason.
func (d *Decoder) piece(dst []toolcall.Delta, v rawjson.Value, f callFields, choice int) (string, []toolcall.Delta) {
	call := toolcall.Delta{
		Kind: toolcall.DeltaToolCall, Choice: choice, Index: toolcall.NoIndex,
		ID: d.Texts.Name(f.id), Name: d.Texts.Name(f.name),
	}
	streams := f.partial.IsSet() || f.more
	open := d.args[choice]
	if call.Name != "" || open == nil {
		dst = d.leaveCall(dst, choice)
		if !streams {
			if call.Name == "" && !f.args.IsSet() {
				return call.ID, dst // the end of a call that has ended
			}
			call.Text, call.Whole, call.Done = "{}", true, true
			if f.args.IsSet() {
				call.Text = string(f.args.JSON())
			}
			return call.ID, append(dst, call)
		}
		if call.Name == "" && !f.partial.IsSet() {
			return call.ID, dst // a keep-alive
		}
		if len(d.args) == maxStreaming {
			d.Fail(v, errManyStreaming, callPath)
			return call.ID, dst
		}
		if d.args == nil {
			d.args = make(map[int]*argsWriter)
		}
		open = &argsWriter{named: call.Name != ""}
		d.args[choice] = open
		if call.Name != "" || call.ID != "" {
			dst = append(dst, call)
		}
	}
	piece := toolcall.Delta{Kind: toolcall.DeltaToolCall, Choice: choice, Index: toolcall.NoIndex}
	if f.args.IsSet() {
		open.whole = true
		piece.Text, piece.Whole = string(f.args.JSON()), true
		dst = append(dst, piece)
	}
	text, dst := d.partialArgs(dst, open, f.partial, choice)
	if text != "" && !open.whole {
		piece.Text, piece.Whole = text, false
		dst = append(dst, piece)
	}
	if d.Err() != nil {
		return call.ID, dst
	}
	if !f.more && !(f.partial.IsSet() && open.inString) {
		dst = d.endCall(dst, choice)
	}
	return call.ID, dst
}

// partialArgs returns what a list of partialArgs adds to the argument text.
func (d *Decoder) partialArgs(dst []toolcall.Delta, w *argsWriter, list rawjson.Value, choice int) (string, []toolcall.Delta) {
	w.out = w.out[:0]
	for arg := range list.Items() {
		var path, value rawjson.Value
		more := false
		d.Each(d.Object(arg, inPartialArg), inPartialArg, func(key []byte, v rawjson.Value) {
			dst = unknown.Add(dst, choice, toolcall.NoIndex, inPartialArg, key, v)
		}, "jsonPath", wireio.TextMember(&path), "stringValue", wireio.TextMember(&value), "willContinue", &more,
			"numberValue", func(v rawjson.Value) {
				if value = v; v.Kind != rawjson.Number && v.Kind != rawjson.String { // "NaN"
					d.Fail(v, errNumber, inPartialArg, ".numberValue")
				}
			},
			"boolValue", func(v rawjson.Value) {
				_ = d.Bool(v, inPartialArg, ".boolValue")
				value = v
			},
			"nullValue", func(rawjson.Value) { value = rawjson.Value{Kind: rawjson.Null, Raw: []byte("null")} })
		if d.Err() != nil {
			break
		}
		if err := w.add(d.Texts.Name(path), value, more); err != nil {
			d.Fail(path, err, inPartialArg, ".jsonPath")
			break
		}
	}
	return string(w.out), dst
}

// leaveCall ends the call of a choice whose arguments stream, if no piece has ended it. If
// a string was to continue, or no value has come, the call was cut.
func (d *Decoder) leaveCall(dst []toolcall.Delta, choice int) []toolcall.Delta {
	w := d.args[choice]
	switch {
	case w == nil || w.whole || !w.named || len(w.open) > 0 && !w.inString: // without a name it never runs
		return d.endCall(dst, choice)
	case len(w.open) == 0:
		dst = append(dst, toolcall.Delta{Kind: toolcall.DeltaToolCall, Choice: choice, Index: toolcall.NoIndex, Text: "{"})
	}
	delete(d.args, choice)
	return dst
}

// endCall ends the call of a choice whose arguments stream, if there is one.
func (d *Decoder) endCall(dst []toolcall.Delta, choice int) []toolcall.Delta {
	w := d.args[choice]
	if w == nil {
		return dst
	}
	delete(d.args, choice)
	end := toolcall.Delta{Kind: toolcall.DeltaToolCall, Choice: choice, Index: toolcall.NoIndex, Done: true}
	if !w.whole {
		end.Text = w.close()
	}
	return append(dst, end)
}

// streamedCall is a complete call of a whole answer whose arguments came in pieces.
type streamedCall struct {
	pieces    []int // the indices of its parts
	arguments string
	signature string // of a piece after the first
	streams   bool   // the first piece has willContinue or partialArgs
	broken    bool   // whole arguments contradict the pieces before them
}

// streamedCalls returns such calls of a content, by the index of each of their pieces, as
// [Decoder] joins them. It leaves out incomplete calls.
func (r *reading) streamedCalls(content rawjson.Value, finish chat.Finish) map[int]*streamedCall {
	d := Decoder{Reader: wireio.Reader{Reader: r.Reader.Reader, Spelling: camel, IsAnswer: true}}
	calls := map[int]*streamedCall{}
	var open *streamedCall
	take := func(deltas []toolcall.Delta, place int, streams bool) {
		for _, delta := range deltas {
			if delta.Kind != toolcall.DeltaToolCall {
				continue
			}
			if delta.Name != "" || delta.ID != "" {
				open = &streamedCall{pieces: []int{place}, streams: streams}
			}
			switch {
			case open == nil:
				continue
			case delta.Whole:
				open.broken = open.broken || !strings.HasPrefix(delta.Text, open.arguments)
				open.arguments = delta.Text
			default:
				open.arguments += delta.Text
			}
			if !delta.Done {
				continue
			}
			for _, piece := range open.pieces {
				if open.streams && !open.broken {
					calls[piece] = open
				}
			}
			open = nil
		}
	}
	place := -1
	for part := range list(&r.Reader, memberOf(content, "parts"), callPath).Items() {
		place++
		call, signature := memberOf(part, "functionCall"), memberOf(part, "thoughtSignature")
		if call.Kind != rawjson.Object || call.IsZero() && !call.IsEmpty() {
			continue
		}
		of := open
		if of != nil && memberOf(call, "name").IsZero() {
			of.pieces = append(of.pieces, place)
			of.signature = cmp.Or(of.signature, r.Text(signature, callPath))
		}
		_, deltas := d.call(nil, call, 0)
		take(deltas, place, !memberOf(call, "partialArgs").IsZero() || !memberOf(call, "willContinue").IsZero())
	}
	if finish.Reason != chat.FinishUnset && !wire.IsCut(finish.Reason) {
		take(d.leaveCall(nil, 0), place, false)
	}
	r.Reader.Reader = d.Reader.Reader
	return calls
}

// complete completes the call of a part, which is its first piece.
func (c *streamedCall) complete(p *chat.Part) {
	if p.Call == nil {
		return
	}
	p.Call.Arguments, p.Call.Cut = c.arguments, false
	p.Extras = slices.DeleteFunc(p.Extras, func(x chat.Extra) bool {
		return x.In == "functionCall" && (camel([]byte(x.Name)) == "willContinue" || camel([]byte(x.Name)) == "partialArgs")
	})
	if p.Signature == "" && c.signature != "" {
		p.Signature, p.SignedBy = c.signature, Wire
		p.Extras = slices.DeleteFunc(p.Extras, func(x chat.Extra) bool { return x.Spelling && x.Name == unsigned })
	}
}

// memberOf returns a member of an answer by the name that [members] gives it.
func memberOf(v rawjson.Value, name string) (found rawjson.Value) {
	for key, member := range members(v) {
		if string(key) == name {
			found = member
		}
	}
	return found
}
