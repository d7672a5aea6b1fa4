package parser

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"

	"github.com/toolparse/toolparse/internal/collect"
	"github.com/toolparse/toolparse/toolcall"
)

// duplicates finds the calls that an answer makes twice, once as the provider's
// own and once in its text: servers that parse a model's markup leak it into
// the content all the same. The first of the two counts. The other is rejected
// at its end, since nothing that was sent can be taken back.
//
// It watches events, so that no syntax needs to know of it.
type duplicates struct {
	open         map[string]*watched
	native, text single
}

// single are the complete calls of one way that have no twin yet.
type single struct {
	keys map[callKey]int // how many there are, by what they ask for
	// What came lately is not in keys yet: it is nearly always of an answer that calls
	// in one way only, and then no key is needed.
	late  []*watched
	bytes int // of late
}

// callKey stands for what a call asks for.
type callKey [sha256.Size]byte

// The bounds of the calls that wait for their keys. Each holds on to the input that it
// came in.
const (
	maxLate      = 16
	maxLateBytes = 64 << 10
)

// watched is a call that is open.
type watched struct {
	collect.Call
	text bool // some of it has raw bytes
}

func newDuplicates() *duplicates {
	return &duplicates{open: map[string]*watched{}}
}

// watch looks at the next events, and rejects calls among them that were made before.
func (x *duplicates) watch(events []toolcall.Event) {
	for i := range events {
		e := &events[i]
		if !e.Segment.IsCall() {
			continue
		}
		c := x.open[e.ID]
		if e.Type == toolcall.SegmentStart {
			c = &watched{Call: collect.Call{Start: *e}}
			x.open[e.ID] = c
		}
		if c == nil {
			continue // it began in text that was fed past this
		}
		c.text = c.text || e.Raw != ""
		c.Add(e)
		if e.Type == toolcall.SegmentEnd {
			delete(x.open, e.ID)
			if e.Status == toolcall.Complete && x.twin(c) {
				e.Status, e.Reason = toolcall.Rejected, toolcall.ReasonDuplicate
			}
		}
	}
}

// twin reports whether a call that is complete was made the other way before.
func (x *duplicates) twin(c *watched) bool {
	own, other := &x.native, &x.text
	if c.text {
		own, other = other, own
	}
	if other.take(c) {
		return true
	}
	own.add(c)
	return false
}

// add takes a call.
func (s *single) add(c *watched) {
	s.late = append(s.late, c)
	if s.bytes += len(c.Start.Payload) + len(c.Content) + len(c.End.Payload); s.bytes > maxLateBytes || len(s.late) > maxLate {
		s.settle()
	}
}

// settle makes the keys of what came lately.
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

// take takes a call out that asks for the same as c, and reports whether there is one.
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

// key makes the key of a call: the tool and its arguments, however these are written.
// A number and the text of it are the same, as there are syntaxes that have no other
// than text.
func (c *watched) key() callKey {
	// What was decoded from JSON can always be encoded.
	text, _ := json.Marshal([]any{c.Start.Name, decode(c.Arguments())})
	return sha256.Sum256(text)
}

// decode returns what JSON says, with a text for each of its numbers, booleans
// and nulls.
func decode(text []byte) any {
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	var v any
	if dec.Decode(&v) != nil {
		return string(text)
	}
	return asText(v)
}

// asText replaces every number, boolean and null by its text.
func asText(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for name, member := range v {
			v[name] = asText(member)
		}
	case []any:
		for i, item := range v {
			v[i] = asText(item)
		}
	case json.Number:
		return v.String()
	case bool:
		if v {
			return "true"
		}
		return "false"
	case nil:
		return "null"
	}
	return v
}
