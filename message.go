package toolparse

import (
	"errors"
	"iter"
	"strings"

	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/toolcall"
)

// Message reads an assistant's message as the answer that it was: its native calls,
// and the calls in its text. wire is the format from which the message was decoded.
// [Kit.Parse] reads a message that is only text.
func (k *Kit) Message(wire Wire, m Message) (*Answer, error) {
	if wire == "" || wire == Auto || wire == Text {
		return &Answer{}, errors.New("toolparse: Kit.Message needs the message's wire format, not Auto or Text")
	}
	if text, ok := onlyText(m); ok {
		return k.Parse(text)
	}
	one := *k
	one.opts.Choice = 0
	s, err := one.stream(wire, messageDeltas(m))
	if err != nil {
		return &Answer{}, err
	}
	return s.collect()
}

// onlyText returns the text of a message whose parts are all text.
func onlyText(m Message) (string, bool) {
	var text strings.Builder
	for _, p := range m.Parts {
		if p.Kind != chat.PartText {
			return "", false
		}
		text.WriteString(p.Text)
	}
	return text.String(), true
}

// messageDeltas yields the parts of a message as a provider would stream them.
func messageDeltas(m Message) iter.Seq2[toolcall.Delta, error] {
	return func(yield func(toolcall.Delta, error) bool) {
		calls, cut := 0, false
		for _, p := range m.Parts {
			d := toolcall.Delta{Text: p.Text}
			switch p.Kind {
			case chat.PartText:
				d.Kind = toolcall.DeltaText
			case chat.PartReasoning:
				d.Kind = toolcall.DeltaReasoning
			case chat.PartRefusal:
				d.Kind = toolcall.DeltaRefusal
			case chat.PartCall:
				c := p.Call
				d = toolcall.Delta{
					Kind: toolcall.DeltaToolCall, Index: calls, ID: c.ID, Name: c.Name, Text: c.Arguments, Custom: c.Custom,
					Whole: !c.Cut, Done: !c.Cut,
				}
				calls, cut = calls+1, cut || c.Cut
			default:
				continue
			}
			if !yield(d, nil) {
				return
			}
		}
		if cut {
			yield(toolcall.Delta{Kind: toolcall.DeltaFinish, Truncated: true}, nil)
		}
	}
}
