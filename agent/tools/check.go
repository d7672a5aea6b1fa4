package tools

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"slices"
)

// Requirements are the tools that an environment should have, by category.
type Requirements []Requirement

// Requirement is what an environment should have of one category.
type Requirement struct {
	Category Category `json:"category"`
	Tools    []string `json:"tools"`
}

type requirementsFile struct {
	Environment struct {
		Version string       `json:"version"`
		Minimum bool         `json:"minimum_required"`
		Tools   Requirements `json:"tools"`
	} `json:"environment_tools"`
}

//go:embed required.json
var required []byte

// ReadRequirements reads the document {"environment_tools": {"version": "1.0", "tools":
// [{"category": .., "tools": [..]}]}}.
func ReadRequirements(text []byte) (Requirements, error) {
	var file requirementsFile
	if err := json.Unmarshal(text, &file); err != nil {
		return nil, fmt.Errorf("tools: the requirements cannot be read: %w", err)
	}
	if v := file.Environment.Version; v != "1.0" {
		return nil, fmt.Errorf("tools: requirements of version %q, want 1.0", v)
	}
	return file.Environment.Tools, nil
}

// Document returns the requirements as [ReadRequirements] reads them.
func (r Requirements) Document() ([]byte, error) {
	var file requirementsFile
	file.Environment.Version, file.Environment.Minimum, file.Environment.Tools = "1.0", true, r
	return json.MarshalIndent(file, "", "  ")
}

// CompleteRequirements are the requirements of a complete environment: the thirteen categories.
func CompleteRequirements() Requirements {
	r, err := ReadRequirements(required)
	if err != nil {
		panic(err) // it is part of the program, and a test reads it
	}
	return r
}

// Coverage says how far an environment has what is required.
type Coverage struct {
	// Complete: no category is without any tool.
	Complete bool `json:"complete"`
	// Ready: no tool is missing.
	Ready             bool       `json:"ready"`
	MissingCategories []Category `json:"missing_categories"`
	MissingTools      []Missing  `json:"missing_tools"`
	// Percent is the share of the required tools that are there.
	Percent  float64      `json:"coverage_percent"`
	Required Requirements `json:"required"`
}

// Missing is a tool that an environment should have.
type Missing struct {
	Name     string   `json:"name"`
	Category Category `json:"category"`
	// Reason is why the tool is not there.
	Reason string `json:"reason"`
	// Fallback is a tool of the environment that can do the same, and Advice how; "" where
	// there is none.
	Fallback string `json:"fallback,omitempty"`
	Advice   string `json:"advice,omitempty"`
}

// Check says which categories and tools an environment lacks for a task; of a task that
// needs nothing special it is what a complete environment has. The words choose the
// environment, as for [Set.Tools]; what [Set.Provision] finds for the task is in it, too. A
// tool counts as there where the environment has it under any of its names, or one that it
// is another form of.
func (s *Set) Check(task Task, words ...string) (Coverage, error) {
	names, err := s.Names(words...)
	if err != nil {
		return Coverage{}, err
	}
	more, _ := s.Provision(task) // what is not installed is missing
	return s.Coverage(task.Requirements(), append(names, more...)), nil
}

// Coverage holds an environment of the tools that are named against requirements.
func (s *Set) Coverage(needs Requirements, names []string) Coverage {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := Coverage{MissingCategories: []Category{}, MissingTools: []Missing{}, Required: needs}
	wanted, there := 0, 0
	for _, need := range needs {
		if !slices.ContainsFunc(names, func(name string) bool { return s.find(name).category == need.Category }) {
			out.MissingCategories = append(out.MissingCategories, need.Category)
		}
		for _, name := range need.Tools {
			wanted++
			if why := s.lacks(name, names); why != "" {
				missing := Missing{Name: name, Category: need.Category, Reason: why}
				missing.Fallback, missing.Advice = s.fallback(name, names)
				out.MissingTools = append(out.MissingTools, missing)
				continue
			}
			there++
		}
	}
	out.Complete, out.Ready = len(out.MissingCategories) == 0, len(out.MissingTools) == 0
	if out.Percent = 100; wanted > 0 {
		out.Percent = 100 * float64(there) / float64(wanted)
	}
	return out
}

// lacks returns why none of the tools does what the one of this name does, or "".
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

// UnknownToolAdvice returns what to say to a model that calls a tool which is not among those that
// are named, for [agent.Config]: how to do it with one that is. It may be "".
func (s *Set) UnknownToolAdvice(names ...string) func(missing string) string {
	return func(missing string) string {
		tool, advice := s.Fallback(missing, names)
		if tool == "bash" {
			advice += " with bash"
		}
		if tool == "" {
			return ""
		}
		return "Instead, " + advice + "."
	}
}

// Fallback returns a tool among those that are named which can stand in for a missing one,
// and how: another form of it, or the shell. It returns "" where there is none. Tools that
// the set does not have stand in for nothing.
func (s *Set) Fallback(missing string, names []string) (tool, advice string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.fallback(missing, names)
}

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
