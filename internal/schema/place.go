package schema

import (
	"slices"
	"strconv"
	"strings"
)

// place is a position in a schema: a member of another place, or the target of
// a reference. The nil place is the schema's root. Paths are spelled out only
// for errors, so that long names cost nothing.
type place struct {
	up     *place
	name   string
	target string // of the reference that leads here
}

func (p *place) member(name string) *place { return &place{up: p, name: name} }

// pointer is the place as a JSON pointer.
func (p *place) pointer() string {
	var names []string
	for ; p != nil && p.target == ""; p = p.up {
		names = append(names, p.name)
	}
	if p == nil {
		return joinPointer("", names)
	}
	return joinPointer(strings.TrimPrefix(p.target, "#"), names)
}

// joinPointer appends names, the last one first, to a JSON pointer.
func joinPointer(pointer string, names []string) string {
	var b strings.Builder
	b.WriteString(pointer)
	for _, name := range slices.Backward(names) {
		b.WriteByte('/')
		b.WriteString(EscapePointer(name))
	}
	return b.String()
}

func (p *place) fail(err error) error { return &Error{Path: p.pointer(), Err: err} }

var (
	pointerEscapes   = strings.NewReplacer("~", "~0", "/", "~1")
	pointerUnescapes = strings.NewReplacer("~1", "/", "~0", "~")
)

// EscapePointer is a name as a part of a JSON pointer.
func EscapePointer(name string) string { return pointerEscapes.Replace(name) }

// find returns the part of the document that a $ref names. Only references
// into the document itself can be found.
func (v *value) find(ref string) (*value, error) {
	fragment, ok := strings.CutPrefix(ref, "#")
	if !ok || fragment != "" && fragment[0] != '/' {
		return nil, &refError{ref}
	}
	if fragment == "" {
		return v, nil
	}
	for name := range strings.SplitSeq(fragment[1:], "/") {
		name = pointerUnescapes.Replace(percentDecode(name))
		switch i, err := strconv.Atoi(name); {
		case v.members[name] != nil:
			v = v.members[name]
		case v.kind == typeArray && err == nil && i >= 0 && i < len(v.elems):
			v = v.elems[i]
		default:
			return nil, &refError{ref}
		}
	}
	return v, nil
}
