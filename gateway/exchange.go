package gateway

import (
	"bytes"
	"cmp"
	"crypto/rand"
	"errors"
	"io"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/toolparse/toolparse"
	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/manifest"
	"github.com/toolparse/toolparse/internal/reencode"
	"github.com/toolparse/toolparse/internal/wire"
	"github.com/toolparse/toolparse/toolcall"
)

// posted returns a handler for POST requests to a path of a front.
func (s *Server) posted(f *front, pattern ask) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		want, ok := f.asked(pattern, r)
		if !ok {
			s.notFound(w, r)
			return
		}
		entryOf(r).front = f
		u := s.current.Load()
		defer s.running.Add(-1)
		if s.running.Add(1) > int64(u.opts.Limits.Concurrent) {
			tell(w, r, f, &failure{status: http.StatusServiceUnavailable, message: "the server has reached its maximum of concurrent requests", retryAfter: "1"})
			return
		}
		body, err := u.readBody(w, r)
		if err != nil {
			tell(w, r, f, err)
			return
		}
		switch want.kind {
		case asksModel:
			u.describeModel(f, body, w)
		case asksCount:
			u.count(f, want, body, w, r)
		default:
			s.inspector.begin(u, r, entryOf(r), body)
			x := &exchange{setup: u, front: f, w: w, r: r, entry: entryOf(r)}
			x.answer(want, body)
		}
	}
}

// maxGrown limits the memory that is allocated for a client before it sends data.
const maxGrown = 64 << 10

// readBody reads the body of a client's request within a time limit, because a slow
// client would occupy one of the places for concurrent requests.
func (u *setup) readBody(w http.ResponseWriter, r *http.Request) ([]byte, error) {
	control := http.NewResponseController(w)
	_ = control.SetReadDeadline(time.Now().Add(u.opts.Timeouts.Request)) // fails on servers without deadlines
	var body bytes.Buffer
	body.Grow(int(min(max(r.ContentLength, 0), maxGrown)) + bytes.MinRead)
	_, err := body.ReadFrom(http.MaxBytesReader(w, r.Body, u.opts.Limits.RequestBytes))
	if big, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return nil, refused(http.StatusRequestEntityTooLarge, "the request has more than "+strconv.FormatInt(big.Limit, 10)+" bytes")
	}
	if errors.Is(err, os.ErrDeadlineExceeded) {
		w.Header().Set("Connection", "close")
		return nil, refused(http.StatusRequestTimeout, "the body of the request did not come within "+u.opts.Timeouts.Request.String())
	}
	if err != nil {
		return nil, refused(http.StatusBadRequest, "the body of the request is incomplete")
	}
	_ = control.SetReadDeadline(time.Time{})
	return body.Bytes(), nil
}

// count answers with an estimate of the number of tokens in a prompt, as the model gets
// it.
func (u *setup) count(f *front, want ask, body []byte, w http.ResponseWriter, r *http.Request) {
	p, err := u.prepare(f, want, unwrapped(body))
	if err != nil {
		tell(w, r, f, err)
		return
	}
	p.kept.done()
	sendJSON(w, http.StatusOK, f.server.EncodeCount(manifest.Tokens(string(p.body))))
}

// exchange is a request that is being handled.
type exchange struct {
	*setup
	front *front
	w     http.ResponseWriter
	r     *http.Request
	entry *entry // of the log
	key   string // of the upstream, which no client gets to see
}

// answer answers a request, as a stream or whole. If the answer is not as required, and
// nothing of it has been sent to the client, it asks the model again.
func (x *exchange) answer(want ask, body []byte) {
	p, err := x.prepare(x.front, want, body)
	if err != nil {
		x.fail(nil, nil, err)
		return
	}
	defer p.kept.done()
	x.key = p.target.Key
	x.entry.prepared(p)
	x.entry.record.sent(p)
	var out *events
	if p.asked.Stream {
		out = newEvents(x)
		defer out.close()
	}
	answer, err := p.target.ask(x.r.Context(), p, keyOf(x.r), x.entry)
	if err != nil {
		x.fail(p, out, err)
		return
	}
	for left := p.reasks(); ; left-- {
		calls := x.entry.counts
		send, again := x.pass(p, out, answer, left > 0)
		if again == nil {
			send()
			return
		}
		answer, err = again.target.ask(x.r.Context(), again, keyOf(x.r), x.entry)
		if err != nil { // a broken answer is better than none
			send()
			return
		}
		x.entry.counts = calls
		x.entry.reasked++
		x.entry.record.sent(again)
		p = again
	}
}

// pass reads an answer, and writes it as the front's stream while it arrives, or as the front's
// body if out is nil. It returns a function that sends the answer, or the rest of it, and, if
// the model should be asked again, the request for that.
func (x *exchange) pass(p *prepared, out *events, answer io.ReadCloser, mayAsk bool) (send func(), again *prepared) {
	defer answer.Close()
	if !mayAsk {
		p.forget()
	}
	encoding := p.encoding(x.front)
	var in io.Reader = answer
	if out != nil {
		out.drop()
		in = out.flushedBefore(answer)
	}
	stream, err := p.open(in)
	if err == nil && out != nil {
		err = encodeTo(out, stream, x.front.wire, encoding)
	}
	if err != nil {
		return func() { x.fail(p, out, err) }, nil
	}
	var v *review
	var a *toolparse.Answer
	keeps := p.kept != nil || p.target.remembersCalls(x.front)
	if out == nil || mayAsk || keeps {
		a = stream.Gather()
	}
	if mayAsk {
		v = &review{of: p, answer: a}
	}
	if out != nil && keeps {
		out.delay() // the client must not get the end before the answer is stored
	}
	if v, err = x.passEvents(stream, out, v); err != nil {
		x.entry.failed = failureOf(err)
		if out != nil && out.begun() { // the encoder has written the error
			return out.finish, nil
		}
		return func() { x.fail(p, out, err) }, nil
	}
	x.entry.usage = stream.Meta().Usage.Add(p.spent)
	x.entry.record.noted(stream.Notes())
	if v != nil {
		again = v.again(stream.Meta().Usage)
	}
	return func() {
		if keeps {
			p.rememberCalls(x.front, a.Message.Parts)
		}
		var body []byte
		if out == nil || p.kept != nil {
			body = x.encode(p, encoding, stream, a)
		}
		switch err := p.keep(encoding.ID, body, a); {
		case err != nil:
			x.fail(p, out, err)
		case out == nil:
			sendJSON(x.w, http.StatusOK, body)
		default:
			out.finish()
		}
	}, again
}

// fail sends an error to the client, in the form of its stream if out is not nil.
func (x *exchange) fail(p *prepared, out *events, err error) {
	failed := failureOf(err)
	failed.hide(x.key)
	x.entry.failed = failed
	if out != nil {
		out.fail(p, failed)
		return
	}
	failed.send(x.w, x.front)
}

// maxHeld limits the part of a stream that is held because the model may be asked again,
// in bytes.
const maxHeld = 8 << 20

// passEvents reads an answer to its end. Its review gets the events, and the client none of them
// before the end, unless the answer is too long to hold: then there is no review.
func (x *exchange) passEvents(stream *toolparse.Stream, out *events, v *review) (*review, error) {
	for e, err := range stream.Events() {
		if err != nil {
			return nil, err
		}
		x.entry.event(e)
		x.entry.record.event(e)
		if v != nil && out != nil && out.waiting() > maxHeld {
			v = nil
		}
		v.add(e)
		if v == nil && out != nil {
			out.begin()
		}
	}
	return v, nil
}

// encodeTo makes a stream write itself to out as it is read.
func encodeTo(out io.Writer, stream *toolparse.Stream, to toolparse.Wire, opts reencode.Options) error {
	enc, err := reencode.New(out, stream.Meta, to, opts)
	if err != nil {
		return err
	}
	stream.Tee(enc)
	return nil
}

// encode writes a whole answer as the front's body.
func (x *exchange) encode(p *prepared, encoding reencode.Options, stream *toolparse.Stream, a *toolparse.Answer) []byte {
	meta := stream.Meta()
	meta.Wire = "" // what was gathered is no longer in a server's format
	if encoding.ForceID {
		meta.ID = ""
	}
	meta.ID, meta.Model, meta.Created = cmp.Or(meta.ID, encoding.ID), cmp.Or(meta.Model, encoding.Model), cmp.Or(meta.Created, encoding.Created)
	meta.Usage = meta.Usage.Add(p.spent)
	finish := a.Finish
	for _, call := range a.Calls {
		if call.Status != toolcall.Complete && call.Reason != toolcall.ReasonDuplicate {
			finish = chat.Finish{Reason: chat.FinishLength} // as at the end of a stream, so that nobody runs half a call
		}
	}
	if finish.Reason == chat.FinishUnset {
		finish = chat.Finish{Reason: chat.FinishStop}
	}
	p.seal(x.front, &a.Message)
	body, _ := x.front.codec.EncodeResponse(&wire.Response{
		Meta: meta, Choices: []wire.Choice{{Message: a.Message, Finish: wire.WithCalls(finish, a.Message.HasCalls())}},
	}, encoding.Chat)
	return x.withoutKey(body)
}

// withoutKey removes the upstream's key from what goes to the client: some upstreams quote it
// in an error in the middle of an answer.
func (x *exchange) withoutKey(p []byte) []byte {
	if x.key == "" || !bytes.Contains(p, []byte(x.key)) {
		return p
	}
	return []byte(withoutKey(string(p), x.key))
}

// newID returns the random part of an id.
func newID() string { return strings.ToLower(rand.Text()) }
