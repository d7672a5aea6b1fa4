package tools

import (
	"context"
	"io"
	"path"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// ignoreRule is a line of a .gitignore.
type ignoreRule struct {
	folder   string // that contains the .gitignore; "." for the workspace
	pattern  string // for doublestar
	anchored bool   // matches paths in the folder instead of names anywhere below it
	folders  bool   // matches only folders
	negated  bool
}

// ignoreRules appends the rules in the .gitignore of a folder.
func (s *Set) ignoreRules(ctx context.Context, folder string, rules []ignoreRule) []ignoreRule {
	name := path.Join(folder, ".gitignore")
	if _, err := s.root.Lstat(name); err != nil { // most folders have none, and an error with advice takes long
		return rules
	}
	f, _, err := s.open(name)
	if err != nil {
		return rules
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(&stoppable{ctx, f}, maxIgnore))
	if err != nil {
		return rules
	}
	rules = slices.Clip(rules)
	for line := range strings.Lines(string(text)) {
		if len(rules) == maxRules {
			break
		}
		if rule, ok := readIgnoreRule(strings.TrimRight(line, "\r\n")); ok {
			rule.folder = folder
			rules = append(rules, rule)
		}
	}
	return rules
}

// readIgnoreRule parses a line of a .gitignore. It returns false if the line has no rule.
func readIgnoreRule(line string) (r ignoreRule, ok bool) {
	if strings.HasPrefix(line, "#") {
		return r, false
	}
	for strings.HasSuffix(line, " ") && !strings.HasSuffix(line, `\ `) {
		line = line[:len(line)-1]
	}
	line, r.negated = strings.CutPrefix(line, "!")
	line, r.folders = strings.CutSuffix(line, "/")
	r.anchored = strings.Contains(line, "/")
	line = strings.TrimPrefix(line, "/")
	if rest, all := strings.CutSuffix(line, "/**"); all { // matches what is in the folder, but not the folder
		line = rest + "/*"
	}
	r.pattern = strings.NewReplacer("{", `\{`, "}", `\}`).Replace(line) // braces are literal
	return r, line != "" && len(line) <= maxPattern && doublestar.ValidatePattern(r.pattern)
}

// match reports whether a rule applies to a file or folder.
func (r *ignoreRule) match(rel string, isFolder bool) bool {
	if r.folders && !isFolder {
		return false
	}
	switch {
	case !r.anchored:
		rel = path.Base(rel)
	case r.folder != ".":
		rel = rel[len(r.folder)+1:]
	}
	ok, _ := doublestar.Match(r.pattern, rel)
	return ok
}

// ignores reports whether rules exclude a file or folder whose parent they do not
// exclude. The last rule that applies decides.
func ignores(rules []ignoreRule, rel string, isFolder bool) bool {
	for _, r := range slices.Backward(rules) {
		if r.match(rel, isFolder) {
			return !r.negated
		}
	}
	return false
}
