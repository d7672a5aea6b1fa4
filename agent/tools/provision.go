package tools

import (
	"fmt"
	"os/exec"
	"slices"
	"strings"
)

// ProvisionError names programs that tools need and that are not installed. The other
// tools are available.
type ProvisionError struct{ Missing []string }

// Error lists the programs.
func (e *ProvisionError) Error() string {
	return fmt.Sprintf("tools: not installed: %s; install what the task needs, or go on without", strings.Join(e.Missing, ", "))
}

// Provision returns the names of the tools for the languages and types of a task, to be
// chosen in addition to those of an environment. It leaves out tools whose programs are
// not installed, and returns a [*ProvisionError] that names the programs.
func (s *Set) Provision(task Task) ([]string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.provision(task)
}

func (s *Set) provision(task Task) ([]string, error) {
	var names []string
	failed := &ProvisionError{}
	for i := range s.entries {
		e := &s.entries[i]
		switch {
		case !e.isFor(task):
		case s.installed(e.program):
			names = append(names, e.name)
		case !slices.Contains(failed.Missing, e.program):
			failed.Missing = append(failed.Missing, e.program)
		}
	}
	if len(failed.Missing) > 0 {
		return names, failed
	}
	return names, nil
}

// installed reports whether a program is installed; true for "".
func (s *Set) installed(program string) bool {
	if program == "" {
		return true
	}
	_, err := exec.LookPath(program)
	return err == nil
}
