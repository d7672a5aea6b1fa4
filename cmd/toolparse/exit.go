package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/toolparse/toolparse/internal/near"
)

// The exit codes, which scripts rely on.
const (
	exitDone     = 0
	exitFailed   = 1 // input or output failed; for conform: a vector failed
	exitUsage    = 2
	exitNotClean = 3 // --strict, and a call was malformed, incomplete, invalid or of an undeclared tool
)

// exitCodes returns the section of a command's help about its exit codes.
func exitCodes(done, failed string) string {
	return fmt.Sprintf("\nExit codes:\n  0  %s\n  1  %s\n  2  the command line was wrong\n", done, failed)
}

// errReported ends a command that has already reported its failures on stderr.
var errReported = errors.New("already reported")

// errInterrupted ends a command whose context has ended.
var errInterrupted = errors.New("interrupted")

// usageError reports a wrong command line. Its text says what is wrong and what is
// allowed.
type usageError struct{ what string }

func (e *usageError) Error() string { return e.what }

func usagef(format string, args ...any) error {
	return &usageError{fmt.Sprintf(format, args...)}
}

// usageOf turns the error of a package about its options into a usageError, without the
// package's name.
func usageOf(pkg string, err error) error {
	return &usageError{strings.TrimPrefix(err.Error(), pkg+": ")}
}

// maxSuggestions bounds how many similar names a message suggests.
const maxSuggestions = 3

// maxKnown bounds how many names a message lists if none is similar.
const maxKnown = 24

// didYouMean returns the end of a message about an unknown name. It suggests similar
// names, or else lists all names if they are few.
func didYouMean(name string, known []string) string {
	if names := near.Names(name, known, maxSuggestions); len(names) > 0 {
		return "; did you mean " + strings.Join(names, " or ") + "?"
	}
	if len(known) > maxKnown {
		return ""
	}
	return "; want one of " + strings.Join(known, ", ")
}

// notCleanError reports what --strict found.
type notCleanError struct{ malformed, incomplete, misfits, unknown int }

func (e *notCleanError) Error() string {
	text := fmt.Sprintf("--strict: %d malformed, %d incomplete", e.malformed, e.incomplete)
	if e.misfits > 0 {
		text += fmt.Sprintf(", %d with arguments that break the schema", e.misfits)
	}
	if e.unknown > 0 {
		text += fmt.Sprintf(", %d of tools that are not declared", e.unknown)
	}
	return text
}

// exitCode reports the error with which cmd ended, and returns the exit code.
func (c *cli) exitCode(cmd *cobra.Command, err error) int {
	if err == nil {
		return exitDone
	}
	if out, ok := errors.AsType[*outputError](err); ok && out.closed() {
		return exitDone // the reader has seen enough
	}
	if errors.Is(err, errReported) {
		return exitFailed
	}
	if client, ok := errors.AsType[*clientExit](err); ok {
		return client.code // the client has reported why
	}
	if _, ok := errors.AsType[*usageError](err); ok {
		c.tell(cmd.CommandPath(), err.Error())
		fmt.Fprintf(c.stderr, "Run %q for usage.\n", cmd.CommandPath()+" --help")
		return exitUsage
	}
	c.warn("%v", err)
	if _, ok := errors.AsType[*notCleanError](err); ok {
		return exitNotClean
	}
	return exitFailed
}
