package tools_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/toolparse/toolparse/agent"
)

// fake puts a shell script with this name first on the PATH.
func fake(t *testing.T, name, script string) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the program is a shell script")
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\n"+script), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
}

// The tests of a Go module run, and only those that fail are shown.
func TestRunTestsGo(t *testing.T) {
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("go is not installed")
	}
	const code = `package p
import "testing"
func TestGood(t *testing.T) { t.Log("all is well") }
func TestBad(t *testing.T) { t.Run("inner", func(t *testing.T) { t.Error("three is not four") }) }
func TestLater(t *testing.T) { t.Skip() }
`
	w := within(t, map[string]string{"m/go.mod": "module example.com/p\n\ngo 1.21\n", "m/p_test.go": code})
	t.Setenv("GOFLAGS", "")
	r, err := w.use("run_tests", args{"path": "m"})
	if e := agent.Categorize(err); e.Message != "the tests did not pass: 1 passed, 2 failed, 1 skipped" || e.Category != agent.Execution {
		t.Errorf("%v", err)
	}
	if !strings.Contains(r.Output, "three is not four") || strings.Contains(r.Output, "all is well") || *r.ExitCode != 1 || r.Metadata["runner"] != "go" {
		t.Errorf("%+v", r)
	}
	r = w.good("run_tests", args{"path": "m", "filter": "Good"})
	if r.Metadata["passed"] != 1 || r.Metadata["failed"] != 0 {
		t.Errorf("%+v", r)
	}
	put(t, filepath.Join(w.dir, "m/p.go"), "package p\nvar x int = \"no\"\n")
	if r, err = w.use("run_tests", args{"path": "m"}); err == nil || !strings.Contains(err.Error(), "cannot be run") || !strings.Contains(r.Output, "p.go:2") {
		t.Errorf("%+v, %v", r, err)
	}
}

// Each kind of project is recognised by its files, and the output of its runner is
// counted.
func TestRunTests(t *testing.T) {
	tests := []struct {
		name, file, program, output string
		passed, failed, skipped     int
	}{
		{"cargo", "Cargo.toml", "cargo", "test result: ok. 3 passed; 0 failed; 1 ignored; 0 measured\ntest result: FAILED. 2 passed; 4 failed; 0 ignored; 0 measured\n", 5, 4, 1},
		{"pytest", "conftest.py", "pytest", "..Fs\nFAILED t.py::test_x\n1 failed, 2 passed, 1 skipped in 0.03s\n", 2, 1, 1},
		{"pytest errors", "pyproject.toml", "pytest", "===== 12 passed, 2 errors in 1.20s =====\n", 12, 2, 0},
		{"jest", "package.json", "npm", "Test Suites: 1 failed, 1 total\nTests:       1 failed, 2 skipped, 13 passed, 16 total\n", 13, 1, 2},
		{"mocha", "package.json", "npm", "  7 passing (4ms)\n  1 pending\n  2 failing\n", 7, 2, 1},
		{"node", "package.json", "npm", "# tests 3\n# pass 2\n# fail 1\n# skipped 0\n", 2, 1, 0},
		{"vitest", "package.json", "npm", " Test Files  1 failed (1)\n      Tests  1 failed | 4 passed (5)\n", 4, 1, 0},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			fake(t, test.program, "cat <<'END'\n"+test.output+"END\nexit 1\n")
			r, err := within(t, map[string]string{test.file: "{}"}).use("run_tests", nil)
			if err == nil || r.Metadata["passed"] != test.passed || r.Metadata["failed"] != test.failed || r.Metadata["skipped"] != test.skipped {
				t.Errorf("%+v, %v", r, err)
			}
			if !strings.Contains(r.Output, strings.TrimSpace(test.output)) {
				t.Errorf("%s", r.Output)
			}
		})
	}
	w := within(t, map[string]string{"go.mod": "", "sub/package.json": "{}"})
	fake(t, "npm", "echo \"args: $*\"; head -c 3000000 /dev/zero | tr '\\0' x; echo; echo '# pass 9'")
	r := w.good("run_tests", args{"path": "sub", "filter": "a; b"})
	if !strings.Contains(r.Output, "args: test --silent -- a; b\n") || r.Metadata["passed"] != 9 || len(r.Output) > 60<<10 {
		t.Errorf("%d bytes: %.200s, %v", len(r.Output), r.Output, r.Metadata)
	}
	w.bad("run_tests", args{"path": "sub", "filter": "--evil"}, agent.Validation)
	w.bad("run_tests", args{"path": ".."}, agent.Permission)
	within(t, nil).bad("run_tests", nil, agent.NotFound)
	t.Setenv("PATH", t.TempDir())
	w.bad("run_tests", args{"path": "sub"}, agent.Resource)
}

// The place of an error is reported; nothing is run or written.
func TestCheckSyntax(t *testing.T) {
	tests := []struct {
		file, text string
		place      string // of the first error; "" if there is none
		program    string
	}{
		{"a.go", "package a\n\nfunc f() {}\n", "", ""},
		{"a.go", "package a\n\nfunc f( {}\n", "a.go:3:", ""},
		{"a.json", "{\"a\": [1, 2]}\n", "", ""},
		{"a.json", "{\n\"a\": [1 2]}\n", "a.json:2:9: ", ""},
		{"a.json", "{} {}\n", "a.json:1:", ""},
		{"a.json", "{\"a\":\n", "a.json:2:1: the text ends too early", ""},
		{"a.sh", "for i in 1 2; do echo $i; done\n", "", ""},
		{"a.sh", "echo\nif true; then\n", "a.sh:2:10: ", ""},
		{"run", "#!/usr/bin/env bash\necho $(\n", "run:2:", ""},
		{"a.py", "import os\nos.remove('a.py')\n", "", "python3"},
		{"a.py", "x = 1\ndef f(:\n    pass\n", "a.py:2:", "python3"},
		{"a.js", "require('fs').unlinkSync('a.js')\n", "", "node"},
		{"a.js", "import fs from 'fs'; await 1;\n", "", "node"},
		{"a.js", "let a = 1\nlet b = ;\n", "a.js:2:9: SyntaxError", "node"},
	}
	for _, test := range tests {
		t.Run(test.file+"/"+test.place, func(t *testing.T) {
			if _, err := exec.LookPath(test.program); test.program != "" && err != nil {
				t.Skip(test.program + " is not installed")
			}
			w := within(t, map[string]string{test.file: test.text})
			before := contents(t, w.dir)
			r, err := w.use("check_syntax", args{"path": test.file})
			if (err != nil) != (test.place != "") || !strings.HasPrefix(r.Output, test.place) {
				t.Errorf("%+v, %v", r, err)
			}
			if after := contents(t, w.dir); len(after) != len(before) {
				t.Errorf("it has written: %v", after)
			}
		})
	}
	w := within(t, map[string]string{"a.txt": "x", "b.py": "x"})
	w.bad("check_syntax", args{"path": "a.txt"}, agent.Validation)
	w.good("check_syntax", args{"path": "a.txt", "language": "shell"})
	w.bad("check_syntax", args{"path": "../a.go"}, agent.Permission)
	w.good("write_file", args{"path": "deep.sh", "content": strings.Repeat("(", 1<<20)})
	w.bad("check_syntax", args{"path": "deep.sh"}, agent.Resource)
	t.Setenv("PATH", t.TempDir())
	w.bad("check_syntax", args{"path": "b.py"}, agent.Resource)
}
