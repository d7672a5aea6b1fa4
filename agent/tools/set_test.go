package tools_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolparse/toolparse/agent"
	"github.com/toolparse/toolparse/agent/tools"
)

func open(t testing.TB) *tools.Set {
	t.Helper()
	set, err := tools.Workspace(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { set.Close() })
	return set
}

func names(t testing.TB, set *tools.Set, words ...string) []string {
	t.Helper()
	list, err := set.Names(words...)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// Every built-in tool can be made under each of its names, which are unique, and
// describes itself and its parameters.
func TestTable(t *testing.T) {
	set := open(t)
	taken := map[string]bool{}
	for _, e := range set.Entries() {
		for _, name := range append([]string{e.Name}, e.Aliases...) {
			if taken[name] {
				t.Errorf("two tools are called %s", name)
			}
			taken[name] = true
			list, err := set.Tools(name)
			if err != nil {
				t.Fatal(err)
			}
			info := list[0].Info()
			if info.Name != name || info.Description == "" || info.Category == "" {
				t.Errorf("%s: %+v", name, info)
			}
			if !strings.Contains(string(info.Parameters), `"additionalProperties":false`) {
				t.Errorf("%s takes unknown parameters: %s", name, info.Parameters)
			}
			for _, parameter := range parametersOf(t, info) {
				if parameter.description == "" {
					t.Errorf("%s: the parameter %s is not described", name, parameter.name)
				}
			}
			for _, s := range slices.Concat(info.Subjects, info.Commands, info.Paths) {
				if !slices.ContainsFunc(parametersOf(t, info), func(p parameter) bool { return p.name == s }) {
					t.Errorf("%s: the policy looks at %s, which is no parameter", name, s)
				}
			}
		}
		if e.VariantOf != "" && !taken[e.VariantOf] {
			t.Errorf("%s is like %s, which comes later or not at all", e.Name, e.VariantOf)
		}
	}
}

// The availability matrix: the tools of each environment.
func TestEnvironments(t *testing.T) {
	set := open(t)
	minimal, standard, full := names(t, set, "minimal"), names(t, set, "standard"), names(t, set, "full")
	if diff := cmp.Diff(standard, names(t, set)); diff != "" {
		t.Errorf("standard is not the default:\n%s", diff)
	}
	for _, name := range minimal {
		if !slices.Contains(standard, name) {
			t.Errorf("standard lacks %s", name)
		}
	}
	for _, name := range standard {
		if !slices.Contains(full, name) {
			t.Errorf("full lacks %s", name)
		}
	}
	for _, e := range set.Entries() {
		if e.VariantOf != "" && slices.Contains(full, e.Name) {
			t.Errorf("full has both %s and %s", e.Name, e.VariantOf)
		}
		has := func(environment string) bool { return slices.Contains(names(t, set, environment), e.Name) }
		if has("minimal") && slices.Contains([]string{"git", "testing", "validation", "network"}, e.Category) {
			t.Errorf("minimal has %s", e.Name)
		}
		if has("swe-agent") && e.Category == "network" {
			t.Errorf("swe-agent has %s", e.Name)
		}
		if has("openhands") != has("full") {
			t.Errorf("openhands and full differ in %s", e.Name)
		}
	}
	for _, name := range []string{"bash", "read_file", "write_file", "edit_file", "list_files", "search", "submit"} {
		if !slices.Contains(minimal, name) {
			t.Errorf("minimal lacks %s", name)
		}
	}
}

// Words choose tools, each once and in order.
func TestNames(t *testing.T) {
	set := open(t)
	tests := []struct {
		words []string
		want  []string
	}{
		{[]string{"bash", "read_file", "bash"}, []string{"bash", "read_file"}},
		{[]string{"file_read"}, []string{"read_file"}},
		{[]string{"ls", "grep"}, []string{"ls", "grep"}},
		{[]string{"read_file", "file_read", "control"}, []string{"read_file", "submit"}},
	}
	for _, test := range tests {
		got := names(t, set, test.words...)
		if len(got) > len(test.want) && test.words[len(test.words)-1] == "control" {
			got = slices.DeleteFunc(got, func(name string) bool { return !slices.Contains(test.want, name) })
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%v:\n%s", test.words, diff)
		}
	}
	for word, says := range map[string]string{"lst_files": "did you mean list_files", "standart": "did you mean standard", "zzzzzz": "the categories execution"} {
		if _, err := set.Tools(word); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v", word, err)
		}
	}
}

// indexer is a tool with a lifecycle.
type indexer struct {
	agent.Tool
	log    *[]string
	broken error
}

func (x indexer) Initialize(ctx context.Context) error {
	*x.log = append(*x.log, "initialize "+x.Info().Name)
	return errors.Join(ctx.Err(), x.broken)
}

func (x indexer) Shutdown(context.Context) error {
	*x.log = append(*x.log, "shut down "+x.Info().Name)
	return errors.New("no more " + x.Info().Name)
}

func newIndexer(t testing.TB, name string, log *[]string, broken error) agent.Tool {
	t.Helper()
	tool := agent.NewTool(name, "Looks it up.", func(context.Context, struct{}) (string, error) {
		*log = append(*log, "call "+name)
		return "found", nil
	}, func(i *agent.Info) { i.Category = "index" })
	return indexer{tool, log, broken}
}

// A tool is initialised once, before its first call, and shut down once, even if others
// fail.
func TestLifecycle(t *testing.T) {
	var log []string
	set := open(t)
	if err := set.Add(newIndexer(t, "a", &log, nil), newIndexer(t, "b", &log, errors.New("no disk")), newIndexer(t, "c", &log, nil)); err != nil {
		t.Fatal(err)
	}
	if err := set.Add(newIndexer(t, "a", &log, nil)); err == nil {
		t.Error("a name was taken twice")
	}
	list, err := set.Tools("index")
	if err != nil || len(list) != 3 {
		t.Fatal(list, err)
	}
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := list[0].Call(cancelled, agent.Call{}); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	for range 2 {
		if result, err := list[0].Call(t.Context(), agent.Call{}); err != nil || result.Output != "found" {
			t.Errorf("%+v, %v", result, err)
		}
		if _, err := list[1].Call(t.Context(), agent.Call{}); err == nil || !strings.Contains(err.Error(), "b cannot be initialised: no disk") {
			t.Errorf("%v", err)
		}
	}
	if _, err := list[2].Call(t.Context(), agent.Call{}); err != nil {
		t.Errorf("%v", err)
	}
	if err := set.Close(); err == nil || !strings.Contains(err.Error(), "no more a") || !strings.Contains(err.Error(), "no more c") {
		t.Errorf("%v", err)
	}
	set.Close()
	if _, err := list[0].Call(t.Context(), agent.Call{}); err == nil {
		t.Error("it was called after its end")
	}
	want := []string{"initialize a", "initialize a", "call a", "initialize b", "call a", "initialize c", "call c", "shut down c", "shut down a"}
	if diff := cmp.Diff(want, log); diff != "" {
		t.Error(diff)
	}
}
