package jsonvalue

import (
	"slices"
	"strings"
)

// Layout is the text between members or elements, and the text between a name and its
// value.
type Layout struct {
	Comma, Colon string
	// Indent is the number of spaces of indentation inside a value, one item a line, for
	// [Layout.AppendAt]; 0 means a single line.
	Indent int
}

// The usual layouts: without spaces, and with the spaces that most models write.
var (
	Compact = Layout{Comma: ",", Colon: ":"}
	Spaced  = Layout{Comma: ", ", Colon: ": "}
)

// Indented returns a layout over several lines, with this indentation.
func Indented(blanks int) Layout { return Layout{Comma: ",", Colon: ": ", Indent: blanks} }

// AppendAt appends v as JSON in this layout. Names and scalars keep their bytes. depth is the
// nesting level of v, which determines its indentation.
func (l Layout) AppendAt(dst []byte, v *Value, depth int) []byte {
	opener, closer := byte('['), byte(']')
	switch v.Kind {
	case Array:
	case Object:
		opener, closer = '{', '}'
	default:
		return append(dst, v.Raw...)
	}
	dst = append(dst, opener)
	for i, part := range v.List {
		if i > 0 {
			dst = append(dst, l.Comma...)
		}
		dst = l.newline(dst, depth+1)
		if v.Kind == Object {
			dst = append(append(dst, v.RawKey(i)...), l.Colon...)
		}
		dst = l.AppendAt(dst, part, depth+1)
	}
	if len(v.List) > 0 {
		dst = l.newline(dst, depth)
	}
	return append(dst, closer)
}

// newline appends a line break and the indentation for depth, if l has any.
func (l Layout) newline(dst []byte, depth int) []byte {
	if l.Indent == 0 {
		return dst
	}
	return append(append(dst, '\n'), strings.Repeat(" ", l.Indent*depth)...)
}

// Sorted returns a copy of v with the members of all objects ordered by name with compare.
func (v *Value) Sorted(compare func(a, b string) int) *Value {
	if v.Kind < Array {
		return v
	}
	out := &Value{Kind: v.Kind}
	order := make([]int, len(v.List))
	for i := range order {
		order[i] = i
	}
	if v.Kind == Object {
		slices.SortStableFunc(order, func(a, b int) int { return compare(v.Keys[a], v.Keys[b]) })
	}
	for _, i := range order {
		member := v.List[i].Sorted(compare)
		if v.Kind == Object {
			out.Set(v.Keys[i], member)
		} else {
			out.List = append(out.List, member)
		}
	}
	return out
}

// Append appends v as JSON in this layout. Numbers keep their digits; strings get as few
// escapes as possible.
func (l Layout) Append(dst []byte, v *Value) []byte {
	switch v.Kind {
	case String:
		return AppendQuoted(dst, v.Text)
	case Array, Object:
		return l.appendParts(dst, v, l.Append)
	}
	return append(dst, v.Text...)
}

// AppendWritten appends v as JSON. Parsed values keep their bytes; only built arrays and
// objects get this layout.
func (l Layout) AppendWritten(dst []byte, v *Value) []byte {
	if v.Raw != "" {
		return append(dst, v.Raw...)
	}
	return l.appendParts(dst, v, l.AppendWritten)
}

func (l Layout) appendParts(dst []byte, v *Value, value func([]byte, *Value) []byte) []byte {
	opener, closer := byte('['), byte(']')
	if v.Kind == Object {
		opener, closer = '{', '}'
	}
	dst = append(dst, opener)
	for i, part := range v.List {
		if i > 0 {
			dst = append(dst, l.Comma...)
		}
		if v.Kind == Object {
			dst = append(AppendQuoted(dst, v.Keys[i]), l.Colon...)
		}
		dst = value(dst, part)
	}
	return append(dst, closer)
}
