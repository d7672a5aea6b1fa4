package mcp_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/toolparse/toolparse/agent"
	"github.com/toolparse/toolparse/agent/mcp"
)

// one is the configuration of a server of a test.
var one = []mcp.Config{{Name: "srv"}}

// warnings collects what is reported about servers.
type warnings struct {
	mu   sync.Mutex
	list []string
}

func (w *warnings) warn(server string, err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.list = append(w.list, server+": "+err.Error())
}

func (w *warnings) all() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return append([]string(nil), w.list...)
}

// open connects to servers, and closes them at the end of the test.
func open(t *testing.T, configs []mcp.Config, opts mcp.Options) (*mcp.Servers, *warnings) {
	t.Helper()
	w := &warnings{}
	opts.Warn = w.warn
	servers := mcp.Open(t.Context(), configs, opts)
	t.Cleanup(func() {
		closed := make(chan struct{})
		go func() { servers.Close(); close(closed) }()
		select {
		case <-closed:
		case <-time.After(20 * time.Second):
			t.Error("the servers do not close")
		}
	})
	return servers, w
}

// toolNamed returns a tool of the servers.
func toolNamed(t *testing.T, servers *mcp.Servers, name string) agent.Tool {
	t.Helper()
	for _, tool := range servers.Tools(t.Context()) {
		if tool.Info().Name == name {
			return tool
		}
	}
	t.Fatalf("there is no tool %s among %v", name, toolNames(t, servers))
	return nil
}

func toolNames(t *testing.T, servers *mcp.Servers) []string {
	t.Helper()
	var names []string
	for _, tool := range servers.Tools(t.Context()) {
		names = append(names, tool.Info().Name)
	}
	return names
}

// use calls a tool of the servers.
func use(t *testing.T, servers *mcp.Servers, name, args string) (agent.Result, error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	return toolNamed(t, servers, name).Call(ctx, agent.Call{Name: name, Arguments: json.RawMessage(args)})
}

// dialSDK connects to a server of the SDK.
func dialSDK(t *testing.T, server *sdk.Server) func(context.Context, mcp.Config) (io.ReadWriteCloser, error) {
	return func(context.Context, mcp.Config) (io.ReadWriteCloser, error) {
		ours, theirs := net.Pipe()
		session, err := server.Connect(t.Context(), &sdk.IOTransport{Reader: theirs, Writer: theirs}, nil)
		if err != nil {
			return nil, err
		}
		t.Cleanup(func() { session.Close() })
		return ours, nil
	}
}

// scripted is a server with handlers for methods.
type scripted struct {
	t       *testing.T
	answers map[string]func(c *conn, id string, params json.RawMessage)
	heard   func(line string) // called with each line of the client; may be nil

	mu      sync.Mutex
	dialled int
}

// conn is a connection to a scripted server.
type conn struct {
	net.Conn
	mu sync.Mutex
}

// say writes a line.
func (c *conn) say(format string, args ...any) {
	c.mu.Lock()
	defer c.mu.Unlock()
	_, _ = io.WriteString(c.Conn, fmt.Sprintf(format, args...)+"\n") // the client may be gone
}

// script returns a server with a JSON list of tools and a handler for calls.
func script(t *testing.T, tools string, call func(c *conn, id string, params json.RawMessage)) *scripted {
	return &scripted{t: t, answers: map[string]func(*conn, string, json.RawMessage){
		"initialize": func(c *conn, id string, _ json.RawMessage) {
			c.say(`{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{"listChanged":true}},"serverInfo":{"name":"x","version":"1"}}}`, id)
		},
		"tools/list": func(c *conn, id string, _ json.RawMessage) {
			c.say(`{"jsonrpc":"2.0","id":%s,"result":{"tools":%s}}`, id, tools)
		},
		"tools/call": call,
	}}
}

// answer returns a handler that gives all calls the same result.
func answer(result string) func(*conn, string, json.RawMessage) {
	return func(c *conn, id string, _ json.RawMessage) {
		c.say(`{"jsonrpc":"2.0","id":%s,"result":%s}`, id, result)
	}
}

func (s *scripted) dial(context.Context, mcp.Config) (io.ReadWriteCloser, error) {
	s.mu.Lock()
	s.dialled++
	s.mu.Unlock()
	ours, theirs := net.Pipe()
	c := &conn{Conn: theirs}
	go func() {
		lines := bufio.NewReader(theirs)
		for {
			line, err := lines.ReadString('\n')
			if err != nil {
				return
			}
			if s.heard != nil {
				s.heard(line)
			}
			var m struct {
				ID     json.RawMessage
				Method string
				Params json.RawMessage
			}
			if err := json.Unmarshal([]byte(line), &m); err != nil {
				s.t.Errorf("the client says %q", line)
			}
			if m.ID == nil || m.Method == "" {
				continue
			}
			if handle := s.answers[m.Method]; handle != nil {
				go handle(c, string(m.ID), m.Params)
				continue
			}
			go c.say(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"no such method"}}`, m.ID)
		}
	}()
	return ours, nil
}

func (s *scripted) dials() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.dialled
}

// echoTools is a list with one tool.
const echoTools = `[{"name":"echo","inputSchema":{"type":"object"}}]`

// within waits until a condition holds.
func within(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for range 500 {
		if holds() {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatalf("not within 5 seconds: %s", what)
}

// has reports whether one of the texts contains another.
func has(list []string, text string) bool { return strings.Contains(strings.Join(list, "\n"), text) }
