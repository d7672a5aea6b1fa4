package tools

import (
	"fmt"
	"strings"
	"sync"
)

// bounded keeps the beginning and the end of an output, each up to half of the limit.
type bounded struct {
	limit int

	mu    sync.Mutex
	head  []byte
	tail  []byte // what does not fit into head; temporarily longer than half of the limit
	total int64
}

func (w *bounded) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	n, half := len(p), w.limit/2
	w.total += int64(n)
	room := min(len(p), half-len(w.head))
	w.head, p = append(w.head, p[:room]...), p[room:]
	if w.tail = append(w.tail, p...); len(w.tail) > 2*half {
		w.tail = append(w.tail[:0], w.tail[len(w.tail)-half:]...)
	}
	return n, nil
}

// text returns what was kept, as UTF-8, whether the middle is missing, and the number of all
// bytes.
func (w *bounded) text() (text string, cut bool, total int64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	tail := w.tail[max(len(w.tail)-w.limit/2, 0):]
	omitted := w.total - int64(len(w.head)) - int64(len(tail))
	if omitted == 0 {
		return strings.ToValidUTF8(string(w.head)+string(tail), "\uFFFD"), false, w.total
	}
	return strings.ToValidUTF8(fmt.Sprintf("%s\n[... %d bytes are left out ...]\n%s", w.head, omitted, tail), "\uFFFD"), true, w.total
}

// stream keeps the last part of an output, which is read in portions.
type stream struct {
	mu    sync.Mutex
	tail  []byte
	from  int64 // offset of tail in the output
	read  int64 // offset up to which it was read
	limit int
}

func (w *stream) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.tail = append(w.tail, p...); len(w.tail) > 2*w.limit {
		excess := len(w.tail) - w.limit
		w.tail = append(w.tail[:0], w.tail[excess:]...)
		w.from += int64(excess)
	}
	return len(p), nil
}

// next returns the next portion, the number of bytes lost before it, and the number of
// bytes left after it.
func (w *stream) next(most int) (text string, lost, left int64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.read < w.from {
		lost, w.read = w.from-w.read, w.from
	}
	portion := w.tail[w.read-w.from:]
	if len(portion) > most {
		portion = portion[:most]
	}
	w.read += int64(len(portion))
	return strings.ToValidUTF8(string(portion), "\uFFFD"), lost, w.from + int64(len(w.tail)) - w.read
}

// lastBytes returns the end of a long text, or all of a short one.
func lastBytes(text string, most int) string {
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[len(text)-most:], "")
}
