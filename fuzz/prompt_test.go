package fuzz

import (
	"fmt"

	"github.com/toolparse/toolparse/internal/parser"
	"github.com/toolparse/toolparse/internal/streamgen"
	"github.com/toolparse/toolparse/toolcall"
)

// prompt checks invariant 4 at one place of a stream: when everything before
// at is sure, feeding it lets all of it out.
func prompt(opts parser.Options, input string, at int) error {
	p, err := parser.New(opts)
	if err != nil {
		return err
	}
	out := 0
	for _, e := range p.Feed(nil, input[:at]) {
		out += len(e.Raw)
	}
	if out != at {
		return fmt.Errorf("%d bytes held back behind %.80q", at-out, tail(input[:at], 80))
	}
	return nil
}

// promptAll checks it at every place, byte by byte in one parser.
func promptAll(opts parser.Options, input string, places []int) error {
	p, err := parser.New(opts)
	if err != nil {
		return err
	}
	out := 0
	for at := 1; at <= len(input); at++ {
		for _, e := range p.Feed(nil, input[at-1:at]) {
			out += len(e.Raw)
		}
		if len(places) > 0 && places[0] == at {
			if out != at {
				return fmt.Errorf("byte %d: %d bytes held back behind %q", at, at-out, tail(input[:at], 80))
			}
			places = places[1:]
		}
	}
	return nil
}

// endsPromptly checks that a call's end is told with its last byte.
func endsPromptly(opts parser.Options, input string, ends []streamgen.End) error {
	p, err := parser.New(opts)
	if err != nil {
		return err
	}
	told, at := 0, 0
	for _, end := range ends {
		for _, e := range p.Feed(nil, input[at:end.Offset]) {
			if e.Type == toolcall.SegmentEnd && e.Segment.IsCall() {
				told++
			}
		}
		if at = end.Offset; told != end.Calls {
			return fmt.Errorf("byte %d: the ends of %d calls told, want %d", at, told, end.Calls)
		}
	}
	return nil
}

func tail(s string, n int) string { return s[max(0, len(s)-n):] }
