package gemini

import (
	"errors"
	"strconv"
	"strings"

	"github.com/toolparse/toolparse/internal/wire/rawjson"
)

// argsWriter writes the values of partialArgs, each with its path, as the text of one JSON
// object. The text only grows, so that values must come in its order: no container is
// entered again, and the elements of an array follow each other.
type argsWriter struct {
	out   []byte // the text that the last values added
	whole bool   // args came instead
	named bool   // the call has a name

	// open are the open containers, from the root, each with the step to the member or
	// element that was written last. Their steps are the path of the last value.
	open     []container
	last     string // that path as written
	inString bool   // the last value is a string that continues
	steps    []step // of the current path
}

type container struct {
	step
	seen map[string]bool // the keys of an object
}

var (
	errOrder = errors.New("a value for a place that is already written")
	errGap   = errors.New("array elements out of order")
	errKind  = errors.New("a string that continues as another type")
)

// add writes a value or, with more, a piece of a string. An absent value only ends the
// string at its path.
func (w *argsWriter) add(path string, v rawjson.Value, more bool) error {
	if path != w.last || len(w.open) == 0 {
		if v.Kind == rawjson.Absent {
			return nil // it only announces a value
		}
		if err := w.move(path); err != nil {
			return err
		}
		w.begin(v, more)
		return nil
	}
	switch {
	case w.inString && v.Kind == rawjson.String:
		w.out = append(w.out, v.Raw...)
	case w.inString && v.Kind != rawjson.Absent:
		return errKind
	case !w.inString && len(v.Raw) > 0:
		return errOrder
	}
	if w.inString && !more {
		w.endString()
	}
	return nil
}

// begin writes a value or, with more, the beginning of a string.
func (w *argsWriter) begin(v rawjson.Value, more bool) {
	if w.inString = v.Kind == rawjson.String; w.inString {
		w.out = append(w.out, '"')
	}
	w.out = append(w.out, v.Raw...)
	if w.inString && !more {
		w.endString()
	}
}

// move writes the text between the last value and the one at path.
func (w *argsWriter) move(path string) error {
	steps, err := parsePath(w.steps[:0], path)
	if err != nil {
		return err
	}
	w.steps = steps
	if w.inString {
		w.endString()
	}
	same := 0
	for same < len(w.open) && same < len(steps) && w.open[same].step == steps[same] {
		same++
	}
	if same == len(steps) || same == len(w.open) && same > 0 {
		return errOrder // a container that is already written, or a value that cannot become one
	}
	if same < len(w.open) { // a sibling in an open container
		w.closeDownTo(same + 1)
		at := &w.open[same]
		switch next := steps[same]; {
		case next.inArray() != at.inArray():
			return errOrder
		case next.inArray() && next.index != at.index+1:
			return errGap
		}
		w.out = append(w.out, ',')
		if err := w.enter(at, steps[same]); err != nil {
			return err
		}
		same++
	}
	for _, s := range steps[same:] {
		if s.index > 0 {
			return errGap
		}
		if s.inArray() {
			w.out = append(w.out, '[')
		} else {
			w.out = append(w.out, '{')
		}
		w.open = append(w.open, container{})
		if err := w.enter(&w.open[len(w.open)-1], s); err != nil {
			return err
		}
	}
	w.last = path
	return nil
}

// enter begins a member or an element of an open container.
func (w *argsWriter) enter(c *container, s step) error {
	c.step = s
	if s.inArray() {
		return nil
	}
	if c.seen[s.key] {
		return errOrder
	}
	if c.seen == nil {
		c.seen = make(map[string]bool)
	}
	c.seen[s.key] = true
	w.out = append(rawjson.AppendQuoted(w.out, s.key), ':')
	return nil
}

// close returns the end of the object.
func (w *argsWriter) close() string {
	w.out = w.out[:0]
	if len(w.open) == 0 {
		return "{}"
	}
	if w.inString {
		w.endString()
	}
	w.closeDownTo(0)
	return string(w.out)
}

func (w *argsWriter) endString() {
	w.out = append(w.out, '"')
	w.inString = false
}

// closeDownTo closes containers until n are open.
func (w *argsWriter) closeDownTo(n int) {
	for i := len(w.open) - 1; i >= n; i-- {
		if w.open[i].inArray() {
			w.out = append(w.out, ']')
		} else {
			w.out = append(w.out, '}')
		}
	}
	w.open = w.open[:n]
}

// step is one step of a JSON path: into a member of an object, or an element of an array.
type step struct {
	key   string
	index int // of an element; -1 for a member
}

func (s step) inArray() bool { return s.index >= 0 }

var errPath = errors.New("not a JSON path like $.a[0].b")

// parsePath appends the steps of a path such as $.a[0].b or $['a'] to steps, as substrings
// of the path.
func parsePath(steps []step, path string) ([]step, error) {
	rest, ok := strings.CutPrefix(path, "$")
	if !ok || rest == "" {
		return nil, errPath
	}
	for rest != "" {
		var s step
		switch {
		case rest[0] == '.':
			rest = rest[1:]
			end := strings.IndexAny(rest, ".[")
			if end < 0 {
				end = len(rest)
			}
			s = step{rest[:end], -1}
			rest = rest[end:]
		case strings.HasPrefix(rest, "['"), strings.HasPrefix(rest, `["`):
			quote := rest[1:2]
			key, after, found := strings.Cut(rest[2:], quote+"]")
			if !found {
				return nil, errPath
			}
			s = step{key, -1}
			rest = after
		case rest[0] == '[':
			digits, after, found := strings.Cut(rest[1:], "]")
			n, err := strconv.ParseUint(digits, 10, 31)
			if !found || err != nil {
				return nil, errPath
			}
			s = step{"", int(n)}
			rest = after
		default:
			return nil, errPath
		}
		if s.key == "" && !s.inArray() {
			return nil, errPath
		}
		steps = append(steps, s)
	}
	if steps[0].inArray() {
		return nil, errPath
	}
	return steps, nil
}
