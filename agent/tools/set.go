package tools

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/toolparse/toolparse/agent"
	"github.com/toolparse/toolparse/internal/near"
)

// Set is the tools of one environment: the built-in ones, which work in one folder, and
// those that were added. It is what they share. It is safe for concurrent use.
type Set struct {
	Dir string // the absolute path of the workspace
	// Curator shortens long files for read_file; nil: nobody does. It is set before a tool
	// is called.
	Curator Curator
	curated curated
	// Web is what the network tools may reach: every public address, where it is zero. It is
	// set before a tool is called.
	Web Web

	real    string // the same, without links
	root    *os.Root
	writing sync.Mutex // one tool changes files at a time
	bwrap   string     // the program that confines commands; "" where nothing does

	processes processes

	mu      sync.Mutex
	entries []entry
	made    map[string]*managed
}

// Workspace returns the tools for a folder. It is open until the tools are of no more use:
// close it then.
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
	return &Set{Dir: abs, real: real, root: root, entries: table(), made: map[string]*managed{}}, nil
}

// Add adds tools, in every environment. It fails on a name that is taken.
func (s *Set) Add(tools ...agent.Tool) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, tool := range tools {
		info := tool.Info()
		if e := s.find(info.Name); e != nil || info.Name == "" {
			return fmt.Errorf("tools: the name %q is taken, or empty", info.Name)
		}
		e := entry{name: info.Name, category: info.Category, added: tool}
		e.make = func(*Set, *entry, string) (agent.Tool, error) { return tool, nil }
		s.entries = append(s.entries, e)
	}
	return nil
}

// find returns the entry of a name, or nil.
func (s *Set) find(name string) *entry {
	if i := slices.IndexFunc(s.entries, func(e entry) bool { return e.isCalled(name) }); i >= 0 {
		return &s.entries[i]
	}
	return nil
}

// Tools returns the tools that the words choose, each once: names of tools, categories,
// environments ("minimal", "standard", "full", "swe-agent", "openhands"), and languages and
// types of tasks ("rust", "devops"), which stand for what [Set.Provision] finds. Without a
// word it is the standard environment. Of a word that is a tool and a category it is the
// tool. It fails on a word that is none of these.
func (s *Set) Tools(words ...string) ([]agent.Tool, error) {
	names, err := s.Names(words...)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	list := make([]agent.Tool, len(names))
	for i, name := range names {
		if list[i], err = s.tool(name); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// tool makes a tool when it is first asked for.
func (s *Set) tool(name string) (agent.Tool, error) {
	if m := s.made[name]; m != nil {
		return m, nil
	}
	e := s.find(name)
	tool, err := e.make(s, e, name)
	if err != nil {
		return nil, err
	}
	m := manage(tool)
	s.made[name] = m
	return m, nil
}

// Names returns the names of the tools that the words choose; see [Set.Tools].
func (s *Set) Names(words ...string) ([]string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(words) == 0 {
		words = []string{Standard.String()}
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

// named are the tools that one word stands for.
func (s *Set) named(word string) (names []string, err error) {
	if s.find(word) != nil {
		return []string{word}, nil
	}
	environment := environmentOf(word)
	for i := range s.entries {
		if e := &s.entries[i]; environment != nil && environment.has(e) || environment == nil && e.category == word && e.from != OnDemand {
			names = append(names, e.name)
		}
	}
	if len(names) == 0 {
		names, err = s.provision(Task{Languages: []string{word}, Types: []string{word}})
	}
	switch {
	case len(names) > 0: // as many as are installed
		return names, nil
	case err != nil:
		return nil, err
	}
	return nil, fmt.Errorf("tools: there is no tool %q%s", word, s.suggest(word))
}

func (s *Set) suggest(word string) string {
	words := slices.Concat(categories, environmentNames())
	for i := range s.entries {
		words = append(append(words, s.entries[i].name), s.entries[i].aliases...)
	}
	if found := near.Names(word, words, 3); len(found) > 0 {
		return "; did you mean " + strings.Join(found, " or ") + "?"
	}
	return "; there are the categories " + strings.Join(categories, ", ") + ", and the environments " + strings.Join(environmentNames(), ", ")
}

// Entry describes a tool of a set.
type Entry struct {
	agent.Info
	Aliases      []string
	VariantOf    string // the tool that this one is another form of; "" for most
	Availability Availability
	Program      string // what must be installed for it; "" for most
}

// Entries returns all tools of the set, also those that nobody has asked for. Their
// schemas are in [Set.Tools] alone.
func (s *Set) Entries() []Entry {
	s.mu.Lock()
	defer s.mu.Unlock()
	list := make([]Entry, len(s.entries))
	for i := range s.entries {
		e := &s.entries[i]
		list[i] = Entry{e.info(e.name), slices.Clone(e.aliases), e.like, e.from, e.program}
	}
	return list
}

// Categories returns the categories of the tools that the words choose, in their order;
// see [Set.Tools].
func (s *Set) Categories(words ...string) ([]Category, error) {
	names, err := s.Names(words...)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	var list []Category
	for _, name := range names {
		if c := s.find(name).category; !slices.Contains(list, c) {
			list = append(list, c)
		}
	}
	return list, nil
}

// Initialize makes the tools of these names ready, which otherwise happens with the first
// call of each. It returns the errors of all.
func (s *Set) Initialize(ctx context.Context, names ...string) error {
	s.mu.Lock()
	var failed []error
	var list []*managed
	for _, name := range names {
		if s.find(name) == nil {
			failed = append(failed, fmt.Errorf("tools: there is no tool %q%s", name, s.suggest(name)))
			continue
		}
		if _, err := s.tool(name); err != nil {
			failed = append(failed, err)
			continue
		}
		list = append(list, s.made[name])
	}
	s.mu.Unlock()
	for _, m := range list {
		failed = append(failed, m.initialize(ctx))
	}
	return errors.Join(failed...)
}

// Shutdown ends the processes that tools have started, and the tools that were
// initialised, each once, and gives the workspace up.
// All of them are told, also where one fails.
func (s *Set) Shutdown(ctx context.Context) error {
	s.mu.Lock()
	var list []*managed
	for i := range s.entries { // in their order
		for _, name := range append([]string{s.entries[i].name}, s.entries[i].aliases...) {
			if m := s.made[name]; m != nil {
				list = append(list, m)
			}
		}
	}
	s.mu.Unlock()
	s.processes.end()
	var failed []error
	for _, m := range slices.Backward(list) {
		failed = append(failed, m.shutdown(ctx))
	}
	return errors.Join(append(failed, s.root.Close())...)
}

// Close is Shutdown without a limit of time.
func (s *Set) Close() error { return s.Shutdown(context.Background()) }
