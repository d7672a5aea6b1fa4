//go:build unix

// Package procgroup ends a command together with all processes that it started. On
// systems without process groups, it ends only the command.
package procgroup

import (
	"fmt"
	"maps"
	"os/exec"
	"slices"
	"strings"
	"syscall"
)

// Own makes a command start in a process group of its own. Call it before Start. An
// interrupt from the terminal does not reach the group. If the command has a context,
// its end kills the whole group.
func Own(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if cmd.Cancel != nil {
		cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	}
}

// Kill kills the processes of a started command's group, even if the command itself has
// ended. There may be none left.
func Kill(cmd *exec.Cmd) {
	if cmd.Process != nil {
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
	}
}

var signals = map[string]syscall.Signal{
	"term": syscall.SIGTERM, "kill": syscall.SIGKILL, "int": syscall.SIGINT, "hup": syscall.SIGHUP, "usr1": syscall.SIGUSR1, "usr2": syscall.SIGUSR2,
}

// Signal sends a signal (term, kill, int, hup, usr1 or usr2) to the processes of a started
// command's group.
func Signal(cmd *exec.Cmd, name string) error {
	number, known := signals[name]
	if !known {
		return fmt.Errorf("unknown signal %q; there are %s", name, strings.Join(slices.Sorted(maps.Keys(signals)), ", "))
	}
	return syscall.Kill(-cmd.Process.Pid, number)
}
