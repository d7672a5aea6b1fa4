package jsonstream

import (
	"unsafe"

	"github.com/toolparse/toolparse/internal/bytescan"
	"github.com/toolparse/toolparse/internal/jsonvalue"
	"github.com/toolparse/toolparse/internal/lex"
)

// Out collects output that is mostly a run of its input. While the output is a single run
// of a single input, Out refers to a substring and copies nothing:
//
//	output = buf + src[a:b]
//
// Anything that does not continue the run first moves it to buf (see Spill).
type Out struct {
	buf  []byte
	src  string // the input that contains the run
	a, b int    // the run is src[a:b]
}

// Pass adds src[a:b]. It copies earlier output only if src[a:b] does not continue the run.
func (o *Out) Pass(src string, a, b int) {
	if o.a == o.b {
		o.src, o.a, o.b = src, a, b
		return
	}
	// Only the pointers are compared. o.src keeps the memory from being reused.
	if o.b == a && unsafe.StringData(o.src) == unsafe.StringData(src) {
		o.src, o.b = src, b
		return
	}
	o.Spill()
	o.src, o.a, o.b = src, a, b
}

// Add copies s, which is not part of the input.
func (o *Out) Add(s string) {
	o.Spill()
	o.buf = append(o.buf, s...)
}

// AddQuoted adds s as a JSON string, with quotes.
func (o *Out) AddQuoted(s string) {
	o.AddByte('"')
	o.AddEscaped(s, 0, len(s))
	o.AddByte('"')
}

// AddKey adds a byte that is not part of the input, and key as the name of a member.
func (o *Out) AddKey(before byte, key string) {
	o.Spill()
	o.buf = append(o.buf, before, '"')
	if lex.NameEnd(key, 0, len(key)) == len(key) { // it needs no escape, as nearly always
		o.buf = append(append(o.buf, key...), '"', ':')
		return
	}
	o.buf = append(jsonvalue.AppendPart(o.buf, key), '"', ':')
}

// AddByte adds a byte that is not part of the input.
func (o *Out) AddByte(c byte) {
	o.Spill()
	o.buf = append(o.buf, c)
}

// AddBytes adds a copy of b.
func (o *Out) AddBytes(b []byte) {
	o.Spill()
	o.buf = append(o.buf, b...)
}

// Spill copies the run, if there is one, so that its input can be freed.
func (o *Out) Spill() {
	if o.a != o.b {
		o.buf = append(o.buf, o.src[o.a:o.b]...)
		o.a, o.b = 0, 0
	}
}

// Len returns the number of bytes collected.
func (o *Out) Len() int { return len(o.buf) + o.b - o.a }

// Take returns the output and empties o. It allocates only if the output is more than one
// run of the input.
func (o *Out) Take() string { return o.TakeIn(nil) }

// TakeIn is Take that makes new strings in m.
func (o *Out) TakeIn(m *lex.Arena) string {
	if len(o.buf) == 0 {
		run := o.src[o.a:o.b]
		o.a, o.b = 0, 0
		return run
	}
	s := m.Join(o.buf, o.src[o.a:o.b])
	o.buf, o.a, o.b = o.buf[:0], 0, 0
	return s
}

// Text returns the output and keeps it.
func (o *Out) Text() string {
	if len(o.buf) == 0 {
		return o.src[o.a:o.b]
	}
	o.Spill()
	return string(o.buf)
}

// join moves the content of other to o.
func (o *Out) join(other *Out) {
	if len(other.buf) > 0 {
		o.AddBytes(other.buf)
		other.buf = other.buf[:0]
	}
	if other.a != other.b {
		o.Pass(other.src, other.a, other.b)
	}
	other.src, other.a, other.b = "", 0, 0
}

// dropFirst removes the first byte.
func (o *Out) dropFirst() {
	if len(o.buf) == 0 {
		o.a++
		return
	}
	o.buf = append(o.buf[:0], o.buf[1:]...)
}

// Reset empties o and keeps its memory.
func (o *Out) Reset() { o.buf, o.src, o.a, o.b = o.buf[:0], "", 0, 0 }

// shortText is the length in bytes up to which looking for escapes first takes longer.
const shortText = 64

// AddEscaped adds src[a:b] as content of a JSON string. It copies nothing if no byte needs
// an escape.
func (o *Out) AddEscaped(src string, a, b int) {
	if len(o.buf) > 0 && b-a <= shortText { // it will be copied anyway
		o.Spill()
		o.buf = jsonvalue.AppendPart(o.buf, src[a:b])
		return
	}
	n := bytescan.PlainEnd(src[:b], a)
	o.Pass(src, a, n)
	if n == b {
		return
	}
	o.Spill()
	o.buf = jsonvalue.AppendPart(o.buf, src[n:b])
}
