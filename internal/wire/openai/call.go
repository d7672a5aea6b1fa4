package openai

import (
	"errors"
	"slices"

	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/wire/customtool"
	"github.com/toolparse/toolparse/internal/wire/rawjson"
	"github.com/toolparse/toolparse/internal/wire/unknown"
	"github.com/toolparse/toolparse/internal/wire/wireio"
	"github.com/toolparse/toolparse/toolcall"
)

// calls decodes tool_calls.
func (m messageDecoder) calls(dst []toolcall.Delta, v rawjson.Value) []toolcall.Delta {
	calls := m.Array(v, m.path, ".tool_calls")
	cutAt := -1 // the call in which the answer was cut
	if m.whole && m.cut {
		for range calls.Items() {
			cutAt++
		}
	}
	place := 0
	for call := range calls.Items() {
		if m.Err() != nil {
			break
		}
		dst = m.oneCall(dst, call, place != cutAt)
		place++
	}
	return dst
}

// oneCall decodes an element of tool_calls. finished reports whether a call in a whole
// message is known to be complete.
func (m messageDecoder) oneCall(dst []toolcall.Delta, v rawjson.Value, finished bool) []toolcall.Delta {
	index := toolcall.NoIndex
	var id, kind, function, free, google, name, arguments rawjson.Value
	others := false
	for key, member := range m.Object(v, m.path, inCall).Fields() {
		switch string(key) {
		case "index":
			if n, ok := m.Index(member, m.path, inCall, ".index"); ok {
				index = n
			}
		case "id":
			id = m.Label(member, m.path, inCall, ".id")
		case "type":
			kind = m.String(member, m.path, inCall, ".type")
		case "function":
			function = m.Object(member, m.path, inFunction)
		case "custom":
			free = m.Object(member, m.path, inCustom)
		case "extra_content":
			google = member
		case "name":
			name = member
		case "arguments":
			arguments = member
		default:
			others = others || member.IsSet()
		}
	}
	flat := isFlat(kind, function, free, name, arguments)
	others = others || !flat && (name.IsSet() || arguments.IsSet())
	switch {
	case m.Err() != nil:
		return dst
	case flat:
		if !m.whole || !isNoCall(m.Texts.Name(id), m.Texts.Name(name), arguments) {
			m.Note(flatCall)
		}
		dst = m.fragment(dst, index, id, name, arguments, finished)
	case others && !function.IsSet() && !free.IsSet() && (name.IsSet() || arguments.IsSet()): // it would change the call before it
		return m.wholeExtra(dst, index, wholeCall, v)
	case isCustom(kind, function, free):
		dst = m.custom(dst, index, id, free, finished)
	case function.IsSet() || kind.IsZero() || kind.Is("function") || kind.Is("custom"):
		dst = m.call(dst, index, id, function, finished)
	default: // of an unknown kind
		return m.wholeExtra(dst, index, wholeCall, v)
	}
	if kind.IsSet() && !kind.Is("function") && !kind.Is("custom") {
		dst = unknown.Add(dst, m.choice, index, m.path+inCall, []byte("type"), kind)
	}
	if others {
		known := callMembers[:]
		if !flat {
			known = known[:len(known)-2]
		}
		dst = m.add(dst, index, inCall, v, known...)
	}
	if google.IsSet() {
		dst = m.google(dst, toolcall.Delta{Name: toolcall.SignsCall, Index: index, ID: m.Texts.Name(id)}, inCall, google)
	}
	return dst
}

// callMembers are the members of a call; the last ones are those of a flat call.
var callMembers = [...]string{"index", "id", "type", "function", "custom", "extra_content", "name", "arguments"}

// isCustom reports whether a call, or a piece of one, is of a custom tool: by its type
// or, without one, by its member. Some servers always send both members.
func isCustom(kind, function, free rawjson.Value) bool {
	switch {
	case !free.IsSet() || kind.Is("function"):
		return false
	case kind.Is("custom"):
		return true
	}
	return function.IsZero() || !free.IsZero()
}

// isFlat reports whether a call, or a piece of one, has its name and arguments next to
// its id, without the member "function", as several servers write it.
func isFlat(kind, function, free, name, arguments rawjson.Value) bool {
	return !function.IsSet() && !free.IsSet() && (kind.IsZero() || kind.Is("function")) &&
		(name.Kind == rawjson.String || !name.IsSet() && arguments.IsSet())
}

// flatCall is the remark about such calls.
var flatCall = chat.Loss{Field: "tool_calls[].function", Reason: wireio.ErrMissing.Error(), Action: "the name and the arguments beside it are read as the call"}

// isNoCall reports whether the place of a whole call is empty: no id, no name, no
// arguments.
func isNoCall(id, name string, arguments rawjson.Value) bool {
	return id == "" && name == "" && (arguments.IsZero() || arguments.Is("{}"))
}

// call decodes a piece of a function call.
func (m messageDecoder) call(dst []toolcall.Delta, index int, id, function rawjson.Value, finished bool) []toolcall.Delta {
	var name, arguments rawjson.Value
	others := false
	for key, member := range function.Fields() {
		switch string(key) {
		case "name":
			name = member
		case "arguments":
			arguments = member
		case "id": // older builds of llama.cpp
			if !id.IsSet() {
				id = m.Label(member, m.path, inFunction, ".id")
			}
		default:
			others = others || member.IsSet()
		}
	}
	if dst = m.fragment(dst, index, id, name, arguments, finished); others && m.Err() == nil {
		dst = m.add(dst, index, inFunction, function, "name", "arguments", "id")
	}
	return dst
}

// fragment decodes a piece of a function call.
func (m messageDecoder) fragment(dst []toolcall.Delta, index int, id, name, arguments rawjson.Value, finished bool) []toolcall.Delta {
	if name = m.String(name, m.path, inFunction, ".name"); m.Err() != nil {
		return dst
	}
	c := rawjson.Channel{Kind: toolcall.DeltaToolCall, Choice: m.choice, Index: index}
	delta := toolcall.Delta{
		Kind: toolcall.DeltaToolCall, Choice: m.choice, Index: index, ID: m.Texts.Name(id), Name: m.Texts.Name(name),
	}
	delta.Text, delta.Whole = m.Texts.Arguments(c, arguments)
	if m.whole {
		if isNoCall(delta.ID, delta.Name, arguments) {
			return dst
		}
		if delta.Text += m.Texts.Rest(c); !finished && wireio.IsEmptyArguments(arguments) { // cut before they began
			delta.Text = ""
		}
		delta.Whole, delta.Done = finished, finished
	}
	if delta.Name != "" {
		m.follow(index)
	}
	if delta.ID != "" || delta.Name != "" || delta.Text != "" || m.whole {
		dst = m.parallel.Add(dst, delta)
	}
	return dst
}

// customCall is a call of a custom tool. Its input is text instead of JSON, and streams
// as {"input":"..."}: the text as on the wire, with its escapes, goes between the quotes.
type customCall struct {
	choice, index int
	id            string
	followed      bool // another call has begun, so that the answer was not cut in this one
	cut           bool // the answer was cut in this call
}

const (
	anyChoice  = -1
	maxCustoms = 64 // open at the same time
)

var errCustoms = errors.New("too many custom calls are open at once")

// custom decodes a piece of a custom call.
func (m messageDecoder) custom(dst []toolcall.Delta, index int, id, v rawjson.Value, finished bool) []toolcall.Delta {
	var name, input rawjson.Value
	others := false
	m.Each(v, m.path+inCustom, func(_ []byte, member rawjson.Value) { others = others || member.IsSet() },
		"name", wireio.TextMember(&name), "input", &input)
	input = customtool.Text(&m.Reader.Reader, v, input, m.path, inCustom, ".input")
	if m.Err() != nil {
		return dst
	}
	delta := toolcall.Delta{
		Kind: toolcall.DeltaToolCall, Choice: m.choice, Index: index,
		ID: m.Texts.Name(id), Name: m.Texts.Name(name), Text: string(input.Raw),
	}
	if m.whole {
		delta.Custom, delta.Text = true, customtool.Opener+delta.Text
		if finished {
			delta.Text += customtool.Closer
			delta.Whole, delta.Done = true, true
		}
		dst = append(dst, delta)
	} else if dst = m.piece(dst, delta); len(m.customs) > maxCustoms {
		m.Fail(v, errCustoms, m.path, inCustom)
	}
	if others {
		dst = m.add(dst, index, inCustom, v, "name", "input")
	}
	return dst
}

// piece appends a piece of a custom call that streams, and before the first one the text
// that precedes the input.
func (m messageDecoder) piece(dst []toolcall.Delta, d toolcall.Delta) []toolcall.Delta {
	at := m.openCustom(d.Index)
	if at >= 0 && d.ID != "" && d.ID != m.customs[at].id {
		dst = append(dst, m.customs[at].end())
		m.customs = slices.Delete(m.customs, at, at+1)
		at = -1
	}
	if d.ID == "" && d.Name == "" && d.Text == "" {
		return dst
	}
	if at < 0 {
		m.follow(d.Index)
		m.customs = append(m.customs, customCall{choice: m.choice, index: d.Index, id: d.ID})
		d.Custom, d.Text = true, customtool.Opener+d.Text
	}
	return append(dst, d)
}

// openCustom returns the index in customs of the choice's open custom call, or -1.
func (m messageDecoder) openCustom(index int) int {
	return slices.IndexFunc(m.customs, func(c customCall) bool { return c.choice == m.choice && c.index == index })
}

// follow records that a call begins at index.
func (m messageDecoder) follow(index int) {
	for i := range m.customs {
		if c := &m.customs[i]; c.choice == m.choice && c.index != index {
			c.followed = true
		}
	}
}

// end returns the delta that ends the call.
func (c customCall) end() toolcall.Delta {
	return toolcall.Delta{Kind: toolcall.DeltaToolCall, Choice: c.choice, Index: c.index, Text: customtool.Closer, Done: true}
}

// closeCustoms ends the custom calls of a choice, or of all; if the answer was cut, only
// those in which it was not.
func (d *Decoder) closeCustoms(dst []toolcall.Delta, choice int, cut bool) []toolcall.Delta {
	open := d.customs[:0]
	for _, c := range d.customs {
		ends := choice == anyChoice || choice == c.choice
		c.cut = c.cut || ends && cut && !c.followed
		if ends && !c.cut {
			dst = append(dst, c.end())
		} else {
			open = append(open, c)
		}
	}
	d.customs = open
	return dst
}
