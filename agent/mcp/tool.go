package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/toolparse/toolparse/agent"
	"github.com/toolparse/toolparse/internal/jsonvalue"
	"github.com/toolparse/toolparse/internal/schema"
	"github.com/toolparse/toolparse/toolcall"
)

// tool is a tool of a server.
type tool struct {
	server *server
	name   string // the server's name of the tool
	info   agent.Info
}

// newTool converts a tool of a server. raw is its schema as the server wrote it, if
// known. newTool fails on a tool that cannot be offered.
func newTool(s *server, of *sdk.Tool, raw json.RawMessage) (*tool, error) {
	if of.Name == "" || len(of.Name) > maxName {
		return nil, fmt.Errorf("its name has %d bytes", len(of.Name))
	}
	parameters, err := parametersOf(of, raw)
	if err != nil {
		return nil, err
	}
	name := s.names.of(toolKey{s.config.Name, of.Name})
	if name == "" {
		return nil, fmt.Errorf("there were more than %d tools", maxNames)
	}
	info := agent.Info{
		ToolDefinition: toolcall.ToolDefinition{
			Name: name, Description: clean(of.Description, maxDescription), Parameters: parameters,
		},
		Kind: agent.MCP, Timeout: s.config.Timeout,
	}
	rate(&info, of.Annotations, s.config.Trusted)
	return &tool{server: s, name: of.Name, info: info}, nil
}

// parametersOf returns the schema of a tool's arguments.
func parametersOf(of *sdk.Tool, raw json.RawMessage) (json.RawMessage, error) {
	if of.InputSchema == nil {
		return json.RawMessage(`{"type":"object"}`), nil
	}
	if raw == nil {
		var err error
		if raw, err = json.Marshal(of.InputSchema); err != nil {
			return nil, err
		}
	}
	if len(raw) > maxSchema {
		return nil, fmt.Errorf("its schema has %d KiB", len(raw)>>10)
	}
	v, err := jsonvalue.Parse(raw)
	if err != nil {
		return nil, fmt.Errorf("its schema: %w", err)
	}
	if !v.Is(jsonvalue.Object) {
		return nil, fmt.Errorf("its schema is not an object")
	}
	v = cleanSchema(v)
	if !v.Has("type") {
		v.Set("type", jsonvalue.NewString("object"))
	}
	text := json.RawMessage(v.String())
	if _, err := schema.Compile(text); err != nil {
		return nil, fmt.Errorf("its schema: %w", err)
	}
	return text, nil
}

// rate sets the risk of a tool. Unless the user trusts the server, a tool that claims to
// be read-only is of medium risk, and all others are of high risk.
func rate(info *agent.Info, hints *sdk.ToolAnnotations, trusted bool) {
	info.Risk = agent.High
	if hints == nil {
		return
	}
	adds := hints.DestructiveHint != nil && !*hints.DestructiveHint
	switch {
	case hints.ReadOnlyHint && trusted:
		info.Risk = agent.Safe
	case hints.ReadOnlyHint, adds && trusted:
		info.Risk = agent.Medium
	}
	info.Parallel = hints.ReadOnlyHint
	info.Repeatable = hints.ReadOnlyHint || hints.IdempotentHint && trusted
}

// offered reports whether the configuration allows a tool.
func (c *Config) offered(name string) bool {
	return (c.Include == nil || slices.Contains(c.Include, name)) && !slices.Contains(c.Exclude, name)
}

// Info implements [agent.Tool].
func (t *tool) Info() agent.Info { return t.info }

// Call implements [agent.Tool]. If the server is down, it waits for a short time.
func (t *tool) Call(ctx context.Context, call agent.Call) (agent.Result, error) {
	token, forget := t.server.follow(call.Report)
	defer forget()
	for {
		session, err := t.server.ready(ctx)
		if err != nil {
			return agent.Result{}, err
		}
		params := &sdk.CallToolParams{Name: t.name, Arguments: call.Arguments}
		params.SetProgressToken(token)
		result, err := session.CallTool(ctx, params)
		switch {
		case ctx.Err() != nil:
			return agent.Result{}, ctx.Err()
		case errors.Is(err, sdk.ErrConnectionClosed) && t.server.hasLost(session):
			continue // the connection had ended before, so that the call was not sent
		case err != nil:
			return agent.Result{}, t.failure(err)
		}
		return readResult(result)
	}
}

// maxErrorText limits the server's text in an error, in bytes.
const maxErrorText = 2 << 10

// failure returns the error of a call without a result.
func (t *tool) failure(err error) error {
	config := &t.server.config
	if of, ok := errors.AsType[*jsonrpc.Error](err); ok {
		category := agent.Execution
		switch of.Code {
		case jsonrpc.CodeInvalidParams, jsonrpc.CodeInvalidRequest:
			category = agent.Validation
		case jsonrpc.CodeMethodNotFound:
			category = agent.NotFound
		}
		return agent.Failure(category, "the MCP server %s refused the call: %s", config.Name, clean(config.hide(of.Message), maxErrorText))
	}
	return agent.Failure(agent.Network, "the MCP server %s did not answer: %s", config.Name, clean(config.hide(err.Error()), maxErrorText))
}
