package tools

import (
	"context"
	"slices"
	"time"

	"github.com/toolparse/toolparse/agent"
)

// The categories of the built-in tools.
const (
	execution       = "execution"
	fileRead        = "file_read"
	fileWrite       = "file_write"
	fileManage      = "file_manage"
	directory       = "directory"
	search          = "search"
	git             = "git"
	testing         = "testing"
	validation      = "validation"
	processCategory = "process"
	network         = "network"
	reasoning       = "reasoning"
	control         = "control"
)

var categories = []string{
	execution, fileRead, fileWrite, fileManage, directory, search, git, testing, validation, processCategory, network, reasoning, control,
}

// availability is the smallest environment that offers a tool.
type availability uint8

// The environments.
const (
	minimal  availability = iota // a shell and files
	standard                     // also git, tests and the network
	full                         // all tools except those on demand
	onDemand                     // no environment: only by name, or for a task of its kind
)

var availabilityNames = []string{"minimal", "standard", "full", "on demand"}

func (a availability) String() string { return availabilityNames[a] }

// entry is a row of the table of built-in tools.
type entry struct {
	name        string
	description string
	aliases     []string // other names of the tool
	like        string   // the tool that this one is a variant of, for models that know its name
	category    string
	from        availability
	make        maker
	added       agent.Tool // the tool that [Set.Add] added; nil for a built-in one

	preview  func(s *Set, ctx context.Context, arguments []byte) (string, error)
	kind     agent.Kind
	risk     agent.Risk
	traits   traits
	timeout  time.Duration
	subjects []string
	commands []string
	paths    []string
	shell    string // how bash can do the same; "" if it cannot
	program  string // the program that must be installed
	task     string // the kind of tasks that need it: a language, or a type of work; "" for no kind
}

// traits are flags of a tool.
type traits uint8

const (
	parallel traits = 1 << iota
	repeatable
	terminal
	approval // the user is always asked
	once     // a permission covers the session

	reads = parallel | repeatable
)

// maker makes the tool of an entry.
type maker func(s *Set, e *entry, name string) agent.Tool

// does returns a maker for a tool whose parameters are the fields of In, and whose result is
// any that [agent.NewTool] takes.
func does[In, Out any](run func(s *Set, ctx context.Context, in In) (Out, error)) maker {
	return func(s *Set, e *entry, name string) agent.Tool {
		bound := func(ctx context.Context, in In) (Out, error) { return run(s, ctx, in) }
		return agent.NewTool(name, e.description, bound, func(i *agent.Info) {
			definition := i.ToolDefinition
			*i = e.info(name)
			i.ToolDefinition = definition
			if e.preview != nil {
				i.Preview = func(ctx context.Context, call agent.Call) (string, error) { return e.preview(s, ctx, call.Arguments) }
			}
		})
	}
}

// writes returns a maker for a tool that changes files. Such tools run one at a time.
func writes[In any](run func(s *Set, ctx context.Context, in In) (agent.Result, error)) maker {
	return does(func(s *Set, ctx context.Context, in In) (agent.Result, error) {
		s.writing.Lock()
		defer s.writing.Unlock()
		return run(s, ctx, in)
	})
}

// info returns what is known about the tool before it is made.
func (e *entry) info(name string) agent.Info {
	if e.added != nil {
		return e.added.Info()
	}
	i := agent.Info{
		Kind: e.kind, Category: e.category, Risk: e.risk, Timeout: e.timeout, Subjects: e.subjects, Commands: e.commands, Paths: e.paths, Parallel: e.traits&parallel != 0,
		Repeatable: e.traits&repeatable != 0, Terminal: e.traits&terminal != 0, NeedsApproval: e.traits&approval != 0, AskOnce: e.traits&once != 0,
	}
	i.Name, i.Description = name, e.description
	return i
}

func (e *entry) isCalled(name string) bool { return e.name == name || slices.Contains(e.aliases, name) }

// table returns the rows of the built-in tools.
func table() []*entry {
	return slices.Concat(
		executionTools, readTools, writeTools, editTools, patchTools, manageTools, directoryTools, searchTools, gitTools, testTools, validationTools, lintTools, processTools, networkTools, programs, reasoningTools, thoughtTools, controlTools,
	)
}

// onPath are the paths of a tool with one path.
var onPath = []string{"path"}

// environment is a row of the availability matrix: a kind of environment, and what it
// offers of each group of categories.
type environment struct {
	name    string
	level   availability // offers tools up to this one
	without []string
}

var environments = []environment{
	{name: "minimal", level: minimal},
	{name: "standard", level: standard},
	{name: "full", level: full},
	{name: "swe-agent", level: standard, without: []string{network}},
	{name: "openhands", level: full},
}

// has reports whether the environment offers a tool. It offers no variants: a model that
// sees two tools for one purpose picks one at random.
func (v *environment) has(e *entry) bool {
	return e.from <= v.level && e.like == "" && !slices.Contains(v.without, e.category)
}
