package mcp_test

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/toolparse/toolparse/agent/mcp"
)

// serverMode is the environment variable that makes the test binary a server.
const serverMode = "TOOLPARSE_MCP_TEST"

func TestMain(m *testing.M) {
	mode := os.Getenv(serverMode)
	if mode == "" {
		os.Exit(m.Run())
	}
	if err := serveTest(mode); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(3)
	}
}

// serveTest is a server on standard input and output.
func serveTest(mode string) error {
	switch mode {
	case "broken":
		return fmt.Errorf("cannot open the database with %s", os.Getenv("SECRET"))
	case "stubborn": // has a child, and ignores the end of its input and the signal
		signal.Ignore(syscall.SIGTERM)
		child := exec.Command("sleep", "60")
		if err := child.Start(); err != nil {
			return err
		}
		if err := os.WriteFile(os.Getenv("PIDS"), fmt.Appendf(nil, "%d %d", os.Getpid(), child.Process.Pid), 0o600); err != nil {
			return err
		}
	case "noisy":
		fmt.Fprintln(os.Stderr, "starting with "+os.Getenv("SECRET"))
		fmt.Fprint(os.Stderr, strings.Repeat(strings.Repeat("x", 5000)+"\n", 1500))
		fmt.Println("this is no message")
	}
	server := serverOf(func(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: strings.Join(os.Environ(), "\n")}}}, nil
	})
	err := server.Run(context.Background(), &sdk.StdioTransport{})
	if mode == "stubborn" {
		time.Sleep(time.Minute)
	}
	return err
}

// testServer returns the configuration of the test binary as a server.
func testServer(t *testing.T, mode string, env ...string) []mcp.Config {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	text := fmt.Sprintf(`{"mcpServers": {"srv": {"command": %q, "args": ["-test.run=^$"], "env": {%q: %q`, program, serverMode, mode)
	for i := 0; i < len(env); i += 2 {
		text += fmt.Sprintf(`, %q: %q`, env[i], env[i+1])
	}
	configs, err := readConfig(t, text+`}}}}`, map[string]string{"KEY": "open sesame"})
	if err != nil {
		t.Fatal(err)
	}
	return configs
}

// syncBuffer is a buffer for several goroutines.
type syncBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (s *syncBuffer) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}

func (s *syncBuffer) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}

// A server process gets a small environment and its own variables.
func TestProcess(t *testing.T) {
	t.Setenv("OPENAI_API_KEY", "not for servers")
	t.Setenv("LC_ALL", "C")
	servers, w := open(t, testServer(t, "plain", "MINE", "${KEY}"), mcp.Options{})
	r, err := use(t, servers, "srv__tool", `{}`)
	if err != nil || len(w.all()) > 0 {
		t.Fatalf("%v, %v", err, w.all())
	}
	if !strings.Contains(r.Output, "MINE=open sesame") || !strings.Contains(r.Output, "LC_ALL=C") || strings.Contains(r.Output, "not for servers") {
		t.Errorf("the environment is\n%s", r.Output)
	}
}

// A command is looked up in the PATH of the server.
func TestProcessPath(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a script")
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "only-here"), []byte("#!/bin/sh\necho found >&2\nexit 1\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	_, w := open(t, []mcp.Config{{Name: "srv", Transport: "stdio", Command: "only-here", Env: map[string]string{"PATH": "relative" + string(os.PathListSeparator) + dir}}}, mcp.Options{})
	if !has(w.all(), "it said: found") {
		t.Errorf("reported is %v", w.all())
	}
}

// The report about a server that cannot start quotes its output, without secrets.
func TestProcessFails(t *testing.T) {
	servers, w := open(t, testServer(t, "broken", "SECRET", "${KEY}"), mcp.Options{})
	if text := strings.Join(w.all(), "\n"); !strings.Contains(text, "srv: it has ended: exit status 3; it said: cannot open the database with ***") {
		t.Errorf("reported is %q", text)
	}
	if tools := servers.Tools(t.Context()); len(tools) > 0 {
		t.Errorf("it has tools: %v", tools)
	}
	_, w = open(t, []mcp.Config{{Name: "srv", Command: "no-such-program"}}, mcp.Options{})
	if !has(w.all(), "executable file not found") {
		t.Errorf("reported is %v", w.all())
	}
}

// A server's standard error is logged for debugging, limited and without secrets.
func TestProcessLog(t *testing.T) {
	log := &syncBuffer{}
	logger := slog.New(slog.NewTextHandler(log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	servers, _ := open(t, testServer(t, "noisy", "SECRET", "${KEY}"), mcp.Options{Logger: logger})
	if _, err := use(t, servers, "srv__tool", `{}`); err != nil {
		t.Fatal(err)
	}
	servers.Close()
	text := log.String()
	if !strings.Contains(text, "starting with ***") || strings.Contains(text, "sesame") || !strings.Contains(text, "this is no message") {
		t.Errorf("logged is %.500s", text)
	}
	if n := strings.Count(text, "xxx ..."); n != 999 || len(text) > 2<<20 {
		t.Errorf("%d long lines in %d bytes are logged", n, len(text))
	}
}

// Close ends a server that refuses to end, with all processes that it has started.
func TestProcessGroup(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there are no process groups")
	}
	pids := filepath.Join(t.TempDir(), "pids")
	servers, _ := open(t, testServer(t, "stubborn", "PIDS", pids), mcp.Options{})
	if _, err := use(t, servers, "srv__tool", `{}`); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(pids)
	if err != nil {
		t.Fatal(err)
	}
	var server, child int
	if _, err := fmt.Sscan(string(text), &server, &child); err != nil {
		t.Fatal(err)
	}
	servers.Close()
	for _, pid := range []int{server, child} {
		within(t, fmt.Sprintf("process %d ends", pid), func() bool { return !alive(pid) })
	}
}

// alive reports whether a process runs. A zombie does not.
func alive(pid int) bool {
	p, err := os.FindProcess(pid)
	if err != nil || p.Signal(syscall.Signal(0)) != nil {
		return false
	}
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	return err != nil || !strings.Contains(string(stat), ") Z ")
}
