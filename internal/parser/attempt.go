package parser

// attempt is a way to read input that may turn out to be wrong only after much of it. The parser
// then goes back, and does not try the same again in what it has read: otherwise hostile input
// would be read once for each place at which the attempt can begin.
type attempt uint8

const (
	holdArguments attempt = iota // hold arguments that precede their name
	skipValue                    // skip another value to find the name
	countBraces                  // find the end of a broken call by its braces
	seekElement                  // find a further element of a framed list
	endComment                   // find the end of a comment in a candidate
	endHiding                    // find the end of a block comment in a call that hides its closer
	attempts
)

// failed holds, for each attempt, the stream offset before which it is known to fail.
type failed [attempts]int64

// fails reports whether an attempt at the stream offset at is known to fail.
func (f *failed) fails(a attempt, at int64) bool { return at < f[a] }

// fail records that an attempt has failed at the stream offset at.
func (f *failed) fail(a attempt, at int64) { f[a] = max(f[a], at) }
