package wire

import (
	"bytes"
	"errors"
	"hash/maphash"

	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/recent"
)

// RequestOptions configure the decoding of requests. The zero value is ready for use.
type RequestOptions struct {
	// MaxValues limits the JSON values in a body, approximately: objects and lists, and
	// their members and elements. A request with more is an error that matches
	// [ErrTooManyValues]. 0 means no limit.
	//
	// Decoding a value takes up to about 300 bytes, and so 100 times as much memory as the
	// shortest values in the body.
	MaxValues int
	// Tools remembers the tools of recent requests. Nil remembers none.
	Tools *ToolMemory
}

// ToolMemory keeps the tools of recent requests, because clients repeat the same list in
// every request. Requests that were decoded with it share their tools, which must not be
// changed. It is safe for concurrent use.
type ToolMemory struct {
	cache *recent.Cache[uint64, rememberedTools]
	heads *recent.Cache[uint64, rememberedTools] // long lists, by their first bytes
	seed  maphash.Seed
}

// NewToolMemory returns an empty memory. It keeps a few lists, of some megabytes.
func NewToolMemory() *ToolMemory {
	lists := func() *recent.Cache[uint64, rememberedTools] {
		return recent.New[uint64, rememberedTools](maxRemembered, maxRememberedBytes)
	}
	return &ToolMemory{lists(), lists(), maphash.MakeSeed()}
}

type rememberedTools struct {
	wire  string
	raw   []byte
	tools []chat.Tool
	names any
}

// ErrTooManyValues means that a body has more JSON values than RequestOptions.MaxValues.
var ErrTooManyValues = errors.New("too many JSON values")

// Limits for a ToolMemory: number of lists, and their total size in bytes. A tool counts as
// toolBytes more than its text.
const (
	maxRemembered      = 64
	maxRememberedBytes = 4 << 20
	toolBytes          = 512
	headBytes          = 1 << 10 // of a list, by which Find knows it
)

// Remember returns the tools of a wire's list, and what its decoder knows about their names.
// If it has not kept that list, it calls decode. Lists for which ok is false are not kept.
func (m *ToolMemory) Remember(wire string, raw []byte, decode func() (tools []chat.Tool, names any, ok bool)) ([]chat.Tool, any) {
	key := m.hash(wire, raw)
	known, ok := m.cache.Get(key)
	if !ok || known.wire != wire || !bytes.Equal(known.raw, raw) {
		tools, names, ok := decode()
		known = rememberedTools{wire, bytes.Clone(raw), tools, names}
		size := len(raw) + len(tools)*toolBytes
		if !ok || size > maxRememberedBytes {
			return tools, names
		}
		m.cache.Put(key, size, known)
	}
	if len(raw) >= headBytes {
		m.heads.Put(m.hash(wire, raw[:headBytes]), len(raw), known)
	}
	return known.tools, known.names
}

// Find returns a list of a wire with which body begins, if it is the last one that was
// decoded with these first bytes: its size in bytes, and what Remember returns for it.
func (m *ToolMemory) Find(wire string, body []byte) (size int, tools []chat.Tool, names any) {
	if m == nil || len(body) < headBytes {
		return 0, nil, nil
	}
	known, ok := m.heads.Get(m.hash(wire, body[:headBytes]))
	if !ok || known.wire != wire || !bytes.HasPrefix(body, known.raw) {
		return 0, nil, nil
	}
	return len(known.raw), known.tools, known.names
}

func (m *ToolMemory) hash(wire string, text []byte) uint64 {
	return maphash.String(m.seed, wire) ^ maphash.Bytes(m.seed, text)
}
