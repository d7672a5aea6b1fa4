package schema

import (
	"bufio"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolparse/toolparse/toolcall"
)

// suiteGroup is a schema of the official JSON Schema test suite with documents for it.
type suiteGroup struct {
	file        string
	Description string          `json:"description"`
	Schema      json.RawMessage `json:"schema"`
	Tests       []struct {
		Description string          `json:"description"`
		Data        json.RawMessage `json:"data"`
		Valid       bool            `json:"valid"`
	} `json:"tests"`
}

// suite reads the official test suite for draft 2020-12, which a module that we depend
// on carries. What needs other documents than the schema is left out.
func suite(tb testing.TB) []suiteGroup {
	tb.Helper()
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/google/jsonschema-go").Output()
	if err != nil {
		tb.Skipf("the module that carries the suite cannot be found: %v", err)
	}
	files, err := filepath.Glob(filepath.Join(strings.TrimSpace(string(out)), "jsonschema", "testdata", "draft2020-12", "*.json"))
	if err != nil || len(files) == 0 {
		tb.Skipf("the suite is not in %s: %v", out, err)
	}
	var groups []suiteGroup
	for _, file := range files {
		if filepath.Base(file) == "refRemote.json" {
			continue
		}
		raw, err := os.ReadFile(file)
		if err != nil {
			tb.Fatal(err)
		}
		var list []suiteGroup
		if err := json.Unmarshal(raw, &list); err != nil {
			tb.Fatalf("%s: %v", file, err)
		}
		for _, g := range list {
			g.file = strings.TrimSuffix(filepath.Base(file), ".json")
			groups = append(groups, g)
		}
	}
	return groups
}

// notRead are the groups of the suite whose schemas refer to other documents, which are
// never fetched: the error says where.
var notRead = map[string]bool{
	"defs: validate definition against metaschema":                               true,
	"ref: remote ref, containing refs itself":                                    true,
	"dynamicRef: strict-tree schema, guards against misspelled properties":       true,
	"dynamicRef: tests for implementation dynamic anchor and reference link":     true,
	"dynamicRef: $ref and $dynamicAnchor are independent of order - $defs first": true,
	"dynamicRef: $ref and $dynamicAnchor are independent of order - $ref first":  true,
	"dynamicRef: $ref to $dynamicRef finds detached $dynamicAnchor":              true,
}

// TestSuite: each case of the suite comes out right, but for those of notRead. None is
// merely unchecked.

func TestSuite(t *testing.T) {
	right, refused := 0, 0
	for _, g := range suite(t) {
		name := g.file + ": " + g.Description
		s, err := Compile(g.Schema)
		if notRead[name] {
			if refused += len(g.Tests); !errors.Is(err, ErrReference) {
				t.Errorf("%s: %v, want an error of the reference", name, err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %s: %v", name, g.Schema, err)
			continue
		}
		for _, test := range g.Tests {
			problems, unchecked := s.Validate(test.Data)
			if valid := len(problems) == 0; valid != test.Valid || len(unchecked) > 0 {
				t.Errorf("%s, %s: %s with %s: %v, unchecked %v", name, test.Description, g.Schema, test.Data, problems, unchecked)
				continue
			}
			right++
		}
	}
	if right < 1050 || refused > 17 {
		t.Errorf("%d cases are right, and %d schemas are refused", right, refused)
	}
}

// TestProblemsStay: what was a problem before all keywords were judged is one still.
// testdata/problems.jsonl holds what Validate said then, when it knew oneOf as anyOf.
func TestProblemsStay(t *testing.T) {
	file, err := os.Open(filepath.Join("testdata", "problems.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	for n := 1; lines.Scan(); n++ {
		var was struct {
			Schema, Document json.RawMessage
			Problems         []toolcall.Problem
		}
		if err := json.Unmarshal(lines.Bytes(), &was); err != nil {
			t.Fatal(err)
		}
		s, err := Compile(was.Schema)
		if err != nil {
			t.Fatalf("line %d: %v", n, err)
		}
		is, unchecked := s.Validate(was.Document)
		if len(unchecked) > 0 {
			t.Errorf("line %d: unchecked: %v", n, unchecked)
		}
		if !strings.Contains(string(was.Schema), `"oneOf"`) {
			if diff := cmp.Diff(was.Problems, is); diff != "" {
				t.Errorf("line %d: %s (-was +is):\n%s", n, lines.Text(), diff)
			}
			continue
		}
		if len(was.Problems) > 0 && len(is) == 0 {
			t.Errorf("line %d: %s has no problem any more", n, lines.Text())
		}
		for _, p := range was.Problems[:min(len(was.Problems), len(is))] {
			same := func(now toolcall.Problem) bool {
				if p.Rule == "anyOf" { // oneOf was called so
					now.Rule = p.Rule
				}
				return now == p
			}
			if !slices.ContainsFunc(is, same) {
				t.Errorf("line %d: %s: %v is no problem any more, but %v", n, lines.Text(), p, is)
			}
		}
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
}
