package tools

import (
	"context"
	"os"
	"path"
	"slices"
	"time"

	"github.com/toolparse/toolparse/agent"
)

var lintTools = []*entry{
	{
		name: "lint", description: "Looks for likely mistakes in the code of the workspace, with the linter of its language.",
		category: validation, from: full, risk: agent.High, timeout: maxTimeout + 5*time.Second, make: checksWith(linters), preview: confinement,
	},
	{
		name: "typecheck", description: "Checks the types in the code of the workspace, with the compiler or checker of its language.",
		category: validation, from: full, risk: agent.High, timeout: maxTimeout + 5*time.Second, make: checksWith(typecheckers), preview: confinement,
	},
	{
		name: "format", description: "Lists the files of the workspace that the formatter of their language would change. It changes none.",
		category: validation, from: full, risk: agent.High, timeout: maxTimeout + 5*time.Second, make: checksWith(formatters), preview: confinement,
	},
}

// checker is a program that checks the code of one kind of project.
type checker struct {
	marks   []string // files that such a project has
	program string
	args    []string
	silent  bool // any output means a problem, whatever the exit code
}

var (
	pythonMarks = []string{"pyproject.toml", "setup.py", "setup.cfg", "tox.ini", "requirements.txt"}

	linters = []checker{
		{marks: []string{"go.mod"}, program: "go", args: []string{"vet", "./..."}},
		{marks: []string{"Cargo.toml"}, program: "cargo", args: []string{"clippy", "--quiet"}},
		{marks: []string{"package.json"}, program: "eslint", args: []string{"."}},
		{marks: pythonMarks, program: "ruff", args: []string{"check", "."}},
		{marks: pythonMarks, program: "flake8", args: []string{"."}},
	}
	typecheckers = []checker{
		{marks: []string{"go.mod"}, program: "go", args: []string{"build", "-o", os.DevNull, "./..."}},
		{marks: []string{"Cargo.toml"}, program: "cargo", args: []string{"check", "--quiet"}},
		{marks: []string{"tsconfig.json"}, program: "tsc", args: []string{"--noEmit", "--pretty", "false"}},
		{marks: pythonMarks, program: "mypy", args: []string{"."}},
		{marks: pythonMarks, program: "pyright"},
	}
	formatters = []checker{
		{marks: []string{"go.mod"}, program: "gofmt", args: []string{"-l", "."}, silent: true},
		{marks: []string{"Cargo.toml"}, program: "cargo", args: []string{"fmt", "--check"}},
		{marks: []string{"package.json"}, program: "prettier", args: []string{"--check", "."}},
		{marks: pythonMarks, program: "ruff", args: []string{"format", "--check", "."}},
		{marks: pythonMarks, program: "black", args: []string{"--check", "."}},
	}
)

// hasAny reports whether a folder contains one of these files.
func (s *Set) hasAny(rel string, names []string) bool {
	return slices.ContainsFunc(names, func(name string) bool { _, err := s.root.Stat(path.Join(rel, name)); return err == nil })
}

type lintIn struct {
	Directory string `json:"path" jsonschema:"the folder of the project" default:"."`
	Seconds   int    `json:"timeout_seconds" jsonschema:"time limit in seconds" default:"120" minimum:"1" maximum:"300"`
}

// checksWith makes a tool that runs the first of these programs that is installed and
// fits the project.
func checksWith(list []checker) maker {
	return does(func(s *Set, ctx context.Context, in lintIn) (agent.Result, error) {
		rel, err := s.inside(in.Directory)
		if err != nil {
			return agent.Result{}, err
		}
		missing := ""
		for _, c := range list {
			if !s.hasAny(rel, c.marks) {
				continue
			}
			if !s.installed(c.program) {
				missing = c.program
				continue
			}
			result, err := s.run(ctx, job{label: c.program, program: c.program, args: c.args, dir: in.Directory, timeout: time.Duration(in.Seconds) * time.Second})
			result.Metadata = map[string]any{"program": c.program}
			if err == nil && c.silent && result.Output != "" {
				err = agent.Failure(agent.Execution, "%s has found problems", c.program)
			}
			if err == nil && result.Output == "" {
				result.Output = c.program + " has found no problems"
			}
			return result, err
		}
		if missing != "" {
			return agent.Result{}, missingProgram(missing)
		}
		return agent.Result{}, advise(agent.Failure(agent.NotFound, "%s is not a project of a known kind", in.Directory),
			"Name the folder of the project, or run its own check with bash.")
	})
}
