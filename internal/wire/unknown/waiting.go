package unknown

import (
	"cmp"
	"slices"
	"strings"

	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/wire/features"
	"github.com/toolparse/toolparse/internal/wire/jsonout"
	"github.com/toolparse/toolparse/toolcall"
)

// Place is an object in the events of a wire that extras belong to.
type Place struct {
	In    string // its path
	Late  string // the path of the object instead, once this one has been written
	Keeps Policy
	Most  int // number of members that may wait for it; 0 means maxMembers
}

// Policy says what becomes of a member if one with its name, or too many, are already
// waiting for the object.
type Policy uint8

const (
	First   Policy = iota // it is left out
	Last                  // it replaces the one with its name
	Each                  // those get an object of their own, and it waits for the next one
	Nowhere               // it never has a place
)

// Places are all places of a wire, inner objects before outer ones.
type Places []Place

// Of returns the place of an extra with this path, and the name of the member: "" if the
// extra is a whole element of a list. The place of other extras is the event, whose path
// is "".
func (p Places) Of(path string) (at Place, name string) {
	for _, at := range p {
		rest, ok := strings.CutPrefix(path, at.In)
		switch {
		case at.In == "":
			return at, path
		case ok && strings.HasPrefix(rest, "."):
			return at, rest[1:]
		case ok && rest == "" && strings.HasSuffix(path, "[]"):
			return at, ""
		}
	}
	return Place{}, path
}

// Waiting are extras that wait, in the encoder of a stream, for the objects that they
// belong to. The zero value is empty.
type Waiting struct {
	lists []list
	count int // of all members
}

type list struct {
	in string
	Members
}

// find returns the list for an object, or nil.
func (w *Waiting) find(in string) *list {
	for i := range w.lists {
		if w.lists[i].in == in {
			return &w.lists[i]
		}
	}
	return nil
}

// Put makes a member wait, or reports that it has no place. write writes the object with
// those that wait for it.
func (w *Waiting) Put(dst []byte, at Place, name string, d toolcall.Delta, log *features.Log, write func([]byte) []byte) []byte {
	if at.Keeps == Nowhere {
		log.ReportUnplaced(d)
		return dst
	}
	l := w.find(at.In)
	if l == nil {
		w.lists = append(w.lists, list{in: at.In})
		l = &w.lists[len(w.lists)-1]
	}
	before, most := len(l.Members), cmp.Or(at.Most, maxMembers)
	ok := l.put(name, d.Text, most, at.Keeps == Last)
	if !ok && at.Keeps == Each {
		dst = write(dst)
		before = len(l.Members)
		ok = l.put(name, d.Text, most, false)
	}
	if !ok {
		log.ReportUnplaced(d)
	}
	w.count += len(l.Members) - before
	return dst
}

// Has reports whether members wait for one of these objects.
func (w *Waiting) Has(in ...string) bool { return w.count > 0 && w.hasAny(in) }

func (w *Waiting) hasAny(in []string) bool {
	for _, in := range in {
		if len(w.Of(in)) > 0 {
			return true
		}
	}
	return false
}

// Of returns the members that wait for an object.
func (w *Waiting) Of(in string) Members {
	if l := w.find(in); l != nil {
		return l.Members
	}
	return nil
}

// Take appends the members that wait for an object to it; see [Members.AppendTo]. They
// then wait no longer.
func (w *Waiting) Take(dst []byte, in string) []byte {
	if w.count == 0 { // nearly always
		return dst
	}
	return w.take(dst, in)
}

func (w *Waiting) take(dst []byte, in string) []byte {
	l := w.find(in)
	if l == nil {
		return dst
	}
	dst = l.AppendTo(dst)
	w.count -= len(l.Members)
	l.Members = l.Members[:0]
	return dst
}

// Drop removes and returns the members that wait for an object.
func (w *Waiting) Drop(in string) Members {
	l := w.find(in)
	if l == nil {
		return nil
	}
	dropped := l.Members
	w.count -= len(dropped)
	l.Members = nil
	return dropped
}

// Extras returns the members that wait for an object as extras of the object as in a whole
// body, or of an inner object with one of these paths there. A member with null is a
// spelling; see [Stream.NoteName].
func (w *Waiting) Extras(in, wire, as string, inner ...string) (extras chat.Extras) {
	for _, m := range w.Of(in) {
		x := chat.Extra{Wire: wire, In: as, Name: m.Name, Value: jsonout.OneLine([]byte(m.Value))}
		for _, path := range inner {
			if name, ok := strings.CutPrefix(join(as, m.Name), path+"."); ok {
				x.In, x.Name = path, name
				break
			}
		}
		if m.Value == "null" {
			x = chat.Extra{Wire: wire, Name: join(in, m.Name), Spelling: true}
		}
		extras = append(extras, x)
	}
	return extras
}

// Unplaced reports the members that wait for these objects; without any, for all.
func (w *Waiting) Unplaced(log *features.Log, in ...string) {
	if len(in) == 0 {
		for _, l := range w.lists {
			in = append(in, l.in)
		}
		slices.Sort(in)
	}
	for _, in := range in {
		for _, m := range w.Of(in) {
			log.ReportUnplaced(toolcall.Delta{Name: join(in, m.Name)})
		}
	}
}

// join returns the path of a member of an object.
func join(in, name string) string {
	if in == "" {
		return name
	}
	return in + "." + name
}
