package responses

import (
	"github.com/toolparse/toolparse/internal/wire/customtool"
	"github.com/toolparse/toolparse/internal/wire/rawjson"
	"github.com/toolparse/toolparse/internal/wire/wireio"
	"github.com/toolparse/toolparse/toolcall"
)

// The arguments of a function are JSON text. The input of a custom tool is text, and
// streams as {"input":"..."}: the text as on the wire, with its escapes, goes between the
// quotes.

// give appends a piece of a call.
func (d *Decoder) give(dst []toolcall.Delta, kind itemKind, call toolcall.Delta) []toolcall.Delta {
	if kind == customItem {
		return append(dst, call)
	}
	return d.parallel.Add(dst, call)
}

// half appends what is held of a call's arguments: half of a surrogate pair, or pieces
// that differ from the arguments of its start.
func (d *Decoder) half(dst []toolcall.Delta, it *item) []toolcall.Delta {
	half := it.again.Add(d.Texts.Rest(argumentsOf(it.index)))
	if half += it.again.End(); half != "" {
		dst = d.parallel.Add(dst, toolcall.Delta{Kind: toolcall.DeltaToolCall, Index: it.index, Text: half})
	}
	return dst
}

// wholeArguments returns arguments that come whole.
func (d *Decoder) wholeArguments(v rawjson.Value, index int) string {
	text, _ := d.Texts.Arguments(argumentsOf(index), v)
	return text + d.Texts.Rest(argumentsOf(index))
}

// callDelta decodes a piece of a call's arguments or input.
func (d *Decoder) callDelta(dst []toolcall.Delta, f *fields, kind itemKind) []toolcall.Delta {
	it := d.piece(f, kind)
	if it == nil {
		return dst
	}
	delta := d.String(f.delta, "delta")
	var text string
	if kind == customItem {
		text = string(delta.Raw)
	} else {
		text = it.again.Add(d.Texts.Piece(argumentsOf(it.index), delta))
	}
	switch {
	case text == "":
		return dst
	case it.closed:
		d.Fail(f.delta, errOver, "delta")
		return dst
	}
	it.sent = true
	return d.give(dst, kind, toolcall.Delta{Kind: toolcall.DeltaToolCall, Index: it.index, Text: text})
}

// argumentsDone decodes the repetition of the whole arguments. The call is done only with
// its item.
func (d *Decoder) argumentsDone(dst []toolcall.Delta, f *fields) []toolcall.Delta {
	it := d.ending(f, functionItem)
	if it == nil {
		return dst
	}
	whole := f.arguments
	if whole.Kind != rawjson.Object {
		whole = d.String(whole, "arguments")
	}
	dst = d.half(dst, it)
	text := d.wholeArguments(whole, it.index)
	if text == "" {
		return dst
	}
	it.sent = true
	return d.parallel.Add(dst, toolcall.Delta{Kind: toolcall.DeltaToolCall, Index: it.index, Text: text, Whole: true})
}

// inputDone closes the input.
func (d *Decoder) inputDone(dst []toolcall.Delta, f *fields) []toolcall.Delta {
	it := d.ending(f, customItem)
	if it == nil || it.closed {
		return dst
	}
	it.closed = true
	text := customtool.Closer
	if input := d.String(f.input, "input"); !it.sent {
		text = string(input.Raw) + customtool.Closer
	}
	return append(dst, toolcall.Delta{Kind: toolcall.DeltaToolCall, Index: it.index, Text: text})
}

// functionDone decodes the whole item of a function call.
func (d *Decoder) functionDone(dst []toolcall.Delta, o *output, it *item) []toolcall.Delta {
	call := o.again(it)
	dst = d.half(dst, it)
	call.Text = d.wholeArguments(o.arguments, it.index)
	it.whole = call.Text
	call.Whole, call.Done = call.Text != "", true
	if o.cut {
		// If the arguments were cut, they are what has come so far.
		call.Whole, call.Done = false, false
		if !it.sent && wireio.IsEmptyArguments(o.arguments) { // blanks and null are not the beginning of arguments
			d.unopened, call.Text = true, ""
		}
		if it.sent {
			return dst
		}
	}
	return d.parallel.Add(dst, call)
}

// customDone decodes the whole item of a custom call.
func (d *Decoder) customDone(dst []toolcall.Delta, o *output, it *item) []toolcall.Delta {
	call := o.again(it)
	input := string(o.input.Raw)
	it.whole = string(o.input.JSON())
	switch {
	case !o.cut:
		call.Text, call.Whole, call.Done = customtool.Opener+input+customtool.Closer, true, true
	case !it.started:
		call.Text = customtool.Opener + input
	case !it.sent && input != "":
		call.Text = input
	default:
		return dst
	}
	return append(dst, call)
}
