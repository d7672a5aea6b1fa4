package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// quotingPages returns the documents that quote commands: README.md and those in docs/.
func quotingPages(t *testing.T) []string {
	t.Helper()
	pages, err := filepath.Glob("../../docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	return append(pages, "../../README.md")
}

// Every quoted command that runs the program, in the repository's root, prints the output
// below it. "..." at the end of an output stands for the rest. With -update, the test
// rewrites the outputs.
func TestQuotedCommands(t *testing.T) {
	if testing.Short() {
		t.Skip("each line starts programs")
	}
	const open, end = "```console\n", "```"
	ran := 0
	for _, name := range quotingPages(t) {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		blocks := strings.Split(string(data), open)
		for i, block := range blocks[1:] {
			commands, rest, _ := strings.Cut(block, end)
			var now strings.Builder
			for _, shown := range strings.Split(commands, "$ ")[1:] {
				line, want, _ := strings.Cut(shown, "\n")
				now.WriteString("$ " + line + "\n")
				if got, ok := runQuoted(t, line); ok {
					ran++
					want = compareQuoted(t, filepath.Base(name), line, want, got)
				}
				now.WriteString(want)
			}
			blocks[i+1] = now.String() + end + rest
		}
		if page := strings.Join(blocks, open); *update && page != string(data) {
			if err := os.WriteFile(name, []byte(page), 0o666); err != nil {
				t.Fatal(err)
			}
		}
	}
	if ran < 20 {
		t.Errorf("only %d commands ran", ran)
	}
}

// The programs that documents show are those that the build compiles, and the one on the
// README's first screen is short.
func TestQuotedPrograms(t *testing.T) {
	for example, name := range map[string]string{"agent": "README.md", "agentloop": "docs/library.md"} {
		page, err := os.ReadFile("../../" + name)
		if err != nil {
			t.Fatal(err)
		}
		program, err := os.ReadFile("../../examples/" + example + "/main.go")
		if err != nil {
			t.Fatal(err)
		}
		_, code, _ := strings.Cut(string(program), "\n") // after the package comment
		if !strings.Contains(string(page), "```go\n"+code+"```") {
			t.Errorf("%s does not show examples/%s/main.go as it is", name, example)
		}
		if lines := strings.Count(code, "\n"); example == "agent" && lines > 32 {
			t.Errorf("the program on the first screen of %s has %d lines", name, lines)
		}
	}
}

// runQuoted runs a quoted command. It returns false for one that installs or tests the
// program.
func runQuoted(t *testing.T, line string) (out string, ok bool) {
	line = strings.ReplaceAll(line, "go run ./cmd/toolparse ", "toolparse ")
	if strings.HasPrefix(line, "go ") {
		return "", false
	}
	sh := exec.CommandContext(t.Context(), "sh", "-c", line) // the program is in PATH: see TestMain
	sh.Dir = "../.."
	text, err := sh.CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v: %s", line, err, text)
	}
	return string(text), true
}

// compareQuoted returns the output for a page.
func compareQuoted(t *testing.T, page, line, want, got string) string {
	const more = "...\n"
	if first, cut := strings.CutSuffix(want, more); cut {
		lines := strings.SplitAfter(got, "\n")
		got = strings.Join(lines[:min(len(lines), strings.Count(first, "\n"))], "") + more
	}
	if diff := cmp.Diff(want, got); diff != "" && !*update {
		t.Errorf("%s: %s (-shown +now):\n%s", page, line, diff)
	}
	return got
}
