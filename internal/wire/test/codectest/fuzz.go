package codectest

import (
	"encoding/json"
	"testing"

	"github.com/toolparse/toolparse/internal/wire"
)

// Fuzz checks that whatever can be decoded can be encoded, and decoded again. further, if it
// is not nil, compares the first result with the second.
func Fuzz[T any](f *testing.F, decode decoder[T], encode encoder[T], further func(t *testing.T, first, second T), seeds ...string) {
	f.Helper()
	for _, seed := range seeds {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		first, err := decode(body)
		if err != nil {
			return
		}
		out, _ := encode(first, wire.Options{})
		if !json.Valid(out) {
			t.Fatalf("%q becomes %q", body, out)
		}
		second, err := decode(out)
		if err != nil {
			t.Fatalf("%q becomes %q: %v", body, out, err)
		}
		if further != nil {
			further(t, first, second)
		}
	})
}
