package tools

import (
	"cmp"
	"context"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/toolparse/toolparse/agent"
)

// walker visits the files and folders below a folder, in the order of their names. It
// does not follow links.
type walker struct {
	s       *Set
	hidden  bool // include names that begin with a dot
	ignored bool // include what .gitignore excludes
	control bool // include folders of version control
	depth   int  // number of levels; 0 means all

	count   int
	partial bool // something was left out
}

// Limits for a walk.
const (
	maxSeen   = 200_000 // files and folders
	maxLevels = 200     // nested folders
	maxIgnore = 1 << 20 // bytes of a .gitignore
	maxRules  = 10_000  // lines of .gitignore files that apply to a file
)

// seen is a file or folder that the walker visits.
type seen struct {
	rel   string // path in the workspace
	below string // path in the folder where the walk began
	entry fs.DirEntry
	level int // counted from 1
}

// walk calls visit for everything below a folder of the workspace, until visit returns an
// error: fs.SkipDir skips the folder, fs.SkipAll ends the walk.
func (w *walker) walk(ctx context.Context, name string, visit func(seen) error) error {
	rel, err := w.s.inside(name)
	if err != nil {
		return err
	}
	var rules []ignoreRule
	if !w.ignored && rel != "." { // the rules of the folders above
		rules = w.s.ignoreRules(ctx, ".", nil)
		for i, c := range rel {
			if c == '/' {
				rules = w.s.ignoreRules(ctx, rel[:i], rules)
			}
		}
	}
	if err := w.folder(ctx, seen{rel: rel}, rules, visit); err != fs.SkipAll {
		return w.s.explain(name, err)
	}
	return nil
}

func (w *walker) folder(ctx context.Context, at seen, rules []ignoreRule, visit func(seen) error) error {
	entries, cut, err := w.s.readDir(at.rel)
	if err != nil {
		if at.level > 0 { // the folder is not readable, or has gone
			w.partial = true
			return nil
		}
		return err
	}
	w.partial = w.partial || cut
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return cmp.Compare(a.Name(), b.Name()) })
	if !w.ignored {
		rules = w.s.ignoreRules(ctx, at.rel, rules)
	}
	for _, e := range entries {
		if err := ctx.Err(); err != nil { // each entry may take as long as there are rules
			return err
		}
		next := seen{rel: path.Join(at.rel, e.Name()), below: path.Join(at.below, e.Name()), entry: e, level: at.level + 1}
		switch {
		case !w.hidden && strings.HasPrefix(e.Name(), "."):
			continue
		case !w.control && e.IsDir() && slices.Contains([]string{".git", ".hg", ".svn", ".bzr"}, e.Name()):
			continue
		case ignores(rules, next.rel, e.IsDir()):
			continue
		}
		if w.count++; w.count > maxSeen {
			w.partial = true
			return fs.SkipAll
		}
		switch err := visit(next); {
		case err == fs.SkipDir:
			continue
		case err != nil:
			return err
		}
		if !e.IsDir() || next.level == w.depth {
			continue
		}
		if next.level == maxLevels {
			w.partial = true
			continue
		}
		if err := w.folder(ctx, next, rules, visit); err != nil {
			return err
		}
	}
	return nil
}

// glob is a pattern for names or, if it contains a slash, for paths.
type glob string

// Limits of a pattern: bytes, and the ways to choose its {alternatives}, all of which may be
// tried for each name.
const (
	maxPattern      = 1000
	maxAlternatives = 1000
)

// check returns an error if the pattern is broken or takes too long.
func (g glob) check(parameter string) error {
	switch {
	case len(g) > maxPattern || g.alternatives() > maxAlternatives:
		return agent.Failure(agent.Validation, "%s is too long, or has too many alternatives", parameter)
	case g != "" && !doublestar.ValidatePattern(string(g)):
		return agent.Failure(agent.Validation, "%s %q is not a valid pattern", parameter, string(g))
	}
	return nil
}

// alternatives returns the number of ways to choose one of the alternatives in each pair of
// braces, or more.
func (g glob) alternatives() (ways int) {
	ways = 1
	for group := range strings.SplitSeq(string(g), "{") {
		ways = min(ways*(1+strings.Count(group, ",")), maxAlternatives+1)
	}
	return ways
}

// match reports whether the pattern matches a file: its path in the workspace, or in the
// folder where the walk began.
func (g glob) match(at seen) bool {
	if !strings.Contains(string(g), "/") {
		ok, _ := doublestar.Match(string(g), path.Base(at.rel))
		return ok
	}
	pattern := strings.TrimPrefix(string(g), "./")
	ok, _ := doublestar.Match(pattern, at.below)
	if !ok {
		ok, _ = doublestar.Match(pattern, at.rel)
	}
	return ok
}

// printed returns a name for a line of output, quoted if it contains control characters.
func printed(name string) string {
	if !utf8.ValidString(name) || strings.ContainsFunc(name, func(r rune) bool { return unicode.IsControl(r) || r == '\u2028' || r == '\u2029' }) {
		return strconv.Quote(name)
	}
	return name
}
