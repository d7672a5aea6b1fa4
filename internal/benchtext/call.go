package benchtext

import (
	"encoding/json"
	"strings"

	"github.com/toolparse/toolparse/toolcall"
)

// Call is one tool call of a reply.
type Call struct {
	Tool      string `json:"-"`
	Path      string `json:"path"`
	Content   string `json:"content"`
	Line      int    `json:"line,omitempty"`
	Overwrite bool   `json:"overwrite,omitempty"`
}

// The tools of the calls. PutFile is an ordinary tool; WriteFile has its own segment
// type, whose content is decoded.
const (
	PutFile   = "put_file"
	WriteFile = "write_file"
)

// Tools declares the tools of the calls.
func Tools() []toolcall.ToolDefinition {
	return []toolcall.ToolDefinition{
		{Name: PutFile, Description: "Put a file in its place.", Parameters: json.RawMessage(`{
			"type": "object", "required": ["path", "content"], "properties": {
				"path": {"type": "string"}, "content": {"type": "string"},
				"line": {"type": "integer"}, "overwrite": {"type": "boolean"}}}`)},
		{Name: WriteFile, Description: "Write a file.", Parameters: json.RawMessage(`{
			"type": "object", "required": ["path", "content"], "properties": {
				"path": {"type": "string"}, "content": {"type": "string"}}}`)},
	}
}

// source is typical content of a file: a line break every 20 bytes, some quotes, no
// markup.
const source = `package store

import "errors"

func (r *Reader) Next() (Record, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.pos > r.last {
		return Record{}, errors.New("no more")
	}
	r.pos++
	return r.page[r.pos-1], nil
}
`

// LongCall returns a call of tool with n bytes of content.
func LongCall(tool string, n int) Call {
	return Call{Tool: tool, Path: "internal/store/reader.go", Content: strings.Repeat(source, n/len(source)+1)[:n]}
}

// JSON returns the arguments as one compact JSON object.
func (c Call) JSON() string {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(c); err != nil {
		panic(err) // strings and numbers always encode
	}
	return strings.TrimSuffix(b.String(), "\n")
}
