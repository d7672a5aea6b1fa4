// Package recent keeps what was made for recent inputs, within limits.
package recent

import (
	"hash/maphash"
	"sync"
)

// Cache keeps values until others have been used more recently. It is safe for concurrent use.
type Cache[V any] struct {
	max, maxBytes int
	seed          maphash.Seed

	mu    sync.Mutex
	kept  map[uint64]*kept[V]
	bytes int
	clock int
}

// New returns a cache for at most max values, whose sizes have at most the sum maxBytes.
func New[V any](max, maxBytes int) *Cache[V] {
	return &Cache[V]{max: max, maxBytes: maxBytes, seed: maphash.MakeSeed(), kept: map[uint64]*kept[V]{}}
}

type kept[V any] struct {
	value V
	bytes int
	used  int
}

// Hash returns a hash for the keys of this cache.
func (c *Cache[V]) Hash() *maphash.Hash {
	h := new(maphash.Hash)
	h.SetSeed(c.seed)
	return h
}

// Get returns the value with a key, if is accepts it: different inputs may have the same
// key.
func (c *Cache[V]) Get(key uint64, is func(V) bool) (value V, ok bool) {
	c.mu.Lock()
	k := c.kept[key]
	if k != nil {
		c.clock++
		k.used = c.clock
		value = k.value
	}
	c.mu.Unlock()
	if k == nil || !is(value) {
		return *new(V), false
	}
	return value, true
}

// Put keeps a value with a key and a size in bytes, unless it is larger than all may be.
func (c *Cache[V]) Put(key uint64, bytes int, value V) {
	if bytes > c.maxBytes {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.drop(key)
	for len(c.kept) >= c.max || c.bytes+bytes > c.maxBytes {
		c.dropOldest()
	}
	c.clock++
	c.kept[key] = &kept[V]{value, bytes, c.clock}
	c.bytes += bytes
}

// dropOldest drops the value that was used least recently.
func (c *Cache[V]) dropOldest() {
	var oldest uint64
	used := c.clock + 1
	for key, k := range c.kept {
		if k.used < used {
			oldest, used = key, k.used
		}
	}
	c.drop(oldest)
}

func (c *Cache[V]) drop(key uint64) {
	if k := c.kept[key]; k != nil {
		c.bytes -= k.bytes
		delete(c.kept, key)
	}
}
