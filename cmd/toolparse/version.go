package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

func (c *cli) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Show the version",
		Args:  noArguments,
		RunE:  func(*cobra.Command, []string) error { return c.printVersion() },
	}
}

func (c *cli) printVersion() error {
	_, err := fmt.Fprintf(c.stdout, "toolparse %s %s %s/%s\n", version(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
	return err
}

// version returns the module's version or, for a build from a work tree, its commit.
func version() string {
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
