package tools_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/toolparse/toolparse/agent"
)

func project(t testing.TB) *workspace {
	return within(t, map[string]string{
		"main.go": "package main\n\nfunc main() {\n\tinit()\n}\n", "a.c.txt": "a.c\nabc\nABC\n", "src/lib.py": "def init():\n    pass\n", "src/lib.js": "init();\r\n",
		"src/deep/er/x.go": "// Init\n", ".config/x": "init\n", ".git/config": "init\n", ".hg/x": "init\n", "binary": "init\x00",
		".gitignore": "*.log\n/build/\n!keep.log\n# a comment\n\n", "x.log": "init\n", "keep.log": "init\n", "build/out": "init\n", "src/build/in": "init\n",
		"src/.gitignore": "secret\n", "src/secret": "init\n", "secret": "init\n", "node_modules/m/i.js": "init\n",
	})
}

// filesOf returns the files in the output of a search.
func filesOf(output string) string {
	var list []string
	for line := range strings.Lines(output) {
		if name, _, ok := strings.Cut(line, ":"); ok && (len(list) == 0 || list[len(list)-1] != name) {
			list = append(list, name)
		}
	}
	return strings.Join(list, " ")
}

func TestSearchFiles(t *testing.T) {
	w := project(t)
	const all = "keep.log main.go node_modules/m/i.js secret src/build/in src/lib.js src/lib.py"
	tests := []struct {
		in   args
		want string
	}{
		{args{}, all},
		{args{"path": "."}, all},
		{args{"path": "src"}, "src/build/in src/lib.js src/lib.py"},
		{args{"path": "src/lib.py"}, "src/lib.py"},
		{args{"path": "x.log"}, "x.log"}, // a file that is named is searched, even if ignored
		{args{"include_pattern": "*.py"}, "src/lib.py"},
		{args{"include_pattern": "src/*.{py,js}"}, "src/lib.js src/lib.py"},
		{args{"include_pattern": "**/*.go", "case_sensitive": false}, "main.go src/deep/er/x.go"},
		{args{"exclude_pattern": "node_modules/**"}, "keep.log main.go secret src/build/in src/lib.js src/lib.py"},
		{args{"exclude_pattern": "*.{js,py,log}"}, "main.go secret src/build/in"},
		{args{"include_hidden": true}, ".config/x " + all},
		{args{"ignore_gitignore": true}, "build/out " + strings.Replace(all, "src/lib.py", "src/lib.py src/secret", 1) + " x.log"},
	}
	for _, test := range tests {
		test.in["pattern"], test.in["context_lines"] = "init", 0
		if got := filesOf(w.good("search", test.in).Output); got != test.want {
			t.Errorf("%v:\n%s, want\n%s", test.in, got, test.want)
		}
	}
}

func TestSearchPatterns(t *testing.T) {
	w := project(t)
	tests := []struct {
		in   args
		want string
	}{
		{args{"pattern": "a.c"}, "a.c.txt:1: a.c\n[1 line in 1 file]\n"},
		{args{"pattern": "a.c", "type": "regex"}, "a.c.txt:1: a.c\na.c.txt:2: abc\n[2 lines in 1 file]\n"},
		{args{"pattern": "^a.c$", "type": "regex", "case_sensitive": false}, "a.c.txt:1: a.c\na.c.txt:2: abc\na.c.txt:3: ABC\n[3 lines in 1 file]\n"},
		{args{"pattern": ";$", "type": "regex", "path": "src"}, "src/lib.js:1: init();\n[1 line in 1 file]\n"},
		{args{"pattern": "init()", "context_lines": 1, "path": "main.go"}, "main.go-3- func main() {\nmain.go:4: \tinit()\nmain.go-5- }\n[1 line in 1 file]\n"},
		{args{"pattern": "nowhere"}, "[nothing found for \"nowhere\"]\n"},
	}
	for _, test := range tests {
		if test.in["context_lines"] == nil {
			test.in["context_lines"] = 0
		}
		if got := w.good("search", test.in).Output; got != test.want {
			t.Errorf("%v:\n%s, want\n%s", test.in, got, test.want)
		}
	}
	for says, in := range map[string]args{
		"RE2": {"pattern": "(?<!a)b", "type": "regex"}, "include_pattern": {"pattern": "a", "include_pattern": "["},
		"exclude_pattern": {"pattern": "a", "exclude_pattern": "{"}, "empty": {"pattern": ""}, "max_results": {"pattern": "a", "max_results": 1001},
	} {
		if e := w.bad("search", in, agent.Validation); !strings.Contains((&agent.ToolResult{Err: e}).ForModel(), says) {
			t.Errorf("%v: %q", in, (&agent.ToolResult{Err: e}).ForModel())
		}
	}
	for _, slow := range []string{strings.Repeat("{a,a}", 40) + "c", strings.Repeat("{", 2000) + "a" + strings.Repeat("}", 2000)} {
		w.bad("search", args{"pattern": "a", "include_pattern": slow}, agent.Validation)
		w.bad("find_files", args{"pattern": slow}, agent.Validation)
		w.bad("list_files", args{"pattern": slow}, agent.Validation)
	}
	for _, fast := range []string{strings.Repeat("{a,a}", 9) + "c", strings.Repeat("{", 499) + "a" + strings.Repeat("}", 499), "*.{c,txt,{go,mod}}"} {
		w.good("find_files", args{"pattern": fast})
	}
	w.bad("search", args{"pattern": "a", "path": "none"}, agent.NotFound)
	w.bad("search", args{"pattern": "a", "path": "../x"}, agent.Permission)
}

// Context lines of adjacent matches are shown once.
func TestSearchContext(t *testing.T) {
	var text strings.Builder
	for i := 1; i <= 20; i++ {
		if i == 4 || i == 6 || i == 15 {
			text.WriteString("hit ")
		}
		fmt.Fprintf(&text, "%d\n", i)
	}
	w := within(t, map[string]string{"f": text.String()})
	const want = "f-2- 2\nf-3- 3\nf:4: hit 4\nf-5- 5\nf:6: hit 6\nf-7- 7\nf-8- 8\n--\nf-13- 13\nf-14- 14\nf:15: hit 15\nf-16- 16\nf-17- 17\n[3 lines in 1 file]\n"
	if got := w.good("search", args{"pattern": "hit"}).Output; got != want {
		t.Errorf("\n%s, want\n%s", got, want)
	}
}

func TestGrepSearch(t *testing.T) {
	w := project(t)
	tests := []struct {
		in   args
		want string
	}{
		{args{"pattern": "DEF*()"}, "src/lib.py:1: def init():\n[1 line in 1 file]\n"},
		{args{"pattern": "init", "file_filter": "**/*.go"}, "main.go:4: \tinit()\nsrc/deep/er/x.go:1: // Init\n[2 lines in 2 files]\n"},
		{args{"pattern": "init", "file_filter": "*.log", "ignore_gitignore": true, "include_hidden": true}, "keep.log:1: init\nx.log:1: init\n[2 lines in 2 files [+hidden] [+gitignored]]\n"},
	}
	for _, test := range tests {
		if got := w.good("grep_search", test.in).Output; got != test.want {
			t.Errorf("%v:\n%s, want\n%s", test.in, got, test.want)
		}
	}
}

// The results are limited, and the output says that there are more.
func TestSearchLimits(t *testing.T) {
	w := within(t, map[string]string{"many": strings.Repeat("hit\n", 1200), "wide": "hit " + strings.Repeat("x", 1<<20) + "\n"})
	for max, in := range map[int]args{50: {}, 7: {"max_results": 7}, 1000: {"max_results": 1000, "context_lines": 0}} {
		in["pattern"], in["path"] = "hit", "many"
		result := w.good("search", in)
		if got := strings.Count(result.Output, "many:"); got != max || !strings.Contains(result.Output, "there are more") || result.Metadata["output_truncated"] != true {
			t.Errorf("%v: %d lines, %v", in, got, result.Metadata)
		}
	}
	if got := strings.Count(w.good("grep_search", args{"pattern": "hit"}).Output, "many:"); got != 200 {
		t.Errorf("%d lines", got)
	}
	if got := len(w.good("search", args{"pattern": "hit", "path": "wide"}).Output); got > 1000 {
		t.Errorf("%d bytes of one line", got)
	}
}

func TestFindFiles(t *testing.T) {
	w := project(t)
	tests := []struct {
		in   args
		want string
	}{
		{args{"pattern": "*.go"}, "main.go\nsrc/deep/er/x.go\n"},
		{args{"pattern": "main.go"}, "main.go\n"},
		{args{"pattern": "src/**/*.go"}, "src/deep/er/x.go\n"},
		{args{"pattern": "*.go", "path": "src"}, "src/deep/er/x.go\n"},
		{args{"pattern": "deep/**", "path": "src", "type": "file"}, "src/deep/er/x.go\n"},
		{args{"pattern": "*e*", "type": "directory"}, "node_modules/\nsrc/deep/\nsrc/deep/er/\n"},
		{args{"pattern": "build"}, "src/build/\n"},
		{args{"pattern": "*.log"}, "keep.log\n"},
		{args{"pattern": "*.log", "ignore_gitignore": true}, "keep.log\nx.log\n"},
		{args{"pattern": ".gitignore"}, ".gitignore\nsrc/.gitignore\n"},
		{args{"pattern": "config", "include_hidden": true}, "[nothing matches \"config\"]\n"},
	}
	for _, test := range tests {
		if got := w.good("find_files", test.in).Output; got != test.want {
			t.Errorf("%v:\n%s, want\n%s", test.in, got, test.want)
		}
	}
	if got := w.good("glob", args{"pattern": "*", "max_results": 2}).Output; !strings.HasPrefix(got, "a.c.txt\nbinary\n[there are more") {
		t.Errorf("%s", got)
	}
	w.bad("find", args{"pattern": "["}, agent.Validation)
	w.bad("find_files", args{"pattern": "*", "path": "none"}, agent.NotFound)
}

func TestListFiles(t *testing.T) {
	w := within(t, map[string]string{"b.go": "123", "a.txt": "1", "d/c.go": "12", "d/e/f.go": "", ".hidden": "", "d/.x/y": ""})
	if err := os.Symlink("a.txt", filepath.Join(w.dir, "link")); err != nil {
		t.Fatal(err)
	}
	for i, name := range []string{"b.go", "a.txt"} {
		at := time.Date(2020, 1, 2+i, 3, 4, 5, 0, time.Local)
		if err := os.Chtimes(filepath.Join(w.dir, name), at, at); err != nil {
			t.Fatal(err)
		}
	}
	tests := []struct {
		in   args
		want string
	}{
		{nil, "a.txt\nb.go\nd/\nlink\n"},
		{args{"include_hidden": true}, ".hidden\na.txt\nb.go\nd/\nlink\n"},
		{args{"recursive": true}, "a.txt\nb.go\nd/\nd/c.go\nd/e/\nd/e/f.go\nlink\n"},
		{args{"recursive": true, "max_depth": 2}, "a.txt\nb.go\nd/\nd/c.go\nd/e/\nlink\n"},
		{args{"max_depth": 2}, "a.txt\nb.go\nd/\nlink\n"},
		{args{"recursive": true, "pattern": "*.go"}, "b.go\nd/c.go\nd/e/f.go\n"},
		{args{"recursive": true, "pattern": "d/*.go"}, "d/c.go\n"},
		{args{"path": "d"}, "c.go\ne/\n"},
		{args{"pattern": "*.{go,txt}", "sort_by": "size"}, "a.txt\nb.go\n"},
		{args{"pattern": "*.{go,txt}", "sort_by": "size", "reverse": true}, "b.go\na.txt\n"},
		{args{"pattern": "*.{go,txt}", "sort_by": "modified"}, "b.go\na.txt\n"},
		{args{"max_entries": 2}, "a.txt\nb.go\n[not all are shown, of at least 4: use a pattern, or a folder further down]\n"},
		{args{"pattern": "*.{go,txt}", "details": true}, "FILE         1 B  2020-01-03 03:04:05  a.txt\nFILE         3 B  2020-01-02 03:04:05  b.go\n2 files, 0 folders, 4 B\n"},
	}
	for _, test := range tests {
		if got := w.good("list_files", test.in).Output; got != test.want {
			t.Errorf("%v:\n%s, want\n%s", test.in, got, test.want)
		}
	}
	ls := w.good("ls", args{"sort_by": "name"}).Output
	for _, want := range []string{"\nDIR            -  ", "  d/\n", "\nLINK           -  ", "  link\n", "3 files, 1 folder, "} {
		if !strings.Contains(ls, want) {
			t.Errorf("ls lacks %q:\n%s", want, ls)
		}
	}
	w.bad("ls", args{"sort_by": "x"}, agent.Validation)
	w.bad("ls", args{"max_entries": 1001}, agent.Validation)
	w.bad("ls", args{"path": "none"}, agent.NotFound)
	w.bad("ls", args{"path": "a.txt"}, agent.Resource)
	if got := w.good("pwd", nil).Output; got != w.dir {
		t.Errorf("%s", got)
	}
}
