// Package store keeps conversations of a gateway in one file: the answers that clients
// can continue by id.
//
// Answers that follow one another, with all branches, form a thread. Adding or reading an
// answer uses its thread. The store deletes whole threads: those that were not used
// within the time to live and, if the file exceeds its maximum size, those that have been
// unused for the longest time.
package store

import (
	"encoding/json"
	"errors"
	"slices"

	"github.com/toolparse/toolparse/format/chat"
)

// Errors of a Store, for [errors.Is].
var (
	ErrNotFound = errors.New("not found: it was never kept, was deleted, or has expired")
	ErrTooLarge = errors.New("the conversation is larger than all that may be kept")
)

// Turn is an answer with its request.
type Turn struct {
	ID       string          `json:"id"`
	Previous string          `json:"previous,omitempty"` // the turn before
	Thread   string          `json:"thread"`             // set by Put
	Input    []chat.Message  `json:"input,omitempty"`    // new messages in the request
	Output   *chat.Message   `json:"output,omitempty"`
	Body     json.RawMessage `json:"body,omitempty"` // the answer as the client got it
}

// Messages returns the messages of the turn: the new ones in the request, and the answer.
func (t *Turn) Messages() []chat.Message {
	if t.Output == nil {
		return t.Input
	}
	return append(slices.Clip(t.Input), *t.Output)
}

// Conversation is a thread with a name for clients, in which each answer follows the last
// one.
type Conversation struct {
	ID       string          `json:"id"`
	Created  int64           `json:"created"` // seconds since 1970
	Metadata json.RawMessage `json:"metadata,omitempty"`
	Last     string          `json:"last,omitempty"` // the last turn
}

// thread is what is stored about a thread.
type thread struct {
	Used         int64         `json:"used"` // seconds since 1970
	Bytes        int64         `json:"bytes"`
	Conversation *Conversation `json:"conversation,omitempty"`
}
