package rawjson

import (
	"github.com/toolparse/toolparse/internal/jsonvalue"
	"github.com/toolparse/toolparse/internal/strictjson"
)

// index tells where the strings and the containers of data end, so that whoever walks
// through these passes over each in one step, at any level and as often as it likes. One
// pass over the data makes it.
//
// A string has one entry, 2*end, and 1 more if it may have escapes; end is that of its
// text. A container has two: its end, and the entry behind those of what is in it. Entries
// stand in the order of their bytes, and numbers and literals have none, so that a walk
// takes an entry for each quote or opening bracket that it meets. Only data that are JSON
// have an index.
type index struct {
	base    int // the place of the data in the event's
	entries []uint32
}

const (
	// maxIndexed is the size of the largest data with an index.
	maxIndexed = 1<<31 - 1
	// shortString is what is looked at by a few bytes at a time, before a search.
	shortString = 48
)

// read makes the index that of data, which are JSON of at most maxIndexed bytes.
func (ix *index) read(data []byte) {
	entries := ix.entries[:0]
	if entries == nil { // most have about one in 16 bytes
		entries = make([]uint32, 0, len(data)/16+8)
	}
	open := -1 // the innermost container that is open; its second entry leads to its parent until it ends
	for at := 0; at < len(data); at++ {
		switch data[at] {
		case '"':
			at++
			n := strictjson.PlainRun(data[at:min(at+shortString, len(data))])
			if at+n < len(data) && data[at+n] == '"' {
				at += n
				entries = append(entries, uint32(at)*2)
			} else {
				at = jsonvalue.StringEnd(data, at)
				entries = append(entries, uint32(at)*2+1)
			}
		case '{', '[':
			entries = append(entries, 0, uint32(open))
			open = len(entries) - 2
		case '}', ']':
			inner := open
			open = int(int32(entries[inner+1]))
			entries[inner], entries[inner+1] = uint32(at+1), uint32(len(entries))
		}
	}
	ix.entries = entries
}

// walk goes through what is in a container.
type walk struct {
	raw   []byte
	from  int // the place of raw in the event's data
	at    int // in raw
	index *index
	entry int // of the next string or container
}

// inside returns a walk that stands behind the bracket that opens a container. That of a value
// without an index gets one; what is no JSON has nothing inside.
func (v *Value) inside() walk {
	if v.index != nil {
		return walk{v.Raw, v.At, 1, v.index, int(v.entry) + 2}
	}
	if len(v.Raw) > maxIndexed || !strictjson.Valid(v.Raw) || v.Raw[0] != [...]byte{Array: '[', Object: '{'}[v.Kind] {
		return walk{}
	}
	ix := &index{base: v.At}
	ix.read(v.Raw)
	return walk{v.Raw, v.At, 1, ix, 2}
}

// token skips blanks, and a separator if it is there. It returns the byte behind them, 0 at
// the end.
func (w *walk) token(separator byte) byte {
	c := w.peek()
	if c == separator {
		w.at++
		c = w.peek()
	}
	return c
}

// peek skips blanks, and returns the byte behind them, 0 at the end.
func (w *walk) peek() byte {
	for w.at < len(w.raw) {
		if c := w.raw[w.at]; c > ' ' || !strictjson.IsBlank(c) {
			return c
		}
		w.at++
	}
	return 0
}

// value takes the value that begins with c.
func (w *walk) value(c byte) Value {
	at := w.at
	switch c {
	case '"':
		end := w.index.entries[w.entry]
		w.entry++
		stop := int(end/2) + w.index.base - w.from
		w.at = min(stop+1, len(w.raw))
		return Value{Kind: String, plain: end%2 == 0, Raw: w.raw[at+1 : stop], At: w.from + at + 1}
	case '{', '[':
		v := Value{Kind: Object, At: w.from + at, index: w.index, entry: int32(w.entry)}
		if c == '[' {
			v.Kind = Array
		}
		w.at = int(w.index.entries[w.entry]) + w.index.base - w.from
		w.entry = int(w.index.entries[w.entry+1])
		v.Raw = w.raw[at:w.at]
		return v
	}
	for w.at < len(w.raw) && !endsLiteral(w.raw[w.at]) {
		w.at++
	}
	return Value{Kind: literals[c], Raw: w.raw[at:w.at], At: w.from + at}
}

func endsLiteral(c byte) bool { return c == ',' || c == '}' || c == ']' || strictjson.IsBlank(c) }

// literals are the kinds of the values that begin with a byte.
var literals = func() (kinds [256]Kind) {
	for _, c := range "-0123456789" {
		kinds[c] = Number
	}
	kinds['t'], kinds['f'], kinds['n'] = Bool, Bool, Null
	return kinds
}()
