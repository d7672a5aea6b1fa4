package jsonindex

import (
	"bytes"

	"github.com/toolparse/toolparse/internal/jsonvalue"
	"github.com/toolparse/toolparse/internal/strictjson"
)

// walk is a walk over the members of an object, or over the elements of an array.
type walk struct {
	at    int // where the next one begins in the container's Raw, or blanks or a comma before it
	entry int // the first entry of the index from there on
	key   []byte
	value Value
}

// walk returns a walk over v, which ends at once if v is of another kind.
func (v *Value) walk(kind Kind) walk {
	if v.Kind != kind {
		return walk{at: len(v.Raw)}
	}
	return walk{at: 1, entry: int(v.entry) + 2}
}

// field reads the next member of v, and returns false if there is none.
func (w *walk) field(v *Value) bool {
	raw := v.Raw
	at := skipGap(raw, w.at)
	if at >= len(raw) || raw[at] != '"' {
		return false
	}
	at++
	var end int
	var plain bool
	if v.index != nil {
		e := v.index.entries[w.entry]
		end, plain = int(e/2)-v.At-v.index.base, e%2 == 0
		w.entry++
	} else {
		end = jsonvalue.StringEnd(raw, at)
		plain = bytes.IndexByte(raw[at:end], '\\') < 0
	}
	if w.key = raw[at:end]; !plain {
		w.key = w.escapedKey(v)
	}
	w.at = skipGap(raw, end+1)
	w.read(v)
	return true
}

// escapedKey decodes w.key, which is a key of v with escapes.
func (w *walk) escapedKey(v *Value) []byte {
	key := Value{Kind: String, Raw: w.key}
	if v.index != nil {
		key.entry, key.index = int32(w.entry), v.index
		w.entry += 2
	}
	if text, ok := key.Decoded(); ok {
		return text
	}
	text, _ := AppendUnescaped(nil, w.key)
	return text
}

// item reads the next element of v, and returns false if there is none.
func (w *walk) item(v *Value) bool {
	at := skipGap(v.Raw, w.at)
	if at >= len(v.Raw) || v.Raw[at] == ']' {
		return false
	}
	w.at = at
	w.read(v)
	return w.at > at
}

// read reads the value in v that begins at w.at. In what is not JSON it finds something,
// and never reads past the end.
func (w *walk) read(v *Value) {
	raw, at := v.Raw, w.at
	if at >= len(raw) {
		w.value, w.at = Value{}, len(raw)
		return
	}
	var end int
	switch c := raw[at]; c {
	case '"':
		if v.index != nil {
			e := v.index.entries[w.entry]
			end = int(e/2) - v.At - v.index.base
			w.entry++
			w.value = Value{String, e%2 == 0, 0, raw[at+1 : end], v.At + at + 1, nil}
			if w.at = end + 1; e%2 != 0 {
				w.value.entry, w.value.index = int32(w.entry), v.index
				w.entry += 2
			}
			return
		}
		end = jsonvalue.StringEnd(raw, at+1)
		w.value = Value{String, false, 0, raw[at+1 : end], v.At + at + 1, nil}
		w.at = min(end+1, len(raw))
	case '{', '[':
		kind, entry := Object, w.entry
		if c == '[' {
			kind = Array
		}
		if v.index != nil {
			end, w.entry = int(v.index.entries[entry])-v.At-v.index.base, int(v.index.entries[entry+1])
		} else {
			end = blockEnd(raw, at)
		}
		w.value = Value{kind, false, int32(entry), raw[at:end], v.At + at, v.index}
		w.at = end
	default:
		end = literalEnd(raw, at)
		w.value = Value{literals[c], false, 0, raw[at:end], v.At + at, nil}
		w.at = end
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
	for at < len(raw) && !afterLiteral[raw[at]] {
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
	for at < len(raw) && gap[raw[at]] {
		at++
	}
	return at
}

func skipBlanks(raw []byte, at int) int {
	for at < len(raw) && strictjson.IsBlank(raw[at]) {
		at++
	}
	return at
}
