package dialectdoc

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/toolparse/toolparse/internal/dialect"
)

// writePage writes the page docs/dialects.md.
func writePage(w io.Writer, dialects []*dialect.Dialect) error {
	b := bufio.NewWriter(w)
	fmt.Fprint(b, intro)
	fmt.Fprintln(b, "| dialect | other names | who writes it |")
	fmt.Fprintln(b, "|---|---|---|")
	for _, d := range dialects {
		fmt.Fprintf(b, "| [%s](#%s) | %s | %s |\n", d.Name, anchor(d.Name), cell(strings.Join(d.Aliases, ", ")), cell(d.About))
	}
	for _, d := range dialects {
		writeDialect(b, d)
		if err := writePrompt(b, d); err != nil {
			return err
		}
	}
	writeFields(b)
	return b.Flush()
}

const intro = `# Dialects

This page describes the surface syntaxes that toolparse reads and writes, one per row of the table in
package internal/dialect. ` + "`go test ./internal/dialectdoc -update`" + ` generates it; do not edit it. To define
a dialect of your own, write a file like the output of ` + "`toolparse dialects --json`" + ` and use it with
` + "`parse -d ./mine.json`" + `. [The end of this page](#the-fields-of-a-dialect-file) explains the fields.

Markers are shown with their layout (` + "`⏎`" + ` is a line feed). toolparse writes this layout, and reads any
blanks in its place or none. In every dialect it tolerates missing closers at the end, a missing opener of
a section, nearly valid JSON, and a repeated argument (the first one counts), and records the tolerance on
the call. Valid JSON stays as the model wrote it, also with a repeated key, of which readers take the last
value. The notes on each dialect list its models' known habits and how toolparse reads them.

`

func cell(s string) string { return strings.ReplaceAll(s, "|", `\|`) }

// anchor returns the link target of a name's heading.
func anchor(name string) string { return strings.ReplaceAll(strings.ToLower(name), ".", "") }
