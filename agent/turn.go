package agent

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/toolparse/toolparse/internal/jsonvalue"
	"github.com/toolparse/toolparse/toolcall"
)

// turn is an answer with unsettled calls.
type turn struct {
	Calls []*callState `json:"calls"`
	// Open means that the answer is not complete yet.
	Open bool `json:"open,omitempty"`
}

// callState is the progress of a call.
type callState struct {
	Invocation toolcall.ToolInvocation `json:"invocation"`
	Status     callStatus              `json:"status"`
	Decision   Decision                `json:"decision,omitzero"`
	Answer     Answer                  `json:"answer,omitempty"`
	Result     *ToolResult             `json:"result,omitempty"`

	// Unreported means that the executor made the result, and step has not returned it
	// yet.
	Unreported bool `json:"unreported,omitempty"`

	call  Call // with the schema's defaults; set when the call was judged
	asked bool // the person was asked in this process
}

// callStatus is the stage that a call has reached.
type callStatus uint8

// A call is queued, asking if the policy says so, ready, running or waiting for the
// client, and at last settled.
const (
	callQueued callStatus = iota
	callAsking
	callReady
	callRunning
	callWaiting
	callSettled
)

var callStatusNames = []string{"queued", "asking", "ready", "running", "waiting", "settled"}

// String returns the status in lower case.
func (s callStatus) String() string { return nameOf(callStatusNames, int(s)) }

// MarshalText implements [encoding.TextMarshaler]. It never fails.
func (s callStatus) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText implements [encoding.TextUnmarshaler]. It fails on unknown names.
func (s *callStatus) UnmarshalText(text []byte) error {
	return readName(s, callStatusNames, "status", text)
}

// public returns the call for tools and people.
func (c *callState) public(context Call) Call {
	if c.call.ID != "" {
		return c.call
	}
	context.ID, context.Name, context.Arguments = c.Invocation.ID, c.Invocation.Name, c.Invocation.Arguments
	return context
}

// restore continues a turn of another process. It settles the calls that were running
// there, except those of repeatable tools.
func (x *executor) restore(turn *turn) {
	x.turn = turn
	turn.Open = false
	for _, c := range turn.Calls {
		if c.Status == callSettled {
			c.call = c.public(x.context)
			_, c.call.info, _ = x.tools.Lookup(c.Invocation.Name)
			continue
		}
		was := c.Status
		c.call, c.asked = c.public(x.context), false
		_, info, known := x.tools.Lookup(c.Invocation.Name)
		c.call.info = info
		if args, err := withDefaults(c.Invocation.Arguments, info.Parameters); err == nil {
			c.call.Arguments = args
		}
		switch {
		case was == callRunning && info.Repeatable:
			c.Status = callQueued
		case was == callRunning:
			x.settle(c, &Error{
				Category: Execution, Code: codeInterrupted, Message: fmt.Sprintf("%q was interrupted while it ran; nobody knows whether it did its work.", c.call.Name),
				Action: "Find out what it has done before you call it again.",
			})
		case was == callReady && c.Answer == "", was < callRunning && !known:
			c.Status = callQueued // judged again: the rules or the tools may have changed
		}
	}
}

// withDefaults returns arguments with the schema's defaults for missing members.
func withDefaults(args, schema json.RawMessage) (json.RawMessage, error) {
	arguments, err := jsonvalue.Parse(args)
	if err != nil {
		return nil, err
	}
	shape, err := jsonvalue.Parse(schema)
	properties := shape.Get("properties")
	if err != nil || !arguments.Is(jsonvalue.Object) || !properties.Is(jsonvalue.Object) { // a tool without a schema
		return slices.Clone(args), nil
	}
	out := slices.Clone(args[:arguments.End()-1])
	members := len(arguments.Keys)
	for i, name := range properties.Keys {
		value := properties.List[i].Get("default")
		if value == nil || arguments.Has(name) {
			continue
		}
		if members > 0 {
			out = append(out, ',')
		}
		out = append(append(jsonvalue.AppendQuoted(out, name), ':'), value.Raw...)
		members++
	}
	return append(out, '}'), nil
}
