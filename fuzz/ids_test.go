package fuzz

import (
	"fmt"
	"regexp"

	"github.com/toolparse/toolparse/toolcall"
)

var randomID = regexp.MustCompile(`^[0-9A-Za-z]{9}$`)

// ids checks invariant 5: every segment has an id of its own, counted up in
// the order of the starts or random, behind the prefix.
func ids(r recording) error {
	seen := map[string]bool{}
	for i, e := range r.events() {
		if e.Type != toolcall.SegmentStart {
			continue
		}
		if seen[e.ID] {
			return fmt.Errorf("event %d: id %q again", i, e.ID)
		}
		seen[e.ID] = true
		if r.opts.RandomIDs {
			if p := r.opts.IDPrefix; len(e.ID) < len(p) || e.ID[:len(p)] != p || !randomID.MatchString(e.ID[len(p):]) {
				return fmt.Errorf("event %d: id %q is not %q and nine alphanumerics", i, e.ID, p)
			}
			continue
		}
		if want := fmt.Sprintf("%sseg_%d", r.opts.IDPrefix, len(seen)); e.ID != want {
			return fmt.Errorf("event %d: id %q, want %q", i, e.ID, want)
		}
	}
	return nil
}
