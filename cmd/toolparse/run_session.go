package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"github.com/gofrs/flock"

	"github.com/toolparse/toolparse/agent"
	"github.com/toolparse/toolparse/internal/atomicfile"
)

// sessionFile is the file of --session. Without a file, the session is new and not stored.
type sessionFile struct {
	path    string
	session *agent.Session
	lock    *flock.Flock
	called  int // the last turn of which a call was stored
}

// maxSession limits the size of a session's file, in bytes. One of a long run has some megabytes.
const maxSession = 256 << 20

// openSession reads the session of a file, or begins a new one if the file is missing. No
// other process can open it until close.
func openSession(path string) (*sessionFile, error) {
	s := &sessionFile{path: path, session: agent.NewSession()}
	if path == "" {
		return s, nil
	}
	if err := s.hold(); err != nil {
		return nil, err
	}
	text, err := atomicfile.Read(path, maxSession)
	if errors.Is(err, fs.ErrNotExist) {
		return s, nil
	}
	if err == nil {
		err = json.Unmarshal(text, s.session)
	}
	if err != nil {
		s.close()
		return nil, fmt.Errorf("the session %s cannot be read: %w", path, err)
	}
	return s, nil
}

// lockPatience is how long a process waits for the lock of another one. A process that was
// killed while it started a command leaves its lock to that child until the command begins.
const lockPatience = time.Second

// hold locks the session. The lock has a file of its own, because each write replaces the
// session's file.
func (s *sessionFile) hold() error {
	ctx, cancel := context.WithTimeout(context.Background(), lockPatience)
	defer cancel()
	for {
		lock := flock.New(s.path + ".lock")
		_, err := lock.TryLockContext(ctx, lockPatience/20)
		if errors.Is(err, context.DeadlineExceeded) {
			return fmt.Errorf("the session %s is in use by another process; wait until that ends, or name another file", s.path)
		}
		if err != nil {
			return fmt.Errorf("the session %s cannot be locked: %w", s.path, err)
		}
		lockInfo, lockErr := lock.Stat()
		there, err := os.Stat(lock.Path())
		if lockErr == nil && err == nil && os.SameFile(lockInfo, there) {
			s.lock = lock
			return nil
		}
		lock.Close() // the last process has removed it in the meantime
	}
}

// close lets others open the session.
func (s *sessionFile) close() {
	if s.lock != nil {
		os.Remove(s.lock.Path())
		s.lock.Close()
	}
}

// keep stores the session after an event, unless a process that continues from the file
// would come to the same again: to the model's text, and to the calls that are refused
// without a decision. So one answer costs a bounded number of writes.
func (s *sessionFile) keep(e agent.Event) error {
	if s.path == "" {
		return nil
	}
	switch e.Type {
	case agent.Segment, agent.CallProgress, agent.Notice:
		return nil
	case agent.CallQueue:
		if s.called == s.session.Total {
			return nil
		}
		s.called = s.session.Total
	case agent.CallResult:
		if !e.Result.Ran && e.Decision == (agent.Decision{}) {
			return nil
		}
	}
	text, err := json.Marshal(s.session)
	if err != nil {
		return err
	}
	return atomicfile.Write(s.path, text)
}
