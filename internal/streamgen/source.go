package streamgen

// A Source makes the choices. [math/rand/v2.Rand] is one.
type Source interface {
	// IntN returns a number in [0, n). n is at least 1.
	IntN(n int) int
}

// Tape is a Source that takes its choices from bytes, which a fuzzer or a property test
// supplies. An exhausted tape returns 0 forever, which every generator maps to its
// simplest choice. So shorter tapes and smaller bytes give simpler streams.
type Tape struct{ rest []byte }

// NewTape returns a tape over data, which it does not change.
func NewTape(data []byte) *Tape { return &Tape{rest: data} }

// IntN implements [Source]. It consumes one byte for n up to 256, else two.
func (t *Tape) IntN(n int) int {
	v := t.next()
	if n > 256 {
		v = v<<8 | t.next()
	}
	return v % n
}

func (t *Tape) next() int {
	if len(t.rest) == 0 {
		return 0
	}
	b := t.rest[0]
	t.rest = t.rest[1:]
	return int(b)
}

// pick returns one of the choices. The first is the simplest.
func pick[T any](src Source, choices ...T) T { return choices[src.IntN(len(choices))] }

// chance returns true once in n times, and never on an exhausted tape.
func chance(src Source, n int) bool { return src.IntN(n) == n-1 }
