package chat

import (
	"bytes"
	"errors"

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
	kept *recent.Cache[rememberedTools]
}

// NewToolMemory returns an empty memory. It keeps a few lists, of some megabytes.
func NewToolMemory() *ToolMemory {
	return &ToolMemory{recent.New[rememberedTools](maxRemembered, maxRememberedBytes)}
}

type rememberedTools struct {
	wire  string
	raw   []byte
	tools []Tool
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
)

// Remember returns the tools of a wire's list, and what its decoder knows about their names.
// If it has not kept that list, it calls decode. Lists for which ok is false are not kept.
func (m *ToolMemory) Remember(wire string, raw []byte, decode func() (tools []Tool, names any, ok bool)) ([]Tool, any) {
	h := m.kept.Hash()
	_, _ = h.WriteString(wire)
	_, _ = h.Write(raw)
	key := h.Sum64()
	known, ok := m.kept.Get(key, func(r rememberedTools) bool { return r.wire == wire && bytes.Equal(r.raw, raw) })
	if ok {
		return known.tools, known.names
	}
	tools, names, ok := decode()
	if size := len(raw) + len(tools)*toolBytes; ok && size <= maxRememberedBytes {
		m.kept.Put(key, size, rememberedTools{wire, bytes.Clone(raw), tools, names})
	}
	return tools, names
}
