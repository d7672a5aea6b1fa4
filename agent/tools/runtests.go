package tools

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/toolparse/toolparse/agent"
)

var testTools = []*entry{{
	name: "run_tests", description: "Runs the tests of the workspace (go, cargo, npm or pytest), counts those that pass and fail, and shows the failures.",
	category: testing, from: standard, risk: agent.High, timeout: maxTimeout + 5*time.Second, make: does((*Set).runTests), preview: confinement,
}}

type runTestsIn struct {
	Directory string `json:"path" jsonschema:"the folder with the tests" default:"."`
	Runner    string `json:"runner" jsonschema:"the test runner; auto chooses by the files of the folder" default:"auto" enum:"auto,go,cargo,npm,pytest"`
	Filter    string `json:"filter,omitempty" jsonschema:"run only tests whose name matches, in the syntax of the runner"`
	Seconds   int    `json:"timeout_seconds" jsonschema:"time limit in seconds" default:"120" minimum:"1" maximum:"300"`
}

// runner runs the tests of one kind of project.
type runner struct {
	name    string
	marks   []string // files that such a project has
	program string
	args    []string
	filter  string // the argument that precedes a filter
	count   func(output string) (counts, string)
}

// counts are the numbers of tests in a run.
type counts struct{ Passed, Failed, Skipped int }

var runners = []runner{
	{name: "go", marks: []string{"go.mod"}, program: "go", args: []string{"test", "-json", "./..."}, filter: "-run=", count: countGo},
	{name: "cargo", marks: []string{"Cargo.toml"}, program: "cargo", args: []string{"test", "--no-fail-fast"}, count: countWords(cargoCounts)},
	{name: "npm", marks: []string{"package.json"}, program: "npm", args: []string{"test", "--silent"}, filter: "--", count: countWords(npmCounts)},
	{
		name: "pytest", marks: []string{"pytest.ini", "pyproject.toml", "setup.py", "tox.ini", "conftest.py", "setup.cfg", "tests"},
		program: "pytest", args: []string{"-q", "--color=no", "-p", "no:cacheprovider"}, filter: "-k=", count: countWords(pytestCounts),
	},
}

// runnerFor returns the runner that a call names, or the one that the files of a folder
// suggest.
func (s *Set) runnerFor(rel, name string) (*runner, error) {
	for i := range runners {
		r := &runners[i]
		if r.name == name || name == "auto" && s.hasAny(rel, r.marks) {
			return r, nil
		}
	}
	return nil, advise(agent.Failure(agent.NotFound, "%s has no tests of a known kind: no go.mod, Cargo.toml, package.json or file of pytest", rel),
		"Name the folder of the project, or the runner, or run the tests with bash.")
}

func (s *Set) runTests(ctx context.Context, in runTestsIn) (agent.Result, error) {
	rel, err := s.inside(in.Directory)
	if err != nil {
		return agent.Result{}, err
	}
	r, err := s.runnerFor(rel, in.Runner)
	switch {
	case err != nil:
		return agent.Result{}, err
	case !s.installed(r.program):
		return agent.Result{}, missingProgram(r.program)
	}
	args := slices.Clone(r.args)
	switch {
	case in.Filter == "":
	case strings.HasPrefix(in.Filter, "-"):
		return agent.Result{}, agent.Failure(agent.Validation, "the filter %q begins with a dash", in.Filter)
	case strings.HasSuffix(r.filter, "="):
		args = append(args, r.filter+in.Filter)
	case r.filter != "":
		args = append(args, r.filter, in.Filter)
	default:
		args = append(args, in.Filter)
	}
	result, err := s.run(ctx, job{
		label: r.name + " tests", program: r.program, args: args, dir: in.Directory, timeout: time.Duration(in.Seconds) * time.Second,
		env: map[string]string{"PYTHONDONTWRITEBYTECODE": "1", "CI": "1", "NO_COLOR": "1"}, limit: 32 << 20,
	})
	n, text := r.count(result.Output)
	summary := fmt.Sprintf("%d passed, %d failed, %d skipped", n.Passed, n.Failed, n.Skipped)
	if result.Output = summary + "\n" + shortened(text); result.Metadata == nil {
		result.Metadata = map[string]any{}
	}
	result.Metadata["runner"], result.Metadata["passed"], result.Metadata["failed"], result.Metadata["skipped"] = r.name, n.Passed, n.Failed, n.Skipped
	if failed, ok := errors.AsType[*agent.Error](err); ok && result.ExitCode != nil {
		failed.Message = "the tests did not pass: " + summary
		if failed.Action = "Read the failures, and fix the code."; n.Failed == 0 {
			failed.Message = fmt.Sprintf("the tests cannot be run: %s ended with exit code %d", r.program, *result.ExitCode)
			failed.Action = "Read the output: the code may not build."
		}
	}
	return result, err
}

// shortened keeps the beginning and the end of a test run's output.
func shortened(text string) string {
	const most = 48 << 10
	out := &bounded{limit: most}
	_, _ = out.Write([]byte(text)) // cannot fail
	text, _, _ = out.text()
	return text
}

// countGo counts the events of go test -json. It shows no output of tests that pass.
func countGo(output string) (n counts, text string) {
	type key struct{ pkg, test string }
	printed := map[key][]string{}
	var b strings.Builder
	for line := range strings.Lines(output) {
		var e struct{ Action, Package, ImportPath, Test, Output string }
		if json.Unmarshal([]byte(line), &e) != nil {
			b.WriteString(line)
			continue
		}
		of := key{e.Package + e.ImportPath, e.Test}
		switch e.Action {
		case "output":
			printed[of] = append(printed[of], e.Output)
		case "build-output":
			b.WriteString(e.Output)
		case "pass", "skip", "fail":
			if e.Test != "" && e.Action == "pass" {
				n.Passed++
			} else if e.Test != "" && e.Action == "skip" {
				n.Skipped++
			} else if e.Test != "" {
				n.Failed++
			}
			if e.Action == "fail" {
				b.WriteString(strings.Join(printed[of], ""))
			}
			delete(printed, of)
		}
	}
	for _, lines := range printed { // of tests that did not end
		if len(b.String()) < maxOutput {
			b.WriteString(strings.Join(lines, ""))
		}
	}
	return n, b.String()
}

// counting finds the numbers of tests in an output. Each expression has one group, a
// number.
type counting struct{ passed, failed, skipped *regexp.Regexp }

var (
	cargoCounts = counting{
		regexp.MustCompile(`(?m)^test result: .* (\d+) passed`), regexp.MustCompile(`(?m)^test result: .* (\d+) failed`), regexp.MustCompile(`(?m)^test result: .* (\d+) ignored`),
	}
	pytestCounts = counting{
		regexp.MustCompile(`(?m)^(?:=+ )?(?:\d+ \w+, )*(\d+) passed\b.* in [\d.]+s`), regexp.MustCompile(`(?m)^(?:=+ )?(?:\d+ \w+, )*(\d+) (?:failed|errors?)\b.* in [\d.]+s`),
		regexp.MustCompile(`(?m)^(?:=+ )?(?:\d+ \w+, )*(\d+) skipped\b.* in [\d.]+s`),
	}
	npmCounts = counting{ // jest and vitest, mocha, node --test
		regexp.MustCompile(`(?m)^\s*(?:Tests:?\s.*?(\d+) passed|(\d+) passing|(?:#|ℹ) pass (\d+))`),
		regexp.MustCompile(`(?m)^\s*(?:Tests:?\s.*?(\d+) failed|(\d+) failing|(?:#|ℹ) fail (\d+))`),
		regexp.MustCompile(`(?m)^\s*(?:Tests:?\s.*?(\d+) skipped|(\d+) pending|(?:#|ℹ) skipped (\d+))`),
	}
)

func countWords(c counting) func(string) (counts, string) {
	return func(output string) (counts, string) {
		return counts{sum(c.passed, output), sum(c.failed, output), sum(c.skipped, output)}, output
	}
}

// sum adds up the numbers that an expression finds.
func sum(find *regexp.Regexp, text string) (total int) {
	for _, match := range find.FindAllStringSubmatch(text, -1) {
		n, _ := strconv.Atoi(strings.Join(match[1:], "")) // only one of the groups matches
		total += n
	}
	return total
}
