package codectest

import (
	"strings"
	"testing"
)

// Refuses checks that a wire refuses each body with an error that names the wire, the place
// and the reason.
func Refuses[T any](t *testing.T, wire string, decode decoder[T], bodies map[string]string) {
	t.Helper()
	for body, want := range bodies {
		_, err := decode([]byte(body))
		if err == nil || !strings.Contains(err.Error(), want) || !strings.HasPrefix(err.Error(), wire) {
			t.Errorf("%s: error %v, want %q", body, err, want)
		}
	}
}
