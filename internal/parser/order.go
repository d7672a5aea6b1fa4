package parser

import (
	"errors"
	"fmt"

	"github.com/toolparse/toolparse/toolcall"
)

// The ways in which events can be out of order.
var (
	ErrNoStart   = errors.New("no start event before it")
	ErrTwoStarts = errors.New("a second start of its segment")
	ErrEnded     = errors.New("its segment has already ended")
	ErrOverlap   = errors.New("another segment is still open")
	ErrOtherType = errors.New("its segment has another type")
	ErrNoStatus  = errors.New("an end without a status")
	ErrNoEnd     = errors.New("a segment without an end")
	ErrNoSegment = errors.New("no segment id or type")
	ErrEventType = errors.New("no event type")
)

// OrderError says where the order of events is wrong. It wraps one of the errors above.
type OrderError struct {
	Index int    // of the event, from 0; for ErrNoEnd, the number of events
	ID    string // of the segment
	Err   error  // one of the errors above
}

// Error returns the place and the reason.
func (e *OrderError) Error() string {
	return fmt.Sprintf("event %d, segment %q: %v", e.Index, e.ID, e.Err)
}

// Unwrap returns Err.
func (e *OrderError) Unwrap() error { return e.Err }

// Order checks the order of events: every segment has one start, then its contents, and one
// end. Segments follow one another, except that native calls, which have no raw bytes, may
// overlap others. The zero value is ready for the first event of a stream. Order keeps the
// ids of all segments of the stream.
type Order struct {
	n    int
	open map[string]toolcall.SegmentType
	text string // the open segment that others must not overlap
	seen map[string]bool
}

// Check takes the next event. Its error is an [*OrderError]. After an error, further
// results for the same segment are meaningless.
func (o *Order) Check(e toolcall.Event) error {
	err := o.check(e)
	if err != nil {
		err = &OrderError{Index: o.n, ID: e.ID, Err: err}
	}
	o.n++
	return err
}

func (o *Order) check(e toolcall.Event) error {
	if e.ID == "" || e.Segment == "" {
		return ErrNoSegment
	}
	kind, open := o.open[e.ID]
	switch e.Type {
	case toolcall.SegmentStart:
		return o.start(e)
	case toolcall.SegmentContent, toolcall.SegmentEnd:
		switch {
		case !open && o.seen[e.ID]:
			return ErrEnded
		case !open:
			return ErrNoStart
		case kind != e.Segment:
			return ErrOtherType
		case e.Type == toolcall.SegmentContent:
			return nil
		}
		delete(o.open, e.ID)
		if o.text == e.ID {
			o.text = ""
		}
		if e.Status == 0 {
			return ErrNoStatus
		}
		return nil
	}
	return ErrEventType
}

func (o *Order) start(e toolcall.Event) error {
	if o.seen[e.ID] {
		return ErrTwoStarts
	}
	if o.seen == nil {
		o.seen, o.open = map[string]bool{}, map[string]toolcall.SegmentType{}
	}
	native := e.Segment.IsCall() && e.Raw == ""
	overlaps := !native && o.text != ""
	o.seen[e.ID], o.open[e.ID] = true, e.Segment
	if !native {
		o.text = e.ID
	}
	if overlaps {
		return ErrOverlap
	}
	return nil
}

// Close checks, after the last event, that no segment is open. Its error is an
// [*OrderError] that names an open one.
func (o *Order) Close() error {
	for id := range o.open {
		return &OrderError{Index: o.n, ID: id, Err: ErrNoEnd}
	}
	return nil
}
