package adapter

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/toolparse/toolparse"
)

func TestExplain(t *testing.T) {
	call := func(change func(*toolparse.ToolInvocation)) toolparse.ToolInvocation {
		c := toolparse.ToolInvocation{ID: "seg_1", Name: "get_weather", Status: toolparse.Complete, Arguments: json.RawMessage("{}")}
		change(&c)
		return c
	}
	ended := func(s toolparse.Status, r toolparse.Reason, args string) toolparse.ToolInvocation {
		return call(func(c *toolparse.ToolInvocation) { c.Status, c.Reason, c.Arguments = s, r, json.RawMessage(args) })
	}
	tests := []struct {
		name string
		call toolparse.ToolInvocation
		want string
	}{
		{"runnable", call(func(*toolparse.ToolInvocation) {}), ""},
		{"problems", call(func(c *toolparse.ToolInvocation) {
			c.Problems = []toolparse.Problem{{Rule: "required", Message: "a is missing"}, {Path: "/b", Rule: "type", Message: "must be a string"}}
		}), "The call of \"get_weather\" was not run: its arguments do not fit the tool's parameters.\n- a is missing\n- /b: must be a string\nCorrect this and send the whole call again."},
		{"unknown", call(func(c *toolparse.ToolInvocation) { c.Unknown, c.Name = true, "weather" }),
			`There is no tool "weather". Did you mean "get_weather"? The tools are "get_weather". Call one of the declared tools, or answer without any.`},
		{"cut", ended(toolparse.Incomplete, toolparse.ReasonEndOfStream, `{"a`),
			`The call of "get_weather" was not run: it was cut off before it ended. Send the whole call again.`},
		{"truncated", ended(toolparse.Incomplete, toolparse.ReasonTruncated, `{"a`),
			`The call of "get_weather" was not run: it was cut off because the output became too long. Send it again in smaller parts: split long content over several calls.`},
		{"invalid JSON", ended(toolparse.Malformed, toolparse.ReasonInvalidJSON, `{"city" "Oslo"}`),
			`The call of "get_weather" was not run: its arguments are not valid JSON at byte 8, after "{\"city\" ". Send the whole call again.`},
		{"invalid JSON, cut", ended(toolparse.Malformed, toolparse.ReasonInvalidJSON, `{"city": "Oslo`),
			`The call of "get_weather" was not run: its arguments are not valid JSON: they end in the middle, after "{\"city\": \"Oslo". Send the whole call again.`},
		{"invalid JSON, long", ended(toolparse.Malformed, toolparse.ReasonInvalidJSON, `{"city": "`+strings.Repeat("é", 100)+`" : }`),
			`The call of "get_weather" was not run: its arguments are not valid JSON at byte 212, after "` + strings.Repeat("é", 19) + `\" ". Send the whole call again.`},
		{"strict", call(func(c *toolparse.ToolInvocation) {
			c.Status, c.Reason, c.Tolerances = toolparse.Malformed, toolparse.ReasonToleranceForbidden, toolparse.NamedTag|toolparse.MissingCloser
		}), `The call of "get_weather" was not run: it does not keep to the format (missing_closer, named_tag). Send the whole call again.`},
		{"no name", call(func(c *toolparse.ToolInvocation) {
			c.Status, c.Reason, c.Name = toolparse.Malformed, toolparse.ReasonNoName, ""
		}),
			`The call of a tool was not run: it does not name the tool. Send the whole call again.`},
		{"no syntax", call(func(c *toolparse.ToolInvocation) {
			c.Status, c.Problems = toolparse.Rejected, []toolparse.Problem{{Rule: "syntax", Message: "no tool syntax"}}
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
	for r := toolparse.ReasonEndOfStream; !strings.HasPrefix(r.String(), "Reason("); r++ {
		got := Explain(toolparse.ToolInvocation{Name: "f", Status: toolparse.Malformed, Reason: r}, nil)
		if strings.Contains(got, "it is malformed") {
			t.Errorf("%v: %s", r, got)
		}
	}
}

func TestExplainManyTools(t *testing.T) {
	var tools []toolparse.ToolDefinition
	for i := range 100 {
		tools = append(tools, toolparse.ToolDefinition{Name: fmt.Sprintf("tool_%d", i)})
	}
	got := Explain(toolparse.ToolInvocation{Name: "other", Status: toolparse.Complete, Unknown: true}, tools)
	if !strings.Contains(got, " and 70 more.") || strings.Contains(got, "tool_30") {
		t.Errorf("Explain: %s", got)
	}
}
