package jsonindex

import (
	"bytes"

	"github.com/toolparse/toolparse/internal/jsonvalue"
	"github.com/toolparse/toolparse/internal/strictjson"
)

// walk is a walk over the members of an object, or over the elements of an array. What it
// finds is returned in registers, and not stored, because a large part of reading a small
// body is walking.
type walk struct {
	at    int // where the next one begins in the container's Raw, or blanks or a comma before it
	entry int // the first entry of the index from there on
}

// walk returns a walk over v, which ends at once if v is of another kind.
func (v *Value) walk(kind Kind) walk {
	if v.Kind != kind {
		return walk{at: len(v.Raw)}
	}
	return walk{at: 1, entry: int(v.entry) + 2}
}

// key reads the next key of v, and returns false if there is none. The value follows.
func (w *walk) key(v *Value) (key []byte, ok bool) {
	raw := v.Raw
	at := skipGap(raw, w.at)
	if uint(at) >= uint(len(raw)) || raw[at] != '"' {
		return nil, false
	}
	at++
	if v.index == nil {
		end := jsonvalue.StringEnd(raw, at)
		key, w.at = raw[at:end], skipGap(raw, end+1)
		if bytes.IndexByte(key, '\\') >= 0 {
			key, _ = AppendUnescaped(nil, key)
		}
		return key, true
	}
	e := v.index.entries[w.entry]
	w.entry++
	end := int(e/2) - v.At - v.index.base
	key, w.at = raw[at:end], skipGap(raw, end+1)
	if e%2 != 0 {
		key = w.escaped(v, key, at)
	}
	return key, true
}

// escaped decodes a key with escapes, which begins at index at.
func (w *walk) escaped(v *Value, key []byte, at int) []byte {
	text, ok := w.text(v, key, at).Decoded()
	if !ok {
		text, _ = AppendUnescaped(nil, key)
	}
	return text
}

// text returns a string with escapes, which begins at index at, and whose entries are next.
func (w *walk) text(v *Value, raw []byte, at int) Value {
	entry := w.entry
	w.entry += 2
	return Value{String, false, int32(entry), raw, v.At + at, v.index}
}

// item reads the next element of v, and returns false if there is none.
func (w *walk) item(v *Value) (item Value, ok bool) {
	at := skipGap(v.Raw, w.at)
	if at >= len(v.Raw) || v.Raw[at] == ']' {
		return Value{}, false
	}
	w.at = at
	item = w.read(v)
	return item, w.at > at
}

// read reads the value in v that begins at w.at. In what is not JSON it finds something,
// and never reads past the end.
func (w *walk) read(v *Value) Value {
	raw, at := v.Raw, w.at
	if uint(at) >= uint(len(raw)) {
		w.at = len(raw)
		return Value{}
	}
	switch c := raw[at]; c {
	case '"':
		at++
		if v.index == nil {
			end := jsonvalue.StringEnd(raw, at)
			w.at = min(end+1, len(raw))
			return Value{String, false, 0, raw[at:end], v.At + at, nil}
		}
		e := v.index.entries[w.entry]
		w.entry++
		end := int(e/2) - v.At - v.index.base
		if w.at = end + 1; e%2 != 0 {
			return w.text(v, raw[at:end], at)
		}
		return Value{String, true, 0, raw[at:end], v.At + at, v.index}
	case '{', '[':
		kind, entry := Object, w.entry
		if c == '[' {
			kind = Array
		}
		if v.index != nil {
			w.at, w.entry = int(v.index.entries[entry])-v.At-v.index.base, int(v.index.entries[entry+1])
		} else {
			w.at = blockEnd(raw, at)
		}
		return Value{kind, false, int32(entry), raw[at:w.at], v.At + at, v.index}
	default:
		w.at = literalEnd(raw, at)
		return Value{literals[c], false, 0, raw[at:w.at], v.At + at, nil}
	}
}

// skip passes the value in v that begins at w.at.
func (w *walk) skip(v *Value) {
	if v.index == nil || w.at >= len(v.Raw) {
		w.read(v)
		return
	}
	entry, base := w.entry, v.At+v.index.base
	switch v.Raw[w.at] {
	case '"':
		e := v.index.entries[entry]
		if w.at, w.entry = int(e/2)-base+1, entry+1; e%2 != 0 {
			w.entry = entry + 3
		}
	case '{', '[':
		w.at, w.entry = int(v.index.entries[entry])-base, int(v.index.entries[entry+1])
	default:
		w.at = literalEnd(v.Raw, w.at)
	}
}

// blockEnd returns the index after the object or array that begins at raw[at].
func blockEnd(raw []byte, at int) int {
	for depth := 0; at < len(raw); at++ {
		switch raw[at] {
		case '"':
			at = jsonvalue.StringEnd(raw, at+1)
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				return at + 1
			}
		}
	}
	return len(raw)
}

// literalEnd returns the index after the number or word that begins at raw[at].
func literalEnd(raw []byte, at int) int {
	for uint(at) < uint(len(raw)) && !afterLiteral[raw[at]] {
		at++
	}
	return at
}

// gap are the bytes between values: blanks and separators. A literal ends before one of
// these or a closing bracket.
var gap, afterLiteral = func() (gap, after [256]bool) {
	for c := range gap {
		gap[c] = strictjson.IsBlank(byte(c)) || c == ',' || c == ':'
		after[c] = gap[c] || c == ']' || c == '}'
	}
	return gap, after
}()

// literals are the kinds of the numbers and words that begin with a byte.
var literals = func() (kinds [256]Kind) {
	for _, c := range "-0123456789" {
		kinds[c] = Number
	}
	kinds['t'], kinds['f'], kinds['n'] = Bool, Bool, Null
	return kinds
}()

// skipGap returns the index of the next value or bracket from raw[at] on. In valid JSON,
// which separators are there is known.
func skipGap(raw []byte, at int) int {
	for uint(at) < uint(len(raw)) && gap[raw[at]] { // unsigned, so that one comparison suffices
		at++
	}
	return at
}
