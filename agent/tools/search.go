package tools

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"strings"

	"github.com/toolparse/toolparse/agent"
	"github.com/toolparse/toolparse/internal/printable"
)

var searchTools = []*entry{
	{
		name: "search", description: "Searches the text files of the workspace for a text or a regular expression, and shows the lines that match. It skips what .gitignore excludes.",
		aliases: []string{"grep", "ripgrep"}, category: search, from: minimal, risk: agent.Medium, traits: reads, paths: onPath,
		make: does((*Set).search), shell: "grep -rn PATTERN FOLDER",
	},
	{
		name: "grep_search", description: "Searches the text files of the workspace for a text, ignoring case; \"*\" matches any text on a line.", like: "search",
		category: search, from: onDemand, risk: agent.Medium, traits: reads | once, make: does((*Set).grepSearch), shell: "grep -rin PATTERN .",
	},
	{
		name: "find_files", description: "Finds files and folders of the workspace by name. It skips what .gitignore excludes.",
		aliases: []string{"find", "glob"}, category: search, from: minimal, traits: reads, paths: onPath, make: does((*Set).findFiles), shell: "find FOLDER -name PATTERN",
	},
}

type searchIn struct {
	Pattern   string `json:"pattern" jsonschema:"the text or expression to search for"`
	Path      string `json:"path" jsonschema:"the file or folder to search" default:"."`
	Type      string `json:"type" jsonschema:"literal text or a regular expression (RE2)" default:"literal" enum:"literal,regex"`
	Sensitive bool   `json:"case_sensitive" jsonschema:"distinguish upper and lower case" default:"true"`
	Include   string `json:"include_pattern,omitempty" jsonschema:"search only files that match this pattern, such as *.py"`
	Exclude   string `json:"exclude_pattern,omitempty" jsonschema:"skip files that match this pattern, such as node_modules/**"`
	Max       int    `json:"max_results" jsonschema:"the maximum number of lines" default:"50" minimum:"1" maximum:"1000"`
	Around    int    `json:"context_lines" jsonschema:"the number of lines to show before and after each" default:"2" minimum:"0" maximum:"10"`
	Hidden    bool   `json:"include_hidden" jsonschema:"search files and folders whose name begins with a dot" default:"false"`
	Ignored   bool   `json:"ignore_gitignore" jsonschema:"also search what .gitignore excludes" default:"false"`
}

func (s *Set) search(ctx context.Context, in searchIn) (agent.Result, error) {
	expression := in.Pattern
	if in.Type != "regex" {
		expression = regexp.QuoteMeta(expression)
	}
	return s.searchFor(ctx, in, expression)
}

type grepIn struct {
	Pattern string `json:"pattern" jsonschema:"the text to search for; * matches any text"`
	Filter  string `json:"file_filter,omitempty" jsonschema:"search only files that match this pattern, such as *.go or **/*.md"`
	Max     int    `json:"max_results" jsonschema:"the maximum number of lines" default:"200" minimum:"1" maximum:"1000"`
	Hidden  bool   `json:"include_hidden" jsonschema:"search files and folders whose name begins with a dot" default:"false"`
	Ignored bool   `json:"ignore_gitignore" jsonschema:"also search what .gitignore excludes" default:"false"`
}

func (s *Set) grepSearch(ctx context.Context, in grepIn) (agent.Result, error) {
	expression := strings.ReplaceAll(regexp.QuoteMeta(in.Pattern), `\*`, ".*")
	return s.searchFor(ctx, searchIn{Pattern: in.Pattern, Path: ".", Include: in.Filter, Max: in.Max, Hidden: in.Hidden, Ignored: in.Ignored}, expression)
}

// compile compiles the expression of a search.
func (in *searchIn) compile(expression string) (*regexp.Regexp, error) {
	if !in.Sensitive {
		expression = "(?i)" + expression
	}
	re, err := regexp.Compile(expression)
	if err != nil {
		return nil, advise(agent.Failure(agent.Validation, "the pattern is not a regular expression: %w", err),
			"Correct it (the syntax is RE2: no look-around, no back-references), or search it as a literal.")
	}
	return re, nil
}

func (s *Set) searchFor(ctx context.Context, in searchIn, expression string) (agent.Result, error) {
	if in.Pattern == "" {
		return agent.Result{}, agent.Failure(agent.Validation, "the pattern is empty")
	}
	re, err := in.compile(expression)
	if err != nil {
		return agent.Result{}, err
	}
	include, exclude := glob(in.Include), glob(in.Exclude)
	if err := cmp.Or(include.check("include_pattern"), exclude.check("exclude_pattern")); err != nil {
		return agent.Result{}, err
	}
	rel, err := s.inside(in.Path)
	if err != nil {
		return agent.Result{}, err
	}
	stat, err := s.root.Stat(rel)
	if err != nil {
		return agent.Result{}, s.explain(in.Path, err)
	}
	m := matches{re: re, plain: in.Type != "regex", most: in.Max, around: in.Around}
	if !stat.IsDir() {
		text, err := s.readAll(ctx, in.Path)
		if err != nil {
			return agent.Result{}, err
		}
		m.search(rel, text)
		return m.result(in), nil
	}
	w := walker{s: s, hidden: in.Hidden, ignored: in.Ignored}
	err = w.walk(ctx, in.Path, func(at seen) error {
		if exclude != "" && exclude.match(at) {
			return fs.SkipDir
		}
		if !at.entry.Type().IsRegular() || include != "" && !include.match(at) {
			return nil
		}
		text, err := s.readAll(ctx, at.rel)
		if err != nil {
			m.unread++
			return ctx.Err()
		}
		if !isPlain(text) {
			return nil
		}
		if !m.search(at.rel, text) {
			return fs.SkipAll
		}
		return nil
	})
	if err != nil {
		return agent.Result{}, err
	}
	m.partial = m.partial || w.partial
	return m.result(in), nil
}

// matches collects the lines that a search finds.
type matches struct {
	re           *regexp.Regexp
	plain        bool // the expression has no anchors, so that it can be matched with whole files
	most, around int

	b             strings.Builder
	lines, files  int
	unread        int // files
	full, partial bool
}

const maxFound = 400 // bytes of a line that are shown

// search searches a file. It returns false when there is no room for more.
func (m *matches) search(rel string, text []byte) bool {
	if m.plain && !m.re.Match(text) { // the most common case
		return true
	}
	lines := bytes.Split(bytes.TrimSuffix(text, []byte("\n")), []byte("\n"))
	shown, first := -1, true // the last line that was shown
	for i, line := range lines {
		if !m.re.Match(bytes.TrimSuffix(line, []byte("\r"))) {
			continue
		}
		if m.lines == m.most || m.b.Len() > maxShown {
			m.full = true
			return false
		}
		if m.lines++; first {
			m.files++
		}
		from := max(i-m.around, shown+1)
		if m.around > 0 && (first && m.files > 1 || !first && from > shown+1) {
			m.b.WriteString("--\n")
		}
		first = false
		for at := from; at < i; at++ {
			m.write(rel, at, "-", lines[at])
		}
		m.write(rel, i, ":", line)
		shown = i
		// Add lines of context up to the next match, which shows the lines before it.
		for at := i + 1; at <= i+m.around && at < len(lines) && !m.re.Match(bytes.TrimSuffix(lines[at], []byte("\r"))); at++ {
			m.write(rel, at, "-", lines[at])
			shown = at
		}
	}
	return true
}

func (m *matches) write(rel string, at int, mark string, line []byte) {
	text := strings.ToValidUTF8(string(bytes.TrimSuffix(line, []byte("\r"))), "\uFFFD")
	fmt.Fprintf(&m.b, "%s%s%d%s %s\n", printed(rel), mark, at+1, mark, printable.Short(text, maxFound))
}

func (m *matches) result(in searchIn) agent.Result {
	summary := fmt.Sprintf("%s in %s", plural(m.lines, "line"), plural(m.files, "file"))
	if m.lines == 0 {
		summary = fmt.Sprintf("nothing found for %q", in.Pattern)
	}
	if in.Hidden {
		summary += " [+hidden]"
	}
	if in.Ignored {
		summary += " [+gitignored]"
	}
	if m.full {
		summary += "; there are more: make the pattern or the path narrower"
	}
	if m.unread > 0 {
		summary += fmt.Sprintf("; %s could not be read", plural(m.unread, "file"))
	}
	if m.partial {
		summary += "; some folders were not searched"
	}
	result := agent.Result{Output: m.b.String() + "[" + summary + "]\n", Metadata: map[string]any{"matches": m.lines}}
	if m.full || m.partial {
		result.Metadata["output_truncated"] = true
	}
	return result
}

type findIn struct {
	Pattern string `json:"pattern" jsonschema:"a name, or a pattern such as *.go or src/**/*_test.go"`
	Path    string `json:"path" jsonschema:"the folder to search" default:"."`
	Type    string `json:"type" jsonschema:"what to find" default:"any" enum:"any,file,directory"`
	Hidden  bool   `json:"include_hidden" jsonschema:"find names that begin with a dot" default:"false"`
	Ignored bool   `json:"ignore_gitignore" jsonschema:"also find what .gitignore excludes" default:"false"`
	Max     int    `json:"max_results" jsonschema:"the maximum number of results" default:"200" minimum:"1" maximum:"1000"`
}

func (s *Set) findFiles(ctx context.Context, in findIn) (agent.Result, error) {
	pattern := glob(in.Pattern)
	if err := pattern.check("pattern"); err != nil {
		return agent.Result{}, err
	}
	var b strings.Builder
	found, more := 0, false
	w := walker{s: s, hidden: in.Hidden || strings.HasPrefix(path.Base(in.Pattern), "."), ignored: in.Ignored}
	err := w.walk(ctx, in.Path, func(at seen) error {
		if in.Type == "file" && at.entry.IsDir() || in.Type == "directory" && !at.entry.IsDir() || !pattern.match(at) {
			return nil
		}
		if found == in.Max || b.Len() > maxShown {
			more = true
			return fs.SkipAll
		}
		found++
		name := at.rel
		if at.entry.IsDir() {
			name += "/"
		}
		b.WriteString(printed(name) + "\n")
		return nil
	})
	if err != nil {
		return agent.Result{}, err
	}
	result := agent.Result{Output: b.String(), Metadata: map[string]any{"matches": found}}
	switch {
	case more || w.partial:
		result.Output += "[there are more: make the pattern or the path narrower]\n"
		result.Metadata["output_truncated"] = true
	case found == 0:
		result.Output = fmt.Sprintf("[nothing matches %q]\n", in.Pattern)
	}
	return result, nil
}
