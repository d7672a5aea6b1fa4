package anthropic

import (
	"cmp"
	"strconv"

	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/wire"
	"github.com/toolparse/toolparse/internal/wire/features"
	"github.com/toolparse/toolparse/internal/wire/rawjson"
	"github.com/toolparse/toolparse/internal/wire/unknown"
	"github.com/toolparse/toolparse/toolcall"
)

func newEncoder(w *writing) wire.Encoder {
	w.answer = true
	return &encoder{w: w}
}

// encoder writes events in the form that the vendor's own clients accumulate: one block
// at a time, numbered in order; the input of a call only in pieces; the stop reason and
// the usage last.
//
//	stream = message_start block... message_delta message_stop
//	block  = content_block_start content_block_delta... content_block_stop
//
// One block is open at a time. What belongs to no open block ends it and begins the next
// one, except for the block of a call, which ends only with the call: meanwhile everything
// else waits in the queue, in its order.
//
// The block of a truncated call stays open, as the vendor leaves it, because clients read
// the input of a block when it stops. An error ends the stream.
type encoder struct {
	w    *writing
	meta chat.Meta

	wroteStart bool
	blocks     int // number of blocks that were started; the last one may be open
	open       blockKind
	other      string // path of the extras that the open block is from
	call       openCall
	queue      queue
	calls      int // number of calls that were started
	finish     toolcall.Delta
	finished   bool
	failed     bool
	cut        bool // a call was given up

	usageWritten chat.Usage // so far

	waiting unknown.Waiting
	early   []byte // events that came before the message
}

// openCall is the call in the open block.
type openCall struct {
	number  int
	started bool   // some of its input was written
	wrapped bool   // because it is not an object
	value   []byte // the wrapped value
}

func (e *encoder) SetMeta(m chat.Meta) { e.meta = m }

func (e *encoder) Losses() []chat.Loss { return e.w.Log.Losses }

func (e *encoder) Append(dst []byte, d toolcall.Delta) []byte {
	if d.Kind == toolcall.DeltaExtra && e.w.Log.ReportForeign(e.meta.Wire, d) {
		return dst
	}
	switch {
	case e.failed:
		e.w.Log.AddOnce(features.AfterFinish, "stream")
		return dst
	case d.Kind == toolcall.DeltaError:
		return e.failure(e.giveUp(e.settle(dst)), wire.Error{Code: d.Name, Message: d.Text})
	case d.Kind == toolcall.DeltaExtra:
		return e.extra(dst, d)
	}
	if !e.wroteStart {
		dst = e.begin(dst)
	}
	if d.Choice != 0 {
		e.w.Log.AddOnce(features.Choices, "stream.choices")
		return dst
	}
	if e.finished {
		e.w.Log.AddOnce(features.AfterFinish, "stream")
		return dst
	}
	switch d.Kind {
	case toolcall.DeltaToolCall:
		return e.toolCall(dst, d)
	case toolcall.DeltaFinish:
		e.finish, e.finished = d, true
		return e.flush(dst)
	case toolcall.DeltaRefusal:
		e.w.Log.AddOnce(features.Refusal, "stream.refusal")
		d.Kind = toolcall.DeltaText
	case toolcall.DeltaReasoning:
		if e.w.VendorOnly && e.meta.Wire != Wire {
			e.w.Log.AddOnce(features.ReasoningText, "stream.reasoning")
			return dst
		}
	case toolcall.DeltaSignature:
		if !e.keeps(d) {
			return dst
		}
	}
	if e.open == toolBlock {
		return e.postpone(dst, d)
	}
	return e.write(dst, d)
}

// Close writes the end of the message, which waits for the usage.
func (e *encoder) Close(dst []byte) []byte {
	if e.failed {
		if e.meta.Usage != e.usageWritten {
			e.w.Log.AddOnce(features.FinishFailed, "usage", "left out")
		}
		return dst
	}
	if !e.wroteStart {
		dst = e.begin(dst)
	}
	if !e.finished {
		e.finished = true
		e.finish = toolcall.Delta{Kind: toolcall.DeltaFinish, Truncated: true}
		dst = e.flush(dst)
	}
	finish, word := e.ended()
	if finish.Reason == chat.FinishError {
		return e.failure(dst, wire.Error{Code: defaultError, Message: "the answer ended with: " + finish.Word})
	}
	dst = e.messageDelta(dst, cmp.Or(word, "end_turn"))
	dst = append(dst, "event: message_stop\ndata: {\"type\":\"message_stop\""...)
	dst = append(e.waiting.Take(dst, inStop), "}\n\n"...)
	e.waiting.Unplaced(&e.w.Log)
	return dst
}

// ended returns the finish reason and the wire's word for it.
func (e *encoder) ended() (chat.Finish, string) {
	e.finish.Truncated = e.finish.Truncated || e.cut || e.open == toolBlock
	finish := wire.FinishOf(e.meta.Wire, e.finish, e.calls > 0)
	return finish, e.w.finishWord("stream.finish", finish)
}

// settle writes everything that is left of a message before an error.
func (e *encoder) settle(dst []byte) []byte {
	if !e.wroteStart && e.meta.ID+e.meta.Model != "" {
		dst = e.begin(dst)
	}
	dst = e.flush(dst)
	if !e.wroteStart || !e.finished && e.usageWritten == e.meta.Usage {
		return dst
	}
	word := ""
	if e.finished {
		_, word = e.ended()
	}
	return e.messageDelta(dst, word)
}

// messageDelta writes the stop reason, "" if unknown, and the usage.
func (e *encoder) messageDelta(dst []byte, word string) []byte {
	e.usageWritten = e.meta.Usage
	w := e.w
	w.On(append(dst, "event: message_delta\ndata: "...))
	w.Object()
	w.Text("type", inEnd)
	w.KeyObject("delta")
	w.KeyOrNull("stop_reason", word)
	if !e.waiting.Of(inEndDelta).Has("stop_sequence") {
		w.KeyNull("stop_sequence")
	}
	w.Out = e.waiting.Take(w.Out, inEndDelta)
	w.EndObject()
	w.Key("usage")
	e.usage(inEndUsage)
	w.Out = e.waiting.Take(w.Out, inEnd)
	w.EndObject()
	return append(w.Out, "\n\n"...)
}

// begin begins the message, with the usage known so far.
func (e *encoder) begin(dst []byte) []byte {
	e.wroteStart, e.usageWritten = true, e.meta.Usage
	if e.meta.Created != 0 {
		e.w.Log.AddOnce(features.Created, "created")
	}
	w := e.w
	w.On(append(dst, "event: message_start\ndata: "...))
	w.Object()
	w.Text("type", inStart)
	w.KeyObject("message")
	w.head(e.meta)
	w.Member("content", []byte("[]"))
	w.KeyNull("stop_reason")
	w.KeyNull("stop_sequence")
	w.Key("usage")
	e.usage(inHeadUsage)
	w.Out = e.waiting.Take(w.Out, inMessage)
	w.EndObject()
	w.Out = e.waiting.Take(w.Out, inStart)
	w.EndObject()
	dst = append(append(w.Out, "\n\n"...), e.early...)
	e.early = nil
	return dst
}

// keeps reports whether a signature can be written: one of reasoning, made by the
// provider itself.
func (e *encoder) keeps(d toolcall.Delta) bool {
	switch {
	case e.w.Sealed && d.Name != toolcall.SignsCall:
		return true
	case d.Name == toolcall.SignsCall, d.Name == "" && e.meta.Wire != Wire:
		e.w.Log.AddOnce(features.ForeignSignature, "stream.signature")
	case e.meta.Wire != Wire:
		e.w.Log.AddOnce(features.ForeignRedacted, "stream.redacted")
	default:
		return true
	}
	return false
}

// write writes a text, reasoning, a signature or an extra. No call is open.
func (e *encoder) write(dst []byte, d toolcall.Delta) []byte {
	switch {
	case d.Kind == toolcall.DeltaExtra:
		return e.extra(dst, d)
	case d.Kind == toolcall.DeltaText:
		return e.piece(e.become(dst, textBlock), textPiece, d.Text)
	case d.Kind == toolcall.DeltaReasoning:
		return e.piece(e.become(dst, thinkingBlock), thinkingPiece, d.Text)
	case d.Name == toolcall.SignsRedacted:
		dst = e.start(e.stop(dst), `"redacted_thinking","data":`)
		return e.stop(e.started(rawjson.AppendQuoted(dst, d.Text), redactedBlock))
	}
	dst = e.piece(e.become(dst, thinkingBlock), signaturePiece, d.Text)
	return e.stop(dst) // the last delta of its block
}

// become opens a block for texts, unless it is open.
func (e *encoder) become(dst []byte, kind blockKind) []byte {
	if e.open == kind {
		return dst
	}
	block := `"text","text":""`
	if kind == thinkingBlock {
		block = `"thinking","thinking":"","signature":""`
	}
	return e.started(e.start(e.stop(dst), block), kind)
}

// start begins the start of a block. No other is open.
func (e *encoder) start(dst []byte, block string) []byte {
	e.blocks++
	dst = append(e.event(dst, inBlockStart), `,"content_block":{"type":`...)
	return append(dst, block...)
}

// started ends the start of a block.
func (e *encoder) started(dst []byte, kind blockKind) []byte {
	e.open = kind
	dst = append(e.waiting.Take(dst, kinds[kind].in), '}')
	return append(e.waiting.Take(dst, inBlockStart), "}\n\n"...)
}

// stop stops the open block, if there is one. Members that wait for a piece of it get an
// empty one.
func (e *encoder) stop(dst []byte) []byte {
	if e.open == noBlock {
		return dst
	}
	for piece := textPiece; piece <= inputPiece; piece++ {
		if pieces[piece].of == e.open && (e.waiting.Has(pieces[piece].in) || piece != signaturePiece && e.waiting.Has(inBlockDelta)) {
			dst = e.piece(dst, piece, "")
		}
	}
	e.open = noBlock
	return append(e.waiting.Take(e.event(dst, inBlockStop), inBlockStop), "}\n\n"...)
}

// event begins an event of the last block.
func (e *encoder) event(dst []byte, kind string) []byte {
	dst = append(append(dst, "event: "...), kind...)
	dst = append(append(dst, "\ndata: {\"type\":\""...), kind...)
	return strconv.AppendInt(append(dst, `","index":`...), int64(e.blocks-1), 10)
}

// piece writes a piece of the open block.
func (e *encoder) piece(dst []byte, kind pieceKind, text string) []byte {
	dst = append(append(e.event(dst, inBlockDelta), `,"delta":{"type":`...), pieces[kind].begin...)
	dst = append(e.waiting.Take(rawjson.AppendQuoted(dst, text), pieces[kind].in), '}')
	return append(e.waiting.Take(dst, inBlockDelta), "}\n\n"...)
}

// failure writes an error, which ends the stream.
func (e *encoder) failure(dst []byte, err wire.Error) []byte {
	e.failed = true
	w := e.w
	w.On(append(append(dst, e.early...), "event: error\ndata: "...))
	w.Object()
	w.failure(err, e.waiting.Extras(inError, Wire, "error"), e.meta.Wire == Wire, "stream.error.code")
	e.waiting.Drop(inError)
	w.Out = e.waiting.Take(w.Out, inErrorEvent)
	w.EndObject()
	e.waiting.Unplaced(&e.w.Log)
	return append(w.Out, "\n\n"...)
}
