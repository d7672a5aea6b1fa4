package lex

// Recent is a small cache of strings. It saves the allocations for names that a stream
// repeats.
type Recent struct {
	list [16]string
	next uint8
}

// maxRecent is the maximum length, in bytes, of a string in the cache.
const maxRecent = 64

// String returns b as a string, from the cache if it is there. Without a cache (a nil r) it
// always allocates.
func (r *Recent) String(b []byte) string {
	if r == nil {
		return string(b)
	}
	for k := range r.list {
		if r.list[k] == string(b) {
			return r.list[k]
		}
	}
	s := string(b)
	if len(b) <= maxRecent {
		r.list[r.next%uint8(len(r.list))] = s
		r.next++
	}
	return s
}
