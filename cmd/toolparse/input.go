package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
)

// inputFile is an open FILE operand.
type inputFile struct {
	*inspector
	io.Closer
}

// open opens a FILE operand. "-" is standard input; closing it does nothing.
func (c *cli) open(name string) (*inputFile, error) {
	if name == "-" {
		if isTerminal(c.stdin) {
			c.warn("reading standard input; end it with Ctrl-D")
		}
		return &inputFile{newInspector(c.stdin), io.NopCloser(nil)}, nil
	}
	f, err := c.openFile(name)
	if err != nil {
		return nil, withoutPath(err)
	}
	return &inputFile{newInspector(f), f}, nil
}

// openFile opens a file. An interrupt ends the wait for the writer of a named pipe.
func (c *cli) openFile(name string) (*os.File, error) {
	return unlessInterrupted(c.ctx, func() (*os.File, error) { return os.Open(name) })
}

// openAudit opens a file to which lines are appended. An interrupt ends the wait for the reader
// of a named pipe.
func openAudit(ctx context.Context, name string) (*os.File, error) {
	return unlessInterrupted(ctx, func() (*os.File, error) {
		return os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	})
}

// refuseInput fails if a file that is to be written is also an input, which writing would destroy.
func (c *cli) refuseInput(output string, inputs []string) error {
	out, err := os.Stat(output)
	if err != nil || !out.Mode().IsRegular() {
		return nil // there is nothing to destroy
	}
	for _, name := range inputs {
		stat := func() (os.FileInfo, error) { return os.Stat(name) }
		if f, ok := c.stdin.(*os.File); name == "-" && ok {
			stat = f.Stat
		}
		if in, err := stat(); err == nil && os.SameFile(in, out) {
			return fmt.Errorf("%s is also an input; name another file with -o", output)
		}
	}
	return nil
}

// eachInput reads one input after the other, and returns errReported if reading one failed.
// It reports the failure in the words of describe, and goes on with the next input unless
// the output has failed or the program is interrupted.
func (c *cli) eachInput(names []string, describe func(name string, err error) string, read func(name string) error) error {
	failed := false
	for _, name := range names {
		err := read(name)
		switch {
		case c.stdout.err != nil:
			return c.stdout.err
		case c.ctx.Err() != nil:
			return errInterrupted
		case err != nil:
			c.warn("%s", describe(name, err))
			failed = true
		}
	}
	if failed {
		return errReported
	}
	return nil
}

// maxBody bounds an input that is read as a whole, in bytes. Streams are not bounded.
const maxBody = 256 << 20

// readBody reads all of a FILE operand.
func (c *cli) readBody(name string) ([]byte, error) {
	in, err := c.open(name)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	body, err := io.ReadAll(io.LimitReader(newSource(c.ctx, in, nil), maxBody+1))
	if err == nil && len(body) > maxBody {
		err = fmt.Errorf("longer than %d MiB", maxBody>>20)
	}
	return body, err
}

// readFile is readBody with the name of the file in its errors.
func (c *cli) readFile(name string) ([]byte, error) {
	body, err := c.readBody(name)
	if err != nil {
		err = fmt.Errorf("%s: %w", showName(name), err)
	}
	return body, err
}

// unlessInterrupted returns what get returns, or errInterrupted if the context ends before.
// get then goes on in its goroutine.
func unlessInterrupted[T any](ctx context.Context, get func() (T, error)) (value T, err error) {
	type result struct {
		value T
		err   error
	}
	done := make(chan result, 1)
	go func() {
		value, err := get()
		done <- result{value, err}
	}()
	select {
	case <-ctx.Done():
		return value, errInterrupted
	case got := <-done:
		return got.value, got.err
	}
}

// source reads an input for a stream.
//
// It flushes the output before every read, so that everything known from the bytes so
// far is written before it waits for more. A read ends as soon as ctx does, even if it
// blocks: the blocked read stays in its goroutine, with a buffer of its own, until the
// process ends. A regular file does not block, so that it needs neither.
type source struct {
	ctx   context.Context
	r     io.Reader
	flush func() error // may be nil
	waits bool         // a read may block
	most  int          // bytes of one read; 0 means no limit

	buf    []byte
	offset int64 // offset of the next byte
}

func newSource(ctx context.Context, r io.Reader, flush func() error) *source {
	return &source{ctx: ctx, r: r, flush: flush, waits: !isRegular(r)}
}

// Read implements [io.Reader]. Errors other than io.EOF and errInterrupted are *readError.
func (s *source) Read(p []byte) (int, error) {
	if s.flush != nil {
		if err := s.flush(); err != nil {
			return 0, &readError{s.offset, err}
		}
	}
	if s.ctx.Err() != nil {
		return 0, errInterrupted
	}
	if s.most > 0 {
		p = p[:min(len(p), s.most)]
	}
	if !s.waits {
		n, err := s.r.Read(p)
		return n, s.count(n, err)
	}
	if len(s.buf) < len(p) {
		s.buf = make([]byte, len(p))
	}
	buf := s.buf[:len(p)]
	n, err := unlessInterrupted(s.ctx, func() (int, error) { return s.r.Read(buf) })
	return copy(p, buf[:n]), s.count(n, err)
}

// count adds n bytes to the offset, and puts it into an error.
func (s *source) count(n int, err error) error {
	s.offset += int64(n)
	if err != nil && err != io.EOF && err != errInterrupted {
		return &readError{s.offset, withoutPath(err)}
	}
	return err
}

func isRegular(r io.Reader) bool {
	f, ok := r.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode().IsRegular()
}

// readError reports that reading an input failed.
type readError struct {
	offset int64 // offset in bytes
	err    error
}

func (e *readError) Error() string {
	if e.offset == 0 { // it could not be read at all
		return e.err.Error()
	}
	return fmt.Sprintf("byte %d: %v", e.offset, e.err)
}

func (e *readError) Unwrap() error { return e.err }

// withoutPath removes the file's name from an error, because the caller prints it.
func withoutPath(err error) error {
	if wrapped, ok := errors.AsType[*os.PathError](err); ok {
		return wrapped.Err
	}
	return err
}
