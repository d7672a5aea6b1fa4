package tools_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/toolparse/toolparse/agent"
)

func TestPatchFile(t *testing.T) {
	const five = "1\n2\n3\n4\n5\n"
	tests := []struct {
		name, text, patch, want string
	}{
		{"plain", five, "--- a/f\n+++ b/f\n@@ -2,2 +2,2 @@\n 2\n-3\n+x\n", "1\n2\nx\n4\n5\n"},
		{"no file header, wrong numbers, no last line feed", five, "@@ -17,9 +22,1 @@\n 2\n-3\n+x\n+y\n 4", "1\n2\nx\ny\n4\n5\n"},
		{"no numbers", five, "@@\n-5\n+x\n", "1\n2\n3\n4\nx\n"},
		{"two hunks", five, "@@ -1,1 +1,2 @@\n-1\n+a\n+b\n@@ -5 +6 @@ func f\n-5\n+c\n", "a\nb\n2\n3\n4\nc\n"},
		{"the nearest of equal places", "a\nx\na\nx\na\nx\n", "@@ -5,2 +5,2 @@\n a\n-x\n+y\n", "a\nx\na\nx\na\ny\n"},
		{"only added", five, "@@ -0,0 +1,1 @@\n+x\n", "x\n1\n2\n3\n4\n5\n"},
		{"CR LF", "1\r\n2\r\n", "@@ -1,2 +1,2 @@\n 1\n-2\n+x\n", "1\r\nx\r\n"},
		{"no line feed at the end of the file", "1\n2", "@@ -1,2 +1,2 @@\n 1\n-2\n+x\n", "1\nx"},
		{"a blank line of the context", "1\n\n2\n", "@@ -1,3 +1,3 @@\n 1\n\n-2\n+x\n", "1\n\nx\n"},
		{"no line feed, and a mark for it", "1\n2", "@@ -1,2 +1,2 @@\n 1\n-2\n\\ No newline at end of file\n+x\n\\ No newline at end of file\n", "1\nx"},
		{"a line feed is added", "1\n2", "@@ -1,2 +1,2 @@\n 1\n-2\n\\ No newline at end of file\n+2\n", "1\n2\n"},
		{"of git", five, "diff --git a/f b/f\nindex 1..2 100644\n--- a/f\n+++ b/f\n@@ -1,2 +1,1 @@\n 1\n-2\n", "1\n3\n4\n5\n"},
	}
	for _, test := range tests {
		w := within(t, map[string]string{"f": test.text})
		result := w.good("patch_file", args{"path": "f", "patch": test.patch})
		if got := w.text("f"); got != test.want {
			t.Errorf("%s: %q, want %q (%s)", test.name, got, test.want, result.Output)
		}
	}
	w := within(t, map[string]string{"f": five})
	for patch, says := range map[string]string{
		"@@ -1 +1 @@\n-6\n+x\n": "hunk 1", "": "no hunk", "-1\n+2\n": "no hunk", "@@ -1 +1 @@\n-1\n+x\n@@ -2 +2 @@\n-9\n+x\n": "hunk 2",
		"@@ -2 +2 @@\n-2\n+x\n@@ -1 +1 @@\n-1\n+x\n": "hunk 2", "@@ -1 +1 @@\nwhat\n": "line 2 begins with",
		"@@ -1 +1 @@\n 1\n": "hunk 1 changes nothing", "@@ -1 +1 @@": "hunk 1 changes nothing",
		strings.Repeat("@@\n+x\n", 1001): "it has 1001 hunks",
	} {
		if e := w.bad("patch_file", args{"path": "f", "patch": patch}, agent.Validation); !strings.Contains((&agent.ToolResult{Err: e}).ForModel(), says) {
			t.Errorf("%q: %q, want %q", patch, (&agent.ToolResult{Err: e}).ForModel(), says)
		}
	}
	w.bad("patch_file", args{"path": "none", "patch": "@@ -1 +1 @@\n-1\n+x\n"}, agent.NotFound)
	if w.text("f") != five {
		t.Error("a hunk of a patch that does not fit was applied")
	}
}

// Applying the patch between two texts to one gives the other.
func TestPatchProperty(t *testing.T) {
	w := within(t, nil)
	rapid.Check(t, func(t *rapid.T) {
		line := rapid.SampledFrom([]string{"a", "b", "", "-", "+", "@", "\t"})
		before, gone, come, after := rapid.SliceOfN(line, 0, 5).Draw(t, "before"), rapid.SliceOfN(line, 1, 4).Draw(t, "gone"), rapid.SliceOfN(line, 0, 4).Draw(t, "come"), rapid.SliceOfN(line, 0, 5).Draw(t, "after")
		old := text(before) + text(gone) + text(after)
		put(w, filepath.Join(w.dir, "f"), old)
		patch := fmt.Sprintf("@@ -1,%d +1,%d @@\n", len(before)+len(gone)+len(after), len(before)+len(come)+len(after))
		patch += marked(" ", before) + marked("-", gone) + marked("+", come) + marked(" ", after)
		if _, err := w.use("patch_file", args{"path": "f", "patch": patch}); err != nil {
			t.Fatalf("%q on %q: %v", patch, old, err)
		}
		if got, want := w.text("f"), text(before)+text(come)+text(after); got != want {
			t.Fatalf("%q on %q gives %q, want %q", patch, old, got, want)
		}
	})
}

func text(lines []string) string {
	var b strings.Builder
	for _, l := range lines {
		b.WriteString(l + "\n")
	}
	return b.String()
}

func marked(mark string, lines []string) string {
	var b strings.Builder
	for _, l := range lines {
		b.WriteString(mark + l + "\n")
	}
	return b.String()
}
