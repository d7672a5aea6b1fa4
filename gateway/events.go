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

// events is the stream that a client gets. What is written waits until begin: up to
// there an error can still be told by the status of the answer, and another answer can
// take its place. A client that waits long is told that the server is alive.
type events struct {
	x       *exchange
	control *http.ResponseController
	shaped  streamShape // nil: as it is written

	mu      sync.Mutex
	held    []byte // before it is open
	started bool   // the status is sent
	open    bool   // what is written goes to the client
	late    bool   // but not before flush
	dirty   bool   // there is something to flush
	closed  bool
	err     error // of a client that is gone
	alive   *time.Timer
}

// streamShape makes something else of the events of a stream.
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
		e.mu.Lock() // it may ring before it is kept
		e.alive = time.AfterFunc(x.opts.Timeouts.KeepAlive, e.keepAlive)
		e.mu.Unlock()
	}
	return e
}

// Write implements [io.Writer] for whole events.
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

// write sends events. The lock is held.
func (e *events) write(p []byte) {
	if len(p) == 0 || e.err != nil {
		return
	}
	if e.shaped != nil {
		p = e.shaped.write(nil, p)
	}
	e.send(p)
}

// send sends bytes. The lock is held.
func (e *events) send(p []byte) {
	if e.err != nil {
		return
	}
	_ = e.control.SetWriteDeadline(time.Now().Add(e.x.opts.Timeouts.Write)) // where the server has deadlines
	_, e.err = e.x.w.Write(p)
	e.dirty = true
}

// start sends the status. The lock is held.
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
	h.Set("X-Accel-Buffering", "no") // a proxy before this server must not hold events back
	e.x.w.WriteHeader(http.StatusOK)
}

// begin sends what waited. From now on nothing waits.
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

// delay makes what is written wait for flush.
func (e *events) delay() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.late = true
}

// drop forgets what waits.
func (e *events) drop() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.held = nil
}

// waiting is how many bytes wait.
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

// flush sends to the client what is written.
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

// keepAlive tells a client that waits that the server is alive.
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

// close ends the stream. Nothing writes to it after that.
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

// fail tells a client of an error: by the status where that is not sent, and else as the
// front's stream tells errors.
func (e *events) fail(p *prepared, err error) {
	failed := failureOf(err)
	e.x.entry.failed = failed
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
	enc.SetMeta(chat.Meta{ID: encoding.ID, Model: encoding.Model})
	out, err := enc.Append(nil, toolcall.Delta{Kind: toolcall.DeltaError, Name: cmp.Or(failed.code, strconv.Itoa(failed.status)), Text: failed.message})
	if err == nil {
		out, err = enc.Close(out)
	}
	if err == nil {
		e.write(out)
	}
}

// list is a stream as one JSON array, as Gemini writes it for clients that do not ask
// for events.
type list struct{ begun bool }

// newList returns nil for a client that asked for events.
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
