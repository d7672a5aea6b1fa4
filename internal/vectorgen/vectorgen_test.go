package vectorgen_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolparse/toolparse/internal/conform"
	"github.com/toolparse/toolparse/internal/dialect"
	"github.com/toolparse/toolparse/internal/vectorgen"
)

type way = func(vectorgen.Source, *dialect.Dialect) (conform.Vector, error)

// TestVectors makes vectors of every dialect. The runner reads them, and our parser
// passes them at every split.
func TestVectors(t *testing.T) {
	for _, d := range dialect.All() {
		t.Run(d.Name, func(t *testing.T) {
			for name, make := range map[string]way{"clean": vectorgen.Clean, "mutated": vectorgen.Mutated} {
				line := vector(t, make, d, 3)
				for v, err := range conform.Vectors(strings.NewReader(line)) {
					if err != nil {
						t.Fatalf("%v\n%s", err, line)
					}
					if r := conform.Run(v, conform.Options{}); !r.Pass {
						t.Errorf("%s\n%s", r.Diff(), line)
					}
				}
				if diff := cmp.Diff(line, vector(t, make, d, 3)); diff != "" {
					t.Errorf("%s: the same seed makes another vector: %s", name, diff)
				}
			}
		})
	}
}

// vector makes a vector as a line of JSON.
func vector(t *testing.T, make way, d *dialect.Dialect, seed uint64) string {
	t.Helper()
	v, err := make(vectorgen.NewSource(seed, d.Name, 0), d)
	if err != nil {
		t.Fatal(err)
	}
	v.ID = "test"
	line, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(line)
}

// TestMutations sees every way to break a vector, and holds its tier to its note.
func TestMutations(t *testing.T) {
	var dialects []*dialect.Dialect
	for _, name := range []string{"hermes", "jamba"} { // one writes a line feed before a call, the other nothing
		d, err := dialect.Named(name, "")
		if err != nil {
			t.Fatal(err)
		}
		dialects = append(dialects, d...)
	}
	seen := map[string]bool{}
	for n := range 300 {
		d := dialects[n%len(dialects)]
		v, err := vectorgen.Mutated(vectorgen.NewSource(1, d.Name, n), d)
		if err != nil {
			t.Fatal(err)
		}
		how, _, noted := strings.Cut(v.Note, ";")
		switch {
		case v.Tier == "malformed" != noted:
			t.Fatalf("tier %s, note %q", v.Tier, v.Note)
		case strings.HasPrefix(v.Input, "I write `<tool_call"):
			how = "inline"
		case strings.HasPrefix(v.Input, "For example:\n```\n<tool_call"):
			how = "fence"
		case v.Tier == "core":
			how = "touched"
		}
		seen[how] = true
	}
	want := map[string]bool{
		"truncated": true, "a marker is damaged": true, "a marker is missing": true, "a marker is doubled": true,
		"inline": true, "fence": true, "touched": true,
	}
	if diff := cmp.Diff(want, seen); diff != "" {
		t.Error(diff)
	}
}
