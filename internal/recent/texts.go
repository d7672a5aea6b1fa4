package recent

import (
	"bytes"
	"hash/maphash"
	"strings"
	"sync/atomic"
)

// Texts keeps how texts of recent requests were written, because the requests of a
// conversation repeat them: the JSON form of long texts, such as the system prompt with
// the tools in it, and what is made of system prompts and turns for models without
// native tools. It is safe for concurrent use. Nil keeps nothing.
type Texts struct {
	quoted *Cache[string, []byte]
	value  *Cache[uint64, madeText]
	seed   maphash.Seed
	makers atomic.Uint64
}

// NewTexts returns an empty memory. It keeps some hundred texts and some thousand
// turns, of some megabytes.
func NewTexts() *Texts {
	return &Texts{quoted: New[string, []byte](maxTexts, maxTextBytes), value: New[uint64, madeText](maxMade, maxMadeBytes), seed: maphash.MakeSeed()}
}

// madeText is what a maker made of a text.
type madeText struct {
	maker uint64
	of    string
	value any
}

// Limits for Texts: number of texts in JSON form, and their total size in bytes with that
// form; the size of a text. Shorter ones are written faster than they are found, and longer ones,
// such as images, would displace many others. The same for all else.
const (
	maxTexts     = 256
	maxTextBytes = 8 << 20
	minText      = 4 << 10
	maxText      = 256 << 10

	maxMade      = 8 << 10
	maxMadeBytes = 8 << 20
	madeBytes    = 256 // of each, besides its texts
)

// AppendQuoted appends what quote appends for s, and calls quote only for a text that is not
// kept. The result of quote must depend on nothing but s.
func (m *Texts) AppendQuoted(dst []byte, s string, quote func(dst []byte, s string) []byte) []byte {
	if m == nil || len(s) < minText || len(s) > maxText {
		return quote(dst, s)
	}
	if quoted, ok := m.quoted.Get(s); ok {
		return append(dst, quoted...)
	}
	from := len(dst)
	dst = quote(dst, s)
	m.quoted.Put(strings.Clone(s), len(s)+len(dst)-from, bytes.Clone(dst[from:]))
	return dst
}

// NewMaker returns a number for Made.
func (m *Texts) NewMaker() uint64 {
	if m == nil {
		return 0
	}
	return m.makers.Add(1)
}

// Keeps reports whether Made keeps anything of a text of this size. If not, the caller need
// not put the text together.
func (m *Texts) Keeps(size int) bool { return m != nil && size <= maxText }

// Made returns what make returns for a text, and calls make only if that is not kept. size is
// the number of bytes that it takes; a negative one means that it must not be kept. It must
// depend on nothing but the text and the maker, a number from NewMaker, and nobody may change
// it.
func (m *Texts) Made(maker uint64, of []byte, make func() (value any, size int)) any {
	if !m.Keeps(len(of)) {
		value, _ := make()
		return value
	}
	key := maphash.Bytes(m.seed, of) ^ maker
	if known, ok := m.value.Get(key); ok && known.maker == maker && known.of == string(of) {
		return known.value
	}
	value, size := make()
	if size >= 0 {
		m.value.Put(key, len(of)+size+madeBytes, madeText{maker, string(of), value})
	}
	return value
}
