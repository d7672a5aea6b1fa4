package store

import (
	"errors"
	"sync"
)

// ErrBusy means that another request continues the conversation.
var ErrBusy = errors.New("another request continues it")

// holds are the conversations that requests continue now. The zero value is empty.
type holds struct {
	mu  sync.Mutex
	ids map[string]bool
}

// Hold reserves a conversation for one request, until it calls release, which may be called
// again. Without it, the later of two answers would take the place of the earlier one. The
// error is ErrBusy.
func (h *holds) Hold(conversation string) (release func(), err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.ids[conversation] {
		return nil, ErrBusy
	}
	if h.ids == nil {
		h.ids = map[string]bool{}
	}
	h.ids[conversation] = true
	return sync.OnceFunc(func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		delete(h.ids, conversation)
	}), nil
}
