package tools

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/bluekeyes/go-gitdiff/gitdiff"

	"github.com/toolparse/toolparse/agent"
)

var patchTools = []entry{
	{
		name: "patch_file", description: "Changes a file of the workspace by a unified diff. Each hunk must hold lines that are in the file, exactly; the numbers of its lines may be wrong.",
		category: FileWrite, from: Full, risk: agent.High, subjects: onPath, make: edits[patchIn](), preview: previews[patchIn], shell: "patch FILE",
	},
}

type patchIn struct {
	Path  string `json:"path" jsonschema:"the file"`
	Patch string `json:"patch" jsonschema:"the diff of this one file, in the unified format"`
}

func (in patchIn) file() string { return in.Path }

func (in patchIn) change(text string) (edited, error) {
	hunks, err := readPatch(in.Patch)
	if err != nil {
		e := agent.Failure(agent.Validation, "the patch cannot be read: %w", err)
		e.Action = "Send one unified diff of this file, or use edit_file."
		return edited{}, e
	}
	crlf := lineEnd(text) == "\r\n"
	out := edited{text: text, lines: 1}
	from := 0 // the end of the last hunk
	for i, hunk := range hunks {
		var old, new strings.Builder
		for _, line := range hunk.Lines {
			l := line.Line
			if crlf {
				l = strings.TrimSuffix(strings.TrimSuffix(l, "\n"), "\r") + "\r\n"
			}
			if line.Old() {
				old.WriteString(l)
			}
			if line.New() {
				new.WriteString(l)
			}
		}
		at, end, ok := place(out.text, old.String(), from, int(hunk.NewPosition))
		if !ok {
			e := agent.Failure(agent.Validation, "hunk %d of the patch (%s) does not fit %s, which does not contain its lines", i+1, strings.TrimSpace(hunk.Header()), in.Path)
			e.Action = "Read the file, and make a patch of its current content. No hunk was applied."
			return edited{}, e
		}
		more := new.String()
		if end == len(out.text) && !strings.HasSuffix(out.text, "\n") && at < end { // the file does not end with a line feed, and should not
			more = strings.TrimSuffix(strings.TrimSuffix(more, "\n"), "\r")
		}
		if i == 0 {
			out.from = lineAt(out.text, at)
		}
		out.text = out.text[:at] + more + out.text[end:]
		from = at + len(more)
	}
	out.lines = max(lineAt(out.text, from)-out.from, 1)
	out.said = fmt.Sprintf("applied %s to %s", plural(len(hunks), "hunk"), in.Path)
	return out, nil
}

// place finds the lines of a hunk in a text after an offset: of several places, the one
// closest to a line number.
func place(text, old string, from, line int) (at, end int, ok bool) {
	if old == "" { // added lines without context
		at = from
		for n := lineAt(text, from); n < line && at < len(text); n++ {
			next := strings.IndexByte(text[at:], '\n')
			if next < 0 {
				at = len(text)
				break
			}
			at += next + 1
		}
		return at, at, true
	}
	best := -1   // distance between the line and the best place
	tries := 100 // each try may cost the length of the text
	for i := from; tries > 0; tries-- {
		next := strings.Index(text[i:], old)
		if next < 0 {
			break
		}
		if i += next; i == 0 || text[i-1] == '\n' {
			far := lineAt(text, i) - line
			if far = max(far, -far); best < 0 || far < best {
				at, best = i, far
			}
		}
		i++
	}
	if best >= 0 {
		return at, at + len(old), true
	}
	// The last line of a file may have no line ending.
	if rest := strings.TrimRight(old, "\r\n"); strings.HasSuffix(text, rest) && len(text)-len(rest) >= from {
		return len(text) - len(rest), len(text), true
	}
	return 0, 0, false
}

var hunkHeader = regexp.MustCompile(`^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@`)

// readPatch parses the hunks of a patch of one file. It counts their lines itself,
// because models count wrong.
func readPatch(patch string) ([]*gitdiff.TextFragment, error) {
	lines := splitLines(strings.TrimRight(patch, "\n") + "\n")
	first := -1
	var out []string
	for i, line := range lines {
		if !strings.HasPrefix(line, "@@") {
			if first >= 0 && line == "\n" { // a blank line of context without its leading blank
				line = " \n"
			}
			if first >= 0 {
				out = append(out, line)
			}
			continue
		}
		if first < 0 {
			first = i
		}
		old, new := 0, 0
		for _, in := range lines[i+1:] {
			if strings.HasPrefix(in, "@@") {
				break
			}
			switch in[0] {
			case '-':
				old++
			case '+':
				new++
			case ' ', '\n':
				old, new = old+1, new+1
			}
		}
		head := hunkHeader.FindStringSubmatch(line)
		if head == nil { // "@@" alone, or with the name of a function
			head = []string{"", "1", "1"}
		}
		out = append(out, fmt.Sprintf("@@ -%s,%d +%s,%d @@\n", head[1], old, head[2], new))
	}
	if first < 0 {
		return nil, fmt.Errorf("it has no hunk, which begins with @@")
	}
	files, _, err := gitdiff.Parse(strings.NewReader("--- a/file\n+++ b/file\n" + strings.Join(out, "")))
	switch {
	case err != nil:
		return nil, err
	case len(files) != 1 || len(files[0].TextFragments) == 0:
		return nil, fmt.Errorf("it holds %d files", len(files))
	}
	return files[0].TextFragments, nil
}
