// Package rawjson reads the JSON of provider events: fields are picked out of
// data that were first checked to be valid, by exact case, the last of equal
// keys counting, and without making a tree.
package rawjson

import (
	"bytes"
	"errors"
	"fmt"
	"unicode/utf8"

	"github.com/toolparse/toolparse/format/internal/frame"
	"github.com/toolparse/toolparse/internal/strictjson"
)

// Reader checks the payloads of a stream's events, one after the other. Its
// zero value is ready.
type Reader struct {
	event frame.Event
	scan  strictjson.Scanner
	index index // of the event's data
	err   *frame.SyntaxError
}

// Open returns the value that the event's data are, an absent one where they
// are blank, or a *frame.SyntaxError where they are no JSON. The rest of r is
// about that event from here on, and the values of the one before are no longer valid.
func (r *Reader) Open(e frame.Event) (Value, error) {
	r.event, r.err = e, nil
	if len(bytes.TrimSpace(e.Data)) == 0 {
		return Value{}, nil
	}
	if len(e.Data) > maxIndexed {
		return Value{}, &frame.SyntaxError{Event: e.Number, Offset: e.Offset, Err: errTooLarge}
	}
	if !e.IsJSON() {
		if err := r.scan.Check(e.Data); err != nil {
			at := len(e.Data)
			if bad, ok := err.(*strictjson.Error); ok {
				at = bad.At
			}
			return Value{}, &frame.SyntaxError{Event: e.Number, Offset: e.Offset + int64(at), Err: err}
		}
	}
	return valueOf(e.Data, &r.index), nil
}

// Parse returns the value that a text is; see [Reader.Open].
func Parse[T ~string | ~[]byte](text T) (Value, error) {
	return new(Reader).Open(frame.Event{Data: []byte(text)})
}

// Object returns v if it is an object. Anything else but null and absence
// becomes the error of the event, which names the field by the joined path.
func (r *Reader) Object(v Value, path ...string) Value {
	if v.Kind != Object {
		return r.bad(v, Object, path)
	}
	return v
}

// Array is as Object, for arrays.
func (r *Reader) Array(v Value, path ...string) Value {
	if v.Kind != Array {
		return r.bad(v, Array, path)
	}
	return v
}

// String is as Object, for strings.
func (r *Reader) String(v Value, path ...string) Value {
	if v.Kind != String {
		return r.bad(v, String, path)
	}
	return v
}

// Bool reports whether v is true. As with Object, only null and absence may
// stand in place of a boolean.
func (r *Reader) Bool(v Value, path ...string) bool {
	if v.Kind != Bool {
		r.bad(v, Bool, path)
	}
	return v.IsTrue()
}

var (
	errTooLarge = errors.New("larger than 2 GiB")
	errIndex    = errors.New("not an index: expected a whole number of at least 0")
	errCount    = errors.New("not a count: expected a whole number of at least 0")
)

// Index returns the place in a list that v is, also one that is written as a
// string. ok is false where it is missing; what is no index is the event's
// error.
func (r *Reader) Index(v Value, path ...string) (n int, ok bool) {
	return r.whole(v, errIndex, path)
}

// Count is as Index, for what is counted, such as tokens.
func (r *Reader) Count(v Value, path ...string) int {
	n, _ := r.whole(v, errCount, path)
	return n
}

func (r *Reader) whole(v Value, bad error, path []string) (n int, ok bool) {
	if !v.IsSet() {
		return 0, false
	}
	if n, ok = v.Int(); !ok || n < 0 {
		r.Fail(v, bad, path...)
		return 0, false
	}
	return n, true
}

// Err returns the first error since Open, a *frame.SyntaxError, or nil.
func (r *Reader) Err() error {
	if r.err == nil {
		return nil
	}
	return r.err
}

// Fail makes err the error of the event, at value v and with the joined path
// as its field, unless there is one already.
func (r *Reader) Fail(v Value, err error, path ...string) {
	if r.err == nil {
		var field []byte // a copy, so that callers keep their paths off the heap
		for _, step := range path {
			field = append(field, step...)
		}
		r.err = &frame.SyntaxError{Event: r.event.Number, Offset: r.event.Offset + int64(v.At), Field: string(field), Err: err}
	}
}

// bad is an absent value in place of one that is of another kind, which is an
// error unless it is missing.
func (r *Reader) bad(v Value, kind Kind, path []string) Value {
	if v.IsSet() {
		r.Fail(v, fmt.Errorf("expected %[2]v, got %[1]v", v.Kind, kind), path...)
	}
	return Value{}
}

// Need returns v if it is of a kind, and ok. Anything else, absence too, becomes
// the error of the event, which names the field by the joined path.
func (r *Reader) Need(v Value, kind Kind, path ...string) (_ Value, ok bool) {
	if v.Kind == kind {
		return v, true
	}
	r.Fail(v, fmt.Errorf("expected %[2]v, got %[1]v", v.Kind, kind), path...)
	return Value{}, false
}

// ErrNotText is the error of JSON that has bytes in it that are no UTF-8.
var ErrNotText = errors.New("invalid UTF-8")

// ValidText returns how many bytes of data are UTF-8 before the first that is not.
func ValidText(data []byte) int {
	at := 0
	for at < len(data) {
		r, n := utf8.DecodeRune(data[at:])
		if r == utf8.RuneError && n == 1 {
			break
		}
		at += n
	}
	return at
}

// Choices is a set of choice numbers. Those from 63 on count as one. Its zero
// value is empty; sets compare with ==.
type Choices uint64

// Add adds a choice, which must not be negative.
func (s *Choices) Add(choice int) { *s |= 1 << min(choice, 63) }

// Has reports whether a choice is in the set. Of those that count as one nothing
// is known, and so none is.
func (s Choices) Has(choice int) bool { return choice < 63 && s>>choice&1 == 1 }

// Any reports whether there is one in the set.
func (s Choices) Any() bool { return s != 0 }
