package text_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolparse/toolparse/internal/dialect"
	"github.com/toolparse/toolparse/internal/text"
	"github.com/toolparse/toolparse/toolcall"
)

var weather = toolcall.ToolDefinition{
	Name:       "get_weather",
	Parameters: json.RawMessage(`{"type":"object","properties":{"city":{"type":"string"}}}`),
}

// loose are the rows whose example differs from what the writer writes, and why.
var loose = map[string]string{
	"trinity":        "its example shows a call inside reasoning",
	"command_r_plus": "its template breaks the lines of arguments, which no reader sees",
}

// TestTable compares the writer with the example of every row, which is how the model's
// own template writes that call.
func TestTable(t *testing.T) {
	for _, d := range dialect.All() {
		t.Run(d.Name, func(t *testing.T) {
			w, err := text.NewWriter(d, text.Options{Tools: []toolcall.ToolDefinition{weather}})
			if err != nil {
				t.Fatal(err)
			}
			call := toolcall.ToolInvocation{Name: "get_weather", Arguments: json.RawMessage(`{"city":"Oslo"}`)}
			got, err := w.Append(nil, text.Message{Calls: []toolcall.ToolInvocation{call}})
			if d.Head.Form == "" && len(d.Also) == 0 {
				if err == nil {
					t.Errorf("calls do not stand in its text, and yet: %q", got)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if why := loose[d.Name]; why != "" {
				t.Skip(why)
			}
			if diff := cmp.Diff(d.Example, string(got)); diff != "" {
				t.Error(diff)
			}
		})
	}
}
