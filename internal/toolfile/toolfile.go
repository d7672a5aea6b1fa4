// Package toolfile reads tool definitions in the forms of OpenAI, Anthropic, Gemini and
// MCP: a list of tools, or a whole request or answer that contains one.
package toolfile

import (
	"bytes"
	"cmp"
	"encoding/json"

	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/jsonvalue"
	"github.com/toolparse/toolparse/internal/strictjson"
	"github.com/toolparse/toolparse/toolcall"
)

// List is the content of a tool file.
type List struct {
	Tools []chat.Tool // including tools that a vendor defines and the client runs, such as bash
	// Hosted names the tools that the provider defines and runs itself, such as
	// web_search.
	Hosted   []string
	Warnings []Warning
}

// Warning reports a word that seems to be a misspelt known word.
type Warning struct {
	Word string
	Text string // the place of the word, and the known word
}

// Definitions returns the tools' definitions.
func (l List) Definitions() []toolcall.ToolDefinition {
	var defs []toolcall.ToolDefinition
	for _, t := range l.Tools {
		defs = append(defs, t.ToolDefinition)
	}
	return defs
}

// Parse reads tool definitions from JSON, in their order:
//
//	[{"type":"function","function":{"name":"n","parameters":{...}}}]   OpenAI Chat Completions
//	[{"type":"function","name":"n","parameters":{...}}]                OpenAI Responses
//	[{"name":"n","input_schema":{...}}]                                Anthropic
//	[{"functionDeclarations":[{"name":"n","parameters":{...}}]}]       Gemini
//	{"tools":[{"name":"n","inputSchema":{...}}]}                       MCP
//
// Each may be a list, a single tool, or the member "tools" of an object, such as a
// request body or the result of MCP's tools/list. Forms may be mixed. Parse skips tools
// that the provider defines and runs. Tools that the provider defines and the client
// runs, such as Anthropic's bash, get the documented schema. Gemini's type names become
// those of JSON Schema; all other bytes of a schema stay. The definitions own their
// memory.
//
// The error is an [*Error]. Parse takes time and memory linear in data.
func Parse(data []byte) ([]toolcall.ToolDefinition, error) {
	list, err := ParseList(data)
	return list.Definitions(), err
}

// ParseList is [Parse] that also returns what Parse skips.
func ParseList(data []byte) (List, error) {
	data = bytes.TrimPrefix(data, []byte("\uFEFF"))
	v, err := jsonvalue.Options{MaxDepth: strictjson.MaxDepth}.Parse(string(data))
	if err != nil {
		var raw json.RawMessage // for the words of encoding/json, which people know
		return List{}, syntaxError(data, cmp.Or(json.Unmarshal(data, &raw), err))
	}
	r := reader{seen: map[string]string{}}
	if err := r.any(v, "$"); err != nil {
		return List{}, err
	}
	return List{Tools: r.tools, Hosted: r.hosted, Warnings: r.warnings}, nil
}
