// Package parallel unpacks multi_tool_use.parallel, a tool that OpenAI's models
// call now and then although nobody declared it: one call whose arguments are
//
//	{"tool_uses":[{"recipient_name":"functions.x","parameters":{}}]}
//
// stands for several.
package parallel

import (
	"strconv"
	"strings"

	"github.com/toolparse/toolparse"
	"github.com/toolparse/toolparse/format/frame"
	"github.com/toolparse/toolparse/format/internal/payload"
	"github.com/toolparse/toolparse/format/internal/strictjson"
)

const (
	maxBytes = 1 << 20 // of arguments that are held
	maxCalls = 32      // that are looked after at once
	prefix   = `{"tool_uses":[`
)

// Unpacker stands between a decoder and its tool-call deltas. A call of that
// name is held until its arguments are whole; its parts then come out as whole
// calls of their own, with ids made from the call's id. What turns out to be
// no such call comes out as it went in. The zero value is ready.
type Unpacker struct{ calls []*call }

type call struct {
	first toolparse.Delta // the piece that began it
	text  []byte          // its arguments so far
	scan  strictjson.Scanner
	state state
}

type state uint8

const (
	holding  state = iota
	unpacked       // what is still to come repeats it
	passing        // an ordinary call
)

// Add appends d, or what becomes of it, to dst.
func (u *Unpacker) Add(dst []toolparse.Delta, d toolparse.Delta) []toolparse.Delta {
	if d.Kind != toolparse.DeltaToolCall {
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
		if d.Name != "multi_tool_use.parallel" && d.Name != "parallel" || len(u.calls) == maxCalls {
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

// Flush appends what is held of a choice, as it came. It is for the end of its
// output, after which no call goes on.
func (u *Unpacker) Flush(dst []toolparse.Delta, choice int) []toolparse.Delta {
	kept := u.calls[:0]
	for _, c := range u.calls {
		switch {
		case c.first.Choice != choice:
			kept = append(kept, c)
		case c.state == holding:
			dst = c.pass(dst)
		}
	}
	u.calls = kept
	return dst
}

// FlushAll appends what is held of all choices.
func (u *Unpacker) FlushAll(dst []toolparse.Delta) []toolparse.Delta {
	for len(u.calls) > 0 {
		dst = u.Flush(dst, u.calls[0].first.Choice)
	}
	return dst
}

// find returns the place of the call at d's index, or -1.
func (u *Unpacker) find(d toolparse.Delta) int {
	for i, c := range u.calls {
		if c.first.Choice == d.Choice && c.first.Index == d.Index {
			return i
		}
	}
	return -1
}

// goesOn reports whether d, at the call's index, is more of it and not the
// beginning of another.
func (c *call) goesOn(d toolparse.Delta) bool {
	return (d.ID == "" || c.first.ID == "" || d.ID == c.first.ID) && (d.Name == "" || d.Name == c.first.Name)
}

func (c *call) add(dst []toolparse.Delta, d toolparse.Delta) []toolparse.Delta {
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

// mayBe reports whether the text so far could become the arguments looked for.
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

// pass lets the call out as one delta.
func (c *call) pass(dst []toolparse.Delta) []toolparse.Delta {
	c.state = passing
	c.first.Text = string(c.text)
	c.text = nil
	return append(dst, c.first)
}

// unpack appends the calls that the arguments hold.
func (c *call) unpack(dst []toolparse.Delta) (out []toolparse.Delta, ok bool) {
	args, err := new(payload.Reader).Open(frame.Event{Data: c.text})
	if err != nil {
		return dst, false
	}
	uses := args.Get("tool_uses")
	if uses.Kind != payload.Array {
		return dst, false
	}
	out = dst
	var texts payload.Texts
	n := 0
	for use := range uses.Items() {
		name, parameters := use.Get("recipient_name"), use.Get("parameters")
		if name.Kind != payload.String || parameters.IsSet() && parameters.Kind != payload.Object {
			return dst, false
		}
		d := toolparse.Delta{
			Kind: toolparse.DeltaToolCall, Choice: c.first.Choice, Index: toolparse.NoIndex,
			Name: strings.TrimPrefix(texts.Whole(name), "functions."), Text: "{}",
			Whole: true, Done: true,
		}
		if parameters.Kind == payload.Object {
			d.Text = string(parameters.Raw)
		}
		if c.first.ID != "" {
			d.ID = c.first.ID + "_" + strconv.Itoa(n)
		}
		out = append(out, d)
		n++
	}
	if n == 0 {
		return dst, false
	}
	c.text = nil
	return out, true
}
