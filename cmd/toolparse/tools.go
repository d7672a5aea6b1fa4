package main

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/toolparse/toolparse/format"
	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/toolfile"
)

func (c *cli) toolsCommand() *cobra.Command {
	as := string(format.OpenAI)
	cmd := &cobra.Command{
		Use:   "tools [--as WIRE] [FILE...]",
		Short: "Print tool definitions in the shape of a provider",
		Long: `tools reads tool lists in the shape of OpenAI, Anthropic, Gemini or MCP and prints
them as one list in the shape of a provider. Standard error reports what that shape
cannot express.`,
		Example: `  # The tools of an MCP server, for Gemini
  toolparse tools --as gemini mcp-tools.json`,
		RunE: func(_ *cobra.Command, args []string) error { return c.printTools(format.Wire(as), fileNames(args)) },
	}
	g := newFlagGroup("Output")
	g.flags.Var(oneOf{value: &as, words: wireNames()[2:]}, "as", "print the shape of `WIRE`: openai, responses, anthropic, gemini or ollama")
	c.addLossFlag(g)
	setHelp(cmd, helpPage{groups: []flagGroup{g}})
	completeWords(cmd, "as", wireNames()[2:])
	return cmd
}

func (c *cli) printTools(w format.Wire, names []string) error {
	codec, err := format.CodecOf(w)
	if err != nil {
		return err
	}
	var tools []chat.Tool
	home := map[string]string{}
	for _, name := range names {
		text, err := c.readAll(name)
		if err != nil {
			c.warn("%s: %v", showName(name), err)
			return errReported
		}
		list, err := toolfile.ParseList([]byte(text))
		if err != nil {
			c.warn("%s: %v", showName(name), err)
			return errReported
		}
		for _, hosted := range list.Hosted {
			c.warn("%s: skipped tool %q: only its own provider runs it", showName(name), hosted)
		}
		for _, d := range list.Tools {
			if first, dup := home[d.Name]; dup {
				c.warn("%s: tool %q is also declared in %s", showName(name), d.Name, showName(first))
				return errReported
			}
			home[d.Name] = name
			tools = append(tools, chat.Tool{ToolDefinition: d})
		}
	}
	list, losses, err := codec.EncodeTools(tools, chat.Options{})
	if err != nil {
		return err
	}
	c.tellLosses(names[0], losses)
	_, err = c.stdout.Write([]byte(strings.TrimRight(string(list), "\n") + "\n"))
	return err
}
