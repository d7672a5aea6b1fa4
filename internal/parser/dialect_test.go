package parser

import (
	"testing"

	"github.com/toolparse/toolparse/internal/dialect"
	"github.com/toolparse/toolparse/toolcall"

	"github.com/google/go-cmp/cmp"
)

// TestDialectHoles checks that New refuses a dialect that the parser cannot work with.
func TestDialectHoles(t *testing.T) {
	for name, d := range map[string]*dialect.Dialect{
		"nil":             nil,
		"empty reasoning": {Name: "x", Reasoning: []dialect.Reasoning{{Open: "<think>"}}},
		"no closer":       {Name: "x", Frame: dialect.Frame{Call: dialect.Pair{Open: "<call"}}},
		"no name":         {Name: "x", Frame: dialect.Frame{Call: dialect.Pair{Open: "<call", Close: "</call"}}},
		"header, no end":  {Name: "x", Frame: dialect.Frame{Call: dialect.Pair{Open: "[[", Close: "]]"}}, Head: dialect.Head{Form: dialect.HeadHeader, Name: []string{"n"}}},
		"too many closers": {
			Name: "x", Frame: dialect.Frame{Call: dialect.Pair{Open: "<call>", Close: "</call>"}, Closers: []string{"1", "2", "3", "4", "5"}},
			Head: dialect.Head{Form: dialect.HeadLiteral, End: "\n"}, Args: dialect.Args{Form: dialect.ArgsJSON},
		},
		"nested, no tags": {
			Name: "x", Frame: dialect.Frame{Call: dialect.Pair{Open: "<", Close: "</{name}>"}}, Head: dialect.Head{Form: dialect.HeadLiteral, End: ">"},
			Args: dialect.Args{Form: dialect.ArgsPairs, Nested: true, KeyMark: dialect.Pair{Open: "[", Close: "]"}, ValueMark: dialect.Pair{Close: "[/{key}]"}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := New(Options{Dialects: []*dialect.Dialect{d}}); err == nil {
				t.Error("it is taken")
			}
		})
	}
}

// TestBareOpener checks that blanks inside the opener of a call that has no safe marker hide no
// call, with and without notes.
func TestBareOpener(t *testing.T) {
	d := &dialect.Dialect{
		Name:  "x",
		Frame: dialect.Frame{Section: dialect.Pair{Open: "do > "}, Call: dialect.Pair{Close: ")"}, Bare: true},
		Head:  dialect.Head{Form: dialect.HeadLiteral, End: "("},
		Args:  dialect.Args{Form: dialect.ArgsPython},
	}
	for _, notes := range []*[]toolcall.Note{nil, new([]toolcall.Note)} {
		p, err := New(Options{Dialects: []*dialect.Dialect{d}, Notes: notes})
		if err != nil {
			t.Fatal(err)
		}
		events := p.Feed(nil, "I do > not. do > f(a=1)")
		want := []string{`text = I do > not. `, `tool_call f = {"a":1}`}
		if diff := cmp.Diff(want, outline(t, p.Close(events))); diff != "" {
			t.Error(diff)
		}
	}
}
