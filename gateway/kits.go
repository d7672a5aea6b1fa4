package gateway

import (
	"bytes"
	"hash/maphash"
	"slices"
	"sync"

	"github.com/toolparse/toolparse"
	"github.com/toolparse/toolparse/parser"
)

// byTools keeps what was made for the lists of tools that clients sent lately: a client
// sends the same list with every request.
type byTools[V any] struct {
	mu   sync.Mutex
	seed maphash.Seed
	made map[uint64]madeOf[V]
	size int // of the tools of those, in bytes
}

// madeOf is a value with all that it depends on.
type madeOf[V any] struct {
	value   V
	tools   []toolparse.ToolDefinition
	dialect *parser.Dialect
	words   string
}

// What is kept at most: how many values, and how many bytes their tools may have, from each
// of which some tens of bytes are made.
const (
	maxMade      = 64
	maxMadeBytes = 4 << 20
)

// get returns the value for tools, a dialect, which may be nil, and words that tell apart
// what else it depends on. It makes it with build on first use. It keeps the tools.
func (c *byTools[V]) get(tools []toolparse.ToolDefinition, d *parser.Dialect, words string, build func() (V, error)) (V, error) {
	c.mu.Lock()
	if c.made == nil {
		c.seed, c.made = maphash.MakeSeed(), map[uint64]madeOf[V]{}
	}
	c.mu.Unlock()
	key, size := c.keyOf(tools, d, words)
	c.mu.Lock()
	known, ok := c.made[key]
	c.mu.Unlock()
	if ok && known.fits(tools, d, words) {
		return known.value, nil
	}
	value, err := build()
	if err != nil || size > maxMadeBytes {
		return value, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.made) >= maxMade || c.size+size > maxMadeBytes {
		clear(c.made)
		c.size = 0
	}
	c.size += size
	c.made[key] = madeOf[V]{value, tools, d, words}
	return value, nil
}

// fits reports whether a value is for just this: keys of different lists may be the same.
func (m *madeOf[V]) fits(tools []toolparse.ToolDefinition, d *parser.Dialect, words string) bool {
	return m.words == words && nameOf(m.dialect) == nameOf(d) && slices.EqualFunc(m.tools, tools, func(a, b toolparse.ToolDefinition) bool {
		return a.Name == b.Name && a.Description == b.Description && bytes.Equal(a.Parameters, b.Parameters)
	})
}

// nameOf tells the dialects of a target apart: its own, the same without calls, and none.
func nameOf(d *parser.Dialect) string {
	if d == nil {
		return ""
	}
	return d.Name
}

// keyOf returns a key that differs for different lists, nearly always, and how many bytes
// it is made of.
func (c *byTools[V]) keyOf(tools []toolparse.ToolDefinition, d *parser.Dialect, words string) (key uint64, size int) {
	var h maphash.Hash
	h.SetSeed(c.seed)
	write := func(s string) {
		_, _ = h.WriteString(s)
		size += len(s)
	}
	write(nameOf(d))
	write(words)
	for _, t := range tools {
		write(t.Name)
		write(t.Description)
		_, _ = h.Write(t.Parameters)
		size += len(t.Parameters)
	}
	return h.Sum64(), size
}

// kit returns the kit that reads answers to a request with these tools in a dialect; nil
// is the upstream's native calls, with those that leak.
func (t *target) kit(tools []toolparse.ToolDefinition, d *parser.Dialect) (*toolparse.Kit, error) {
	return t.kits.get(tools, d, "", func() (*toolparse.Kit, error) {
		opts := toolparse.Options{
			Tools: tools, Wire: t.Wire, RandomIDs: true, MaxEventBytes: t.setup.opts.Limits.EventBytes,
			Custom: d, StartInReasoning: t.StartInReasoning,
		}
		if d == nil && len(tools) > 0 {
			opts.Dialect, opts.Recover, opts.CallsInReasoning = "auto", true, true
		}
		return toolparse.New(opts)
	})
}
