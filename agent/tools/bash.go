package tools

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/toolparse/toolparse/agent"
	"github.com/toolparse/toolparse/internal/procgroup"
)

// maxTimeout limits the time of a command, whatever the model requests.
const maxTimeout = 5 * time.Minute

// maxOutput limits the output that is kept in memory; the loop shortens it further.
const maxOutput = 1 << 20

var executionTools = []*entry{
	{
		name: "bash", description: "Runs a shell command in the workspace. Processes that it leaves running are stopped.", aliases: []string{"run_command", "run_bash"},
		category: execution, from: minimal, risk: agent.High, timeout: maxTimeout + 5*time.Second, make: does((*Set).bash),
		commands: []string{"command"}, preview: confinement,
	},
	{
		name: "python_exec", description: "Runs Python code in the workspace.", category: execution, from: full, risk: agent.High, timeout: maxTimeout + 5*time.Second,
		make: runsCode("python3", "-"), program: "python3", shell: "python3 -c CODE", preview: confinement,
	},
	{
		name: "node_exec", description: "Runs JavaScript in the workspace, with Node.", category: execution, from: full, risk: agent.High, timeout: maxTimeout + 5*time.Second,
		make: runsCode("node", "-"), program: "node", shell: "node -e CODE", preview: confinement,
	},
}

type bashIn struct {
	Command   string            `json:"command" jsonschema:"the command, for bash or sh"`
	Directory string            `json:"working_directory,omitempty" jsonschema:"the folder of the workspace to run it in"`
	Seconds   int               `json:"timeout_seconds" jsonschema:"time limit in seconds" default:"30" minimum:"1" maximum:"300"`
	Env       map[string]string `json:"env,omitempty" jsonschema:"environment variables to add"`
}

func (s *Set) bash(ctx context.Context, in bashIn) (agent.Result, error) {
	program, args := shellOf(in.Command)
	return s.run(ctx, job{label: in.Command, program: program, args: args, dir: in.Directory, env: in.Env, timeout: time.Duration(in.Seconds) * time.Second})
}

// shellOf returns the program that runs a shell command, with its arguments.
func shellOf(command string) (string, []string) {
	if shell, err := exec.LookPath("bash"); err == nil {
		return shell, []string{"-c", command}
	}
	return "sh", []string{"-c", command}
}

type codeIn struct {
	Code    string `json:"code" jsonschema:"the code"`
	Seconds int    `json:"timeout_seconds" jsonschema:"time limit in seconds" default:"30" minimum:"1" maximum:"300"`
}

// runsCode makes a tool that writes code to a program's standard input.
func runsCode(program string, args ...string) maker {
	return does(func(s *Set, ctx context.Context, in codeIn) (agent.Result, error) {
		return s.run(ctx, job{label: program, program: program, args: args, input: in.Code, timeout: time.Duration(in.Seconds) * time.Second})
	})
}

// job is a program that runs to its end.
type job struct {
	label   string // its name in errors
	program string
	args    []string
	dir     string // in the workspace
	env     map[string]string
	input   string
	timeout time.Duration
	limit   int  // bytes of output to keep; 0 means maxOutput
	quiet   bool // it changes no files
}

// run runs a program with all processes that it starts. The result lists the changes in
// the workspace, as far as a limited comparison before and after shows them.
func (s *Set) run(ctx context.Context, j job) (agent.Result, error) {
	var before look
	if !j.quiet {
		before = s.look(ctx)
	}
	outer := ctx
	ctx, cancel := context.WithTimeout(ctx, j.timeout)
	defer cancel()
	cmd, err := s.command(ctx, j)
	if err != nil {
		return agent.Result{}, err
	}
	cmd.WaitDelay = time.Second
	if j.input != "" {
		cmd.Stdin = strings.NewReader(j.input)
	}
	if j.limit == 0 {
		j.limit = maxOutput
	}
	out := &bounded{limit: j.limit}
	cmd.Stdout, cmd.Stderr = out, out
	stop := tell(ctx, out)
	err = procgroup.Run(cmd)
	stop()
	if errors.Is(err, exec.ErrWaitDelay) { // the command has succeeded, but a process that it left behind kept its output open
		err = nil
	}
	text, cut, total := out.text()
	result := agent.Result{Output: text}
	if cut {
		result.Metadata = map[string]any{"total_output_bytes": total, "output_truncated": true}
	}
	if before != nil {
		result.Changes = before.changes(s.look(context.WithoutCancel(outer)))
	}
	if ctx.Err() == context.DeadlineExceeded && outer.Err() == nil {
		return result, &agent.Error{
			Category: agent.Timeout, Code: "TIMEOUT", Message: "the command timed out after " + j.timeout.String(),
			Details: map[string]any{"command": j.label, "timeout_seconds": j.timeout.Seconds(), "partial_output": lastBytes(text, 2000)},
		}
	}
	if outer.Err() != nil {
		return result, outer.Err()
	}
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		code := exit.ExitCode()
		if result.ExitCode = &code; code < 0 {
			return result, agent.Failure(agent.Execution, "the command was ended: %w", err)
		}
		return result, agent.Failure(agent.Execution, "the command failed with exit code %d", code)
	}
	if errors.Is(err, exec.ErrNotFound) {
		return result, missingProgram(j.program)
	}
	if err == nil {
		result.ExitCode = new(0)
	}
	return result, err
}

// command prepares a program: in its folder, without secrets in its environment, and in
// the sandbox if the set has one.
func (s *Set) command(ctx context.Context, j job) (*exec.Cmd, error) {
	dir, err := s.folder(j.dir)
	if err != nil {
		return nil, err
	}
	if slices.ContainsFunc(j.args, func(arg string) bool { return strings.ContainsRune(arg, 0) }) {
		return nil, agent.Failure(agent.Validation, "the command holds a zero byte")
	}
	program, args := s.confined(dir, j.program, j.args)
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Dir = dir
	cmd.Env = withoutSecrets(cmd.Environ())
	for name, value := range agent.CallFrom(ctx).Environment {
		cmd.Env = append(cmd.Env, name+"="+value)
	}
	for name, value := range j.env {
		if name == "" || strings.ContainsAny(name, "=\x00") || strings.ContainsRune(value, 0) {
			return nil, agent.Failure(agent.Validation, "%q is not a valid name of an environment variable", name)
		}
		cmd.Env = append(cmd.Env, name+"="+value)
	}
	return cmd, nil
}

// folder returns the absolute path of a folder of the workspace.
func (s *Set) folder(name string) (string, error) {
	rel, err := s.inside(name)
	if err != nil {
		return "", err
	}
	stat, err := s.root.Stat(rel)
	if err != nil {
		return "", s.explain(name, err)
	}
	if !stat.IsDir() {
		return "", agent.Failure(agent.Validation, "%s is not a folder", name)
	}
	return filepath.Join(s.Dir, filepath.FromSlash(rel)), nil
}

// missingProgram returns the error for a program that is not installed.
func missingProgram(program string) *agent.Error {
	return advise(agent.Failure(agent.Resource, "%s is not installed", program),
		"Go on without it, or say that it has to be installed.")
}

// tell regularly reports the last line of the output, until stop is called.
func tell(ctx context.Context, out *bounded) (stop func()) {
	call := agent.CallFrom(ctx)
	done := make(chan struct{})
	go func() {
		began := time.Now()
		tick := time.NewTicker(2 * time.Second)
		defer tick.Stop()
		for {
			select {
			case <-done:
				return
			case <-tick.C:
				text, _, _ := out.text()
				text = strings.TrimRight(text, "\r\n")
				call.Report(fmt.Sprintf("%d s: %s", int(time.Since(began).Seconds()), lastBytes(text[strings.LastIndexByte(text, '\n')+1:], 200)))
			}
		}
	}()
	return func() { close(done) }
}

// withoutSecrets removes variables that look like keys, because the model reads what a
// command prints.
func withoutSecrets(env []string) []string {
	return slices.DeleteFunc(env, func(variable string) bool {
		name, _, _ := strings.Cut(variable, "=")
		name = strings.ToUpper(name)
		return slices.ContainsFunc([]string{"KEY", "TOKEN", "SECRET", "PASSWORD"}, func(word string) bool { return strings.Contains(name, word) })
	})
}

// maxLooked limits the number of files that are compared before and after a command.
const maxLooked = 5000

// look lists the files of the workspace that .gitignore does not exclude; nil if there
// are too many to compare.
type look map[string]fs.FileInfo

func (s *Set) look(ctx context.Context) look {
	list := look{}
	w := walker{s: s, hidden: true}
	err := w.walk(ctx, ".", func(at seen) error {
		info, err := at.entry.Info()
		if err != nil {
			return nil // the file has gone
		}
		if list[at.rel] = info; len(list) > maxLooked {
			w.partial = true
			return fs.SkipAll
		}
		return nil
	})
	if err != nil || w.partial {
		return nil
	}
	return list
}

// changes returns the differences between two looks, in the order of the paths.
func (l look) changes(later look) []agent.StateChange {
	if l == nil || later == nil {
		return nil
	}
	var list []agent.StateChange
	for rel, now := range later {
		was := l[rel]
		switch {
		case was == nil && now.IsDir():
			list = append(list, changed("DirectoryCreated", rel))
		case was == nil:
			list = append(list, changed("FileCreated", rel))
		case !now.IsDir() && (was.Size() != now.Size() || !was.ModTime().Equal(now.ModTime()) || was.Mode() != now.Mode()):
			list = append(list, changed("FileModified", rel))
		}
	}
	for rel := range l {
		if later[rel] == nil {
			list = append(list, changed("FileDeleted", rel))
		}
	}
	slices.SortFunc(list, func(a, b agent.StateChange) int { return strings.Compare(a.Path, b.Path) })
	return list
}
