package tools

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/toolparse/toolparse/agent"
	"github.com/toolparse/toolparse/internal/near"
	"github.com/toolparse/toolparse/internal/recent"
)

// Set holds the tools of one workspace, both built-in and added ones, and what they
// share. It is safe for concurrent use.
type Set struct {
	Dir string // the absolute path of the workspace
	// Curator shortens long files for read_file. It may be nil. Set it before the first
	// call of a tool.
	Curator Curator
	curated *recent.Cache[curatedKey, []Section]
	// Web says what the network tools may reach; the zero value means every public
	// address. Set it before the first call of a tool.
	Web Web

	real    string // Dir without links
	root    *os.Root
	writing sync.Mutex // held by the tool that changes files, one at a time
	bwrap   string     // the program that sandboxes commands; "" for no sandbox

	processes processes

	mu      sync.Mutex
	entries []*entry
	managed []*managed // the tools that were made
}

// Workspace opens the tools for a folder. Close the set when the tools are no longer
// used.
func Workspace(dir string) (*Set, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	real, err := filepath.EvalSymlinks(abs)
	if err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(abs)
	if err != nil {
		return nil, err
	}
	return &Set{Dir: abs, real: real, root: root, entries: table(), curated: recent.New[curatedKey, []Section](maxCurated, maxCurated)}, nil
}

// Add adds tools to every environment. It fails if a name is taken.
func (s *Set) Add(tools ...agent.Tool) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, tool := range tools {
		info := tool.Info()
		if e := s.find(info.Name); e != nil || info.Name == "" {
			return fmt.Errorf("tools: the name %q is taken, or empty", info.Name)
		}
		made := func(*Set, *entry, string) agent.Tool { return tool }
		s.entries = append(s.entries, &entry{name: info.Name, category: info.Category, added: tool, make: made})
	}
	return nil
}

// find returns the entry with this name, or nil.
func (s *Set) find(name string) *entry {
	if i := slices.IndexFunc(s.entries, func(e *entry) bool { return e.isCalled(name) }); i >= 0 {
		return s.entries[i]
	}
	return nil
}

// Tools returns the tools that the words choose, each once. A word is the name of a tool,
// a category, an environment ("minimal", "standard", "full", "swe-agent", "openhands"),
// or a kind of tasks ("rust", "devops"), which stands for those of its tools whose programs
// are installed. If a word is both a tool and a category, it is the tool. No words mean
// the standard environment. Tools fails on any other word.
func (s *Set) Tools(words ...string) ([]agent.Tool, error) {
	names, err := s.Names(words...)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	list := make([]agent.Tool, len(names))
	for i, name := range names {
		list[i] = s.tool(name)
	}
	return list, nil
}

// tool returns a tool, and makes it at the first call.
func (s *Set) tool(name string) agent.Tool {
	if i := slices.IndexFunc(s.managed, func(m *managed) bool { return m.name == name }); i >= 0 {
		return s.managed[i]
	}
	e := s.find(name)
	m := &managed{Tool: e.make(s, e, name), name: name}
	s.managed = append(s.managed, m)
	return m
}

// Names returns the names of the tools that the words choose, as for [Set.Tools].
func (s *Set) Names(words ...string) ([]string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(words) == 0 {
		words = []string{standard.String()}
	}
	var names []string
	for _, word := range words {
		chosen, err := s.named(word)
		if err != nil {
			return nil, err
		}
		for _, name := range chosen {
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return names, nil
}

// named returns the tools that one word stands for.
func (s *Set) named(word string) (names []string, err error) {
	if s.find(word) != nil {
		return []string{word}, nil
	}
	chosen := func(e *entry) bool { return e.category == word && e.from != onDemand }
	if i := slices.IndexFunc(environments, func(v environment) bool { return v.name == word }); i >= 0 {
		chosen = environments[i].has
	}
	for _, e := range s.entries {
		if chosen(e) {
			names = append(names, e.name)
		}
	}
	if len(names) == 0 {
		names, err = s.provision([]string{word})
	}
	switch {
	case len(names) > 0: // those that are installed
		return names, nil
	case err != nil:
		return nil, err
	}
	return nil, fmt.Errorf("tools: there is no tool %q%s", word, s.suggest(word))
}

func (s *Set) suggest(word string) string {
	var named []string
	for _, v := range environments {
		named = append(named, v.name)
	}
	words := slices.Concat(categories, named)
	for _, e := range s.entries {
		words = append(append(words, e.name), e.aliases...)
	}
	if found := near.Names(word, words, 3); len(found) > 0 {
		return "; did you mean " + strings.Join(found, " or ") + "?"
	}
	return "; there are the categories " + strings.Join(categories, ", ") + ", and the environments " + strings.Join(named, ", ")
}

// Entry describes a tool of a set.
type Entry struct {
	agent.Info
	Aliases      []string
	VariantOf    string // the tool that it is a variant of, if any
	Availability string // the smallest environment that offers it, or "on demand"
	Program      string // the program that must be installed, if any
}

// Entries returns all tools of the set, without their schemas, which [Set.Tools] returns.
func (s *Set) Entries() []Entry {
	s.mu.Lock()
	defer s.mu.Unlock()
	list := make([]Entry, len(s.entries))
	for i, e := range s.entries {
		list[i] = Entry{e.info(e.name), slices.Clone(e.aliases), e.like, e.from.String(), e.program}
	}
	return list
}

// Close ends the processes that tools have started, shuts down every tool that was
// initialised, even if one fails, and closes the workspace.
func (s *Set) Close() error {
	s.mu.Lock()
	list := s.managed
	s.mu.Unlock()
	s.processes.end()
	var failed []error
	for _, m := range slices.Backward(list) {
		failed = append(failed, m.shutdown())
	}
	return errors.Join(append(failed, s.root.Close())...)
}
