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

// OrderError says where the order of events broke. It wraps one of the errors
// above.
type OrderError struct {
	Index int    // of the event, from 0; of ErrNoEnd the number of events
	ID    string // of the segment
	Err   error  // one of those above
}

// Error returns the place, and how the order broke there.
func (e *OrderError) Error() string {
	return fmt.Sprintf("event %d, segment %q: %v", e.Index, e.ID, e.Err)
}

// Unwrap returns Err.
func (e *OrderError) Unwrap() error { return e.Err }

// Order knows the legal order of events: of every segment a start, its
// contents, and one end; segments one after the other, but that calls which
// come as deltas of their own, which have no raw bytes, may be open beside
// others. The zero value is ready for the first event of a stream. It keeps the
// ids of all segments of the stream.
type Order struct {
	n    int
	open map[string]toolcall.SegmentType
	text string // the open segment that others may not overlap
	seen map[string]bool
}

// Check takes the next event. Its error is an [*OrderError]; after it, what
// Check says of that segment is of no use.
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

// Close is to be called after the last event: no segment may be open. Its error
// is an [*OrderError] that names one that is.
func (o *Order) Close() error {
	for id := range o.open {
		return &OrderError{Index: o.n, ID: id, Err: ErrNoEnd}
	}
	return nil
}
