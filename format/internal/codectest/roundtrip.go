package codectest

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/toolparse/toolparse/format/chat"
)

// RoundTrip holds that all that can be drawn is read back as it was written.
// isTold accepts the losses that there may be; nil: there are none.
func RoundTrip[T any](t *testing.T, draw func(*rapid.T) T, encode encoder[T], decode decoder[T], isTold func(chat.Loss) bool, same ...cmp.Option) {
	t.Helper()
	rapid.Check(t, func(t *rapid.T) {
		want := draw(t)
		body, losses := write(t, encode, want, chat.Options{})
		told(t, body, losses, isTold)
		if diff := cmp.Diff(want, read(t, decode, body), same...); diff != "" {
			t.Fatalf("%s\nlosses %v\n(-want +got):\n%s", body, losses, diff)
		}
	})
}

// AnyLoss accepts all losses.
func AnyLoss(chat.Loss) bool { return true }

func told(t rapid.TB, body string, losses []chat.Loss, isTold func(chat.Loss) bool) {
	t.Helper()
	for _, l := range losses {
		if isTold == nil || !isTold(l) {
			t.Errorf("loss %v of %s", l, body)
		}
	}
}
