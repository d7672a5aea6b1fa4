package tools_test

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolparse/toolparse/agent/tools"
	"github.com/toolparse/toolparse/internal/jsonvalue"
)

var update = flag.Bool("update", false, "write docs/tools.md anew")

const intro = `# Built-in tools

The tools of ` + "`toolparse run` and `toolparse mcp`" + `, from the table in package agent/tools: ` + "`go test ./agent/tools -run TestPage -update`" + `
writes this page; do not edit it. "From" is the smallest environment that offers a tool (` + "`--tools minimal|standard|full`" + `); a
tool "on demand" is offered only if --tools contains its name or its language. A tool can be called by any of its names.
`

// The documentation page lists every tool with its schema.
func TestPage(t *testing.T) {
	set := open(t)
	var b strings.Builder
	b.WriteString(intro)
	var order []string
	entries := set.Entries()
	for _, e := range entries {
		if !slices.Contains(order, e.Category) {
			order = append(order, e.Category)
		}
	}
	for _, category := range order {
		fmt.Fprintf(&b, "\n## %s\n", category)
		for _, e := range entries {
			if e.Category == category {
				describe(t, &b, set, e)
			}
		}
	}
	const name = "../../docs/tools.md"
	if *update {
		if err := os.WriteFile(name, []byte(b.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	page, err := os.ReadFile(name)
	if diff := cmp.Diff(string(page), b.String()); diff != "" || err != nil {
		t.Errorf("%v; run this test with -update:\n%s", err, diff)
	}
}

// describe writes the page's section about a tool.
func describe(t *testing.T, b *strings.Builder, set *tools.Set, e tools.Entry) {
	list, err := set.Tools(e.Name)
	if err != nil {
		t.Fatal(err)
	}
	from := "from " + e.Availability
	if e.Availability == "on demand" {
		from = "on demand"
	}
	fmt.Fprintf(b, "\n### %s\n\n%s\n\nRisk %s, %s", e.Name, e.Description, e.Risk, from)
	for _, more := range []struct{ what, text string }{
		{"also called ", strings.Join(e.Aliases, ", ")}, {"another form of ", e.VariantOf}, {"needs the program ", e.Program},
	} {
		if more.text != "" {
			b.WriteString("; " + more.what + more.text)
		}
	}
	b.WriteString(".\n")
	schema, err := jsonvalue.Parse(list[0].Info().Parameters)
	if err != nil {
		t.Fatal(err)
	}
	properties := schema.Get("properties")
	if properties == nil || len(properties.Keys) == 0 {
		return
	}
	b.WriteString("\n")
	for i, name := range properties.Keys {
		p := properties.List[i]
		about := []string{p.Get("type").Text}
		if required := schema.Get("required"); required != nil && slices.ContainsFunc(required.List, func(v *jsonvalue.Value) bool { return v.Text == name }) {
			about = append(about, "required")
		}
		for _, key := range []string{"enum", "minimum", "maximum", "default"} {
			if v := p.Get(key); v != nil {
				about = append(about, key+" `"+v.Raw+"`")
			}
		}
		fmt.Fprintf(b, "- `%s` (%s): %s\n", name, strings.Join(about, ", "), p.Get("description").Text)
	}
}
