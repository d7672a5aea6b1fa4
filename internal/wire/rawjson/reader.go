// Package rawjson reads fields of the JSON in providers' events without building a tree.
// It first checks that the data are valid. Names of members are case-sensitive, and the
// last of several equal ones counts.
package rawjson

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"unicode/utf8"

	"github.com/toolparse/toolparse/internal/jsonindex"
	"github.com/toolparse/toolparse/internal/strictjson"
	"github.com/toolparse/toolparse/internal/wire/frame"
)

// Reader checks the payloads of a stream's events, one after another. Its zero value is
// ready.
type Reader struct {
	event frame.Event
	scan  strictjson.Scanner
	index jsonindex.Index // of the event's data
	err   *frame.SyntaxError

	mistyped []Mistyped
}

// Mistyped is a value of another type than its wire requires.
type Mistyped struct {
	Value Value
	Err   error
}

// maxMistyped limits the values that are recorded for one event.
const maxMistyped = 100

// Reset makes r ready for another stream, and keeps memory.
func (r *Reader) Reset() {
	r.scan.Reset()
	r.mistyped = nil
	if r.event, r.err = (frame.Event{}), nil; r.index.Bytes() > maxScratch {
		r.index = jsonindex.Index{}
	}
}

// Open returns the value in the event's data; an absent one if they are blank, or a
// *frame.SyntaxError if they are not JSON. The other methods of r then concern this
// event, and values of the event before are no longer valid.
func (r *Reader) Open(e frame.Event) (Value, error) {
	r.event, r.err, r.mistyped = e, nil, nil
	if v, ok := e.Indexed(); ok {
		return v, nil
	}
	if len(bytes.TrimSpace(e.Data)) == 0 {
		return Value{}, nil
	}
	if len(e.Data) > jsonindex.MaxBytes {
		return Value{}, &frame.SyntaxError{Event: e.Number, Offset: e.Offset, Err: errTooLarge}
	}
	if len(e.Data) >= jsonindex.MinIndexed {
		if v, ok := r.index.Read(e.Data); ok {
			return v, nil
		}
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
	return jsonindex.Small(e.Data), nil
}

// Parse returns the value of a text, like [Reader.Open].
func Parse[T ~string | ~[]byte](text T) (Value, error) {
	return new(Reader).Open(frame.Event{Data: []byte(text)})
}

// Object returns v if it is an object. Anything else except null and absence becomes the
// event's error, with the joined path as its field.
func (r *Reader) Object(v Value, path ...string) Value {
	if v.Kind != Object && v.Kind != Absent {
		return r.bad(v, Object, path)
	}
	return v
}

// Array is Object for arrays.
func (r *Reader) Array(v Value, path ...string) Value {
	if v.Kind != Array && v.Kind != Absent {
		return r.bad(v, Array, path)
	}
	return v
}

// String is Object for strings.
func (r *Reader) String(v Value, path ...string) Value {
	if v.Kind != String && v.Kind != Absent {
		return r.bad(v, String, path)
	}
	return v
}

// Bool reports whether v is true. As with Object, anything except a boolean, null and
// absence is an error.
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

// Index returns an index, which may be written as a string. ok is false if it is missing;
// anything else is the event's error.
func (r *Reader) Index(v Value, path ...string) (n int, ok bool) {
	return r.whole(v, errIndex, path)
}

// Count is Index for counts, such as those of tokens.
func (r *Reader) Count(v Value, path ...string) int {
	n, _ := r.whole(v, errCount, path)
	return n
}

func (r *Reader) whole(v Value, bad error, path []string) (n int, ok bool) {
	if !v.IsSet() {
		return 0, false
	}
	if n, ok = v.Int(); !ok || n < 0 {
		r.FailType(v, bad, path...)
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

// Fail makes err the event's error, at value v and with the joined path as its field,
// unless there already is one.
func (r *Reader) Fail(v Value, err error, path ...string) {
	if r.err == nil {
		var field []byte // a copy, so that callers keep their paths off the heap
		for _, step := range path {
			field = append(field, step...)
		}
		r.err = &frame.SyntaxError{Event: r.event.Number, Offset: r.event.Offset + int64(v.At), Field: string(field), Err: err}
	}
}

// FailType is Fail for a value of a wrong type.
func (r *Reader) FailType(v Value, err error, path ...string) {
	r.Fail(v, err, path...)
	if v.IsSet() && len(r.mistyped) < maxMistyped {
		r.mistyped = append(r.mistyped, Mistyped{v, err})
	}
}

// Mistyped returns the values of a wrong type that have been met since Open, in their order
// in the data, without those inside of others.
func (r *Reader) Mistyped() []Mistyped {
	slices.SortStableFunc(r.mistyped, func(a, b Mistyped) int { return a.Value.At - b.Value.At })
	end := 0 // of the last value
	r.mistyped = slices.DeleteFunc(r.mistyped, func(m Mistyped) bool {
		inside := m.Value.At < end
		end = max(end, m.Value.At+len(m.Value.Raw)+1) // "" is a value as well
		return inside
	})
	return r.mistyped
}

// bad returns an absent value instead of one of another kind, which is an error unless it
// is missing.
func (r *Reader) bad(v Value, kind Kind, path []string) Value {
	if v.IsSet() {
		r.FailType(v, fmt.Errorf("expected %s, got %s", kind.Phrase(), v.Kind.Phrase()), path...)
	}
	return Value{}
}

// Need returns v and true if it has a kind. Anything else, including absence, becomes the
// event's error, with the joined path as its field.
func (r *Reader) Need(v Value, kind Kind, path ...string) (_ Value, ok bool) {
	if v.Kind == kind {
		return v, true
	}
	r.FailType(v, fmt.Errorf("expected %s, got %s", kind.Phrase(), v.Kind.Phrase()), path...)
	return Value{}, false
}

// ErrNotText means that JSON contains invalid UTF-8.
var ErrNotText = errors.New("invalid UTF-8")

// ValidText returns the number of bytes of data before the first invalid UTF-8.
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

// Choices is a set of choice numbers. Numbers from 63 on count as one. Its zero value is
// empty; sets can be compared with ==.
type Choices uint64

// Add adds a choice, which must not be negative.
func (s *Choices) Add(choice int) { *s |= 1 << min(choice, 63) }

// Has reports whether a choice is in the set. It returns false for numbers that count as
// one.
func (s Choices) Has(choice int) bool { return choice < 63 && s>>choice&1 == 1 }

// Any reports whether the set is not empty.
func (s Choices) Any() bool { return s != 0 }
