package sniff

import (
	"github.com/toolparse/toolparse/internal/wire/all"
	"github.com/toolparse/toolparse/internal/wire/envelope"
	"github.com/toolparse/toolparse/internal/wire/frame"
	"github.com/toolparse/toolparse/internal/wire/rawjson"
)

// The wires are recognised by the marks of their packages, which are asked in turn.

// firstWire returns the first wire whose marks satisfy a condition, or "".
func firstWire(is func(*envelope.Marks) bool) string {
	for i := range all.Wires {
		if is(all.Wires[i].Marks) {
			return all.Wires[i].Name
		}
	}
	return ""
}

// firstVariant is firstWire, but asks the first wire of the table last: in what this decides,
// the other wires are variants of that one.
func firstVariant(is func(*envelope.Marks) bool) string {
	for i := range all.Wires {
		if row := &all.Wires[(i+1)%len(all.Wires)]; is(row.Marks) {
			return row.Name
		}
	}
	return ""
}

// classify returns the wire of an event, given as a JSON object, by the envelope that
// each wire puts around a model's output. It returns "" if the object is of no known
// wire.
func classify(v rawjson.Value) string {
	e := envelope.Of(v)
	return WireOf(&e)
}

func WireOf(e *envelope.Envelope) string {
	if kind := e.Type; kind.Kind == rawjson.String {
		if wire := wireOfWord("type", string(kind.Raw)); wire != "" {
			return wire
		}
	}
	if wire := wireOfWord("object", string(e.Object.Raw)); wire != "" {
		return wire
	}
	if wire := firstWire(func(m *envelope.Marks) bool { return m.Answer != nil && m.Answer(e) }); wire != "" {
		return wire
	}
	return firstVariant(func(m *envelope.Marks) bool { return m.Failure != nil && m.Failure(e) })
}

// wireOfWord returns the wire that the member "type" or "object" with this value
// identifies, or "".
func wireOfWord(member, value string) string {
	return firstWire(func(m *envelope.Marks) bool { return m.HasWord(member, value) })
}

// wireOfTurn returns the wire with such assistant messages in a history, or "".
func wireOfTurn(v rawjson.Value) string {
	return firstWire(func(m *envelope.Marks) bool { return m.Turn != nil && m.Turn(v) })
}

// wireOfBareError returns the wire whose errors are only a text in this framing.
func wireOfBareError(f frame.Framing) string {
	return firstVariant(func(m *envelope.Marks) bool { return m.BareError == f })
}

// wireOfOutline returns the most likely wire of an incomplete object, or "".
func wireOfOutline(o *envelope.Outline) string {
	return firstWire(func(m *envelope.Marks) bool { return o.BeginsLike(m.Begins) })
}

// outlined reports whether an outline records a member, because a sign of a wire or a call
// that a model wrote has it.
func outlined(member string) bool {
	return member == "name" || firstWire(func(m *envelope.Marks) bool { return m.HasSign(member) }) != ""
}

// wireOfRequest returns the wire of a request, by members that only its requests have, or
// "".
func wireOfRequest(v rawjson.Value) string {
	return firstVariant(func(m *envelope.Marks) bool {
		for _, path := range m.Requests {
			if envelope.HasPath(v, path) {
				return true
			}
		}
		return false
	})
}

// wireOfTools returns the wire of a list of tools, or "".
func wireOfTools(v rawjson.Value) string {
	return firstVariant(func(m *envelope.Marks) bool {
		if m.IsTool == nil {
			return false
		}
		for item := range v.Items() {
			if m.IsTool(item) {
				return true
			}
		}
		return m.OneTool && v.Kind == rawjson.Object && m.IsTool(v)
	})
}

// requestOf returns the wire if a JSON object is a request, or "". It requires the
// members that every request of a wire has.
func requestOf(v rawjson.Value) string {
	if firstWire(func(m *envelope.Marks) bool { return m.IsRequest != nil && m.IsRequest(v) }) == "" {
		return ""
	}
	return wireOfRequest(v)
}
