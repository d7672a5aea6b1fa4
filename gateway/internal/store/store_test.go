package store

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.etcd.io/bbolt"

	"github.com/toolparse/toolparse/format/chat"
)

const (
	month = 30 * 24 * time.Hour
	gib   = 1 << 30
)

// openTest opens a store whose clock the test sets.
func openTest(t *testing.T, ttl time.Duration, maxBytes int64) (*Store, *time.Time) {
	t.Helper()
	s, err := Open(filepath.Join(t.TempDir(), "store.db"), ttl, maxBytes)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	now := time.Unix(1_000_000, 0)
	s.now = func() time.Time { return now }
	return s, &now
}

func text(role chat.Role, words string) chat.Message {
	return chat.Message{Role: role, Parts: []chat.Part{chat.TextPart(words)}}
}

// turn returns a turn with a question and an answer.
func turn(id, previous, words string) Turn {
	said := text(chat.Assistant, "re "+words)
	return Turn{ID: id, Previous: previous, Input: []chat.Message{text(chat.User, words)}, Output: &said, Body: []byte(`{"id":"` + id + `"}`)}
}

func put(t *testing.T, s *Store, one Turn, conversation string) {
	t.Helper()
	if err := s.Put(one, conversation); err != nil {
		t.Fatalf("%s: %v", one.ID, err)
	}
}

// words returns the words of a history.
func words(t *testing.T, s *Store, id string) string {
	t.Helper()
	messages, err := s.History(id)
	if err != nil {
		t.Fatalf("%s: %v", id, err)
	}
	var list []string
	for _, m := range messages {
		list = append(list, m.Parts[0].Text)
	}
	return strings.Join(list, ", ")
}

func TestHistory(t *testing.T) {
	s, _ := openTest(t, month, gib)
	put(t, s, turn("a", "", "one"), "")
	put(t, s, turn("b", "a", "two"), "")
	put(t, s, turn("c", "a", "other"), "") // a branch
	for id, want := range map[string]string{"a": "one, re one", "b": "one, re one, two, re two", "c": "one, re one, other, re other"} {
		if got := words(t, s, id); got != want {
			t.Errorf("%s: %q, want %q", id, got, want)
		}
	}
	got, err := s.Turn("b")
	want := turn("b", "a", "two")
	want.Thread = "a"
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	if err := s.Put(turn("d", "none", "x"), ""); !errors.Is(err, ErrNotFound) {
		t.Errorf("a turn that follows none: %v", err)
	}
	if err := s.Delete("a"); err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{"a", "b"} {
		if _, err := s.History(id); !errors.Is(err, ErrNotFound) {
			t.Errorf("%s after a was deleted: %v", id, err)
		}
	}
	if err := s.Delete("a"); !errors.Is(err, ErrNotFound) {
		t.Errorf("deleted twice: %v", err)
	}
}

func TestConversation(t *testing.T) {
	s, _ := openTest(t, month, gib)
	if err := s.PutConversation(Conversation{ID: "conv", Created: 7, Metadata: []byte(`{"a":"b"}`)}); err != nil {
		t.Fatal(err)
	}
	put(t, s, turn("a", "", "one"), "conv")
	put(t, s, turn("b", "a", "two"), "conv")
	c, err := s.Conversation("conv")
	if diff := cmp.Diff(Conversation{ID: "conv", Created: 7, Metadata: []byte(`{"a":"b"}`), Last: "b"}, c); err != nil || diff != "" {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	if got := words(t, s, c.Last); got != "one, re one, two, re two" {
		t.Errorf("%q", got)
	}
	for _, step := range []struct{ delete, last, words string }{{"b", "a", "one, re one"}, {"a", "", ""}} {
		if err := s.Delete(step.delete); err != nil {
			t.Fatal(err)
		}
		if c, err = s.Conversation("conv"); err != nil || c.Last != step.last || words(t, s, c.Last) != step.words {
			t.Errorf("without %s: last %q, %q, %v", step.delete, c.Last, words(t, s, c.Last), err)
		}
	}
	put(t, s, turn("b", "", "two"), "conv")
	if err := s.Put(turn("c", "", "x"), "none"); !errors.Is(err, ErrNotFound) {
		t.Errorf("in no conversation: %v", err)
	}
	if err := s.DeleteConversation("conv"); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Turn("b"); !errors.Is(err, ErrNotFound) {
		t.Errorf("a turn of a deleted conversation: %v", err)
	}
	if _, err := s.Conversation("conv"); !errors.Is(err, ErrNotFound) {
		t.Errorf("a deleted conversation: %v", err)
	}
}

// TestExpiry: a thread expires as a whole, some time after its last use.
func TestExpiry(t *testing.T) {
	s, now := openTest(t, time.Hour, gib)
	put(t, s, turn("a", "", "one"), "")
	put(t, s, turn("x", "", "never again"), "")
	for range 5 {
		*now = now.Add(50 * time.Minute)
		if _, err := s.Turn("a"); err != nil {
			t.Fatal(err)
		}
	}
	put(t, s, turn("b", "a", "two"), "")
	if got := words(t, s, "b"); !strings.HasPrefix(got, "one") {
		t.Errorf("%q", got)
	}
	*now = now.Add(2 * time.Hour)
	for _, id := range []string{"a", "b", "x"} {
		if _, err := s.Turn(id); !errors.Is(err, ErrNotFound) {
			t.Errorf("%s has not expired: %v", id, err)
		}
	}
	put(t, s, turn("c", "", "new"), "") // what has expired is deleted from the file
	err := s.db.View(func(tx *bbolt.Tx) error {
		if n := tx.Bucket(turnsBucket).Stats().KeyN; n != 1 {
			return fmt.Errorf("%d turns are left", n)
		}
		if n := tx.Bucket(membersBucket).Stats().KeyN; n != 1 {
			return fmt.Errorf("%d members are left", n)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

// TestSize: the threads that have been unused for the longest time are deleted first, and
// a turn that is too large is rejected.
func TestSize(t *testing.T) {
	const most = 5000
	s, now := openTest(t, month, most)
	for i := range 20 {
		*now = now.Add(time.Second)
		put(t, s, turn(fmt.Sprint("t", i), "", strings.Repeat("word ", 100)), "")
		if i > 0 {
			if _, err := s.Turn("t0"); err != nil {
				t.Fatalf("what is in use is forgotten: %v", err)
			}
		}
	}
	if _, err := s.Turn("t5"); !errors.Is(err, ErrNotFound) {
		t.Errorf("t5 is still there: %v", err)
	}
	if _, err := s.Turn("t19"); err != nil {
		t.Error(err)
	}
	err := s.db.View(func(tx *bbolt.Tx) error {
		if n := total(tx); n > most || n < most/4 {
			return fmt.Errorf("%d bytes are kept", n)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
	if err := s.Put(turn("big", "", strings.Repeat("x", most)), ""); !errors.Is(err, ErrTooLarge) {
		t.Errorf("%v", err)
	}
}

// TestReopen: what was stored survives the process, and a file that another process has
// open is rejected.
func TestReopen(t *testing.T) {
	path := filepath.Join(t.TempDir(), "store.db")
	s, err := Open(path, month, gib)
	if err != nil {
		t.Fatal(err)
	}
	put(t, s, turn("a", "", "one"), "")
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if s, err = Open(path, month, gib); err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if got := words(t, s, "a"); got != "one, re one" {
		t.Errorf("%q", got)
	}
	if _, err := Open(filepath.Dir(path), month, gib); err == nil {
		t.Error("a folder is opened")
	}
}
