package tools

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
)

// private are the files and folders in a home that sandboxed commands cannot see.
var private = []string{".ssh", ".gnupg", ".aws", ".azure", ".kube", ".docker", ".config", ".netrc", ".git-credentials", ".npmrc", ".pypirc"}

// Sandbox makes all commands of the set run under bubblewrap, on Linux: they can write
// only to the workspace and to a /tmp of their own, see the rest of the system except for
// the keys in the home, have no network, and end with this program. It fails if bwrap is
// not installed or cannot make a sandbox. Call it before the first call of a tool.
func (s *Set) Sandbox() error {
	if runtime.GOOS != "linux" {
		return fmt.Errorf("tools: commands can be sandboxed only on Linux")
	}
	bwrap, err := exec.LookPath("bwrap")
	if err != nil {
		return fmt.Errorf("tools: commands cannot be sandboxed: bwrap is not installed (package bubblewrap)")
	}
	s.bwrap = bwrap
	program, args := s.confined(s.Dir, "true", nil)
	if out, err := exec.Command(program, args...).CombinedOutput(); err != nil {
		s.bwrap = ""
		return fmt.Errorf("tools: commands cannot be sandboxed: %w: %s", err, lastBytes(string(out), 300))
	}
	return nil
}

// confined returns a program with its arguments, run by bubblewrap if the set has a
// sandbox.
func (s *Set) confined(dir, program string, args []string) (string, []string) {
	if s.bwrap == "" {
		return program, args
	}
	with := []string{"--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--tmpfs", "/tmp"}
	if home, err := os.UserHomeDir(); err == nil {
		for _, name := range private {
			path := filepath.Join(home, name)
			if stat, err := os.Stat(path); err == nil && stat.IsDir() {
				with = append(with, "--tmpfs", path)
			} else if err == nil {
				with = append(with, "--ro-bind", os.DevNull, path)
			}
		}
	}
	with = append(with, "--bind", s.Dir, s.Dir, "--unshare-all", "--die-with-parent", "--new-session", "--chdir", dir, "--", program)
	return s.bwrap, append(with, args...)
}

// confinement says, for the person who is asked about a command, what the command can
// reach.
func confinement(s *Set, _ context.Context, _ []byte) (string, error) {
	if s.bwrap == "" {
		return "It is not confined: it can do whatever you can.\n", nil
	}
	return "It is confined: it writes in the workspace only, and has no network.\n", nil
}
