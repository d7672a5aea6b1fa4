// Package mcp connects the agent with the Model Context Protocol in both directions,
// using its official Go SDK.
//
// [ReadConfig] reads the servers of a configuration file, [Open] connects to them, and
// [Servers.Tools] returns their tools for an agent:
//
//	configs, err := mcp.ReadConfig("mcp.json", os.Getenv)
//	servers := mcp.Open(ctx, configs, mcp.Options{Warn: warn})
//	defer servers.Close()
//	config.Prepare = func(ctx context.Context, _ *agent.Session, step *agent.Config) error {
//		step.Tools = append(own, servers.Tools(ctx)...) // a server may change its list
//		return nil
//	}
//
// Servers are not trusted. Their tools never count as safe, whatever they claim, unless
// the file says "trust": true. Their texts are shortened and cleaned of invisible
// characters, their results are limited, and they get only the environment variables that
// programs need to start. A dead or slow server is reported once; its tools return errors
// until it is back.
//
// [Serve] is the other direction: it serves any tools to MCP clients.
package mcp
