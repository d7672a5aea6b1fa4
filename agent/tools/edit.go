package tools

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/toolparse/toolparse/agent"
	"github.com/toolparse/toolparse/internal/printable"
)

var editTools = []*entry{
	{
		name: "edit_file", description: "Replaces a text in a file of the workspace. The old text must match the file exactly, including spaces and line ends, and occur once, unless occurrence selects one.",
		category: fileWrite, from: minimal, risk: agent.High, paths: onPath, make: edits[editIn](), preview: previews[editIn], shell: "sed -i",
	},
	{
		name: "insert_lines", description: "Inserts lines into a file of the workspace, before a line given by its number. Read the file first to get the numbers.",
		category: fileWrite, from: standard, risk: agent.High, paths: onPath, make: edits[insertIn](), preview: previews[insertIn], shell: "sed -i",
	},
	{
		name: "replace_lines", description: "Replaces a range of lines of a file of the workspace. Read the file first to get the line numbers.",
		category: fileWrite, from: standard, risk: agent.High, paths: onPath, make: edits[linesIn](), preview: previews[linesIn], shell: "sed -i",
	},
}

type editIn struct {
	Path       string `json:"path" jsonschema:"the file"`
	Old        string `json:"old_content" jsonschema:"the text to replace, exactly as in the file"`
	New        string `json:"new_content" jsonschema:"the new text"`
	Occurrence string `json:"occurrence" jsonschema:"which one to replace if the old text occurs several times; unique fails then" default:"unique" enum:"unique,first,last,all"`
}

func (in editIn) file() string { return in.Path }

func (in editIn) change(text string) (edited, error) {
	switch {
	case in.Old == "":
		return edited{}, advise(agent.Failure(agent.Validation, "old_content is empty"),
			"Pass the text to replace. To write a whole file use write_file, to add lines insert_lines.")
	case in.Old == in.New:
		return edited{}, agent.Failure(agent.Validation, "old_content and new_content are the same")
	}
	found, more := occurrences(text, in.Old)
	switch {
	case len(found) == 0:
		return edited{}, absent(in.Path, text, in.Old)
	case in.Occurrence == "unique" && len(found) > 1:
		return edited{}, advise(agent.Failure(agent.Validation, "old_content occurs %d%s times in %s, in the %s", len(found), more, in.Path, lineList(text, found)),
			"Extend old_content until it occurs once, or set occurrence to first, last or all.")
	}
	out := edited{lines: 1 + strings.Count(in.New, "\n")}
	at := found[0]
	switch in.Occurrence {
	case "all":
		out.text, out.from = strings.ReplaceAll(text, in.Old, in.New), lineAt(text, at)
		out.summary = fmt.Sprintf("replaced all %d occurrences in %s, the first in line %d", strings.Count(text, in.Old), in.Path, out.from)
		return out, nil
	case "last":
		at = strings.LastIndex(text, in.Old)
	}
	out.text, out.from = text[:at]+in.New+text[at+len(in.Old):], lineAt(text, at)
	out.summary = fmt.Sprintf("replaced the text in line %d of %s", out.from, in.Path)
	if len(found) > 1 {
		out.summary = fmt.Sprintf("replaced the %s of %d%s occurrences in %s, in line %d", in.Occurrence, len(found), more, in.Path, out.from)
	}
	return out, nil
}

// occurrences returns the offsets of a text in another one, including overlaps. If there
// are too many, it returns the first ones, and "+" as more.
func occurrences(text, part string) (found []int, more string) {
	const most = 1000 // each may cost the length of the part
	for at := 0; len(found) < most; {
		i := strings.Index(text[at:], part)
		if i < 0 {
			return found, ""
		}
		found = append(found, at+i)
		at += i + 1
	}
	return found, "+"
}

// lineAt returns the number of the line at an offset.
func lineAt(text string, offset int) int { return 1 + strings.Count(text[:offset], "\n") }

// lineList lists the line numbers of offsets.
func lineList(text string, offsets []int) string {
	const most = 10
	var lines []string
	line, from := 1, 0
	for _, at := range offsets {
		line, from = line+strings.Count(text[from:at], "\n"), at
		if len(lines) == most {
			lines = append(lines, "...")
			break
		}
		lines = append(lines, fmt.Sprint(line))
	}
	if len(lines) == 1 {
		return "line " + lines[0]
	}
	return "lines " + strings.Join(lines, ", ")
}

// absent returns the error for a text that the file does not contain. It shows the most
// similar part of the file.
func absent(path, text, old string) *agent.Error {
	e := agent.Failure(agent.Validation, "old_content is not in %s", path)
	e.Action = "Read the file, and copy the text to replace from it, without the line numbers."
	if strings.Contains(text, "\r\n") && !strings.Contains(old, "\r\n") && strings.Contains(strings.ReplaceAll(text, "\r\n", "\n"), old) {
		e.Message += ": the lines of the file end with CR LF"
		e.Action = "Write the line ends as in the file, or use replace_lines."
		return e
	}
	folded := fold(old)
	if folded == "" {
		return e
	}
	first, _, _ := strings.Cut(strings.TrimSpace(old), "\n")
	first = fold(first)
	n := strings.Count(strings.TrimSpace(old), "\n") + 1
	lines := strings.SplitAfter(text, "\n")
	tries, like := 20, 0 // each try may cost the length of the text
	for i, line := range lines {
		if tries == 0 || !strings.Contains(fold(line), first) {
			continue
		}
		if tries--; like == 0 {
			like = i + 1
		}
		if strings.Contains(fold(strings.Join(lines[i:min(i+n, len(lines))], "")), folded) {
			e.Message += fmt.Sprintf(": line %d has it with other blanks or line ends", i+1)
			return e
		}
	}
	if like > 0 {
		e.Message += fmt.Sprintf(": line %d begins like it, but continues differently", like)
	}
	return e
}

// fold replaces every run of blanks by one space.
func fold(text string) string { return strings.Join(strings.Fields(text), " ") }

// edited is the new text of a file.
type edited struct {
	text        string
	from, lines int // the lines to show
	summary     string
}

// editing is implemented by the arguments of tools that edit a file.
type editing interface {
	file() string
	change(text string) (edited, error)
}

// edits returns a maker for such a tool.
func edits[In editing]() maker {
	return writes(func(s *Set, ctx context.Context, in In) (agent.Result, error) {
		t, _, e, err := s.planEdit(ctx, in)
		if err != nil {
			return agent.Result{}, err
		}
		did, err := s.writeText(t, e.text)
		if err != nil {
			return agent.Result{}, err
		}
		return agent.Result{Output: e.summary + ":\n" + excerpt(e.text, e.from, e.lines), Changes: []agent.StateChange{did}}, nil
	})
}

// previews shows the change that a call would make, as a diff.
func previews[In editing](s *Set, ctx context.Context, arguments []byte) (string, error) {
	var in In
	if err := json.Unmarshal(arguments, &in); err != nil {
		return "", err
	}
	_, text, e, err := s.planEdit(ctx, in)
	if err != nil {
		return "", err
	}
	return diff(in.file(), text, e.text), nil
}

// planEdit reads a file and computes its new text.
func (s *Set) planEdit(ctx context.Context, in editing) (t target, text string, e edited, err error) {
	if t, err = s.target(in.file()); err != nil {
		return t, "", e, err
	}
	if t.before == nil {
		return t, "", e, s.explain(in.file(), fs.ErrNotExist)
	}
	raw, err := s.readAll(ctx, t.rel)
	if err != nil {
		return t, "", e, err
	}
	if !isPlain(raw) {
		return t, "", e, agent.Failure(agent.Resource, "%s is binary, not a text", in.file())
	}
	e, err = in.change(string(raw))
	return t, string(raw), e, err
}

// excerpt returns some lines of a text with their numbers and context.
func excerpt(text string, from, n int) string {
	const around, most = 3, 20
	first, last := max(from-around, 1), from+min(n, most)-1+around
	lines := splitLines(text)
	return numbered(lines[:min(last, len(lines))], first, 500)
}

type linesIn struct {
	Path  string `json:"path" jsonschema:"the file"`
	Start int    `json:"line_start" jsonschema:"the first line to replace, from 1" minimum:"1"`
	End   int    `json:"line_end" jsonschema:"the last line to replace" minimum:"1"`
	New   string `json:"new_content" jsonschema:"the new lines; empty to delete the old ones"`
}

func (in linesIn) file() string { return in.Path }

func (in linesIn) change(text string) (edited, error) {
	if in.End < in.Start {
		return edited{}, agent.Failure(agent.Validation, "line_end %d is before line_start %d", in.End, in.Start)
	}
	lines := splitLines(text)
	if in.End > len(lines) {
		return edited{}, agent.Failure(agent.Validation, "%s has only %d lines, and line_end is %d", in.Path, len(lines), in.End)
	}
	more, n := asLines(in.New, text, in.End == len(lines) && !strings.HasSuffix(text, "\n"))
	return edited{
		text: strings.Join(lines[:in.Start-1], "") + more + strings.Join(lines[in.End:], ""), from: in.Start, lines: n,
		summary: fmt.Sprintf("replaced %d lines of %s by %d, from line %d", in.End-in.Start+1, in.Path, n, in.Start),
	}, nil
}

type insertIn struct {
	Path  string `json:"path" jsonschema:"the file"`
	Start int    `json:"line_start" jsonschema:"the line to insert before, from 1; the number of lines plus 1 inserts at the end" minimum:"1"`
	End   int    `json:"line_end,omitempty" jsonschema:"the same number, or omit it" minimum:"1"`
	New   string `json:"new_content" jsonschema:"the lines"`
}

func (in insertIn) file() string { return in.Path }

func (in insertIn) change(text string) (edited, error) {
	switch {
	case in.End != 0 && in.End != in.Start:
		return edited{}, advise(agent.Failure(agent.Validation, "line_end is %d, and must be line_start, %d", in.End, in.Start),
			"Leave line_end out. To replace lines use replace_lines.")
	case in.New == "":
		return edited{}, agent.Failure(agent.Validation, "new_content is empty")
	}
	lines := splitLines(text)
	if in.Start > len(lines)+1 {
		return edited{}, agent.Failure(agent.Validation, "%s has only %d lines, and line_start is %d", in.Path, len(lines), in.Start)
	}
	before, after := strings.Join(lines[:in.Start-1], ""), strings.Join(lines[in.Start-1:], "")
	if before != "" && !strings.HasSuffix(before, "\n") {
		before += lineEnd(text)
	}
	more, n := asLines(in.New, text, false)
	return edited{
		text: before + more + after, from: in.Start, lines: n,
		summary: fmt.Sprintf("inserted %d lines before line %d of %s", n, in.Start, in.Path),
	}, nil
}

// splitLines returns the lines of a text, including their ends.
func splitLines(text string) []string { return slices.Collect(strings.Lines(text)) }

// lineEnd returns the line ending of a text.
func lineEnd(text string) string {
	if i := strings.IndexByte(text, '\n'); i > 0 && text[i-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}

// withCRLF ends every line of a text with CR LF.
func withCRLF(text string) string {
	return strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\n", "\r\n")
}

// asLines prepares lines for insertion into a text: with the text's line endings, and one
// after the last line unless open is set. It also returns their number.
func asLines(more, text string, open bool) (string, int) {
	if more == "" {
		return "", 0
	}
	if lineEnd(text) == "\r\n" {
		more = withCRLF(more)
	}
	if !open && !strings.HasSuffix(more, "\n") {
		more += lineEnd(text)
	}
	return more, len(splitLines(more))
}

// maxDiff limits the removed lines, and the added ones, of a diff that a person is shown.
const maxDiff = 40

// diff returns the difference between two texts as one hunk with context: the lines
// between their common beginning and end.
func diff(name, old, new string) string {
	const around = 3
	a, b := endedLines(old), endedLines(new)
	head := 0
	for head < len(a) && head < len(b) && a[head] == b[head] {
		head++
	}
	tail := 0
	for tail < len(a)-head && tail < len(b)-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	var out strings.Builder
	fmt.Fprintf(&out, "--- %s\n+++ %s\n@@ line %d @@\n", printed(name), printed(name), head+1)
	write := func(mark string, lines []string) {
		for i, line := range lines {
			if i == maxDiff {
				fmt.Fprintf(&out, "%s... and %d more lines\n", mark, len(lines)-i)
				return
			}
			out.WriteString(mark + printable.Short(strings.TrimSuffix(line, "\n"), maxFound) + "\n")
		}
	}
	write(" ", a[max(head-around, 0):head])
	write("-", a[head:len(a)-tail])
	write("+", b[head:len(b)-tail])
	write(" ", a[len(a)-tail:min(len(a)-tail+around, len(a))])
	return out.String()
}

func lineCount(text string) int {
	return strings.Count(strings.TrimSuffix(text, "\n"), "\n") + min(len(text), 1)
}

// endedLines returns the lines of a text, each of which ends with a line feed.
func endedLines(text string) []string { return splitLines(text + "\n")[:lineCount(text)] }
