package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"syscall"

	"github.com/toolparse/toolparse/internal/printable"
	"golang.org/x/term"
)

// terminal is standard error. It escapes control characters in whatever is written to
// it (names of files and tools, a provider's messages, markup), so that none of that can
// control the terminal; see package printable.
type terminal struct{ w io.Writer }

// Write implements [io.Writer].
func (t terminal) Write(b []byte) (int, error) {
	if _, err := io.WriteString(t.w, printable.Lines(string(b))); err != nil {
		return 0, err
	}
	return len(b), nil
}

// isTerminal reports whether a standard stream is a terminal.
func isTerminal(stream any) bool {
	f, ok := stream.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// warn prints a message on one line of stderr.
func (c *cli) warn(format string, args ...any) { c.tell("toolparse", fmt.Sprintf(format, args...)) }

// tell prints one line on stderr, after the name of its author.
func (c *cli) tell(who, line string) {
	fmt.Fprintf(c.stderr, "%s: %s\n", who, printable.Text(line))
}

// showName returns the name of a FILE operand for messages.
func showName(file string) string {
	if file == "-" {
		return "stdin"
	}
	return file
}

// stdout is standard output. It keeps its first error, so that run notices it even if
// the writing code ignores it, as that of help does.
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

// closed reports whether the output failed only because its reader has closed it.
func (e *outputError) closed() bool {
	return errors.Is(e.err, syscall.EPIPE) || errors.Is(e.err, io.ErrClosedPipe)
}
