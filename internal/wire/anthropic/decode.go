package anthropic

import (
	"errors"
	"strings"

	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/wire"
	"github.com/toolparse/toolparse/internal/wire/frame"
	"github.com/toolparse/toolparse/internal/wire/rawjson"
	"github.com/toolparse/toolparse/internal/wire/unknown"
	"github.com/toolparse/toolparse/internal/wire/wireio"
	"github.com/toolparse/toolparse/toolcall"
)

// Decoder decodes the events of one response, of a stream or one whole body, into deltas.
// The zero value is ready for one response.
//
// A tool_use block is a call with the block's index. Blocks of tools that the server runs
// itself are extras, including their input.
//
// When the connection to the provider breaks, some relays append the stream of a second
// attempt: another message_start comes before the first message has stopped. The deltas
// of the first message cannot be undone. So the decoder returns a DeltaRestart, which
// voids the open calls, and then the deltas of the second message; callers that can
// should drop the first message. A message_start after a message_stop, as in concatenated
// recordings, begins another message.
//
// A stream may lack its message_start, and an event its index if there is only one block.
// Other missing or misplaced events are errors, except that blocks may stay open after a
// stop reason.
type Decoder struct {
	wireio.Reader
	extras unknown.Stream

	open   map[int]*block
	last   *block // the block of the last event
	recent *block // the block of the last delta; nil after its end

	meta   chat.Meta
	counts counts

	pending       []toolcall.Delta // of content in message_start; see messageStart
	pendingBlocks int              // number of blocks in pending
	state         state
	failed        bool // there was an error, and nothing follows it
}

type state uint8

const (
	idle    state = iota // no message has begun
	begun                // a message has begun, without content
	under                // it has content
	settled              // it has its stop reason
	stopped              // it has stopped
)

// Reset makes d ready for another response, and keeps memory.
func (d *Decoder) Reset() {
	d.Reader.Reset()
	*d = Decoder{Reader: d.Reader}
}

// Meta returns what is known about the answer so far.
func (d *Decoder) Meta() chat.Meta {
	m := d.meta
	m.Wire = Wire
	m.Usage = d.counts.usage()
	return m
}

// Feed decodes an event and appends its deltas to dst. It takes time linear in the event,
// and allocates little beyond the texts of the deltas. The error is a *frame.SyntaxError;
// dst then has the deltas before it.
func (d *Decoder) Feed(dst []toolcall.Delta, e frame.Event) ([]toolcall.Delta, error) {
	if e.IsDone() { // not the vendor's, but some servers end with it
		dst = d.Close(dst)
		if !d.unstopped() {
			d.state = stopped
		}
		return dst, nil
	}
	root, err := d.Open(e)
	if err != nil {
		return dst, err
	}
	var f fields
	f.read(d.Object(root))
	if f.count == 0 && f.kind.Kind == rawjson.Absent {
		return dst, d.Err()
	}
	if !f.kind.IsSet() {
		f.kind = rawjson.Value{Kind: rawjson.String, Raw: []byte(e.Name)}
	}
	d.failed = d.failed && f.kind.Is("ping")
	dst = d.event(dst, &f, e)
	return dst, d.Err()
}

func (d *Decoder) event(dst []toolcall.Delta, f *fields, e frame.Event) []toolcall.Delta {
	switch kind := f.kind; {
	case kind.Is(inBlockDelta):
		return d.blockDelta(dst, f)
	case kind.Is(inBlockStart):
		return d.blockStart(dst, f)
	case kind.Is(inBlockStop):
		return d.blockStop(dst, f)
	case kind.Is(inStart):
		return d.messageStart(dst, f)
	case kind.Is(inEnd):
		return d.messageDelta(dst, f)
	case kind.Is(inStop):
		return d.messageStop(dst, f)
	case kind.Is("error"), f.failure.IsSet():
		return d.failure(dst, f)
	case kind.Is("message"), e.IsBody() && f.root.Get("content").Kind != rawjson.Absent:
		d.IsAnswer = e.IsBody()
		return d.body(dst, f.root)
	case kind.Is("ping") && f.count == 0:
	case kind.Kind != rawjson.String:
		d.String(kind, "type")
	case len(kind.Raw) == 0:
		d.Need(rawjson.Value{}, rawjson.String, "type")
	default:
		return whole(dst, "", d.Texts.Name(kind), f.root)
	}
	return dst
}

// Close appends what was held back, when no event follows: half a surrogate pair.
func (d *Decoder) Close(dst []toolcall.Delta) []toolcall.Delta {
	return d.Texts.DrainAll(d.flush(dst))
}

// Ended reports whether the last message is complete: by a message_stop, the end of a
// whole body, or an error that nothing follows.
func (d *Decoder) Ended() bool { return d.state == stopped || d.failed }

var (
	errOpen    = errors.New("the content block is already open")
	errClosed  = errors.New("the content block is not open")
	errStopped = errors.New("the event comes after the end of the message")
	errNoStop  = errors.New("the message stops before its content block")
	errForeign = errors.New("the delta does not match the type of its content block")
)

// messageDelta decodes the end of a message.
func (d *Decoder) messageDelta(dst []toolcall.Delta, f *fields) []toolcall.Delta {
	dst = f.rest(d.flush(dst), toolcall.NoIndex, inEnd, "delta", "usage")
	dst = d.usage(dst, inEndUsage, d.Object(f.usage, "usage"))
	var reason rawjson.Value
	for key, member := range d.Object(f.delta, "delta").Fields() {
		if string(key) == "stop_reason" {
			reason = member
			continue
		}
		dst = d.extras.Set(dst, 0, inEndDelta, key, member)
	}
	return d.finish(dst, d.String(reason, "delta.stop_reason"))
}

// finish appends the stop reason. Like every end of a stream, it first ends the texts.
func (d *Decoder) finish(dst []toolcall.Delta, reason rawjson.Value) []toolcall.Delta {
	text := d.Texts.Name(reason)
	if text == "" {
		return dst
	}
	d.state = settled
	dst = d.Texts.DrainAll(dst)
	return append(dst, toolcall.Delta{Kind: toolcall.DeltaFinish, Text: text, Truncated: wire.IsCut(wire.ReadFinish(Wire, text).Reason)})
}

// unstopped reports whether blocks are open that should have stopped. After a stop reason
// they need not: the vendor leaves those of a truncated answer open, and some servers all.
func (d *Decoder) unstopped() bool {
	if d.state != settled {
		return len(d.open) > 0
	}
	for _, b := range d.open {
		if b.again.End() != "" {
			return true
		}
	}
	return false
}

// messageStop ends the message.
func (d *Decoder) messageStop(dst []toolcall.Delta, f *fields) []toolcall.Delta {
	dst = f.rest(d.flush(dst), toolcall.NoIndex, inStop)
	if d.unstopped() {
		d.Fail(f.kind, errNoStop, "type")
	}
	d.end()
	d.state = stopped
	return dst
}

// end drops the blocks of a message.
func (d *Decoder) end() {
	clear(d.open)
	d.last, d.recent = nil, nil
}

// failure decodes an error, which some gateways send without its event type.
func (d *Decoder) failure(dst []toolcall.Delta, f *fields) []toolcall.Delta {
	v := f.failure
	if v.IsSet() {
		dst = f.rest(dst, toolcall.NoIndex, inErrorEvent, "error")
	} else {
		v = f.root
	}
	failure, code := d.Texts.Error(v), "type"
	if name := d.Texts.Name(v.Get("type")); name != "" {
		failure.Name = name
	} else {
		for key, member := range v.Fields() {
			if (string(key) == "code" || string(key) == "status") && d.Texts.Name(member) == failure.Name {
				code = string(key)
			}
		}
	}
	if v.Get("message").Kind == rawjson.String { // otherwise all of it is the text
		dst = rest(dst, toolcall.NoIndex, inError, v, "message", code)
	}
	d.failed = true
	return append(dst, failure)
}

// messageStart begins a message. The vendor leaves its content empty, except for calls
// made by server-side code; some relays put blocks there that they also stream. So this
// content is held until it is known whether a block with its index is announced.
func (d *Decoder) messageStart(dst []toolcall.Delta, f *fields) []toolcall.Delta {
	dst = d.flush(dst)
	message, ok := d.Need(f.message, rawjson.Object, "message")
	if !ok {
		return dst
	}
	if d.state == under {
		dst = d.Texts.DrainAll(dst)
		dst = append(dst, toolcall.Delta{Kind: toolcall.DeltaRestart, Index: toolcall.NoIndex})
	}
	if d.state == stopped { // it is another message, but extras and deltas are of the same response
		dst = whole(dst, "", inStart, f.root)
	}
	d.end()
	dst = f.rest(dst, toolcall.NoIndex, inStart, "message")
	dst = d.about(dst, message, "message.")
	content := d.Array(message.Get("content"), "message.content")
	d.pending, d.pendingBlocks = d.message(d.pending[:0], message, content, "message."), 0
	d.state = begun
	for range content.Items() {
		d.pendingBlocks++
	}
	return dst
}

// announce decides about content from message_start when the block with an index is
// announced: if the content has that block, all of it will be announced, and is dropped
// here.
func (d *Decoder) announce(dst []toolcall.Delta, index int) []toolcall.Delta {
	if d.pendingBlocks > 0 && index >= 0 && index < d.pendingBlocks {
		d.pending, d.pendingBlocks, d.recent = d.pending[:0], 0, nil
	}
	return d.flush(dst)
}

// flush appends the content from message_start that no block has announced.
func (d *Decoder) flush(dst []toolcall.Delta) []toolcall.Delta {
	for _, delta := range d.pending {
		d.state = under
		if dst = append(dst, delta); delta.Kind == toolcall.DeltaFinish {
			d.state = settled
		}
	}
	d.pending, d.pendingBlocks = d.pending[:0], 0
	return dst
}

// body decodes a whole answer.
func (d *Decoder) body(dst []toolcall.Delta, v rawjson.Value) []toolcall.Delta {
	dst = d.about(dst, v, "")
	content := v.Get("content")
	if content.Kind == rawjson.Absent {
		d.Fail(v, wireio.ErrMissing, "content")
	}
	dst = d.message(dst, v, d.Array(content, "content"), "")
	d.end()
	d.state = stopped
	return dst
}

// about decodes the members of a message besides its content. in is its path in the
// event.
func (d *Decoder) about(dst []toolcall.Delta, message rawjson.Value, in string) []toolcall.Delta {
	atEnd := func(key []byte, v rawjson.Value) { dst = d.extras.Set(dst, 0, inEndDelta, key, v) } // as in a stream
	d.Each(message, strings.TrimSuffix(in, "."), func(key []byte, v rawjson.Value) { dst = d.extras.Set(dst, 0, inMessage, key, v) },
		"type", nil, "role", nil, "content", nil, "stop_reason", nil, "id", &d.meta.ID, "model", &d.meta.Model,
		"usage", func(v rawjson.Value) { dst = d.usage(dst, inHeadUsage, d.Object(v, in, "usage")) },
		"stop_sequence", atEnd, "stop_details", atEnd)
	return dst
}

// message decodes the content and the stop reason of a message. The last call of a
// truncated message may be incomplete.
func (d *Decoder) message(dst []toolcall.Delta, v, content rawjson.Value, in string) []toolcall.Delta {
	reason := d.String(v.Get("stop_reason"), in, "stop_reason")
	last := -1
	for range content.Items() {
		last++
	}
	cut := wire.IsCut(wire.ReadFinish(Wire, d.Texts.Name(reason)).Reason)
	index := 0
	for item := range content.Items() {
		if item := typed(&d.Reader, d.Object(item, in, "content[]"), in, "content[]"); item.IsSet() {
			dst = d.wholeBlock(dst, item, index, !cut || index != last)
		}
		index++
	}
	return d.finish(dst, reason)
}

// typed returns a block of an answer, or an absent value if it has no type.
func typed(r *wireio.Reader, v rawjson.Value, path ...string) rawjson.Value {
	if v.IsSet() && v.Get("type").Kind != rawjson.String {
		r.FailType(v, errNoType, path...)
		return rawjson.Value{}
	}
	return v
}

var errNoType = errors.New("its type is missing")

// wholeBlock decodes a block of a whole message. done reports that its call is complete.
func (d *Decoder) wholeBlock(dst []toolcall.Delta, v rawjson.Value, index int, done bool) []toolcall.Delta {
	b, dst := d.block(dst, v, index, nil)
	switch {
	case b == nil:
	case b.kind == otherBlock:
		dst = whole(dst, inBlock, b.name, eventOf(inBlockStop, index, rawjson.Value{}))
	case b.kind == toolBlock && b.hasDelta && done:
		call := &dst[len(dst)-1]
		if call.Done = true; call.Text == "" && v.Get("input").IsSet() {
			call.Text, call.Whole = "{}", true
		}
	}
	dst = d.Texts.DrainAll(dst)
	if b != nil && b.hasExtras && !b.hasDelta {
		dst = ends(dst, index, false)
	}
	return dst
}
