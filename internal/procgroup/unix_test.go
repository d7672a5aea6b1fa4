//go:build unix

package procgroup

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestMain runs a command that starts another process, and dies, if a test asks for it.
func TestMain(m *testing.M) {
	if os.Getenv("PROCGROUP_TEST_DIES") == "" {
		os.Exit(m.Run())
	}
	cmd := exec.Command("sh", "-c", "sleep 60 & echo $!; sleep 60; :")
	out, err := cmd.StdoutPipe()
	if err == nil {
		_, err = Start(cmd)
	}
	line := make([]byte, 20)
	if err == nil {
		_, err = out.Read(line)
	}
	fmt.Println(cmd.Process.Pid, string(bytes.Trim(line, "\n\x00")), err)
	syscall.Kill(os.Getpid(), syscall.SIGKILL)
}

// All processes of a command end with the program, even if that is killed.
func TestProgramIsKilled(t *testing.T) {
	self := exec.Command(os.Args[0])
	self.Env = append(os.Environ(), "PROCGROUP_TEST_DIES=1")
	out, _ := self.Output() // it dies
	words := strings.Fields(string(out))
	if len(words) != 3 || words[2] != "<nil>" {
		t.Fatalf("%s", out)
	}
	for _, word := range words[:2] {
		waitForEnd(t, word)
	}
}

func waitForEnd(t *testing.T, number string) {
	t.Helper()
	pid, err := strconv.Atoi(number)
	if err != nil {
		t.Fatal(err)
	}
	for end := time.Now().Add(20 * time.Second); isRunning(pid); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("process %d is still running", pid)
		}
	}
}

// isRunning reports whether a process exists and is no zombie: in a container, nobody may
// wait for orphans.
func isRunning(pid int) bool {
	if errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) {
		return false
	}
	state, err := exec.Command("ps", "-o", "stat=", "-p", strconv.Itoa(pid)).Output()
	return err != nil || !strings.HasPrefix(string(state), "Z")
}

// A command that ends by itself keeps its exit code, and what it left running ends.
func TestRun(t *testing.T) {
	var out strings.Builder
	cmd := exec.Command("sh", "-c", "sleep 60 >&- 2>&- & echo $!; exit 3")
	cmd.Stdout = &out
	err := Run(cmd)
	if exit, ok := errors.AsType[*exec.ExitError](err); !ok || exit.ExitCode() != 3 {
		t.Errorf("%v", err)
	}
	waitForEnd(t, strings.TrimSpace(out.String()))
	if err := Run(exec.Command("no-such-program-anywhere")); !errors.Is(err, exec.ErrNotFound) {
		t.Errorf("%v", err)
	}
	if err := Signal(cmd, "stop"); err == nil {
		t.Error("an unknown signal was sent")
	}
}
