package mcp_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/toolparse/toolparse/agent"
	"github.com/toolparse/toolparse/agent/mcp"
)

// remote is a configuration of a server at a URL.
func remote(t *testing.T, url, more string) []mcp.Config {
	t.Helper()
	configs, err := readConfig(t, `{"mcpServers": {"srv": {"url": "`+url+`"`+more+`}}}`, map[string]string{"KEY": "open sesame"})
	if err != nil {
		t.Fatal(err)
	}
	return configs
}

// hello is a tool that greets.
func hello(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
	return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: "hello"}}}, nil
}

// HTTP servers of both transports get the configured headers, and changes of their lists
// are followed.
func TestHTTP(t *testing.T) {
	server := serverOf(hello)
	get := func(*http.Request) *sdk.Server { return server }
	for kind, handler := range map[string]http.Handler{
		"http": sdk.NewStreamableHTTPHandler(get, nil), "sse": sdk.NewSSEHandler(get, nil),
		"json": sdk.NewStreamableHTTPHandler(get, &sdk.StreamableHTTPOptions{JSONResponse: true}),
	} {
		t.Run(kind, func(t *testing.T) {
			var bare atomic.Int32
			web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.Header.Get("Authorization") != "Bearer open sesame" {
					bare.Add(1)
				}
				handler.ServeHTTP(w, r)
			}))
			t.Cleanup(web.CloseClientConnections)
			configs := remote(t, web.URL, `, "headers": {"Authorization": "Bearer ${KEY}"}`)
			if kind == "sse" {
				configs[0].Transport = "sse"
			}
			servers, w := open(t, configs, mcp.Options{})
			if r, err := use(t, servers, "srv__tool", `{}`); err != nil || r.Output != "hello" {
				t.Fatalf("%+v, %v, %v", r, err, w.all())
			}
			server.AddTool(&sdk.Tool{Name: "later", InputSchema: map[string]any{"type": "object"}}, hello)
			within(t, "the new tool is there", func() bool { return has(toolNames(t, servers), "srv__later") })
			server.RemoveTools("later")
			within(t, "the tool is gone", func() bool { return !has(toolNames(t, servers), "srv__later") })
			if bare.Load() > 0 {
				t.Errorf("%d requests came without the header", bare.Load())
			}
		})
	}
}

// The headers of a server are sent to no other host, wherever it redirects.
func TestHTTPRedirect(t *testing.T) {
	var stolen atomic.Int32
	thief := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		stolen.Add(1)
	}))
	defer thief.Close()
	web := httptest.NewServer(http.RedirectHandler(thief.URL, http.StatusTemporaryRedirect))
	defer web.Close()
	_, w := open(t, remote(t, web.URL+"/?key=sesame-sesame", `, "headers": {"X-Key": "open sesame"}`), mcp.Options{})
	text := strings.Join(w.all(), "\n")
	if stolen.Load() > 0 || !strings.Contains(text, "another server") || strings.Contains(text, "sesame") {
		t.Errorf("%d requests went to another server; reported is %q", stolen.Load(), text)
	}
}

// Answers of a web server that are not MCP are errors, and so is an unreachable server.
func TestHTTPFails(t *testing.T) {
	for name, handle := range map[string]http.HandlerFunc{
		"not found":    http.NotFound,
		"unauthorized": func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusUnauthorized) },
		"a page":       func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("<html>")) },
		"endless": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			for piece := []byte(strings.Repeat(" ", 1<<20)); ; {
				if _, err := w.Write(piece); err != nil {
					return
				}
			}
		},
		"wrong JSON": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			_, _ = w.Write([]byte(`{"a":1}`))
		},
	} {
		t.Run(name, func(t *testing.T) {
			web := httptest.NewServer(handle)
			defer web.Close()
			servers, w := open(t, remote(t, web.URL, ""), mcp.Options{})
			if len(w.all()) != 1 || len(servers.Tools(t.Context())) > 0 {
				t.Errorf("reported is %v", w.all())
			}
		})
	}
}

// A restarted server has forgotten its sessions: the call that notices it fails, and the
// next one works.
func TestHTTPRestart(t *testing.T) {
	handler := atomic.Pointer[sdk.StreamableHTTPHandler]{}
	start := func() {
		handler.Store(sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return serverOf(hello) }, nil))
	}
	start()
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { handler.Load().ServeHTTP(w, r) }))
	t.Cleanup(web.CloseClientConnections)
	servers, _ := open(t, remote(t, web.URL, ""), mcp.Options{})
	if r, err := use(t, servers, "srv__tool", `{}`); err != nil || r.Output != "hello" {
		t.Fatalf("%+v, %v", r, err)
	}
	start()
	failed := 0
	within(t, "the calls work again", func() bool {
		r, err := use(t, servers, "srv__tool", `{}`)
		if err != nil {
			if failed++; agent.Categorize(err).Category != agent.Network {
				t.Errorf("it fails with %v", err)
			}
		}
		return err == nil && r.Output == "hello"
	})
	if failed > 3 {
		t.Errorf("%d calls failed", failed)
	}
}

// The error with which a server refuses a call may quote the key that it got; the model does
// not see the key.
func TestRefusalWithoutSecrets(t *testing.T) {
	for _, where := range []int{0, 2<<10 - 15} { // the second would be cut in the middle
		s := script(t, echoTools, func(c *conn, id string, _ json.RawMessage) {
			c.say(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32602,"message":%q}}`, id, strings.Repeat("x", where)+"bad key: open-sesame")
		})
		configs, err := readConfig(t, `{"mcpServers": {"srv": {"url": "http://127.0.0.1:1", "headers": {"Authorization": "Bearer ${KEY}"}}}}`, map[string]string{"KEY": "open-sesame"})
		if err != nil {
			t.Fatal(err)
		}
		servers, _ := open(t, configs, mcp.Options{Dial: s.dial})
		if _, err := use(t, servers, "srv__echo", `{}`); err == nil || strings.Contains(err.Error(), "open-s") || !strings.Contains(err.Error(), "bad key") {
			t.Errorf("after %d bytes: %.200v", where, err)
		}
	}
}
