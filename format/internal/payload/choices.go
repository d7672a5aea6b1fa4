package payload

// Choices is a set of choice numbers. Those from 63 on count as one. Its zero
// value is empty; sets compare with ==.
type Choices uint64

// Add adds a choice, which must not be negative.
func (s *Choices) Add(choice int) { *s |= 1 << min(choice, 63) }

// Any reports whether there is one in the set.
func (s Choices) Any() bool { return s != 0 }
