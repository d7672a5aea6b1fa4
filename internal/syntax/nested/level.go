package nested

import (
	"github.com/toolparse/toolparse/internal/jsonstream"
	"github.com/toolparse/toolparse/internal/schema"
	"github.com/toolparse/toolparse/internal/syntax"
	"github.com/toolparse/toolparse/toolcall"
)

// level is an open container.
type level struct {
	name   string // its tag
	schema *schema.Schema
	array  bool
	count  int
	out    *jsonstream.Out // receives its JSON; nil discards it
	names  syntax.Names    // of an object's members
	later  []*laterMember  // arrays that are written as repeated tags
	repeat *laterMember    // the array that this container is an element of
}

// laterMember is an array that is written as one tag for each element, possibly with other
// tags in between. It is written at the end of its container.
type laterMember struct {
	name     string
	elements []byte
	count    int    // of them
	alone    string // JSON of a single element by itself, if the schema prefers that to an array
}

// beginsElement reports whether the opening tag that was just read begins another element
// of an array whose previous element, the innermost container, lacks its closing tag.
func (m *machine) beginsElement() bool {
	top := m.top()
	if top.repeat == nil || !m.tag.is(top.name) {
		return false
	}
	return top.names.Has(top.name) || top.schema.Closed() && !top.schema.Declares(top.name)
}

// levelOf returns the index of the innermost level that the tag just read closes, or -1.
func (m *machine) levelOf(got token) int {
	if got != tokenClose {
		return -1
	}
	for k := len(m.levels) - 1; k >= 0; k-- {
		if m.tag.is(m.levels[k].name) {
			return k
		}
	}
	return -1
}

// beginOut opens the current member, or discards it if its name has occurred before.
func (m *machine) beginOut() {
	top := m.top()
	switch {
	case len(m.levels) == 1:
		m.Open(m.name)
		return
	case top.out == nil:
		m.Out = nil
		return
	case !top.array && !top.names.Add(m.name):
		m.Call.Tolerate(toolcall.DuplicateArgument)
		m.Out = nil
		return
	}
	m.Out = top.out
	m.separate(top)
	if !top.array {
		m.Out.AddQuoted(m.name)
		m.Out.AddByte(':')
	}
}

// separate writes the comma before the next member of a container.
func (m *machine) separate(l *level) {
	if l.count++; l.count > 1 {
		l.out.AddByte(',')
	}
}

// laterOf returns the array that collects elements with this name, or nil.
func (l *level) laterOf(name string) *laterMember {
	for _, list := range l.later {
		if list.name == name {
			return list
		}
	}
	return nil
}

// nextElement returns the schema that the current value has as the next element of the
// array with its name.
func (m *machine) nextElement() *schema.Schema {
	if list := m.top().laterOf(m.name); list != nil {
		return m.schema.Element(list.count)
	}
	return m.schema.Element(0)
}

// beginElement makes the current value the next element of the array with its name.
func (m *machine) beginElement() {
	top := m.top()
	if m.repeat = top.laterOf(m.name); m.repeat == nil {
		m.repeat = &laterMember{name: m.name}
		top.later = append(top.later, m.repeat)
	}
	m.elem.Reset()
	m.Out = &m.elem
}

// openLevel makes the current value a container.
func (m *machine) openLevel(s *schema.Schema, array bool) {
	if m.repeat != nil { // another element may be open around it
		m.Out = &jsonstream.Out{}
	}
	m.levels = append(m.levels, level{name: m.name, schema: s, array: array, out: m.Out, repeat: m.repeat})
	m.repeat = nil
	if array {
		m.Write("[")
	} else {
		m.Write("{")
	}
}

// closeLevel ends the innermost container.
func (m *machine) closeLevel() {
	top := *m.top()
	m.writeLater(m.top())
	m.levels = m.levels[:len(m.levels)-1]
	if top.out != nil {
		if top.array {
			top.out.AddByte(']')
		} else {
			top.out.AddByte('}')
		}
	}
	switch {
	case top.repeat != nil:
		top.repeat.add(top.out.Take())
	case len(m.levels) == 1:
		m.Close()
	}
}

// add appends an element.
func (l *laterMember) add(json string) {
	l.alone = ""
	if l.count++; l.count > 1 {
		l.elements = append(l.elements, ',')
	}
	l.elements = append(l.elements, json...)
}

// writeLater writes the collected arrays at the end of a container.
func (m *machine) writeLater(l *level) {
	for _, list := range l.later {
		m.name = list.name
		m.beginOut()
		switch {
		case m.Out == nil:
		case list.alone != "":
			m.Out.Add(list.alone)
		default:
			m.Out.AddByte('[')
			m.Out.AddBytes(list.elements)
			m.Out.AddByte(']')
		}
		if len(m.levels) == 1 {
			m.Close()
		}
	}
	l.later = nil
}
