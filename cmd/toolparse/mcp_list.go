package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/toolparse/toolparse/agent"
	"github.com/toolparse/toolparse/agent/mcp"
	"github.com/toolparse/toolparse/internal/manifest"
	"github.com/toolparse/toolparse/internal/printable"
	"github.com/toolparse/toolparse/toolcall"
)

// mcpListFlags are the flags of the mcp list command.
type mcpListFlags struct {
	json, debug bool
	timeout     time.Duration
}

// listedTool is a line of mcp list --json.
type listedTool struct {
	Type string `json:"type"` // mcp
	toolcall.ToolDefinition
	Server string     `json:"mcp_server"`
	Risk   agent.Risk `json:"risk"`
	Tokens int        `json:"tokens"`
}

func (c *cli) mcpListCommand() *cobra.Command {
	f := mcpListFlags{timeout: time.Minute}
	cmd := &cobra.Command{
		Use:   "list [flags] FILE...",
		Short: "Connect to the servers of a configuration and print their tools",
		Long: `list connects to the MCP servers that configuration files name, and prints their tools
as a model sees them. It starts servers if necessary, and stops them at the end. The
files have the form that other clients use: {"mcpServers": {NAME: {"command", "args",
"env", "cwd"} or {"url", "headers"}}}, with ${VAR} and ${VAR:-default} for environment
variables. For "-", it reads standard input. TOKENS estimates the cost of the tool's
definition in each request.`,
		Example: `  toolparse mcp list .mcp.json`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usagef("mcp list needs a FILE with mcpServers, such as .mcp.json")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error { return c.listServers(cmd.Context(), f, args) },
	}
	g := newFlagGroup("Flags")
	g.BoolVar(&f.json, "json", false, "print a line of JSON for each tool, with its description and parameters")
	g.DurationVar(&f.timeout, "timeout", f.timeout, "wait at most `DURATION` for a server")
	g.BoolVar(&f.debug, "debug", false, "copy the servers' standard error to standard error")
	c.setHelp(cmd, exitCodes("every server answered", "a file could not be read, or a server did not answer"), g)
	return cmd
}

func (c *cli) listServers(ctx context.Context, f mcpListFlags, files []string) error {
	opts := mcp.Options{Connect: f.timeout, Wait: f.timeout}
	if f.debug {
		opts.Logger = slog.New(slog.NewTextHandler(c.stderr, &slog.HandlerOptions{Level: slog.LevelDebug}))
	}
	servers, err := c.openServers(ctx, files, opts)
	if err != nil {
		return err
	}
	defer servers.Close()
	failed := false
	w := c.newTable()
	if !f.json {
		fmt.Fprintln(w, "SERVER\tTOOL\tRISK\tTOKENS\tDESCRIPTION")
	}
	total := 0
	for _, state := range servers.States(ctx) {
		failed = failed || state.Err != nil
		for _, tool := range state.Tools {
			listed, err := listTool(state.Name, tool.Info())
			if err != nil {
				return err
			}
			total += listed.Tokens
			if f.json {
				if err := writeLine(c.stdout, listed); err != nil {
					return err
				}
				continue
			}
			about, _, _ := strings.Cut(strings.TrimSpace(listed.Description), "\n")
			fmt.Fprintf(w, "%s\t%s\t%s\t%d\t%s\n", printable.Text(state.Name), listed.Name, listed.Risk, listed.Tokens, printable.Text(printable.Short(about, maxAbout)))
		}
	}
	if !f.json {
		fmt.Fprintf(w, "(total)\t\t\t%d\n", total)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if failed {
		return errReported
	}
	return nil
}

// maxAbout bounds how many bytes of a description the table shows.
const maxAbout = 60

func listTool(server string, info agent.Info) (listedTool, error) {
	body, err := json.Marshal(map[string]any{"type": "function", "function": info.ToolDefinition})
	return listedTool{string(info.Kind), info.ToolDefinition, server, info.Risk, manifest.Tokens(string(body))}, err
}
