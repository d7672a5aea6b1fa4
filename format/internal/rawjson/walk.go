package rawjson

import (
	"bytes"

	"github.com/toolparse/toolparse/internal/jsonvalue"
	"github.com/toolparse/toolparse/internal/strictjson"
)

// index tells where the strings and the containers of large data end, so that a walk passes
// each of them in one step, at any level and as often as it likes. One pass over the data
// makes it. In small data, such as most events of a stream, a walk looks for the ends itself.
//
// A string has one entry, 2*end, plus 1 if it may have escapes; end is the end of its text.
// A container has two: its end, and the number of the entry after those inside it. Entries
// are in the order of their bytes, and numbers and literals have none, so that a walk uses
// an entry for each quote or opening bracket that it meets. Only valid JSON has an index.
type index struct{ entries []uint32 }

const (
	// Data of these sizes have an index.
	minIndexed = 1 << 10
	maxIndexed = 1<<31 - 1
	// shortString is the length up to which strings are read a few bytes at a time,
	// before a search.
	shortString = 48
)

// read makes ix the index of data, which are valid JSON of at most maxIndexed bytes.
func (ix *index) read(data []byte) {
	entries := ix.entries[:0]
	if entries == nil {
		count := func(c string) int { return bytes.Count(data, []byte(c)) }
		entries = make([]uint32, 0, count(`"`)/2+2*(count("{")+count("[")))
	}
	open := -1 // the innermost open container; until it ends, its second entry is its parent
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

// HasMoreValues reports whether data, which may be invalid JSON, have more than max values:
// members of objects, elements of lists, and these themselves. It counts an empty object or
// list twice.
func HasMoreValues(data []byte, max int) bool {
	n := 0
	for _, c := range [...]string{",", "{", "["} {
		n += bytes.Count(data, []byte(c))
	}
	if n <= max { // even with those in strings
		return false
	}
	n = 0
	for at := 0; at < len(data) && n <= max; at++ {
		switch data[at] {
		case '"':
			at = jsonvalue.StringEnd(data, at+1)
		case ',', '{', '[':
			n++
		}
	}
	return n > max
}

// valueAt returns the value inside v that begins at v.Raw[at], and the index after it. entry
// is the index's first entry from there on, and next the first after the value. In what is
// not JSON it finds something, and never reads past the end.
func (v *Value) valueAt(at, entry int) (inner Value, end, next int) {
	raw := v.Raw
	if at >= len(raw) {
		return Value{}, len(raw), entry
	}
	switch c := raw[at]; c {
	case '"':
		if v.index != nil {
			e := v.index.entries[entry]
			end = int(e/2) - v.At
			return Value{String, e%2 == 0, 0, raw[at+1 : end], v.At + at + 1, nil}, end + 1, entry + 1
		}
		end = jsonvalue.StringEnd(raw, at+1)
		return Value{String, false, 0, raw[at+1 : end], v.At + at + 1, nil}, min(end+1, len(raw)), entry
	case '{', '[':
		kind := Object
		if c == '[' {
			kind = Array
		}
		if v.index != nil {
			end, next = int(v.index.entries[entry])-v.At, int(v.index.entries[entry+1])
		} else {
			end = blockEnd(raw, at)
		}
		return Value{kind, false, int32(entry), raw[at:end], v.At + at, v.index}, end, next
	default:
		end = literalEnd(raw, at)
		return Value{literals[c], false, 0, raw[at:end], v.At + at, nil}, end, entry
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
	for ; at < len(raw); at++ {
		if c := raw[at]; c == ',' || c == '}' || c == ']' || c == ':' || strictjson.IsBlank(c) {
			break
		}
	}
	return at
}

// literals are the kinds of the numbers and words that begin with a byte.
var literals = func() (kinds [256]Kind) {
	for _, c := range "-0123456789" {
		kinds[c] = Number
	}
	kinds['t'], kinds['f'], kinds['n'] = Bool, Bool, Null
	return kinds
}()

// skip returns the index of the first byte from raw[at] on that is not blank, after the
// separator if that is there.
func skip(raw []byte, at int, separator byte) int {
	at = skipBlanks(raw, at)
	if at < len(raw) && raw[at] == separator {
		at = skipBlanks(raw, at+1)
	}
	return at
}

func skipBlanks(raw []byte, at int) int {
	for at < len(raw) && strictjson.IsBlank(raw[at]) {
		at++
	}
	return at
}
