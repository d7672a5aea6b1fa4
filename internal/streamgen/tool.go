package streamgen

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/toolparse/toolparse/toolcall"
)

// tool is a tool that a stream may call.
type tool struct {
	name    string
	segment toolcall.SegmentType
	params  []param
	body    string // the parameter that a segment of the tool's own contains as it is
}

type param struct {
	name string
	kind kind
}

// The tools that have their own segment types.
var (
	fileTool  = tool{"write_file", toolcall.SegmentWriteFile, []param{{"path", kindString}, {"content", kindString}}, "content"}
	patchTool = tool{"edit_file", toolcall.SegmentEditFile, []param{{"path", kindString}, {"patch", kindString}}, "patch"}
	shellTool = tool{"run_bash", toolcall.SegmentRunBash, []param{
		{"command", kindString}, {"background", kindBoolean}, {"timeout_seconds", kindInteger}}, "command"}
)

// newTools generates one to three tools for a stream, and adds the file and shell tools
// in dialects that have segments for them.
func newTools(src Source, dialect string) []tool {
	var tools []tool
	for i, n := 0, 1+src.IntN(3); i < n; i++ {
		t := tool{name: fmt.Sprintf("%s%d", pick(src, "look_", "Sort", "x-", "ns.pick", "z:"), i), segment: toolcall.SegmentToolCall}
		for j, n := 0, src.IntN(4); j < n; j++ {
			name := fmt.Sprintf("%s%d", pick(src, "p", "Key", "a_b"), j)
			t.params = append(t.params, param{name, kind(src.IntN(int(kindCount)))})
		}
		tools = append(tools, t)
	}
	if dialect == "xml" || dialect == "sentinel" {
		tools = append(tools, fileTool, patchTool, shellTool)
	}
	return tools
}

func definitions(tools []tool) []toolcall.ToolDefinition {
	defs := make([]toolcall.ToolDefinition, 0, len(tools))
	for _, t := range tools {
		var props []string
		for _, p := range t.params {
			props = append(props, fmt.Sprintf("%q:%s", p.name, schemas[p.kind]))
		}
		defs = append(defs, toolcall.ToolDefinition{
			Name: t.name, Description: "made up",
			Parameters: json.RawMessage(`{"type":"object","properties":{` + strings.Join(props, ",") + `}}`),
		})
	}
	return defs
}

// call is a call to write.
type call struct {
	tool  tool
	typed bool // the reader knows the tool's schema
	args  []arg
}

type arg struct {
	param
	value any
}

// newCall generates a call of t with some of its arguments, in random order.
func newCall(src Source, dialect string, t tool, declared bool) call {
	isJSON := strings.HasPrefix(dialect, "json") || dialect == "sentinel" && t.segment == toolcall.SegmentToolCall
	c := call{tool: t, typed: declared}
	for _, p := range t.params {
		switch {
		case t.segment == toolcall.SegmentToolCall:
			if chance(src, 4) {
				continue // left out
			}
		case p.kind != kindString && src.IntN(2) == 0:
			continue
		}
		a := arg{param: p, value: newValue(src, p.kind, declared || isJSON || t.segment != toolcall.SegmentToolCall)}
		if p.name == "path" {
			a.value = "/" + pick(src, words...) + pick(src, ".go", "/a b.txt", "&x", "")
		}
		if s, ok := a.value.(string); ok && p.name == "command" && strings.TrimSpace(s) == "" {
			a.value = "ls"
		}
		if p.name == "timeout_seconds" {
			a.value = json.Number(pick(src, "5", "600"))
		}
		c.args = append(c.args, a)
	}
	for i := len(c.args) - 1; i > 0; i-- {
		if j := i - src.IntN(i+1); j != i {
			c.args[i], c.args[j] = c.args[j], c.args[i]
		}
	}
	return c
}

// object returns the arguments as a value.
func (c call) object() object {
	o := object{}
	for _, a := range c.args {
		o = append(o, member{a.name, a.value})
	}
	return o
}

// body removes the closer from the argument that is written verbatim, and returns the
// argument.
func (c call) body(closer string) string {
	for i, a := range c.args {
		if a.name != c.tool.body {
			continue
		}
		s, _ := a.value.(string)
		if s = strings.ReplaceAll(s, closer, "#"); strings.TrimSpace(s) == "" && a.name == "command" {
			s = "ls"
		}
		c.args[i].value = s
		return s
	}
	return ""
}
