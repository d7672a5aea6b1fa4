package codectest

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/wire"
)

// ComeBack tests that bodies of a wire survive decoding and encoding, with their unknown
// fields, and that no loss is reported.
type ComeBack[T any] struct {
	Decode func([]byte) (T, error)
	Encode func(T, wire.Options) ([]byte, []chat.Loss)
	Flat   Flat
	Same   cmp.Options // for comparing both results of decoding

	IsTold func(chat.Loss) bool               // reports whether a loss is allowed; nil allows none
	Settle func(first, second T)              // makes parts equal that may differ; may be nil
	Forget func(sent, written map[string]any) // drops leaves that may differ; may be nil
}

// Check tests the bodies.
func (c ComeBack[T]) Check(t *testing.T, bodies ...string) {
	t.Helper()
	for _, body := range bodies {
		first := read(t, c.Decode, body)
		out, losses := write(t, c.Encode, first, wire.Options{})
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
