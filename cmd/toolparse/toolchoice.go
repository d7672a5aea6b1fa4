package main

import (
	"slices"
	"strings"

	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/toolcall"
)

// choiceFlags are the flags of the commands that tell a model its tools.
type choiceFlags struct {
	tools    []string
	choice   string
	allow    []string // nil if the flag is not set
	parallel bool
}

// declare declares the flags. words lists the values of --choice, and allow describes --allow.
func (f *choiceFlags) declare(g flagGroup, words, allow string) {
	g.StringArrayVarP(&f.tools, "tools", "t", nil, "a `FILE` with tools, in the shape of OpenAI, Anthropic, Gemini or MCP; may be repeated")
	g.StringVar(&f.choice, "choice", "auto", "tool `CHOICE`: "+words+", or the name of the one tool to call")
	g.StringSliceVar(&f.allow, "allow", nil, allow)
	g.BoolVar(&f.parallel, "parallel", true, "allow several calls in one answer")
}

// toolChoice returns the choice of tools for the command with this name.
func (f *choiceFlags) toolChoice(command string) (chat.ToolChoice, error) {
	var choice chat.ToolChoice
	switch {
	case len(f.tools) == 0:
		return choice, usagef("%s needs -t TOOLS", command)
	case f.allow != nil && len(f.allow) == 0 || slices.Contains(f.allow, ""):
		return choice, usagef("--allow: expected NAMES of tools, none of them empty")
	}
	switch f.choice {
	case "", "auto":
		return chat.ToolChoice{Mode: chat.ChoiceAuto, Tools: f.allow}, nil
	case "none":
		return chat.ToolChoice{Mode: chat.ChoiceNone}, nil
	case "required":
		return chat.ToolChoice{Mode: chat.ChoiceRequired, Tools: f.allow}, nil
	}
	if f.allow != nil && !slices.Contains(f.allow, f.choice) {
		return choice, usagef("--choice %s: --allow permits only %s", f.choice, strings.Join(f.allow, ", "))
	}
	return chat.ToolChoice{Mode: chat.ChoiceOne, Tools: []string{f.choice}}, nil
}

// teach reads tools and passes them to write. It fails if the choice names other tools. It
// warns about tools that the provider runs itself, and about misspelt words, unless the error
// already names them.
func (c *cli) teach(files []string, choice chat.ToolChoice, write func([]toolcall.ToolDefinition) error) error {
	list, err := c.readToolList(files)
	if err != nil {
		return err
	}
	for _, name := range list.Hosted {
		c.warn("skipped tool %q: its provider runs and declares it", name)
	}
	tools := list.Definitions()
	if err = checkChoice(choice, tools); err == nil {
		err = write(tools)
	}
	c.tellWarnings(list, err)
	return err
}

// checkChoice checks that the tools of --choice and --allow are among those of -t.
func checkChoice(choice chat.ToolChoice, tools []toolcall.ToolDefinition) error {
	var known []string
	for _, t := range tools {
		known = append(known, t.Name)
	}
	for _, name := range choice.Tools {
		if !slices.Contains(known, name) {
			return usagef("--choice and --allow: no tool has the name %q%s", name, didYouMean(name, known))
		}
	}
	return nil
}
