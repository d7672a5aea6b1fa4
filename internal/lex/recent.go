package lex

// Recent is a small cache of strings. It saves the allocations for names that a stream
// repeats.
type Recent struct {
	list [16]string
	next uint8 // where the next new string goes
	at   uint8 // after the string that was returned last
}

// maxRecent is the maximum length, in bytes, of a string in the cache.
const maxRecent = 64

// String returns b as a string, from the cache if it is there. Without a cache (a nil r) it
// always allocates.
func (r *Recent) String(b []byte) string {
	if r == nil {
		return string(b)
	}
	for range r.list { // names recur in the same order, so that the first one is usually right
		if s := r.list[r.at%uint8(len(r.list))]; s == string(b) {
			r.at++
			return s
		}
		r.at++
	}
	s := string(b)
	if len(b) <= maxRecent {
		r.list[r.next%uint8(len(r.list))] = s
		r.next++
		r.at = r.next
	}
	return s
}
