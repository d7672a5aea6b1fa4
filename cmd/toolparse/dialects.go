package main

import (
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/toolparse/toolparse/internal/dialectdoc"
	"github.com/toolparse/toolparse/parser"
)

func (c *cli) dialectsCommand() *cobra.Command {
	var asJSON, asPage bool
	cmd := &cobra.Command{
		Use:   "dialects [flags]",
		Short: "List the dialects that are known",
		Long: `dialects lists the surface syntaxes that -d takes: the name, other names for it,
its family (how the tool's name is written, and how the arguments are), the
markers of reasoning, and an example call. With --json each dialect is one line
of JSON that holds its whole definition, which parse -d reads from a file.`,
		Args: noArguments,
		RunE: func(*cobra.Command, []string) error {
			switch {
			case asJSON && asPage:
				return usagef("--json and --markdown exclude each other")
			case asJSON:
				return c.dialectLines(parser.Dialects())
			case asPage:
				return dialectdoc.Write(c.stdout, parser.Dialects())
			}
			return c.dialectTable(parser.Dialects())
		},
	}
	g := newFlagGroup("Output")
	g.flags.BoolVar(&asJSON, "json", false, "a line of JSON a dialect")
	g.flags.BoolVar(&asPage, "markdown", false, "a page about each dialect: docs/dialects.md")
	setHelp(cmd, helpPage{groups: []flagGroup{g}})
	return cmd
}

// family says in short how a dialect writes calls.
func family(d *parser.Dialect) string {
	if d.Head.Form == "" && d.Args.Form == "" {
		return "none"
	}
	return fmt.Sprintf("%s/%s", d.Head.Form, d.Args.Form)
}

func (c *cli) dialectLines(dialects []*parser.Dialect) error {
	for _, d := range dialects {
		line := struct {
			*parser.Dialect
			Family string `json:"family"`
		}{d, family(d)}
		if err := writeLine(c.stdout, line); err != nil {
			return err
		}
	}
	return nil
}

func (c *cli) dialectTable(dialects []*parser.Dialect) error {
	w := tabwriter.NewWriter(c.stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "NAME\tALIASES\tFAMILY\tREASONING\tEXAMPLE")
	for _, d := range dialects {
		var marks []string
		for _, pair := range d.Reasoning {
			marks = append(marks, pair.Open+pair.Close)
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\n", d.Name, orDash(strings.Join(d.Aliases, ",")), family(d),
			orDash(oneLine(strings.Join(marks, " "))), oneLine(d.Example))
	}
	return w.Flush()
}

func orDash(s string) string {
	if s == "" {
		return "-"
	}
	return s
}

// oneLine makes line breaks and tabs visible.
func oneLine(s string) string {
	return strings.NewReplacer("\n", `\n`, "\r", `\r`, "\t", `\t`).Replace(s)
}
