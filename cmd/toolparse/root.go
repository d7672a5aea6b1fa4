package main

import (
	"errors"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/toolparse/toolparse/internal/near"
)

// envDialect names the environment variable with the default dialect.
const envDialect = "TOOLPARSE_STREAM_PARSER"

func (c *cli) rootCommand() *cobra.Command {
	root := &cobra.Command{
		Use:   "toolparse",
		Short: "Turn the way any language model writes tool calls into one stream",
		Long: `toolparse turns the way any language model writes tool calls, while its tokens
still stream, into one uniform stream of segment events and tool calls.`,
		Example: `  # The calls in a recorded stream of any provider
  toolparse parse cmd/toolparse/testdata/example/openai.sse

  # The calls in raw model text
  toolparse parse -d xml cmd/toolparse/testdata/example/xml.txt

  # Every event, with the arguments in pieces, as the text comes in
  cat cmd/toolparse/testdata/example/openai.sse | toolparse parse -o events`,
		SilenceErrors:     true,
		SilenceUsage:      true,
		CompletionOptions: cobra.CompletionOptions{DisableDefaultCmd: true},
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return nil
			}
			return usagef("unknown command %q%s", args[0], didYouMean(args[0], commandNames(cmd)))
		},
		RunE: func(cmd *cobra.Command, _ []string) error {
			return usagef("expected a command: %s", strings.Join(commandNames(cmd), ", "))
		},
	}
	root.SetFlagErrorFunc(flagError)
	root.SetHelpFunc(func(cmd *cobra.Command, _ []string) { writeHelp(cmd, helpPage{}) })
	root.AddCommand(c.parseCommand(), c.conformCommand(), c.dialectsCommand(), c.detectCommand(), c.translateCommand(), c.manifestCommand(), c.grammarCommand(), c.toolsCommand(), c.generateCommand(), c.completionCommand(), c.versionCommand())
	root.SetHelpCommand(c.helpCommand())
	return root
}

// commandNames lists the commands below cmd that help shows.
func commandNames(cmd *cobra.Command) []string {
	var names []string
	for _, sub := range cmd.Commands() {
		if !sub.Hidden {
			names = append(names, sub.Name())
		}
	}
	return names
}

// flagError words the errors of pflag as ours.
func flagError(cmd *cobra.Command, err error) error {
	if bad, ok := errors.AsType[*pflag.InvalidValueError](err); ok {
		name := "--" + bad.GetFlag().Name
		if short := bad.GetFlag().Shorthand; short != "" {
			name = "-" + short + ", " + name
		}
		return usagef("%s: %v", name, bad.Unwrap())
	}
	if unknown, ok := errors.AsType[*pflag.NotExistError](err); ok && unknown.GetSpecifiedShortnames() == "" {
		var known []string
		cmd.Flags().VisitAll(func(f *pflag.Flag) { known = append(known, f.Name) })
		guess := near.Names(unknown.GetSpecifiedName(), known, maxSuggestions)
		if len(guess) > 0 {
			return usagef("unknown flag --%s; did you mean --%s?", unknown.GetSpecifiedName(), strings.Join(guess, " or --"))
		}
		return usagef("unknown flag --%s", unknown.GetSpecifiedName())
	}
	return &usageError{err.Error()}
}

// noArguments is for commands without operands.
func noArguments(_ *cobra.Command, args []string) error {
	if len(args) > 0 {
		return usagef("expected no operand, got %q", args[0])
	}
	return nil
}

// fileNames returns the operands, standard input where there are none.
func fileNames(args []string) []string {
	if len(args) == 0 {
		return []string{"-"}
	}
	return args
}
