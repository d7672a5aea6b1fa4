package tools_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// The tools ignore exactly the files that git ignores.
func TestIgnoreAsGit(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil || testing.Short() {
		t.Skip("it asks git for every draw")
	}
	w := within(t, nil)
	git := func(t *rapid.T, args ...string) string {
		cmd := exec.Command("git", args...)
		cmd.Dir = w.dir
		cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_SYSTEM="+os.DevNull)
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("git %v: %v: %s", args, err, out)
		}
		return string(out)
	}
	name := rapid.SampledFrom([]string{"a", "b", "c.log", "d.txt", "build", "x1"})
	pattern := rapid.SampledFrom([]string{
		"a", "b", "*.log", "/build", "build/", "a/", "**/b", "a/**", "a/*", "!c.log", "!/build", "x?", "x[0-9]", "a/b", "/a/b", "**/build/**", "a/**/b",
		"# c", `\#a`, "*", "!a", "!a/", "*.txt ", "  ", "!*.log", "d.t[!a]t", "d.t[^x]t", `x\?`, "a/b/", "!a/**",
	})
	rapid.Check(t, func(t *rapid.T) {
		for _, e := range mustRead(t, w.dir) {
			os.RemoveAll(filepath.Join(w.dir, e.Name()))
		}
		git(t, "init", "-q")
		for range rapid.IntRange(3, 10).Draw(t, "files") {
			path := filepath.Join(w.dir, strings.Join(rapid.SliceOfN(name, 1, 3).Draw(t, "path"), "/"))
			if os.MkdirAll(filepath.Dir(path), 0o755) == nil {
				os.WriteFile(path, nil, 0o644) // fails if a folder has the name
			}
		}
		rules := ""
		for _, dir := range []string{".", "a", "build"} {
			at := filepath.Join(w.dir, dir)
			if stat, err := os.Stat(at); err == nil && stat.IsDir() && rapid.Bool().Draw(t, "rules") {
				text := strings.Join(rapid.SliceOfN(pattern, 1, 4).Draw(t, "patterns"), "\n") + "\n"
				put(w, filepath.Join(at, ".gitignore"), text)
				rules += dir + "/.gitignore:\n" + text
			}
		}
		want := strings.Split(git(t, "ls-files", "-co", "--exclude-standard"), "\n")
		want = slices.DeleteFunc(want, func(path string) bool { return path == "" || strings.HasSuffix(path, ".gitignore") })
		result, err := w.use("find_files", args{"pattern": "*", "type": "file", "max_results": 1000})
		if err != nil {
			t.Fatal(err)
		}
		got := slices.DeleteFunc(strings.Split(result.Output, "\n"), func(path string) bool { return path == "" || path[0] == '[' })
		slices.Sort(want)
		slices.Sort(got)
		if diff := cmp.Diff(append([]string{}, want...), append([]string{}, got...)); diff != "" {
			t.Fatalf("(-git +find_files)\n%s%s", diff, rules)
		}
	})
}

func mustRead(t *rapid.T, dir string) []os.DirEntry {
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	return entries
}

// A .gitignore is read up to a number of rules and a length of each, so that a hostile one
// cannot make a search endless.
func TestIgnoreLimits(t *testing.T) {
	rules := "early.txt\n" + strings.Repeat("*", 5000) + "long.txt\n" + strings.Repeat("no such file\n", 20_000) + "late.txt\n"
	w := within(t, map[string]string{".gitignore": rules, "early.txt": "x", "long.txt": "x", "late.txt": "x"})
	if got := w.good("find_files", args{"pattern": "*.txt"}).Output; got != "late.txt\nlong.txt\n" {
		t.Errorf("%q", got)
	}
}
