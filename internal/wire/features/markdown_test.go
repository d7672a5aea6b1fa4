package features

import (
	"bufio"
	"bytes"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write docs/translation.md")

// TestMarkdownIsFresh: the page in docs is that of the table.
func TestMarkdownIsFresh(t *testing.T) {
	var got bytes.Buffer
	if err := writeMarkdown(&got, []string{"openai", "responses", "anthropic", "gemini", "ollama"}); err != nil {
		t.Fatal(err)
	}
	page := filepath.Join("..", "..", "..", "docs", "translation.md")
	if *update {
		if err := os.WriteFile(page, got.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got.String()); diff != "" {
		t.Errorf("docs/translation.md is not that of the table: go test ./internal/wire/features -update\n%s", diff)
	}
}

const markdownHead = `# Translation between wires

This page lists what each wire format can express of the canonical chat (package format/chat), and what happens to the
rest: the reason, then what the encoder writes instead. ` + "`toolparse translate`" + ` and the library report losses in the
same words. ` + "`go test ./internal/wire/features -update`" + ` generates this page from the encoders' table; do not edit it.

A translation from a wire to itself changes nothing, unknown fields included.

The name of a tool in a namespace is the two joined; where another tool of the request has that name, a suffix tells them
apart. A name that the target does not accept is replaced. The way back is in the request: give it to the translation of
the answer (` + "`--request FILE`, `format.TranslateOptions.Request`" + `), and calls have the client's own names, namespaces and types.
`

// writeMarkdown writes a page about what each wire does with each feature.
func writeMarkdown(w io.Writer, wires []string) error {
	b := bufio.NewWriter(w)
	fmt.Fprint(b, markdownHead)
	for _, wire := range wires {
		fmt.Fprintf(b, "\n## To %s\n", wire)
		for _, fate := range [...]Outcome{Lost, Changed, Carried} {
			fmt.Fprintf(b, "\n%s\n\n", fateHeads[fate])
			for _, row := range features {
				if e, ok := Of(wire, row.Feature); ok && e.Outcome == fate {
					fmt.Fprintf(b, "* %s\n", e.line(row.Feature))
				}
			}
		}
	}
	writeSettings(b, wires)
	return b.Flush()
}

var fateHeads = [...]string{
	Carried: "Carried (with the member or form of the wire):",
	Changed: "Carried in another form, because the wire has no equivalent:",
	Lost:    "Lost:",
}

// line returns the entry as a line of a list.
func (e Entry) line(f Feature) string {
	switch {
	case e.Outcome == Carried && e.Action == "":
		return string(f)
	case e.Outcome == Carried:
		return string(f) + " (" + e.Action + ")"
	}
	return "**" + string(f) + "**: " + e.Reason + "; " + e.Action
}

const settingsHead = `
## Settings that several wires have

These members of requests, images and custom tools have no field in the canonical chat, but mean the same on several
wires. A translation carries them between these wires; any other wire loses them.

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
