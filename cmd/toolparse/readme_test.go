package main

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Every command in the README that runs the program prints the output in the README, in
// the repository's root. "..." at the end of an output stands for the rest. With -update,
// the test rewrites the outputs.
func TestReadme(t *testing.T) {
	if testing.Short() {
		t.Skip("each line starts programs")
	}
	const name, open, end = "../../README.md", "```console\n", "```"
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	ran := 0
	blocks := strings.Split(string(data), open)
	for i, block := range blocks[1:] {
		commands, rest, _ := strings.Cut(block, end)
		var now strings.Builder
		for _, shown := range strings.Split(commands, "$ ")[1:] {
			line, want, _ := strings.Cut(shown, "\n")
			now.WriteString("$ " + line + "\n")
			if got, ok := runQuoted(t, line); ok {
				ran++
				want = compareQuoted(t, line, want, got)
			}
			now.WriteString(want)
		}
		blocks[i+1] = now.String() + end + rest
	}
	if ran < 10 {
		t.Errorf("only %d commands ran", ran)
	}
	if page := strings.Join(blocks, open); *update && page != string(data) {
		if err := os.WriteFile(name, []byte(page), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// The programs in the README are those that the build compiles.
func TestReadmeProgram(t *testing.T) {
	page, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"agentloop", "agent"} {
		program, err := os.ReadFile("../../examples/" + name + "/main.go")
		if err != nil {
			t.Fatal(err)
		}
		_, code, _ := strings.Cut(string(program), "\n") // after the package comment
		if !strings.Contains(string(page), "```go\n"+code+"```") {
			t.Errorf("README.md does not show examples/%s/main.go as it is", name)
		}
	}
}

// runQuoted runs a command of the README. It returns false for one that installs or tests
// the program.
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

// compareQuoted returns the output for the README.
func compareQuoted(t *testing.T, line, want, got string) string {
	const more = "...\n"
	if first, cut := strings.CutSuffix(want, more); cut {
		lines := strings.SplitAfter(got, "\n")
		got = strings.Join(lines[:min(len(lines), strings.Count(first, "\n"))], "") + more
	}
	if diff := cmp.Diff(want, got); diff != "" && !*update {
		t.Errorf("%s (-README +now):\n%s", line, diff)
	}
	return got
}
