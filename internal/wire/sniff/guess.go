package sniff

import (
	"bytes"
	"cmp"
	"errors"
	"iter"

	"github.com/toolparse/toolparse/internal/wire/all"
	"github.com/toolparse/toolparse/internal/wire/frame"
	"github.com/toolparse/toolparse/internal/wire/rawjson"
)

var errUnknownBody = errors.New("the wire format cannot be detected")

// Answer returns the wire of a whole answer. It returns an error for a text, and for a
// body of no known wire.
func Answer(body []byte) (string, error) {
	v := sniffWhole(body)
	if v.Err == nil && v.Wire == all.Text {
		v.Err = cmp.Or(Foreign(body).Err(), errUnknownBody)
	}
	return v.Wire, v.Err
}

// Request returns the wire of a request by members that only this wire has. It takes what
// several wires write in the same way for Chat Completions. It returns an error for a body
// of no known wire.
func Request(body []byte) (string, error) { return guess(body, wireOfRequest) }

// Tools is [Request] for a list of tools, or a request with one.
func Tools(body []byte) (string, error) {
	return guess(body, func(v rawjson.Value) string {
		if tools := v.Get("tools"); tools.IsSet() {
			v = tools
		}
		return wireOfTools(v)
	})
}

func guess(body []byte, wireOf func(rawjson.Value) string) (string, error) {
	v, err := new(rawjson.Reader).Open(frame.Event{Framing: frame.JSON, Number: 1, Data: body})
	if err != nil {
		return "", err
	}
	if wire := wireOf(v); wire != "" {
		return wire, nil
	}
	return "", errUnknownBody
}

// IsPlain reports whether a whole input is plain text.
func IsPlain(input string) bool {
	v := sniffWhole(input)
	return v.Wire == all.Text && v.Err == nil
}

// maxPiece limits the bytes that a [Sniffer] gets at once.
const maxPiece = 4096

// sniffWhole determines the kind of a whole input, nearly always from its beginning.
func sniffWhole[Bytes ~[]byte | ~string](input Bytes) Verdict {
	s := Sniffer{Max: frame.DefaultMaxEventBytes}
	for size := 64; len(input) > 0; size = min(2*size, maxPiece) {
		piece := input[:min(len(input), size)]
		input = input[len(piece):]
		if v, ok := s.Add([]byte(piece)); ok {
			return v
		}
	}
	return s.End()
}

// IsForeignJSON reports whether a whole body consists of JSON objects, or of events with
// them, as in a wire format. If no known wire matches, a [Sniffer] takes them for text,
// because a model may answer in JSON.
func IsForeignJSON(body []byte) bool {
	found := false
	for v, err := range valuesIn(body) {
		if found = true; err != nil || v.Kind != rawjson.Object {
			return false
		}
	}
	return found
}

// valuesIn yields the values of a whole body of JSON or of events, except end markers,
// and nothing for any other body. After an event that is too large, nothing follows.
func valuesIn(body []byte) iter.Seq2[rawjson.Value, error] {
	return func(yield func(rawjson.Value, error) bool) {
		body = bytes.TrimSpace(bytes.TrimPrefix(body, []byte("\ufeff")))
		framing := frame.JSON
		if len(body) > 0 && body[0] != '{' && body[0] != '[' {
			if framing = frame.SSE; !IsEvents(body) {
				return
			}
		}
		split := frame.New(framing, 0)
		for more := true; more; {
			e, n, ok, err := split.Next(body)
			if body = body[n:]; !ok && err == nil {
				if e, ok = split.End(); !ok {
					return
				}
				more = false
			}
			if e.IsDone() {
				continue
			}
			var v rawjson.Value
			if err == nil {
				v, err = new(rawjson.Reader).Open(e)
			} else {
				more = false
			}
			if !yield(v, err) {
				return
			}
		}
	}
}
