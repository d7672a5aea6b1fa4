package wire_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/wire"
	"github.com/toolparse/toolparse/toolcall"
)

// Rename finds a legal name quickly for every rule that allows enough of them.
func TestRenameFindsANameForAnyRule(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rule := wire.Rule{
			Min: rapid.IntRange(0, 70).Draw(t, "min"), Max: rapid.IntRange(0, 80).Draw(t, "max"), AnyChars: rapid.Bool().Draw(t, "any"),
			OtherChars: rapid.SampledFrom([]string{"", "_-"}).Draw(t, "also"), FirstChars: rapid.SampledFrom([]string{"", "_"}).Draw(t, "first"),
		}
		names := wire.NewRenames(rule)
		sources := rapid.SliceOfN(rapid.StringN(0, 60, -1), 1, 5).Draw(t, "sources")
		given := map[string]string{}
		for _, source := range sources {
			name, changed := names.Rename(source)
			if other, ok := given[name]; ok && other != source || names.Source(name) != source || changed != (name != source) {
				t.Fatalf("%+v gives %q for %q, and for %q", rule, name, source, other)
			}
			given[name] = source
			if roomy := rule.Max == 0 || rule.Max >= 4 && rule.Max >= rule.Min; roomy && (len(name) < rule.Min || rule.Max > 0 && len(name) > rule.Max) {
				t.Fatalf("%+v gives %q for %q", rule, name, source)
			}
		}
	})
}

// Rename stops searching when a rule has no free names left, and no two sources get the
// same.
func TestRenameRunsOutOfNames(t *testing.T) {
	for _, rule := range []wire.Rule{{Max: 8}, {Min: 1, Max: 1}, {Max: 1, FirstChars: "_"}, {Min: 9, Max: 3}, {Min: 40, Max: 40}} {
		names := wire.NewRenames(rule)
		given := map[string]bool{}
		for n := range 80 {
			name, _ := names.Rename(strings.Repeat("é", n))
			if given[name] {
				t.Fatalf("%+v gives %q twice", rule, name)
			}
			given[name] = true
		}
	}
}

// A fork names as if it had made all names itself, and leaves what it was made from as it is.
func TestForkNamesAlike(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rule := wire.Rule{Max: 20, OtherChars: "_", FirstChars: "_"}
		source := rapid.SampledFrom([]string{"a", "b", "a b", "a-b", "é", "1", strings.Repeat("x", 30)})
		before, after := rapid.SliceOfN(source, 0, 5).Draw(t, "before"), rapid.SliceOfN(source, 0, 5).Draw(t, "after")
		whole, first := wire.NewRenames(rule), wire.NewRenames(rule)
		for _, s := range before {
			whole.Rename(s)
			first.Rename(s)
		}
		for range 2 { // the second fork must not see the first one's names
			fork := first.Fork()
			for _, s := range after {
				want, _ := whole.Rename(s)
				if got, _ := fork.Rename(s); got != want || fork.Source(got) != s {
					t.Fatalf("%q becomes %q, want %q", s, got, want)
				}
			}
			fork.NoteTool(chat.Tool{ToolDefinition: toolcall.ToolDefinition{Name: "a"}, Custom: true})
			if _, _, custom := fork.Tool("a"); !custom {
				t.Fatal("the fork forgot a tool")
			}
		}
		if _, _, custom := first.Tool("a"); custom {
			t.Fatal("the fork changed the original")
		}
	})
}
