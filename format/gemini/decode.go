package gemini

import (
	"github.com/toolparse/toolparse"
	"github.com/toolparse/toolparse/format/frame"
	"github.com/toolparse/toolparse/format/internal/payload"
)

// Decoder turns the chunks of one response, or its one whole body, into
// deltas. The zero value is ready for one response.
//
// Calls are Whole and Done, as Gemini sends them, and have no index. Where
// Vertex streams the arguments of a call (partialArgs), they become JSON text
// that streams, and Done comes when the call ends. Code that the server runs,
// and calls of tools of its own, are passed over. A prompt that was blocked is
// a truncated finish with the block reason.
type Decoder struct {
	reader payload.Reader
	texts  payload.Texts
	args   map[int]*argsWriter // by choice: the call whose arguments stream

	begun, settled payload.Choices // the candidates that were seen, and that finished
	ended          bool
}

// maxStreaming bounds the candidates whose calls stream at once.
const maxStreaming = 64

// Feed decodes an event and appends its deltas to dst. It takes time linear in
// the event, and allocates little beyond the texts of the deltas. The error is
// a *frame.SyntaxError; what was decoded of the event before it is in dst.
func (d *Decoder) Feed(dst []toolparse.Delta, e frame.Event) ([]toolparse.Delta, error) {
	if e.IsDone() { // not the vendor's, but what a proxy may add
		d.ended = true
		return d.Close(dst), nil
	}
	root, err := d.reader.Open(e)
	if err != nil {
		return dst, err
	}
	if root.Kind != payload.Array {
		dst = d.response(dst, d.reader.Object(root), e)
	}
	for response := range root.Items() { // an error may come as an array of one
		dst = d.response(dst, d.reader.Object(response, "[]"), e)
	}
	return dst, d.reader.Err()
}

// Close says that no event follows, and appends what was held back: half a
// surrogate pair.
func (d *Decoder) Close(dst []toolparse.Delta) []toolparse.Delta { return d.texts.DrainAll(dst) }

// Ended reports whether the response came to its end: a finish reason for each
// candidate, or a block reason.
func (d *Decoder) Ended() bool {
	return d.ended || d.begun.Any() && d.begun == d.settled
}

func (d *Decoder) response(dst []toolparse.Delta, v payload.Value, e frame.Event) []toolparse.Delta {
	var candidates, feedback, failure payload.Value
	for key, member := range v.Fields() {
		switch string(key) {
		case "candidates":
			candidates = member
		case "promptFeedback":
			feedback = member
		case "error":
			failure = member
		}
	}
	place := 0
	for c := range d.reader.Array(candidates, "candidates").Items() {
		dst = d.candidate(dst, d.reader.Object(c, "candidates[]"), place)
		place++
	}
	if reason := d.texts.Name(d.reader.Object(feedback, "promptFeedback").Get("blockReason")); reason != "" {
		dst = append(dst, toolparse.Delta{Kind: toolparse.DeltaFinish, Text: reason, Truncated: true})
		d.ended = true
	}
	if failure.IsSet() {
		dst = append(dst, d.texts.Error(failure))
		// A body that is nothing but an error is not cut short.
		d.ended = d.ended || e.Framing == frame.JSON && e.Number == 1
	}
	return dst
}

func (d *Decoder) candidate(dst []toolparse.Delta, v payload.Value, choice int) []toolparse.Delta {
	var content, finish payload.Value
	for key, member := range v.Fields() {
		switch string(key) {
		case "index":
			if n, ok := member.Int(); ok && n >= 0 {
				choice = n
			}
		case "content":
			content = member
		case "finishReason":
			finish = member
		}
	}
	d.begun.Add(choice)
	parts := d.reader.Object(content, "candidates[].content").Get("parts")
	for part := range d.reader.Array(parts, "candidates[].content.parts").Items() {
		dst = d.part(dst, d.reader.Object(part, "candidates[].content.parts[]"), choice)
	}
	reason := d.texts.Name(d.reader.String(finish, "candidates[].finishReason"))
	if reason == "" || reason == "FINISH_REASON_UNSPECIFIED" {
		return dst
	}
	d.settled.Add(choice)
	dst = d.texts.Drain(dst, choice)
	cut := isCut(reason)
	if !cut { // the closing part of a call whose arguments stream may be missing
		dst = d.endCall(dst, choice)
	}
	return append(dst, toolparse.Delta{Kind: toolparse.DeltaFinish, Choice: choice, Text: reason, Truncated: cut})
}

func (d *Decoder) part(dst []toolparse.Delta, v payload.Value, choice int) []toolparse.Delta {
	var text, thought, call, signature payload.Value
	for key, member := range v.Fields() {
		switch string(key) {
		case "text":
			text = member
		case "thought":
			thought = member
		case "functionCall":
			call = member
		case "thoughtSignature":
			signature = member
		}
	}
	kind := toolparse.DeltaText
	if thought.IsTrue() {
		kind = toolparse.DeltaReasoning
	}
	text = d.reader.String(text, "candidates[].content.parts[].text")
	if s := d.texts.Piece(payload.Channel{Kind: kind, Choice: choice}, text); s != "" {
		dst = append(dst, toolparse.Delta{Kind: kind, Choice: choice, Text: s})
	}
	signed := toolparse.Delta{Kind: toolparse.DeltaSignature, Choice: choice, Text: d.texts.Whole(signature)}
	if call.IsSet() {
		signed.Index = toolparse.NoIndex
		call = d.reader.Object(call, "candidates[].content.parts[].functionCall")
		signed.ID, dst = d.call(dst, call, choice)
	}
	if signed.Text != "" {
		dst = append(dst, signed)
	}
	return dst
}

// isCut reports whether a finish reason says that the answer was cut short:
// all do but those that say it is done.
func isCut(reason string) bool { return reason != "STOP" && reason != "UNEXPECTED_TOOL_CALL" }
