package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/toolparse/toolparse/agent"
	"github.com/toolparse/toolparse/agent/mcp"
	"github.com/toolparse/toolparse/agent/tools"
)

// mcpFlags are the flags of the mcp command.
type mcpFlags struct {
	workspace string
	tools     []string
	approve   string
	reach     reach
}

// approvals are the values of --approve.
var approvals = []string{"none", "safe", "medium", "all"}

func (c *cli) mcpCommand() *cobra.Command {
	f := mcpFlags{workspace: ".", approve: "safe"}
	cmd := &cobra.Command{
		Use:   "mcp [flags]",
		Short: "Serve the tools to MCP clients, or list the tools of MCP servers",
		Long: `mcp serves the tools of toolparse run, and parse, translate and detect, to a client
of the Model Context Protocol, over standard input and output. Clients start this
command themselves; name it in their configuration.`,
		Example: `  # An entry in a client's configuration
  {"mcpServers": {"toolparse": {"command": "toolparse", "args": ["mcp", "--workspace", "/home/me/project"]}}}

  # The tools of the servers that a configuration names
  toolparse mcp list .mcp.json`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return c.serveMCP(cmd.Context(), f) },
	}
	g := newFlagGroup("Flags")
	g.StringVar(&f.workspace, "workspace", f.workspace, "the `DIR` in which the tools work")
	g.StringSliceVar(&f.tools, "tools", nil, "serve the tools `NAME,...`: tools, categories or environments, as toolparse tools lists them (default standard)")
	g.Var(oneOf(&f.approve, approvals), "approve", "run calls up to this `RISK` without asking: none, safe, medium or all")
	f.reach.flags(g)
	c.setHelp(cmd, `
Permissions:
  For a call whose risk is above --approve, the client asks its user if it supports elicitation;
  otherwise mcp refuses the call. git_commit, git_checkout, git_merge and git_stash always need the
  user's permission. bash is not confined to the workspace.
`+exitCodes("the client has closed the connection", "the workspace cannot be opened, or the connection failed"), g)
	cmd.AddCommand(c.mcpListCommand())
	return cmd
}

func (c *cli) serveMCP(ctx context.Context, f mcpFlags) error {
	ctx, stop := endedBySignal(ctx) // clients end servers by a signal
	defer stop()
	set, err := tools.Workspace(f.workspace)
	if err != nil {
		return err
	}
	defer set.Close()
	if err := f.reach.limit(set); err != nil {
		return err
	}
	if err := set.Add(mcp.OwnTools()...); err != nil {
		return err
	}
	list, err := set.Tools(f.tools...)
	if err != nil {
		return usagef("--tools: %v", usageOf("tools", err))
	}
	config := agent.Config{
		Tools: list, WorkingDirectory: set.Dir, Policy: agent.Rules{Approve: f.approve}.Policy(),
		System: "The tools work in the folder " + set.Dir + ".",
	}
	if isTerminal(c.stdin) {
		c.warn("waiting for an MCP client on standard input; clients start this command themselves (see toolparse help mcp)")
	}
	err = mcp.Serve(ctx, c.stdin, c.stdout, config)
	if ctx.Err() != nil {
		return errInterrupted
	}
	return err
}

// openServers connects to the MCP servers of configuration files, and warns about those
// that it cannot reach.
func (c *cli) openServers(ctx context.Context, files []string, opts mcp.Options) (*mcp.Servers, error) {
	var configs []mcp.Config
	from := map[string]string{}
	for _, file := range files {
		text, err := c.readFile(file)
		if err != nil {
			return nil, err
		}
		list, err := mcp.ParseConfig(showName(file), string(text), c.getenv)
		if err != nil {
			return nil, err
		}
		for _, server := range list {
			if other, twice := from[server.Name]; twice {
				return nil, usagef("%s and %s both have a server %s; rename one", other, file, server.Name)
			}
			from[server.Name] = file
		}
		configs = append(configs, list...)
	}
	opts.Warn = func(server string, err error) { c.warn("MCP server %s: %v", server, err) }
	return mcp.Open(ctx, configs, opts), nil
}
