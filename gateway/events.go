package gateway

import (
	"bytes"
	"cmp"
	"io"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/toolcall"
)

// events is the stream to a client. It holds what is written until begin is called: until
// then, the status of the response can still report an error, and another answer can
// replace this one. It sends keep-alives to clients that wait for long.
type events struct {
	x       *exchange
	control *http.ResponseController
	shaped  streamShape // nil: as written

	mu      sync.Mutex
	held    []byte // written before begin
	started bool   // the status was sent
	open    bool   // what is written goes to the client
	late    bool   // but only at flush
	dirty   bool   // there is something to flush
	closed  bool
	err     error // the client is gone
	alive   *time.Timer
}

// streamShape changes the format of a stream.
type streamShape interface {
	write(dst, events []byte) []byte
	end(dst []byte) []byte
}

func newEvents(x *exchange) *events {
	e := &events{x: x, control: http.NewResponseController(x.w)}
	if x.front.shape != nil {
		e.shaped = x.front.shape(x.r)
	}
	if x.front.keepAlive != "" {
		e.mu.Lock() // the timer may fire before it is assigned
		e.alive = time.AfterFunc(x.opts.Timeouts.KeepAlive, e.keepAlive)
		e.mu.Unlock()
	}
	return e
}

// Write implements [io.Writer]. p must consist of whole events.
func (e *events) Write(p []byte) (int, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if !e.open || e.late {
		e.held = append(e.held, p...)
		return len(p), nil
	}
	e.write(p)
	return len(p), e.err
}

// write sends events. The caller holds the lock.
func (e *events) write(p []byte) {
	if len(p) == 0 || e.err != nil {
		return
	}
	if e.shaped != nil {
		p = e.shaped.write(nil, p)
	}
	e.send(e.x.withoutKey(p))
}

// send sends bytes. The caller holds the lock.
func (e *events) send(p []byte) {
	if e.err != nil {
		return
	}
	_ = e.control.SetWriteDeadline(time.Now().Add(e.x.opts.Timeouts.Write)) // fails on servers without deadlines
	_, e.err = e.x.w.Write(p)
	e.dirty = true
}

// start sends the status. The caller holds the lock.
func (e *events) start() {
	if e.started {
		return
	}
	e.started = true
	h := e.x.w.Header()
	h.Set("Content-Type", e.x.front.server.StreamType)
	if e.shaped != nil {
		h.Set("Content-Type", "application/json")
	}
	h.Set("Cache-Control", "no-cache")
	h.Set("X-Accel-Buffering", "no") // keeps a proxy in front of this server from buffering events
	e.x.w.WriteHeader(http.StatusOK)
}

// begin sends what was held, and everything written from now on.
func (e *events) begin() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.start()
	if !e.open {
		e.open = true
		e.write(e.held)
		e.held = nil
	}
}

// delay holds what is written until flush.
func (e *events) delay() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.late = true
}

// drop discards what is held.
func (e *events) drop() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.held = nil
}

// waiting returns the number of bytes held.
func (e *events) waiting() int {
	e.mu.Lock()
	defer e.mu.Unlock()
	return len(e.held)
}

func (e *events) begun() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.started
}

// flush sends to the client what was written.
func (e *events) flush() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.flushLocked()
}

func (e *events) flushLocked() {
	if e.open && len(e.held) > 0 {
		e.write(e.held)
		e.held = e.held[:0]
	}
	if !e.dirty || e.err != nil {
		return
	}
	e.dirty = false
	e.err = e.control.Flush()
	if e.alive != nil && !e.closed {
		e.alive.Reset(e.x.opts.Timeouts.KeepAlive)
	}
}

// flushedBefore returns a reader that flushes before it waits for more of r.
func (e *events) flushedBefore(r io.Reader) io.Reader { return flusher{r, e} }

type flusher struct {
	io.Reader
	events *events
}

func (f flusher) Read(p []byte) (int, error) {
	f.events.flush()
	return f.Reader.Read(p)
}

// keepAlive shows a waiting client that the server is alive.
func (e *events) keepAlive() {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.closed || e.err != nil {
		return
	}
	e.start()
	e.send([]byte(e.x.front.keepAlive))
	e.flushLocked()
}

// close ends the stream. Nothing may be written to it afterwards.
func (e *events) close() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.closed = true
	if e.alive != nil {
		e.alive.Stop()
	}
	if e.started && e.shaped != nil {
		e.send(e.shaped.end(nil))
	}
	e.flushLocked()
}

// finish sends everything that was written.
func (e *events) finish() {
	e.begin()
	e.flush()
}

// fail reports an error to the client: by the status if that has not been sent, and
// otherwise as an error in the front's stream.
func (e *events) fail(p *prepared, failed *failure) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.held, e.open = nil, true
	if !e.started {
		e.started, e.shaped = true, nil
		failed.send(e.x.w, e.x.front)
		return
	}
	encoding := p.encoding(e.x.front)
	enc := e.x.front.codec.NewEncoder(encoding.Chat)
	enc.SetMeta(chat.Meta{ID: encoding.ID, Model: encoding.Model, Created: encoding.Created})
	out := enc.Append(nil, toolcall.Delta{Kind: toolcall.DeltaError, Name: cmp.Or(failed.code, strconv.Itoa(failed.status)), Text: failed.message})
	e.write(enc.Close(out))
}

// list writes a stream as one JSON array, as Gemini does for clients that do not request
// events.
type list struct{ begun bool }

// newList returns nil for a client that requested events.
func newList(r *http.Request) streamShape {
	if r.URL.Query().Get("alt") == "sse" {
		return nil
	}
	return new(list)
}

func (l *list) write(dst, events []byte) []byte {
	for line := range bytes.Lines(events) {
		data, ok := bytes.CutPrefix(bytes.TrimSpace(line), []byte("data: "))
		if !ok {
			continue
		}
		before := ",\r\n"
		if !l.begun {
			l.begun, before = true, "["
		}
		dst = append(append(dst, before...), data...)
	}
	return dst
}

func (l *list) end(dst []byte) []byte {
	if !l.begun {
		dst = append(dst, '[')
	}
	return append(dst, ']')
}
