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

What goes from a wire to itself comes back as it was, fields that we do not know included.
`

// WriteMarkdown writes a page about what each of the wires does with each feature.
func WriteMarkdown(w io.Writer, wires []string) error {
	b := bufio.NewWriter(w)
	fmt.Fprint(b, markdownHead)
	for _, wire := range wires {
		fmt.Fprintf(b, "\n## To %s\n", wire)
		for _, fate := range [...]Fate{Lost, Changed, Carried} {
			fmt.Fprintf(b, "\n%s\n\n", fateHeads[fate])
			for _, f := range features {
				if e, ok := Of(wire, f); ok && e.Fate == fate {
					fmt.Fprintf(b, "* %s\n", e.line(f))
				}
			}
		}
	}
	writeSettings(b, wires)
	return b.Flush()
}

var fateHeads = [...]string{
	Carried: "Carried, in brackets how:",
	Changed: "Carried in another shape, since the wire has none of its own:",
	Lost:    "Lost:",
}

// line is an entry in a list.
func (e Entry) line(f Feature) string {
	switch {
	case e.Fate == Carried && e.Done == "":
		return string(f)
	case e.Fate == Carried:
		return string(f) + " (" + e.Done + ")"
	}
	return "**" + string(f) + "**: " + e.Reason + "; " + e.Done
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
