package parser

import (
	"slices"
	"strings"

	"github.com/toolparse/toolparse/internal/jsonstream"
	"github.com/toolparse/toolparse/internal/lex"
)

// headerMember is a member of a header; value is JSON.
type headerMember struct{ name, value string }

// text returns the content of a string, or the JSON of any other value.
func (m headerMember) text() string {
	if m.value == "" || m.value[0] != '"' {
		return m.value
	}
	if inner := m.value[1 : len(m.value)-1]; strings.IndexByte(inner, '\\') < 0 {
		return inner
	}
	var text []byte
	var s jsonstream.Scanner
	for i := 0; ; {
		kind, j := s.Next(m.value, i)
		switch kind {
		case jsonstream.StringPart:
			text = append(text, s.Part...)
		case jsonstream.StringEnd, jsonstream.More, jsonstream.Invalid:
			return string(text)
		}
		i = j
	}
}

// memberReader lists the members of JSON objects, and reuses its memory.
type memberReader struct {
	scanner jsonstream.Scanner
	list    []headerMember
}

// decodeMembers lists the members of a JSON object in order.
func decodeMembers(object string) []headerMember { return new(memberReader).read(object) }

// read lists the members of a JSON object in order. The list is valid until the next call.
func (r *memberReader) read(object string) []headerMember {
	s := &r.scanner
	s.Reset()
	s.Quiet, r.list = true, r.list[:0]
	value := 0 // offset of the last member's value
	for i := 0; ; {
		kind, j := s.Next(object, i)
		i = j
		if kind == jsonstream.More || kind == jsonstream.Invalid {
			return r.list
		}
		if s.Depth() != 1 {
			continue
		}
		switch kind {
		case jsonstream.Key:
			name := s.Text()
			if from := i - 1 - len(name); from >= 0 && object[from:i-1] == string(name) { // without escapes
				r.list = append(r.list, headerMember{name: object[from : i-1]})
			} else {
				r.list = append(r.list, headerMember{name: string(name)})
			}
		case jsonstream.Colon:
			value = i
		case jsonstream.StringEnd, jsonstream.Scalar, jsonstream.ObjectEnd, jsonstream.ArrayEnd:
			r.list[len(r.list)-1].value = lex.TrimBlanks(object[value:i])
		}
	}
}

// takeMember removes the member called name, and returns it.
func takeMember(members *[]headerMember, name string) (m headerMember, ok bool) {
	for i, m := range *members {
		if m.name == name {
			*members = slices.Delete(*members, i, i+1)
			return m, true
		}
	}
	return headerMember{}, false
}
