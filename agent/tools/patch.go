package tools

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/toolparse/toolparse/agent"
)

var patchTools = []*entry{
	{
		name: "patch_file", description: "Changes a file of the workspace by a unified diff. The context and removed lines must match the file exactly; the line numbers may be wrong.",
		category: fileWrite, from: full, risk: agent.High, paths: onPath, make: edits[patchIn](), preview: previews[patchIn], shell: "patch FILE",
	},
}

type patchIn struct {
	Path  string `json:"path" jsonschema:"the file"`
	Patch string `json:"patch" jsonschema:"the unified diff of this one file"`
}

func (in patchIn) file() string { return in.Path }

func (in patchIn) change(text string) (edited, error) {
	hunks, err := readPatch(in.Patch)
	if err != nil {
		return edited{}, advise(agent.Failure(agent.Validation, "the patch cannot be read: %w", err),
			"Send one unified diff of this file, or use edit_file.")
	}
	crlf := lineEnd(text) == "\r\n"
	out := edited{text: text, lines: 1}
	from := 0 // the end of the last hunk
	for i, h := range hunks {
		old, more := joined(h.old, crlf), joined(h.new, crlf)
		at, end, ok := place(out.text, old, from, h.line)
		if !ok {
			return edited{}, advise(agent.Failure(agent.Validation, "hunk %d of the patch (%s) does not fit %s, which does not contain its lines", i+1, h.head, in.Path),
				"Read the file, and make a patch of its current content. No hunk was applied.")
		}
		if end-at < len(old) { // the file does not end with a line feed, as the patch believes
			more = strings.TrimSuffix(strings.TrimSuffix(more, "\n"), "\r")
		}
		if i == 0 {
			out.from = lineAt(out.text, at)
		}
		out.text = out.text[:at] + more + out.text[end:]
		from = at + len(more)
	}
	out.lines = max(lineAt(out.text, from)-out.from, 1)
	out.summary = fmt.Sprintf("applied %s to %s", plural(len(hunks), "hunk"), in.Path)
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
	best := -1                          // distance between the line and the best place
	here, n := from, lineAt(text, from) // a place, and its line
	for tries := 100; tries > 0; tries-- {
		next := strings.Index(text[here:], old)
		if next < 0 {
			break
		}
		n += strings.Count(text[here:here+next], "\n")
		if here += next; here == 0 || text[here-1] == '\n' {
			if far := max(n-line, line-n); best < 0 || far < best {
				at, best = here, far
			}
		}
		if text[here] == '\n' {
			n++
		}
		here++
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

// hunk is a part of a patch: lines of a file, and those in their place.
type hunk struct {
	head     string
	line     int // where the new lines begin
	old, new []string
	changes  bool // it has a line with + or -
}

// joined joins the lines of a hunk, with CR LF if the file has that.
func joined(lines []string, crlf bool) string {
	text := strings.Join(lines, "")
	if crlf {
		text = withCRLF(text)
	}
	return text
}

// maxHunks limits the hunks of a patch, each of which costs the length of the file.
const maxHunks = 1000

var hunkHeader = regexp.MustCompile(`^@@ -\d+(?:,\d+)? \+(\d+)(?:,\d+)? @@`)

// readPatch reads the hunks of a patch of one file. It counts their lines itself, because
// models count wrong.
func readPatch(patch string) (hunks []*hunk, err error) {
	var h *hunk
	var added []*[]string // where the last line went
	for i, line := range splitLines(strings.TrimRight(patch, "\n") + "\n") {
		if strings.HasPrefix(line, "@@") {
			h = &hunk{head: strings.TrimSpace(line), line: 1}
			if head := hunkHeader.FindStringSubmatch(line); head != nil { // else "@@" alone, or with the name of a function
				h.line, _ = strconv.Atoi(head[1])
			}
			hunks = append(hunks, h)
			continue
		}
		if h == nil { // the header of the patch
			continue
		}
		switch line[0] {
		case '\n': // a blank line of context without its leading blank
			line = " \n"
			added = []*[]string{&h.old, &h.new}
		case ' ':
			added = []*[]string{&h.old, &h.new}
		case '-':
			added, h.changes = []*[]string{&h.old}, true
		case '+':
			added, h.changes = []*[]string{&h.new}, true
		case '\\': // the line before has no line ending
			for _, lines := range added {
				(*lines)[len(*lines)-1] = strings.TrimRight((*lines)[len(*lines)-1], "\r\n")
			}
			added = nil
		default:
			return nil, fmt.Errorf("line %d begins with %q, not with a blank, + or -", i+1, line[:1])
		}
		for _, lines := range added {
			*lines = append(*lines, line[1:])
		}
	}
	switch {
	case len(hunks) == 0:
		return nil, fmt.Errorf("it has no hunk, which begins with @@")
	case len(hunks) > maxHunks:
		return nil, fmt.Errorf("it has %d hunks, more than %d", len(hunks), maxHunks)
	}
	for i, h := range hunks {
		if !h.changes {
			return nil, fmt.Errorf("hunk %d changes nothing", i+1)
		}
	}
	return hunks, nil
}
