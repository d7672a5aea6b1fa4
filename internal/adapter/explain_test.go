package adapter

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/toolparse/toolparse/toolcall"
)

func TestExplain(t *testing.T) {
	call := func(change func(*toolcall.ToolInvocation)) toolcall.ToolInvocation {
		c := toolcall.ToolInvocation{ID: "seg_1", Name: "get_weather", Status: toolcall.Complete, Arguments: json.RawMessage("{}")}
		change(&c)
		return c
	}
	ended := func(s toolcall.Status, r toolcall.Reason, args string) toolcall.ToolInvocation {
		return call(func(c *toolcall.ToolInvocation) { c.Status, c.Reason, c.Arguments = s, r, json.RawMessage(args) })
	}
	tests := []struct {
		name string
		call toolcall.ToolInvocation
		want string
	}{
		{"runnable", call(func(*toolcall.ToolInvocation) {}), ""},
		{"problems", call(func(c *toolcall.ToolInvocation) {
			c.Problems = []toolcall.Problem{{Rule: "required", Message: "a is missing"}, {Path: "/b", Rule: "type", Message: "must be a string"}}
		}), "The call of \"get_weather\" was not run: its arguments do not fit the tool's parameters.\n- a is missing\n- /b: must be a string\nCorrect this and send the whole call again."},
		{"unknown", call(func(c *toolcall.ToolInvocation) { c.Unknown, c.Name = true, "weather" }),
			`There is no tool "weather". Did you mean "get_weather"? The tools are "get_weather". Call one of the declared tools, or answer without any.`},
		{"cut", ended(toolcall.Incomplete, toolcall.ReasonEndOfStream, `{"a`),
			`The call of "get_weather" was not run: it was cut off before it ended. Send the whole call again.`},
		{"truncated", ended(toolcall.Incomplete, toolcall.ReasonTruncated, `{"a`),
			`The call of "get_weather" was not run: it was cut off at the limit for the output's length. Send it again in smaller parts: split long content over several calls.`},
		{"invalid JSON", ended(toolcall.Malformed, toolcall.ReasonInvalidJSON, `{"city" "Oslo"}`),
			`The call of "get_weather" was not run: its arguments are not valid JSON at byte 8, after "{\"city\" ". Send the whole call again.`},
		{"invalid JSON, cut", ended(toolcall.Malformed, toolcall.ReasonInvalidJSON, `{"city": "Oslo`),
			`The call of "get_weather" was not run: its arguments are not valid JSON: they are cut off after "{\"city\": \"Oslo". Send the whole call again.`},
		{"invalid JSON, long", ended(toolcall.Malformed, toolcall.ReasonInvalidJSON, `{"city": "`+strings.Repeat("é", 100)+`" : }`),
			`The call of "get_weather" was not run: its arguments are not valid JSON at byte 212, after "` + strings.Repeat("é", 19) + `\" ". Send the whole call again.`},
		{"strict", call(func(c *toolcall.ToolInvocation) {
			c.Status, c.Reason, c.Tolerances = toolcall.Malformed, toolcall.ReasonToleranceForbidden, toolcall.NamedTag|toolcall.MissingCloser
		}), `The call of "get_weather" was not run: it does not follow the format (missing_closer, named_tag). Send the whole call again.`},
		{"no name", call(func(c *toolcall.ToolInvocation) {
			c.Status, c.Reason, c.Name = toolcall.Malformed, toolcall.ReasonNoName, ""
		}),
			`The call of a tool was not run: it does not name the tool. Send the whole call again.`},
		{"no syntax", call(func(c *toolcall.ToolInvocation) {
			c.Status, c.Problems = toolcall.Rejected, []toolcall.Problem{{Rule: "syntax", Message: "no tool syntax"}}
		}), "The call of \"get_weather\" was not run: it is rejected.\n- no tool syntax\nCorrect this and send the whole call again."},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := Explain(tt.call, weather); got != tt.want {
				t.Errorf("Explain:\n got %s\nwant %s", got, tt.want)
			}
		})
	}
}

// TestExplainEveryReason finds reasons that were added without words.
func TestExplainEveryReason(t *testing.T) {
	for r := toolcall.ReasonEndOfStream; !strings.HasPrefix(r.String(), "Reason("); r++ {
		got := Explain(toolcall.ToolInvocation{Name: "f", Status: toolcall.Malformed, Reason: r}, nil)
		if strings.Contains(got, "it is malformed") {
			t.Errorf("%v: %s", r, got)
		}
	}
}

func TestExplainManyTools(t *testing.T) {
	var tools []toolcall.ToolDefinition
	for i := range 100 {
		tools = append(tools, toolcall.ToolDefinition{Name: fmt.Sprintf("tool_%d", i)})
	}
	got := Explain(toolcall.ToolInvocation{Name: "other", Status: toolcall.Complete, Unknown: true}, tools)
	if !strings.Contains(got, " and 70 more.") || strings.Contains(got, "tool_30") {
		t.Errorf("Explain: %s", got)
	}
}
