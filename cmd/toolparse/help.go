package main

import (
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"golang.org/x/term"
)

// helpWidth is the maximal width of help, in columns.
const helpWidth = 100

// width returns the width of tables and help: that in COLUMNS, or else that of the
// terminal. known is false if there is neither.
func (c *cli) width() (columns int, known bool) {
	const least = 40
	if n, err := strconv.Atoi(c.getenv("COLUMNS")); err == nil && n > 0 {
		return max(n, least), true
	}
	if f, ok := c.stdout.w.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		if n, _, err := term.GetSize(int(f.Fd())); err == nil && n > 0 {
			return max(n, least), true
		}
	}
	return helpWidth, false
}

// flagGroup is a group of a command's flags, with a title.
type flagGroup struct {
	title string
	*pflag.FlagSet
}

func newFlagGroup(title string) flagGroup {
	return flagGroup{title, pflag.NewFlagSet(title, pflag.ContinueOnError)}
}

// setHelp gives cmd the flags of the groups, and its help: groups, and then notes with
// further sections, such as exit codes. It also makes shells complete flags.
func (c *cli) setHelp(cmd *cobra.Command, notes string, groups ...flagGroup) {
	cmd.Flags().SortFlags = false
	for _, g := range groups {
		g.SortFlags = false
		cmd.Flags().AddFlagSet(g.FlagSet)
	}
	cmd.Flags().VisitAll(func(flag *pflag.Flag) { complete(cmd, flag) })
	cmd.SetHelpFunc(func(cmd *cobra.Command, _ []string) { c.writeHelp(cmd, notes, groups) })
}

// writeHelp writes a command's help to its output.
func (c *cli) writeHelp(cmd *cobra.Command, notes string, groups []flagGroup) {
	var b strings.Builder
	width, _ := c.width()
	width = min(width, helpWidth)
	about := cmd.Long
	if about == "" {
		about = cmd.Short + "."
	}
	fmt.Fprintf(&b, "%s\n\nUsage:\n  %s\n", strings.TrimSpace(about), useLine(cmd))
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
	for _, g := range groups {
		fmt.Fprintf(&b, "\n%s:\n%s", g.title, g.FlagUsagesWrapped(width))
	}
	if notes != "" {
		fmt.Fprintf(&b, "\n%s\n", strings.TrimSpace(notes))
	}
	if cmd.HasAvailableSubCommands() {
		path := strings.TrimPrefix(cmd.CommandPath(), cmd.Root().Name())
		fmt.Fprintf(&b, "\nRun %q for the flags of a command.\n", cmd.Root().Name()+" help"+path+" COMMAND")
	}
	fmt.Fprint(cmd.OutOrStdout(), b.String())
}

// useLine returns the usage line of a command.
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
