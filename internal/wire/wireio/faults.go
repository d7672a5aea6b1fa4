package wireio

import (
	"errors"
	"math"
	"slices"
	"strings"

	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/wire/frame"
	"github.com/toolparse/toolparse/internal/wire/rawjson"
)

// These limit how often an answer is read because of values of a wrong type.
const (
	maxPasses = 100
	maxReread = 8 << 20 // bytes, which bound the time that a hostile answer takes
)

// WithoutMistyped calls read for an event that may be a whole answer. If read fails because
// of values of a wrong type, which it returns, WithoutMistyped calls it again with null in
// their place, so that the rest of the answer is read. These values are faults.
func WithoutMistyped(e frame.Event, read func(frame.Event) ([]rawjson.Mistyped, error)) (faults []chat.Loss, err error) {
	for pass := range maxPasses {
		var mistyped []rawjson.Mistyped
		if mistyped, err = read(e); err == nil || len(mistyped) == 0 || pass*len(e.Data) > maxReread {
			break
		}
		root, _ := rawjson.Parse(e.Data) // cannot fail: it has been read
		if mistyped[0].Value.At == root.At {
			break // nothing would be left
		}
		at := finder{left: mistyped, faults: faults}
		at.find(root, "")
		faults, e.Data = at.faults, withoutValues(e.Data, mistyped)
	}
	if len(faults) > maxFaults {
		faults = append(faults[:maxFaults], chat.Loss{Field: "the answer", Reason: "more of it is of a wrong type", Action: "left out"})
	}
	return faults, err
}

// finder finds values of a wrong type, which are in order, to name their paths.
type finder struct {
	left   []rawjson.Mistyped
	faults []chat.Loss
}

// find finds the values inside of v.
func (f *finder) find(v rawjson.Value, path string) {
	for key, member := range v.Fields() {
		if f.isIn(member) {
			f.enter(member, join(path, key))
		}
	}
	i := 0
	for item := range v.Items() {
		if f.isIn(item) {
			f.enter(item, At(path, i))
		}
		i++
	}
}

// isIn reports whether the next value is v or inside of v.
func (f *finder) isIn(v rawjson.Value) bool {
	return len(f.left) > 0 && f.left[0].Value.At <= v.At+len(v.Raw)
}

func (f *finder) enter(v rawjson.Value, path string) {
	if next := f.left[0]; next.Value.At == v.At {
		f.faults = append(f.faults, fault(path, next.Err))
		f.left = f.left[1:]
		return
	}
	f.find(v, path)
}

func join(path string, key []byte) string {
	if path == "" {
		return string(key)
	}
	return path + "." + string(key)
}

// Mistyped returns the values of a wrong type in a whole answer. Those in a request or an
// event of a stream are errors: what was decoded before an event cannot be undone.
func (r *Reader) Mistyped() []rawjson.Mistyped {
	if !r.IsAnswer {
		return nil
	}
	return r.Reader.Mistyped()
}

// withoutValues returns data with null in place of values, which are in order.
func withoutValues(data []byte, values []rawjson.Mistyped) []byte {
	out := make([]byte, 0, len(data)+len(values)*len("null"))
	end := 0 // of the last value
	for _, m := range values {
		from, to := m.Value.At, m.Value.At+len(m.Value.Raw)
		if m.Value.Kind == rawjson.String { // the quotes
			from, to = from-1, to+1
		}
		out = append(append(out, data[end:from]...), "null"...)
		end = to
	}
	return append(out, data[end:]...)
}

// Faults returns what was left out of an answer.
func (r *Reader) Faults() []chat.Loss { return r.faults }

// maxFaults limits the faults that are reported for one answer.
const maxFaults = 100

// Fault records that something is wrong at a place in the answer.
func (r *Reader) Fault(field string, err error) { r.faults = append(r.faults, fault(field, err)) }

// maxTokens is the largest count of tokens. It prevents the overflow of sums, such as the
// usage of a run.
const maxTokens = math.MaxInt >> 8

// Tokens is [rawjson.Reader.Count] for the counts of a usage. Another value is a fault of the
// answer, not an error.
func (r *Reader) Tokens(v rawjson.Value, path ...string) int {
	if !v.IsSet() {
		return 0
	}
	if n, ok := v.Int(); ok && n >= 0 && n <= maxTokens {
		return n
	}
	r.mistyped(v, errCount, path...)
	return 0
}

// mistyped records a value of a wrong type that says nothing about the output. It is a fault
// also in an event of a stream.
func (r *Reader) mistyped(v rawjson.Value, err error, path ...string) {
	if r.IsAnswer {
		r.FailType(v, err, path...)
		return
	}
	var at strings.Builder // strings.Join would make the caller's path escape
	for _, p := range path {
		at.WriteString(p)
	}
	field := at.String()
	repeated := slices.ContainsFunc(r.faults, func(l chat.Loss) bool { return l.Field == field }) // as usages are
	if !repeated && len(r.faults) < maxFaults {
		r.Fault(field, err)
	}
}

var errCount = errors.New("expected a whole number of at least 0")

// Note records a remark about the answer, once.
func (r *Reader) Note(l chat.Loss) {
	if !slices.Contains(r.faults, l) {
		r.faults = append(r.faults, l)
	}
}

func fault(field string, err error) chat.Loss {
	return chat.Loss{Field: field, Reason: err.Error(), Action: "left out"}
}
