package parser

import (
	"slices"

	"github.com/toolparse/toolparse/internal/jsonstream"
)

// headerMember is a member of a header, its value as JSON.
type headerMember struct{ name, value string }

// text is the value of a string, or the JSON of another value.
func (m headerMember) text() string {
	if m.value == "" || m.value[0] != '"' {
		return m.value
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

// decodeMembers lists the members of a JSON object in their order.
func decodeMembers(object string) []headerMember {
	var members []headerMember
	s := jsonstream.Scanner{Quiet: true}
	value := 0 // where the value of the last member begins
	for i := 0; ; {
		kind, j := s.Next(object, i)
		i = j
		switch kind {
		case jsonstream.More, jsonstream.Invalid:
			return members
		case jsonstream.Key:
			if s.Depth() == 1 {
				members = append(members, headerMember{name: string(s.Text())})
			}
		case jsonstream.Colon:
			if s.Depth() == 1 {
				value = i
			}
		case jsonstream.StringEnd, jsonstream.Scalar, jsonstream.ObjectEnd, jsonstream.ArrayEnd:
			if s.Depth() == 1 {
				members[len(members)-1].value = trimBlanks(object[value:i])
			}
		}
	}
}

// takeMember removes the member of that name, and returns it: nil where there
// is none.
func takeMember(members *[]headerMember, name string) *headerMember {
	for i, m := range *members {
		if m.name == name {
			*members = slices.Delete(*members, i, i+1)
			return &m
		}
	}
	return nil
}
