package unknown

import (
	"github.com/toolparse/toolparse/internal/wire/rawjson"
	"github.com/toolparse/toolparse/toolcall"
)

// Stream makes deltas of members that no other delta expresses, so that the encoder of
// the same wire can write them, and the others can report them. Its zero value is ready.
type Stream struct {
	last []seen
}

// seen is the last value of a member.
type seen struct {
	choice   int
	in, name string
	kind     rawjson.Kind
	raw      []byte
}

const (
	maxSeen      = 64      // members whose last value is kept
	maxSeenBytes = 4 << 10 // bytes of a value that is kept
)

// Set appends the delta of a member with a state, such as service_tier. Many servers
// repeat such members in every event; Set appends them only when the value has changed,
// and allocates nothing otherwise. It ignores null. in is the path of the member's object
// in the event, "" for the event itself; the delta has both, joined by a dot.
func (s *Stream) Set(dst []toolcall.Delta, choice int, in string, name []byte, v rawjson.Value) []toolcall.Delta {
	if !v.IsSet() {
		return dst
	}
	for i := range s.last {
		m := &s.last[i]
		if m.choice == choice && m.name == string(name) && m.in == in {
			if m.kind == v.Kind && string(m.raw) == string(v.Raw) {
				return dst
			}
			m.keep(v)
			return append(dst, extraDelta(choice, toolcall.NoIndex, in, m.name, v))
		}
	}
	if len(s.last) < maxSeen {
		m := seen{choice: choice, in: in, name: string(name)}
		m.keep(v)
		s.last = append(s.last, m)
	}
	return append(dst, extraDelta(choice, toolcall.NoIndex, in, string(name), v))
}

// keep keeps a value, unless it is too large, to compare the next one with it.
func (m *seen) keep(v rawjson.Value) {
	m.kind, m.raw = rawjson.Absent, m.raw[:0]
	if len(v.Raw) <= maxSeenBytes {
		m.kind, m.raw = v.Kind, append(m.raw, v.Raw...)
	}
}

// NoteName appends, once for each choice, a delta with null, which tells the encoder of
// the same wire which of several names the wire uses for what another delta says. Other
// encoders ignore it.
func (s *Stream) NoteName(dst []toolcall.Delta, choice int, in, name string) []toolcall.Delta {
	for i := range s.last {
		if m := &s.last[i]; m.choice == choice && m.kind == rawjson.Null && m.name == name && m.in == in {
			return dst
		}
	}
	if len(s.last) < maxSeen {
		s.last = append(s.last, seen{choice: choice, in: in, name: name, kind: rawjson.Null})
	}
	return append(dst, extraDelta(choice, toolcall.NoIndex, in, name, rawjson.Value{Kind: rawjson.Null, Raw: []byte("null")}))
}

// Add appends the delta of a member that adds to earlier ones, such as logprobs. index is
// the call that it belongs to, or toolcall.NoIndex.
func Add(dst []toolcall.Delta, choice, index int, in string, name []byte, v rawjson.Value) []toolcall.Delta {
	if !v.IsSet() {
		return dst
	}
	return append(dst, extraDelta(choice, index, in, string(name), v))
}

func extraDelta(choice, index int, in, name string, v rawjson.Value) toolcall.Delta {
	return toolcall.Delta{Kind: toolcall.DeltaExtra, Choice: choice, Index: index, Name: join(in, name), Text: string(v.JSON())}
}
