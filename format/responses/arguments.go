package responses

import (
	"github.com/toolparse/toolparse"
)

// argumentsDelta decodes a piece of a function call's arguments.
func (d *Decoder) argumentsDelta(dst []toolparse.Delta, f *fields) []toolparse.Delta {
	it, index := d.open(f)
	if it.kind == otherItem {
		return dst
	}
	call := toolparse.Delta{Kind: toolparse.DeltaToolCall, Index: index}
	call.Text, call.Whole = d.texts.Arguments(argumentsOf(index), f.delta)
	if call.Text == "" {
		return dst
	}
	it.sent |= sentArguments
	return d.parallel.Add(dst, call)
}

// argumentsDone decodes the arguments once more as a whole. The call is done
// only with its item.
func (d *Decoder) argumentsDone(dst []toolparse.Delta, f *fields) []toolparse.Delta {
	it, index := d.open(f)
	if it.kind == otherItem {
		return dst
	}
	call := toolparse.Delta{Kind: toolparse.DeltaToolCall, Index: index, Whole: true}
	call.Text = d.texts.Rest(argumentsOf(index))
	if call.Text != "" { // half a pair that stayed alone belongs to the fragments
		dst = d.parallel.Add(dst, toolparse.Delta{Kind: toolparse.DeltaToolCall, Index: index, Text: call.Text})
	}
	text, _ := d.texts.Arguments(argumentsOf(index), f.arguments)
	call.Text = text + d.texts.Rest(argumentsOf(index))
	if call.Text == "" {
		return dst
	}
	it.sent |= sentArguments
	return d.parallel.Add(dst, call)
}
