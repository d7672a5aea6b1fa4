// Package parser turns deltas into segment events: text that a model writes,
// by a [Dialect], and the tool-call fragments of a provider's own wire.
//
// A [Parser] is fed pieces of any size and says at once what they mean. How
// the input is cut makes no difference to the segments, and whole text is one
// piece: there is no second way through the code. The raw bytes of the events,
// joined, are the input; what was sent is never taken back; time is linear and
// memory bounded for any input; a call that was cut short never ends complete.
//
//	p, err := parser.New(parser.Options{Dialects: dialects})
//	for chunk := range chunks {
//		events = p.Feed(events[:0], chunk)
//		...
//	}
//	events = p.Close(events[:0])
//
// [Events] is the same as an iterator over the deltas of package format or of
// [Text].
//
// # How it works
//
// Everything that was read and belongs to no event yet is pending: the bytes
// kept from earlier inputs (held), then those of this input from mark on. The
// parser is in one of a few states, each a method that reads on and returns
// where it stopped. In plain text it jumps to the next byte that can begin a
// marker; from there on the bytes are a candidate, and stay pending until they
// are a call, or turn out to be text, in which case the parser goes back to
// the candidate's second byte. Inside a call each family of argument syntax
// has one body machine, which writes the arguments as JSON to the call's
// output. At the end of each input, whatever is sure becomes an event.
package parser
