package tools_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/toolparse/toolparse/agent"
)

func TestReadFile(t *testing.T) {
	utf16le := "\xff\xfeh\x00\xe9\x00\n\x00"
	utf16be := "\xfe\xff\x00h\x00\xe9\x00\n"
	w := within(t, map[string]string{
		"five": "one\ntwo\nthree\nfour\nfive", "crlf": "a\r\nb\r\n", "empty": "", "le": utf16le, "be": utf16be, "latin": "h\xe9\n",
	})
	tests := []struct {
		in   args
		want string
	}{
		{args{"path": "five"}, "1: one\n2: two\n3: three\n4: four\n5: five"},
		{args{"path": filepath.Join(w.dir, "five"), "start_line": 4}, "4: four\n5: five"},
		{args{"path": "five", "start_line": 2, "end_line": 3}, "2: two\n3: three\n"},
		{args{"path": "./five", "end_line": 1}, "1: one\n"},
		{args{"path": "five", "start_line": 5, "end_line": 99}, "5: five"},
		{args{"path": "five", "numbered": false}, "one\ntwo\nthree\nfour\nfive"},
		{args{"path": "crlf"}, "1: a\r\n2: b\r\n"},
		{args{"path": "empty"}, ""},
		{args{"path": "le", "encoding": "utf-16"}, "1: hé\n"},
		{args{"path": "be", "encoding": "utf-16"}, "1: hé\n"},
		{args{"path": "latin", "encoding": "latin-1"}, "1: hé\n"},
		{args{"path": "latin"}, "1: h\uFFFD\n[the file is not UTF-8: try the encoding latin-1]\n"},
	}
	for _, test := range tests {
		if got := w.good("read_file", test.in).Output; got != test.want {
			t.Errorf("%v:\n%q, want\n%q", test.in, got, test.want)
		}
	}
	for name, want := range map[string]string{"cat": "one\ntwo\nthree\nfour\nfive", "read_lines": "1: one\n2: two\n3: three\n4: four\n5: five"} {
		if got := w.good(name, args{"path": "five"}).Output; got != want {
			t.Errorf("%s: %q", name, got)
		}
	}
	if got := w.good("head", args{"path": "five", "lines": 2}).Output; got != "1: one\n2: two\n" {
		t.Errorf("head: %q", got)
	}
	if got := w.good("tail", args{"path": "five", "lines": 2}).Output; got != "4: four\n5: five" {
		t.Errorf("tail: %q", got)
	}
}

func TestReadFileErrors(t *testing.T) {
	w := within(t, map[string]string{"main.go": "package main\n", "folder/x": "", "binary": "a\x00b"})
	tests := []struct {
		in   args
		want agent.Category
		says string
	}{
		{args{"path": "none"}, agent.NotFound, "none does not exist"},
		{args{"path": "man.go"}, agent.NotFound, "Did you mean main.go?"},
		{args{"path": "folder"}, agent.Resource, "is a folder"},
		{args{"path": "main.go/x"}, agent.Resource, "not a directory"},
		{args{"path": "binary"}, agent.Resource, "binary"},
		{args{"path": ""}, agent.Resource, "folder"},
		{args{"path": "a\x00b"}, agent.Validation, "zero byte"},
		{args{"path": strings.Repeat("x", 5000)}, agent.Validation, "used as a path"},
		{args{"path": "main.go", "start_line": 3, "end_line": 2}, agent.Validation, "start_line 3 is behind end_line 2"},
		{args{"path": "main.go", "start_line": 3}, agent.Validation, "has only 1 lines"},
		{args{"path": "main.go", "start_line": 0}, agent.Validation, "start_line"},
		{args{"path": "main.go", "encoding": "utf-7"}, agent.Validation, "encoding"},
		{args{"pth": "main.go"}, agent.Validation, "path"},
	}
	for _, test := range tests {
		if e := w.bad("read_file", test.in, test.want); !strings.Contains((&agent.ToolResult{Err: e}).ForModel(), test.says) {
			t.Errorf("%v: %q, want %q", test.in, (&agent.ToolResult{Err: e}).ForModel(), test.says)
		}
	}
}

// A long file is returned in parts, each of which says where the next one begins.
func TestReadFileLimits(t *testing.T) {
	const n = 5000
	var long strings.Builder
	for i := range n {
		fmt.Fprintf(&long, "line %d of a file that is too long for one result\n", i+1)
	}
	w := within(t, map[string]string{"long": long.String(), "wide": strings.Repeat("x", 100_000) + "\nshort\n"})
	next, read := 1, ""
	for next > 0 {
		result := w.good("read_file", args{"path": "long", "start_line": next, "numbered": false})
		if len(result.Output) > 50_000 {
			t.Fatalf("%d bytes", len(result.Output))
		}
		text, note, more := strings.Cut(result.Output, "[lines ")
		read += text
		if !more {
			break
		}
		if result.Metadata["output_truncated"] != true {
			t.Errorf("%+v", result.Metadata)
		}
		from := next
		if _, err := fmt.Sscanf(note[strings.Index(note, "start_line"):], "start_line %d]", &next); err != nil || next <= from {
			t.Fatalf("%q: %v", note, err)
		}
	}
	if read != long.String() {
		t.Error("the parts are not the file")
	}
	wide := w.good("read_file", args{"path": "wide"}).Output
	if len(wide) > 5000 || !strings.Contains(wide, "[the line goes on]\n2: short\n") {
		t.Errorf("%d bytes: %q", len(wide), wide[max(0, len(wide)-200):])
	}
	// 10 MB are read, one byte more is not.
	put(t, filepath.Join(w.dir, "limit"), strings.Repeat("0123456789abcde\n", 10<<20/16))
	w.good("read_file", args{"path": "limit"})
	f, err := os.OpenFile(filepath.Join(w.dir, "limit"), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	f.WriteString("x")
	f.Close()
	w.bad("read_file", args{"path": "limit"}, agent.Resource)
	w.good("read_file", args{"path": "limit", "start_line": 600_000, "end_line": 600_001})
}
