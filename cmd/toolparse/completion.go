package main

import (
	"io"
	"slices"
	"strings"

	"github.com/toolparse/toolparse/dialect"

	"github.com/spf13/cobra"
)

func (c *cli) completionCommand() *cobra.Command {
	shells := []string{"bash", "zsh", "fish"}
	return &cobra.Command{
		Use:   "completion bash|zsh|fish",
		Short: "Print a completion script for a shell",
		Long: `completion writes a script that lets your shell complete commands, flags,
dialects, wires and outputs. The script for bash needs the package bash-completion.`,
		Example: `  source <(toolparse completion bash)
  toolparse completion zsh > "${fpath[1]}/_toolparse"
  toolparse completion fish > ~/.config/fish/completions/toolparse.fish`,
		ValidArgs: shells,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usagef("expected one shell: %s", strings.Join(shells, ", "))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			write, known := map[string]func(io.Writer) error{
				"bash": func(w io.Writer) error { return cmd.Root().GenBashCompletionV2(w, true) },
				"zsh":  cmd.Root().GenZshCompletion,
				"fish": func(w io.Writer) error { return cmd.Root().GenFishCompletion(w, true) },
			}[args[0]]
			if !known {
				return usagef("unknown shell %q%s", args[0], didYouMean(args[0], shells))
			}
			return write(c.stdout)
		},
	}
}

// completeShared completes the flags that several commands share. It also completes
// files for --dialect.
func completeShared(root *cobra.Command) {
	for _, cmd := range root.Commands() {
		if cmd.Flags().Lookup("dialect") != nil {
			names := dialectNames()
			if cmd.Name() == "generate" {
				names = append([]string{"all"}, names...)
			}
			complete(cmd, "dialect", names, cobra.ShellCompDirectiveDefault)
		}
		if cmd.Flags().Lookup("model") != nil {
			completeWith(cmd, "model", modelNames, cobra.ShellCompDirectiveNoFileComp)
		}
		if cmd.Flags().Lookup("choice") != nil && cmd.Flags().Lookup("allow") != nil {
			complete(cmd, "choice", []string{"auto", "none", "required"}, cobra.ShellCompDirectiveNoFileComp)
		}
	}
}

// complete completes a flag's value from a list.
func complete(cmd *cobra.Command, flag string, words []string, files cobra.ShellCompDirective) {
	completeWith(cmd, flag, func() []string { return words }, files)
}

// completeWith completes a flag's value from a list that is made when a shell asks for it.
func completeWith(cmd *cobra.Command, flag string, words func() []string, files cobra.ShellCompDirective) {
	if err := cmd.RegisterFlagCompletionFunc(flag, func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return words(), files
	}); err != nil {
		panic(err) // the flag was misspelled here, or registered twice
	}
}

// modelNames lists the families of the models that --model knows.
func modelNames() []string {
	var names []string
	for _, d := range dialect.All() {
		for _, pattern := range dialect.ModelPatterns(d) {
			name := strings.TrimRight(pattern, "*-:")
			if known, ok := dialect.ForModel(name); ok && known == d && !strings.ContainsAny(name, "*[?") {
				names = append(names, name)
			}
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}
