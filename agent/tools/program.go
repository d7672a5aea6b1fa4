package tools

import (
	"context"
	"strings"
	"time"

	"github.com/toolparse/toolparse/agent"
)

// programs are tools that run one installed program without a shell, for tasks of its
// kind.
var programs = []entry{
	program(entry{name: "cargo", category: execution, kinds: []string{"rust"}}, "cargo"),
	program(entry{name: "cargo_test", category: testing, kinds: []string{"rust"}}, "cargo", "test"),
	program(entry{name: "rustfmt", category: validation, kinds: []string{"rust"}}, "rustfmt"),
	program(entry{name: "clippy", category: validation, kinds: []string{"rust"}}, "cargo", "clippy"),
	program(entry{name: "pip", category: execution, kinds: []string{"python"}}, "pip"),
	program(entry{name: "pytest", category: testing, kinds: []string{"python"}}, "pytest"),
	program(entry{name: "black", category: validation, kinds: []string{"python"}}, "black"),
	program(entry{name: "mypy", category: validation, kinds: []string{"python"}}, "mypy"),
	program(entry{name: "npm", category: execution, kinds: []string{"javascript"}}, "npm"),
	program(entry{name: "jest", category: testing, kinds: []string{"javascript"}}, "jest"),
	program(entry{name: "eslint", category: validation, kinds: []string{"javascript"}}, "eslint"),
	program(entry{name: "prettier", category: validation, kinds: []string{"javascript"}}, "prettier"),
	program(entry{name: "go", category: execution, kinds: []string{"go"}}, "go"),
	program(entry{name: "go_test", category: testing, kinds: []string{"go"}}, "go", "test"),
	program(entry{name: "gofmt", category: validation, kinds: []string{"go"}}, "gofmt"),
	program(entry{name: "browser", category: network, kinds: []string{"web_development"}}, "chromium", "--headless", "--dump-dom"),
	program(entry{name: "http_client", category: network, kinds: []string{"web_development"}}, "curl"),
	program(entry{name: "jupyter", category: execution, kinds: []string{"data_science"}}, "jupyter"),
	program(entry{name: "plot", category: execution, kinds: []string{"data_science"}}, "gnuplot"),
	program(entry{name: "docker", category: execution, kinds: []string{"devops"}}, "docker"),
	program(entry{name: "kubectl", category: execution, kinds: []string{"devops"}}, "kubectl"),
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
