package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/toolparse/toolparse/internal/toolfile"
	"github.com/toolparse/toolparse/toolcall"
)

// oneOf is a flag that takes one of a few words.
type oneOf struct {
	value *string
	words []string
}

func (f oneOf) String() string { return *f.value }
func (f oneOf) Type() string   { return "string" }

func (f oneOf) Set(s string) error {
	if slices.Contains(f.words, s) {
		*f.value = s
		return nil
	}
	return fmt.Errorf("expected one of %s, got %q", strings.Join(f.words, ", "), s)
}

// count is a flag that takes a whole number from least on.
type count struct {
	value *int
	least int
}

func (f count) Type() string { return "int" }

// String shows no default where 0, below least, leaves it to the library.
func (f count) String() string {
	if *f.value < f.least {
		return ""
	}
	return strconv.Itoa(*f.value)
}

func (f count) Set(s string) error {
	n, err := strconv.Atoi(s)
	if err != nil || n < f.least {
		return fmt.Errorf("expected a whole number of at least %d, got %q", f.least, s)
	}
	*f.value = n
	return nil
}

// readTools reads the tool definitions of several files. A tool may be in only
// one of them.
func readTools(files []string) ([]toolcall.ToolDefinition, error) {
	list, err := readToolList(files)
	return list.Tools, err
}

// taughtTools reads the tools that a model is taught, and tells of those that it is
// not.
func (c *cli) taughtTools(files []string) ([]toolcall.ToolDefinition, error) {
	list, err := readToolList(files)
	for _, name := range list.Hosted {
		c.warn("skipped tool %q: its provider runs and declares it", name)
	}
	return list.Tools, err
}

func readToolList(files []string) (toolfile.List, error) {
	var all toolfile.List
	home := map[string]string{}
	for _, file := range files {
		list, err := toolfile.Read(file)
		if err != nil {
			return toolfile.List{}, err
		}
		for _, t := range list.Tools {
			if first, dup := home[t.Name]; dup {
				return toolfile.List{}, fmt.Errorf("%s: tool %q is also declared in %s", file, t.Name, first)
			}
			home[t.Name] = file
		}
		all.Tools, all.Hosted = append(all.Tools, list.Tools...), append(all.Hosted, list.Hosted...)
	}
	return all, nil
}
