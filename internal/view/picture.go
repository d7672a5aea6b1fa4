// Package view draws an answer as a self-contained HTML page: the raw text with its
// segments in colours, the calls, the tolerances, notes and losses, and the events with
// their times.
package view

import (
	"fmt"
	"strings"
	"time"

	"github.com/toolparse/toolparse"
	"github.com/toolparse/toolparse/internal/printable"
	"github.com/toolparse/toolparse/toolcall"
)

// Picture is the content of a page. Collect it with [Picture.Add].
type Picture struct {
	Title  string
	Facts  []Fact   // next to the title
	Bodies []Body   // requests, as received and as sent
	Pieces []Piece  // the raw text
	Calls  []Call   // in the order in which they ended
	Notes  []string // about text that is not a call
	Losses []string
	Events []Event
	Left   Left // what exceeded the limits
	Error  string

	began  map[string]toolcall.Event // the starts of open segments
	size   int
	argued int // bytes of the arguments of Calls
}

// Fact is a name and a value.
type Fact struct{ Name, Value string }

// Body is a text under a title.
type Body struct{ Title, Text string }

// Piece is a run of the raw text that belongs to one segment.
type Piece struct {
	ID     string
	Kind   string // text, reasoning, refusal, call
	Label  string // the tool's name
	Native bool   // a provider's own call, which has no raw text
	Broken bool   // the segment did not end complete

	text []byte
}

// Text returns the text of the piece.
func (p Piece) Text() string { return string(p.text) }

// Call is a call as it ended.
type Call struct {
	ID, Name, Dialect, Status, Reason, Tolerances, Arguments string
	Good                                                     bool // it is Runnable
	Problems                                                 []string
}

// Event is an event of the stream.
type Event struct {
	At                      string // its time or offset
	Type, Segment, ID, What string
}

// Left counts what a picture leaves out.
type Left struct{ Bytes, Events int }

// Limits of a picture.
const (
	maxText      = 1 << 20
	maxEvents    = 1000
	maxBody      = 256 << 10
	maxWhat      = 60
	maxArguments = 4 << 20 // of all calls
)

// Restart moves the raw text so far under a title, and begins a new answer.
func (p *Picture) Restart(title string) {
	var raw strings.Builder
	for _, piece := range p.Pieces {
		raw.Write(piece.text)
	}
	p.AddBody(title, raw.String())
	p.Pieces, p.Calls, p.Notes, p.Events, p.Left, p.began, p.size, p.argued = nil, nil, nil, nil, Left{}, nil, 0, 0
}

// AddNotes adds the notes of an answer.
func (p *Picture) AddNotes(notes []toolparse.Note) {
	for _, n := range notes {
		var words []string
		for _, word := range []string{n.Dialect, n.Tool, n.Rule} {
			if word != "" {
				words = append(words, word)
			}
		}
		p.Notes = append(p.Notes, fmt.Sprintf("%s: %s", n.Kind, strings.Join(words, ", ")))
	}
}

// AddBody adds a text under a title, and shortens it if it is long.
func (p *Picture) AddBody(title, text string) {
	if cut := len(text) - maxBody; cut > 0 {
		text = strings.ToValidUTF8(text[:maxBody], "") + fmt.Sprintf("\n... %d more bytes", cut)
	}
	p.Bodies = append(p.Bodies, Body{title, text})
}

// Add adds an event. at is its time or offset.
func (p *Picture) Add(e toolparse.StreamEvent, at string) {
	if p.began == nil {
		p.began = map[string]toolcall.Event{}
	}
	if e.Type == toolcall.SegmentStart {
		p.began[e.ID] = e.Event
	}
	text, native := e.Raw, false
	if e.Segment.IsCall() && e.Raw == "" && e.Type == toolcall.SegmentContent {
		if start, ok := p.began[e.ID]; ok && start.Raw == "" {
			text, native = e.Payload, true
		}
	}
	p.addText(e.Event, text, native)
	p.addEvent(e.Event, at)
	if e.Call != nil {
		p.addCall(*e.Call)
	}
	if e.Type == toolcall.SegmentEnd {
		delete(p.began, e.ID)
	}
}

func (p *Picture) addText(e toolcall.Event, text string, native bool) {
	if p.size+len(text) > maxText {
		p.Left.Bytes += len(text)
		return
	}
	p.size += len(text)
	if last := len(p.Pieces) - 1; last >= 0 && p.Pieces[last].ID == e.ID {
		p.Pieces[last].text = append(p.Pieces[last].text, text...)
		p.Pieces[last].Native = p.Pieces[last].Native || native
		p.Pieces[last].Broken = e.Type == toolcall.SegmentEnd && e.Status != toolcall.Complete
		return
	}
	if text == "" && e.Type != toolcall.SegmentStart {
		return
	}
	kind := "text"
	switch {
	case e.Segment.IsCall():
		kind = "call"
	case e.Segment == toolcall.SegmentReasoning:
		kind = "reasoning"
	case e.Segment == toolcall.SegmentRefusal:
		kind = "refusal"
	}
	p.Pieces = append(p.Pieces, Piece{ID: e.ID, Kind: kind, Label: e.Name, Native: native, text: []byte(text)})
}

func (p *Picture) addEvent(e toolcall.Event, at string) {
	if len(p.Events) == maxEvents {
		p.Left.Events++
		return
	}
	what := e.Payload
	switch e.Type {
	case toolcall.SegmentStart:
		what = e.Name
	case toolcall.SegmentEnd:
		what = strings.TrimSpace(e.Status.String() + " " + e.Tolerances.String())
	}
	kind := strings.ToLower(strings.TrimPrefix(e.Type.String(), "SEGMENT_"))
	p.Events = append(p.Events, Event{At: at, Type: kind, Segment: string(e.Segment), ID: e.ID, What: strings.Clone(printable.Short(what, maxWhat))}) // without the chunk that it is a part of
}

func (p *Picture) addCall(c toolcall.ToolInvocation) {
	arguments := string(c.Arguments)
	if most := max(min(maxBody, maxArguments-p.argued), 0); len(arguments) > most {
		arguments = strings.ToValidUTF8(arguments[:most], "") + fmt.Sprintf("... %d more bytes", len(arguments)-most)
	}
	p.argued += len(arguments)
	call := Call{
		ID: c.ID, Name: c.Name, Dialect: c.Dialect, Status: c.Status.String(),
		Tolerances: strings.ReplaceAll(c.Tolerances.String(), ",", ", "), Arguments: arguments, Good: c.Runnable(),
	}
	if c.Reason != toolcall.ReasonNone {
		call.Reason = c.Reason.String()
	}
	for _, problem := range c.Problems {
		call.Problems = append(call.Problems, problem.Error())
	}
	if c.Unknown {
		call.Problems = append(call.Problems, "no tool of this name is declared")
	}
	p.Calls = append(p.Calls, call)
}

// Since formats a duration.
func Since(d time.Duration) string { return fmt.Sprintf("%.1f ms", float64(d.Microseconds())/1000) }
