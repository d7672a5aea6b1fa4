package agent

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"runtime/debug"
	"slices"
	"strings"
	"time"
)

// start runs a call in a goroutine, which sends the result to the channel.
func (r *run) start(call Call) {
	call.report = func(text string) {
		select {
		case r.progress <- progress{call, text}:
		default:
		}
	}
	call.Data, call.Messages = r.s.Data, slices.Clip(r.s.Messages) // the session only appends to it
	tool, info, _ := r.tools.Lookup(call.Name)
	r.running.Go(func() { r.results <- r.invoke(r.ctx, tool, info, call) })
}

// invoke runs a call and returns its result, whatever the tool does.
func (a *Agent) invoke(ctx context.Context, tool Tool, info Info, call Call) ToolResult {
	began := time.Now()
	if info.Timeout > 0 {
		call.Timeout = info.Timeout
	}
	out := ToolResult{CallID: call.ID, Name: call.Name, Ran: true}
	config := a.config.Retry
	if !info.Repeatable {
		config.MaxRetries = -1
	}
	err := Retry(ctx, config, func() (err error) {
		out.Result, err = a.callOnce(ctx, tool, call)
		return err
	})
	if err != nil {
		out.Err = a.toolError(ctx, err, call)
	}
	a.limit(&out)
	out.At = time.Now()
	out.Duration = out.At.Sub(began)
	return out
}

// errAbandoned means that a tool did not return within its time.
var errAbandoned = errors.New("the tool did not stop when it was asked to")

// callOnce runs a tool within its time, and abandons a tool that does not return.
func (a *Agent) callOnce(ctx context.Context, tool Tool, call Call) (Result, error) {
	ctx, cancel := context.WithTimeout(ctx, call.Timeout)
	defer cancel()
	type outcome struct {
		result Result
		err    error
	}
	done := make(chan outcome, 1)
	go func() {
		var o outcome
		defer func() {
			if p := recover(); p != nil {
				o.err = &Error{
					Category: Execution, Code: codePanic, Message: fmt.Sprintf("%q crashed: %v", call.Name, p),
					Details: map[string]any{"stack": string(debug.Stack())}, Action: "This is a fault of the tool. Try another way.",
				}
			}
			done <- o
		}()
		o.result, o.err = tool.Call(ctx, call)
	}()
	select {
	case o := <-done:
		return o.result, o.err
	case <-ctx.Done():
	}
	grace := time.NewTimer(a.grace)
	defer grace.Stop()
	select {
	case o := <-done: // its output until then
		return o.result, o.err
	case <-grace.C:
		return Result{}, errors.Join(errAbandoned, ctx.Err())
	}
}

// toolError returns the error of a tool in the form for the model.
func (a *Agent) toolError(ctx context.Context, err error, call Call) *Error {
	if typed, ok := errors.AsType[*Error](err); ok {
		return typed
	}
	if ctx.Err() != nil {
		return &Error{
			Category: Execution, Code: codeCancelled, Message: fmt.Sprintf("%q was cancelled while it ran.", call.Name),
			Action: "Find out what it has done before you call it again.", cause: err,
		}
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return &Error{
			Category: Timeout, Code: codeTimeout, Message: fmt.Sprintf("%q timed out after %v.", call.Name, call.Timeout),
			Details: map[string]any{"timeout_seconds": call.Timeout.Seconds()}, cause: err,
		}
	}
	e := Categorize(err)
	e.Message = fmt.Sprintf("%q failed: %s", call.Name, e.Message)
	return e
}

// limit removes the middle of an output that is too long, because the beginning and the
// end say most.
func (a *Agent) limit(r *ToolResult) {
	r.Output = strings.ToValidUTF8(r.Output, "\uFFFD")
	most := a.config.MaxOutput
	if len(r.Output) <= most {
		return
	}
	total := len(r.Output)
	head, tail := strings.ToValidUTF8(r.Output[:most*2/3], ""), strings.ToValidUTF8(r.Output[total-most/3:], "")
	metadata := map[string]any{"output_truncated": true, "total_output_bytes": total}
	maps.Copy(metadata, r.Metadata)
	r.Metadata = metadata
	r.Output = fmt.Sprintf("%s\n[... %d of %d bytes left out; ask for a smaller part ...]\n%s", head, total-len(head)-len(tail), total, tail)
}
