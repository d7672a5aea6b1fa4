package jsonvalue

import (
	"strconv"
	"strings"
)

var (
	pointerEscapes   = strings.NewReplacer("~", "~0", "/", "~1")
	pointerUnescapes = strings.NewReplacer("~1", "/", "~0", "~")
)

// EscapePointer returns name as one part of a JSON pointer.
func EscapePointer(name string) string { return pointerEscapes.Replace(name) }

// UnescapePointer returns the name that a part of a JSON pointer stands for.
func UnescapePointer(part string) string { return pointerUnescapes.Replace(part) }

// JoinPointer appends names to a JSON pointer.
func JoinPointer(pointer string, names ...string) string {
	var b strings.Builder
	b.WriteString(pointer)
	for _, name := range names {
		b.WriteByte('/')
		b.WriteString(EscapePointer(name))
	}
	return b.String()
}

// Step returns the member of an object with this name or the element of an array with this
// index, or nil.
func (v *Value) Step(name string) *Value {
	if !v.Is(Array) {
		return v.Get(name)
	}
	if len(name) > 1 && name[0] == '0' || strings.HasPrefix(name, "+") {
		return nil
	}
	if i, err := strconv.Atoi(name); err == nil && i >= 0 && i < len(v.List) {
		return v.List[i]
	}
	return nil
}

// PointerTo returns the JSON pointer from v to inner, a value inside it. It searches all of
// v and is meant for error messages.
func (v *Value) PointerTo(inner *Value) (pointer string, found bool) {
	var names []string
	if !v.pathTo(inner, &names) {
		return "", false
	}
	return JoinPointer("", names...), true
}

func (v *Value) pathTo(inner *Value, names *[]string) bool {
	if v == inner {
		return true
	}
	for i, part := range v.List {
		*names = append(*names, v.PartName(i))
		if part.pathTo(inner, names) {
			return true
		}
		*names = (*names)[:len(*names)-1]
	}
	return false
}
