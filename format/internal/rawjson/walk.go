package rawjson

import (
	"github.com/toolparse/toolparse/internal/jsonvalue"
	"github.com/toolparse/toolparse/internal/strictjson"
)

// The functions here find their way through JSON that is known to be valid. On
// anything else they find something, and never read past its end.

// valueAt returns the value that begins at raw[at], and the index behind it. The
// value's own At is that index in raw.
func valueAt(raw []byte, at int) (v Value, end int) {
	if at >= len(raw) {
		return Value{}, len(raw)
	}
	switch c := raw[at]; c {
	case '"':
		end = jsonvalue.StringEnd(raw, at+1)
		return Value{String, raw[at+1 : end], at + 1}, min(end+1, len(raw))
	case '{', '[':
		end = blockEnd(raw, at)
		return Value{blockKind(c), raw[at:end], at}, end
	default:
		end = literalEnd(raw, at)
		return Value{literals[c], raw[at:end], at}, end
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

// blockEnd is the index behind the object or array that begins at raw[at].
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
