// Package version tells the version of the program.
package version

import "runtime/debug"

// Of returns the version of the program's main module or, for a build from a work tree,
// its commit.
func Of() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "(unknown)"
	}
	commit, dirty := "", ""
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			commit = s.Value
		case s.Key == "vcs.modified" && s.Value == "true":
			dirty = "+changes"
		}
	}
	if v := info.Main.Version; v != "" && v != "(devel)" || commit == "" {
		return max(v, "(devel)")
	}
	return commit + dirty
}
