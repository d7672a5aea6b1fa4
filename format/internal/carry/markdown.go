package carry

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"
)

const markdownHead = `# Translation between wires

What each wire carries of the canonical chat (package format/chat), and what becomes of the rest: the words are
those of the losses that ` + "`toolparse translate`" + ` prints and that callers get. This page is made of the encoders' own
table by ` + "`go test ./format/internal/carry -update`" + `; do not edit it.

**yes**: carried as it is, under the name that follows. *changed*: carried in another shape. **lost**: left out, or
replaced by what is said. What goes from a wire to itself comes back as it was, fields that we do not know included.

`

// WriteMarkdown writes a page about what each of the wires does with each feature.
func WriteMarkdown(w io.Writer, wires []string) error {
	b := bufio.NewWriter(w)
	fmt.Fprint(b, markdownHead)
	fmt.Fprintf(b, "| | %s |\n|---|%s\n", strings.Join(wires, " | "), strings.Repeat("---|", len(wires)))
	for _, f := range features {
		cells := make([]string, len(wires))
		for i, wire := range wires {
			if e, ok := Of(wire, f); ok {
				cells[i] = e.cell()
			}
		}
		fmt.Fprintf(b, "| %s | %s |\n", f, strings.Join(cells, " | "))
	}
	writeSettings(b, wires)
	return b.Flush()
}

const settingsHead = `
## Settings that several wires have

These members of requests, of images in them and of custom tools have no field in the canonical chat, but mean the same
on several wires, and go from one to another. Where a wire has none, they are lost.

`

func writeSettings(b *bufio.Writer, wires []string) {
	fmt.Fprint(b, settingsHead)
	fmt.Fprintf(b, "| %s |\n|%s\n", strings.Join(wires, " | "), strings.Repeat("---|", len(wires)))
	for _, s := range slices.Concat(ofRequest, ofImage, ofCustomTool) {
		cells := make([]string, len(wires))
		for i, wire := range wires {
			if path := s.paths[wire]; path != "" {
				cells[i] = "`" + path + "`"
			}
		}
		fmt.Fprintf(b, "| %s |\n", strings.Join(cells, " | "))
	}
}

// cell is an entry in a table.
func (e Entry) cell() string {
	var text string
	switch {
	case e.Fate == Carried && e.Done == "":
		text = "**yes**"
	case e.Fate == Carried:
		text = "**yes**: " + e.Done
	case e.Fate == Changed:
		text = "*changed*: " + e.Reason + "; " + e.Done
	default:
		text = "**lost**: " + e.Reason + "; " + e.Done
	}
	return strings.NewReplacer("|", `\|`, "\n", " ").Replace(text)
}
