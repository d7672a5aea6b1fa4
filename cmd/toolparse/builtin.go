package main

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/toolparse/toolparse/agent/tools"
	"github.com/toolparse/toolparse/format"
	"github.com/toolparse/toolparse/format/chat"
)

// builtinFlags are the flags of the tools command for the built-in tools.
type builtinFlags struct {
	words   []string
	check   string
	checks  bool   // --check is set; check may be ""
	require string // a file
	json    bool
	as      format.Wire // "" if not set
}

func (f *builtinFlags) isGiven() bool { return f.words != nil || f.checks || f.require != "" || f.json }

// nothingToRead reports whether standard input is a terminal, or empty.
func (c *cli) nothingToRead() bool {
	if c.stdin == nil || isTerminal(c.stdin) {
		return true
	}
	in := bufio.NewReader(c.stdin)
	c.stdin = in
	_, err := in.Peek(1)
	return err == io.EOF
}

// builtinTools prints the built-in tools, or how they cover a task.
func (c *cli) builtinTools(f builtinFlags) error {
	set, err := tools.Workspace(".")
	if err != nil {
		return err
	}
	defer set.Close()
	names, err := set.Names(f.words...)
	if err != nil {
		return usageOf("tools", err)
	}
	switch {
	case f.checks:
		coverage, err := set.Check(f.check, f.words...)
		if err != nil {
			return err
		}
		return c.tellCoverage(coverage, f.json)
	case f.require != "":
		text, err := c.readFile(f.require)
		if err != nil {
			return err
		}
		needs, err := tools.ReadRequirements(text)
		if err != nil {
			return fmt.Errorf("%s: %s", showName(f.require), strings.TrimPrefix(err.Error(), "tools: "))
		}
		return c.tellCoverage(set.Coverage(needs, names), f.json)
	case f.as != "":
		return c.builtinList(set, f.as, names)
	}
	entries := set.Entries()
	if f.words != nil {
		entries = slices.DeleteFunc(entries, func(e tools.Entry) bool {
			return !slices.ContainsFunc(append(e.Aliases, e.Name), func(name string) bool { return slices.Contains(names, name) })
		})
	}
	if f.json {
		return c.builtinLines(entries)
	}
	w := c.newTable()
	fmt.Fprintln(w, "NAME\tCATEGORY\tRISK\tFROM\tOTHER NAMES")
	for _, e := range entries {
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\n", e.Name, e.Category, e.Risk, e.Availability, cmp.Or(strings.Join(e.Aliases, ", "), "-"))
	}
	return w.Flush()
}

func (c *cli) builtinLines(entries []tools.Entry) error {
	for _, e := range entries {
		line := struct {
			Name         string   `json:"name"`
			Description  string   `json:"description"`
			Category     string   `json:"category"`
			Risk         string   `json:"risk"`
			Availability string   `json:"availability"`
			Aliases      []string `json:"aliases,omitempty"`
			Like         string   `json:"like,omitempty"`
			Program      string   `json:"program,omitempty"`
			Parallel     bool     `json:"parallel"`
			Terminal     bool     `json:"terminal,omitempty"`
		}{e.Name, e.Description, e.Category, e.Risk.String(), e.Availability, e.Aliases, e.VariantOf, e.Program, e.Parallel, e.Terminal}
		if err := writeLine(c.stdout, line); err != nil {
			return err
		}
	}
	return nil
}

// builtinList prints tools in the form of a provider.
func (c *cli) builtinList(set *tools.Set, w format.Wire, names []string) error {
	list, err := set.Tools(names...)
	if err != nil {
		return err
	}
	definitions := make([]chat.Tool, len(list))
	for i, tool := range list {
		definitions[i] = chat.Tool{ToolDefinition: tool.Info().ToolDefinition}
	}
	return c.writeTools(w, definitions, "built-in tools")
}

// tellCoverage prints the required tools, and which of them are missing.
func (c *cli) tellCoverage(coverage tools.Coverage, asJSON bool) error {
	if asJSON {
		return writeLine(c.stdout, coverage)
	}
	missing := map[string]tools.Missing{}
	for _, m := range coverage.MissingTools {
		missing[m.Name] = m
	}
	w := c.newTable()
	fmt.Fprintln(w, "CATEGORY\tTOOL\tANSWER")
	required := 0
	for _, need := range coverage.Required {
		for _, name := range need.Tools {
			required++
			answer := "available"
			if m, lacks := missing[name]; lacks {
				answer = "missing: " + m.Reason
				if m.Fallback != "" {
					answer += "; instead " + m.Advice
					if m.Fallback == "bash" {
						answer += " with bash"
					}
				}
			}
			fmt.Fprintf(w, "%s\t%s\t%s\n", need.Category, name, answer)
		}
	}
	if err := w.Flush(); err != nil {
		return err
	}
	verdict := "complete"
	switch {
	case !coverage.Complete:
		verdict = "incomplete: no tool of " + strings.Join(coverage.MissingCategories, ", ")
	case !coverage.Ready:
		verdict = "every category has a tool, but some tools are missing"
	}
	_, err := fmt.Fprintf(c.stdout, "%s; %d of %d tools, %.0f%%\n", verdict, required-len(missing), required, coverage.Percent)
	return err
}
