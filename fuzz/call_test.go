package fuzz

import (
	"encoding/json"
	"maps"
	"slices"

	"github.com/toolparse/toolparse/toolcall"
)

// contentOf returns the parameter whose value is the content of a segment.
var contentOf = map[toolcall.SegmentType]string{
	toolcall.SegmentWriteFile: "content", toolcall.SegmentEditFile: "patch", toolcall.SegmentRunBash: "command",
}

// call is a segment's call, read without the adapter, to compare with the adapter's.
type call struct {
	segment
	args string // JSON
}

// calls reads the calls of segments. The metadata of the start and the end are
// arguments too, except members that describe the segment.
func calls(segs []segment) []call {
	var out []call
	for _, s := range segs {
		if !s.Type.IsCall() {
			continue
		}
		c := call{s, s.Payload}
		if param, ok := contentOf[s.Type]; ok {
			c.args = fileArguments(s, param)
		}
		out = append(out, c)
	}
	return out
}

func fileArguments(s segment, param string) string {
	args := map[string]json.RawMessage{}
	for _, meta := range []string{s.StartMeta, s.EndMeta} {
		m := map[string]json.RawMessage{}
		if json.Unmarshal([]byte(meta), &m) == nil {
			maps.Copy(args, m)
		}
	}
	reserved := map[string]json.RawMessage{}
	for _, meta := range []string{s.StartMeta, s.EndMeta} {
		m := struct {
			Arguments map[string]json.RawMessage `json:"arguments"`
		}{}
		if json.Unmarshal([]byte(meta), &m) == nil {
			maps.Copy(reserved, m.Arguments)
		}
	}
	maps.DeleteFunc(args, func(k string, _ json.RawMessage) bool {
		return slices.Contains([]string{"tool_name", "call_id", "status", "reason", "tolerances", "unknown_tool", "arguments"}, k)
	})
	maps.Copy(args, reserved)
	content, _ := json.Marshal(s.Payload) // a string always marshals
	args[param] = content
	text, err := json.Marshal(args)
	if err != nil {
		return err.Error()
	}
	return string(text)
}
