// Package store keeps conversations for a gateway in one file: the turns of answers that
// a client may go on from by their id.
//
// Answers that follow each other, and all that branches off from them, are a thread. A
// thread is used when an answer is added or read, and forgotten whole: when nobody has
// used it for the time to live, or, the one unused for longest first, when the file holds
// more than it may.
package store

import (
	"encoding/json"
	"errors"
	"slices"
	"time"

	"github.com/toolparse/toolparse/format/chat"
)

// Options bound what is kept.
type Options struct {
	TTL      time.Duration // since a thread was last used; 30 days where it is 0
	MaxBytes int64         // of all that is kept; 1 GiB where it is 0
}

// The errors of a Store, for [errors.Is].
var (
	ErrNotFound = errors.New("not found: it was never kept, was deleted, or has expired")
	ErrTooLarge = errors.New("the conversation is larger than all that may be kept")
)

// Turn is an answer, with what was asked.
type Turn struct {
	ID       string          `json:"id"`
	Previous string          `json:"previous,omitempty"` // the turn that it follows
	Thread   string          `json:"thread"`             // set by Put
	Input    []chat.Message  `json:"input,omitempty"`    // what was new in the request
	Output   *chat.Message   `json:"output,omitempty"`
	Body     json.RawMessage `json:"body,omitempty"` // of the answer, as its client got it
}

// Messages are those of the turn: what was new in the request, and the answer.
func (t *Turn) Messages() []chat.Message {
	if t.Output == nil {
		return t.Input
	}
	return append(slices.Clip(t.Input), *t.Output)
}

// Conversation is a thread that clients name, so that each answer follows the last.
type Conversation struct {
	ID       string          `json:"id"`
	Created  int64           `json:"created"` // seconds since 1970
	Metadata json.RawMessage `json:"metadata,omitempty"`
	Last     string          `json:"last,omitempty"` // the last turn
}

// thread is what is known of one.
type thread struct {
	Used         int64         `json:"used"` // seconds since 1970
	Bytes        int64         `json:"bytes"`
	Conversation *Conversation `json:"conversation,omitempty"`
}
