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
	if v.Kind < Array {
		return append(dst, v.Raw...)
	}
	line := l.newline(depth + 1)
	return v.appendParts(dst, line, l.Comma+line, l.newline(depth),
		func(dst []byte, i int) []byte { return append(append(dst, v.RawKey(i)...), l.Colon...) },
		func(dst []byte, v *Value) []byte { return l.AppendAt(dst, v, depth+1) })
}

// Depth returns the nesting level of a value whose first line begins with the last line of
// before, by its indentation.
func (l Layout) Depth(before string) int {
	if l.Indent == 0 {
		return 0
	}
	line := before[strings.LastIndexByte(before, '\n')+1:]
	return (len(line) - len(strings.TrimLeft(line, " "))) / l.Indent
}

// newline returns a line break and the indentation for depth, if l has any.
func (l Layout) newline(depth int) string {
	if l.Indent == 0 {
		return ""
	}
	return "\n" + strings.Repeat(" ", l.Indent*depth)
}

// appendParts appends an array or an object: before stands before its parts, comma between
// them, after behind them. key appends the name of a member with what separates it from the
// value.
func (v *Value) appendParts(dst []byte, before, comma, after string, key func(dst []byte, i int) []byte, value func(dst []byte, v *Value) []byte) []byte {
	opener, closer := byte('['), byte(']')
	if v.Kind == Object {
		opener, closer = '{', '}'
	}
	dst = append(dst, opener)
	for i, part := range v.List {
		if i > 0 {
			before = comma
		}
		dst = append(dst, before...)
		if v.Kind == Object {
			dst = key(dst, i)
		}
		dst = value(dst, part)
	}
	if len(v.List) > 0 {
		dst = append(dst, after...)
	}
	return append(dst, closer)
}

// Sorted returns a copy of v with the members of all objects ordered by name with compare.
func (v *Value) Sorted(compare func(a, b string) int) *Value {
	switch v.Kind {
	case Array:
		out := NewArray()
		for _, elem := range v.List {
			out.List = append(out.List, elem.Sorted(compare))
		}
		return out
	case Object:
		out := NewObject()
		for _, key := range slices.SortedStableFunc(slices.Values(v.Keys), compare) {
			out.Set(key, v.Get(key).Sorted(compare))
		}
		return out
	}
	return v
}

// InAnyCase compares names for [Value.Sorted], ignoring case.
func InAnyCase(a, b string) int { return strings.Compare(strings.ToLower(a), strings.ToLower(b)) }

// Append appends v as JSON in this layout. Numbers keep their digits; strings get as few
// escapes as possible.
func (l Layout) Append(dst []byte, v *Value) []byte {
	switch v.Kind {
	case String:
		return AppendQuoted(dst, v.Text)
	case Array, Object:
		return l.appendLine(dst, v, l.Append)
	}
	return append(dst, v.Text...)
}

// AppendWritten appends v as JSON. Parsed values keep their bytes; only built arrays and
// objects get this layout.
func (l Layout) AppendWritten(dst []byte, v *Value) []byte {
	if v.Raw != "" {
		return append(dst, v.Raw...)
	}
	return l.appendLine(dst, v, l.AppendWritten)
}

func (l Layout) appendLine(dst []byte, v *Value, value func([]byte, *Value) []byte) []byte {
	return v.appendParts(dst, "", l.Comma, "",
		func(dst []byte, i int) []byte { return append(AppendQuoted(dst, v.Keys[i]), l.Colon...) }, value)
}
