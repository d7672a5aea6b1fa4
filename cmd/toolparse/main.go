// Command toolparse turns the way any language model writes tool calls into
// one stream of segment events and tool invocations. See toolparse help.
package main

import (
	"context"
	"io"
	"os"
	"os/signal"
	"syscall"
)

// sigpipe is SIGPIPE, for which package syscall has no name on js/wasm.
const sigpipe = syscall.Signal(13)

func main() {
	// A closed output pipe then is an error of a write, not the end of the
	// process; Notify, unlike Ignore, is not inherited by children.
	signal.Notify(make(chan os.Signal, 1), sigpipe)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	context.AfterFunc(ctx, stop) // a second interrupt ends the process at once
	os.Exit(run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr, os.Getenv))
}

// run is the whole program; it returns the exit code. Data goes to stdout and
// talk to stderr. Canceling ctx interrupts it, also in a read of stdin that
// never returns.
func run(ctx context.Context, args []string, stdin io.Reader, out, stderr io.Writer, getenv func(string) string) int {
	c := &cli{stdin: stdin, stdout: &stdout{w: out}, stderr: terminal{stderr}, getenv: getenv}
	root := c.rootCommand()
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(c.stdout)
	root.SetErr(c.stderr)
	cmd, err := root.ExecuteContextC(ctx)
	if c.stdout.err != nil {
		err = c.stdout.err
	}
	return c.exitCode(cmd, err)
}

// cli is what every command has at hand.
type cli struct {
	stdin  io.Reader
	stdout *stdout
	stderr terminal
	getenv func(string) string

	allLosses bool // a flag; see tellLosses
}
