package mcp_test

import (
	"fmt"
	"log"

	"github.com/toolparse/toolparse/agent/mcp"
)

// Read the servers in a configuration file.
func ExampleReadConfig() {
	const text = `{"mcpServers": {
		"files": {"command": "mcp-server-filesystem", "args": ["${HOME:-/tmp}"]},
		"issues": {"url": "https://mcp.example.com/", "headers": {"Authorization": "Bearer ${TOKEN}"}}}}`
	configs, err := mcp.ReadConfig("mcp.json", text, func(name string) string {
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
