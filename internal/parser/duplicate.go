package parser

import (
	"crypto/sha256"
	"slices"

	"github.com/toolparse/toolparse/internal/collect"
	"github.com/toolparse/toolparse/internal/jsonvalue"
	"github.com/toolparse/toolparse/toolcall"
)

// duplicates finds calls that an answer makes twice: natively and in its text. Servers that
// parse a model's markup leak it into the content anyway. The first call counts. The second
// one ends as rejected, because nothing that was sent can be taken back.
//
// It watches events, so that no syntax needs to know about it.
type duplicates struct {
	open         []*watched // a few: the parser limits them
	native, text single
	spare        []*watched // ended calls, for their memory
}

// single holds the complete calls of one kind without a twin so far.
type single struct {
	keys map[callKey]int // number of calls for each key
	// Recent calls are not in keys yet: nearly all answers make calls in one way only, and
	// then keys are never needed.
	late  []*watched
	bytes int // size of late
}

// callKey is a digest of what a call asks for.
type callKey [sha256.Size]byte

// Limits on the calls that wait for their keys. Each one keeps its input in memory.
const (
	maxLate      = 16
	maxLateBytes = 64 << 10
)

// watched is an open call.
type watched struct {
	collect.Call
	only string // its content while that is one piece, which is not copied
	text bool   // some of it has raw bytes
}

// add takes the next event after the start.
func (c *watched) add(e *toolcall.Event) {
	if e.Type == toolcall.SegmentContent {
		if c.only == "" && len(c.Content) == 0 {
			c.only = e.Payload
			return
		}
		c.join()
	}
	c.Add(e)
}

// join makes Content all of the content.
func (c *watched) join() {
	c.Content = append(c.Content, c.only...)
	c.only = ""
}

// reset prepares x for another stream. It keeps memory, but no text.
func (x *duplicates) reset() {
	clear(x.open)
	x.open = x.open[:0]
	for _, s := range [...]*single{&x.native, &x.text} {
		for _, c := range s.late {
			if *c = (watched{}); len(x.spare) < maxLate {
				x.spare = append(x.spare, c)
			}
		}
		clear(s.late)
		*s = single{late: s.late[:0]}
	}
}

// begin returns a call that starts.
func (x *duplicates) begin(e *toolcall.Event) *watched {
	var c *watched
	if last := len(x.spare) - 1; last >= 0 {
		c, x.spare = x.spare[last], x.spare[:last]
	} else {
		c = new(watched)
	}
	*c = watched{Call: collect.Call{Start: *e}}
	return c
}

// watch examines the next events, and rejects calls that were made before.
func (x *duplicates) watch(events []toolcall.Event) {
	for i := range events {
		e := &events[i]
		if !e.Segment.IsCall() {
			continue
		}
		at := slices.IndexFunc(x.open, func(c *watched) bool { return c.Start.ID == e.ID })
		if e.Type == toolcall.SegmentStart {
			at = len(x.open)
			x.open = append(x.open, x.begin(e))
		}
		if at < 0 {
			continue // it began in text that Feed received
		}
		c := x.open[at]
		c.text = c.text || e.Raw != ""
		c.add(e)
		if e.Type == toolcall.SegmentEnd {
			x.open = slices.Delete(x.open, at, at+1)
			if e.Status == toolcall.Complete && x.twin(c) {
				e.Status, e.Reason = toolcall.Rejected, toolcall.ReasonDuplicate
			}
		}
	}
}

// twin reports whether a complete call was made before in the other way.
func (x *duplicates) twin(c *watched) bool {
	mine, other := &x.native, &x.text
	if c.text {
		mine, other = other, mine
	}
	if other.take(c) {
		return true
	}
	mine.add(c)
	return false
}

// add records a call.
func (s *single) add(c *watched) {
	s.late = append(s.late, c)
	if s.bytes += len(c.Start.Payload) + len(c.only) + len(c.Content) + len(c.End.Payload); s.bytes > maxLateBytes || len(s.late) > maxLate {
		s.settle()
	}
}

// settle computes the keys of the recent calls.
func (s *single) settle() {
	if s.keys == nil {
		s.keys = map[callKey]int{}
	}
	for _, c := range s.late {
		s.keys[c.key()]++
	}
	clear(s.late)
	s.late, s.bytes = s.late[:0], 0
}

// take removes a call that asks for the same as c, and reports whether there was one.
func (s *single) take(c *watched) bool {
	if len(s.late) > 0 {
		s.settle()
	}
	if len(s.keys) == 0 {
		return false
	}
	key := c.key()
	if s.keys[key] == 0 {
		return false
	}
	s.keys[key]--
	return true
}

// key returns the key of a call: its tool and its arguments, however they are written. A
// number equals its text, because some syntaxes only have text.
func (c *watched) key() callKey {
	c.join()
	arguments := c.Arguments()
	text := c.Start.Name + "\x00"
	if args, err := jsonvalue.Parse(arguments); err == nil {
		text += asText(args).Key()
	} else {
		text += string(arguments)
	}
	return sha256.Sum256([]byte(text))
}

// asText makes every number, boolean and null in v its text.
func asText(v *jsonvalue.Value) *jsonvalue.Value {
	if v.Kind < jsonvalue.Array {
		v.Kind = jsonvalue.String
	}
	for _, part := range v.List {
		asText(part)
	}
	return v
}
