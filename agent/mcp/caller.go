package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"maps"
	"slices"
	"sync"

	"github.com/toolparse/toolparse"
	"github.com/toolparse/toolparse/agent"
	"github.com/toolparse/toolparse/internal/adapter"
	"github.com/toolparse/toolparse/toolcall"
)

// caller runs single calls. Each is a run in which the "model" makes this one call, so that
// the schema, the policy, and the limits of time and output are those of any run.
//
// A caller is safe for concurrent use. Tools that are not parallel wait for the others of
// their category, so that none overwrites what another stores in [agent.Result.Data] or
// writes to a file. Calls of a tool without a category wait only for each other.
type caller struct {
	config   agent.Config // without a provider
	infos    []agent.Info
	compiled *adapter.Compiled
	alone    map[string]chan struct{} // by tool that is not parallel, shared within a category; holds a value while one runs

	mu   sync.Mutex
	data map[string]json.RawMessage // what the tools store; replaced, never changed
}

// newCaller returns a caller for the configured tools. It also uses the configuration's
// policy, limits of a call, working directory and environment, and ignores the rest.
func newCaller(config agent.Config) (*caller, error) {
	c := &caller{alone: map[string]chan struct{}{}, config: agent.Config{
		Tools: config.Tools, Allowed: config.Allowed, UnknownToolAdvice: config.UnknownToolAdvice, Policy: config.Policy,
		MaxOutput: config.MaxOutput, ToolTimeout: config.ToolTimeout, Retry: config.Retry,
		WorkingDirectory: config.WorkingDirectory, Environment: config.Environment,
	}}
	var definitions []toolcall.ToolDefinition
	categories := map[string]chan struct{}{}
	for _, tool := range config.Tools {
		info := tool.Info()
		if config.Allowed != nil && !slices.Contains(config.Allowed, info.Name) {
			continue
		}
		c.infos = append(c.infos, info)
		definitions = append(definitions, info.ToolDefinition)
		if info.Parallel {
			continue
		}
		alone := categories[info.Category]
		if alone == nil {
			alone = make(chan struct{}, 1)
		}
		if info.Category != "" {
			categories[info.Category] = alone
		}
		c.alone[info.Name] = alone
	}
	_, err := c.agent(toolcall.ToolInvocation{}) // reports what is wrong with the tools
	if err == nil {
		c.compiled, err = adapter.Compile(adapter.Options{Tools: definitions})
	}
	return c, err
}

// agent returns the agent whose model makes a call.
func (c *caller) agent(inv toolcall.ToolInvocation) (*agent.Agent, error) {
	config := c.config
	config.Provider = once{inv}
	return agent.New(config)
}

// once is a model that makes one call.
type once struct{ call toolcall.ToolInvocation }

func (o once) Name() string { return "the client" }

func (o once) Capabilities() (agent.Capabilities, error) { return agent.Capabilities{Tools: true}, nil }

func (o once) Stream(context.Context, *toolparse.Request) iter.Seq2[agent.Chunk, error] {
	return func(yield func(agent.Chunk, error) bool) {
		if yield(agent.Chunk{StreamEvent: toolparse.StreamEvent{Call: &o.call}}, nil) {
			yield(agent.Chunk{Answer: &toolparse.Answer{}}, nil)
		}
	}
}

// singleCall is a call for a [caller].
type singleCall struct {
	Name      string
	Arguments json.RawMessage
	Approved  bool              // a person has allowed it, if the policy requires that
	Report    func(text string) // receives reports of progress; may be nil
}

// codeApproval is the code of the error of a call that did not run because it needs a
// person's permission, and nobody was asked.
const codeApproval = "APPROVAL"

// Call runs a call and returns its result. It does not run a call that needs approval
// without Approved: that result's error has the code APPROVAL.
func (c *caller) Call(ctx context.Context, call singleCall) agent.ToolResult {
	failed := func(err error) agent.ToolResult { return agent.ToolResult{Name: call.Name, Err: agent.Categorize(err)} }
	a, err := c.agent(c.read(call))
	if err != nil {
		return failed(err)
	}
	if alone := c.alone[call.Name]; alone != nil {
		select {
		case alone <- struct{}{}:
			defer func() { <-alone }()
		case <-ctx.Done(): // so that the run ends at once
		}
	}
	session := agent.NewSession()
	session.Data = c.stored(nil)
	for e, err := range a.Run(ctx, session, agent.Say(call.Name)) {
		switch {
		case err != nil:
			return failed(err)
		case e.Type == agent.PermissionRequest && !call.Approved:
			return failed(&agent.Error{
				Category: agent.Permission, Code: codeApproval, Message: fmt.Sprintf("%q was not run: it needs approval (%s).", call.Name, e.Decision.Reason),
			})
		case e.Type == agent.PermissionRequest:
			if err := e.Answer(agent.AllowOnce); err != nil {
				return failed(err)
			}
		case e.Type == agent.CallProgress && call.Report != nil:
			call.Report(e.Text)
		case e.Type == agent.CallResult:
			c.stored(e.Result.Data)
			return *e.Result
		}
	}
	return failed(fmt.Errorf("%q is not run here", call.Name)) // a tool that the client runs
}

// stored stores data of a tool, and returns all that is stored.
func (c *caller) stored(data map[string]json.RawMessage) map[string]json.RawMessage {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(data) > 0 {
		merged := maps.Clone(c.data)
		if merged == nil {
			merged = map[string]json.RawMessage{}
		}
		maps.Copy(merged, data)
		maps.DeleteFunc(merged, func(_ string, value json.RawMessage) bool { return len(value) == 0 || string(value) == "null" })
		c.data = merged
	}
	return c.data
}

// read returns the call as an invocation, validated against its schema.
func (c *caller) read(call singleCall) toolcall.ToolInvocation {
	if len(call.Arguments) == 0 {
		call.Arguments = json.RawMessage("{}")
	}
	a := c.compiled.New()
	of := toolcall.Event{ID: "call", Segment: toolcall.SegmentToolCall, Name: call.Name}
	start, content, end := of, of, of
	start.Type, content.Type, end.Type = toolcall.SegmentStart, toolcall.SegmentContent, toolcall.SegmentEnd
	content.Payload, end.Status = string(call.Arguments), toolcall.Complete
	a.Add(start)
	a.Add(content)
	inv, _ := a.Add(end)
	return inv
}
