package unknown

import (
	"github.com/toolparse/toolparse/format/internal/rawjson"
	"github.com/toolparse/toolparse/toolcall"
)

// Stream makes deltas of those members of a stream's events that no other delta
// tells, so that none of them is lost on the way to the same wire, nor silently
// on the way to another. Its zero value is ready.
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
	maxSeenBytes = 4 << 10 // of a value that is kept
)

// Set appends the delta of a member that says how things stand, such as
// service_tier: many servers repeat these in every event, and they come again
// only where the value has changed, which allocates nothing. Null is as if the
// member were not there. Its object is at the path in of the event, "" for the
// event itself; the path that the delta has is both, joined by a dot.
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

// keep keeps a value, if it is not too large, for comparison with the next.
func (m *seen) keep(v rawjson.Value) {
	m.kind, m.raw = rawjson.Absent, m.raw[:0]
	if len(v.Raw) <= maxSeenBytes {
		m.kind, m.raw = v.Kind, append(m.raw, v.Raw...)
	}
}

// NoteName appends, once for a choice, the delta of a member that is null: it tells
// the encoder of the same wire that the wire has a member of this name, of several
// that it has, for what another delta tells. It is no loss elsewhere.
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

// Add appends the delta of a member that adds to those before it, such as
// logprobs, each time that it comes. Index is the call that it belongs to, or
// toolcall.NoIndex.
func Add(dst []toolcall.Delta, choice, index int, in string, name []byte, v rawjson.Value) []toolcall.Delta {
	if !v.IsSet() {
		return dst
	}
	return append(dst, extraDelta(choice, index, in, string(name), v))
}

func extraDelta(choice, index int, in, name string, v rawjson.Value) toolcall.Delta {
	if in != "" {
		name = in + "." + name
	}
	return toolcall.Delta{Kind: toolcall.DeltaExtra, Choice: choice, Index: index, Name: name, Text: string(v.JSON())}
}
