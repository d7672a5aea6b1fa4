package mcp_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/toolparse/toolparse/agent/mcp"
)

// readConfig reads a text as a configuration file.
func readConfig(t *testing.T, text string, env map[string]string) ([]mcp.Config, error) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "mcp.json")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return mcp.ReadConfig(file, func(name string) string { return env[name] })
}

// Configuration files of other clients can be read.
func TestReadConfig(t *testing.T) {
	env := map[string]string{"TOKEN": "sesame", "DIR": "/data", "EMPTY": ""}
	tests := map[string]struct {
		text string
		want []mcp.Config
	}{
		"stdio": {
			`{"mcpServers": {"fs": {"command": "npx", "args": ["-y", "server", "${DIR}/x"], "env": {"A": "1", "N": 2}, "cwd": "/tmp"}}}`,
			[]mcp.Config{{Name: "fs", Transport: "stdio", Command: "npx", Args: []string{"-y", "server", "/data/x"}, Env: map[string]string{"A": "1", "N": "2"}, Dir: "/tmp"}},
		},
		"http, with a token": {
			`{"mcpServers": {"web": {"type": "http", "url": "https://example.com/mcp", "headers": {"Authorization": "Bearer ${TOKEN}"}}}}`,
			[]mcp.Config{{Name: "web", Transport: "http", URL: "https://example.com/mcp", Headers: map[string]string{"Authorization": "Bearer sesame"}}},
		},
		"a url alone, as Cursor, Windsurf and Gemini have it": {
			`{"mcpServers": {"a": {"url": "https://example.com/mcp"}, "b": {"serverUrl": "https://example.com/sse"}, "c": {"httpUrl": "http://127.0.0.1:1/x"}}}`,
			[]mcp.Config{
				{Name: "a", Transport: "http", URL: "https://example.com/mcp"}, {Name: "b", Transport: "sse", URL: "https://example.com/sse"},
				{Name: "c", Transport: "http", URL: "http://127.0.0.1:1/x"},
			},
		},
		"the words of transports": {
			`{"mcpServers": {"a": {"type": "streamable-http", "url": "https://e.com"}, "b": {"transport": "sse", "url": "https://e.com"}, "c": {"type": "stdio", "command": "x"}}}`,
			[]mcp.Config{
				{Name: "a", Transport: "http", URL: "https://e.com"}, {Name: "b", Transport: "sse", URL: "https://e.com"},
				{Name: "c", Transport: "stdio", Command: "x"},
			},
		},
		"VS Code's name, and what others keep there": {
			`{"inputs": [], "servers": {"a": {"command": "x", "gallery": true, "alwaysAllow": ["y"], "autoApprove": []}}}`,
			[]mcp.Config{{Name: "a", Transport: "stdio", Command: "x"}},
		},
		"a disabled server needs nothing": {
			`{"mcpServers": {"a": {"command": "${NONE}", "disabled": true}, "b": {"url": "x", "enabled": false}}}`,
			[]mcp.Config{{Name: "a", Disabled: true}, {Name: "b", Disabled: true}},
		},
		"variables": {
			`{"mcpServers": {"a": {"command": "${env:DIR}", "args": ["${NONE:-x}", "${EMPTY:-}", "${DIR:-y}", "$DIR", "${a b}", "${NONE:-${DIR}"]}}}`,
			[]mcp.Config{{Name: "a", Transport: "stdio", Command: "/data", Args: []string{"x", "", "/data", "$DIR", "${a b}", "${DIR"}}},
		},
		"limits": {
			`{"mcpServers": {"a": {"command": "x", "timeout": 30, "trust": true, "includeTools": ["r"], "excludeTools": ["w"]}, "b": {"command": "x", "timeout": 60000}}}`,
			[]mcp.Config{
				{Name: "a", Transport: "stdio", Command: "x", Timeout: 30 * time.Second, Trusted: true, Include: []string{"r"}, Exclude: []string{"w"}},
				{Name: "b", Transport: "stdio", Command: "x", Timeout: time.Minute},
			},
		},
		"none": {"\ufeff" + `{"mcpServers": {}}`, nil},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			got, err := readConfig(t, test.text, env)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, got, cmpopts.IgnoreUnexported(mcp.Config{})); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// An error names the file, the server and the field, and shows no values.
func TestConfigErrors(t *testing.T) {
	tests := []struct{ text, server, field, what string }{
		{``, "", "", "expected JSON"},
		{`{"mcpServers": {"a": {"command": "x"},}}`, "", "", "expected JSON"},
		{`{"mcpServers": {"a": {"command": "x"}, "a": {"command": "y"}}}`, "", "", "expected JSON"},
		{`[]`, "", "mcpServers", "an object of servers by name"},
		{`{"mcpServers": []}`, "", "mcpServers", "an object of servers by name"},
		{`{"mcpServers": {"a": "x"}}`, "a", "", "expected an object, found string"},
		{`{"mcpServers": {" ": {"command": "x"}}}`, " ", "", "no name"},
		{`{"mcpServers": {"a": {}}}`, "a", "", "a command to start, or a url"},
		{`{"mcpServers": {"a": {"comand": "x"}}}`, "a", "comand", "did you mean command?"},
		{`{"mcpServers": {"a": {"command": "x", "url": "https://e.com"}}}`, "a", "url", "has a command, too"},
		{`{"mcpServers": {"a": {"command": 1}}}`, "a", "command", "expected a string, found number"},
		{`{"mcpServers": {"a": {"command": "x", "args": "y"}}}`, "a", "args", "a list of strings, found string"},
		{`{"mcpServers": {"a": {"command": "x", "args": [1]}}}`, "a", "args", "expected strings, found number"},
		{`{"mcpServers": {"a": {"command": "x", "env": {"K": ["secret"]}}}}`, "a", "env.K", "expected a string, found array"},
		{`{"mcpServers": {"a": {"command": "x", "env": {"K": "${NONE}"}}}}`, "a", "env.K", "the environment variable NONE is not set"},
		{`{"mcpServers": {"a": {"command": "x", "env": {"K=L": "secret"}}}}`, "a", "env", `"K=L" is not a valid name`},
		{`{"mcpServers": {"a": {"command": "x", "args": ["${input:token}"]}}}`, "a", "args", "${input:token} is not known here"},
		{`{"mcpServers": {"a": {"command": "x", "type": "carrier-pigeon"}}}`, "a", "type", "not a transport"},
		{`{"mcpServers": {"a": {"command": "x", "type": "http"}}}`, "a", "url", "needs a url"},
		{`{"mcpServers": {"a": {"url": "https://e.com", "type": "stdio"}}}`, "a", "command", "needs a command"},
		{`{"mcpServers": {"a": {"url": "ftp://secret@e.com"}}}`, "a", "url", "http:// or https://"},
		{`{"mcpServers": {"a": {"url": "https://e.com", "headers": {"X": "secret\r\nY: z"}}}}`, "a", "headers.X", "control characters"},
		{`{"mcpServers": {"a": {"command": "x", "timeout": "soon"}}}`, "a", "timeout", "a number of seconds"},
		{`{"mcpServers": {"a": {"command": "x", "timeout": -1}}}`, "a", "timeout", "a number of seconds"},
	}
	for _, test := range tests {
		_, err := readConfig(t, test.text, nil)
		e, ok := errors.AsType[*mcp.ConfigError](err)
		if !ok || e.Server != test.server || e.Field != test.field || !strings.Contains(e.Reason, test.what) {
			t.Errorf("%s: %v, want server %q, field %q: %s", test.text, err, test.server, test.field, test.what)
			continue
		}
		if text := err.Error(); !strings.Contains(text, "mcp.json: ") || strings.Contains(text, "secret") {
			t.Errorf("%s: the message is %s", test.text, text)
		}
	}
	if _, err := mcp.ReadConfig(filepath.Join(t.TempDir(), "none.json"), os.Getenv); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a file that is not there: %v", err)
	}
}
