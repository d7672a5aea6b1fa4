package tools_test

import (
	"slices"
	"testing"

	"github.com/toolparse/toolparse/agent/tools"
)

// Every category has at least three tools, and a complete environment has all required
// tools under their names, except for those listed here.
func TestCategories(t *testing.T) {
	set := open(t)
	perCategory := map[string]int{}
	called := map[string]string{} // name to category
	for _, e := range set.Entries() {
		perCategory[e.Category]++
		for _, name := range append(e.Aliases, e.Name) {
			called[name] = e.Category
		}
	}
	left := []string{"retry", "checkpoint"}
	var missing []string
	for _, need := range tools.CompleteRequirements() {
		if n := perCategory[need.Category]; n < 3 {
			t.Errorf("%s has %d tools, want 3", need.Category, n)
		}
		for _, name := range need.Tools {
			switch category, ok := called[name]; {
			case !ok:
				missing = append(missing, name)
			case category != need.Category:
				t.Errorf("%s is in %s, not in %s", name, category, need.Category)
			}
		}
	}
	if !slices.Equal(missing, left) {
		t.Errorf("missing are %v, want %v", missing, left)
	}
}
