package syntax

import (
	"github.com/toolparse/toolparse/internal/jsonstream"
	"github.com/toolparse/toolparse/toolcall"
)

// quoteState is the progress of a value that may be written as a JSON string.
type quoteState uint8

const (
	quoteNone   quoteState = iota // the value is plain text
	quoteMaybe                    // before the first byte, which decides
	quoteInside                   // inside the string
	quoteEnded                    // after the closing quote: nothing should follow
	quoteStray                    // something followed the closing quote, which therefore was text
)

// MayBeQuoted allows the value to be written as a JSON string. Call it before the value's
// first byte.
func (v *Value) MayBeQuoted() { v.quote = quoteMaybe }

// unquote takes in[a:b] of a value that may be a JSON string and writes the decoded content
// as it arrives. It returns the offset from which on the bytes are plain text.
func (v *Value) unquote(in string, a, b int) int {
	if v.quote == quoteMaybe {
		if in[a] != '"' {
			v.quote = quoteNone
			return a
		}
		v.quote = quoteInside
		if v.scan == nil {
			v.scan = &jsonstream.Scanner{}
		}
		v.scan.Reset()
		if v.Sink == Typed && !v.Begun && v.Schema.AllowsString() {
			v.BeginString() // even if the content looks like a number
		}
	}
	for a < b && v.quote == quoteInside {
		kind, next := v.scan.Next(in[:b], a)
		a = next
		switch kind {
		case jsonstream.StringPart:
			v.write(v.scan.Part, 0, len(v.scan.Part))
		case jsonstream.StringEnd, jsonstream.Invalid:
			v.quote = quoteEnded
		}
	}
	if a < b && v.quote == quoteEnded {
		v.quote = quoteStray
		v.write(`"`, 0, 1) // the closing quote was content after all
	}
	return a
}

// endQuote ends a value that may be a JSON string, and returns what it tolerated.
func (v *Value) endQuote() (used toolcall.Tolerances) {
	switch v.quote {
	case quoteNone, quoteMaybe:
		return 0
	case quoteInside:
		used = toolcall.MissingCloser
	case quoteStray:
		used = toolcall.UnescapedQuote
	}
	return used | v.scan.Tolerances
}
