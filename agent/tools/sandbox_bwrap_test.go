//go:build linux

package tools_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/toolparse/toolparse/agent"
)

// With the sandbox, every command runs under bwrap, and a request for permission says so.
func TestConfine(t *testing.T) {
	bin := t.TempDir()
	log := filepath.Join(bin, "log")
	script := "#!/bin/sh\necho \"$@\" >> " + log + "\nwhile [ \"$1\" != -- ]; do shift; done\nshift\nexec \"$@\"\n"
	if err := os.WriteFile(filepath.Join(bin, "bwrap"), []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	w := within(t, nil)
	says := func() string {
		list, err := w.set.Tools("bash")
		if err != nil {
			t.Fatal(err)
		}
		text, err := list[0].Info().Preview(t.Context(), agent.Call{})
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	if !strings.Contains(says(), "not confined") {
		t.Errorf("%s", says())
	}
	path := os.Getenv("PATH")
	t.Setenv("PATH", bin)
	if err := os.Rename(filepath.Join(bin, "bwrap"), filepath.Join(bin, "other")); err != nil {
		t.Fatal(err)
	}
	if err := w.set.Sandbox(); err == nil || !strings.Contains(err.Error(), "bwrap is not installed") {
		t.Errorf("%v", err)
	}
	if err := os.Rename(filepath.Join(bin, "other"), filepath.Join(bin, "bwrap")); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin+":"+path)
	if err := w.set.Sandbox(); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(says(), "It is confined") {
		t.Errorf("%s", says())
	}
	if r := w.good("bash", args{"command": "echo inside"}); r.Output != "inside\n" {
		t.Errorf("%+v", r)
	}
	w.good("spawn_process", args{"command": "true"})
	w.good("wait_process", args{"process": "p1"})
	text, err := os.ReadFile(log)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	for _, line := range lines {
		if !strings.Contains(line, "--ro-bind / / ") || !strings.Contains(line, "--bind "+w.dir+" "+w.dir+" --unshare-all --die-with-parent") {
			t.Errorf("%s", line)
		}
	}
	if len(lines) != 3 {
		t.Errorf("%d commands were confined, want 3", len(lines))
	}
}

// These commands run in a real sandbox, if bwrap is installed.
func TestConfined(t *testing.T) {
	if _, err := exec.LookPath("bwrap"); err != nil {
		t.Skip("bwrap is not installed")
	}
	w := within(t, nil)
	if err := w.set.Sandbox(); err != nil {
		t.Skip(err)
	}
	outside := filepath.Join(t.TempDir(), "x")
	r, err := w.use("bash", args{"command": "touch in; touch " + outside + " /etc/x; cat /proc/net/dev"})
	if _, bad := os.Stat(outside); bad == nil {
		t.Error("it wrote outside of the workspace")
	}
	if _, bad := os.Stat(filepath.Join(w.dir, "in")); bad != nil || strings.Contains(r.Output, "eth0") {
		t.Errorf("%v; %+v, %v", bad, r, err)
	}
}
