package main

import (
	"fmt"
	"runtime"

	"github.com/spf13/cobra"

	"github.com/toolparse/toolparse/internal/version"
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
	_, err := fmt.Fprintf(c.stdout, "toolparse %s %s %s/%s\n", version.Of(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
	return err
}
