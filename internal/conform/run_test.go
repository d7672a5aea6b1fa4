package conform_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/toolparse/toolparse/internal/conform"
)

func TestRun(t *testing.T) {
	text := func(s string) *string { return &s }
	calls := func(c ...conform.Call) *[]conform.Call { return &c }
	modes := conform.Comparison{Text: conform.Collapsed, Reasoning: conform.Collapsed, Args: conform.ArgsJSON}
	tests := []struct {
		name string
		v    conform.Vector
		opts conform.Options
		want conform.Result
	}{
		{"text", conform.Vector{Dialect: "xml", Input: "a <b> c", Expect: conform.Expectation{Text: text("a <b> c"), Reasoning: text(""), Calls: calls()}},
			conform.Options{}, conform.Result{Dialect: "xml", Pass: true}},
		{"call", conform.Vector{Dialect: "xml", Input: `<tool name="f"/>`, Expect: conform.Expectation{Calls: calls(conform.Call{Name: "f", Arguments: []byte(`{}`)})}},
			conform.Options{}, conform.Result{Dialect: "xml", Pass: true}},
		{"begins in reasoning", conform.Vector{Dialect: "xml", Start: "reasoning", Input: "r</think>t", Expect: conform.Expectation{Text: text("t"), Reasoning: text("r")}},
			conform.Options{}, conform.Result{Dialect: "xml", Pass: true}},
		{"other text", conform.Vector{Dialect: "xml", Input: "abc", Expect: conform.Expectation{Text: text("abd"), Reasoning: text("r")}},
			conform.Options{}, conform.Result{Dialect: "xml", Why: `whole: text: want "abd", got "abc"; and 1 more`, Cut: "whole",
				Mismatches: []conform.Mismatch{{Field: "text", Want: `"abd"`, Got: `"abc"`}, {Field: "reasoning", Want: `"r"`, Got: `""`}}}},
		{"unknown dialect", conform.Vector{Dialect: "no_such"}, conform.Options{},
			conform.Result{Dialect: "no_such", Why: `unknown dialect "no_such"`}},
		{"another dialect", conform.Vector{Dialect: "sentinel", Input: `<tool name="f"/>`, Expect: conform.Expectation{Calls: calls(conform.Call{Name: "f"})}},
			conform.Options{Dialect: "xml"}, conform.Result{Dialect: "sentinel", Pass: true}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tt.v.Compare = modes
			got := conform.Run(tt.v, tt.opts)
			if diff := cmp.Diff(tt.want, got, cmpopts.IgnoreFields(conform.Result{}, "Input")); diff != "" {
				t.Errorf("result (-want +got):\n%s", diff)
			}
		})
	}
}

// Every vector of the project passes, of whatever tier.
func TestProjectVectors(t *testing.T) {
	files, err := filepath.Glob("../../testdata/conformance/*.jsonl")
	if err != nil || len(files) == 0 {
		t.Fatalf("no vectors found: %v", err)
	}
	if testing.Short() { // the command of the same name runs them all
		files = files[:len(files)/6]
	}
	for _, name := range files {
		t.Run(filepath.Base(name), func(t *testing.T) {
			f, err := os.Open(name)
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			for v, err := range conform.Vectors(f) {
				if err != nil {
					t.Fatal(err)
				}
				if r := conform.Run(v, conform.Options{}); !r.Pass {
					t.Error(r.Diff())
				}
			}
		})
	}
}
