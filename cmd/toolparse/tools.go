package main

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/toolparse/toolparse/format"
	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/wire"
	"github.com/toolparse/toolparse/internal/wire/all"
)

func (c *cli) toolsCommand() *cobra.Command {
	var f builtinFlags
	cmd := &cobra.Command{
		Use:   "tools [flags] [FILE...]",
		Short: "Convert tool definitions between providers, or print the built-in tools",
		Long: `tools reads tool lists in the form of OpenAI, Anthropic, Gemini or MCP and prints
them as one list in the form of a provider. Standard error reports what that form
cannot express.

Without input it lists the built-in tools of toolparse run. With --as, it prints the
definitions of the tools that --tools names (default: the standard ones) for a provider.`,
		Example: `  # The tools of an MCP server, for Gemini
  echo '{"tools": [{"name": "add", "inputSchema": {"properties": {"a": {"type": "integer"}}}}]}' >/tmp/mcp.json
  toolparse tools --as gemini /tmp/mcp.json

  # The built-in tools for files, and what a task needs beyond the minimal ones
  toolparse tools --tools file_read,file_write
  toolparse tools --tools minimal --check "Fix the failing tests and commit"`,
		RunE: func(cmd *cobra.Command, args []string) error {
			f.checks = cmd.Flags().Changed("check")
			if len(args) == 0 && (f.isGiven() || c.nothingToRead()) {
				return c.builtinTools(f)
			}
			if f.isGiven() {
				return usagef("--tools, --check, --require and --json are for the built-in tools, without a FILE")
			}
			return c.printTools(cmp.Or(f.as, format.OpenAI), fileNames(args))
		},
	}
	g := newFlagGroup("Output")
	g.Var(oneOf(&f.as, wires()), "as", "print the tools in the form of `WIRE`: "+wireWords()+" (default openai)")
	c.addLossFlag(g)
	built := newFlagGroup("Built-in tools")
	built.StringSliceVar(&f.words, "tools", nil, "print only `NAME,...`: tools, categories, languages, or the environments minimal, standard and full")
	built.StringVar(&f.check, "check", "", "list the tools that `TASK`, described in words, needs, and those that --tools (default standard) lacks; \"\" for any task")
	built.StringVar(&f.require, "require", "", "list the tools that the environment_tools document in `FILE` requires, and which of them are missing")
	built.BoolVar(&f.json, "json", false, "print JSON")
	c.setHelp(cmd, "", g, built)
	return cmd
}

func (c *cli) printTools(w format.Wire, names []string) error {
	list, err := c.readToolList(names)
	if err != nil {
		return err
	}
	c.tellWarnings(list, nil)
	for _, hosted := range list.Hosted {
		c.warn("skipped tool %q: only its own provider runs it", hosted)
	}
	return c.writeTools(w, list.Tools, names[0])
}

// writeTools prints tools in the form of a provider, and what it cannot express.
func (c *cli) writeTools(w format.Wire, list []chat.Tool, name string) error {
	codec, err := all.CodecOf(w)
	if err != nil {
		return err
	}
	text, losses := codec.EncodeTools(list, wire.Options{})
	c.tellLosses(name, losses)
	_, err = fmt.Fprintln(c.stdout, strings.TrimRight(string(text), "\n"))
	return err
}
