package openai

import (
	"errors"
	"strconv"

	"github.com/toolparse/toolparse/format/internal/payload"
)

// readLabel returns a value that is a string, or a number that stands for one,
// as some servers have in ids.
func readLabel(r *payload.Reader, v payload.Value, path ...string) payload.Value {
	if v.Kind == payload.Number {
		v.Kind = payload.String
	}
	return r.String(v, path...)
}

var errTime = errors.New("not a time in seconds")

// readTime reads a time. Fractions of a second, which few servers tell, are left
// out.
func readTime(r *payload.Reader, v payload.Value, path ...string) int64 {
	if n, ok := v.Int(); ok || !v.IsSet() {
		return int64(n)
	}
	seconds, err := strconv.ParseFloat(string(v.Raw), 64)
	if err != nil || v.Kind != payload.Number || seconds < -maxTime || seconds > maxTime {
		r.Fail(v, errTime, path...)
		return 0
	}
	return int64(seconds)
}

const maxTime = 1 << 53
