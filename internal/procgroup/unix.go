//go:build unix

// Package procgroup runs a command so that all processes that it starts end with it, and
// with this program. On systems without process groups, only the command ends, and not if
// this program is killed.
package procgroup

import (
	"fmt"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"syscall"
)

// Start starts a command in a process group of its own, which an interrupt from the
// terminal does not reach. The end of the command's context kills the whole group. wait
// waits for the end of the command, kills the rest of its group, and must be called.
//
// If this program ends before wait returns, even by SIGKILL, a watcher ends the group.
// Linux could do the same with Pdeathsig, but only for the command itself, not for what it
// has started, and only as long as the thread that started it lives.
func Start(cmd *exec.Cmd) (wait func() error, err error) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if cmd.Cancel != nil {
		cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	dismiss := watch(cmd.Process.Pid)
	return func() error {
		err := cmd.Wait()
		Kill(cmd)
		dismiss()
		return err
	}, nil
}

// watchScript waits for a line. If its input ends before, because the program that would
// write it has died, it ends the process group $1.
const watchScript = `read -r line || { kill -s TERM -- "-$1"; sleep 1; kill -s KILL -- "-$1"; }`

// watch starts the watcher of a process group. Without a shell, nothing watches.
func watch(group int) (dismiss func()) {
	in, alive, err := os.Pipe()
	if err != nil {
		return func() {}
	}
	watcher := exec.Command("sh", "-c", watchScript, "sh", strconv.Itoa(group))
	watcher.Stdin, watcher.Dir = in, "/"
	watcher.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	err = watcher.Start()
	in.Close()
	if err != nil {
		alive.Close()
		return func() {}
	}
	return func() {
		_, _ = alive.WriteString("\n") // if the watcher has gone, there is nobody to dismiss
		alive.Close()
		_ = watcher.Wait()
	}
}

// Run starts a command and waits for its end, as Start does.
func Run(cmd *exec.Cmd) error {
	wait, err := Start(cmd)
	if err != nil {
		return err
	}
	return wait()
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
