//go:build !js && !wasip1 && !plan9

package store

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"go.etcd.io/bbolt"
	bbolterrors "go.etcd.io/bbolt/errors"

	"github.com/toolparse/toolparse/format/chat"
)

// Store is a file with conversations. It is safe for concurrent use. Only one process at
// a time can open the file.
type Store struct {
	holds

	db  *bbolt.DB
	now func() time.Time

	ttl      time.Duration // since the last use of a thread
	maxBytes int64         // total size
}

// The buckets.
var (
	turnsBucket   = []byte("turns")   // Turns by id
	threadsBucket = []byte("threads") // threads by id
	membersBucket = []byte("members") // keys: the id of a thread, 0, the id of a turn
	usedBucket    = []byte("used")    // keys: the time when a thread was last used, and its id
	totalBucket   = []byte("total")   // one number: the total size of all threads in bytes
)

// lockWait is how long Open waits for another process to close the file.
const lockWait = 2 * time.Second

// Open opens a file, or creates it with access for its owner only.
func Open(path string, ttl time.Duration, maxBytes int64) (*Store, error) {
	db, err := bbolt.Open(path, 0o600, &bbolt.Options{Timeout: lockWait})
	switch {
	case errors.Is(err, bbolterrors.ErrTimeout):
		return nil, fmt.Errorf("store %s: another program has it open; end that, or name another file: %w", path, err)
	case errors.Is(err, bbolterrors.ErrInvalid), errors.Is(err, bbolterrors.ErrChecksum), errors.Is(err, bbolterrors.ErrVersionMismatch):
		return nil, fmt.Errorf("store %s: it is not a store, or is damaged; move it away, or name another file: %w", path, err)
	case err != nil:
		return nil, fmt.Errorf("store %s: %w", path, err)
	}
	s := &Store{db: db, now: time.Now, ttl: ttl, maxBytes: maxBytes}
	err = db.Update(func(tx *bbolt.Tx) error {
		for _, name := range [][]byte{turnsBucket, threadsBucket, membersBucket, usedBucket, totalBucket} {
			if _, err := tx.CreateBucketIfNotExists(name); err != nil {
				return err
			}
		}
		return s.forget(tx, "")
	})
	if err != nil {
		db.Close()
		return nil, fmt.Errorf("store %s: %w", path, err)
	}
	return s, nil
}

// Close closes the file.
func (s *Store) Close() error { return s.db.Close() }

// Put stores a turn: in the conversation, if one is named, or else in the thread of the
// turn that it follows, or else in a new thread.
func (s *Store) Put(t Turn, conversation string) error {
	return s.db.Update(func(tx *bbolt.Tx) error {
		id := cmp.Or(conversation, t.ID)
		if conversation == "" && t.Previous != "" {
			previous, err := s.turn(tx, t.Previous)
			if err != nil {
				return err
			}
			id = previous.Thread
		}
		th, err := s.thread(tx, id)
		switch {
		case err != nil && (conversation != "" || id != t.ID):
			return err
		case err != nil:
			th = thread{}
		}
		t.Thread = id
		if th.Conversation != nil {
			th.Conversation.Last = t.ID
		}
		value, err := json.Marshal(t)
		if err != nil {
			return err
		}
		if int64(len(value))+th.Bytes > s.maxBytes {
			return ErrTooLarge
		}
		if err := tx.Bucket(turnsBucket).Put([]byte(t.ID), value); err != nil {
			return err
		}
		if err := tx.Bucket(membersBucket).Put(member(id, t.ID), nil); err != nil {
			return err
		}
		if err := s.touch(tx, id, th, int64(len(value))); err != nil {
			return err
		}
		return s.forget(tx, id)
	})
}

// Turn returns a turn. It counts as a use of the turn's thread.
func (s *Store) Turn(id string) (t Turn, err error) {
	err = s.db.Update(func(tx *bbolt.Tx) error {
		t, err = s.turn(tx, id)
		return err
	})
	return t, err
}

// History returns the messages up to and including a turn; none for "". It counts as a use.
func (s *Store) History(id string) (messages []chat.Message, err error) {
	var turns []Turn
	err = s.db.Update(func(tx *bbolt.Tx) error {
		for id != "" {
			t, err := s.turn(tx, id)
			if err != nil {
				return err
			}
			turns = append(turns, t)
			id = t.Previous
		}
		return nil
	})
	for _, t := range slices.Backward(turns) {
		messages = append(messages, t.Messages()...)
	}
	return messages, err
}

// Delete deletes a turn. The turns after it can no longer be continued. If it is the last of
// a conversation, the one before becomes the last.
func (s *Store) Delete(id string) error {
	return s.db.Update(func(tx *bbolt.Tx) error {
		t, err := s.turn(tx, id)
		if err != nil {
			return err
		}
		th, err := s.thread(tx, t.Thread)
		if err != nil {
			return err
		}
		if th.Conversation != nil && th.Conversation.Last == id {
			th.Conversation.Last = t.Previous
		}
		size := len(tx.Bucket(turnsBucket).Get([]byte(id)))
		if err := tx.Bucket(turnsBucket).Delete([]byte(id)); err != nil {
			return err
		}
		if err := tx.Bucket(membersBucket).Delete(member(t.Thread, id)); err != nil {
			return err
		}
		return s.touch(tx, t.Thread, th, -int64(size))
	})
}

// PutConversation stores a new conversation.
func (s *Store) PutConversation(c Conversation) error {
	return s.db.Update(func(tx *bbolt.Tx) error {
		if int64(len(c.Metadata)) > s.maxBytes {
			return ErrTooLarge
		}
		if err := s.touch(tx, c.ID, thread{Conversation: &c}, int64(len(c.Metadata))); err != nil {
			return err
		}
		return s.forget(tx, c.ID)
	})
}

// Conversation returns a conversation. It counts as a use.
func (s *Store) Conversation(id string) (c Conversation, err error) {
	err = s.db.Update(func(tx *bbolt.Tx) error {
		th, err := s.thread(tx, id)
		if err != nil {
			return err
		}
		if th.Conversation == nil {
			return ErrNotFound
		}
		c = *th.Conversation
		return s.touch(tx, id, th, 0)
	})
	return c, err
}

// DeleteConversation deletes a conversation with its turns.
func (s *Store) DeleteConversation(id string) error {
	return s.db.Update(func(tx *bbolt.Tx) error {
		th, err := s.thread(tx, id)
		if err == nil && th.Conversation == nil {
			err = ErrNotFound
		}
		if err != nil {
			return err
		}
		return s.drop(tx, id, th)
	})
}

// turn reads a turn, and records the use of its thread.
func (s *Store) turn(tx *bbolt.Tx, id string) (t Turn, err error) {
	value := tx.Bucket(turnsBucket).Get([]byte(id))
	if value == nil {
		return t, ErrNotFound
	}
	if err := json.Unmarshal(value, &t); err != nil {
		return t, err
	}
	th, err := s.thread(tx, t.Thread)
	if err != nil {
		return t, err
	}
	return t, s.touch(tx, t.Thread, th, 0)
}

// thread reads a thread that has not expired.
func (s *Store) thread(tx *bbolt.Tx, id string) (th thread, err error) {
	value := tx.Bucket(threadsBucket).Get([]byte(id))
	if value == nil {
		return th, ErrNotFound
	}
	if err := json.Unmarshal(value, &th); err != nil {
		return th, err
	}
	if th.Used < s.now().Add(-s.ttl).Unix() {
		return th, ErrNotFound
	}
	return th, nil
}

// touch records that a thread is used now, and has grown.
func (s *Store) touch(tx *bbolt.Tx, id string, th thread, grown int64) error {
	now := s.now().Unix()
	if th.Used == now && grown == 0 {
		return nil
	}
	if th.Used != 0 {
		if err := tx.Bucket(usedBucket).Delete(use(th.Used, id)); err != nil {
			return err
		}
	}
	th.Used, th.Bytes = now, th.Bytes+grown
	value, err := json.Marshal(th)
	if err != nil {
		return err
	}
	if err := tx.Bucket(threadsBucket).Put([]byte(id), value); err != nil {
		return err
	}
	if err := tx.Bucket(usedBucket).Put(use(now, id), nil); err != nil {
		return err
	}
	return addTotal(tx, grown)
}

// forget deletes the threads that have expired and, while the file is too large, those
// that have been unused for the longest time, except keep.
func (s *Store) forget(tx *bbolt.Tx, keep string) error {
	expired := s.now().Add(-s.ttl).Unix()
	for {
		key, _ := tx.Bucket(usedBucket).Cursor().First()
		if key == nil {
			return nil
		}
		used, id := int64(binary.BigEndian.Uint64(key)), string(key[8:])
		if used >= expired && (total(tx) <= s.maxBytes || id == keep) {
			return nil
		}
		var th thread
		if err := json.Unmarshal(tx.Bucket(threadsBucket).Get([]byte(id)), &th); err != nil {
			return err
		}
		if err := s.drop(tx, id, th); err != nil {
			return err
		}
	}
}

// drop deletes a thread with its turns.
func (s *Store) drop(tx *bbolt.Tx, id string, th thread) error {
	prefix := member(id, "")
	members := tx.Bucket(membersBucket).Cursor()
	for key, _ := members.Seek(prefix); bytes.HasPrefix(key, prefix); key, _ = members.Seek(prefix) {
		if err := tx.Bucket(turnsBucket).Delete(bytes.Clone(key[len(prefix):])); err != nil {
			return err
		}
		if err := members.Delete(); err != nil {
			return err
		}
	}
	if err := tx.Bucket(threadsBucket).Delete([]byte(id)); err != nil {
		return err
	}
	if err := tx.Bucket(usedBucket).Delete(use(th.Used, id)); err != nil {
		return err
	}
	return addTotal(tx, -th.Bytes)
}

func member(thread, turn string) []byte { return []byte(thread + "\x00" + turn) }

func use(when int64, thread string) []byte {
	return append(binary.BigEndian.AppendUint64(nil, uint64(when)), thread...)
}

func total(tx *bbolt.Tx) int64 {
	if value := tx.Bucket(totalBucket).Get(totalBucket); len(value) == 8 {
		return int64(binary.BigEndian.Uint64(value))
	}
	return 0
}

func addTotal(tx *bbolt.Tx, n int64) error {
	if n == 0 {
		return nil
	}
	return tx.Bucket(totalBucket).Put(totalBucket, binary.BigEndian.AppendUint64(nil, uint64(total(tx)+n)))
}
