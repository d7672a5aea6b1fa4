package parser

import (
	"encoding/json"

	"github.com/toolparse/toolparse"
	"github.com/toolparse/toolparse/internal/schema"
)

// fileTool is a tool that has a segment type of its own: the content of one
// parameter is the content of the segment, and the others are its metadata.
type fileTool struct {
	segment toolparse.SegmentType
	name    string
	content string         // the parameter that is the segment's content
	needs   string         // the parameter without which there is no call; may be ""
	early   []string       // parameters that the start must carry, once they are there
	schema  *schema.Schema // of the parameters
	command bool           // the content is a command: a newline on each side is layout
}

// startsWith reports whether the metadata in hand are all that the start has
// to wait for.
func (f *fileTool) startsWith(seen *nameSet) bool {
	if f.needs != "" {
		return seen.has(f.needs)
	}
	for _, name := range f.early {
		if !seen.has(name) {
			return false
		}
	}
	return true
}

// parameter is the parameter that an attribute of the tool's tag gives. Names
// of attributes fold; those of parameters do not.
func (f *fileTool) parameter(attribute []byte) string {
	for _, name := range f.early {
		if equalFold(attribute, name) {
			return name
		}
	}
	if equalFold(attribute, f.needs) {
		return f.needs
	}
	return string(attribute)
}

// The built-in file and shell tools.
var (
	writeFile = &fileTool{
		segment: toolparse.SegmentWriteFile, name: "write_file", content: "content", needs: "path",
		schema: mustSchema(`{"properties":{"path":{"type":"string"},"content":{"type":"string"}}}`),
	}
	editFile = &fileTool{
		segment: toolparse.SegmentEditFile, name: "edit_file", content: "patch", needs: "path",
		schema: mustSchema(`{"properties":{"path":{"type":"string"},"patch":{"type":"string"}}}`),
	}
	runBash = &fileTool{
		segment: toolparse.SegmentRunBash, name: "run_bash", content: "command", command: true,
		early:  []string{"background", "timeout_seconds"},
		schema: mustSchema(`{"properties":{"command":{"type":"string"},"background":{"type":"boolean"},"timeout_seconds":{"type":"integer"}}}`),
	}
	fileTools = []*fileTool{writeFile, editFile, runBash}
)

func mustSchema(text string) *schema.Schema {
	s, err := schema.Compile(json.RawMessage(text))
	if err != nil {
		panic(err) // a constant above is wrong
	}
	return s
}

// segmentTool is fileTool by the segment's type.
func segmentTool(segment string) *fileTool {
	for _, f := range fileTools {
		if string(f.segment) == segment {
			return f
		}
	}
	return nil
}

// shorthandTool is the file tool that a dialect's shorthand tag stands for:
// a built-in one, or one of its own.
func shorthandTool(s *Shorthand) *fileTool {
	if f := segmentTool(s.Tag); f != nil && f.content == s.Content {
		return f
	}
	return &fileTool{
		segment: toolparse.SegmentType(s.Tag), name: s.Tag, content: s.Content, needs: s.Needs, early: s.Attrs,
	}
}
