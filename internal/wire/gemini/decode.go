package gemini

import (
	"errors"

	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/wire"
	"github.com/toolparse/toolparse/internal/wire/frame"
	"github.com/toolparse/toolparse/internal/wire/rawjson"
	"github.com/toolparse/toolparse/internal/wire/unknown"
	"github.com/toolparse/toolparse/internal/wire/wireio"
	"github.com/toolparse/toolparse/toolcall"
)

// Decoder decodes the chunks of one response, or its one whole body, into deltas. The
// zero value is ready for one response.
//
// Calls are Whole and Done, as Gemini sends them, and have no index. If Vertex streams the
// arguments of a call (partialArgs), they become JSON text that streams, and Done comes
// when the call ends. A blocked prompt is a truncated finish with the block reason.
// Members that no other delta expresses become extras; see extras.go.
type Decoder struct {
	wireio.Reader
	extras unknown.Stream
	args   map[int]*argsWriter // the calls whose arguments stream, by choice

	begun, settled rawjson.Choices // candidates that have begun, and that have finished
	ended, whole   bool            // by an end marker, an error or a block reason; by being a body
	apart          int             // number, from 1, of the choice whose last part was an extra: a signature would be that part's
	usedTools      bool            // the usage had toolUsePromptTokenCount

	meta chat.Meta
}

// maxStreaming limits the candidates whose calls stream at the same time.
const maxStreaming = 64

// Reset makes d ready for another response, and keeps memory.
func (d *Decoder) Reset() {
	d.Reader.Reset()
	*d = Decoder{Reader: d.Reader}
}

// Meta returns what is known about the answer so far.
func (d *Decoder) Meta() chat.Meta {
	m := d.meta
	m.Wire = Wire
	return m
}

// Feed decodes an event and appends its deltas to dst. It takes time linear in the event,
// and allocates little beyond the texts of the deltas. The error is a *frame.SyntaxError;
// dst then has the deltas before it.
func (d *Decoder) Feed(dst []toolcall.Delta, e frame.Event) ([]toolcall.Delta, error) {
	if e.IsDone() { // not the vendor's, but a proxy may add it
		d.ended = true
		return d.Close(dst), nil
	}
	root, err := d.Open(e)
	if err != nil {
		return dst, err
	}
	d.Spelling = camel
	d.IsAnswer = e.IsBody()
	if root.Kind != rawjson.Array {
		dst = d.response(dst, d.Object(root))
		// A whole body is complete, even without a finish reason. Several answers, or those
		// in an array, are a stream.
		d.whole = e.IsBody() && !e.Element && isAnswer(root) && d.Err() == nil
	}
	for response := range root.Items() { // an error may be the only element of an array
		dst = d.response(dst, d.Object(response, "[]"))
	}
	return dst, d.Err()
}

// isAnswer reports whether an object is an answer. Real servers send at least one of these
// members.
func isAnswer(v rawjson.Value) bool {
	for key := range v.Fields() {
		switch camel(key) {
		case "candidates", inUsage, inFeedback, "error":
			return true
		}
	}
	return false
}

// Close appends what was held back, when no event follows: half a surrogate pair.
func (d *Decoder) Close(dst []toolcall.Delta) []toolcall.Delta { return d.Texts.DrainAll(dst) }

// Ended reports whether the response is complete: by a finish reason for each candidate, a
// block reason, or an error.
func (d *Decoder) Ended() bool {
	return d.ended || d.whole || d.begun.Any() && d.begun == d.settled
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
				d.meta.Model = d.Texts.Name(model)
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
	var seen rawjson.Choices // the candidates of this event
	for c := range candidates.Items() {
		if c = d.Object(c, "candidates[]"); c.IsSet() {
			dst = d.candidate(dst, c, place, &seen)
			place++
		}
		if d.Err() != nil {
			return dst
		}
	}
	if d.Err() != nil {
		return dst // nothing ends with malformed input
	}
	if blocked != "" && blocked != blockedNot {
		dst = append(dst, toolcall.Delta{Kind: toolcall.DeltaFinish, Name: blockedPrompt, Text: blocked, Truncated: true})
		d.ended = true
	}
	if failure.IsSet() {
		for key, member := range d.Texts.ErrorRest(failure) {
			dst = unknown.Add(dst, 0, toolcall.NoIndex, inError, key, member)
		}
		dst = append(dst, d.Texts.Error(failure))
		d.ended = true
	}
	return dst
}

// usage decodes the usage. Any chunk may have it, or a part of it; the last one counts.
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

// feedback decodes promptFeedback, and returns why the prompt was blocked, or "".
func (d *Decoder) feedback(dst []toolcall.Delta, v rawjson.Value) (string, []toolcall.Delta) {
	var blocked rawjson.Value
	for key, member := range members(v) {
		if string(key) == "blockReason" {
			blocked = enumWord(&d.Reader, member, blockWords, inFeedback, ".blockReason")
			continue
		}
		dst = d.extras.Set(dst, 0, inFeedback, key, member)
	}
	return d.Texts.Name(blocked), dst
}

var errSameCandidate = errors.New("the event repeats a candidate")

// blockedNot is the word for no reason.
const blockedNot = "BLOCK_REASON_UNSPECIFIED"

// blockedPrompt is the name of the finish delta for a blocked prompt, because some words
// for the reason mean something else as finish reasons.
const blockedPrompt = "content_filter"

// candidate decodes a candidate. seen are those of the event so far. A candidate without
// an index is the first, because the vendor leaves out zeros, unless that has come; then
// its place is its index.
func (d *Decoder) candidate(dst []toolcall.Delta, v rawjson.Value, place int, seen *rawjson.Choices) []toolcall.Delta {
	var index, content, finish rawjson.Value
	others := false
	for key, member := range members(v) {
		switch string(key) {
		case "index":
			index = member
		case "content":
			content = d.Object(member, "candidates[].content")
		case "finishReason":
			finish = enumWord(&d.Reader, member, finishWords, "candidates[].finishReason")
		default:
			others = true
		}
	}
	choice, ok := d.Index(index, "candidates[].index")
	if !ok && seen.Has(0) {
		choice = place
	}
	if seen.Has(choice) {
		d.Fail(v, errSameCandidate, "candidates[].index")
	}
	if d.Err() != nil {
		return dst
	}
	seen.Add(choice)
	d.begun.Add(choice)
	reason := d.Texts.Name(finish)
	if reason == "" && others { // otherwise they are extras of the end
		dst = d.candidateExtras(dst, v, choice)
	}
	if dst = d.content(dst, content, choice); d.Err() != nil {
		return dst // a finish reason would complete a malformed call
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
	cut := wire.IsCut(wire.ReadFinish(Wire, reason).Reason)
	if !cut { // the last part of a call whose arguments stream may be missing
		dst = d.leaveCall(dst, choice)
	}
	return append(dst, toolcall.Delta{Kind: toolcall.DeltaFinish, Choice: choice, Text: reason, Truncated: cut})
}

func (d *Decoder) content(dst []toolcall.Delta, v rawjson.Value, choice int) []toolcall.Delta {
	var parts rawjson.Value
	for key, member := range members(v) {
		switch string(key) {
		case "parts":
			parts = list(&d.Reader, member, inContent, ".parts")
		case "role": // always the model's
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
	hasText := s != "" || call.IsSet()
	// A part with only a signature signs the text before it, but no other part.
	if others || call.IsSet() && thought.IsTrue() || !hasText && signed.Text != "" && d.apart == choice+1 {
		dst = d.partExtras(dst, v, choice, hasText)
	}
	if s != "" {
		dst = append(dst, toolcall.Delta{Kind: kind, Choice: choice, Text: s})
	}
	if hasText {
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
