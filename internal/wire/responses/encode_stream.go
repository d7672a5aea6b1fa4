package responses

import (
	"net/http"
	"strconv"

	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/wire"
	"github.com/toolparse/toolparse/internal/wire/features"
	"github.com/toolparse/toolparse/internal/wire/jsonout"
	"github.com/toolparse/toolparse/internal/wire/unknown"
	"github.com/toolparse/toolparse/internal/wire/wireio"
	"github.com/toolparse/toolparse/toolcall"
)

func newEncoder(w *writing) wire.Encoder {
	return &encoder{w: w, calls: map[int]*openItem{}, room: maxKept}
}

const (
	maxKept  = 256 << 20 // bytes of one answer
	itemCost = 1 << 10   // counted for an item or a part, in addition to its text
)

// encoder writes events in the form that the vendor's own clients read: with sequence
// numbers; each item with its own output index; each piece with the id of its item; and
// everything once more as a whole, last of all in the response that ends the stream. For that
// it keeps all that it writes.
//
//	stream = created in_progress (prose | call)... (completed | incomplete | failed)
//	prose  = output_item.added part... output_item.done     a message or reasoning
//	part   = part.added text.delta... text.done part.done
//	call   = output_item.added arguments.delta... arguments.done output_item.done
//
// One prose item is open at a time, with one part, and a call ends it; several calls may be
// open. The extras of a stream of this wire announce an item or a part before it begins:
// next is an item that is announced, and [openPart] has a part of its own that is.
type encoder struct {
	w    *writing
	meta chat.Meta

	id      string // of the response; fixed with the first event, like the time
	created int64
	seq     int // number of events
	items   []*openItem
	next    *openItem // the announced item
	prose   *openItem // the open message or reasoning
	calls   map[int]*openItem
	open    int                  // number of open calls
	sources map[string]*openItem // items that are copied, by their original output index
	copies  map[string]bool      // ids of calls in such items
	room    int                  // bytes left for what is kept

	sealed bool // reasoning passed on by another wire is encrypted by this wire's provider
	extras unknown.Waiting

	end      ending
	finished bool
	failure  *wire.Error
}

func (e *encoder) SetMeta(m chat.Meta) { e.meta = m }

func (e *encoder) Losses() []chat.Loss { return e.w.Log.Losses }

func (e *encoder) Append(dst []byte, d toolcall.Delta) []byte {
	switch d.Kind {
	case toolcall.DeltaExtra:
		return e.extra(dst, d)
	case toolcall.DeltaError:
		return e.fail(e.begin(dst), wire.Error{Code: d.Name, Message: d.Text})
	}
	dst = e.begin(dst)
	switch {
	case d.Choice != 0:
		e.w.Log.AddOnce(features.Choices, "stream.choices")
		return dst
	case e.finished:
		e.w.Log.AddOnce(features.AfterFinish, "stream")
		return dst
	case d.Kind == toolcall.DeltaFinish:
		return e.finish(dst, d)
	case len(d.Text) > e.room:
		return e.overflow(dst)
	case e.failure != nil:
		e.w.Log.AddOnce(features.AfterFinish, "stream")
		return dst
	}
	e.room -= len(d.Text)
	switch d.Kind {
	case toolcall.DeltaText:
		dst = e.say(dst, textPart, d.Text)
	case toolcall.DeltaRefusal:
		dst = e.say(dst, refusalPart, d.Text)
	case toolcall.DeltaReasoning:
		dst = e.say(dst, summaryPart, d.Text)
	case toolcall.DeltaSignature:
		dst = e.signature(dst, d)
	case toolcall.DeltaToolCall:
		dst = e.call(dst, d)
	}
	return dst
}

// overflow gives up an answer that is too long.
func (e *encoder) overflow(dst []byte) []byte {
	if e.room = 0; e.failure != nil {
		return dst
	}
	e.w.Log.Losses = append(e.w.Log.Losses, chat.Loss{
		Field: "stream", Reason: "the wire repeats an answer at its end, and this one is too long to repeat", Action: "ended as failed",
	})
	return e.fail(dst, wire.Error{Code: serverError, Message: "the answer is too long"})
}

// Close writes the response in its final state, which waits for the usage.
func (e *encoder) Close(dst []byte) []byte {
	dst = e.begin(dst)
	if !e.finished && e.failure == nil {
		dst = e.finish(dst, toolcall.Delta{Truncated: true})
	}
	if e.failure != nil {
		e.end = ending{status: "failed", failure: e.failure}
	}
	event := "response." + e.end.status
	switch e.end.status {
	case "completed", "incomplete", "failed":
	default: // other statuses have no event of their own
		event = "response.incomplete"
	}
	w := e.event(dst, event)
	w.Key("response")
	e.response(w, e.end)
	return endEvent(e.extras.Take(w.Out, atEnd))
}

// begin begins the response, unless it has begun.
func (e *encoder) begin(dst []byte) []byte {
	if e.id != "" {
		return dst
	}
	e.created = e.meta.Created
	if e.id = e.meta.ID; e.id == "" {
		e.id = itemID("resp_", wire.Seed(e.meta, 0)+e.meta.Model, 0)
	}
	e.w.madeUp(e.meta, e.id)
	for _, kind := range [...]string{"response.created", "response.in_progress"} {
		w := e.event(dst, kind)
		w.Key("response")
		e.response(w, ending{status: "in_progress"})
		dst = endEvent(w.Out)
	}
	return dst
}

// event begins an event, up to its own members.
func (e *encoder) event(dst []byte, kind string) *jsonout.Writer {
	w := &jsonout.Writer{Out: e.beginEvent(dst, kind)}
	w.Next()
	return w
}

func (e *encoder) beginEvent(dst []byte, kind string) []byte {
	dst = append(append(dst, "event: "...), kind...)
	dst = append(append(dst, "\ndata: {\"type\":\""...), kind...)
	dst = append(dst, `","sequence_number":`...)
	dst = strconv.AppendInt(dst, int64(e.seq), 10)
	e.seq++
	return dst
}

// endEvent ends an event.
func endEvent(dst []byte) []byte { return append(dst, "}\n\n"...) }

// response writes the response in its current state. It has no output before its end.
func (e *encoder) response(w *jsonout.Writer, end ending) {
	if end.failure != nil {
		end.failure = &wire.Error{Code: e.codeOf(*end.failure), Message: end.failure.Message}
	}
	extras := e.extras.Extras("response", Wire, "", inputDetails, outputDetails, "usage", "incomplete_details", "error")
	answer := answer{meta: e.meta, ending: end, extras: extras, begins: end.status == "in_progress"}
	answer.meta.ID, answer.meta.Created = e.id, e.created
	answer.write(w, func() {
		for _, it := range e.items {
			it.write(w)
		}
	})
}

// finish ends all items. Open calls are truncated.
func (e *encoder) finish(dst []byte, d toolcall.Delta) []byte {
	e.finished = true
	d.Truncated = d.Truncated || e.open > 0
	f := wire.FinishOf(e.meta.Wire, d, len(e.calls) > 0)
	var lost features.Feature
	if e.end, lost = endOf(f, nil); lost != "" {
		e.w.Log.Finish(lost, "stream.finish", f)
	}
	if e.end.status == "incomplete" && e.end.reason == "" && e.meta.Wire == Wire {
		e.end.reason = d.Name
	}
	return e.endItems(dst, d.Truncated || wire.IsCut(f.Reason))
}

// endItems ends all open items. Incomplete ones are truncated.
func (e *encoder) endItems(dst []byte, cut bool) []byte {
	if e.prose != nil {
		e.prose.cut = cut
	}
	dst = e.settle(dst)
	for _, it := range e.items {
		if !it.done {
			it.cut = true
			dst = e.itemDone(dst, it)
		}
	}
	for _, it := range e.calls {
		if it.request != nil && !it.done {
			it.done = true
			e.w.Log.AddOnce(features.BrokenArguments, "stream.calls.arguments", "left out: the call is incomplete")
		}
	}
	return dst
}

// fail writes an error after the ends of all items, which the failed response repeats. It
// writes the members of an error both as documented and as servers send them, because
// clients expect either.
func (e *encoder) fail(dst []byte, err wire.Error) []byte {
	kind := err.Code
	if err.Code == wireio.StreamError {
		err.Code = serverError
	}
	if e.meta.Wire != Wire || kind == wireio.StreamError {
		of := wireio.ErrorOf(0, kind)
		if kind = of.OpenAI; err.Code == strconv.Itoa(of.Status) { // clients know only words
			err.Code = serverError
			if of.Status == http.StatusTooManyRequests {
				err.Code = "rate_limit_exceeded"
			}
		}
	}
	if e.failure == nil {
		e.failure = &err
		dst = e.endItems(dst, true)
		if e.finished {
			e.w.Log.AddOnce(features.FinishFailed, "stream.finish")
		}
	}
	extras := e.extras.Drop("error")
	w := e.event(dst, "error")
	for _, nested := range [...]bool{false, true} {
		if nested {
			w.KeyObject("error")
			if !extras.Has("type") {
				w.Text("type", kind)
			}
		}
		w.KeyOrNull("code", err.Code)
		w.KeyString("message", err.Message)
		if !extras.Has("param") {
			w.KeyNull("param")
		}
		for _, x := range extras {
			if nested || x.Name != "type" && x.Name != "error" {
				w.Out = unknown.Members{x}.AppendTo(w.Out)
			}
		}
	}
	w.EndObject()
	return endEvent(w.Out)
}

// serverError is the code of an error without one.
const serverError = "server_error"

// codeOf returns the code of an error, which a response requires.
func (e *encoder) codeOf(err wire.Error) string {
	if err.Code == "" {
		e.w.Log.AddOnce(features.Failure, "stream.error.code", serverError+" is made up")
		return serverError
	}
	return err.Code
}

// signature writes the provider's own encrypted reasoning: it ends the item of the
// reasoning before it, or is an item of its own.
func (e *encoder) signature(dst []byte, d toolcall.Delta) []byte {
	switch {
	case d.Name == toolcall.SignsCall && e.meta.Wire == Wire:
		e.w.Log.AddOnce(features.Signature, "stream.signature")
		return dst
	case e.meta.Wire == Wire, e.sealed, e.w.Sealed && d.Name != toolcall.SignsCall:
	case d.Name == toolcall.SignsRedacted:
		e.w.Log.AddOnce(features.ForeignRedacted, "stream.redacted")
		return dst
	default:
		e.w.Log.AddOnce(features.ForeignSignature, "stream.signature")
		return dst
	}
	if e.next != nil || e.prose == nil || e.prose.kind != reasoningItem || d.Name == toolcall.SignsRedacted && len(e.prose.text) > 0 {
		dst = e.openProse(e.closeProse(dst), reasoningItem, d.ID)
	}
	e.prose.encrypted = d.Text
	return e.closeProse(dst)
}

// say writes a piece of a text. Reasoning is a summary, unless it was announced as
// something else.
func (e *encoder) say(dst []byte, kind partKind, text string) []byte {
	of := partShapes[kind].item
	if e.next != nil || e.prose == nil || e.prose.kind != of {
		dst = e.openProse(e.closeProse(dst), of, "")
	}
	it := e.prose
	if of == reasoningItem && (it.part.kind == thoughtPart || it.part.kind == noPart && it.part.next == thoughtPart) {
		kind = thoughtPart
	}
	dst = e.enterPart(dst, it, kind)
	return e.piece(dst, it, partShapes[kind].deltaPath, text)
}
