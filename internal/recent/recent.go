// Package recent keeps what was made for recent inputs, within limits.
package recent

import (
	"container/list"
	"sync"
)

// Cache keeps values until others have been used more recently. It is safe for concurrent use.
// Keys that are hashes of inputs need values by which a caller of Get knows its input.
type Cache[K comparable, V any] struct {
	max, maxBytes int

	mu      sync.Mutex
	entries map[K]*list.Element
	order   *list.List // of cached[K, V], the most recently used first
	bytes   int
}

// New returns a cache for at most max values, whose sizes have at most the sum maxBytes.
func New[K comparable, V any](max, maxBytes int) *Cache[K, V] {
	return &Cache[K, V]{max: max, maxBytes: maxBytes, entries: map[K]*list.Element{}, order: list.New()}
}

type cached[K comparable, V any] struct {
	value V
	key   K
	bytes int
}

// Get returns the value with a key.
func (c *Cache[K, V]) Get(key K) (value V, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e := c.entries[key]
	if e == nil {
		return value, false
	}
	c.order.MoveToFront(e)
	return e.Value.(cached[K, V]).value, true
}

// Put keeps a value with a key and a size in bytes, unless it is larger than all may be.
func (c *Cache[K, V]) Put(key K, bytes int, value V) {
	if bytes > c.maxBytes {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if known := c.entries[key]; known != nil {
		c.drop(known)
	}
	for len(c.entries) >= c.max || c.bytes+bytes > c.maxBytes {
		c.drop(c.order.Back())
	}
	c.entries[key] = c.order.PushFront(cached[K, V]{value, key, bytes})
	c.bytes += bytes
}

func (c *Cache[K, V]) drop(e *list.Element) {
	k := c.order.Remove(e).(cached[K, V])
	c.bytes -= k.bytes
	delete(c.entries, k.key)
}
