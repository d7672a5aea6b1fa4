package main

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/toolparse/toolparse/internal/dialect"
	"github.com/toolparse/toolparse/internal/manifest"
)

// complete makes shells complete a flag of cmd, if the possible values are known.
func complete(cmd *cobra.Command, flag *pflag.Flag) {
	var values cobra.CompletionFunc
	directive := cobra.ShellCompDirectiveNoFileComp
	choice, isChoice := flag.Value.(interface{ choices() []string })
	switch name := flag.Name; {
	case isChoice:
		values = cobra.FixedCompletions(choice.choices(), directive)
	case name == "dialect" && cmd.Name() == "generate":
		values = cobra.FixedCompletions(append(dialectNames(), "all"), cobra.ShellCompDirectiveDefault)
	case name == "dialect": // or a file
		values = cobra.FixedCompletions(dialectNames(), cobra.ShellCompDirectiveDefault)
	case name == "model":
		values = func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return modelNames(), directive
		}
	case name == "provider":
		values = cobra.FixedCompletions(manifest.Providers(), directive)
	case name == "choice" && flag.Value.Type() == "string":
		values = cobra.FixedCompletions([]string{"auto", "none", "required"}, directive)
	default:
		return
	}
	if err := cmd.RegisterFlagCompletionFunc(flag.Name, values); err != nil {
		panic(err) // two groups have the flag
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
