package parser

import (
	"cmp"

	"github.com/toolparse/toolparse/internal/dialect"
	"github.com/toolparse/toolparse/toolcall"
)

// prefill removes from the events what the prompt already contained: no event's raw
// contains its bytes, and its text and reasoning are not emitted again. Its calls are, with
// all of their arguments. It exists until all bytes of Options.Prefill are accounted for.
type prefill struct {
	left  int              // bytes of the prefill that no event has accounted for
	first []toolcall.Event // events from the prefill, until the stream begins
	// start is the start event of a segment of which nothing has been emitted. It is
	// emitted with what the stream adds to the segment, or never.
	start toolcall.Event
}

// opening is the beginning of the answer that the prompt contains.
func (o *Options) opening() string {
	if o.Prompted && len(o.Dialects) > 0 {
		return opening(o.Dialects[0]) + o.Prefill
	}
	return o.Prefill
}

// opening returns the beginning of an answer that the prompt of the models of d contains.
func opening(d *dialect.Dialect) string { return cmp.Or(d.Written.Begun, d.Written.Prompt) }

// prefilled parses the beginning of the answer that the prompt contains.
func (p *Parser) prefilled() {
	text := p.opts.opening()
	if text == "" {
		return
	}
	fill := &prefill{left: len(text)}
	events := p.Feed(nil, text)
	p.prefill = fill
	fill.first = p.withoutPrefill(events, 0)
	p.smooth = smooth{}
}

// feedPrefilled is Feed while there is a prefill.
func (p *Parser) feedPrefilled(dst []toolcall.Event, chunk string) []toolcall.Event {
	return p.pastPrefill(dst, func(dst []toolcall.Event) []toolcall.Event { return p.Feed(dst, chunk) })
}

// pastPrefill runs step and removes the prefill from its events.
func (p *Parser) pastPrefill(dst []toolcall.Event, step func([]toolcall.Event) []toolcall.Event) []toolcall.Event {
	fill := p.prefill
	dst, fill.first = append(dst, fill.first...), nil
	known := len(dst)
	p.prefill = nil
	dst = step(dst)
	p.prefill = fill
	if dst = p.withoutPrefill(dst, known); fill.left == 0 && fill.start.ID == "" {
		p.prefill = nil // the next chunk may take the fast path
		return dst
	}
	p.smooth = smooth{}
	return dst
}

// withoutPrefill removes the bytes of the prefill from the events in dst[known:].
func (p *Parser) withoutPrefill(dst []toolcall.Event, known int) []toolcall.Event {
	fill := p.prefill
	result := dst[:known:known]
	for _, e := range dst[known:] {
		n := min(fill.left, len(e.Raw))
		whose := fill.left > 0 // it belongs to the prefill, at least in part
		fill.left -= n
		verbatim := e.Payload == e.Raw
		e.Raw = e.Raw[n:]
		if e.Segment.IsCall() {
			result = append(result, e)
			continue
		}
		switch e.Type {
		case toolcall.SegmentStart:
			if whose && e.Raw == "" {
				fill.start = e
				continue
			}
		case toolcall.SegmentContent:
			if verbatim {
				e.Payload = e.Raw
			} else if whose && e.Raw == "" {
				e.Payload = ""
			}
			if e.Raw == "" && e.Payload == "" {
				continue
			}
		case toolcall.SegmentEnd:
			if fill.start.ID == e.ID && e.Raw == "" {
				fill.start = toolcall.Event{}
				continue
			}
		}
		if fill.start.ID == e.ID {
			result = append(result, fill.start)
			fill.start = toolcall.Event{}
		}
		result = append(result, e)
	}
	return result
}

// inStream converts a stream offset to the caller's count, which excludes the prefill.
func (p *Parser) inStream(at int64) int64 { return max(0, at-int64(len(p.opts.opening()))) }
