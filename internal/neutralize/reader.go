package neutralize

import (
	"strings"

	"github.com/toolparse/toolparse/internal/parser"
	"github.com/toolparse/toolparse/toolcall"
)

// reader finds what a parser reads as something other than text. Calls in code count, so
// that it does not matter whether the text will be part of code.
type reader struct {
	compiled func() (*parser.Compiled, error)
	tools    bool // there are tools
	parser   *parser.Parser
	events   []toolcall.Event
}

// find returns the offsets in s at which something begins that is not text, or that might
// not be, depending on what follows.
func (r *reader) find(s string, at Place) []int {
	if r.parser == nil {
		compiled, err := r.compiled()
		if err != nil { // the options were accepted before; nothing passes unread
			return []int{0}
		}
		r.parser = compiled.New()
	}
	whole := at.Before + s + at.After
	r.events = r.parser.Feed(r.events[:0], whole)
	var cuts []int
	cut := func(from, to int) { // converts offsets in whole to one in s, and skips blanks
		from, to = max(from-len(at.Before), 0), min(to-len(at.Before), len(s))
		if from >= to {
			return
		}
		if rest := strings.TrimLeft(s[from:to], " \t\r\n"); rest != "" {
			cuts = append(cuts, to-len(rest))
		}
	}
	read := 0
	for _, e := range r.events {
		if e.Type == toolcall.SegmentStart && e.Segment != toolcall.SegmentText {
			cut(read, read+len(e.Raw)) // a token that is not text may precede the opener
		}
		read += len(e.Raw)
	}
	if len(cuts) == 0 { // the bytes that the parser holds may become something else
		cut(read, len(whole))
	}
	if len(cuts) > 0 || !r.tools || !r.atRest(len(whole)-read) {
		r.parser = nil
	}
	return cuts
}

// atRest ends the line, and reports whether the parser then holds nothing, as at the beginning
// of a message.
func (r *reader) atRest(held int) bool {
	r.events = r.parser.Feed(r.events[:0], "\n")
	for _, e := range r.events {
		held -= len(e.Raw)
	}
	return held == -len("\n")
}
