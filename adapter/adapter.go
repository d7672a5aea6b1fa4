// Package adapter turns segment events into tool invocations.
package adapter

import (
	"iter"

	"github.com/toolparse/toolparse"
)

// Options configure an Adapter.
type Options struct {
	Tools []toolparse.ToolDefinition
}

// Adapter collects the segments of one stream into invocations.
type Adapter struct{}

// New returns an adapter. It fails on a tool whose schema cannot be read.
func New(opts Options) (*Adapter, error) { return &Adapter{}, nil }

// Add takes the next event. When it ends a call, Add returns the invocation and true.
func (a *Adapter) Add(e toolparse.Event) (toolparse.ToolInvocation, bool) {
	return toolparse.ToolInvocation{}, false
}

// Invocations yields a call as soon as its segment has ended.
func Invocations(events iter.Seq2[toolparse.Event, error], opts Options) iter.Seq2[toolparse.ToolInvocation, error] {
	return func(yield func(toolparse.ToolInvocation, error) bool) {}
}
