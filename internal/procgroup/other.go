//go:build !unix

// Package procgroup runs a command so that all processes that it starts end with it, and
// with this program. On systems without process groups, only the command ends, and not if
// this program is killed.
package procgroup

import (
	"errors"
	"os/exec"
)

// Start starts a command. wait waits for its end, and must be called.
func Start(cmd *exec.Cmd) (wait func() error, err error) { return cmd.Wait, cmd.Start() }

// Run starts a command and waits for its end.
func Run(cmd *exec.Cmd) error { return cmd.Run() }

// Kill kills the command, but not the processes that it started.
func Kill(cmd *exec.Cmd) {
	if cmd.Process != nil {
		_ = cmd.Process.Kill() // it may have ended
	}
}

// Signal ends the command for term and kill, and fails with [errors.ErrUnsupported] for
// any other signal.
func Signal(cmd *exec.Cmd, name string) error {
	if name != "term" && name != "kill" {
		return errors.ErrUnsupported
	}
	return cmd.Process.Kill()
}
