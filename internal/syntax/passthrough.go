package syntax

// PassAs says how the parser passes on a chunk that is nothing but content, so that such a
// chunk can skip the state machine.
type PassAs uint8

const (
	PassText   PassAs = iota // text, reasoning or code: the chunk is the payload
	PassPlain                // content of a call: the chunk is the payload
	PassJSON                 // JSON written by the model: the chunk is the payload, whole escapes included
	PassString               // content that must be escaped for a JSON string
)

// Stops classifies each byte value: 0 for plain content, otherwise the bits below.
type Stops [256]uint8

// The bits of a [Stops] entry.
const (
	LineFeed = 1 << iota // plain text, but it ends a line
	SoftMark             // content of a call, but it must be escaped in JSON
	SoftLast             // the same, but as the last byte of a chunk the state machine must read it
	Stop     = 1 << 7    // may be more than content: the state machine must read the chunk
)

// JSONStops are the stops inside a JSON string.
var JSONStops = NewStops(`"\`, false)

// AllStops make every byte a stop.
var AllStops = func() *Stops {
	s := &Stops{}
	for c := range s {
		s[c] = Stop
	}
	return s
}()

// LooseStops are JSONStops for a string that may lack its closing quote, which the scanner
// recognises by the braces in it.
var LooseStops = func() *Stops {
	s := *JSONStops
	s['}'] = SoftMark
	return &s
}()

// NewStops returns a table in which the bytes of stops and all control characters are Stop.
// If soft is set, control characters are SoftLast instead. Quotes and backslashes are
// SoftMark unless stops contains them.
func NewStops(stops string, soft bool) *Stops {
	s := &Stops{'"': SoftMark, '\\': SoftMark}
	for c := range byte(' ') {
		if s[c] = Stop; soft {
			s[c] = SoftLast
		}
	}
	for _, c := range []byte(stops) {
		s[c] = Stop
	}
	return s
}

// Soft returns the bits of all bytes of text. They include [Stop] if a byte is one; it reads
// no further then. It tests four bytes per branch.
func (s *Stops) Soft(text string) (all uint8) {
	i := 0
	for ; i <= len(text)-4 && all < Stop; i += 4 {
		all |= s[text[i]] | s[text[i+1]] | s[text[i+2]] | s[text[i+3]]
	}
	for ; i < len(text) && all < Stop; i++ {
		all |= s[text[i]]
	}
	return all
}
