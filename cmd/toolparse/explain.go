package main

import (
	"fmt"
	"strings"

	"github.com/toolparse/toolparse"
	"github.com/toolparse/toolparse/toolcall"
)

// explainer explains why candidates did not become calls, and what the parser tolerated
// in those that did. A nil explainer explains nothing.
type explainer struct {
	cli    *cli
	name   string
	stream *toolparse.Stream
	seen   int           // how many notes of the stream were read
	note   toolcall.Note // of the current candidate, from the dialect that read the most
	alike  int           // notes of other dialects at the same offset
}

// event reads the next event of the stream.
func (x *explainer) event(e toolparse.StreamEvent) {
	if x == nil {
		return
	}
	x.takeNotes()
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

// takeNotes reads new notes. It explains each candidate once, in the dialect that read
// the most of it, and skips candidates that begin inside another.
func (x *explainer) takeNotes() {
	notes := x.stream.Notes()
	for _, n := range notes[x.seen:] {
		switch {
		case n.Kind != toolcall.NoteCandidate: // see tellUnread
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
	x.note, x.alike = toolcall.Note{}, 0
	x.print(fmt.Sprintf("byte %d: not a call in %s%s: %s", n.Offset, n.Dialect, others, n.Rule))
}

// close explains the last candidate.
func (x *explainer) close() {
	if x != nil {
		x.takeNotes()
		x.explainNote()
	}
}

func (x *explainer) print(line string) { x.cli.tell("explain", x.name+": "+line) }
