package main

import (
	"fmt"
	"io"

	"github.com/toolparse/toolparse/internal/printable"
)

// terminal is standard error. Whatever is written to it, names of files and
// tools, a provider's words, markup, cannot rule the terminal that shows it: see
// package printable.
type terminal struct{ w io.Writer }

// Write implements [io.Writer].
func (t terminal) Write(b []byte) (int, error) {
	if _, err := io.WriteString(t.w, printable.Lines(string(b))); err != nil {
		return 0, err
	}
	return len(b), nil
}

// warn prints a message on stderr, on one line.
func (c *cli) warn(format string, args ...any) { c.tell("toolparse", fmt.Sprintf(format, args...)) }

// tell prints one line on stderr, of someone.
func (c *cli) tell(who, line string) {
	fmt.Fprintf(c.stderr, "%s: %s\n", who, printable.Text(line))
}

// showName is how a FILE is called in messages.
func showName(file string) string {
	if file == "-" {
		return "stdin"
	}
	return file
}
