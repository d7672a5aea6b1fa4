package agent

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/toolparse/toolparse/internal/jsonvalue"
	"github.com/toolparse/toolparse/toolcall"
)

// Turn is an answer with unsettled calls.
type Turn struct {
	Calls []*CallState `json:"calls"`
	// Open means that the answer is not complete yet.
	Open bool `json:"open,omitempty"`
}

// CallState is the progress of a call.
type CallState struct {
	Invocation toolcall.ToolInvocation `json:"invocation"`
	Status     CallStatus              `json:"status"`
	Decision   Decision                `json:"decision,omitzero"`
	Answer     Answer                  `json:"answer,omitempty"`
	Result     *ToolResult             `json:"result,omitempty"`

	// Unreported means that the executor made the result, and step has not returned it
	// yet.
	Unreported bool `json:"unreported,omitempty"`

	call  Call // with the schema's defaults; set when the call was judged
	asked bool // the person was asked in this process
}

// CallStatus is the stage that a call has reached.
type CallStatus uint8

// A call is queued, asking if the policy says so, ready, running or waiting for the
// client, and at last settled.
const (
	CallQueued CallStatus = iota
	CallAsking
	CallReady
	CallRunning
	CallWaiting
	CallSettled
)

var callStatusNames = []string{"queued", "asking", "ready", "running", "waiting", "settled"}

// String returns the status in lower case.
func (s CallStatus) String() string { return nameOf(callStatusNames, int(s)) }

// MarshalText implements [encoding.TextMarshaler]. It never fails.
func (s CallStatus) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText implements [encoding.TextUnmarshaler]. It fails on unknown names.
func (s *CallStatus) UnmarshalText(text []byte) error {
	return readName(s, callStatusNames, "status", text)
}

// public returns the call for tools and people.
func (c *CallState) public(in Context) Call {
	call := c.call
	if call.ID == "" {
		call = Call{ID: c.Invocation.ID, Name: c.Invocation.Name, Arguments: c.Invocation.Arguments, Context: in}
	}
	return call
}

// restore continues a turn of another process. It settles the calls that were running
// there, except those of repeatable tools.
func (x *executor) restore(turn *Turn) {
	x.turn = turn
	turn.Open = false
	for _, c := range turn.Calls {
		if c.Status == CallSettled {
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
		case was == CallRunning && info.Repeatable:
			c.Status = CallQueued
		case was == CallRunning:
			x.settle(c, &Error{
				Category: Execution, Code: CodeInterrupted, Message: fmt.Sprintf("%q was interrupted while it ran; nobody knows whether it did its work.", c.call.Name),
				Action: "Find out what it has done before you call it again.",
			})
		case was == CallReady && c.Answer == "", was < CallRunning && !known:
			c.Status = CallQueued // judged again: the rules or the tools may have changed
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
