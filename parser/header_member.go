package parser

import (
	"encoding/json"
	"slices"
	"strings"
)

// headerMember is a member of a header, its value as JSON.
type headerMember struct {
	name  string
	value json.RawMessage
}

// text is the value of a string, or the JSON of another value.
func (m headerMember) text() string {
	var s string
	if json.Unmarshal(m.value, &s) != nil {
		return string(m.value)
	}
	return s
}

// decodeMembers lists the members of an object in their order.
func decodeMembers(object string) []headerMember {
	dec := json.NewDecoder(strings.NewReader(object))
	if _, err := dec.Token(); err != nil {
		return nil
	}
	var members []headerMember
	for dec.More() {
		name, err := dec.Token()
		if err != nil {
			return members
		}
		m := headerMember{}
		m.name, _ = name.(string)
		if dec.Decode(&m.value) != nil {
			return members
		}
		members = append(members, m)
	}
	return members
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
