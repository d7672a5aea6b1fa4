// Package jsonout writes JSON by appending to a slice, without reflection, and without
// allocations except for the slice.
package jsonout

import (
	"slices"
	"strconv"

	"github.com/toolparse/toolparse/internal/printable"
	"github.com/toolparse/toolparse/internal/recent"
	"github.com/toolparse/toolparse/internal/wire/rawjson"
)

// Writer appends JSON to Out. It inserts the commas; the caller is responsible for the
// order of values and brackets. The zero value is ready.
type Writer struct {
	Out   []byte
	Texts *recent.Texts // may be nil
	comma bool          // the next value or key needs a comma
}

// Object opens an object.
func (w *Writer) Object() { w.open('{') }

// EndObject closes it.
func (w *Writer) EndObject() { w.end('}') }

// Array opens an array.
func (w *Writer) Array() { w.open('[') }

// EndArray closes it.
func (w *Writer) EndArray() { w.end(']') }

// Key begins a member.
func (w *Writer) Key(name string) {
	w.String(name)
	w.Out = append(w.Out, ':')
	w.comma = false
}

// String writes a string. Invalid UTF-8 becomes U+FFFD.
func (w *Writer) String(s string) {
	w.value()
	w.Out = w.Texts.AppendQuoted(w.Out, s, rawjson.AppendQuoted)
}

// Int writes a number.
func (w *Writer) Int(n int64) {
	w.value()
	w.Out = strconv.AppendInt(w.Out, n, 10)
}

// Bool writes true or false.
func (w *Writer) Bool(b bool) {
	w.value()
	w.Out = strconv.AppendBool(w.Out, b)
}

// Raw writes JSON unchanged, except for the characters that [OneLine] escapes. Empty JSON
// is written as null.
func (w *Writer) Raw(json []byte) {
	w.value()
	if len(json) == 0 {
		json = []byte("null")
	}
	from := len(w.Out)
	w.Out = printable.EscapeFrom(append(w.Out, json...), from)
}

// KeyString writes a member that is a string.
func (w *Writer) KeyString(name, s string) { w.Key(name); w.String(s) }

// KeyInt writes a member that is a number.
func (w *Writer) KeyInt(name string, n int64) { w.Key(name); w.Int(n) }

// KeyBool writes a member that is true or false.
func (w *Writer) KeyBool(name string, b bool) { w.Key(name); w.Bool(b) }

// KeyOrNull writes a member that is a string, or null instead of an empty one.
func (w *Writer) KeyOrNull(name, s string) {
	if s == "" {
		w.KeyNull(name)
	} else {
		w.KeyString(name, s)
	}
}

// KeyNull writes a member that is null.
func (w *Writer) KeyNull(name string) { w.Member(name, nil) }

// KeyObject opens an object that is a member.
func (w *Writer) KeyObject(name string) { w.Key(name); w.Object() }

// KeyArray opens an array that is a member.
func (w *Writer) KeyArray(name string) { w.Key(name); w.Array() }

// Text writes a member that is a string, unless it is empty.
func (w *Writer) Text(name, s string) {
	if s != "" {
		w.KeyString(name, s)
	}
}

// Number writes a member that is a number, unless it is 0.
func (w *Writer) Number(name string, n int) {
	if n != 0 {
		w.KeyInt(name, int64(n))
	}
}

// Member writes a member with a JSON value.
func (w *Writer) Member(name string, json []byte) { w.Key(name); w.Raw(json) }

// Fields writes the members of an object, except some.
func (w *Writer) Fields(object rawjson.Value, except ...string) {
	for key, v := range object.Fields() {
		if !slices.Contains(except, string(key)) {
			w.Member(string(key), v.JSON())
		}
	}
}

// Strings writes a member that is a list of strings, unless it is empty.
func (w *Writer) Strings(name string, list []string) {
	if len(list) == 0 {
		return
	}
	w.KeyArray(name)
	for _, s := range list {
		w.String(s)
	}
	w.EndArray()
}

// Next says that Out ends with a value, so that a comma must follow.
func (w *Writer) Next() { w.comma = true }

func (w *Writer) value() {
	if w.comma {
		w.Out = append(w.Out, ',')
	}
	w.comma = true
}

func (w *Writer) open(c byte) {
	w.value()
	w.Out = append(w.Out, c)
	w.comma = false
}

func (w *Writer) end(c byte) {
	w.Out = append(w.Out, c)
	w.comma = true
}

// OneLine returns JSON on one line for every reader, as streams need it. It works in
// place, unless some characters must be escaped. See package printable.
func OneLine(json []byte) []byte {
	unbreak(json)
	return printable.JSON(json)
}

// AppendLine appends JSON in the form of OneLine.
func AppendLine[T ~string | ~[]byte](dst []byte, json T) []byte {
	from := len(dst)
	dst = append(dst, json...)
	unbreak(dst[from:])
	return printable.EscapeFrom(dst, from)
}

func unbreak(json []byte) {
	for i, c := range json {
		if c == '\n' || c == '\r' {
			json[i] = ' '
		}
	}
}
