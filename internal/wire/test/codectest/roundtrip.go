package codectest

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/wire"
)

// RoundTrip checks that every drawn value is the same after encoding and decoding. accept
// reports which losses are allowed; nil means none.
func RoundTrip[T any](t *testing.T, draw func(*rapid.T) T, encode encoder[T], decode decoder[T], accept func(want T, losses []chat.Loss) bool, same ...cmp.Option) {
	t.Helper()
	rapid.Check(t, func(t *rapid.T) {
		want := draw(t)
		body, losses := write(t, encode, want, wire.Options{})
		losses = slices.DeleteFunc(losses, func(l chat.Loss) bool {
			return l.Field == "tool_choice" && strings.Contains(l.Reason, "no tool of this name") || IsRepeatedTool(l)
		})
		if accept == nil && len(losses) > 0 || accept != nil && !accept(want, losses) {
			t.Fatalf("%s\nlosses %v", body, losses)
		}
		if diff := cmp.Diff(want, read(t, decode, body), same...); diff != "" {
			t.Fatalf("%s\nlosses %v\n(-want +got):\n%s", body, losses, diff)
		}
	})
}

// IsRepeatedTool reports whether a loss is about two tools with the same name, which are
// written.
func IsRepeatedTool(l chat.Loss) bool { return strings.HasSuffix(l.Reason, "has the same name") }

// AnyLoss accepts all losses.
func AnyLoss[T any](T, []chat.Loss) bool { return true }
