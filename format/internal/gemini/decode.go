package gemini

import (
	"errors"

	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/format/internal/frame"
	"github.com/toolparse/toolparse/format/internal/rawjson"
	"github.com/toolparse/toolparse/format/internal/unknown"
	"github.com/toolparse/toolparse/format/internal/wireio"
	"github.com/toolparse/toolparse/toolcall"
)

// Decoder turns the chunks of one response, or its one whole body, into
// deltas. The zero value is ready for one response.
//
// Calls are Whole and Done, as Gemini sends them, and have no index. Where
// Vertex streams the arguments of a call (partialArgs), they become JSON text
// that streams, and Done comes when the call ends. A prompt that was blocked is
// a truncated finish with the block reason. What no delta tells is an extra;
// see extras.go.
type Decoder struct {
	wireio.Reader
	extras unknown.Stream
	args   map[int]*argsWriter // by choice: the call whose arguments stream

	begun, settled rawjson.Choices // the candidates that were seen, and that finished
	ended          bool
	apart          int  // the choice, counted from 1, whose extra part may yet be signed
	usedTools      bool // the usage had toolUsePromptTokenCount

	meta chat.Meta
}

// maxStreaming bounds the candidates whose calls stream at once.
const maxStreaming = 64

// Meta returns what is known of the answer so far.
func (d *Decoder) Meta() chat.Meta {
	m := d.meta
	m.Wire = Wire
	return m
}

// Feed decodes an event and appends its deltas to dst. It takes time linear in
// the event, and allocates little beyond the texts of the deltas. The error is
// a *frame.SyntaxError; what was decoded of the event before it is in dst.
func (d *Decoder) Feed(dst []toolcall.Delta, e frame.Event) ([]toolcall.Delta, error) {
	if e.IsDone() { // not the vendor's, but what a proxy may add
		d.ended = true
		return d.Close(dst), nil
	}
	root, err := d.Open(e)
	if err != nil {
		return dst, err
	}
	d.Spelling = camel
	if e.IsBody() {
		root = d.OpenAnswer(e, root, &answerType)
	}
	if root.Kind != rawjson.Array {
		dst = d.response(dst, d.Object(root))
		// A whole body is not cut short, whether or not it tells why it ended.
		d.ended = d.ended || e.IsBody() && isAnswer(root) && d.Err() == nil
	}
	for response := range root.Items() { // an error may come as an array of one
		dst = d.response(dst, d.Object(response, "[]"))
	}
	return dst, d.Err()
}

// isAnswer reports whether an object is an answer, of which real servers leave out
// all but one of these.
func isAnswer(v rawjson.Value) bool {
	for key := range v.Fields() {
		switch camel(key) {
		case "candidates", inUsage, inFeedback, "error":
			return true
		}
	}
	return false
}

// Close says that no event follows, and appends what was held back: half a
// surrogate pair.
func (d *Decoder) Close(dst []toolcall.Delta) []toolcall.Delta { return d.Texts.DrainAll(dst) }

// Ended reports whether the response came to its end: a finish reason for each
// candidate, a block reason, or an error.
func (d *Decoder) Ended() bool {
	return d.ended || d.begun.Any() && d.begun == d.settled
}

func (d *Decoder) response(dst []toolcall.Delta, v rawjson.Value) []toolcall.Delta {
	var candidates, failure rawjson.Value
	blocked := ""
	for key, member := range members(v) {
		switch string(key) {
		case "candidates":
			candidates = d.Array(member, "candidates")
		case inFeedback:
			blocked, dst = d.feedback(dst, d.Object(member, inFeedback))
		case "error":
			failure = member
		case inUsage:
			dst = d.usage(dst, d.Object(member, inUsage))
		case "responseId":
			if id := d.String(member, "responseId"); d.meta.ID == "" {
				d.meta.ID = d.Texts.Whole(id)
			}
		case "modelVersion":
			if model := d.String(member, "modelVersion"); d.meta.Model == "" {
				d.meta.Model = d.Texts.Whole(model)
			}
		case inTime:
			seconds, exact := wireio.ParseTime(d.Texts.Name(d.String(member, inTime)))
			if d.meta.Created == 0 {
				d.meta.Created = seconds
			}
			if !exact {
				dst = d.extras.Set(dst, 0, inTime, []byte(exactTime), member)
			}
		default:
			dst = d.extras.Set(dst, 0, "", key, member)
		}
	}
	place := 0
	var told rawjson.Choices // the candidates of this event
	for c := range candidates.Items() {
		dst = d.candidate(dst, d.Object(c, "candidates[]"), place, &told)
		if d.Err() != nil {
			return dst
		}
		place++
	}
	if d.Err() != nil {
		return dst // what is malformed ends nothing
	}
	if blocked != "" && blocked != blockedNot {
		dst = append(dst, toolcall.Delta{Kind: toolcall.DeltaFinish, Name: blockedPrompt, Text: blocked, Truncated: true})
		d.ended = true
	}
	if failure.IsSet() {
		dst = append(d.errorExtras(dst, failure), d.Texts.Error(failure))
		d.ended = true
	}
	return dst
}

// usage reads how many tokens there were. Every chunk may tell it, or some of
// it; the last one counts.
func (d *Decoder) usage(dst []toolcall.Delta, v rawjson.Value) []toolcall.Delta {
	u, others := readUsage(&d.Reader, v)
	if u != (chat.Usage{}) {
		d.meta.Usage = u
	}
	if others || d.usedTools {
		dst = d.usageExtras(dst, v, u != (chat.Usage{}))
	}
	return dst
}

// feedback reads what is said of the prompt, and returns why it was blocked, if
// it was.
func (d *Decoder) feedback(dst []toolcall.Delta, v rawjson.Value) (string, []toolcall.Delta) {
	var blocked rawjson.Value
	for key, member := range members(v) {
		if string(key) == "blockReason" {
			blocked = d.String(member, inFeedback, ".blockReason")
			continue
		}
		dst = d.extras.Set(dst, 0, inFeedback, key, member)
	}
	return d.Texts.Name(blocked), dst
}

var errSameCandidate = errors.New("the event repeats a candidate")

// blockedNot is the word for no reason.
const blockedNot = "BLOCK_REASON_UNSPECIFIED"

// blockedPrompt says more of the reason for which a prompt was blocked: some of
// these reasons are named as finish reasons that mean something else.
const blockedPrompt = "content_filter"

// candidate decodes a candidate. Told are those of the event so far: one
// without an index is the first, as the vendor leaves out zeros, unless that
// was there; then its place tells.
func (d *Decoder) candidate(dst []toolcall.Delta, v rawjson.Value, place int, told *rawjson.Choices) []toolcall.Delta {
	var index, content, finish rawjson.Value
	others := false
	for key, member := range members(v) {
		switch string(key) {
		case "index":
			index = member
		case "content":
			content = d.Object(member, "candidates[].content")
		case "finishReason":
			finish = d.String(member, "candidates[].finishReason")
		default:
			others = true
		}
	}
	choice, ok := d.Index(index, "candidates[].index")
	if !ok && told.Has(0) {
		choice = place
	}
	if told.Has(choice) {
		d.Fail(v, errSameCandidate, "candidates[].index")
	}
	if d.Err() != nil {
		return dst
	}
	told.Add(choice)
	d.begun.Add(choice)
	reason := d.Texts.Name(finish)
	// What stands beside the end of an answer stays there.
	if ends := reason != ""; !ends && others {
		dst = d.candidateExtras(dst, v, choice)
	}
	if dst = d.content(dst, content, choice); d.Err() != nil {
		return dst // a finish reason would end a call that is malformed
	}
	if reason == "" {
		return dst
	}
	if others {
		dst = d.candidateExtras(dst, v, choice)
	}
	if reason == wordNone {
		return dst
	}
	d.settled.Add(choice)
	dst = d.Texts.Drain(dst, choice)
	cut := chat.ReadFinish(Wire, reason).Reason.IsCut()
	if !cut { // the closing part of a call whose arguments stream may be missing
		dst = d.leaveCall(dst, choice)
	}
	return append(dst, toolcall.Delta{Kind: toolcall.DeltaFinish, Choice: choice, Text: reason, Truncated: cut})
}

func (d *Decoder) content(dst []toolcall.Delta, v rawjson.Value, choice int) []toolcall.Delta {
	var parts rawjson.Value
	for key, member := range members(v) {
		switch string(key) {
		case "parts":
			parts = d.Array(member, inContent, ".parts")
		case "role": // it is the model's whatever it says
		default:
			dst = d.extras.Set(dst, choice, inContent, key, member)
		}
	}
	for part := range parts.Items() {
		dst = d.part(dst, d.Object(part, inPart), choice)
		if d.Err() != nil {
			return dst
		}
	}
	return dst
}

func (d *Decoder) part(dst []toolcall.Delta, v rawjson.Value, choice int) []toolcall.Delta {
	var text, thought, call, signature rawjson.Value
	others := false
	for key, member := range members(v) {
		switch string(key) {
		case "text":
			text = d.String(member, inPart, ".text")
		case "thought":
			thought = member
		case "functionCall":
			if call = d.Object(member, callPath); call.Kind == rawjson.Object && call.IsZero() && !call.IsEmpty() {
				call = rawjson.Value{} // {} ends a call whose arguments stream
			}
		case "thoughtSignature":
			signature = d.String(member, inPart, ".thoughtSignature")
		default:
			others = true
		}
	}
	kind := toolcall.DeltaText
	if d.Bool(thought, inPart, ".thought") {
		kind = toolcall.DeltaReasoning
	}
	if d.Err() != nil {
		return dst
	}
	s := d.Texts.Piece(rawjson.Channel{Kind: kind, Choice: choice}, text)
	signed := toolcall.Delta{Kind: toolcall.DeltaSignature, Choice: choice, Index: toolcall.NoIndex, Text: d.Texts.Whole(signature)}
	said := s != "" || call.IsSet()
	// A signature alone is the text's before it, but not that of another part.
	if others || call.IsSet() && thought.IsTrue() || !said && signed.Text != "" && d.apart == choice+1 {
		dst = d.partExtras(dst, v, choice, said)
	}
	if s != "" {
		dst = append(dst, toolcall.Delta{Kind: kind, Choice: choice, Text: s})
	}
	if said {
		d.apart = 0
	}
	if call.IsSet() {
		signed.Name = toolcall.SignsCall
		if signed.ID, dst = d.call(dst, call, choice); d.Err() != nil {
			return dst
		}
	}
	if signed.Text != "" {
		dst = append(dst, signed)
	}
	return dst
}
