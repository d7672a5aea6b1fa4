package tools

import (
	"context"
	"fmt"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/toolparse/toolparse/agent"
	"github.com/toolparse/toolparse/internal/printable"
	"github.com/toolparse/toolparse/internal/procgroup"
)

var processTools = []*entry{
	{
		name: "spawn_process", description: "Starts a shell command in the background and returns its id. It is stopped when the run ends.",
		aliases: []string{"spawn", "background"}, category: processCategory, from: standard, risk: agent.High, make: does((*Set).spawn),
		commands: []string{"command"}, preview: confinement,
	},
	{
		name: "wait_process", description: "Waits for a background process, and returns its output since the last call. If the wait times out, the process keeps running.",
		aliases: []string{"wait"}, category: processCategory, from: standard, timeout: maxTimeout + 5*time.Second, make: does((*Set).await),
	},
	{
		name: "kill_process", description: "Sends a signal to a background process and its children.",
		aliases: []string{"kill", "signal"}, category: processCategory, from: standard, risk: agent.Medium, make: does((*Set).kill),
	},
	{
		name: "list_processes", description: "Lists the background processes.", aliases: []string{"ps"},
		category: processCategory, from: standard, traits: reads, make: does((*Set).ps),
	},
}

// Limits for the processes of a set.
const (
	maxProcesses = 16       // running at the same time
	maxEnded     = 100      // ended processes that can still be read
	maxPortion   = 32 << 10 // bytes of output that one call returns
)

// process is a command in the background.
type process struct {
	id, command string
	cmd         *exec.Cmd
	out         *stream
	done        chan struct{} // closed when it has ended
	code        int           // set when done is closed
	reported    bool          // a result has reported its end
}

func (p *process) ended() bool {
	select {
	case <-p.done:
		return true
	default:
		return false
	}
}

// processes are the processes of a set, in the order of their start.
type processes struct {
	mu   sync.Mutex
	list []*process
	next int
	over bool
}

type spawnIn struct {
	Command   string            `json:"command" jsonschema:"the command, for bash or sh"`
	Directory string            `json:"working_directory,omitempty" jsonschema:"the folder of the workspace to run it in"`
	Env       map[string]string `json:"env,omitempty" jsonschema:"environment variables to add"`
}

func (s *Set) spawn(ctx context.Context, in spawnIn) (agent.Result, error) {
	s.processes.mu.Lock()
	defer s.processes.mu.Unlock()
	running := 0
	for _, p := range s.processes.list {
		if !p.ended() {
			running++
		}
	}
	switch {
	case s.processes.over:
		return agent.Result{}, agent.Failure(agent.Resource, "the workspace is closed")
	case running >= maxProcesses:
		return agent.Result{}, advise(agent.Failure(agent.Resource, "%d processes are already running", running),
			"Kill those that are no longer needed.")
	}
	program, args := shellOf(in.Command)
	cmd, err := s.command(context.WithoutCancel(ctx), job{program: program, args: args, dir: in.Directory, env: in.Env}) // the process outlives the call
	if err != nil {
		return agent.Result{}, err
	}
	cmd.WaitDelay = time.Second
	s.processes.next++
	p := &process{id: "p" + strconv.Itoa(s.processes.next), command: in.Command, cmd: cmd, out: &stream{limit: maxOutput / 4}, done: make(chan struct{})}
	cmd.Stdout, cmd.Stderr = p.out, p.out
	wait, err := procgroup.Start(cmd)
	if err != nil {
		return agent.Result{}, agent.Failure(agent.Resource, "the command cannot be started: %w", err)
	}
	go func() {
		_ = wait() // the state contains everything that the error says
		p.code = cmd.ProcessState.ExitCode()
		close(p.done)
	}()
	s.processes.list = append(s.processes.list, p)
	for i := 0; len(s.processes.list)-running > maxEnded && i < len(s.processes.list); {
		if s.processes.list[i].ended() {
			s.processes.list = slices.Delete(s.processes.list, i, i+1)
			continue
		}
		i++
	}
	return agent.Result{
		Output:  fmt.Sprintf("started %s (pid %d)", p.id, cmd.Process.Pid),
		Changes: []agent.StateChange{{Type: "ProcessStarted", PID: cmd.Process.Pid, Command: in.Command}},
	}, nil
}

// process returns a process by its id or its decimal pid.
func (s *Set) process(id string) (*process, error) {
	s.processes.mu.Lock()
	defer s.processes.mu.Unlock()
	var ids []string
	for _, p := range slices.Backward(s.processes.list) {
		if p.id == id || strconv.Itoa(p.cmd.Process.Pid) == id {
			return p, nil
		}
		ids = append(ids, p.id)
	}
	e := agent.Failure(agent.NotFound, "no process %q was started here", id)
	if e.Action = "Start one with spawn_process."; len(ids) > 0 {
		slices.Reverse(ids)
		e.Action = "There are " + strings.Join(ids, ", ") + "."
	}
	return nil, e
}

// status describes the state of a process. It reports the end of a process as a change,
// once.
func (s *Set) status(p *process) (string, *int, []agent.StateChange) {
	if !p.ended() {
		return p.id + " is running", nil, nil
	}
	s.processes.mu.Lock()
	defer s.processes.mu.Unlock()
	code := p.code
	text := fmt.Sprintf("%s has ended with exit code %d", p.id, code)
	if code < 0 {
		text = p.id + " was ended by a signal"
	}
	if p.reported {
		return text, &code, nil
	}
	p.reported = true
	return text, &code, []agent.StateChange{{Type: "ProcessTerminated", PID: p.cmd.Process.Pid, ExitCode: &code}}
}

type awaitIn struct {
	Process string `json:"process" jsonschema:"its id"`
	Seconds int    `json:"timeout_seconds" jsonschema:"longest time to wait, in seconds" default:"30" minimum:"0" maximum:"300"`
}

func (s *Set) await(ctx context.Context, in awaitIn) (agent.Result, error) {
	p, err := s.process(in.Process)
	if err != nil {
		return agent.Result{}, err
	}
	timer := time.NewTimer(time.Duration(in.Seconds) * time.Second)
	defer timer.Stop()
	select {
	case <-p.done:
	case <-timer.C:
	case <-ctx.Done():
		return agent.Result{}, ctx.Err()
	}
	status, code, changes := s.status(p)
	text, lost, left := p.out.next(maxPortion)
	var b strings.Builder
	if lost > 0 {
		fmt.Fprintf(&b, "[%d bytes before this are gone]\n", lost)
	}
	b.WriteString(text)
	if text != "" && !strings.HasSuffix(text, "\n") {
		b.WriteString("\n")
	}
	if left > 0 {
		fmt.Fprintf(&b, "[%d bytes follow: wait once more]\n", left)
	}
	b.WriteString("[" + status + "]")
	return agent.Result{Output: b.String(), Changes: changes, Metadata: map[string]any{"running": code == nil, "exit": code}}, nil
}

type killIn struct {
	Process string `json:"process" jsonschema:"its id"`
	Signal  string `json:"signal" jsonschema:"the signal; a few seconds after term, kill follows" default:"term" enum:"term,kill,int,hup,usr1,usr2"`
}

// graceful is the time that a process gets to end after it was asked to.
const graceful = 3 * time.Second

func (s *Set) kill(ctx context.Context, in killIn) (agent.Result, error) {
	p, err := s.process(in.Process)
	if err != nil {
		return agent.Result{}, err
	}
	if !p.ended() {
		if err := procgroup.Signal(p.cmd, in.Signal); err != nil && !p.ended() {
			return agent.Result{}, agent.Failure(agent.Resource, "%s cannot be sent to %s: %w", in.Signal, p.id, err)
		}
		wait := graceful
		if in.Signal != "term" && in.Signal != "kill" { // it may well go on
			wait = 200 * time.Millisecond
		}
		if !within(ctx, p, wait) && in.Signal == "term" {
			procgroup.Kill(p.cmd)
			within(ctx, p, wait)
		}
	}
	status, _, changes := s.status(p)
	return agent.Result{Output: status, Changes: changes}, ctx.Err()
}

// within reports whether a process ends within a time.
func within(ctx context.Context, p *process, wait time.Duration) bool {
	select {
	case <-p.done:
	case <-time.After(wait):
	case <-ctx.Done():
	}
	return p.ended()
}

// processRow is a row of the list of processes.
type processRow struct {
	ID      string `json:"id"`
	PID     int    `json:"pid"`
	Command string `json:"command"`
	Running bool   `json:"running"`
	Exit    *int   `json:"exit_code,omitempty"`
}

func (s *Set) ps(context.Context, noneIn) ([]processRow, error) {
	s.processes.mu.Lock()
	defer s.processes.mu.Unlock()
	list := []processRow{}
	for _, p := range s.processes.list {
		r := processRow{ID: p.id, PID: p.cmd.Process.Pid, Command: printable.Short(p.command, 80), Running: !p.ended()}
		if !r.Running {
			r.Exit = &p.code
		}
		list = append(list, r)
	}
	return list, nil
}

// end ends all processes, and waits for them for a short time.
func (l *processes) end() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.over = true
	for _, p := range l.list {
		if !p.ended() {
			procgroup.Kill(p.cmd)
		}
	}
	for _, p := range l.list {
		within(context.Background(), p, graceful)
	}
}
