package main

import (
	"slices"
	"strings"

	"github.com/toolparse/toolparse/internal/dialect"

	"github.com/spf13/cobra"
)

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
