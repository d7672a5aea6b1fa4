//go:build !unix

// Package procgroup ends a command together with all processes that it started. On
// systems without process groups, it ends only the command.
package procgroup

import (
	"errors"
	"os/exec"
)

// Own does nothing.
func Own(*exec.Cmd) {}

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
