package main

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/toolparse/toolparse"
	"github.com/toolparse/toolparse/internal/dialect"
)

// unable lists the dialect that the model cannot write, in which all tools are "bash".
var unable = map[string]bool{"cwm": true}

// In every dialect the model finds the tools that a prompt declares, and its output is the
// call.
func TestModelFindsTools(t *testing.T) {
	object := json.RawMessage(`{"type":"object","properties":{"cmd":{"type":"string"},"port":{"type":"string"}}}`)
	tools := []toolparse.ToolDefinition{
		{Name: "mcp__sea__tides", Description: "tides of a port", Parameters: object},
		{Name: "exec_command", Description: "runs a command", Parameters: object},
	}
	for _, d := range dialect.All() {
		if d.Native() || unable[d.Name] {
			continue
		}
		t.Run(d.Name, func(t *testing.T) {
			m, err := newModel(d.Name)
			if err != nil {
				t.Fatal(err)
			}
			kit, err := toolparse.New(toolparse.Options{Tools: tools, Dialect: d.Name})
			if err != nil {
				t.Fatal(err)
			}
			for question, want := range map[string]string{"Write a file.": "exec_command", "When are the tides?": "mcp__sea__tides"} {
				prompt, _, err := kit.Prompt(&toolparse.Request{Messages: []toolparse.Message{toolparse.User(question)}})
				if err != nil {
					t.Fatal(err)
				}
				said, err := m.say(prompt)
				if err != nil {
					t.Fatal(err)
				}
				answer, err := kit.Parse(said)
				if err != nil {
					t.Fatal(err)
				}
				var got []string
				for _, call := range answer.Calls {
					got = append(got, call.Name)
				}
				if strings.Join(got, " ") != want {
					t.Errorf("%q: calls %q, want %s: %q", question, got, want, said)
				}
			}
		})
	}
}
