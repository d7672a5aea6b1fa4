package tools

import (
	"context"
	"strings"
	"time"

	"github.com/toolparse/toolparse/agent"
)

// programs are tools that run one installed program without a shell, for tasks in its
// language or of its type.
var programs = []entry{
	program(entry{name: "cargo", category: Execution, languages: []string{"rust"}}, "cargo"),
	program(entry{name: "cargo_test", category: Testing, languages: []string{"rust"}}, "cargo", "test"),
	program(entry{name: "rustfmt", category: Validation, languages: []string{"rust"}}, "rustfmt"),
	program(entry{name: "clippy", category: Validation, languages: []string{"rust"}}, "cargo", "clippy"),
	program(entry{name: "pip", category: Execution, languages: []string{"python"}}, "pip"),
	program(entry{name: "pytest", category: Testing, languages: []string{"python"}}, "pytest"),
	program(entry{name: "black", category: Validation, languages: []string{"python"}}, "black"),
	program(entry{name: "mypy", category: Validation, languages: []string{"python"}}, "mypy"),
	program(entry{name: "npm", category: Execution, languages: []string{"javascript"}}, "npm"),
	program(entry{name: "jest", category: Testing, languages: []string{"javascript"}}, "jest"),
	program(entry{name: "eslint", category: Validation, languages: []string{"javascript"}}, "eslint"),
	program(entry{name: "prettier", category: Validation, languages: []string{"javascript"}}, "prettier"),
	program(entry{name: "go", category: Execution, languages: []string{"go"}}, "go"),
	program(entry{name: "go_test", category: Testing, languages: []string{"go"}}, "go", "test"),
	program(entry{name: "gofmt", category: Validation, languages: []string{"go"}}, "gofmt"),
	program(entry{name: "browser", category: Network, types: []string{"web_development"}}, "chromium", "--headless", "--dump-dom"),
	program(entry{name: "http_client", category: Network, types: []string{"web_development"}}, "curl"),
	program(entry{name: "jupyter", category: Execution, types: []string{"data_science"}}, "jupyter"),
	program(entry{name: "plot", category: Execution, types: []string{"data_science"}}, "gnuplot"),
	program(entry{name: "docker", category: Execution, types: []string{"devops"}}, "docker"),
	program(entry{name: "kubectl", category: Execution, types: []string{"devops"}}, "kubectl"),
}

// program completes the entry of a tool that runs a program, with arguments before those
// of the call.
func program(e entry, name string, before ...string) entry {
	command := strings.Join(append([]string{name}, before...), " ")
	e.description = "Runs " + command + " in the workspace."
	e.program, e.shell = name, command
	e.from, e.risk, e.timeout = onDemand, agent.High, maxTimeout
	e.make = does(func(s *Set, ctx context.Context, in programIn) (agent.Result, error) {
		args := append(before[:len(before):len(before)], in.Args...)
		return s.run(ctx, job{
			label: command + " " + strings.Join(in.Args, " "), program: name, args: args, timeout: time.Duration(in.Seconds) * time.Second,
		})
	})
	return e
}

type programIn struct {
	Args    []string `json:"args,omitempty" jsonschema:"the arguments, one per item, passed without a shell"`
	Seconds int      `json:"timeout_seconds" jsonschema:"time limit in seconds" default:"120" minimum:"1" maximum:"300"`
}
