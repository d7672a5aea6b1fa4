// Package multitool unpacks calls of multi_tool_use.parallel, a tool that OpenAI's models
// sometimes call although nobody has declared it. One call with the arguments
//
//	{"tool_uses":[{"recipient_name":"functions.x","parameters":{}}]}
//
// stands for several.
package multitool

import (
	"slices"
	"strconv"
	"strings"

	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/strictjson"
	"github.com/toolparse/toolparse/internal/wire/rawjson"
	"github.com/toolparse/toolparse/toolcall"
)

const (
	maxBytes = 1 << 20 // of arguments that are held
	maxCalls = 32      // calls held at the same time
	prefix   = `{"tool_uses":[`
)

// Unpacker filters the tool-call deltas of a decoder. It holds a call with that name
// until the arguments are complete, and then returns its parts as whole calls, with ids
// made from the call's id. If it turns out not to be such a call, its deltas are returned
// unchanged. The zero value is ready.
type Unpacker struct{ calls []*call }

type call struct {
	first toolcall.Delta // the first piece of the call
	text  []byte         // the arguments so far
	scan  strictjson.Scanner
	state state
}

type state uint8

const (
	holding  state = iota
	unpacked       // what follows repeats the call
	passing        // an ordinary call
)

// Add appends d, or what becomes of it, to dst.
func (u *Unpacker) Add(dst []toolcall.Delta, d toolcall.Delta) []toolcall.Delta {
	if d.Kind != toolcall.DeltaToolCall {
		return append(dst, d)
	}
	at := u.find(d)
	if at >= 0 && !u.calls[at].goesOn(d) {
		if c := u.calls[at]; c.state == holding {
			dst = c.pass(dst)
		}
		u.calls = append(u.calls[:at], u.calls[at+1:]...)
		at = -1
	}
	if at < 0 {
		if !isParallel(d.Name) || len(u.calls) == maxCalls {
			return append(dst, d)
		}
		at = len(u.calls)
		u.calls = append(u.calls, &call{first: d})
	}
	c := u.calls[at]
	dst = c.add(dst, d)
	if d.Done {
		u.calls = append(u.calls[:at], u.calls[at+1:]...)
	}
	return dst
}

// Flush appends what is held of a choice, unchanged, at the end of its output.
func (u *Unpacker) Flush(dst []toolcall.Delta, choice int) []toolcall.Delta {
	remaining := u.calls[:0]
	for _, c := range u.calls {
		switch {
		case c.first.Choice != choice:
			remaining = append(remaining, c)
		case c.state == holding:
			dst = c.pass(dst)
		}
	}
	u.calls = remaining
	return dst
}

// FlushAll appends what is held of all choices.
func (u *Unpacker) FlushAll(dst []toolcall.Delta) []toolcall.Delta {
	for len(u.calls) > 0 {
		dst = u.Flush(dst, u.calls[0].first.Choice)
	}
	return dst
}

// find returns the index of the call for d's index, or -1.
func (u *Unpacker) find(d toolcall.Delta) int {
	for i, c := range u.calls {
		if c.first.Choice == d.Choice && c.first.Index == d.Index {
			return i
		}
	}
	return -1
}

// goesOn reports whether d continues the call at its index, or begins another.
func (c *call) goesOn(d toolcall.Delta) bool {
	return (d.ID == "" || c.first.ID == "" || d.ID == c.first.ID) && (d.Name == "" || d.Name == c.first.Name)
}

func (c *call) add(dst []toolcall.Delta, d toolcall.Delta) []toolcall.Delta {
	switch c.state {
	case passing:
		return append(dst, d)
	case unpacked:
		return dst
	}
	if c.first.ID == "" {
		c.first.ID = d.ID
	}
	if d.Whole {
		c.text = c.text[:0]
		c.scan.Reset()
	}
	c.text = append(c.text, d.Text...)
	c.first.Whole = d.Whole
	c.first.Done = d.Done
	_, done, err := c.scan.Scan([]byte(d.Text))
	if done && err == nil {
		if out, ok := c.unpack(dst); ok {
			c.state = unpacked
			return out
		}
	}
	if done || err != nil || d.Done || len(c.text) > maxBytes || !c.mayBe() {
		return c.pass(dst)
	}
	return dst
}

// mayBe reports whether the text so far may be the beginning of such arguments.
func (c *call) mayBe() bool {
	n := 0
	for _, b := range c.text {
		switch {
		case n == len(prefix):
			return true
		case strictjson.IsBlank(b):
		case b != prefix[n]:
			return false
		default:
			n++
		}
	}
	return true
}

// pass appends the call as one delta.
func (c *call) pass(dst []toolcall.Delta) []toolcall.Delta {
	c.state = passing
	c.first.Text = string(c.text)
	c.text = nil
	return append(dst, c.first)
}

// unpack appends the calls in the arguments.
func (c *call) unpack(dst []toolcall.Delta) (out []toolcall.Delta, ok bool) {
	uses, ok := usesOf(c.text)
	if !ok {
		return dst, false
	}
	for n, u := range uses {
		dst = append(dst, toolcall.Delta{
			Kind: toolcall.DeltaToolCall, Choice: c.first.Choice, Index: toolcall.NoIndex,
			ID: idOf(c.first.ID, n), Name: u.name, Text: u.arguments, Whole: true, Done: true,
		})
	}
	c.text = nil
	return dst, true
}

// Expand returns the parts of an answer with such calls replaced by the calls that they
// stand for.
func Expand(parts []chat.Part) []chat.Part {
	var out []chat.Part // nil until something changes
	for i, p := range parts {
		uses, ok := usesOfPart(p)
		if !ok {
			if out != nil {
				out = append(out, p)
			}
			continue
		}
		if out == nil {
			out = slices.Clone(parts[:i])
		}
		for n, u := range uses {
			one := chat.CallPart(idOf(p.Call.ID, n), u.name, u.arguments)
			if n == 0 {
				one.Signature, one.SignedBy, one.Extras = p.Signature, p.SignedBy, p.Extras
			}
			out = append(out, one)
		}
	}
	if out == nil {
		return parts
	}
	return out
}

func usesOfPart(p chat.Part) (uses []use, ok bool) {
	if p.Kind != chat.PartCall || p.Call.Custom || !isParallel(p.Call.Name) {
		return nil, false
	}
	return usesOf([]byte(p.Call.Arguments))
}

// isParallel reports whether a tool is multi_tool_use.parallel.
func isParallel(name string) bool { return name == "multi_tool_use.parallel" || name == "parallel" }

// idOf returns the id of part n of a call, made from the call's id.
func idOf(id string, n int) string {
	if id == "" {
		return ""
	}
	return id + "_" + strconv.Itoa(n)
}

// use is one call in the arguments of another.
type use struct{ name, arguments string }

// usesOf parses arguments. ok is false for those of an ordinary call.
func usesOf(arguments []byte) (uses []use, ok bool) {
	args, err := rawjson.Parse(arguments)
	if err != nil {
		return nil, false
	}
	var texts rawjson.Texts
	for item := range args.Get("tool_uses").Items() {
		name, parameters := item.Get("recipient_name"), item.Get("parameters")
		if name.Kind != rawjson.String || parameters.IsSet() && parameters.Kind != rawjson.Object {
			return nil, false
		}
		u := use{strings.TrimPrefix(texts.Whole(name), "functions."), "{}"}
		if parameters.Kind == rawjson.Object {
			u.arguments = string(parameters.Raw)
		}
		uses = append(uses, u)
	}
	return uses, len(uses) > 0
}
