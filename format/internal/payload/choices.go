package payload

// Choices is a set of choice numbers. Those from 63 on count as one. Its zero
// value is empty; sets compare with ==.
type Choices uint64

// Add adds a choice, which must not be negative.
func (s *Choices) Add(choice int) { *s |= 1 << min(choice, 63) }

// Has reports whether a choice is in the set. Of those that count as one nothing
// is known, and so none is.
func (s Choices) Has(choice int) bool { return choice < 63 && s>>choice&1 == 1 }

// Any reports whether there is one in the set.
func (s Choices) Any() bool { return s != 0 }
