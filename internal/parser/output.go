package parser

import "github.com/toolparse/toolparse/toolcall"

// output receives the events of a call of Feed, and knows the open segment of text or
// reasoning. Calls have their own segments.
type output struct {
	dst   []toolcall.Event
	ids   idSource
	open  segment
	joint string // text to insert before the first content of the open segment
	muted bool   // the content of the open segment is suppressed
}

// segment identifies an open segment.
type segment struct {
	kind toolcall.SegmentType // "" where none is open
	id   string
}

// startOpen opens a segment of text or reasoning, and ends the previous one.
func (o *output) startOpen(kind toolcall.SegmentType, raw string) {
	o.endOpen(toolcall.Complete, toolcall.ReasonNone, "")
	o.open = segment{kind: kind, id: o.ids.next()}
	o.event(toolcall.SegmentStart, kind, o.open.id).Raw = raw
}

// emitOpen adds content to the open segment. Its raw is the content itself.
func (o *output) emitOpen(run string) {
	if joint := o.joint; joint != "" {
		o.joint = ""
		o.event(toolcall.SegmentContent, o.open.kind, o.open.id).Payload = joint
	}
	e := o.event(toolcall.SegmentContent, o.open.kind, o.open.id)
	e.Payload, e.Raw = run, run
	if o.muted {
		e.Payload = ""
	}
}

// endOpen ends the open segment of text or reasoning, if any.
func (o *output) endOpen(status toolcall.Status, reason toolcall.Reason, raw string) {
	if o.open.kind == "" {
		return
	}
	e := o.event(toolcall.SegmentEnd, o.open.kind, o.open.id)
	e.Status, e.Reason, e.Raw = status, reason, raw
	o.open = segment{}
}

// event appends an event to the result of Feed, for the caller to fill in place: a copy
// would cost as much as everything else.
func (o *output) event(typ toolcall.EventType, kind toolcall.SegmentType, id string) *toolcall.Event {
	o.dst = append(o.dst, toolcall.Event{})
	e := &o.dst[len(o.dst)-1]
	e.Type, e.Segment, e.ID = typ, kind, id
	return e
}
