package parser_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolparse/toolparse/internal/dialect"
	"github.com/toolparse/toolparse/internal/parser"
)

// TestResetAfterVectors reads each conformance vector with a parser that has read any
// beginning of it and was reset, and expects the events of a new parser.
func TestResetAfterVectors(t *testing.T) {
	step := 1
	if testing.Short() {
		step = 41
	}
	files, err := filepath.Glob("../../testdata/conformance/*.jsonl")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			var v struct{ Dialect, Input string }
			if json.Unmarshal([]byte(line), &v) != nil || v.Input == "" || len(v.Input) > 2000 {
				continue
			}
			dialects, err := dialect.Named(v.Dialect, "")
			if err != nil {
				continue // the vector is for a wire
			}
			auto, err := dialect.Named("auto", "")
			if err != nil {
				t.Fatal(err)
			}
			for _, read := range [][]*dialect.Dialect{dialects, auto} {
				used, err := parser.New(parser.Options{Dialects: read})
				if err != nil {
					t.Fatal(err)
				}
				want := used.Close(used.Feed(nil, v.Input))
				for cut := len(v.Input); cut > 0; cut -= step {
					used.Reset()
					used.Close(used.Feed(nil, v.Input[:cut]))
					used.Reset()
					if got := used.Close(used.Feed(nil, v.Input)); !slices.Equal(want, got) {
						t.Fatalf("%s: after %q: (-new +used again)\n%s", v.Dialect, v.Input[:cut], cmp.Diff(want, got))
					}
				}
			}
		}
	}
}
