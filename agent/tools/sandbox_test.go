package tools_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/toolparse/toolparse/agent"
	"github.com/toolparse/toolparse/agent/tools"
)

const secret = "sesame open"

// outside makes a folder with a secret outside of any workspace.
func outside(t testing.TB) string {
	t.Helper()
	dir := t.TempDir()
	put(t, filepath.Join(dir, "secret"), secret)
	put(t, filepath.Join(dir, "sub/secret"), secret)
	return dir
}

// attempts returns a call of each file tool with a path.
func attempts(path string) map[string]args {
	return map[string]args{
		"read_file": {"path": path}, "read_lines": {"path": path}, "cat": {"path": path}, "head": {"path": path}, "tail": {"path": path},
		"list_files": {"path": path, "recursive": true, "include_hidden": true}, "ls": {"path": path}, "tree": {"path": path},
		"search": {"path": path, "pattern": "sesame"}, "find_files": {"path": path, "pattern": "*"},
		"write_file": {"path": path, "content": "broken in"}, "append_file": {"path": path, "content": "broken in"}, "create_file": {"path": path, "content": "x"},
		"file.write": {"path": path, "content": "x", "overwrite": true}, "edit_file": {"path": path, "old_content": "sesame", "new_content": "broken"},
		"insert_lines": {"path": path, "line_start": 1, "new_content": "x"}, "replace_lines": {"path": path, "line_start": 1, "line_end": 1, "new_content": "x"},
		"copy_file": {"source": path, "destination": "copied"}, "copy": {"source": "own", "destination": path, "overwrite": true},
		"move_file": {"source": path, "destination": "moved"}, "rename_file": {"source": "own", "destination": path, "overwrite": true},
		"delete_file": {"path": path}, "delete_directory": {"path": path, "recursive": true}, "chmod": {"path": path, "mode": "777"}, "make_directory": {"path": path},
	}
}

// untouched fails if a folder outside the workspace has changed.
func untouched(t testing.TB, dir string) {
	t.Helper()
	names := []string{}
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		if err == nil && string(text) != secret {
			t.Fatalf("%s now holds %q", path, text)
		}
		info, err := e.Info()
		if err == nil && info.Mode().Perm() != 0o644 {
			t.Fatalf("%s now has the permissions %v", path, info.Mode())
		}
		rel, _ := filepath.Rel(dir, path)
		names = append(names, rel)
		return err
	})
	if got := strings.Join(names, " "); err != nil || got != "secret sub/secret" {
		t.Fatalf("outside are now %s, %v", got, err)
	}
}

// noTemporary fails if a temporary file is left.
func noTemporary(t testing.TB, dir string) {
	t.Helper()
	filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		if strings.HasPrefix(filepath.Base(path), ".toolparse-") {
			t.Errorf("%s was left", path)
		}
		return nil
	})
}

// No path leads any tool out of the workspace.
func TestBreakOut(t *testing.T) {
	out := outside(t)
	w := within(t, map[string]string{"own": "mine", "d/x": ""})
	for name, to := range map[string]string{
		"file": filepath.Join(out, "secret"), "dir": out, "chain": "dir/sub", "d/up": "../../" + filepath.Base(filepath.Dir(w.dir)), "loop": "loop", "root": "/",
	} {
		if err := os.Symlink(to, filepath.Join(w.dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	rel, err := filepath.Rel(w.dir, out)
	if err != nil {
		t.Fatal(err)
	}
	paths := []string{
		filepath.Join(out, "secret"), out, filepath.Join(rel, "secret"), rel, "..", "../", "d/../..", "dir/secret", "dir/sub/secret", "dir/new", "chain/secret",
		"d/up", "d/up/" + filepath.Base(w.dir), "/etc/passwd", "root/etc/passwd", "//etc/passwd", "./../" + filepath.Base(filepath.Dir(out)), "loop", "loop/x",
		filepath.Join(w.dir, "..", filepath.Base(out), "secret"), filepath.Join(w.dir, "dir", "secret"), "dir/../../" + filepath.Base(out),
	}
	for _, path := range paths {
		for tool, in := range attempts(path) {
			if path == "loop" || path == "d/up" { // a link may be deleted and moved like a file
				switch tool {
				case "delete_file", "move_file":
					continue
				}
			}
			result, err := w.use(tool, in)
			if err == nil || strings.Contains(result.Output, "sesame") && tool != "search" || strings.Contains(err.Error(), secret) {
				t.Errorf("%s %v: %+v, %v", tool, in, result, err)
			}
			untouched(t, out)
		}
	}
	// The links themselves may be deleted and moved, which changes nothing outside.
	for _, name := range []string{"file", "dir"} {
		w.use("delete_directory", args{"path": name, "recursive": true})
		w.good("move_file", args{"source": name, "destination": name + "2"})
		w.bad("cat", args{"path": name + "2"}, agent.Permission)
		w.good("delete_file", args{"path": name + "2"})
	}
	w.good("delete_directory", args{"path": "d", "recursive": true})
	untouched(t, out)
	noTemporary(t, w.dir)
}

// A workspace behind a link can be named with and without the link.
func TestLinkedWorkspace(t *testing.T) {
	real, link := t.TempDir(), filepath.Join(t.TempDir(), "link")
	put(t, filepath.Join(real, "f"), "text")
	put(t, filepath.Join(filepath.Dir(real), "beside"), secret)
	if err := os.Symlink(real, link); err != nil {
		t.Fatal(err)
	}
	set, err := tools.Workspace(link)
	if err != nil {
		t.Fatal(err)
	}
	defer set.Close()
	w := &workspace{t, link, set}
	for _, path := range []string{"f", filepath.Join(link, "f"), filepath.Join(real, "f")} {
		if got := w.good("cat", args{"path": path}).Output; got != "text" {
			t.Errorf("%s: %q", path, got)
		}
	}
	for _, path := range []string{"../beside", filepath.Join(real, "../beside"), filepath.Join(link, "../link/f/../../beside")} {
		w.bad("cat", args{"path": path}, agent.Permission)
	}
}

// While somebody swaps a folder of the workspace for a link to the outside, no tool reads
// or changes anything there.
func TestBreakOutMidFlight(t *testing.T) {
	out := outside(t)
	w := within(t, map[string]string{"own": "mine", "real/secret": "sesame inside", "real/sub/secret": "sesame inside"})
	link, at := filepath.Join(w.dir, "link"), filepath.Join(w.dir, "d")
	if err := os.Symlink(out, link); err != nil {
		t.Fatal(err)
	}
	stop := meanwhile(func() {
		os.Rename(filepath.Join(w.dir, "real"), at)
		os.Rename(at, filepath.Join(w.dir, "real"))
		os.Rename(link, at)
		os.Rename(at, link)
		for _, name := range []string{"secret", "sub/secret"} { // the tools may have deleted or changed these
			os.MkdirAll(filepath.Join(w.dir, "real/sub"), 0o755)
			os.WriteFile(filepath.Join(w.dir, "real", name), []byte("sesame inside"), 0o644)
		}
		if _, err := os.Lstat(link); err != nil {
			os.RemoveAll(at)
			os.Symlink(out, link)
		}
	})
	rounds := 150
	if testing.Short() {
		rounds = 25
	}
	passed := 0
	for i := range rounds {
		path := []string{"d", "d/secret", "d/sub/secret", "d/new"}[i%4]
		for tool, in := range attempts(path) {
			result, err := w.use(tool, in)
			if err == nil {
				passed++
			}
			if strings.Contains(result.Output, secret) || err != nil && strings.Contains(err.Error(), secret) {
				t.Fatalf("%s %v read the secret: %+v, %v", tool, in, result, err)
			}
			put(t, filepath.Join(w.dir, "own"), "mine")
		}
		untouched(t, out)
	}
	stop()
	noTemporary(t, w.dir)
	if passed == 0 {
		t.Error("no call had success: the test shows nothing")
	}
	for _, name := range []string{"copied", "moved"} {
		if text, err := os.ReadFile(filepath.Join(w.dir, name)); err == nil && string(text) == secret {
			t.Errorf("%s holds the secret", name)
		}
	}
}

// Endless files, and files that claim to be huge, cost neither time nor memory.
func TestHugeFiles(t *testing.T) {
	w := within(t, map[string]string{"small": "text\n"})
	huge := filepath.Join(w.dir, "huge")
	put(t, huge, strings.Repeat("a line\n", 2000))
	if err := os.Truncate(huge, 1<<40); err != nil {
		t.Skip("no sparse files here:", err)
	}
	for tool, in := range map[string]args{
		"read_file": {"path": "huge"}, "cat": {"path": "huge"}, "tail": {"path": "huge"}, "edit_file": {"path": "huge", "old_content": "a", "new_content": "b"},
		"append_file": {"path": "huge", "content": "x"}, "copy_file": {"source": "huge", "destination": "copy"}, "search": {"path": "huge", "pattern": "a"},
		"insert_lines": {"path": "huge", "line_start": 1, "new_content": "x"}, "read_lines": {"path": "huge", "start_line": 3000, "end_line": 3001},
	} {
		w.bad(tool, in, agent.Resource)
	}
	if got := w.good("read_file", args{"path": "huge", "start_line": 2, "end_line": 3}).Output; got != "2: a line\n3: a line\n" {
		t.Errorf("%q", got)
	}
	if got := w.good("search", args{"pattern": "text"}).Output; !strings.HasPrefix(got, "small:1: text\n") || !strings.Contains(got, "1 file could not be read") {
		t.Errorf("%q", got)
	}
	w.good("list_files", args{"details": true})
	noTemporary(t, w.dir)
}

// Names with line feeds and control characters are quoted, one on each line.
func TestStrangeNames(t *testing.T) {
	names := []string{"two\nlines", "esc\x1b[31m", "tab\tbed", "nel\u0085x", "sep\u2028x", "-rf", " blank ", "quote\"d", "日本", "\xff\xfe"}
	files := map[string]string{}
	for _, name := range names {
		files["d/"+name] = "hit\n"
	}
	w := within(t, files)
	for tool, in := range map[string]args{
		"list_files": {"path": "d"}, "tree": {"path": "d"}, "find_files": {"pattern": "*", "path": "d"}, "search": {"pattern": "hit", "context_lines": 0},
	} {
		out := w.good(tool, in).Output
		lines := strings.Count(out, "\n")
		if tool == "search" {
			lines-- // the summary
		}
		if lines != len(names) || strings.ContainsAny(out, "\x1b\u0085\u2028\t") || !strings.Contains(out, `two\nlines`) {
			t.Errorf("%s: %d lines\n%q", tool, lines, out)
		}
	}
	for _, name := range names[:9] {
		if got := w.good("cat", args{"path": "d/" + name}).Output; got != "hit\n" {
			t.Errorf("%q: %q", name, got)
		}
		w.good("delete_file", args{"path": "d/" + name})
	}
}

// Folders with very many files or levels give a limited answer.
func TestManyFiles(t *testing.T) {
	w := within(t, nil)
	for i := range 1500 {
		put(t, filepath.Join(w.dir, "many", strings.Repeat("n", 100)+string(rune('a'+i%26))+strings.Repeat("x", i/26)), "")
	}
	deep := filepath.Join(w.dir, "deep")
	for range 150 {
		deep = filepath.Join(deep, "d")
	}
	put(t, filepath.Join(deep, "end"), "hit\n")
	for tool, in := range map[string]args{
		"list_files": {"recursive": true, "max_entries": 1000}, "ls": {"path": "many", "max_entries": 1000}, "tree": {}, "find_files": {"pattern": "*", "max_results": 1000},
	} {
		if out := w.good(tool, in).Output; len(out) > 64<<10 || strings.Count(out, "\n") > 1002 {
			t.Errorf("%s: %d bytes in %d lines", tool, len(out), strings.Count(out, "\n"))
		}
	}
	if out := w.good("search", args{"pattern": "hit"}).Output; !strings.Contains(out, "1 line in 1 file") {
		t.Errorf("%s", out)
	}
	w.good("delete_directory", args{"path": "deep", "recursive": true})
}

// A tool whose context has ended leaves the old file, and no other.
func TestCancelled(t *testing.T) {
	w := within(t, map[string]string{"a": strings.Repeat("x", 1<<20), "b": "old"})
	for tool, in := range map[string]string{
		"copy_file": `{"source":"a","destination":"b","overwrite":true}`, "append_file": `{"path":"a","content":"y"}`, "edit_file": `{"path":"b","old_content":"old","new_content":"new"}`,
		"search": `{"pattern":"x"}`, "list_files": `{}`, "read_file": `{"path":"a"}`,
	} {
		list, err := w.set.Tools(tool)
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		_, err = list[0].Call(ctx, agent.Call{Name: tool, Arguments: []byte(in)})
		if err == nil || agent.Categorize(err).Code != "CANCELLED" {
			t.Errorf("%s: %v", tool, err)
		}
	}
	if len(w.text("a")) != 1<<20 || w.text("b") != "old" {
		t.Error("a file has changed")
	}
	noTemporary(t, w.dir)
}

// With random links, files and paths, nothing leaves the workspace.
func TestSandboxProperty(t *testing.T) {
	out := outside(t)
	w := within(t, nil)
	name := rapid.SampledFrom([]string{"a", "b", "c", "secret", "..", ".", "sub"})
	path := rapid.Custom(func(t *rapid.T) string {
		p := strings.Join(rapid.SliceOfN(name, 1, 4).Draw(t, "parts"), "/")
		return rapid.SampledFrom([]string{"", "", "", "/", w.dir + "/", out + "/", "../" + filepath.Base(out) + "/"}).Draw(t, "prefix") + p
	})
	rapid.Check(t, func(t *rapid.T) {
		entries, err := os.ReadDir(w.dir)
		for _, e := range entries {
			err = errors.Join(err, os.RemoveAll(filepath.Join(w.dir, e.Name())))
		}
		if err != nil {
			t.Fatal(err)
		}
		put(w, filepath.Join(w.dir, "own"), "mine")
		for range rapid.IntRange(1, 5).Draw(t, "links") {
			at := filepath.Join(w.dir, strings.ReplaceAll(path.Draw(t, "link"), "..", "d"))
			if !strings.HasPrefix(at, w.dir+"/") || strings.HasPrefix(at, out) || leaves(w.dir, filepath.Dir(at)) {
				continue
			}
			os.MkdirAll(filepath.Dir(at), 0o755)
			os.Symlink(path.Draw(t, "to"), at)
		}
		p := path.Draw(t, "path")
		for tool, in := range attempts(p) {
			result, err := w.use(tool, in)
			if strings.Contains(result.Output, secret) || err != nil && strings.Contains(err.Error(), secret) {
				t.Fatalf("%s %v: %+v, %v", tool, in, result, err)
			}
			untouched(w, out)
		}
		noTemporary(w, w.dir)
	})
}

// leaves reports whether a folder, or the part of it that exists, is outside another.
func leaves(root, dir string) bool {
	for ; ; dir = filepath.Dir(dir) {
		real, err := filepath.EvalSymlinks(dir)
		if err == nil {
			base, err := filepath.EvalSymlinks(root)
			return err != nil || real != base && !strings.HasPrefix(real, base+"/")
		}
		if _, err := os.Lstat(dir); err == nil { // a dangling link
			return true
		}
	}
}
