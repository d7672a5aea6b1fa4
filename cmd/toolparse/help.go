package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// helpWidth is where lines of help are broken.
const helpWidth = 100

// helpPage is what a command's help shows beside its texts.
type helpPage struct {
	groups []flagGroup
	notes  string // further sections, such as exit codes
}

// flagGroup is a part of a command's flags under a title of its own.
type flagGroup struct {
	title string
	flags *pflag.FlagSet
}

func newFlagGroup(title string) flagGroup {
	return flagGroup{title, pflag.NewFlagSet(title, pflag.ContinueOnError)}
}

// setHelp gives cmd the flags of the page's groups, and its help.
func setHelp(cmd *cobra.Command, page helpPage) {
	cmd.Flags().SortFlags = false
	for _, g := range page.groups {
		g.flags.SortFlags = false
		cmd.Flags().AddFlagSet(g.flags)
	}
	cmd.SetHelpFunc(func(cmd *cobra.Command, _ []string) { writeHelp(cmd, page) })
}

// writeHelp writes a command's help to its output.
func writeHelp(cmd *cobra.Command, page helpPage) {
	var b strings.Builder
	about := cmd.Long
	if about == "" {
		about = cmd.Short + "."
	}
	fmt.Fprintf(&b, "%s\n\nUsage:\n  %s\n", about, useLine(cmd))
	if cmd.HasAvailableSubCommands() {
		b.WriteString("\nCommands:\n")
		for _, sub := range cmd.Commands() {
			if sub.IsAvailableCommand() || sub.Name() == "help" {
				fmt.Fprintf(&b, "  %-12s%s\n", sub.Name(), sub.Short)
			}
		}
	}
	if cmd.Example != "" {
		fmt.Fprintf(&b, "\nExamples:\n%s\n", cmd.Example)
	}
	for _, g := range page.groups {
		fmt.Fprintf(&b, "\n%s:\n%s", g.title, g.flags.FlagUsagesWrapped(helpWidth))
	}
	if page.notes != "" {
		fmt.Fprintf(&b, "\n%s\n", strings.TrimSpace(page.notes))
	}
	if cmd.HasAvailableSubCommands() {
		fmt.Fprintf(&b, "\nRun %q for the flags of a command.\n", cmd.CommandPath()+" help COMMAND")
	}
	fmt.Fprint(cmd.OutOrStdout(), b.String())
}

// useLine is how a command is called.
func useLine(cmd *cobra.Command) string {
	if cmd.HasParent() {
		return cmd.Parent().CommandPath() + " " + cmd.Use
	}
	return cmd.CommandPath() + " COMMAND [flags] [FILE...]"
}

func (c *cli) helpCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND]",
		Short: "Show the help of a command",
		Args:  cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			root := cmd.Root()
			about, rest, err := root.Find(args)
			if err != nil || len(rest) > 0 || about == root && len(args) > 0 {
				return usagef("unknown command %q%s", strings.Join(args, " "), didYouMean(args[0], commandNames(root)))
			}
			about.InitDefaultHelpFlag()
			return about.Help()
		},
		ValidArgsFunction: func(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			if len(args) > 0 {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			return commandNames(cmd.Root()), cobra.ShellCompDirectiveNoFileComp
		},
	}
}
