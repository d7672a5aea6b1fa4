package jsonindex

import (
	"github.com/toolparse/toolparse/internal/jsonvalue"
	"github.com/toolparse/toolparse/internal/strictjson"
)

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
			end = int(e/2) - v.At - v.index.base
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
			end, next = int(v.index.entries[entry])-v.At-v.index.base, int(v.index.entries[entry+1])
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
