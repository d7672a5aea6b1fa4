package rawjson

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/toolparse/toolparse/internal/jsonvalue"
	"github.com/toolparse/toolparse/internal/strictjson"
)

// The functions here find their way through JSON that is known to be valid. On
// anything else they find something, and never read past its end.

// longStrings tell where the long strings of an event's data end. Every walk through
// what stands around them would look for that again.
type longStrings struct{ list []longString }

// longString is a string between two indices of the data, its quotes aside.
type longString struct{ from, to int }

// What is kept of long strings, and from which size on data have any.
const (
	minLong     = 256
	maxLong     = 64
	minWithLong = 1024
)

// longIn finds the long strings of data, for their values; it returns nil where there
// are none.
func longIn(data []byte) *longStrings {
	if len(data) < minWithLong {
		return nil
	}
	var long *longStrings
	for at := 0; ; {
		n := bytes.IndexByte(data[at:], '"')
		if n < 0 {
			break
		}
		at += n
		end := jsonvalue.StringEnd(data, at+1)
		if end-at > minLong {
			if long == nil {
				long = &longStrings{}
			}
			if long.list = append(long.list, longString{at + 1, end}); len(long.list) == maxLong {
				break
			}
		}
		at = min(end+1, len(data))
	}
	return long
}

// end returns the end of the string that begins at an index, if that is a long one.
func (l *longStrings) end(from int) (to int, ok bool) {
	if l == nil {
		return 0, false
	}
	i, ok := slices.BinarySearchFunc(l.list, from, func(s longString, from int) int { return cmp.Compare(s.from, from) })
	if !ok {
		return 0, false
	}
	return l.list[i].to, true
}

// valueAt returns the value inside v that begins at v.Raw[at], and the index behind it.
func (v Value) valueAt(at int) (inner Value, end int) {
	raw := v.Raw
	if at >= len(raw) {
		return Value{}, len(raw)
	}
	switch c := raw[at]; c {
	case '"':
		end = v.stringEnd(at + 1)
		return Value{String, raw[at+1 : end], v.At + at + 1, v.long}, min(end+1, len(raw))
	case '{', '[':
		end = v.blockEnd(at)
		return Value{blockKind(c), raw[at:end], v.At + at, v.long}, end
	default:
		end = literalEnd(raw, at)
		return Value{literals[c], raw[at:end], v.At + at, v.long}, end
	}
}

// blockKind is the kind of the value with a bracket.
func blockKind(bracket byte) Kind {
	if bracket == '{' {
		return Object
	}
	return Array
}

// literals are the kinds of the values that begin with a byte.
var literals = func() (kinds [256]Kind) {
	for _, c := range "-0123456789" {
		kinds[c] = Number
	}
	kinds['t'], kinds['f'], kinds['n'] = Bool, Bool, Null
	return kinds
}()

// stringEnd is the index of the quote that ends the string whose text begins at
// v.Raw[at].
func (v Value) stringEnd(at int) int {
	if end, ok := v.long.end(v.At + at); ok {
		return min(end-v.At, len(v.Raw))
	}
	return jsonvalue.StringEnd(v.Raw, at)
}

// blockEnd is the index behind the object or array that begins at v.Raw[at].
func (v Value) blockEnd(at int) int {
	for depth := 0; at < len(v.Raw); at++ {
		switch v.Raw[at] {
		case '"':
			at = v.stringEnd(at + 1)
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				return at + 1
			}
		}
	}
	return len(v.Raw)
}

// literalEnd is the index behind the number or word that begins at raw[at].
func literalEnd(raw []byte, at int) int {
	for ; at < len(raw); at++ {
		if c := raw[at]; c == ',' || c == '}' || c == ']' || c == ':' || strictjson.IsBlank(c) {
			break
		}
	}
	return at
}

// skip is the index of the first byte from raw[at] on that is no blank, behind the
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
