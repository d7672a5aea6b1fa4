package lex

import (
	"strings"
	"unsafe"
)

// Arena makes short strings in common blocks of memory, so that a stream in small chunks
// does not allocate for each of them. A string keeps its block alive. The zero value is
// ready to use; it must not be copied. A nil Arena allocates each string by itself.
type Arena struct {
	block strings.Builder
	lent  []byte // the strings since Lend
	lends bool
}

const (
	arenaBlock = 512      // bytes of a block
	arenaMost  = 64       // bytes of the longest string that goes into one
	arenaKept  = 64 << 10 // bytes of memory that Lend keeps
)

// Lend makes the strings from now on valid only until the next Lend, which uses their memory
// again.
func (m *Arena) Lend() {
	if m.lent, m.lends = m.lent[:0], true; cap(m.lent) > arenaKept {
		m.lent = nil
	}
}

// Join returns a and b, joined.
func (m *Arena) Join(a []byte, b string) string {
	n := len(a) + len(b)
	if m != nil && m.lends {
		m.lent = append(append(m.lent, a...), b...)
		return unsafe.String(unsafe.SliceData(m.lent[len(m.lent)-n:]), n)
	}
	if m == nil || n > arenaMost {
		if b == "" {
			return string(a)
		}
		var copied strings.Builder
		copied.Grow(n)
		copied.Write(a)
		copied.WriteString(b)
		return copied.String()
	}
	if m.block.Cap()-m.block.Len() < n {
		m.block.Reset()
		m.block.Grow(arenaBlock)
	}
	from := m.block.Len()
	m.block.Write(a)
	m.block.WriteString(b)
	return m.block.String()[from:]
}
