package main

import (
	"errors"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/toolparse/toolparse/internal/near"
)

// envDialect names the environment variable with the default dialect.
const envDialect = "TOOLPARSE_STREAM_PARSER"

func (c *cli) rootCommand() *cobra.Command {
	showVersion := false
	root := &cobra.Command{
		Use:   "toolparse",
		Short: "Turn the tool calls of any language model into one stream",
		Long: `toolparse turns the tool calls of any language model, while its tokens are still
streaming, into one uniform stream of segment events and tool calls.`,
		Example: `  # The calls in a model's output, in any dialect
  printf '<tool_call>{"name": "add", "arguments": {"a": 1}}</tool_call>' | toolparse parse

  # The same as an OpenAI stream, for a client that expects one
  printf '<tool_call>{"name": "add", "arguments": {"a": 1}}</tool_call>' | toolparse parse -o openai

  # The dialects that it knows, and one of them in full
  toolparse dialects
  toolparse dialects hermes`,
		SilenceErrors: true,
		SilenceUsage:  true,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return nil
			}
			if _, err := os.Stat(args[0]); err == nil {
				return usagef("%q is a file; to print its calls, use: toolparse parse %s", args[0], args[0])
			}
			return usagef("unknown command %q%s", args[0], didYouMean(args[0], commandNames(cmd)))
		},
		RunE: func(cmd *cobra.Command, _ []string) error {
			if showVersion {
				return c.printVersion()
			}
			return cmd.Help()
		},
	}
	root.Flags().BoolVar(&showVersion, "version", false, "show the version")
	root.SetFlagErrorFunc(flagError)
	root.SetHelpFunc(func(cmd *cobra.Command, _ []string) { c.writeHelp(cmd, "", nil) })
	root.AddCommand(c.parseCommand(), c.batchCommand(), c.conformCommand(), c.dialectsCommand(), c.detectCommand(), c.translateCommand(), c.manifestCommand(), c.grammarCommand(), c.toolsCommand(), c.generateCommand(), c.serveCommand(), c.launchCommand(), c.viewCommand(), c.runCommand(), c.mcpCommand(), c.versionCommand())
	root.SetOut(c.stdout) // which the next command keeps
	root.InitDefaultCompletionCmd()
	if completion, _, err := root.Find([]string{"completion"}); err == nil {
		shells := commandNames(completion)
		completion.Use += " " + strings.Join(shells, "|")
		completion.Args = cobra.ArbitraryArgs
		completion.RunE = func(*cobra.Command, []string) error {
			return usagef("expected one shell: %s", strings.Join(shells, ", "))
		}
	}
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

// flagError turns an error of pflag into a usageError.
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
		return usagef("unexpected argument %q", args[0])
	}
	return nil
}

// fileNames returns the operands, or standard input if there are none.
func fileNames(args []string) []string {
	if len(args) == 0 {
		return []string{"-"}
	}
	return args
}
