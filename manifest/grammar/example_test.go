package grammar_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/toolparse/toolparse"
	"github.com/toolparse/toolparse/manifest"
	"github.com/toolparse/toolparse/manifest/grammar"
	"github.com/toolparse/toolparse/parser"
)

// shown are the examples of a manifest: the texts between its sentences.
func shown(t rapid.TB, text string) []string {
	t.Helper()
	_, rest, ok := strings.Cut(text, "To call a tool")
	if !ok {
		t.Fatalf("no example in\n%s", text)
	}
	_, rest, _ = strings.Cut(rest, ":\n")
	one, rest, ok := strings.Cut(rest, "\n\nSeveral, one after another:\n")
	if !ok {
		one, rest, ok = strings.Cut(text[strings.Index(text, "To call a tool, write:\n")+len("To call a tool, write:\n"):], "\n\nFor several calls, write one after another:\n")
	}
	two, _, found := strings.Cut(rest, "\n\nText may stand ")
	if !ok || !found {
		t.Fatalf("no two examples in\n%s", text)
	}
	return []string{one, two}
}

// letsThrough holds the grammar of a manifest's tools to its examples.
func letsThrough(t rapid.TB, d *parser.Dialect, tools []toolparse.ToolDefinition) {
	t.Helper()
	m, err := manifest.New(manifest.Of(tools...), manifest.Options{Dialect: d})
	if err != nil || len(m.Uncallable()) > 0 {
		return // a grammar has to have all tools
	}
	out, err := grammar.Write(d, grammar.GBNF, grammar.Options{Tools: tools})
	if err != nil {
		t.Fatalf("%s: there is a manifest, but no grammar: %v\n%s", d.Name, err, m.Text())
	}
	s := newSampler(t, string(out))
	for _, example := range shown(t, m.Text()) {
		if !s.accepts(example) {
			t.Fatalf("%s: it does not let through\n%s\n%s", d.Name, example, out)
		}
	}
}

// TestExamplesRandom: what a manifest shows is let through by the grammar of the same
// tools.
func TestExamplesRandom(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := rapid.SampledFrom(writable()).Draw(t, "dialect")
		tools := []toolparse.ToolDefinition{define("look_up", anObject(t, d, 0)), define("b2", anObject(t, d, 0))}
		letsThrough(t, d, tools)
	})
}

// TestExamplesTelling: so it is for telling schemas.
func TestExamplesTelling(t *testing.T) {
	for _, d := range writable() {
		t.Run(d.Name, func(t *testing.T) {
			for name, parameters := range telling {
				t.Run(name, func(t *testing.T) {
					letsThrough(t, d, []toolparse.ToolDefinition{define("look_up", parameters)})
				})
			}
		})
	}
}
