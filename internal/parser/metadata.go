package parser

import (
	"strings"

	"github.com/toolparse/toolparse/internal/jsonvalue"
)

// metadata collects members of an event's metadata, as JSON.
type metadata struct {
	members  []byte
	reserved []byte // arguments whose names have another meaning in metadata
}

// reset empties m and keeps its memory.
func (m *metadata) reset() { m.members, m.reserved = m.members[:0], m.reserved[:0] }

// add adds a member whose value is JSON. reserved means that it is an argument whose name
// has another meaning.
func (m *metadata) add(name, value string, reserved bool) {
	to := &m.members
	if reserved {
		to = &m.reserved
	}
	if len(*to) > 0 {
		*to = append(*to, ',')
	}
	*to = append(jsonvalue.AppendQuoted(*to, name), ':')
	*to = append(*to, value...)
}

// join moves the members of other to m.
func (m *metadata) join(other *metadata) {
	for _, pair := range [...][2]*[]byte{{&m.members, &other.members}, {&m.reserved, &other.reserved}} {
		to, from := pair[0], pair[1]
		if len(*to) > 0 && len(*from) > 0 {
			*to = append(*to, ',')
		}
		*to = append(*to, *from...)
		*from = (*from)[:0]
	}
}

// take returns the members as a JSON object and empties m. Without members it returns "".
func (m *metadata) take() string {
	if len(m.reserved) > 0 {
		m.add("arguments", "{"+string(m.reserved)+"}", false)
		m.reserved = m.reserved[:0]
	}
	if len(m.members) == 0 {
		return ""
	}
	var text strings.Builder
	text.Grow(len(m.members) + len("{}"))
	text.WriteByte('{')
	text.Write(m.members)
	text.WriteByte('}')
	m.members = m.members[:0]
	return text.String()
}
