package responses

import (
	"github.com/toolparse/toolparse"
)

// The input of a custom tool is text, not JSON. It streams as {"input":"...":
// the text as it stands in the wire's own string, escapes and all, is what
// belongs between the quotes.
const (
	customOpener = `{"input":"`
	customCloser = `"}`
)

// inputDelta decodes a piece of a custom call's input.
func (d *Decoder) inputDelta(dst []toolparse.Delta, f *fields) []toolparse.Delta {
	it, index := d.open(f)
	text := string(d.reader.String(f.delta, "delta").Raw)
	if text == "" || it.closed {
		return dst
	}
	if it.kind != customItem { // its added was missing
		it.kind = customItem
		text = customOpener + text
	}
	it.sent |= sentArguments
	return append(dst, toolparse.Delta{Kind: toolparse.DeltaToolCall, Index: index, Text: text})
}

// inputDone closes the input.
func (d *Decoder) inputDone(dst []toolparse.Delta, f *fields) []toolparse.Delta {
	it, index := d.open(f)
	if it.kind != customItem || it.closed {
		return dst
	}
	it.closed = true
	text := customCloser
	if it.sent&sentArguments == 0 {
		text = string(d.reader.String(f.input, "input").Raw) + customCloser
	}
	return append(dst, toolparse.Delta{Kind: toolparse.DeltaToolCall, Index: index, Text: text})
}

// customDone decodes the whole item of a custom call.
func (d *Decoder) customDone(dst []toolparse.Delta, o output, it *item, index int) []toolparse.Delta {
	call := o.call(index)
	input := string(o.input.Raw)
	if o.cut {
		if it.kind != customItem {
			call.Text = customOpener + input
			return append(dst, call)
		}
		if it.sent&sentArguments == 0 && input != "" {
			call.Text = input
			return append(dst, call)
		}
		return dst
	}
	call.Text, call.Whole, call.Done = customOpener+input+customCloser, true, true
	return append(dst, call)
}
