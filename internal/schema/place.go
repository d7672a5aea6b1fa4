package schema

import (
	"slices"

	"github.com/toolparse/toolparse/internal/jsonvalue"
)

// place is a position in a schema: a member of another place. The nil place is the
// schema's root. Paths are spelled out only for errors, so that long names cost nothing.
type place struct {
	up   *place
	name string
}

func (p *place) member(name string) *place { return &place{up: p, name: name} }

// pointer is the place as a JSON pointer.
func (p *place) pointer() string {
	var names []string
	for ; p != nil; p = p.up {
		names = append(names, p.name)
	}
	slices.Reverse(names)
	return jsonvalue.JoinPointer("", names...)
}

func (p *place) fail(err error) error { return &Error{Path: p.pointer(), Err: err} }
