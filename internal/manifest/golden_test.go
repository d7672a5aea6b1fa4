package manifest

import (
	"flag"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/toolparse/toolparse/internal/dialect"
	"github.com/toolparse/toolparse/internal/toolfile"
	"github.com/toolparse/toolparse/toolcall"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the golden files")

func telling(t testing.TB) []toolcall.ToolDefinition {
	t.Helper()
	data, err := os.ReadFile("../../testdata/tools/telling.json")
	if err != nil {
		t.Fatal(err)
	}
	defs, err := toolfile.Parse(data)
	if err != nil {
		t.Fatal(err)
	}
	return defs
}

// golden compares a text with a file, or writes the file.
func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", "golden", name+".txt")
	if *update {
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s: if this is meant, run go test ./manifest -update\n%s", file, diff)
	}
}

func TestGoldenDialects(t *testing.T) {
	for _, d := range dialect.All() {
		for suffix, opts := range map[string]Options{"": {}, ".teach": {Style: StyleTeach}, ".compact": {Style: StyleCompact}} {
			if suffix != "" && !slices.Contains([]string{"xml", "json-openai", "qwen3_coder", "openai", "pythonic"}, d.Name) || suffix == ".teach" && !HasTemplate(d) {
				continue // they differ in their calls alone
			}
			name := filepath.Join("dialect", d.Name) + suffix
			t.Run(name, func(t *testing.T) {
				opts.Dialect = d
				m, err := New(telling(t), opts)
				if err != nil {
					t.Fatal(err)
				}
				golden(t, name, m.Text())
			})
		}
	}
}

func TestGoldenProviders(t *testing.T) {
	for _, p := range append(Providers(), "unknown") {
		t.Run(p, func(t *testing.T) {
			m, err := New(telling(t), Options{Provider: p})
			if err != nil {
				t.Fatal(err)
			}
			golden(t, filepath.Join("provider", p), m.Text())
		})
	}
}

// TestShownCalls checks the calls that a manifest shows of file and shell tools, of nested
// arguments and of free objects: the parser reads each as that call. In the full form every
// tool with nested arguments has a call, in the compact form one tool.
func TestShownCalls(t *testing.T) {
	schemas := map[string]string{
		"write_file": `{"type":"object","properties":{"path":{"type":"string"},"content":{"type":"string"}},"required":["path","content"]}`,
		"run_bash":   `{"type":"object","properties":{"command":{"type":"string"}},"required":["command"]}`,
		"grade":      `{"type":"object","properties":{"scores":{"type":"object"}},"required":["scores"]}`,
		"plan":       `{"type":"object","properties":{"stops":{"type":"array","items":{"type":"object","properties":{"city":{"type":"string"}}}}},"required":["stops"]}`,
	}
	var defs []toolcall.ToolDefinition
	for _, name := range slices.Sorted(maps.Keys(schemas)) {
		defs = append(defs, toolcall.ToolDefinition{Name: name, Parameters: []byte(schemas[name])})
	}
	for _, d := range dialect.All() {
		if d.Head.Form == "" || d.Args.Form == dialect.ArgsRaw && !d.Args.Object {
			continue
		}
		for _, compact := range []bool{false, true} {
			m, err := New(defs, Options{Dialect: d, Style: teach(compact)})
			if err != nil || len(m.Uncallable()) > 0 {
				t.Errorf("%s: %v %v", d.Name, err, m.Uncallable())
				continue
			}
			tools, err := newTools(defs)
			if err != nil {
				t.Fatal(err)
			}
			c := composerOf(t, d, tools, &Options{Dialect: d})
			calls := c.parsed(m.Text())
			nested := map[string]bool{}
			for _, call := range calls {
				if nests(call.Arguments()) {
					nested[call.Start.Name] = true
				}
			}
			switch want := 2; {
			case d.Args.Form == dialect.ArgsJSON: // the schema shows how they are written
			case compact && len(nested) < 1, !compact && len(nested) < want:
				t.Errorf("%s, compact %v: calls of %v have lists or objects, in\n%s", d.Name, compact, nested, m.Text())
			}
		}
	}
}
