package openai

import (
	"slices"

	"github.com/toolparse/toolparse"
	"github.com/toolparse/toolparse/format/internal/payload"
)

// customCall is a call of a custom tool, whose input is text, not JSON, and
// streams as {"input":"...": the text as it stands in the wire's own string,
// escapes and all, is what belongs between the quotes.
type customCall struct {
	choice, index int
	id            string
}

const (
	anyChoice  = -1
	maxCustoms = 64 // that are open at once; what is more stays open
)

// custom decodes a piece of a custom call.
func (m messageDecoder) custom(dst []toolparse.Delta, index int, id, custom payload.Value, finished bool) []toolparse.Delta {
	var name, input payload.Value
	for key, member := range custom.Fields() {
		switch string(key) {
		case "name":
			name = member
		case "input":
			input = m.reader.String(member, m.path, ".tool_calls[].custom.input")
		}
	}
	delta := toolparse.Delta{
		Kind: toolparse.DeltaToolCall, Choice: m.choice, Index: index,
		ID: m.texts.Name(id), Name: m.texts.Name(name), Text: string(input.Raw),
	}
	if m.whole {
		delta.Text = `{"input":"` + delta.Text
		if finished {
			delta.Text += `"}`
			delta.Whole, delta.Done = true, true
		}
		return append(dst, delta)
	}
	at := m.openCustom(index)
	if at >= 0 && delta.ID != "" && delta.ID != m.customs[at].id {
		dst = append(dst, m.customs[at].end())
		m.customs = slices.Delete(m.customs, at, at+1)
		at = -1
	}
	if at < 0 && delta.Name != "" && len(m.customs) < maxCustoms {
		m.customs = append(m.customs, customCall{m.choice, index, delta.ID})
		delta.Text = `{"input":"` + delta.Text
	}
	if delta.Name == "" && delta.Text == "" {
		return dst
	}
	return append(dst, delta)
}

// openCustom returns the place of the choice's open custom call at index, or
// -1.
func (m messageDecoder) openCustom(index int) int {
	return slices.IndexFunc(m.customs, func(c customCall) bool { return c.choice == m.choice && c.index == index })
}

// end returns the delta that ends the call.
func (c customCall) end() toolparse.Delta {
	return toolparse.Delta{Kind: toolparse.DeltaToolCall, Choice: c.choice, Index: c.index, Text: `"}`, Done: true}
}

// closeCustoms ends the custom calls of a choice, or of any.
func (d *Decoder) closeCustoms(dst []toolparse.Delta, choice int) []toolparse.Delta {
	kept := d.customs[:0]
	for _, c := range d.customs {
		if choice != anyChoice && choice != c.choice {
			kept = append(kept, c)
			continue
		}
		dst = append(dst, c.end())
	}
	d.customs = kept
	return dst
}
