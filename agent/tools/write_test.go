package tools_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolparse/toolparse/agent"
)

func created(path string) agent.StateChange {
	return agent.StateChange{Type: "FileCreated", Path: path}
}
func modified(path string) agent.StateChange {
	return agent.StateChange{Type: "FileModified", Path: path}
}
func deleted(path string) agent.StateChange {
	return agent.StateChange{Type: "FileDeleted", Path: path}
}
func folder(path string) agent.StateChange {
	return agent.StateChange{Type: "DirectoryCreated", Path: path}
}

// Files are made, replaced and appended to, and the result lists the changes.
func TestWriteFile(t *testing.T) {
	w := within(t, nil)
	tests := []struct {
		tool    string
		in      args
		text    string
		changes []agent.StateChange
	}{
		{"write_file", args{"path": "a/b/c.txt", "content": "one\n"}, "one\n", []agent.StateChange{folder("a"), folder("a/b"), created("a/b/c.txt")}},
		{"write_file", args{"path": "a/b/c.txt", "content": "two\n"}, "two\n", []agent.StateChange{modified("a/b/c.txt")}},
		{"write_file", args{"path": "a/b/c.txt", "content": "three\n", "mode": "append"}, "two\nthree\n", []agent.StateChange{modified("a/b/c.txt")}},
		{"append_file", args{"path": "a/b/c.txt", "content": "four"}, "two\nthree\nfour", []agent.StateChange{modified("a/b/c.txt")}},
		{"append_file", args{"path": "a/new", "content": "x"}, "x", []agent.StateChange{created("a/new")}},
		{"write_file", args{"path": filepath.Join(w.dir, "abs"), "content": "", "mode": "create"}, "", []agent.StateChange{created("abs")}},
		{"create_file", args{"path": "made", "content": "y"}, "y", []agent.StateChange{created("made")}},
		{"file.write", args{"path": "made", "content": "z", "overwrite": true}, "z", []agent.StateChange{modified("made")}},
	}
	for _, test := range tests {
		result := w.good(test.tool, test.in)
		if diff := cmp.Diff(test.changes, result.Changes); diff != "" {
			t.Errorf("%v: changes\n%s", test.in, diff)
		}
		if got := w.text(test.changes[len(test.changes)-1].Path); got != test.text {
			t.Errorf("%v: %q, want %q", test.in, got, test.text)
		}
	}
	if got := w.good("write_file", args{"path": "abs", "content": "12345"}).Output; got != "wrote 5 bytes to abs" {
		t.Errorf("%q", got)
	}
}

func TestWriteFileErrors(t *testing.T) {
	w := within(t, map[string]string{"file": "text", "folder/x": ""})
	if err := os.Chmod(filepath.Join(w.dir, "folder/x"), 0o444); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		tool string
		in   args
		want agent.Category
		says string
	}{
		{"write_file", args{"path": "none/x", "content": "", "create_directories": false}, agent.NotFound, "does not exist"},
		{"write_file", args{"path": "file", "content": "", "mode": "create"}, agent.Validation, "already exists"},
		{"create_file", args{"path": "file", "content": ""}, agent.Validation, "already exists"},
		{"file.write", args{"path": "file", "content": ""}, agent.Validation, "already exists"},
		{"write_file", args{"path": "folder", "content": ""}, agent.Resource, "is a folder"},
		{"write_file", args{"path": "file/x", "content": ""}, agent.Resource, "not a"},
		{"write_file", args{"path": "folder/x", "content": ""}, agent.Permission, "read-only"},
		{"write_file", args{"path": ".", "content": ""}, agent.Resource, "folder"},
		{"write_file", args{"path": "x", "content": "", "mode": "replace"}, agent.Validation, "mode"},
		{"write_file", args{"path": "x"}, agent.Validation, "content"},
	}
	for _, test := range tests {
		if e := w.bad(test.tool, test.in, test.want); !strings.Contains((&agent.ToolResult{Err: e}).ForModel(), test.says) {
			t.Errorf("%v: %q, want %q", test.in, (&agent.ToolResult{Err: e}).ForModel(), test.says)
		}
	}
	if w.text("file") != "text" {
		t.Error("a refused call has changed a file")
	}
}

// Writing keeps permissions and links, and breaks hard links.
func TestWriteKeeps(t *testing.T) {
	w := within(t, map[string]string{"run.sh": "echo\n", "real": "old"})
	outside := filepath.Join(t.TempDir(), "outside")
	put(t, outside, "theirs")
	for _, err := range []error{
		os.Chmod(filepath.Join(w.dir, "run.sh"), 0o750), os.Symlink("real", filepath.Join(w.dir, "link")), os.Symlink("to/nobody", filepath.Join(w.dir, "dangling")),
		os.Link(outside, filepath.Join(w.dir, "hard")),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	w.good("edit_file", args{"path": "run.sh", "old_content": "echo", "new_content": "ls"})
	if stat, err := os.Stat(filepath.Join(w.dir, "run.sh")); err != nil || stat.Mode().Perm() != 0o750 {
		t.Errorf("%v, %v", stat.Mode(), err)
	}
	w.good("write_file", args{"path": "link", "content": "new"})
	if stat, err := os.Lstat(filepath.Join(w.dir, "link")); err != nil || stat.Mode()&os.ModeSymlink == 0 || w.text("real") != "new" {
		t.Errorf("%v, %v, %q", stat.Mode(), err, w.text("real"))
	}
	w.good("write_file", args{"path": "dangling", "content": "made"})
	if w.text("to/nobody") != "made" {
		t.Error("a link to nothing was not followed")
	}
	for _, call := range []struct {
		tool string
		in   args
	}{
		{"append_file", args{"path": "hard", "content": "!"}},
		{"edit_file", args{"path": "hard", "old_content": "ours", "new_content": "x"}},
		{"write_file", args{"path": "hard", "content": "x"}},
	} {
		os.Remove(filepath.Join(w.dir, "hard"))
		if err := os.Link(outside, filepath.Join(w.dir, "hard")); err != nil {
			t.Fatal(err)
		}
		w.use(call.tool, call.in)
		if text, err := os.ReadFile(outside); err != nil || string(text) != "theirs" {
			t.Errorf("%s has changed the file outside: %q, %v", call.tool, text, err)
		}
	}
}

// Somebody who reads a file while it is written gets the old or the new text, never a
// part.
func TestAtomic(t *testing.T) {
	a, b := strings.Repeat("a", 1<<18), strings.Repeat("b", 1<<18)
	w := within(t, map[string]string{"f": a})
	stop := meanwhile(func() {
		text, err := os.ReadFile(filepath.Join(w.dir, "f"))
		if err != nil || string(text) != a && string(text) != b {
			t.Errorf("%d bytes, %v", len(text), err)
		}
	})
	for range 20 {
		w.good("write_file", args{"path": "f", "content": b})
		w.good("edit_file", args{"path": "f", "old_content": b, "new_content": a})
	}
	stop()
	noTemporary(t, w.dir)
}

// Files and folders are moved, copied and deleted.
func TestManage(t *testing.T) {
	w := within(t, map[string]string{"a": "A", "dir/b": "B", "run": "#!/bin/sh\n"})
	os.Chmod(filepath.Join(w.dir, "run"), 0o755)
	steps := []struct {
		tool    string
		in      args
		changes []agent.StateChange
	}{
		{"copy_file", args{"source": "a", "destination": "new/c"}, []agent.StateChange{folder("new"), created("new/c")}},
		{"copy", args{"source": "run", "destination": "run2"}, []agent.StateChange{created("run2")}},
		{"move_file", args{"source": "new/c", "destination": "c"}, []agent.StateChange{deleted("new/c"), created("c")}},
		{"rename_file", args{"source": "dir", "destination": "folder"}, []agent.StateChange{deleted("dir"), created("folder")}},
		{"move", args{"source": "c", "destination": "a", "overwrite": true}, []agent.StateChange{deleted("c"), modified("a")}},
		{"delete_file", args{"path": "a"}, []agent.StateChange{deleted("a")}},
		{"rmdir", args{"path": "new"}, []agent.StateChange{deleted("new")}},
		{"delete_directory", args{"path": "folder", "recursive": true}, []agent.StateChange{deleted("folder")}},
		{"mkdir", args{"path": "x/y"}, []agent.StateChange{folder("x"), folder("x/y")}},
		{"make_directory", args{"path": "x/y"}, nil},
		{"chmod", args{"path": "run", "mode": "600"}, []agent.StateChange{modified("run")}},
	}
	for _, s := range steps {
		if diff := cmp.Diff(s.changes, w.good(s.tool, s.in).Changes); diff != "" {
			t.Errorf("%s %v\n%s", s.tool, s.in, diff)
		}
	}
	if got := w.good("tree", args{}).Output; got != "run\nrun2\nx/\n  y/\n" {
		t.Errorf("left are\n%s", got)
	}
	for name, want := range map[string]os.FileMode{"run": 0o600, "run2": 0o755} {
		if stat, err := os.Stat(filepath.Join(w.dir, name)); err != nil || stat.Mode().Perm() != want {
			t.Errorf("%s: %v, %v", name, stat.Mode(), err)
		}
	}
}

func TestManageErrors(t *testing.T) {
	w := within(t, map[string]string{"a": "A", "b": "B", "dir/c": "C"})
	tests := []struct {
		tool string
		in   args
		want agent.Category
		says string
	}{
		{"delete_file", args{"path": "none"}, agent.NotFound, "does not exist"},
		{"delete_file", args{"path": "dir"}, agent.Validation, "delete_directory"},
		{"delete_directory", args{"path": "dir"}, agent.Validation, "recursive"},
		{"delete_directory", args{"path": "a"}, agent.Validation, "not a folder"},
		{"delete_directory", args{"path": ".", "recursive": true}, agent.Permission, "workspace itself"},
		{"move_file", args{"source": "none", "destination": "x"}, agent.NotFound, "none"},
		{"move_file", args{"source": "a", "destination": "b"}, agent.Validation, "already exists"},
		{"move_file", args{"source": "a", "destination": "dir"}, agent.Resource, "is a folder"},
		{"move_file", args{"source": "dir", "destination": "dir/in"}, agent.Validation, "dir"},
		{"move_file", args{"source": "a", "destination": "a"}, agent.Validation, "cannot be moved"},
		{"copy_file", args{"source": "dir", "destination": "x"}, agent.Resource, "is a folder"},
		{"copy_file", args{"source": "a", "destination": "b"}, agent.Validation, "already exists"},
		{"chmod", args{"path": "a", "mode": "rwx"}, agent.Validation, "octal"},
		{"chmod", args{"path": "a", "mode": "4755"}, agent.Validation, "octal"},
		{"make_directory", args{"path": "a/x"}, agent.Resource, "not a"},
	}
	for _, test := range tests {
		if e := w.bad(test.tool, test.in, test.want); !strings.Contains((&agent.ToolResult{Err: e}).ForModel(), test.says) {
			t.Errorf("%s %v: %q, want %q", test.tool, test.in, (&agent.ToolResult{Err: e}).ForModel(), test.says)
		}
	}
	for name, want := range map[string]string{"a": "A", "b": "B", "dir/c": "C"} {
		if w.text(name) != want {
			t.Errorf("%s has changed", name)
		}
	}
}
