package main

import (
	"fmt"
	"strings"

	"github.com/toolparse/toolparse"
	"github.com/toolparse/toolparse/parser"
	"github.com/toolparse/toolparse/toolcall"
)

// explainer explains why candidates did not become calls, and what the parser tolerated
// in those that did. To find calls in code or reasoning, it parses the text a second
// time with such calls accepted. A nil explainer explains nothing.
type explainer struct {
	cli    *cli
	name   string
	stream *toolparse.Stream
	seen   int         // how many notes of the stream were read
	note   parser.Note // of the current candidate, from the dialect that read the most
	alike  int         // notes of other dialects at the same offset

	eager  *parser.Parser // accepts quoted calls
	events []toolcall.Event
	quoted callPlaces // calls that eager finds
	found  callPlaces // calls that the stream finds
}

// callPlaces collects the places where calls begin.
type callPlaces struct {
	offset int64
	calls  []place
}

type place struct {
	offset int64
	tool   string
}

func (c *cli) newExplainer(name string, opts *toolparse.Options, stream *toolparse.Stream) (*explainer, error) {
	eager, err := parser.New(parser.Options{
		Dialects: stream.Dialects(), Tools: opts.Tools, Strict: opts.Strict, Recover: opts.Recover, Prefill: opts.Prefill, Prompted: opts.Prompted,
		StartInReasoning: opts.StartInReasoning, CallsInCode: true, CallsInReasoning: true, Limits: opts.Limits,
	})
	return &explainer{cli: c, name: showName(name), stream: stream, eager: eager}, err
}

// event reads the next event of the stream.
func (x *explainer) event(e toolparse.StreamEvent) {
	if x == nil {
		return
	}
	x.takeNotes()
	x.found.add([]toolcall.Event{e.Event})
	x.events = x.eager.Feed(x.events[:0], e.Raw)
	x.quoted.add(x.events)
	if e.Call != nil {
		x.call(*e.Call)
	}
}

// call prints what was tolerated in a call, and what prevents it from running.
func (x *explainer) call(c toolcall.ToolInvocation) {
	x.explainNote()
	line := fmt.Sprintf("%s: call, %s", c.ID, c.Status)
	if c.Reason != toolcall.ReasonNone {
		line += ", " + c.Reason.String()
	}
	if c.Tolerances == 0 {
		line += ", no tolerated errors"
	} else {
		line += ", tolerated: " + strings.Join(c.Tolerances.Names(), ", ")
	}
	if c.Unknown {
		line += fmt.Sprintf("; the tool %q is not declared", c.Name)
	}
	for _, p := range c.Problems {
		line += "; " + p.Error()
	}
	x.print(line)
}

// add reads events. Their raw bytes give the offsets.
func (c *callPlaces) add(events []toolcall.Event) {
	for _, e := range events {
		if e.Type == toolcall.SegmentStart && e.Segment.IsCall() {
			blank := len(e.Raw) - len(strings.TrimLeft(e.Raw, " \t\r\n"))
			c.calls = append(c.calls, place{c.offset + int64(blank), e.Name})
		}
		c.offset += int64(len(e.Raw))
	}
}

// takeNotes reads new notes. It explains each candidate once, in the dialect that read
// the most of it, and skips candidates that begin inside another.
func (x *explainer) takeNotes() {
	notes := x.stream.Notes()
	for _, n := range notes[x.seen:] {
		switch {
		case n.Kind != parser.NoteCandidate: // see tellUnread
		case x.note.Dialect != "" && n.Offset == x.note.Offset:
			if n.Dialect != x.note.Dialect {
				x.alike++
			}
			if n.End > x.note.End {
				x.note = n
			}
		case x.note.Dialect != "" && n.Offset > x.note.Offset && n.Offset < x.note.End:
		default:
			x.explainNote()
			x.note = n
		}
	}
	x.seen = len(notes)
}

// explainNote explains the candidate of x.note.
func (x *explainer) explainNote() {
	n, others := x.note, ""
	if n.Dialect == "" {
		return
	}
	if x.alike > 0 {
		others = ", nor in other dialects with this opener"
	}
	x.note, x.alike = parser.Note{}, 0
	x.print(fmt.Sprintf("byte %d: not a call in %s%s: %s", n.Offset, n.Dialect, others, n.Rule))
}

// close explains the last candidate and the calls that are only quoted.
func (x *explainer) close() {
	if x == nil {
		return
	}
	x.takeNotes()
	x.explainNote()
	x.quoted.add(x.eager.Close(nil))
	found := map[int64]bool{}
	for _, c := range x.found.calls {
		found[c.offset] = true
	}
	for _, c := range x.quoted.calls {
		if !found[c.offset] {
			x.print(fmt.Sprintf("byte %d: not a call of %s: it is inside code or reasoning (--calls-in-code, --calls-in-reasoning)",
				c.offset, c.tool))
		}
	}
}

func (x *explainer) print(line string) { x.cli.tell("explain", x.name+": "+line) }
