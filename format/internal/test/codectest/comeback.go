package codectest

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolparse/toolparse/format/chat"
)

// ComeBack is how the bodies of a wire come back from it: what they hold
// survives, fields that nobody knows among it, and nothing is reported lost.
type ComeBack[T any] struct {
	Decode func([]byte) (T, error)
	Encode func(T, chat.Options) ([]byte, []chat.Loss)
	Flat   Flat
	Same   cmp.Options // compare what was read first and then

	IsTold func(chat.Loss) bool               // a loss that there may be; nil: none
	Settle func(first, second T)              // makes what may differ the same; nil: nothing
	Forget func(sent, written map[string]any) // drops leaves that may differ; nil: none
}

// Check holds the bodies to it.
func (c ComeBack[T]) Check(t *testing.T, bodies ...string) {
	t.Helper()
	for _, body := range bodies {
		first := read(t, c.Decode, body)
		out, losses := write(t, c.Encode, first, chat.Options{})
		for _, l := range losses {
			if c.IsTold == nil || !c.IsTold(l) {
				t.Errorf("loss %v of %s", l, body)
			}
		}
		second := read(t, c.Decode, out)
		if c.Settle != nil {
			c.Settle(first, second)
		}
		if diff := cmp.Diff(first, second, c.Same); diff != "" {
			t.Errorf("%s\n%s\n(-first +second):\n%s", body, out, diff)
		}
		sent, written := c.Flat.Of([]byte(body)), c.Flat.Of([]byte(out))
		if c.Forget != nil {
			c.Forget(sent, written)
		}
		if diff := cmp.Diff(sent, written); diff != "" {
			t.Errorf("%s\n%s\n(-sent +written):\n%s", body, out, diff)
		}
	}
}
