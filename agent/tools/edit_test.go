package tools_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/toolparse/toolparse/agent"
)

func TestEditFile(t *testing.T) {
	const text = "a\n\tone\r\nb one\none\n"
	tests := []struct {
		old, new, occurrence string
		want                 string
		says                 string
	}{
		{"\tone\r\n", "\ttwo\r\n", "", "a\n\ttwo\r\nb one\none\n", "replaced the text in line 2 of f"},
		{"b one", "", "unique", "a\n\tone\r\n\none\n", "line 3"},
		{"one", "two", "first", "a\n\ttwo\r\nb one\none\n", "replaced the first of 3 occurrences in f, in line 2"},
		{"one", "two", "last", "a\n\tone\r\nb one\ntwo\n", "replaced the last of 3 occurrences in f, in line 4"},
		{"one", "two", "all", "a\n\ttwo\r\nb two\ntwo\n", "replaced all 3 occurrences in f"},
		{"$1", "x", "all", "", ""},
	}
	for _, test := range tests {
		w := within(t, map[string]string{"f": text})
		in := args{"path": "f", "old_content": test.old, "new_content": test.new}
		if test.occurrence != "" {
			in["occurrence"] = test.occurrence
		}
		if test.want == "" {
			w.bad("edit_file", in, agent.Validation)
			continue
		}
		result := w.good("edit_file", in)
		if got := w.text("f"); got != test.want {
			t.Errorf("%v: %q, want %q", in, got, test.want)
		}
		if !strings.Contains(result.Output, test.says) {
			t.Errorf("%v: %q", in, result.Output)
		}
		if diff := cmp.Diff([]agent.StateChange{modified("f")}, result.Changes); diff != "" {
			t.Error(diff)
		}
	}
}

func TestEditFileErrors(t *testing.T) {
	const text = "func a() {\n\treturn 1\n}\n\nfunc b() {\n\treturn 1\n}\naaa\n"
	files := map[string]string{"f": text, "crlf": "one\r\ntwo\r\n", "binary": "a\x00b"}
	w := within(t, files)
	edit := func(path, old, new string) args { return args{"path": path, "old_content": old, "new_content": new} }
	tests := []struct {
		in   args
		want agent.Category
		says string
	}{
		{edit("f", "return 1", "x"), agent.Validation, "old_content occurs 2 times in f, in the lines 2, 6"},
		{edit("f", "aa", "x"), agent.Validation, "2 times"}, // the two overlap
		{edit("f", "return 2", "x"), agent.Validation, "old_content is not in f"},
		{edit("f", "func b() {\n    return 1", "x"), agent.Validation, "line 5 has it with other blanks or line ends"},
		{edit("f", "func b() {\n\treturn 2", "x"), agent.Validation, "line 5 begins like it"},
		{edit("crlf", "one\ntwo", "x"), agent.Validation, "CR LF"},
		{edit("f", "", "x"), agent.Validation, "insert_lines"},
		{edit("f", "x", "x"), agent.Validation, "the same"},
		{edit("none", "x", "y"), agent.NotFound, "none does not exist"},
		{edit("binary", "a", "b"), agent.Resource, "binary"},
	}
	for _, test := range tests {
		if e := w.bad("edit_file", test.in, test.want); !strings.Contains((&agent.ToolResult{Err: e}).ForModel(), test.says) {
			t.Errorf("%v: %q, want %q", test.in, (&agent.ToolResult{Err: e}).ForModel(), test.says)
		}
	}
	for name, want := range files {
		if w.text(name) != want {
			t.Errorf("%s has changed", name)
		}
	}
}

func TestLines(t *testing.T) {
	const five = "1\n2\n3\n4\n5\n"
	tests := []struct {
		tool, text string
		in         args
		want       string
	}{
		{"replace_lines", five, args{"line_start": 2, "line_end": 3, "new_content": "x"}, "1\nx\n4\n5\n"},
		{"replace_lines", five, args{"line_start": 2, "line_end": 3, "new_content": "x\ny\nz\n"}, "1\nx\ny\nz\n4\n5\n"},
		{"replace_lines", five, args{"line_start": 1, "line_end": 5, "new_content": ""}, ""},
		{"replace_lines", "1\n2", args{"line_start": 2, "line_end": 2, "new_content": "x"}, "1\nx"},
		{"replace_lines", "1\r\n2\r\n", args{"line_start": 1, "line_end": 1, "new_content": "x\ny"}, "x\r\ny\r\n2\r\n"},
		{"insert_lines", five, args{"line_start": 1, "new_content": "x\ny"}, "x\ny\n1\n2\n3\n4\n5\n"},
		{"insert_lines", five, args{"line_start": 6, "line_end": 6, "new_content": "x"}, "1\n2\n3\n4\n5\nx\n"},
		{"insert_lines", "1", args{"line_start": 2, "new_content": "x"}, "1\nx\n"},
		{"insert_lines", "", args{"line_start": 1, "new_content": "x"}, "x\n"},
		{"insert_lines", "1\r\n", args{"line_start": 2, "new_content": "x\r\ny"}, "1\r\nx\r\ny\r\n"},
	}
	for _, test := range tests {
		w := within(t, map[string]string{"f": test.text})
		test.in["path"] = "f"
		result := w.good(test.tool, test.in)
		if got := w.text("f"); got != test.want {
			t.Errorf("%s %v: %q, want %q (%s)", test.tool, test.in, got, test.want, result.Output)
		}
	}
	w := within(t, map[string]string{"f": five})
	if got := w.good("insert_lines", args{"path": "f", "line_start": 3, "new_content": "x"}).Output; got != "inserted 1 lines before line 3 of f:\n1: 1\n2: 2\n3: x\n4: 3\n5: 4\n6: 5\n" {
		t.Errorf("%q", got)
	}
	for _, test := range []struct {
		tool string
		in   args
		says string
	}{
		{"replace_lines", args{"line_start": 3, "line_end": 2, "new_content": "x"}, "before line_start"},
		{"replace_lines", args{"line_start": 0, "line_end": 2, "new_content": "x"}, "line_start"},
		{"replace_lines", args{"line_start": 6, "line_end": 7, "new_content": "x"}, "has only 6 lines"},
		{"insert_lines", args{"line_start": 8, "new_content": "x"}, "has only 6 lines"},
		{"insert_lines", args{"line_start": 2, "line_end": 3, "new_content": "x"}, "must be line_start"},
		{"insert_lines", args{"line_start": 2, "new_content": ""}, "empty"},
	} {
		test.in["path"] = "f"
		if e := w.bad(test.tool, test.in, agent.Validation); !strings.Contains(e.Message, test.says) {
			t.Errorf("%v: %q, want %q", test.in, e.Message, test.says)
		}
	}
	w.bad("replace_lines", args{"path": "none", "line_start": 1, "line_end": 1, "new_content": "x"}, agent.NotFound)
	w.bad("insert_lines", args{"path": "none", "line_start": 1, "new_content": "x"}, agent.NotFound)
}

// A user who is asked for permission sees the lines that would change, and nothing
// changes.
func TestPreview(t *testing.T) {
	w := within(t, map[string]string{"f": "1\n2\n3\n4\n5\n6\n7\n8\n9\n"})
	tests := []struct {
		tool, in, want string
	}{
		{"insert_lines", `{"path":"f","line_start":5,"new_content":"x\ny"}`, "--- f\n+++ f\n@@ line 5 @@\n 2\n 3\n 4\n+x\n+y\n 5\n 6\n 7\n"},
		{"replace_lines", `{"path":"f","line_start":1,"line_end":2,"new_content":"x"}`, "--- f\n+++ f\n@@ line 1 @@\n-1\n-2\n+x\n 3\n 4\n 5\n"},
		{"edit_file", `{"path":"f","old_content":"9","new_content":"10"}`, "--- f\n+++ f\n@@ line 9 @@\n 6\n 7\n 8\n-9\n+10\n"},
		{"write_file", `{"path":"g","content":"a\nb"}`, "--- g\n+++ g\n@@ line 1 @@\n+a\n+b\n"},
		{"write_file", `{"path":"f","content":"x","mode":"append"}`, "--- f\n+++ f\n@@ line 10 @@\n 7\n 8\n 9\n+x\n"},
	}
	for _, test := range tests {
		list, err := w.set.Tools(test.tool)
		if err != nil {
			t.Fatal(err)
		}
		got, err := list[0].Info().Preview(t.Context(), agent.Call{Arguments: []byte(test.in)})
		if diff := cmp.Diff(test.want, got); diff != "" || err != nil {
			t.Errorf("%s %s: %v\n%s", test.tool, test.in, err, diff)
		}
	}
	list, err := w.set.Tools("edit_file")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := list[0].Info().Preview(t.Context(), agent.Call{Arguments: []byte(`{"path":"f","old_content":"x","new_content":"y"}`)}); err == nil || !strings.Contains(err.Error(), "not in f") {
		t.Errorf("%v", err)
	}
	if len(contents(t, w.dir)) != 1 || w.text("f") != "1\n2\n3\n4\n5\n6\n7\n8\n9\n" {
		t.Error("a preview has changed something")
	}
}

// Texts with many repetitions do not take long.
func TestEditRepeats(t *testing.T) {
	w := within(t, map[string]string{"f": strings.Repeat("a", 4<<20) + "\n" + strings.Repeat("x y\n", 200_000)})
	w.bad("edit_file", args{"path": "f", "old_content": strings.Repeat("a", 2<<20), "new_content": "b"}, agent.Validation)
	w.bad("edit_file", args{"path": "f", "old_content": strings.Repeat("x  y\n", 100_000) + "z", "new_content": "b"}, agent.Validation)
}

// An edit changes exactly the text that it names.
func TestEditProperty(t *testing.T) {
	w := within(t, nil)
	rapid.Check(t, func(t *rapid.T) {
		piece := rapid.StringMatching(`[ab\n]{0,12}`)
		text, old, new := piece.Draw(t, "text"), rapid.StringMatching(`[ab\n]{1,3}`).Draw(t, "old"), piece.Draw(t, "new")
		how := rapid.SampledFrom([]string{"unique", "first", "last", "all"}).Draw(t, "occurrence")
		put(w, filepath.Join(w.dir, "f"), text)
		_, err := w.use("edit_file", args{"path": "f", "old_content": old, "new_content": new, "occurrence": how})
		first, last := strings.Index(text, old), strings.LastIndex(text, old)
		want := text
		switch {
		case old == new, first < 0, how == "unique" && first != last:
			if err == nil {
				t.Fatal("it did not fail")
			}
		case err != nil:
			t.Fatal(err)
		case how == "all":
			want = strings.ReplaceAll(text, old, new)
		case how == "last":
			want = text[:last] + new + text[last+len(old):]
		default:
			want = strings.Replace(text, old, new, 1)
		}
		if got := w.text("f"); got != want {
			t.Fatalf("%q, want %q", got, want)
		}
	})
}
