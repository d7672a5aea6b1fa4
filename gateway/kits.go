package gateway

import (
	"bytes"
	"hash/maphash"
	"slices"
	"strings"

	"github.com/toolparse/toolparse"
	"github.com/toolparse/toolparse/internal/dialect"
	"github.com/toolparse/toolparse/internal/recent"
)

// byTools caches what was made for the lists of tools that clients have sent recently,
// because a client sends the same list with every request.
type byTools[V any] struct {
	made *recent.Cache[uint64, madeOf[V]] // by a hash of what a value was made of
	seed maphash.Seed
}

func newByTools[V any]() byTools[V] {
	return byTools[V]{recent.New[uint64, madeOf[V]](maxMade, maxMadeBytes), maphash.MakeSeed()}
}

// madeOf is a value with everything that it depends on.
type madeOf[V any] struct {
	value   V
	tools   []toolparse.ToolDefinition
	dialect string
	words   string
}

// Limits for the cache: number of values, and total size of their tools in bytes. A value
// takes some tens of bytes for each of these. A tool counts as toolBytes more than its texts.
const (
	maxMade      = 64
	maxMadeBytes = 4 << 20
	toolBytes    = 512
)

// get returns the value for tools, a dialect, which may be nil, and words for everything
// else that the value depends on. At the first use it calls build. It keeps the tools.
func (c *byTools[V]) get(tools []toolparse.ToolDefinition, d *dialect.Dialect, words string, build func() (V, error)) (V, error) {
	of := madeOf[V]{tools: tools, words: words}
	if d != nil {
		of.dialect = d.Name // of the target, or of the same without calls
	}
	key, size := of.hash(c.seed)
	if known, ok := c.made.Get(key); ok && known.equal(&of) {
		return known.value, nil
	}
	var err error
	if of.value, err = build(); err == nil {
		c.made.Put(key, size, of)
	}
	return of.value, err
}

// equal reports whether both were made of the same.
func (m *madeOf[V]) equal(other *madeOf[V]) bool {
	return m.words == other.words && m.dialect == other.dialect && slices.EqualFunc(m.tools, other.tools, func(a, b toolparse.ToolDefinition) bool {
		return a.Name == b.Name && a.Description == b.Description && bytes.Equal(a.Parameters, b.Parameters)
	})
}

// hash returns a hash, which is almost certainly different for different lists, and the size
// of the list.
func (m *madeOf[V]) hash(seed maphash.Seed) (sum uint64, size int) {
	var h maphash.Hash
	h.SetSeed(seed)
	write := func(s string) {
		_, _ = h.WriteString(s)
		size += len(s)
	}
	write(m.dialect)
	write(m.words)
	for _, t := range m.tools {
		write(t.Name)
		write(t.Description)
		_, _ = h.Write(t.Parameters)
		size += len(t.Parameters) + toolBytes
	}
	return h.Sum64(), size
}

// kit returns the kit that reads answers to a request with these tools in a dialect; nil
// means native calls, and calls that leak into the text.
func (t *target) kit(tools []toolparse.ToolDefinition, d *dialect.Dialect) (*toolparse.Kit, error) {
	return t.kits.get(tools, d, "", func() (*toolparse.Kit, error) {
		opts := toolparse.Options{
			Tools: tools, Wire: t.Wire, RandomIDs: true, MaxEventBytes: t.setup.opts.Limits.EventBytes,
			Custom: d, StartInReasoning: t.StartInReasoning, Prompted: t.Prompted && d != nil, Share: t.setup.prompts,
		}
		if d == nil && t.Prompted && t.Dialect != nil {
			opts.StartInReasoning = opts.StartInReasoning || opensReasoning(t.Dialect)
		}
		if d == nil && len(tools) > 0 {
			opts.Dialect, opts.Recover, opts.CallsInReasoning = "auto", true, true
		}
		return toolparse.New(opts)
	})
}

// opensReasoning reports whether the prompt for the models of a dialect ends inside reasoning.
func opensReasoning(d *dialect.Dialect) bool {
	return slices.ContainsFunc(d.Reasoning, func(r dialect.Reasoning) bool { return strings.HasPrefix(d.Written.Begun, r.Open) })
}
