package mcp

import (
	"cmp"
	"context"
	"io"
	"log/slog"
	"sync"
	"time"

	"github.com/toolparse/toolparse/agent"
)

// Options configure [Open].
type Options struct {
	// Warn is called once for each server that is dead or too slow, possibly from several
	// goroutines. It may be nil.
	Warn func(server string, err error)
	// Logger logs the servers' standard error at debug level, without secrets. It may be
	// nil.
	Logger *slog.Logger

	Connect time.Duration // time for a server to answer; 0 means a minute
	Wait    time.Duration // time limit of Open; 0 means 15 seconds

	// Dial, if set, connects to all servers, with a transport of your own: a stream with
	// one message a line, in each direction.
	Dial func(ctx context.Context, c Config) (io.ReadWriteCloser, error)
}

// Servers are connections to several servers. They are safe for concurrent use.
type Servers struct {
	list    []*server
	cancel  context.CancelFunc
	running sync.WaitGroup
}

// Open starts or connects to all servers that are not disabled, in parallel. It returns
// when each has answered or failed, but at the latest after [Options.Wait]; the tools of
// slower servers are available later. Open reports a server that fails with
// [Options.Warn], and connects to it again, with growing pauses. Close the servers when
// they are no longer used; they also end with the context.
func Open(ctx context.Context, configs []Config, opts Options) *Servers {
	opts.Logger = cmp.Or(opts.Logger, slog.New(slog.DiscardHandler))
	if opts.Warn == nil {
		opts.Warn = func(string, error) {}
	}
	opts.Connect, opts.Wait = cmp.Or(opts.Connect, time.Minute), cmp.Or(opts.Wait, 15*time.Second)
	ctx, cancel := context.WithCancel(ctx)
	s := &Servers{cancel: cancel}
	names := newNames()
	for _, c := range configs {
		if c.Disabled {
			continue
		}
		server := newServer(c, opts, names)
		s.list = append(s.list, server)
		s.running.Go(func() { server.keep(ctx) })
	}
	deadline := time.NewTimer(opts.Wait)
	defer deadline.Stop()
	for _, server := range s.list {
		select {
		case <-server.first:
		case <-ctx.Done():
		case <-deadline.C:
			s.reportLate()
			return s
		}
	}
	return s
}

// reportLate reports the servers that have not answered yet.
func (s *Servers) reportLate() {
	for _, server := range s.list {
		select {
		case <-server.first:
			continue
		default:
		}
		server.mu.Lock()
		why, report := server.why, server.session == nil && !server.reported
		server.reported = server.reported || report
		server.mu.Unlock()
		if report {
			server.opts.Warn(server.config.Name, why)
		}
	}
}

// Tools returns the current tools, in the order of the servers. A server that is down
// keeps the tools that it had.
func (s *Servers) Tools(ctx context.Context) []agent.Tool {
	var tools []agent.Tool
	for _, server := range s.list {
		tools = append(tools, server.current(ctx)...)
	}
	return tools
}

// State is the state of a server.
type State struct {
	Name  string
	Err   error // why the server is down; nil if it is connected
	Tools []agent.Tool
}

// States returns the states of the servers, in order.
func (s *Servers) States(ctx context.Context) []State {
	var states []State
	for _, server := range s.list {
		state := State{Name: server.config.Name, Tools: server.current(ctx)}
		server.mu.Lock()
		state.Err = server.why
		server.mu.Unlock()
		states = append(states, state)
	}
	return states
}

// Close ends the connections, the servers that were started, and everything that these
// have started. It takes a few seconds if they do not end when asked to.
func (s *Servers) Close() error {
	s.cancel()
	s.running.Wait()
	return nil
}
