package agent

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/toolparse/toolparse/internal/adapter"
	"github.com/toolparse/toolparse/toolcall"
)

// Caller runs single calls outside of a conversation, by the same rules as a run: it
// validates the arguments, asks the policy, limits time and output, and turns a panic
// into a result.
//
// A Caller is safe for concurrent use. Tools that are not parallel wait for the others of
// their category, so that none overwrites what another stores in [Result.Data] or writes
// to a file. Calls of a tool without a category wait only for each other.
type Caller struct {
	agent    *Agent
	compiled *adapter.Compiled
	alone    map[string]chan struct{} // by tool that is not parallel, shared within a category; holds a value while one runs

	mu      sync.Mutex
	session Session // its Data are what the tools store
}

// NewCaller returns a caller for the configured tools. It also uses the configuration's
// policy, limits of a call, working directory and environment, and ignores the rest.
func NewCaller(config Config) (*Caller, error) {
	a, err := newAgent(config)
	if err != nil {
		return nil, err
	}
	compiled, err := adapter.Compile(adapter.Options{Tools: a.tools.Definitions()})
	if err != nil {
		return nil, err
	}
	c := &Caller{agent: a, compiled: compiled, alone: map[string]chan struct{}{}}
	categories := map[string]chan struct{}{}
	for _, info := range a.tools.infos {
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
	return c, nil
}

// SingleCall is a call for a [Caller].
type SingleCall struct {
	ID        string
	Name      string
	Arguments json.RawMessage
	Approved  bool              // a person has allowed it, if the policy requires that
	Report    func(text string) // receives reports of progress; may be nil
}

// Call runs a call and returns its result. It does not run a call that needs approval
// without Approved: that result's error has the code [CodeApproval].
func (c *Caller) Call(ctx context.Context, call SingleCall) ToolResult {
	x := c.agent.newExecutor(c.agent.tools, Context{TaskID: call.ID})
	inv := c.read(call)
	failed := func(e *Error) ToolResult { return ToolResult{CallID: call.ID, Name: call.Name, Err: e, At: time.Now()} }
	if err := x.add(inv); err != nil {
		return failed(Categorize(err))
	}
	for {
		switch next := x.step(ctx); next.kind {
		case actionRefuse:
			return *next.result
		case actionAsk:
			if !call.Approved {
				return failed(&Error{
					Category: Permission, Code: CodeApproval,
					Message: fmt.Sprintf("%q was not run: it needs approval (%s).", call.Name, next.decision.Reason),
				})
			}
			if err := x.answer(inv.ID, AllowOnce); err != nil {
				return failed(Categorize(err))
			}
		case actionExecute:
			next.call.report = call.Report
			tool, info, _ := c.agent.tools.Lookup(call.Name)
			if alone := c.alone[call.Name]; alone != nil {
				select {
				case alone <- struct{}{}:
					defer func() { <-alone }()
				case <-ctx.Done():
					return failed(&Error{Category: Execution, Code: CodeCancelled, Message: fmt.Sprintf("%q was cancelled before it ran.", call.Name), cause: ctx.Err()})
				}
			}
			c.mu.Lock()
			next.call.Context.Data = c.session.Data
			c.mu.Unlock()
			result, data := c.agent.invoke(ctx, tool, info, next.call)
			c.mu.Lock()
			c.session.keep(data)
			c.mu.Unlock()
			return result
		default: // a tool that the client runs
			return failed(&Error{Category: NotFound, Code: CodeNotRun, Message: fmt.Sprintf("%q is not run here.", call.Name)})
		}
	}
}

// read returns the call as an invocation, validated against its schema.
func (c *Caller) read(call SingleCall) toolcall.ToolInvocation {
	if len(call.Arguments) == 0 {
		call.Arguments = json.RawMessage("{}")
	}
	a := c.compiled.New()
	of := toolcall.Event{ID: call.ID, Segment: toolcall.SegmentToolCall, Name: call.Name}
	start, content, end := of, of, of
	start.Type, content.Type, end.Type = toolcall.SegmentStart, toolcall.SegmentContent, toolcall.SegmentEnd
	content.Payload, end.Status = string(call.Arguments), toolcall.Complete
	a.Add(start)
	a.Add(content)
	inv, _ := a.Add(end)
	return inv
}

// Infos returns the descriptions of the tools, in order.
func (c *Caller) Infos() []Info { return slices.Clone(c.agent.tools.infos) }
