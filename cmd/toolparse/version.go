package main

import (
	"cmp"
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

// version returns the module's version. That of a build from a work tree names the commit.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "(unknown)"
	}
	return cmp.Or(info.Main.Version, "(devel)")
}
