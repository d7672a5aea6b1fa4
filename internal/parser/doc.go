// Package parser turns deltas into segment events: the text that a model writes, according
// to its [dialect.Dialect], and the tool-call fragments of a provider's own wire.
//
// A [Parser] accepts chunks of any size and reports at once what they mean. How the input
// is cut does not affect the segments; whole text is one chunk, without a separate code
// path. The raw bytes of the events, joined, are the input. Nothing that was emitted is
// ever taken back. The time is linear and the memory bounded for any input. A call that was
// cut off never ends as complete.
//
//	p, err := parser.New(parser.Options{Dialects: dialects})
//	for chunk := range chunks {
//		events = p.Feed(events[:0], chunk)
//		...
//	}
//	events = p.Close(events[:0])
//
// [Events] does the same as an iterator over the deltas of package format.
//
// # How it works
//
// Every byte that has been read but belongs to no event yet is pending. The parser is in a
// stage, which consumes input and returns where it stopped. In plain text it jumps to the
// next byte that can begin a marker. From there on the bytes are a candidate: they stay
// pending until they turn out to be a call, or text, in which case the parser goes back to
// the candidate's second byte. Inside a call, the machine of the dialect's argument syntax
// (internal/syntax) writes the arguments as JSON. At the end of each input, everything that
// is certain becomes an event.
package parser
