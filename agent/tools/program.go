package tools

import (
	"context"
	"strings"
	"time"

	"github.com/toolparse/toolparse/agent"
)

// programs are tools that run one installed program without a shell, for tasks of its
// kind.
var programs = []*entry{
	program(entry{name: "cargo", category: execution, task: "rust"}, "cargo"),
	program(entry{name: "cargo_test", category: testing, task: "rust"}, "cargo", "test"),
	program(entry{name: "rustfmt", category: validation, task: "rust"}, "rustfmt"),
	program(entry{name: "clippy", category: validation, task: "rust"}, "cargo", "clippy"),
	program(entry{name: "pip", category: execution, task: "python"}, "pip"),
	program(entry{name: "pytest", category: testing, task: "python"}, "pytest"),
	program(entry{name: "black", category: validation, task: "python"}, "black"),
	program(entry{name: "mypy", category: validation, task: "python"}, "mypy"),
	program(entry{name: "npm", category: execution, task: "javascript"}, "npm"),
	program(entry{name: "jest", category: testing, task: "javascript"}, "jest"),
	program(entry{name: "eslint", category: validation, task: "javascript"}, "eslint"),
	program(entry{name: "prettier", category: validation, task: "javascript"}, "prettier"),
	program(entry{name: "go", category: execution, task: "go"}, "go"),
	program(entry{name: "go_test", category: testing, task: "go"}, "go", "test"),
	program(entry{name: "gofmt", category: validation, task: "go"}, "gofmt"),
	program(entry{name: "browser", category: network, task: "web_development"}, "chromium", "--headless", "--dump-dom"),
	program(entry{name: "http_client", category: network, task: "web_development"}, "curl"),
	program(entry{name: "jupyter", category: execution, task: "data_science"}, "jupyter"),
	program(entry{name: "plot", category: execution, task: "data_science"}, "gnuplot"),
	program(entry{name: "docker", category: execution, task: "devops"}, "docker"),
	program(entry{name: "kubectl", category: execution, task: "devops"}, "kubectl"),
}

// program completes the entry of a tool that runs a program, with arguments before those
// of the call.
func program(e entry, name string, before ...string) *entry {
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
	return &e
}

type programIn struct {
	Args    []string `json:"args,omitempty" jsonschema:"the arguments, one per item, passed without a shell"`
	Seconds int      `json:"timeout_seconds" jsonschema:"time limit in seconds" default:"120" minimum:"1" maximum:"300"`
}
