package tools

import (
	"context"
	"fmt"
	"sync"

	"github.com/toolparse/toolparse/agent"
)

// Lifecycle is a tool that must be initialised and shut down, such as one with an index.
// A [Set] calls Initialize once, before the first call of the tool, and, if that
// succeeded, Shutdown once at the end. If Initialize fails, so do calls of the tool.
type Lifecycle interface {
	agent.Tool
	Initialize(ctx context.Context) error
	Shutdown(ctx context.Context) error
}

// managed is a tool of a set, with its lifecycle.
type managed struct {
	agent.Tool
	name string

	mu    sync.Mutex
	ready bool
	over  bool
	err   error // why it could not be initialised
}

// initialize initialises the tool once. A cancelled attempt does not count.
func (m *managed) initialize(ctx context.Context) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.over {
		return agent.Failure(agent.Resource, "%s was shut down", m.name)
	}
	if l, ok := m.Tool.(Lifecycle); ok && !m.ready && m.err == nil {
		if err := l.Initialize(ctx); err != nil {
			err = fmt.Errorf("%s cannot be initialised: %w", m.name, err)
			if ctx.Err() == nil {
				m.err = err
			}
			return err
		}
	}
	m.ready = m.err == nil
	return m.err
}

func (m *managed) Call(ctx context.Context, call agent.Call) (agent.Result, error) {
	if err := m.initialize(ctx); err != nil {
		return agent.Result{}, err
	}
	return m.Tool.Call(ctx, call)
}

func (m *managed) shutdown() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	was := m.ready && !m.over
	m.over = true
	if l, ok := m.Tool.(Lifecycle); ok && was {
		if err := l.Shutdown(context.Background()); err != nil {
			return fmt.Errorf("%s cannot be shut down: %w", m.name, err)
		}
	}
	return nil
}
