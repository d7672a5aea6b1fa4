package mcp_test

import (
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/toolparse/toolparse/agent/mcp"
)

// Read the servers of a configuration file.
func ExampleReadConfig() {
	dir, err := os.MkdirTemp("", "mcp")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "mcp.json")
	if err := os.WriteFile(file, []byte(`{"mcpServers": {
		"files": {"command": "mcp-server-filesystem", "args": ["${HOME:-/tmp}"]},
		"issues": {"url": "https://mcp.example.com/", "headers": {"Authorization": "Bearer ${TOKEN}"}}}}`), 0o600); err != nil {
		log.Fatal(err)
	}
	configs, err := mcp.ReadConfig(file, func(name string) string {
		return map[string]string{"HOME": "/home/me", "TOKEN": "secret"}[name]
	})
	if err != nil {
		log.Fatal(err)
	}
	for _, c := range configs {
		fmt.Println(c.Name, c.Transport, c.Command+c.URL, c.Args)
	}
	// Output:
	// files stdio mcp-server-filesystem [/home/me]
	// issues http https://mcp.example.com/ []
}
