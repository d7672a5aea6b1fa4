package recent

import (
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func get(c *Cache[string, string], s string) bool {
	v, ok := c.Get(s)
	return ok && v == s
}

// TestCache checks which values stay: those that were used last, within both limits.
func TestCache(t *testing.T) {
	tests := []struct {
		name string
		max  int
		size int
		do   []string // values to put; a value that is kept is used instead
		want []string
	}{
		{"number", 2, 100, []string{"a", "b", "c"}, []string{"b", "c"}},
		{"used again", 2, 100, []string{"a", "b", "a", "c"}, []string{"a", "c"}},
		{"bytes", 9, 4, []string{"a", "bb", "ccc"}, []string{"ccc"}},
		{"just fits", 9, 4, []string{"a", "ccc"}, []string{"a", "ccc"}},
		{"too large", 9, 4, []string{"a", "bbbbb"}, []string{"a"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := New[string, string](tt.max, tt.size)
			for _, s := range tt.do {
				if !get(c, s) {
					c.Put(s, len(s), s)
				}
			}
			var got []string
			for _, s := range []string{"a", "bb", "b", "bbbbb", "ccc", "c"} {
				if get(c, s) {
					got = append(got, s)
				}
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestSameKey checks that a later value with a key takes the place of an earlier one, in the
// sum of the sizes, too.
func TestSameKey(t *testing.T) {
	c := New[uint64, string](2, 10)
	c.Put(1, 1, "a")
	c.Put(1, 9, "b")
	c.Put(2, 1, "c")
	for key, want := range map[uint64]string{1: "b", 2: "c"} {
		if got, ok := c.Get(key); !ok || got != want {
			t.Errorf("%q is kept, want %q", got, want)
		}
	}
}

func TestConcurrent(t *testing.T) {
	c := New[string, string](3, 10)
	var all sync.WaitGroup
	for _, s := range []string{"a", "b", "c", "dd", "eee"} {
		all.Go(func() {
			for range 100 {
				if !get(c, s) {
					c.Put(s, len(s), s)
				}
			}
		})
	}
	all.Wait()
}
