package payload

import (
	"github.com/toolparse/toolparse"
	"github.com/toolparse/toolparse/format/internal/strictjson"
)

// walk goes through the bytes of an object or an array, of which the reader
// knows that they are valid JSON: so it looks for the ends of values only. Where
// they are none it stops at their end.
type walk struct {
	data []byte
	i    int
}

// next moves to the next byte that separates nothing, and reports whether it
// begins something, which is to say that the container does not end there.
func (w *walk) next() bool {
	for ; w.i < len(w.data); w.i++ {
		switch c := w.data[w.i]; {
		case strictjson.IsBlank(c), c == ',', c == ':':
		case c == '}', c == ']':
			return false
		default:
			return true
		}
	}
	return false
}

// key moves behind the key that begins here, and returns it.
func (w *walk) key() []byte {
	begin := w.i + 1
	end, escaped := stringEnd(w.data, begin)
	w.i = min(end+1, len(w.data))
	raw := w.data[begin:end]
	if !escaped {
		return raw
	}
	key, high := appendText(nil, toolparse.DeltaText, 0, raw)
	if high != 0 {
		key = appendLone(key, toolparse.DeltaText, high)
	}
	return key
}

// stringEnd returns the place of the quote that ends the string whose first
// byte is at i, and whether there is an escape in it.
func stringEnd(data []byte, i int) (end int, escaped bool) {
	for i < len(data) {
		i += strictjson.PlainRun(data[i:])
		if i < len(data) && data[i] == '"' {
			return i, escaped
		}
		escaped = true
		i += 2
	}
	return len(data), escaped
}

// value moves behind the value that begins here, and returns it. at is the
// place of the data.
func (w *walk) value(at int) Value {
	begin := w.i
	kind := Number
	switch w.data[begin] {
	case '"':
		end, _ := stringEnd(w.data, begin+1)
		w.i = min(end+1, len(w.data))
		return Value{String, w.data[begin+1 : end], at + begin + 1}
	case '{':
		w.container()
		return Value{Object, w.data[begin:w.i], at + begin}
	case '[':
		w.container()
		return Value{Array, w.data[begin:w.i], at + begin}
	case 't', 'f':
		kind = Bool
	case 'n':
		kind = Null
	}
	for w.i++; w.i < len(w.data) && !ends[w.data[w.i]]; w.i++ {
	}
	return Value{kind, w.data[begin:w.i], at + begin}
}

// container moves behind the object or the array that begins here.
func (w *walk) container() {
	data, i := w.data, w.i
	for depth := 0; i < len(data); i++ {
		c := data[i]
		if !brackets[c] {
			continue
		}
		switch c {
		case '"':
			i, _ = stringEnd(data, i+1)
		case '{', '[':
			depth++
		default:
			depth--
		}
		if depth == 0 {
			break
		}
	}
	w.i = min(i+1, len(data))
}

// ends are the bytes that end a number or a literal, brackets those that a
// container must be looked through for. Both are read only.
var (
	ends     = bytesOf(" \t\r\n,:]}")
	brackets = bytesOf(`"{}[]`)
)

func bytesOf(s string) (set [256]bool) {
	for i := range len(s) {
		set[s[i]] = true
	}
	return set
}
