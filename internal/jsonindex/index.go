package jsonindex

import (
	"encoding/binary"
	"math/bits"

	"github.com/toolparse/toolparse/internal/strictjson"
)

// Index tells where the strings and the containers of JSON end. Its zero value is empty;
// it can be read again, for other data, and keeps its memory. Values that it was made for
// are then no longer valid.
//
// A string has one entry, 2*end, plus 1 if it has escapes; end is the end of its text. A
// container has two: its end, and the number of the entry after those inside it. Entries
// are in the order of their bytes, and numbers and literals have none, so that a walk uses
// an entry for each quote or opening bracket that it meets.
type Index struct {
	entries []uint32
	base    int // index of the value's data in the data that was read
}

// MaxBytes is the size of the largest data that have an index.
const MaxBytes = 1<<31 - 1

// Read checks that data are one JSON value and makes ix their index. It returns false if
// they are not JSON, nested too deeply or larger than MaxBytes; [strictjson.Scanner] says
// why. It accepts exactly what that does.
func (ix *Index) Read(data []byte) (Value, bool) {
	if len(data) > MaxBytes {
		return Value{}, false
	}
	r := reader{data: data, entries: ix.entries[:0], open: none}
	if r.entries == nil {
		r.entries = make([]uint32, 0, 64+len(data)/64)
	}
	ok := r.read()
	ix.entries, ix.base = r.entries, 0
	if !ok {
		return Value{}, false
	}
	all := Value{Raw: data, index: ix}
	v, _, _ := all.valueAt(skipBlanks(data, 0), 0)
	return v, true
}

// Alone returns v, a container, as the value of data of its own: v.Raw.
func (v Value) Alone() Value {
	if v.At != 0 && v.index != nil {
		v.index = &Index{v.index.entries, v.index.base + v.At}
	}
	v.At = 0
	return v
}

// reader makes an index.
type reader struct {
	data    []byte
	entries []uint32
	open    uint32 // entry of the innermost open container, or none
	depth   int
}

const none = 1<<32 - 1

// The first entry of a container that is still open is one of these; the second is the
// entry of the container around it.
const (
	inArray uint32 = iota
	inObject
)

// read reports whether the data are one JSON value.
func (r *reader) read() bool {
	data, at := r.data, 0
	var c byte
value:
	if at = skipBlanks(data, at); at == len(data) {
		return false
	}
	switch c = data[at]; {
	case c == '"':
		if at = r.text(at + 1); at < 0 {
			return false
		}
	case c == '{' || c == '[':
		if r.depth++; r.depth > strictjson.MaxDepth {
			return false
		}
		kind := inArray
		if c == '{' {
			kind = inObject
		}
		r.entries = append(r.entries, kind, r.open)
		r.open = uint32(len(r.entries) - 2)
		at = skipBlanks(data, at+1)
		switch {
		case at == len(data):
			return false
		case data[at] == c+2: // the closing bracket
			goto end
		case c == '{':
			goto key
		}
		goto value
	case c == '-' || '0' <= c && c <= '9':
		if at = number(data, at); at < 0 {
			return false
		}
	default:
		word := words[c]
		if word == "" || len(data)-at < len(word) || string(data[at:at+len(word)]) != word {
			return false
		}
		at += len(word)
	}

after:
	at = skipBlanks(data, at)
	if r.open == none {
		return at == len(data)
	}
	if at == len(data) {
		return false
	}
	if c = data[at]; c == ',' {
		if r.entries[r.open] == inArray {
			at++
			goto value
		}
		at = skipBlanks(data, at+1)
		goto key
	}
	if c != ']' && c != '}' || (c == '}') != (r.entries[r.open] == inObject) {
		return false
	}

end:
	{
		inner := r.open
		r.open = r.entries[inner+1]
		at++
		r.entries[inner], r.entries[inner+1] = uint32(at), uint32(len(r.entries))
		r.depth--
		goto after
	}

key:
	if at == len(data) || data[at] != '"' {
		return false
	}
	if at = r.text(at + 1); at < 0 {
		return false
	}
	if at = skipBlanks(data, at); at == len(data) || data[at] != ':' {
		return false
	}
	at++
	goto value
}

// words are the literals by their first byte.
var words = [256]string{'t': "true", 'f': "false", 'n': "null"}

const (
	ones  = 0x0101010101010101
	highs = 0x80 * ones
)

// text adds the string whose text begins at an index, and returns the index after its
// quote. It returns -1 for a string that is not valid.
func (r *reader) text(at int) int {
	data, escaped := r.data, uint32(0)
	for {
		// Eight bytes at a time, up to the first that does not stand for itself.
		for at+8 <= len(data) {
			v := binary.LittleEndian.Uint64(data[at:])
			quote, slash := v^'"'*ones, v^'\\'*ones
			found := ((quote-ones)&^quote | (slash-ones)&^slash | (v-0x20*ones)&^v) & highs
			if found != 0 {
				at += bits.TrailingZeros64(found) / 8
				break
			}
			at += 8
		}
		if at+8 > len(data) {
			at += strictjson.PlainRun(data[at:])
			if at == len(data) {
				return -1
			}
		}
		switch data[at] {
		case '"':
			r.entries = append(r.entries, uint32(at)*2+escaped)
			return at + 1
		case '\\':
			escaped = 1
			if at+1 == len(data) {
				return -1
			}
			switch data[at+1] {
			case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
				at += 2
			case 'u':
				if at+6 > len(data) || !isHex(data[at+2]) || !isHex(data[at+3]) || !isHex(data[at+4]) || !isHex(data[at+5]) {
					return -1
				}
				at += 6
			default:
				return -1
			}
		default:
			return -1
		}
	}
}

func isHex(c byte) bool { return '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'f' }

// number returns the index after the number that begins at an index, or -1.
func number(data []byte, at int) int {
	if data[at] == '-' {
		at++
	}
	switch {
	case at == len(data) || data[at] < '0' || data[at] > '9':
		return -1
	case data[at] == '0':
		at++
	default:
		at = digits(data, at)
	}
	if at < len(data) && data[at] == '.' {
		from := at + 1
		if at = digits(data, from); at == from {
			return -1
		}
	}
	if at < len(data) && (data[at] == 'e' || data[at] == 'E') {
		if at++; at < len(data) && (data[at] == '+' || data[at] == '-') {
			at++
		}
		from := at
		if at = digits(data, from); at == from {
			return -1
		}
	}
	return at
}

func digits(data []byte, at int) int {
	for at < len(data) && '0' <= data[at] && data[at] <= '9' {
		at++
	}
	return at
}
