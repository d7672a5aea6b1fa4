package strictjson

import "github.com/toolparse/toolparse/internal/bytescan"

// AppendEnds checks that data are one JSON value, and appends to dst, which must be empty,
// where its strings and containers end, and to text the decoded texts of the strings that
// have escapes. ok is false if they are not JSON, nested too deeply or larger than MaxEnds; a
// [Scanner] says why, and accepts the same. It reads whole data faster than a Scanner, which
// also reads pieces.
//
// A string has one entry, 2*end, plus 1 if it has escapes; end is the end of its content.
// One with escapes has two more: where its decoded text begins and ends, both [NoText] if it
// includes half of a surrogate pair. A container has two: its end, and the number of the
// entry after those inside it. Entries are in the order of their bytes; numbers and literals
// have none.
func AppendEnds(dst []uint32, text, data []byte) (_ []uint32, _ []byte, ok bool) {
	if len(data) > MaxEnds {
		return dst, text, false
	}
	return appendEnds(dst, text, data, true)
}

// Valid reports whether data is one JSON value with nothing but blanks around it.
func Valid(data []byte) bool {
	if len(data) > MaxEnds {
		return new(Scanner).Check(data) == nil
	}
	var entries [128]uint32
	_, _, ok := appendEnds(entries[:0], nil, data, false)
	return ok
}

// AppendCompact appends one JSON value without the blanks between its tokens; all other
// bytes are kept. If doc is not valid, or larger than MaxEnds, it appends nothing, and ok
// is false.
func AppendCompact(dst, doc []byte) (_ []byte, ok bool) {
	if len(doc) > MaxEnds {
		return dst, false
	}
	var room [128]uint32
	ends, _, ok := appendEnds(room[:0], nil, doc, false)
	if !ok {
		return dst, false
	}
	done, entry := 0, 0 // doc[:done] has been appended; entry is the next one
	for at := 0; at < len(doc); at++ {
		switch c := doc[at]; {
		case c == '"':
			at = int(ends[entry] / 2)
			entry++
		case c == '{' || c == '[':
			entry += 2
		case blank[c]:
			dst = append(dst, doc[done:at]...)
			done = at + 1
		}
	}
	return append(dst, doc[done:]...), true
}

// SkipBlanks returns the index, from at on, of the first byte that is not a blank, or
// len(data).
func SkipBlanks(data []byte, at int) int {
	for at < len(data) && blank[data[at]] {
		at++
	}
	return at
}

const none = 1<<32 - 1

// NoText stands for the place of a text that was not decoded.
const NoText = none

// MaxEnds is the size of the largest data that AppendEnds reads.
const MaxEnds = 1<<31 - 1

// The first entry of a container that is still open is one of these; the second is the
// entry of the container around it.
const (
	inArray uint32 = iota
	inObject
)

// appendEnds is AppendEnds for data of any size. Without decode, no string has a text, or
// entries for it. It stores nothing through a pointer, so that entries can be on the stack.
func appendEnds(entries []uint32, text, data []byte, decode bool) (_ []uint32, _ []byte, ok bool) {
	open := uint32(none) // entry of the innermost open container
	depth, at := 0, 0
	var c byte
	var from int
	var inKey, whole bool
value:
	if at = SkipBlanks(data, at); at == len(data) {
		return entries, text, false
	}
	switch c = data[at]; {
	case c == '"':
		inKey = false
		goto content
	case c == '{' || c == '[':
		if depth++; depth > MaxDepth {
			return entries, text, false
		}
		kind := inArray
		if c == '{' {
			kind = inObject
		}
		entries = append(entries, kind, open)
		open = uint32(len(entries) - 2)
		at = SkipBlanks(data, at+1)
		switch {
		case at == len(data):
			return entries, text, false
		case data[at] == c+2: // the closing bracket
			goto end
		case c == '{':
			goto key
		}
		goto value
	case c == '-' || '0' <= c && c <= '9':
		n, whole := ScanNumber(data[at:])
		if n != whole {
			return entries, text, false
		}
		at += n
	default:
		word := words[c]
		if word == "" || len(data)-at < len(word) || string(data[at:at+len(word)]) != word {
			return entries, text, false
		}
		at += len(word)
	}

after:
	at = SkipBlanks(data, at)
	if open == none {
		return entries, text, at == len(data)
	}
	if at == len(data) {
		return entries, text, false
	}
	if c = data[at]; c == ',' {
		if entries[open] == inArray {
			at++
			goto value
		}
		at = SkipBlanks(data, at+1)
		goto key
	}
	if c != ']' && c != '}' || (c == '}') != (entries[open] == inObject) {
		return entries, text, false
	}

end:
	{
		inner := open
		open = entries[inner+1]
		at++
		entries[inner], entries[inner+1] = uint32(at), uint32(len(entries))
		depth--
		goto after
	}

key:
	if at == len(data) || data[at] != '"' {
		return entries, text, false
	}
	inKey = true

content:
	at++
	from = at
	if at = bytescan.PlainEnd(data, at); at == len(data) {
		return entries, text, false
	}
	switch c = data[at]; {
	case c == '"':
		entries = append(entries, uint32(at)*2)
	case c != '\\':
		return entries, text, false
	case decode:
		begin := len(text)
		text, at, whole = AppendText(append(text, data[from:at]...), data, at)
		if at < 0 || at == len(data) {
			return entries, text, false
		}
		if whole {
			entries = append(entries, uint32(at)*2+1, uint32(begin), uint32(len(text)))
		} else {
			text, entries = text[:begin], append(entries, uint32(at)*2+1, NoText, NoText)
		}
	default:
		if at = StringEnd(data, at); at < 0 {
			return entries, text, false
		}
		entries = append(entries, uint32(at)*2+1)
	}
	at++
	if !inKey {
		goto after
	}
	if at = SkipBlanks(data, at); at == len(data) || data[at] != ':' {
		return entries, text, false
	}
	at++
	goto value
}

// words are the literals by their first byte.
var words = [256]string{'t': "true", 'f': "false", 'n': "null"}

// StringEnd returns the index of the quote that ends the string whose content goes on at an
// index, or -1 if there is none or the content is not valid.
func StringEnd[Bytes ~[]byte | ~string](data Bytes, at int) int {
	for {
		at = bytescan.PlainEnd(data, at)
		switch {
		case at == len(data):
			return -1
		case data[at] == '"':
			return at
		case data[at] != '\\' || at+1 == len(data):
			return -1
		case bytescan.Meaning(data[at+1]) != 0:
			at = bytescan.EscapedEnd(data, at+2)
		case isUnit(data[at:]):
			at += 6
		default:
			return -1
		}
	}
}
