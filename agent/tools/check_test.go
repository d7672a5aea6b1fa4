package tools_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolparse/toolparse/agent"
	"github.com/toolparse/toolparse/agent/tools"
)

type parameter struct{ name, description string }

func parametersOf(t testing.TB, info agent.Info) []parameter {
	t.Helper()
	var schema struct {
		Properties map[string]struct{ Description string }
	}
	if err := json.Unmarshal(info.Parameters, &schema); err != nil {
		t.Fatal(err)
	}
	var list []parameter
	for name, p := range schema.Properties {
		list = append(list, parameter{name, p.Description})
	}
	return list
}

// ReadRequirements reads the document of a complete environment.
func TestRequirements(t *testing.T) {
	r := tools.CompleteRequirements()
	n := 0
	for _, need := range r {
		n += len(need.Tools)
	}
	if len(r) != 13 || n != 64 {
		t.Errorf("%d categories, %d tools", len(r), n)
	}
	again, err := tools.ReadRequirements(tools.RequiredDocument)
	if diff := cmp.Diff(r, again); diff != "" || err != nil {
		t.Errorf("%v\n%s", err, diff)
	}
	for _, bad := range []string{`{`, `{}`, `{"environment_tools":{"version":"2.0"}}`} {
		if _, err := tools.ReadRequirements([]byte(bad)); err == nil {
			t.Errorf("%s was read", bad)
		}
	}
}

// Check says what is missing, why, and what can replace it.
func TestCover(t *testing.T) {
	set := open(t)
	needs := []tools.Requirement{
		{Category: "file_read", Tools: []string{"read_file", "cat", "head"}},
		{Category: "search", Tools: []string{"search", "rummage"}},
		{Category: "file_manage", Tools: []string{"move_file"}},
	}
	c := set.Coverage(needs, []string{"cat", "bash", "find_files"})
	want := []tools.Missing{
		{Name: "read_file", Category: "file_read", Reason: "the environment does not offer it", Fallback: "cat", Advice: "call cat"},
		{Name: "head", Category: "file_read", Reason: "the environment does not offer it", Fallback: "cat", Advice: "call cat"},
		{Name: "search", Category: "search", Reason: "the environment does not offer it", Fallback: "bash", Advice: "run grep -rn PATTERN FOLDER"},
		{Name: "rummage", Category: "search", Reason: "there is no such tool"},
		{Name: "move_file", Category: "file_manage", Reason: "the environment does not offer it", Fallback: "bash", Advice: "run mv SOURCE DESTINATION"},
	}
	if diff := cmp.Diff(want, c.MissingTools); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"file_manage"}, c.MissingCategories); diff != "" || c.Complete || c.Ready {
		t.Errorf("%+v\n%s", c, diff)
	}
	if c.Percent < 16 || c.Percent > 17 {
		t.Errorf("%v percent", c.Percent)
	}
	all := set.Coverage(needs[:1], []string{"read_file"})
	if !all.Complete || !all.Ready || all.Percent != 100 {
		t.Errorf("%+v", all)
	}
	if none := set.Coverage(needs, nil); none.Percent != 0 || none.Complete || len(none.MissingCategories) != 3 {
		t.Errorf("%+v", none)
	}
}

// ReadTask recognises the kinds and needs of a task from its description.
func TestTask(t *testing.T) {
	tests := []struct {
		text  string
		kinds []string
		needs []string // among others
		not   []string // categories
	}{
		{"Fix the failing tests of the Rust crate and commit.", []string{"rust"}, []string{"edit_file", "run_tests", "git_commit", "cargo", "clippy"}, []string{"network"}},
		{"Which license has this project?", nil, []string{"read_file", "submit"}, []string{"git", "file_write", "testing"}},
		{"Deploy the container", []string{"devops"}, []string{"docker", "kubectl"}, nil},
		{"web_development", []string{"web_development"}, []string{"browser"}, nil},
		{"Download the dataset and plot it with pandas in Python", []string{"data_science", "python"}, []string{"http_get", "jupyter", "pytest"}, nil},
	}
	for _, test := range tests {
		kinds, needs := tools.ReadTask(test.text)
		if diff := cmp.Diff(test.kinds, kinds); diff != "" {
			t.Errorf("%s: kinds\n%s", test.text, diff)
		}
		var all []string
		for _, need := range needs {
			all = append(all, need.Tools...)
			if slices.Contains(test.not, need.Category) {
				t.Errorf("%s needs %s", test.text, need.Category)
			}
		}
		for _, name := range test.needs {
			if !slices.Contains(all, name) {
				t.Errorf("%s does not need %s: %v", test.text, name, all)
			}
		}
	}
	_, needs := tools.ReadTask("")
	if diff := cmp.Diff(tools.CompleteRequirements(), needs); diff != "" {
		t.Error(diff)
	}
}

// A task's language adds its tools if their programs are installed, and the error names
// those that are not.
func TestProvision(t *testing.T) {
	bin := t.TempDir()
	for _, name := range []string{"cargo", "pip"} {
		if err := os.WriteFile(filepath.Join(bin, name), []byte("#!/bin/sh\necho "+name+" \"$@\"\n"), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", bin)
	set := open(t)
	list, err := set.Provision("rust")
	if diff := cmp.Diff([]string{"cargo", "cargo_test", "clippy"}, list); diff != "" {
		t.Error(diff)
	}
	if err == nil || !strings.Contains(err.Error(), "not installed: rustfmt") {
		t.Errorf("%v", err)
	}
	if list, err := set.Provision(); len(list) > 0 || err != nil {
		t.Errorf("%v, %v", list, err)
	}
	made, err := set.Tools("clippy")
	if err != nil {
		t.Fatal(err)
	}
	// The arguments are not interpreted by a shell.
	result, err := made[0].Call(t.Context(), agent.Call{Arguments: json.RawMessage(`{"args":["; echo $HOME"]}`)})
	if err != nil || result.Output != "cargo clippy ; echo $HOME\n" {
		t.Errorf("%+v, %v", result, err)
	}
	if category := made[0].Info().Category; category != "validation" {
		t.Errorf("%v", category)
	}
}
