package format

import (
	"cmp"
	"errors"

	"github.com/toolparse/toolparse/internal/wire/frame"
	"github.com/toolparse/toolparse/internal/wire/rawjson"
)

var errUnknownBody = errors.New("the wire format cannot be detected")

// Guess returns the wire of a body by members that only this wire has. It takes requests
// and tool lists that several wires write in the same way for Chat Completions. It
// returns an error for a body of no known wire.
func Guess(body []byte, kind Kind) (Wire, error) {
	if kind == KindResponse || kind == KindStream {
		v := sniffWhole(body)
		if v.err == nil && v.wire == Text {
			v.err = cmp.Or(foreignBody(body), errUnknownBody)
		}
		return v.wire, v.err
	}
	v, err := new(rawjson.Reader).Open(frame.Event{Framing: frame.JSON, Number: 1, Data: body})
	if err != nil {
		return "", err
	}
	wire := Wire("")
	if kind == KindTools {
		if tools := v.Get("tools"); tools.IsSet() { // in a request
			v = tools
		}
		wire = wireOfTools(v)
	} else {
		wire = wireOfRequest(v)
	}
	if wire == "" {
		return "", errUnknownBody
	}
	return wire, nil
}

// IsPlain reports whether a whole input is plain text, so that a [Stream] with Auto would
// read it as such.
func IsPlain(input string) bool {
	v := sniffWhole(input)
	return v.wire == Text && v.err == nil
}

// sniffWhole determines the kind of a whole input, nearly always from its beginning.
func sniffWhole[Bytes ~[]byte | ~string](input Bytes) verdict {
	s := sniffer{max: frame.DefaultMaxEventBytes}
	for size := 64; len(input) > 0; size = min(2*size, defaultChunk) {
		piece := input[:min(len(input), size)]
		input = input[len(piece):]
		if v, ok := s.add([]byte(piece)); ok {
			return v
		}
	}
	return s.end()
}
