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
	ends  kept[V] // of the ring of all that is kept: next is what was used last, and prev what was not used for longest
	bytes int
}

// New returns a cache for at most max values, whose sizes have at most the sum maxBytes.
func New[V any](max, maxBytes int) *Cache[V] {
	c := &Cache[V]{max: max, maxBytes: maxBytes, seed: maphash.MakeSeed(), kept: map[uint64]*kept[V]{}}
	c.ends.next, c.ends.prev = &c.ends, &c.ends
	return c
}

type kept[V any] struct {
	value      V
	key        uint64
	bytes      int
	next, prev *kept[V]
}

// Hash returns a hash for the keys of this cache.
func (c *Cache[V]) Hash() *maphash.Hash {
	h := new(maphash.Hash)
	h.SetSeed(c.seed)
	return h
}

// Sum returns the key of b.
func (c *Cache[V]) Sum(b []byte) uint64 { return maphash.Bytes(c.seed, b) }

// SumText returns the key of s.
func (c *Cache[V]) SumText(s string) uint64 { return maphash.String(c.seed, s) }

// Get returns the value with a key, if is accepts it: different inputs may have the same
// key.
func (c *Cache[V]) Get(key uint64, is func(V) bool) (value V, ok bool) {
	c.mu.Lock()
	k := c.kept[key]
	if k != nil {
		k.unlink()
		c.use(k)
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
	if known := c.kept[key]; known != nil {
		c.drop(known)
	}
	for len(c.kept) >= c.max || c.bytes+bytes > c.maxBytes {
		c.drop(c.ends.prev)
	}
	k := &kept[V]{value: value, key: key, bytes: bytes}
	c.use(k)
	c.kept[key] = k
	c.bytes += bytes
}

// use makes k, which is not in the ring, the one that was used last.
func (c *Cache[V]) use(k *kept[V]) {
	k.prev, k.next = &c.ends, c.ends.next
	k.prev.next, k.next.prev = k, k
}

func (c *Cache[V]) drop(k *kept[V]) {
	k.unlink()
	c.bytes -= k.bytes
	delete(c.kept, k.key)
}

// unlink removes k from the ring.
func (k *kept[V]) unlink() { k.prev.next, k.next.prev = k.next, k.prev }
