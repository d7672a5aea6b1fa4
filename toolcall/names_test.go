package toolcall

import (
	"fmt"
	"testing"
)

// TestNames: every constant has a name of its own, and a number without one
// shows as what it is.
func TestNames(t *testing.T) {
	for _, tt := range []struct {
		kind        string
		first, last int
		name        func(int) fmt.Stringer
	}{
		{"DeltaKind", int(DeltaText), int(DeltaExtra), func(i int) fmt.Stringer { return DeltaKind(i) }},
		{"EventType", int(SegmentStart), int(SegmentEnd), func(i int) fmt.Stringer { return EventType(i) }},
		{"Status", int(Complete), int(Rejected), func(i int) fmt.Stringer { return Status(i) }},
		{"Reason", int(ReasonNone), int(ReasonDuplicate), func(i int) fmt.Stringer { return Reason(i) }},
	} {
		t.Run(tt.kind, func(t *testing.T) {
			unnamed := func(i int) string { return fmt.Sprintf("%s(%d)", tt.kind, i) }
			seen := map[string]int{}
			for i := tt.first; i <= tt.last; i++ {
				name := tt.name(i).String()
				if before, taken := seen[name]; taken || name == unnamed(i) {
					t.Errorf("%d is %q, as is %d", i, name, before)
				}
				seen[name] = i
			}
			if got, want := tt.name(tt.last+1).String(), unnamed(tt.last+1); got != want {
				t.Errorf("got %q, want %q", got, want)
			}
		})
	}
}
