package format

import (
	"fmt"

	"github.com/toolparse/toolparse/format/internal/frame"
	"github.com/toolparse/toolparse/format/internal/rawjson"
)

// ForeignError is the reason of a SyntaxError where a stream begins with an event
// of another wire than the one that was named.
type ForeignError struct{ Wire Wire }

// Error returns whose event it is.
func (e *ForeignError) Error() string { return fmt.Sprintf("the event belongs to the wire %s", e.Wire) }

// checkWire returns an error for an event of another wire. The first event that
// is of any wire decides. Errors and signs of life do not, as gateways send those
// of one wire in streams of another.
func (s *Stream) checkWire(e frame.Event) error {
	if s.known || s.given > 0 || e.IsDone() {
		return nil
	}
	v, err := new(rawjson.Reader).Open(e)
	if err != nil {
		return nil // the decoder tells it, with the place
	}
	v = firstOf(v)
	own := envelopeOf(v)
	if own.failure.IsSet() || own.kind.Is("error") || own.kind.Is("ping") || own.object.Is("error") {
		return nil
	}
	switch wire := own.wire(); wire {
	case "":
		if api := foreignOf(v); api != nil && e.IsBody() {
			return &SyntaxError{Wire: string(s.wire), Event: e.Number, Offset: e.Offset, Err: api.error()}
		}
	case s.wire:
		s.known = true
	default:
		return &SyntaxError{Wire: string(s.wire), Event: e.Number, Offset: e.Offset, Err: &ForeignError{wire}}
	}
	return nil
}
