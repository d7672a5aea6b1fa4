package python

import (
	"slices"

	"github.com/toolparse/toolparse/internal/syntax"
	"github.com/toolparse/toolparse/toolcall"
)

// maxUndecidedElement limits, in bytes, the first element that decides what its container
// is. No key is longer.
const maxUndecidedElement = 4 << 10

// top returns the innermost container, or nil.
func (m *machine) top() *container {
	if len(m.stack) == 0 {
		return nil
	}
	return &m.stack[len(m.stack)-1]
}

// closer returns the byte that closes the container.
func (f *container) closer() byte {
	switch f.kind {
	case list:
		return ']'
	case tuple, group, paren:
		return ')'
	}
	return '}'
}

// atKey reports whether the current position may be a key of a dict.
func (m *machine) atKey() bool {
	f := m.top()
	return f != nil && !f.value && (f.kind == dict || f.kind == brace)
}

// openContainer begins the container that in[i] opens.
func (m *machine) openContainer(h syntax.Host, in string, i int) int {
	switch {
	case len(m.stack)+1 >= m.limits.Depth:
		return m.failWith(h, i, toolcall.Rejected, toolcall.ReasonTooDeep)
	case m.atKey() && m.top().kind == dict:
		return m.fail(h, i) // JSON has no such key
	}
	m.beginElement()
	f := container{at: len(m.hold)}
	switch {
	case in[i] == '[':
		f.kind = list
		m.add("[")
	case in[i] == '{':
		f.kind = brace
		m.unset++
	default:
		f.kind = paren
		m.unset++
	}
	m.stack = append(m.stack, f)
	m.phase = beforeValue
	return i + 1
}

// beginElement begins an element of the innermost container, if any.
func (m *machine) beginElement() {
	f := m.top()
	if f == nil || f.value {
		return
	}
	if f.count > 0 {
		m.add(",")
	}
	f.count++
}

// settle decides what a container is from the byte after its first element. It reports
// whether that byte is allowed there.
func (m *machine) settle(f *container, c byte) bool {
	switch f.kind {
	case brace:
		if c == ':' {
			return m.toDict(f)
		}
		m.become(f, set)
		return !f.bare
	case paren:
		m.become(f, tuple)
		return c != ':'
	case dict:
		return f.value == (c == ',')
	case group:
		return false
	}
	return c == ','
}

// toDict makes a brace whose first key is held a dict.
func (m *machine) toDict(f *container) bool {
	switch m.hold[f.at] {
	case '[', '{':
		return false
	case '"':
	default:
		m.hold = append(slices.Insert(m.hold, f.at, '"'), '"')
	}
	m.become(f, dict)
	return true
}

// become sets the kind of a container that was undecided.
func (m *machine) become(f *container, kind containerKind) {
	f.kind = kind
	switch kind {
	case set, tuple:
		m.hold = slices.Insert(m.hold, f.at, '[')
	case dict:
		m.hold = slices.Insert(m.hold, f.at, '{')
	}
	if m.unset--; m.unset == 0 {
		m.release()
	}
}

// release writes the held JSON.
func (m *machine) release() {
	if m.Out != nil {
		m.Out.AddBytes(m.hold)
	}
	m.hold = m.hold[:0]
}

// decideAll decides all undecided containers, innermost first, after a first element has
// grown too long to be a key: they are sets and groups, neither dicts nor tuples.
func (m *machine) decideAll() {
	for k := len(m.stack) - 1; k >= 0 && m.unset > 0; k-- {
		switch f := &m.stack[k]; f.kind {
		case brace:
			m.become(f, set)
		case paren:
			m.become(f, group)
		}
	}
}

// closeContainer closes the innermost container at in[i].
func (m *machine) closeContainer(h syntax.Host, i int) int {
	f := m.top()
	switch {
	case f.kind == brace && f.count == 0:
		m.become(f, dict)
	case f.kind == brace:
		m.become(f, set)
	case f.kind == paren && f.count == 0:
		m.become(f, tuple)
	case f.kind == paren:
		m.become(f, group)
	}
	if f.bare && f.kind == set {
		return m.fail(h, i)
	}
	switch f.kind {
	case dict:
		m.add("}")
	case list, tuple, set:
		m.add("]")
	}
	m.stack = m.stack[:len(m.stack)-1]
	m.phase = afterValue
	return i + 1
}

// add writes JSON other than the content of a string.
func (m *machine) add(json string) {
	switch {
	case m.unset > 0:
		m.hold = append(m.hold, json...)
		if len(m.hold) > maxUndecidedElement {
			m.decideAll()
		}
	case m.Out != nil:
		m.Out.Add(json)
	}
}
