package reencode

import (
	"maps"
	"slices"
	"strings"

	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/printable"
	"github.com/toolparse/toolparse/internal/wire/jsonout"
	"github.com/toolparse/toolparse/internal/wire/rawjson"
	"github.com/toolparse/toolparse/toolcall"
)

// Deltas converts the events of a parser to deltas for an encoder ([wire.Codec]), so
// that calls in a text dialect become native calls. A call keeps the provider's id if its
// start has one; otherwise it gets the id of its segment. The zero value is ready for one
// stream.
//
// The arguments of file and shell segments, whose content is not JSON, are composed of
// the metadata and the content as it streams.
//
// If a tool is called both natively and in the text, a call of it may turn out to be a
// duplicate. Such a call waits for its end, and is left out if it is one.
type Deltas struct {
	calls  int
	open   map[string]*segment
	last   *segment         // the call that began last
	ids    map[string]bool  // ids in use
	called map[string]uint8 // how each tool was called: 1 natively, 2 in the text
	cut    bool             // a call did not end complete
	failed *toolcall.Delta  // the first error, kept while the parser ends the open calls
	losses []chat.Loss
}

// Append appends the deltas of an event to dst.
func (x *Deltas) Append(dst []toolcall.Delta, e toolcall.Event) []toolcall.Delta {
	if e.Type == toolcall.SegmentStart {
		return x.start(dst, e)
	}
	s := x.open[e.ID]
	if s == nil {
		return dst
	}
	if e.Type == toolcall.SegmentContent {
		if text := s.text(e.Payload); text != "" {
			dst = s.give(dst, s.delta(text))
		}
		return dst
	}
	delete(x.open, e.ID)
	return x.end(dst, s, e)
}

// Pass appends a delta that becomes no event of the parser: a signature or an extra. Call
// it for each delta, before parsing it. It keeps the first error for Close, because the
// parser ends the open calls, possibly as complete ones. It ignores all other deltas.
func (x *Deltas) Pass(dst []toolcall.Delta, d toolcall.Delta) []toolcall.Delta {
	switch d.Kind {
	case toolcall.DeltaError:
		if x.failed == nil {
			x.failed = &d
		}
		return dst
	case toolcall.DeltaSignature, toolcall.DeltaExtra:
	default:
		return dst
	}
	if d.Kind == toolcall.DeltaSignature && d.Name != toolcall.SignsCall || d.Kind == toolcall.DeltaExtra && d.Index < 0 {
		d.Index = toolcall.NoIndex
		return append(dst, d)
	}
	// What belongs to a call follows the call.
	if x.last == nil {
		d.Index = toolcall.NoIndex
		return append(dst, d)
	}
	d.Index = x.last.number
	return x.last.give(dst, d)
}

// Close appends what is waiting, and the finish reason: the provider's, or one that
// follows from the events. If a call was cut or broken, the reason is that of a truncated
// answer, so that nobody runs the call. An error replaces the reason.
func (x *Deltas) Close(dst []toolcall.Delta, meta toolcall.Delta) []toolcall.Delta {
	for _, id := range slices.Sorted(maps.Keys(x.open)) {
		s := x.open[id]
		x.cut = x.cut || s.kind.IsCall()
		dst = x.release(dst, s)
	}
	if x.failed != nil {
		return append(dst, *x.failed)
	}
	if meta.Kind != toolcall.DeltaFinish {
		meta = toolcall.Delta{Kind: toolcall.DeltaFinish, Text: "stop"}
	}
	meta.Choice = 0
	meta.Truncated = meta.Truncated || x.cut
	return append(dst, meta)
}

// Losses returns what was left out so far: ids of the provider's, and calls without a
// name.
func (x *Deltas) Losses() []chat.Loss { return x.losses }

func (x *Deltas) lose(name, id, why, done string) {
	if id != "" && len(x.losses) < maxLosses {
		x.losses = append(x.losses, chat.Loss{Field: "stream.calls." + name + ".id", Reason: why, Action: id + done})
	}
}

// maxLosses limits the losses that hostile input can cause.
const maxLosses = 1000

func (x *Deltas) start(dst []toolcall.Delta, e toolcall.Event) []toolcall.Delta {
	if x.open == nil {
		x.open, x.ids, x.called = map[string]*segment{}, map[string]bool{}, map[string]uint8{}
	}
	s := &segment{kind: e.Segment}
	x.open[e.ID] = s
	if !e.Segment.IsCall() {
		return dst
	}
	if e.Name == "" && e.Segment == toolcall.SegmentToolCall {
		// No wire has calls without a name, and somebody might run one with an invented
		// name.
		delete(x.open, e.ID)
		x.cut = true
		if len(x.losses) < maxLosses {
			x.losses = append(x.losses, chat.Loss{Field: "stream.calls", Reason: "a call needs a name", Action: "left out"})
		}
		return dst
	}
	x.last = s
	d := toolcall.Delta{Kind: toolcall.DeltaToolCall, ID: e.ID, Name: e.Name}
	if d.Name == "" {
		d.Name = string(e.Segment)
	}
	s.callID, _ = e.Metadata()["call_id"].(string)
	if s.callID != "" && !x.ids[s.callID] {
		d.ID = s.callID
	} else {
		x.lose(d.Name, s.callID, "another call has the same id", " is written "+e.ID)
	}
	s.name = d.Name
	x.ids[d.ID] = true
	way := uint8(1)
	if e.Raw != "" {
		way = 2
	}
	s.waits = x.called[d.Name]&^way != 0
	x.called[d.Name] |= way
	if s.field = e.ContentParameter(); s.field != "" {
		w := jsonout.Writer{}
		w.Object()
		parameters(&w, e)
		w.Key(s.field)
		d.Text = string(append(w.Out, '"'))
		s.sent = true
	}
	if !s.waits {
		x.number(s)
	}
	d.Index = s.number
	return s.give(dst, d)
}

// number sets the index of a call.
func (x *Deltas) number(s *segment) {
	s.number = x.calls
	x.calls++
}

// release appends the waiting deltas of a segment that is not a duplicate.
func (x *Deltas) release(dst []toolcall.Delta, s *segment) []toolcall.Delta {
	if !s.waits {
		return dst
	}
	s.waits = false
	x.number(s)
	for _, d := range s.waiting {
		d.Index = s.number
		dst = append(dst, d)
	}
	s.waiting = nil
	return dst
}

func (x *Deltas) end(dst []toolcall.Delta, s *segment, e toolcall.Event) []toolcall.Delta {
	rest := string(s.partial)
	if !s.kind.IsCall() {
		if rest != "" {
			dst = append(dst, s.delta(rest))
		}
		return dst
	}
	if s.waits && e.Reason == toolcall.ReasonDuplicate {
		x.lose(s.name, s.callID, "the call repeats an earlier one, in text or native", " is left out")
		return dst
	}
	dst = x.release(dst, s)
	if e.Status != toolcall.Complete {
		x.cut = true
		return dst
	}
	d := s.delta(rest)
	d.Done = true
	switch {
	case s.field != "":
		w := jsonout.Writer{Out: append(s.quoted(rest), '"')}
		w.Next()
		parameters(&w, e)
		w.EndObject()
		d.Text = string(w.Out)
	case !s.sent:
		d.Text = "{}"
	default:
		d.Text = string(s.tail) + d.Text
	}
	return append(dst, d)
}

// segment is an open segment.
type segment struct {
	kind    toolcall.SegmentType
	name    string // of the tool
	number  int
	field   string // the argument that contains the content; "" if the content is JSON
	partial []byte // an incomplete character
	sent    bool   // some of the arguments were written
	tail    []byte // the possible end of the arguments, kept until the end of the call

	waits   bool
	waiting []toolcall.Delta // of a call that may be a duplicate
	callID  string           // the provider's id
}

// give appends a delta of a segment, or keeps it.
func (s *segment) give(dst []toolcall.Delta, d toolcall.Delta) []toolcall.Delta {
	if s.waits {
		s.waiting = append(s.waiting, d)
		return dst
	}
	return append(dst, d)
}

// parameters writes the arguments in an event's metadata.
func parameters(w *jsonout.Writer, e toolcall.Event) {
	for name, value := range e.Parameters() {
		w.Member(name, value)
	}
}

// text returns the text that a piece of content adds. It keeps an incomplete character,
// which an encoder could not write.
func (s *segment) text(piece string) string {
	if len(s.partial) > 0 {
		piece = string(append(s.partial, piece...))
		s.partial = s.partial[:0]
	}
	if n := len(piece); n > 0 && piece[n-1] >= 0x80 {
		tail := []byte(piece[max(0, n-4):])
		cut := printable.CutTail(tail)
		s.partial = append(s.partial, tail[len(tail)-cut:]...)
		piece = piece[:n-cut]
	}
	s.sent = s.sent || piece != ""
	switch {
	case s.field != "":
		return string(s.quoted(piece))
	case s.kind.IsCall():
		return s.holdEnd(piece)
	}
	return piece
}

// holdEnd returns the part of JSON arguments that can be written. It keeps what may be
// the last brace, because a call that does not end complete must not look complete.
func (s *segment) holdEnd(piece string) string {
	rest := strings.TrimRight(piece, " \t\r\n")
	switch {
	case rest == "" && len(s.tail) > 0:
		s.tail = append(s.tail, piece...)
		return ""
	case rest == "" || rest[len(rest)-1] != '}':
		rest = piece
	default:
		rest = rest[:len(rest)-1]
	}
	if len(s.tail) > 0 {
		was := string(s.tail)
		s.tail = append(s.tail[:0], piece[len(rest):]...)
		return was + rest
	}
	s.tail = append(s.tail, piece[len(rest):]...)
	return rest
}

// quoted returns content escaped for a JSON string.
func (s *segment) quoted(content string) []byte {
	if content == "" {
		return nil
	}
	quoted := rawjson.AppendQuoted(nil, content)
	return quoted[1 : len(quoted)-1]
}

func (s *segment) delta(text string) toolcall.Delta {
	d := toolcall.Delta{Text: text}
	switch s.kind {
	case toolcall.SegmentText:
		d.Kind = toolcall.DeltaText
	case toolcall.SegmentReasoning:
		d.Kind = toolcall.DeltaReasoning
	case toolcall.SegmentRefusal:
		d.Kind = toolcall.DeltaRefusal
	default:
		d.Kind, d.Index = toolcall.DeltaToolCall, s.number
	}
	return d
}
