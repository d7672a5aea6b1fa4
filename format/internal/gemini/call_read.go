package gemini

import (
	"cmp"
	"slices"
	"strings"

	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/format/internal/rawjson"
	"github.com/toolparse/toolparse/toolcall"
)

// streamedCall is a call of a whole answer whose arguments came in pieces, and came to
// their end.
type streamedCall struct {
	pieces    []int // the places of its parts
	arguments string
	signature string // of a piece behind the first
	streams   bool   // the first says that more follows, or has pieces
	broken    bool   // arguments that came whole contradict the pieces before them
}

// streamedCalls returns such calls of a content, by the place of each of their pieces, as
// [Decoder] puts them together. A call that does not come to its end is none of them.
func (r *reading) streamedCalls(content rawjson.Value, finish chat.Finish) map[int]*streamedCall {
	d := Decoder{reader: r.Reader.Reader}
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
	for part := range r.list(memberOf(content, "parts"), callPath).Items() {
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
	if finish.Reason != chat.FinishUnset && !finish.Reason.IsCut() {
		take(d.leaveCall(nil, 0), place, false)
	}
	r.Reader.Reader = d.reader
	return calls
}

// complete makes the call of a part, which is its first piece, whole.
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
