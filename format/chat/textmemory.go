package chat

import (
	"bytes"
	"strings"

	"github.com/toolparse/toolparse/internal/recent"
)

// TextMemory keeps the JSON form of long texts that were written recently, because the
// requests of a conversation repeat the system prompt, with the tools in it, and long
// results. It is safe for concurrent use. Nil keeps nothing.
type TextMemory struct {
	kept *recent.Cache[writtenText]
}

// NewTextMemory returns an empty memory. It keeps some hundred texts, of some megabytes.
func NewTextMemory() *TextMemory {
	return &TextMemory{recent.New[writtenText](maxTexts, maxTextBytes)}
}

type writtenText struct {
	text   string
	quoted []byte
}

// Limits for a TextMemory: number of texts, and their total size in bytes with their JSON form;
// the size of a text. Shorter ones are written faster than they are found, and longer ones, such
// as images, would displace many others.
const (
	maxTexts     = 256
	maxTextBytes = 8 << 20
	minText      = 4 << 10
	maxText      = 256 << 10
)

// AppendQuoted appends what quote appends for s, and calls quote only for a text that is not
// kept. The result of quote must depend on nothing but s.
func (m *TextMemory) AppendQuoted(dst []byte, s string, quote func(dst []byte, s string) []byte) []byte {
	if m == nil || len(s) < minText || len(s) > maxText {
		return quote(dst, s)
	}
	return m.remembered(dst, s, quote)
}

func (m *TextMemory) remembered(dst []byte, s string, quote func(dst []byte, s string) []byte) []byte {
	h := m.kept.Hash()
	_, _ = h.WriteString(s)
	key := h.Sum64()
	known, ok := m.kept.Get(key, func(t writtenText) bool { return t.text == s })
	if ok {
		return append(dst, known.quoted...)
	}
	from := len(dst)
	dst = quote(dst, s)
	m.kept.Put(key, len(s)+len(dst)-from, writtenText{strings.Clone(s), bytes.Clone(dst[from:])})
	return dst
}
