package tools

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"os/exec"
	"slices"
	"strings"
)

// Requirement is what an environment should have of one category.
type Requirement struct {
	Category string   `json:"category"`
	Tools    []string `json:"tools"`
}

//go:embed required.json
var required []byte

// ReadRequirements reads the document {"environment_tools": {"version": "1.0", "tools":
// [{"category": .., "tools": [..]}]}}.
func ReadRequirements(text []byte) ([]Requirement, error) {
	var file struct {
		Environment struct {
			Version string        `json:"version"`
			Tools   []Requirement `json:"tools"`
		} `json:"environment_tools"`
	}
	if err := json.Unmarshal(text, &file); err != nil {
		return nil, fmt.Errorf("tools: the requirements cannot be read: %w", err)
	}
	if v := file.Environment.Version; v != "1.0" {
		return nil, fmt.Errorf("tools: requirements of version %q, want 1.0", v)
	}
	return file.Environment.Tools, nil
}

// completeRequirements returns the requirements of a complete environment, with tools of
// all thirteen categories.
func completeRequirements() []Requirement {
	r, err := ReadRequirements(required)
	if err != nil {
		panic(err) // the document is part of the program, and tested
	}
	return r
}

// Coverage says how many of the required tools an environment has.
type Coverage struct {
	// Complete means that every category has at least one tool.
	Complete bool `json:"complete"`
	// Ready means that no tool is missing.
	Ready             bool      `json:"ready"`
	MissingCategories []string  `json:"missing_categories"`
	MissingTools      []Missing `json:"missing_tools"`
	// Percent is the percentage of the required tools that the environment has.
	Percent  float64       `json:"coverage_percent"`
	Required []Requirement `json:"required"`
}

// Missing is a required tool that an environment does not have.
type Missing struct {
	Name     string `json:"name"`
	Category string `json:"category"`
	// Reason says why the tool is missing.
	Reason string `json:"reason"`
	// Fallback is a tool of the environment that can do the same, and Advice says how; ""
	// if there is none.
	Fallback string `json:"fallback,omitempty"`
	Advice   string `json:"advice,omitempty"`
}

// Check returns the categories and tools that an environment lacks for a task in words. The
// task "" requires a complete environment. The other words choose the environment, as for
// [Set.Tools]; Check adds the tools for the languages and the type of work that the task
// mentions. The environment has a tool if it offers the tool under any of its names, or the
// tool that it is a variant of.
func (s *Set) Check(task string, words ...string) (Coverage, error) {
	names, err := s.Names(words...)
	if err != nil {
		return Coverage{}, err
	}
	t := readTask(task)
	s.mu.Lock()
	more, _ := s.provision(t.kinds) // tools whose programs are not installed count as missing
	s.mu.Unlock()
	return s.Coverage(t.requirements(), append(names, more...)), nil
}

// Coverage compares the named tools with requirements.
func (s *Set) Coverage(needs []Requirement, names []string) Coverage {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := Coverage{MissingCategories: []string{}, MissingTools: []Missing{}, Required: needs}
	required := 0
	for _, need := range needs {
		if !slices.ContainsFunc(names, func(name string) bool { return s.find(name).category == need.Category }) {
			out.MissingCategories = append(out.MissingCategories, need.Category)
		}
		for _, name := range need.Tools {
			required++
			if why := s.lacks(name, names); why != "" {
				missing := Missing{Name: name, Category: need.Category, Reason: why}
				missing.Fallback, missing.Advice = s.fallback(name, names)
				out.MissingTools = append(out.MissingTools, missing)
			}
		}
	}
	out.Complete, out.Ready = len(out.MissingCategories) == 0, len(out.MissingTools) == 0
	if out.Percent = 100; required > 0 {
		out.Percent = 100 * float64(required-len(out.MissingTools)) / float64(required)
	}
	return out
}

// lacks returns why none of the named tools can replace the tool with this name, or "".
func (s *Set) lacks(name string, names []string) string {
	e := s.find(name)
	if e == nil {
		return "there is no such tool"
	}
	if !s.installed(e.program) {
		return e.program + " is not installed"
	}
	if !slices.ContainsFunc(names, func(have string) bool { return e.isCalled(have) || e.like != "" && s.find(e.like).isCalled(have) }) {
		return "the environment does not offer it"
	}
	return ""
}

// UnknownToolAdvice returns a function for [agent.Config] that tells a model which of the
// named tools to use instead of a missing one. The function may return "".
func (s *Set) UnknownToolAdvice(names ...string) func(missing string) string {
	return func(missing string) string {
		s.mu.Lock()
		defer s.mu.Unlock()
		tool, advice := s.fallback(missing, names)
		if tool == "bash" {
			advice += " with bash"
		}
		if tool == "" {
			return ""
		}
		return "Instead, " + advice + "."
	}
}

// fallback returns one of the named tools that can replace a missing one, and how: a
// variant of it, or the shell. It returns "" if there is none. For names that the set
// does not know there is none.
func (s *Set) fallback(missing string, names []string) (tool, advice string) {
	e := s.find(missing)
	if e == nil {
		return "", ""
	}
	primary := e.name
	if e.like != "" {
		primary = e.like
	}
	for _, name := range names {
		if have := s.find(name); have != nil && name != missing && (have.name == primary || have.like == primary) {
			return name, "call " + name
		}
	}
	if e.shell != "" && slices.Contains(names, "bash") && s.installed(e.program) {
		return "bash", "run " + e.shell
	}
	return "", ""
}

// provision returns the names of the tools for tasks of these kinds. It leaves out tools
// whose programs are not installed, and returns an error that names the programs, besides
// the other tools.
func (s *Set) provision(kinds []string) (names []string, err error) {
	var missing []string
	for _, e := range s.entries {
		switch {
		case e.task == "", !slices.Contains(kinds, e.task):
		case s.installed(e.program):
			names = append(names, e.name)
		case !slices.Contains(missing, e.program):
			missing = append(missing, e.program)
		}
	}
	if len(missing) > 0 {
		return names, fmt.Errorf("tools: not installed: %s; install what the task needs, or go on without", strings.Join(missing, ", "))
	}
	return names, nil
}

// installed reports whether a program is installed; true for "".
func (s *Set) installed(program string) bool {
	if program == "" {
		return true
	}
	_, err := exec.LookPath(program)
	return err == nil
}
