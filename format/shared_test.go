package format_test

import (
	"bytes"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolparse/toolparse/format"
)

// Streams of many goroutines, some of which stop early, share decoders, and none sees
// anything of another's answer.
func TestDecodersAreShared(t *testing.T) {
	all := recordings(t, ownRecordings)
	want := make([]any, len(all))
	for i, r := range all {
		want[i] = ended(r.body)
	}
	var group sync.WaitGroup
	for n := range 4 {
		group.Go(func() {
			for k := range 4 * len(all) {
				i := (k*7 + n) % len(all)
				if k%3 == 0 {
					for range format.NewStream(bytes.NewReader(all[i].body), format.Options{}).Deltas() {
						break
					}
				}
				if diff := cmp.Diff(want[i], ended(all[i].body)); diff != "" {
					t.Errorf("%s (-alone +with others):\n%s", all[i].name, diff)
				}
			}
		})
	}
	group.Wait()
}

// ended returns all that a stream says.
func ended(body []byte) any {
	s := format.NewStream(bytes.NewReader(body), format.Options{})
	deltas, err := collectStream(s)
	return []any{deltas, message(err), s.Meta(), s.Faults()}
}
