package openai

import (
	"strconv"
	"strings"

	"github.com/toolparse/toolparse"
	"github.com/toolparse/toolparse/format/internal/carry"
	"github.com/toolparse/toolparse/format/internal/custom"
	"github.com/toolparse/toolparse/format/internal/payload"
)

// call writes a piece of a call: the opener with its id and name, and no
// arguments, then these by themselves.
func (e *encoder) call(dst []byte, d toolparse.Delta, a *answer) []byte {
	if d.Index >= a.calls { // in normal form: the next one
		a.calls = d.Index + 1
		a.open++
		if d.Custom && e.w.VendorOnly { // whose chunks have functions alone
			e.w.Log.AddOnce(carry.CustomTool, "stream.calls", `a function call with the argument "input"`)
			d.Custom = false
		}
		dst = append(e.beginCall(dst, d.Choice, d.Index), `,"id":`...)
		dst = payload.AppendQuoted(dst, e.w.ID(d.ID, "stream.calls.id"))
		if d.Custom {
			a.begin(d.Index)
			dst = append(dst, `,"type":"custom","custom":{"name":`...)
		} else {
			dst = append(dst, `,"type":"function","function":{"name":`...)
		}
		dst = payload.AppendQuoted(dst, e.w.Name(d.Name, "stream.calls.name"))
		if d.Custom {
			dst = append(dst, `,"input":""}}]`...)
		} else {
			dst = append(dst, `,"arguments":""}}]`...)
		}
		dst = e.endDelta(dst, a, "")
	}
	if in := a.inputs[d.Index]; in != nil {
		dst = e.input(dst, d, a, in)
	} else if d.Text != "" {
		dst = append(e.beginCall(dst, d.Choice, d.Index), `,"function":{"arguments":`...)
		dst = payload.AppendQuoted(dst, d.Text)
		dst = e.endDelta(append(dst, "}}]"...), a, "")
	}
	if d.Done {
		a.open--
		delete(a.inputs, d.Index)
	}
	return dst
}

// begin begins the input of a custom call.
func (a *answer) begin(index int) {
	if a.inputs == nil {
		a.inputs = map[int]*custom.Input{}
	}
	a.inputs[index] = new(custom.Input)
}

// input writes a piece of the input of a custom call.
func (e *encoder) input(dst []byte, d toolparse.Delta, a *answer, in *custom.Input) []byte {
	text, ok := in.Next(d.Text)
	if !ok {
		e.w.Log.AddOnce(carry.CustomTool, "stream.calls", "left out: its arguments are no input")
	}
	if text == "" {
		return dst
	}
	dst = append(e.beginCall(dst, d.Choice, d.Index), `,"custom":{"input":"`...)
	dst = append(dst, strings.ToValidUTF8(text, "\ufffd")...)
	return e.endDelta(append(dst, `"}}]`...), a, "")
}

func (e *encoder) beginCall(dst []byte, choice, index int) []byte {
	dst = append(e.begin(dst, choice), `"tool_calls":[{"index":`...)
	return strconv.AppendInt(dst, int64(index), 10)
}
