// Package frame splits the body of a provider's response into events: server-sent events
// by the rules of WHATWG, or successive JSON values, which may be lines, the elements of
// an array, or a single body.
//
// A splitter is fed bytes in pieces of any size, and returns an event as soon as the last
// byte of it has come. It takes linear time, and memory for the largest event so far,
// which [TooLargeError] limits.
package frame

import (
	"bytes"

	"github.com/toolparse/toolparse/internal/jsonindex"
)

// DefaultMaxEventBytes is the size limit for a maxBytes of 0.
const DefaultMaxEventBytes = 32 << 20

// Framing is the way in which events are separated.
type Framing uint8

// The framings.
const (
	SSE  Framing = iota + 1 // server-sent events
	JSON                    // successive JSON values
)

// Event is one event of a stream.
type Event struct {
	Framing Framing
	Number  int   // from 1
	Offset  int64 // of Data in the input
	// Cut means that the input ended before the event did. Its data may be incomplete.
	Cut bool
	// Element means that the event is an element of an array.
	Element bool
	// Name is the event field of SSE.
	Name string
	// Data is the payload: in SSE the data lines, joined by line feeds; in JSON the
	// value. It is valid until the splitter is used again, or the piece that it was fed
	// changes.
	Data []byte

	known []byte           // what the splitter had to read as JSON to find the end
	value *jsonindex.Value // of a body that is one object; or nil
}

// IsJSON reports whether Data are known to be one JSON value without reading them,
// because the splitter had to.
func (e Event) IsJSON() bool {
	return len(e.known) > 0 && len(e.known) == len(e.Data) && &e.known[0] == &e.Data[0]
}

// Indexed returns the value of Data if they are known to be JSON, and have an index.
func (e Event) Indexed() (v jsonindex.Value, ok bool) {
	if e.value == nil || len(e.Data) != len(e.value.Raw) || &e.value.Raw[0] != &e.Data[0] {
		return jsonindex.Value{}, false
	}
	return *e.value, true
}

// IsBody reports whether the event may be a whole body: the first value of JSON.
func (e Event) IsBody() bool { return e.Framing == JSON && e.Number == 1 }

// IsDone reports whether the event is the end marker "[DONE]".
func (e Event) IsDone() bool { return string(bytes.TrimSpace(e.Data)) == "[DONE]" }

// Body returns the event of a whole body that is one object. ok is false for any other
// body, which may be broken, or more than one event. The index of the body is ix.
func Body(body []byte, maxBytes int, ix *jsonindex.Index) (e Event, ok bool) {
	data := bytes.TrimRight(body, " \t\r\n")
	at := len(data) - len(bytes.TrimLeft(data, " \t\r\n"))
	if data = data[at:]; len(data) == 0 || data[0] != '{' || len(data) > limit(maxBytes) {
		return Event{}, false
	}
	v, ok := ix.Read(data)
	return Event{Framing: JSON, Number: 1, Offset: int64(at), Data: data, value: &v}, ok
}

// IndexedBody is [Body] for a body that has been read.
func IndexedBody(v *jsonindex.Value, maxBytes int) (e Event, ok bool) {
	ok = v.Kind == jsonindex.Object && len(v.Raw) <= limit(maxBytes)
	return Event{Framing: JSON, Number: 1, Data: v.Raw, value: v}, ok
}

func limit(maxBytes int) int {
	if maxBytes <= 0 {
		return DefaultMaxEventBytes
	}
	return maxBytes
}

// Splitter splits a stream of bytes into events.
type Splitter interface {
	// Next reads from the front of p up to the end of the next event, and returns the
	// number of bytes. If ok is false, there was no end of an event, and all of p was
	// read. Do not use the splitter after an error, which is a *TooLargeError or a
	// *SyntaxError.
	Next(p []byte) (e Event, n int, ok bool, err error)

	// End ends the input. ok reports whether e is a last event, whose end did not come.
	End() (e Event, ok bool)
}

// New returns a splitter. Events with more than maxBytes of data are errors; 0 means
// DefaultMaxEventBytes.
func New(f Framing, maxBytes int) Splitter {
	maxBytes = limit(maxBytes)
	if f == SSE {
		return &sseSplitter{max: maxBytes}
	}
	return &jsonSplitter{max: maxBytes}
}
