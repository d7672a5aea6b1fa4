package main

import (
	"bytes"
	"os/exec"
	"strings"
	"testing"
)

// Every example in these help texts works, in any folder.
func TestHelpExamples(t *testing.T) {
	if testing.Short() {
		t.Skip("each line starts programs")
	}
	for _, command := range []string{"", "parse", "conform", "dialects", "detect", "translate", "manifest", "grammar", "tools", "generate"} {
		var out bytes.Buffer
		if code := run(t.Context(), []string{"help", command}[:1+min(1, len(command))], nil, &out, &out, noEnv); code != exitDone {
			t.Fatalf("help %s: exit code %d: %s", command, code, out.String())
		}
		_, text, found := strings.Cut(out.String(), "\nExamples:\n")
		if !found {
			t.Fatalf("help %s shows no examples", command)
		}
		for line := range strings.Lines(text) {
			if line != "\n" && !strings.HasPrefix(line, " ") {
				break // the next section
			}
			line = strings.TrimSpace(line)
			if line == "" || strings.HasPrefix(line, "#") {
				continue
			}
			t.Run(line, func(t *testing.T) {
				sh := exec.CommandContext(t.Context(), "sh", "-c", line) // the program is in PATH: see TestMain
				sh.Dir = t.TempDir()
				var stdout, stderr bytes.Buffer
				sh.Stdout, sh.Stderr = &stdout, &stderr
				writes := strings.Contains(line, " >/tmp/") || strings.Contains(line, " --raw /tmp/") // and prints nothing
				if err := sh.Run(); err != nil || (stdout.Len() == 0) != writes || strings.Contains(stderr.String(), "toolparse:") {
					t.Errorf("error %v, stdout %q, stderr %q", err, stdout.String(), stderr.String())
				}
			})
		}
	}
}

func TestHelpFitsATerminal(t *testing.T) {
	for _, args := range [][]string{
		{"help"}, {"help", "parse"}, {"help", "conform"}, {"help", "dialects"}, {"help", "detect"}, {"help", "translate"}, {"help", "manifest"},
		{"help", "grammar"}, {"help", "tools"}, {"help", "generate"}, {"help", "batch"}, {"help", "mcp"}, {"help", "mcp", "list"}, {"help", "completion"}, {"help", "version"}, {"help", "help"},
	} {
		var out bytes.Buffer
		if code := run(t.Context(), args, nil, &out, &out, noEnv); code != exitDone {
			t.Fatalf("%v: exit code %d", args, code)
		}
		for line := range strings.Lines(out.String()) {
			if len(line) > helpWidth+20 {
				t.Errorf("%v: a line of %d bytes: %s", args, len(line), line)
			}
		}
	}
}
