package payload

import "fmt"

// Need returns v if it is of a kind, and ok. Anything else, absence too, becomes
// the error of the event, which names the field by the joined path.
func (r *Reader) Need(v Value, kind Kind, path ...string) (_ Value, ok bool) {
	if v.Kind == kind {
		return v, true
	}
	r.Fail(v, fmt.Errorf("expected %[2]v, got %[1]v", v.Kind, kind), path...)
	return Value{}, false
}
