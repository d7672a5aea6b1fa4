package wire

import (
	"slices"
	"strconv"

	"github.com/toolparse/toolparse/format/chat"
)

// MakeID returns an id for call n of an answer whose wire gave it none. seed identifies
// the answer, such as by the id of the response, so that the same answer always gets the
// same ids.
func MakeID(seed string, n int, name string) string {
	return "call_" + digest(seed+"\x00"+strconv.Itoa(n)+"\x00"+name, 20)
}

// Seed returns the seed for the ids of the calls in one choice of an answer.
func Seed(m chat.Meta, choice int) string {
	return m.ID + "\x00" + strconv.FormatInt(m.Created, 10) + "\x00" + strconv.Itoa(choice)
}

// Link returns messages in which every call has a unique id, and every result that
// answers a call has that call's id and name. Encoders call it first.
//
// Link makes missing ids, and replaces ids that a later turn repeats; both depend only on
// the messages before. A result answers the oldest open call with its id or, without an
// id, with its name, or else the oldest open call. The result shares unchanged messages
// with the argument, which Link does not modify.
func Link(messages []chat.Message) []chat.Message {
	l := newLinker("")
	out := messages
	for i, m := range messages {
		parts := l.parts(m.Parts)
		if parts == nil {
			continue
		}
		if &out[0] == &messages[0] {
			out = slices.Clone(messages)
		}
		out[i].Parts = parts
	}
	return out
}

// LinkResponse returns the choices of an answer with a unique id for every call.
func LinkResponse(r *Response) []Choice {
	out := slices.Clone(r.Choices)
	for i := range out {
		l := newLinker(Seed(r.Meta, i))
		if parts := l.parts(out[i].Message.Parts); parts != nil {
			out[i].Message.Parts = parts
		}
	}
	return out
}

// linker links the messages of a conversation.
type linker struct {
	seed   string
	calls  int
	used   map[string]int // ids in use, each with the last suffix that was tried
	byID   map[string]*queue
	byName map[string]*queue
	all    queue
}

func newLinker(seed string) linker {
	return linker{seed: seed, used: map[string]int{}, byID: map[string]*queue{}, byName: map[string]*queue{}}
}

// linked is a call with its new id.
type linked struct {
	id, name string
	answered bool
}

// queue holds calls in their order, the open ones last.
type queue []*linked

// oldest returns the oldest open call, or nil.
func (q *queue) oldest() *linked {
	for len(*q) > 0 && (*q)[0].answered {
		if len(*q) == 1 {
			return nil
		}
		*q = (*q)[1:]
	}
	if len(*q) == 0 {
		return nil
	}
	return (*q)[0]
}

// parts returns the parts with their ids, or nil if nothing changes.
func (l *linker) parts(parts []chat.Part) []chat.Part {
	var out []chat.Part
	change := func(i int) *chat.Part {
		if out == nil {
			out = slices.Clone(parts)
		}
		return &out[i]
	}
	for i, p := range parts {
		switch {
		case p.Kind == chat.PartCall && p.Call != nil:
			if id := l.call(*p.Call); id != p.Call.ID {
				call := *p.Call
				call.ID = id
				change(i).Call = &call
			}
		case p.Kind == chat.PartResult && p.Result != nil:
			if c := l.answered(*p.Result); c != nil && (c.id != p.Result.CallID || c.name != p.Result.Name) {
				result := *p.Result
				result.CallID, result.Name = c.id, c.name
				change(i).Result = &result
			}
		}
	}
	return out
}

// call returns the id of the next call.
func (l *linker) call(c chat.Call) string {
	id := c.ID
	if id == "" {
		id = MakeID(l.seed, l.calls, c.Name)
	}
	l.calls++
	if n, taken := l.used[id]; taken {
		base := id
		for taken {
			n++
			id = base + "_" + strconv.Itoa(n+1)
			_, taken = l.used[id]
		}
		l.used[base] = n
	}
	l.used[id] = 0
	entry := &linked{id: id, name: c.Name}
	add(l.byID, c.ID, entry)
	add(l.byName, c.Name, entry)
	l.all = append(l.all, entry)
	return id
}

func add(m map[string]*queue, key string, entry *linked) {
	q := m[key]
	if q == nil {
		q = new(queue)
		m[key] = q
	}
	*q = append(*q, entry)
}

// answered returns the call that a result answers, or nil.
func (l *linker) answered(r chat.Result) *linked {
	var c *linked
	switch {
	case r.CallID != "":
		q := l.byID[r.CallID]
		if q == nil {
			return nil
		}
		if c = q.oldest(); c == nil { // a second result for the last call with that id
			return (*q)[0]
		}
	case r.Name != "":
		if q := l.byName[r.Name]; q != nil {
			c = q.oldest()
		}
	default:
		c = l.all.oldest()
	}
	if c != nil {
		c.answered = true
	}
	return c
}
