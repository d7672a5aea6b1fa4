package main

import (
	"errors"
	"io"
	"syscall"
)

// stdout is standard output. It keeps its first error, so that run notices it
// also where the writing code does not look, as that of help.
type stdout struct {
	w   io.Writer
	err error // an *outputError
}

func (s *stdout) Write(p []byte) (int, error) {
	if s.err != nil {
		return 0, s.err
	}
	n, err := s.w.Write(p)
	if err != nil {
		s.err = &outputError{err}
	}
	return n, s.err
}

// outputError is a failure of standard output.
type outputError struct{ err error }

func (e *outputError) Error() string { return "output: " + e.err.Error() }
func (e *outputError) Unwrap() error { return e.err }

// closed reports whether the failure is only that nobody reads any more.
func (e *outputError) closed() bool {
	return errors.Is(e.err, syscall.EPIPE) || errors.Is(e.err, io.ErrClosedPipe)
}
