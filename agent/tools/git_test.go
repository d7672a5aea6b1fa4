package tools_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolparse/toolparse/agent"
)

// repository returns a workspace with a repository of one commit and its own user.
func repository(t *testing.T, files map[string]string) *workspace {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	home := t.TempDir()
	put(t, filepath.Join(home, ".gitconfig"), "[user]\n\tname = Ada\n\temail = ada@example.com\n[init]\n\tdefaultBranch = main\n")
	t.Setenv("HOME", home)
	t.Setenv("USERPROFILE", home)
	t.Setenv("XDG_CONFIG_HOME", filepath.Join(home, "none"))
	w := within(t, files)
	for _, command := range [][]string{{"init", "-q"}, {"add", "."}, {"commit", "-q", "-m", "Begin"}} {
		w.git(command...)
	}
	return w
}

func (w *workspace) git(args ...string) string {
	w.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = w.dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		w.Fatalf("git %v: %v: %s", args, err, out)
	}
	return string(out)
}

func parsed[T any](t *testing.T, r agent.Result) T {
	t.Helper()
	var v T
	if err := json.Unmarshal([]byte(r.Output), &v); err != nil {
		t.Fatalf("%v: %s", err, r.Output)
	}
	return v
}

// A change is seen, shown, staged, committed and listed.
func TestGit(t *testing.T) {
	w := repository(t, map[string]string{"a b.txt": "one\n", "gone.txt": "x\n", "same": "y\n"})
	if r := w.good("git_status", nil); !strings.Contains(r.Output, `"branch":"main"`) || !strings.Contains(r.Output, `"clean":true`) {
		t.Errorf("%s", r.Output)
	}
	put(t, filepath.Join(w.dir, "a b.txt"), "one\ntwo\n")
	put(t, filepath.Join(w.dir, "-new\n.txt"), "n\n")
	if err := os.Remove(filepath.Join(w.dir, "gone.txt")); err != nil {
		t.Fatal(err)
	}
	w.good("git_add", args{"paths": []string{"gone.txt"}})
	type status struct {
		Clean           bool
		Staged, Changed []map[string]string
		Untracked       []string
	}
	want := status{
		Staged: []map[string]string{{"path": "gone.txt", "change": "deleted"}}, Changed: []map[string]string{{"path": "a b.txt", "change": "modified"}},
		Untracked: []string{"-new\n.txt"},
	}
	if diff := cmp.Diff(want, parsed[status](t, w.good("git_status", nil))); diff != "" {
		t.Error(diff)
	}
	r := w.good("git_diff", args{"context_lines": 0})
	if !strings.Contains(r.Output, "+two\n") || strings.Contains(r.Output, "gone.txt") {
		t.Errorf("%s", r.Output)
	}
	if files, _ := json.Marshal(r.Metadata["files"]); string(files) != `[{"path":"a b.txt","added":1,"deleted":0}]` {
		t.Errorf("%s", files)
	}
	if r := w.good("git_diff", args{"staged": true}); !strings.Contains(r.Output, "deleted file") || strings.Contains(r.Output, "two") {
		t.Errorf("%s", r.Output)
	}
	if r := w.good("git_diff", args{"paths": []string{"same"}}); r.Output != "no changes" {
		t.Errorf("%s", r.Output)
	}
	r = w.good("git_commit", args{"message": "Add two\n\nBecause.", "paths": []string{"a b.txt", "-new\n.txt"}})
	if r.Metadata["commit"] != strings.TrimSpace(w.git("rev-parse", "HEAD")) || !strings.HasSuffix(r.Output, " Add two") {
		t.Errorf("%+v", r)
	}
	type commit struct{ Commit, Author, Subject, Body string }
	log := parsed[[]commit](t, w.good("git_log", nil))
	if len(log) != 2 || log[0] != (commit{r.Metadata["commit"].(string), "Ada <ada@example.com>", "Add two", "Because."}) || log[1].Subject != "Begin" {
		t.Errorf("%+v", log)
	}
	if log := parsed[[]commit](t, w.good("git_log", args{"paths": []string{"same"}, "max_count": 5})); len(log) != 1 {
		t.Errorf("%+v", log)
	}
	if e := w.bad("git_commit", args{"message": "Nothing"}, agent.Execution); e.Message != "nothing is staged" {
		t.Errorf("%v", e)
	}
	w.good("git_checkout", args{"name": "topic", "create": true})
	if r := w.good("git_checkout", args{"name": "HEAD~1"}); len(r.Changes) != 3 {
		t.Errorf("%+v", r.Changes)
	}
	w.good("git_branch", args{"name": "other"})
	if r := w.good("git_branch", nil); !strings.Contains(r.Output, "topic\n") || !strings.Contains(r.Output, "other\n") {
		t.Errorf("%s", r.Output)
	}
}

// No argument becomes an option or leaves the workspace.
func TestGitArguments(t *testing.T) {
	w := repository(t, map[string]string{"a": "1\n"})
	w.bad("git_diff", args{"commit": "--output=stolen"}, agent.Validation)
	w.bad("git_log", args{"commit": "-Ofile"}, agent.Validation)
	w.bad("git_checkout", args{"name": "--orphan"}, agent.Validation)
	w.bad("git_branch", args{"name": "-D"}, agent.Validation)
	w.bad("git_commit", args{"message": " "}, agent.Validation)
	w.bad("git_diff", args{"paths": []string{"../../etc"}}, agent.Permission)
	if r, err := w.use("git_add", args{"paths": []string{"--force"}}); agent.Categorize(err).Category != agent.Execution || r.Output != "" {
		t.Errorf("a file that is not there: %q, %v", r.Output, err)
	}
	w.bad("git_log", args{"commit": "nosuchbranch"}, agent.Execution)
	within(t, nil).bad("git_status", nil, agent.NotFound)
	t.Setenv("PATH", t.TempDir())
	if e := w.bad("git_status", nil, agent.Resource); e.Message != "git is not installed" {
		t.Errorf("%v", e)
	}
}

// Nothing in a repository can start a program (hooks, filters, textconv, pager, monitor,
// editor, signatures), and no environment variable leads git elsewhere.
func TestGitHostile(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the trap is a shell script")
	}
	w := repository(t, map[string]string{"a.txt": "1\n", "b.txt": "1\n"})
	trap := filepath.Join(t.TempDir(), "trap")
	if err := os.WriteFile(trap, []byte("#!/bin/sh\necho \"$0 $@\" >> "+trap+".log\ncat\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, hook := range []string{"pre-commit", "commit-msg", "post-commit", "prepare-commit-msg", "post-checkout", "reference-transaction", "post-index-change"} {
		if err := os.Symlink(trap, filepath.Join(w.dir, ".git/hooks", hook)); err != nil {
			t.Fatal(err)
		}
	}
	var config strings.Builder
	config.WriteString("[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tworktree = /\n\tfsmonitor = " + trap + "\n\tpager = " + trap + "\n\teditor = " + trap + "\n\thooksPath = " + w.dir + "/.git/hooks\n")
	config.WriteString("[diff]\n\texternal = " + trap + "\n[commit]\n\tgpgSign = true\n[gpg]\n\tprogram = " + trap + "\n[log]\n\tshowSignature = true\n[include]\n\tpath = more\n")
	config.WriteString("[diff \"evil\"]\n\tcommand = " + trap + "\n\ttextconv = " + trap + "\n")
	put(t, filepath.Join(w.dir, ".git/config"), config.String())
	put(t, filepath.Join(w.dir, ".git/more"), "[filter \"e=vil\"]\n\tclean = "+trap+"\n\tsmudge = "+trap+"\n\trequired = true\n[filter \"long\"]\n\tprocess = "+trap+"\n")
	put(t, filepath.Join(w.dir, ".gitattributes"), "a.txt filter=e=vil diff=evil\nb.txt filter=long diff=evil\n")
	put(t, filepath.Join(w.dir, "a.txt"), "2\n")
	put(t, filepath.Join(w.dir, "b.txt"), "2\n")
	t.Setenv("GIT_DIR", "/nowhere")
	t.Setenv("GIT_EXTERNAL_DIFF", trap)
	t.Setenv("GIT_EDITOR", trap)
	w.good("git_status", nil)
	if r := w.good("git_diff", nil); !strings.Contains(r.Output, "+2\n") {
		t.Errorf("%s", r.Output)
	}
	w.good("git_commit", args{"message": "Change", "paths": []string{"a.txt", "b.txt", ".gitattributes"}})
	w.good("git_log", nil)
	w.good("git_checkout", args{"name": "HEAD~1"})
	if text, err := os.ReadFile(trap + ".log"); err == nil {
		t.Errorf("the repository ran:\n%s", text)
	}
	if got := w.text("a.txt"); got != "1\n" {
		t.Errorf("a.txt holds %q", got)
	}
}

// Branches are merged, conflicts change nothing, and changes are stashed and restored.
func TestGitMerge(t *testing.T) {
	w := repository(t, map[string]string{"a": "1\n"})
	commit := func(branch, name, text string) {
		t.Helper()
		w.git("checkout", "-q", branch)
		put(t, filepath.Join(w.dir, name), text)
		w.good("git_commit", args{"message": "Change " + name, "paths": []string{name}})
	}
	w.good("git_branch", args{"name": "topic"})
	w.good("git_branch", args{"name": "clash"})
	commit("topic", "b", "2\n")
	commit("clash", "a", "3\n")
	commit("main", "a", "4\n")
	r := w.good("git_merge", args{"name": "topic"})
	if diff := cmp.Diff([]agent.StateChange{{Type: "FileCreated", Path: "b"}}, r.Changes); diff != "" || w.text("b") != "2\n" {
		t.Error(diff)
	}
	w.bad("git_merge", args{"name": "clash"}, agent.Execution)
	if status := w.good("git_status", nil).Output; w.text("a") != "4\n" || !strings.Contains(status, `"clean":true`) {
		t.Errorf("the conflict has left %q, %s", w.text("a"), status)
	}
	w.bad("git_merge", args{"name": "--abort"}, agent.Validation)
	w.bad("git_merge", args{"name": "none"}, agent.Execution)
	put(t, filepath.Join(w.dir, "a"), "5\n")
	put(t, filepath.Join(w.dir, "new"), "n\n")
	if r := w.good("git_stash", args{"message": "later"}); len(r.Changes) != 2 || w.text("a") != "4\n" {
		t.Errorf("%+v", r)
	}
	if r := w.good("git_stash", args{"pop": true}); len(r.Changes) != 2 || w.text("a") != "5\n" || w.text("new") != "n\n" {
		t.Errorf("%+v", r)
	}
	w.bad("git_stash", args{"pop": true}, agent.Execution)
	w.git("config", "merge.own.driver", "touch stolen")
	w.bad("git_merge", args{"name": "clash"}, agent.Permission)
}
