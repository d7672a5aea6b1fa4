package tools_test

import (
	"bytes"
	stdcmp "cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolparse/toolparse/agent"
	"github.com/toolparse/toolparse/agent/provider"
	"github.com/toolparse/toolparse/testdata/sessions"
)

// recording returns the recorded task, natively or in a dialect.
func recording(t *testing.T, dialect string) *provider.Recording {
	t.Helper()
	native, err := provider.ReadRecording(sessions.FS, "fix")
	if err != nil {
		t.Fatal(err)
	}
	if dialect == "" {
		return native
	}
	r, err := provider.ReadRecording(sessions.FS, path.Join("fix", dialect))
	if err != nil {
		t.Fatal(err)
	}
	r.Workspace = native.Workspace
	return r
}

// auditLine is the part of an audit's line that the test checks.
type auditLine struct {
	ID        string          `json:"tool_call_id"`
	Name      string          `json:"name"`
	Arguments json.RawMessage `json:"arguments"`
	Turn      int
	Risk      string
	Decision  struct{ Verdict string }
	Ran       bool
	Success   bool
	ExitCode  *int                `json:"exit_code"`
	Bytes     int                 `json:"output_bytes"`
	SHA256    string              `json:"output_sha256"`
	Changes   []agent.StateChange `json:"state_changes"`
}

// A whole task: the model reads a repository, runs its test, fixes the code, tests it
// again and submits. The outcome is the same natively and in every dialect, and the audit
// is complete.
func TestSession(t *testing.T) {
	type step struct {
		name    string
		success bool
		changes []agent.StateChange
	}
	want := []step{
		{"list_files", true, []agent.StateChange{}}, {"search", true, []agent.StateChange{}},
		{"bash", false, []agent.StateChange{}}, {"read_file", true, []agent.StateChange{}},
		{"edit_file", true, []agent.StateChange{modified("lib/area.sh")}}, {"bash", true, []agent.StateChange{}},
		{"write_file", true, []agent.StateChange{created("CHANGES.md")}}, {"submit", true, []agent.StateChange{}},
	}
	outputs := []string{
		"README.md\nbuild.log\nlib/\nlib/area.sh\ntest.sh\n",
		"lib/area.sh:1: # area WIDTH HEIGHT prints the area of a rectangle.\nlib/area.sh:2: area() {\ntest.sh:1: . ./lib/area.sh\ntest.sh:2: got=$(area 3 4)\ntest.sh:4: \techo \"area 3 4 is $got, want 12\" >&2\n[5 lines in 2 files]\n",
		"area 3 4 is 7, want 12\n",
	}
	var first []json.RawMessage // the native arguments
	for _, dialect := range []string{"", "xml", "hermes", "qwen3_coder", "glm45", "deepseek_v31"} {
		t.Run(stdcmp.Or(dialect, "native"), func(t *testing.T) {
			r := recording(t, dialect)
			w := within(t, nil)
			if err := os.CopyFS(w.dir, r.Workspace); err != nil {
				t.Fatal(err)
			}
			list, err := w.set.Tools()
			if err != nil {
				t.Fatal(err)
			}
			p := provider.Replay(r, provider.Config{Dialect: dialect})
			rules := agent.Rules{Approve: "all"}
			a, err := agent.New(agent.Config{Provider: p, Tools: list, Policy: rules.Policy(), WorkingDirectory: w.dir})
			if err != nil {
				t.Fatal(err)
			}
			var log bytes.Buffer
			audit := agent.NewAudit(&log)
			var end agent.Event
			var ids []string // in the order of the calls; parallel ones may end in any order
			results := map[string]*agent.ToolResult{}
			for e := range a.Run(t.Context(), agent.NewSession(), agent.Say(r.Prompt)) {
				if err := audit.Add(e); err != nil {
					t.Fatal(err)
				}
				switch end = e; e.Type {
				case agent.CallQueue:
					ids = append(ids, e.Call.ID)
				case agent.CallResult:
					results[e.Call.ID] = e.Result
				}
			}
			if end.Reason != agent.TerminalTool || end.Text != "area added its sides; it multiplies them now, and the test passes." {
				t.Errorf("it ended with %s %q: %v", end.Reason, end.Text, end.Err)
			}
			if diff := cmp.Diff(after(t), contents(t, w.dir)); diff != "" {
				t.Errorf("the workspace is not what it should be:\n%s", diff)
			}
			got := make([]step, len(ids))
			arguments := make([]json.RawMessage, len(ids))
			for line := range bytes.Lines(log.Bytes()) {
				var l auditLine
				if err := json.Unmarshal(line, &l); err != nil {
					t.Fatal(err)
				}
				at := slices.Index(ids, l.ID)
				if at < 0 || arguments[at] != nil {
					t.Fatalf("the audit has no call for, or two lines of, %s", line)
				}
				result := results[l.ID]
				digest := sha256.Sum256([]byte(result.Output))
				if l.Turn == 0 || !l.Ran || l.Decision.Verdict != "allow" || l.Risk == "" ||
					l.Bytes != len(result.Output) || l.SHA256 != hex.EncodeToString(digest[:]) || (l.Name == "bash") != (l.ExitCode != nil) {
					t.Errorf("the audit says %s of %+v", line, result)
				}
				got[at], arguments[at] = step{l.Name, l.Success, l.Changes}, l.Arguments
			}
			if diff := cmp.Diff(want, got, cmp.AllowUnexported(step{})); diff != "" {
				t.Errorf("the audit:\n%s", diff)
			}
			for i, output := range outputs {
				if r := results[ids[i]]; r.Output != output {
					t.Errorf("%s gave %q, want %q", r.Name, r.Output, output)
				}
			}
			if first == nil {
				first = arguments
			}
			if diff := cmp.Diff(values(t, first), values(t, arguments)); diff != "" {
				t.Errorf("the arguments are others than natively:\n%s", diff)
			}
		})
	}
}

// after returns the files that the workspace must contain after the task.
func after(t *testing.T) map[string]string {
	t.Helper()
	files := map[string]string{
		"CHANGES.md":  "# Changes\n\n- `area` multiplies: 3 & 4 give 12, not 7 (< 12).\n",
		"lib/area.sh": "# area WIDTH HEIGHT prints the area of a rectangle.\narea() {\n\techo $(($1 * $2))\n}\n",
	}
	for _, name := range []string{"README.md", "test.sh", "build.log", ".gitignore"} { // unchanged
		text, err := fs.ReadFile(sessions.FS, path.Join("fix/workspace", name))
		if err != nil {
			t.Fatal(err)
		}
		files[name] = string(text)
	}
	return files
}

// contents returns the texts of all files in a folder.
func contents(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		text, err := os.ReadFile(name)
		rel, _ := filepath.Rel(dir, name)
		files[filepath.ToSlash(rel)] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func values(t *testing.T, list []json.RawMessage) []any {
	t.Helper()
	var out []any
	for _, raw := range list {
		var v any
		if err := json.Unmarshal(raw, &v); err != nil {
			t.Fatal(err)
		}
		out = append(out, v)
	}
	return out
}

// A read-only run denies all other calls, and the audit says so.
func TestSessionDenied(t *testing.T) {
	r := recording(t, "hermes")
	w := within(t, nil)
	if err := os.CopyFS(w.dir, r.Workspace); err != nil {
		t.Fatal(err)
	}
	before := contents(t, w.dir)
	list, err := w.set.Tools("full")
	if err != nil {
		t.Fatal(err)
	}
	p := provider.Replay(r, provider.Config{Dialect: "hermes"})
	rules := agent.Rules{Approve: "medium", Rules: []agent.Rule{{Tool: "*", Verdict: agent.Deny, Risk: agent.High}}}
	a, err := agent.New(agent.Config{Provider: p, Tools: list, Policy: rules.Policy(), WorkingDirectory: w.dir})
	if err != nil {
		t.Fatal(err)
	}
	var refused []string
	for e := range a.Run(t.Context(), agent.NewSession(), agent.Say(r.Prompt)) {
		if e.Type == agent.CallResult && !e.Result.Ran {
			refused = append(refused, e.Call.Name)
		}
	}
	if want := []string{"bash", "edit_file", "bash", "write_file"}; !slices.Equal(refused, want) {
		t.Errorf("refused were %v, want %v", refused, want)
	}
	if diff := cmp.Diff(before, contents(t, w.dir)); diff != "" {
		t.Errorf("the workspace has changed:\n%s", diff)
	}
}
