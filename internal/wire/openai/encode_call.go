package openai

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/toolparse/toolparse/internal/wire/customtool"
	"github.com/toolparse/toolparse/internal/wire/features"
	"github.com/toolparse/toolparse/internal/wire/rawjson"
	"github.com/toolparse/toolparse/toolcall"
)

// call writes a piece of a call: first an opener with the id and name, then the
// arguments. A call that comes whole waits for its signature, which belongs to the
// opener.
func (e *encoder) call(dst []byte, d toolcall.Delta, a *answer) []byte {
	if d.Index < a.calls { // not the next call in normal form
		return e.follow(e.arguments(dst, d, a), a)
	}
	if len(a.inputs) > 0 || a.waiting.full {
		e.postpone(d, a)
		return dst
	}
	a.calls = d.Index + 1
	a.open++
	if d.Done && e.signsCalls() {
		a.held = d
		e.held++
		return dst
	}
	return e.arguments(e.opener(dst, &d, a, ""), d, a)
}

// waiting are pieces of calls that begin while a custom call is open, because clients
// consider that complete when another one begins.
type waiting struct {
	deltas []toolcall.Delta
	size   int // bytes
	full   bool
}

const (
	maxWaiting  = 1 << 20 // bytes
	waitingSize = 128     // counted for each piece, in addition to its text
)

// postpone keeps a piece of a call until no custom call is open.
func (e *encoder) postpone(d toolcall.Delta, a *answer) {
	if a.waiting.size += len(d.Text) + waitingSize; a.waiting.size > maxWaiting {
		a.waiting = waiting{full: true}
		return
	}
	a.waiting.deltas = append(a.waiting.deltas, d)
}

// follow writes the waiting pieces when no custom call is open.
func (e *encoder) follow(dst []byte, a *answer) []byte {
	if len(a.inputs) > 0 || len(a.waiting.deltas) == 0 {
		return dst
	}
	deltas := a.waiting.deltas
	a.waiting = waiting{}
	for _, d := range deltas {
		dst = e.call(e.release(dst, a), d, a)
	}
	return dst
}

// signsCalls reports whether a call may have a signature that can be written.
func (e *encoder) signsCalls() bool {
	return !e.w.VendorOnly && (e.meta.Wire == Wire || features.TraitsOf(e.meta.Wire).SignsCalls)
}

// EndEvent writes the calls that wait for a signature, which comes in the same event.
func (e *encoder) EndEvent(dst []byte, _ bool) []byte { return e.releaseAll(dst) }

// releaseAll writes all waiting calls.
func (e *encoder) releaseAll(dst []byte) []byte {
	if e.held == 0 { // nearly always
		return dst
	}
	for _, choice := range slices.Sorted(maps.Keys(e.choices)) {
		dst = e.release(dst, e.choices[choice])
	}
	return dst
}

// release writes the waiting call of a choice, if there is one.
func (e *encoder) release(dst []byte, a *answer) []byte {
	if a.held.Kind == 0 {
		return dst
	}
	d, signature := a.held, a.signature
	a.held, a.signature = toolcall.Delta{}, ""
	e.held--
	return e.arguments(e.opener(dst, &d, a, signature), d, a)
}

// opener writes the first chunk of a call.
func (e *encoder) opener(dst []byte, d *toolcall.Delta, a *answer, signature string) []byte {
	if _, _, custom := e.w.CalledTool(d.Name); custom {
		d.Custom = true
	}
	if d.Custom && e.w.VendorOnly { // OpenAI's chunks have only functions
		e.w.Log.AddOnce(features.CustomTool, "stream.calls", `a function call with the argument "input"`)
		d.Custom = false
	}
	dst = append(e.beginCall(dst, d.Choice, d.Index), `,"id":`...)
	dst = rawjson.AppendQuoted(dst, e.w.ID(d.ID, "stream.calls.id"))
	kind, arguments := "function", "arguments"
	if d.Custom {
		if a.inputs == nil {
			a.inputs = map[int]*customtool.Input{}
		}
		a.inputs[d.Index] = new(customtool.Input)
		kind, arguments = "custom", "input"
	}
	dst = append(append(append(dst, `,"type":"`...), kind...), `","`...)
	dst = append(append(dst, kind...), `":{"name":`...)
	dst = rawjson.AppendQuoted(dst, e.w.CalledName(d.Name, "stream.calls.name"))
	dst = append(append(append(dst, `,"`...), arguments...), `":""}`...)
	return e.endDelta(append(appendSignature(dst, signature), "}]"...), a, "")
}

// appendSignature appends the signature of a call, unless it is "".
func appendSignature(dst []byte, signature string) []byte {
	if signature == "" {
		return dst
	}
	dst = appendText(append(dst, `,"extra_content":{"google":{`...), "thought_signature", signature)
	return append(dst, "}}"...)
}

// arguments writes a piece of a call's arguments.
func (e *encoder) arguments(dst []byte, d toolcall.Delta, a *answer) []byte {
	if in := a.inputs[d.Index]; in != nil {
		dst = e.input(dst, d, a, in)
	} else if d.Text != "" {
		dst = append(e.beginCall(dst, d.Choice, d.Index), `,"function":{"arguments":`...)
		dst = rawjson.AppendQuoted(dst, d.Text)
		dst = e.endDelta(append(dst, "}}]"...), a, "")
	}
	if d.Done {
		a.open--
		delete(a.inputs, d.Index)
	}
	return dst
}

// input writes a piece of the input of a custom call.
func (e *encoder) input(dst []byte, d toolcall.Delta, a *answer, in *customtool.Input) []byte {
	text, ok := in.Next(d.Text)
	if !ok {
		e.w.Log.AddOnce(features.CustomTool, "stream.calls", "left out: its arguments are not an input")
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

// spellings record how a server writes reasoning.
type spellings struct {
	names  [len(reasoningNames)]bool
	detail string // "text" or "summary" if reasoning_details repeat the text
	google bool   // signatures of texts are in extra_content
}

// spell records a spelling, and reports whether path is one.
func (s *spellings) spell(path string) bool {
	for i, name := range reasoningNames {
		if path == inDelta+"."+name {
			s.names[i] = true
			return true
		}
	}
	switch path {
	case inDelta + inDetail + ".text":
		s.detail = "text"
	case inDelta + inDetail + ".summary":
		s.detail = "summary"
	case inDelta + inGoogle + inSignature + ".thought_signature":
		s.google = true
	default:
		return false
	}
	return true
}

// reasoning writes a piece of the text of reasoning under all names that the wire had for
// it.
func (e *encoder) reasoning(dst []byte, d toolcall.Delta, a *answer) []byte {
	if e.w.VendorOnly {
		e.w.Log.AddOnce(features.ReasoningText, "stream.reasoning")
		return dst
	}
	dst = e.begin(dst, d.Choice)
	names := a.spelled.names
	if a.spelled.detail == "" && names == ([len(reasoningNames)]bool{}) {
		names[0] = true
	}
	sep := ""
	for i, name := range reasoningNames {
		if names[i] {
			dst = appendText(append(dst, sep...), name, d.Text)
			sep = ","
		}
	}
	if kind := a.spelled.detail; kind != "" {
		dst = append(dst, sep...)
		dst = e.detail(dst, a, toolcall.Delta{Text: d.Text}, "reasoning."+kind, kind)
	}
	return e.endDelta(dst, a, "")
}

// signature writes a signature where gateways expect it.
func (e *encoder) signature(dst []byte, d toolcall.Delta, a *answer) []byte {
	ofCall := d.Name == toolcall.SignsCall
	switch {
	case ofCall && a.held.Kind != 0 && d.Index == a.held.Index:
		a.signature = d.Text
		return dst
	case e.w.VendorOnly, ofCall && (d.Index < 0 || !e.signsCalls()):
		e.w.Log.AddOnce(features.Signature, "stream.signature")
		return dst
	case ofCall:
		// Clients read the arguments of every piece.
		dst = append(e.beginCall(dst, d.Choice, d.Index), `,"function":{"arguments":""}`...)
		dst = append(appendSignature(dst, d.Text), "}]"...)
	case d.Name == toolcall.SignsRedacted:
		dst = e.detail(e.begin(dst, d.Choice), a, d, "reasoning.encrypted", "data")
	case a.spelled.google && a.spelled.detail == "":
		dst = append(e.begin(dst, d.Choice), `"extra_content":{"google":{`...)
		dst = append(appendText(dst, "thought_signature", d.Text), "}}"...)
	default:
		dst = e.detail(e.begin(dst, d.Choice), a, d, "reasoning.text", "signature")
	}
	return e.endDelta(dst, a, "")
}

// detail writes reasoning_details with one element.
func (e *encoder) detail(dst []byte, a *answer, d toolcall.Delta, kind, name string) []byte {
	dst = appendText(append(dst, `"reasoning_details":[{`...), "type", kind)
	dst = append(dst, ',')
	dst = appendText(dst, name, d.Text)
	if d.ID != "" {
		dst = append(dst, `,"id":`...)
		dst = rawjson.AppendQuoted(dst, d.ID)
	}
	if format := features.TraitsOf(e.meta.Wire).DetailFormat; format != "" {
		dst = append(dst, `,"format":`...)
		dst = rawjson.AppendQuoted(dst, format)
	}
	if e.meta.Wire != Wire { // clients join the pieces of an element by its index
		dst = strconv.AppendInt(append(dst, `,"index":`...), int64(a.elements), 10)
		a.elements++
	}
	dst = a.extras.Take(dst, inDelta+inDetail)
	dst = a.details.AppendTo(dst)
	return append(dst, "}]"...)
}
