// Command toolparse reads the tool calls of any language model, converts between
// providers, and runs agents and gateways. See toolparse help.
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
	// Catching SIGPIPE makes a closed output pipe an error of the write instead of the
	// end of the process. Unlike Ignore, Notify is not inherited by children.
	signal.Notify(make(chan os.Signal, 1), sigpipe)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	context.AfterFunc(ctx, stop) // a second interrupt ends the process at once
	os.Exit(run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr, os.Getenv))
}

// run is the whole program, and returns the exit code. It writes data to stdout and
// messages to stderr. Canceling ctx interrupts it, even in a read of stdin that never
// returns.
func run(ctx context.Context, args []string, stdin io.Reader, out, stderr io.Writer, getenv func(string) string) int {
	c := &cli{ctx: ctx, stdin: stdin, stdout: &stdout{w: out}, stderr: terminal{stderr}, getenv: getenv}
	root := c.rootCommand()
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetErr(c.stderr)
	cmd, err := root.ExecuteContextC(ctx)
	if c.stdout.err != nil {
		err = c.stdout.err
	}
	return c.exitCode(cmd, err)
}

// cli holds what every command uses.
type cli struct {
	ctx    context.Context // ends when the program is interrupted
	stdin  io.Reader
	stdout *stdout
	stderr terminal
	getenv func(string) string

	allLosses bool // a flag; see tellLosses
}
