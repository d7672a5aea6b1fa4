package defang

import (
	"strings"

	"github.com/toolparse/toolparse/parser"
	"github.com/toolparse/toolparse/toolcall"
)

// reader finds what a parser reads as anything but text. Calls in code count, so that
// it does not matter what code the text may stand in.
type reader struct {
	compiled func() (*parser.Compiled, error)
	tools    bool // there are some
	parser   *parser.Parser
	events   []toolcall.Event
}

// find returns the offsets in s at which something begins that is not text, or that
// could be something else with what might follow.
func (r *reader) find(s string, at Place) []int {
	if r.parser == nil {
		compiled, err := r.compiled()
		if err != nil { // they were accepted before; nothing passes unread
			return []int{0}
		}
		r.parser = compiled.New()
	}
	whole := at.Before + s + at.After
	r.events = r.parser.Feed(r.events[:0], whole)
	var cuts []int
	cut := func(from, to int) { // where these bytes of the whole are in s, blanks aside
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
			cut(read, read+len(e.Raw)) // a token that is no text may stand before the opener
		}
		read += len(e.Raw)
	}
	if len(cuts) == 0 { // what is held may become something
		cut(read, len(whole))
	}
	if len(cuts) > 0 || !r.tools || !r.rested(len(whole)-read) {
		r.parser = nil
	}
	return cuts
}

// rested ends the line, and reports whether that leaves the parser as at the beginning
// of a message: with nothing held. Without tools it never is, since a beginning counts.
func (r *reader) rested(held int) bool {
	r.events = r.parser.Feed(r.events[:0], "\n")
	for _, e := range r.events {
		held -= len(e.Raw)
	}
	return held == -len("\n")
}
