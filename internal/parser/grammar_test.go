package parser

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolparse/toolparse/internal/dialect"
	"github.com/toolparse/toolparse/internal/lex"
)

// TestGrammarPaths follows a text through the trie, and lists the markers that end on the way.
func TestGrammarPaths(t *testing.T) {
	for _, tt := range []struct {
		name    string
		markers []string
		text    string
		want    []string
	}{
		{"none", []string{"<tool"}, "<toil", nil},
		{"one", []string{"<tool"}, "<tool", []string{"<tool"}},
		{"one marker is the prefix of another", []string{"<think>", "<think", "<thinking>"}, "<thinking>", []string{"<think", "<thinking>"}},
		{"case counts", []string{"<tool"}, "<Tool", nil},
		{"case folds", []string{"<tool~"}, "<ToOl", []string{"<tool"}},
		{"a folding marker beside one that does not", []string{"<TOOL~", "<tools"}, "<tools", []string{"<TOOL", "<tools"}},
		{"the first of two equal ones", []string{"<a~", "<A"}, "<a", []string{"<a"}},
		{"no letter folds to another byte", []string{"[[S~"}, "{{s", nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			g := testGrammar(tt.markers...)
			var got []string
			at := int32(0)
			for i := range len(tt.text) {
				if at = g.next(at, tt.text[i]); at == 0 {
					break
				}
				if e := g.nodes[at].entry; e != nil {
					got = append(got, e.marker)
				}
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestMarkers checks which of several overlapping markers the parser finds, however the text
// is cut.
func TestMarkers(t *testing.T) {
	overlapping := &dialect.Dialect{
		Name:      "overlapping",
		Reasoning: []dialect.Reasoning{{Open: "<t>", Close: "</t>"}, {Open: "<t>>", Close: "</t>>"}},
		Frame:     dialect.Frame{Call: dialect.Pair{Open: "<tool", Close: "</tool"}},
		Head:      dialect.Head{Form: dialect.HeadAttribute, Name: []string{"name"}},
		Args:      dialect.Args{Form: dialect.ArgsTags, Key: "name"},
	}
	for _, tt := range []struct{ name, text, want string }{
		{"the shorter", "<t>a</t>", `reasoning content "a" complete raw ["<t>" "a" "</t>"]`},
		{"the longer", "<t>>a</t>>", `reasoning content "a" complete raw ["<t>>" "a" "</t>>"]`},
		{"the closer is that of the opener", "<t>>a</t></t>>", `reasoning content "a</t>" complete raw ["<t>>" "a</t>" "</t>>"]`},
		{"reasoning does not fold", "<T>a</T>", `text content "<T>a</T>" complete raw ["" "<T>a</T>" ""]`},
		{"a call does", `<TOOL name="x"/>`, `tool_call x content "{}" complete raw ["<TOOL name=\"x\"/>" "" ""]`},
		{"a longer name does not match", `<toolbox name="x"/>`, `text content "<toolbox name=\"x\"/>" complete raw ["" "<toolbox name=\"x\"/>" ""]`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for cut := range len(tt.text) {
				p, err := New(Options{Dialects: []*dialect.Dialect{overlapping}})
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff([]string{tt.want}, segments(p, tt.text[:cut], tt.text[cut:])); diff != "" {
					t.Fatalf("cut at %d:\n%s", cut, diff)
				}
			}
		})
	}
}

func TestEqualFold(t *testing.T) {
	for _, tt := range []struct {
		a, b string
		want bool
	}{
		{"", "", true},
		{"Tool", "tOOL", true},
		{"tool", "tools", false},
		{"k", "\u212a", false}, // the Kelvin sign
		{"[", "{", false},      // which differ as a letter's cases do
		{"é", "É", false},
	} {
		t.Run(tt.a+"="+tt.b, func(t *testing.T) {
			if got := lex.EqualFold(tt.a, tt.b); got != tt.want {
				t.Errorf("got %v, want %v", got, tt.want)
			}
		})
	}
}
