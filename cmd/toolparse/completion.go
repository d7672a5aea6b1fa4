package main

import (
	"io"
	"strings"

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

// completeWords completes a flag's value from a list.
func completeWords(cmd *cobra.Command, flag string, words []string) {
	err := cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp))
	if err != nil {
		panic(err) // the flag was misspelled here, or registered twice
	}
}
