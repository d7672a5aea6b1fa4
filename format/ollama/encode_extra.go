package ollama

import (
	"slices"

	"github.com/toolparse/toolparse"
	"github.com/toolparse/toolparse/format/internal/jsonout"
)

// waiting is an extra that waits for the line, or the call, that it belongs to.
type waiting struct {
	delta    toolparse.Delta
	in, name string
}

// maxWaiting bounds the bytes of the extras on one line, as maxText those of
// its text.
const maxWaiting = maxText

// metrics are the members of a line that say how long an answer took. They
// belong on the last one.
var metrics = [...]string{"total_duration", "load_duration", "prompt_eval_duration", "eval_duration"}

// extra keeps an extra for what is written next: a call, whose extras come
// before it, the last line, or any line.
func (e *encoder) extra(dst []byte, d toolparse.Delta) []byte {
	in, name, fresh := splitPath(d.Name)
	x := waiting{d, in, name}
	switch {
	case !fresh || in == fieldError: // an error is a text
		e.w.Log.Unplaced(d)
	case in == inCall || in == inCallFunction:
		e.ofCall = e.keep(e.ofCall, x)
	case in == inLine && slices.Contains(metrics[:], name):
		e.ofEnd = e.keep(e.ofEnd, x)
	default:
		if e.waits += len(d.Text); e.waits > maxWaiting || find(e.ofLine, x) >= 0 {
			dst = e.end(append(e.begin(dst), `""`...))
			e.waits = len(d.Text)
		}
		e.ofLine = append(e.ofLine, x)
	}
	return dst
}

// keep adds an extra to those that wait. Of two of one name the last counts.
func (e *encoder) keep(all []waiting, x waiting) []waiting {
	i := find(all, x)
	if i < 0 {
		return append(all, x)
	}
	e.w.Log.Unplaced(all[i].delta)
	all[i] = x
	return all
}

// find returns the place of an extra of the same name, or -1.
func find(all []waiting, x waiting) int {
	return slices.IndexFunc(all, func(other waiting) bool { return other.in == x.in && other.name == x.name })
}

// write writes those of the extras that stand in in into the object that is
// open, and returns the others.
func write(w *jsonout.Writer, all []waiting, in string) []waiting {
	return slices.DeleteFunc(all, func(x waiting) bool {
		if x.in == in {
			w.Member(x.name, oneLine([]byte(x.delta.Text)))
		}
		return x.in == in
	})
}

// unplaced reports extras of which what they belong to does not come.
func (e *encoder) unplaced(all []waiting) {
	for _, x := range all {
		e.w.Log.Unplaced(x.delta)
	}
}
