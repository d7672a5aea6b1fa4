package main

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/toolparse/toolparse/internal/dialect"
	"github.com/toolparse/toolparse/internal/dialectdoc"
	"github.com/toolparse/toolparse/internal/printable"
)

func (c *cli) dialectsCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "dialects [flags] [NAME...]",
		Short: "List the dialects, or show some in full",
		Long: `dialects lists the dialects that -d accepts, each with its aliases, its family (how
it writes the tool's name and the arguments), its markers of reasoning, and an
example call. The table shortens long entries; give one or more
NAMEs, or files that define a dialect, to see those in full. With --json it prints
the whole definition of each dialect as one line of JSON, which parse -d reads from
a file.`,
		Example: `  # The table, and one dialect in full
  toolparse dialects
  toolparse dialects qwen3_coder

  # For a dialect of your own, begin with a similar one
  toolparse dialects --json hermes >/tmp/mine.json
  printf '<tool_call>{"name": "f", "arguments": {}}</tool_call>' | toolparse parse -d /tmp/mine.json`,
		RunE: func(_ *cobra.Command, args []string) error {
			list, err := c.dialectsNamed(args)
			switch {
			case err != nil:
				return err
			case asJSON:
				return c.dialectLines(list)
			case len(args) > 0:
				return dialectdoc.Write(c.stdout, list)
			}
			return c.dialectTable(list)
		},
		ValidArgsFunction: cobra.FixedCompletions(dialectNames()[2:], cobra.ShellCompDirectiveNoFileComp),
	}
	g := newFlagGroup("Output")
	g.BoolVar(&asJSON, "json", false, "print one line of JSON per dialect")
	c.setHelp(cmd, "", g)
	return cmd
}

// dialectsNamed returns the dialects with the given names, or all if there are none.
func (c *cli) dialectsNamed(names []string) ([]*dialect.Dialect, error) {
	if len(names) == 0 {
		return dialect.All(), nil
	}
	var list []*dialect.Dialect
	for _, name := range names {
		found, err := c.dialects(name)
		if err != nil {
			return nil, err
		}
		list = append(list, found...)
	}
	return list, nil
}

// family returns the short form of how a dialect writes calls.
func family(d *dialect.Dialect) string {
	if d.Head.Form == "" && d.Args.Form == "" {
		return "none"
	}
	return fmt.Sprintf("%s/%s", d.Head.Form, d.Args.Form)
}

func (c *cli) dialectLines(dialects []*dialect.Dialect) error {
	type line struct {
		*dialect.Dialect
		Family string `json:"family"`
	}
	lines := make([]line, len(dialects))
	for i, d := range dialects {
		lines[i] = line{d, family(d)}
	}
	return writeLines(c.stdout, lines)
}

func (c *cli) dialectTable(dialects []*dialect.Dialect) error {
	// Shorten the columns after the names so that a line fits.
	names := 0
	for _, d := range dialects {
		names = max(names, len(d.Name))
	}
	columns, _ := c.width()
	const gaps, wide = 4 * 2, 10 + 16 + 16 + 28
	share := func(n int) int { return max(4, n*(columns-names-gaps)/wide) }
	aliases, families, reasoning, example := share(10), share(16), share(16), share(28)
	w := c.newTable()
	fmt.Fprintln(w, "NAME\tALIASES\tFAMILY\tREASONING\tEXAMPLE")
	for _, d := range dialects {
		var marks []string
		for _, pair := range d.Reasoning {
			marks = append(marks, pair.Open+pair.Close)
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\n", d.Name,
			printable.Fit(cmp.Or(strings.Join(d.Aliases, ","), "-"), aliases), printable.Fit(family(d), families),
			printable.Fit(cmp.Or(printable.Text(strings.Join(marks, " ")), "-"), reasoning), printable.Fit(printable.Text(d.Example), example))
	}
	return w.Flush()
}
