//go:build js || wasip1 || plan9

package store

import (
	"errors"
	"time"

	"github.com/toolparse/toolparse/format/chat"
)

// errPlatform means that this platform has no store, because it cannot lock and map
// files.
var errPlatform = errors.New("store: not on this platform")

// Store is a file with conversations. It does not exist on this platform.
type Store struct{ holds }

// Open returns an error.
func Open(string, time.Duration, int64) (*Store, error) { return nil, errPlatform }

// The methods of a Store on other platforms. They are never called on this one.

func (*Store) Close() error                              { return nil }
func (*Store) Put(Turn, string) error                    { return errPlatform }
func (*Store) Turn(string) (Turn, error)                 { return Turn{}, errPlatform }
func (*Store) History(string) ([]chat.Message, error)    { return nil, errPlatform }
func (*Store) Delete(string) error                       { return errPlatform }
func (*Store) PutConversation(Conversation) error        { return errPlatform }
func (*Store) Conversation(string) (Conversation, error) { return Conversation{}, errPlatform }
func (*Store) DeleteConversation(string) error           { return errPlatform }
