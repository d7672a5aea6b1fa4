package anthropic_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolparse/toolparse/format"
	"github.com/toolparse/toolparse/internal/wire"
	"github.com/toolparse/toolparse/internal/wire/all"
)

// Other wires get the tools that the model may call after what the messages say, and read of a
// reference which tool it loads; this wire gets all as it was.
func TestLoadedTools(t *testing.T) {
	const (
		plain    = `{"name":"Bash","input_schema":{"type":"object"}}`
		deferred = `{"name":"Stop","description":"d","input_schema":{"type":"object"},"defer_loading":true}`
		server   = `{"type":"tool_search_tool_regex_20251119","name":"search"}`
		user     = `{"role":"user","content":"go"}`
		answered = user + `,{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"Bash","input":{}}]},` +
			`{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":[{"type":"tool_reference","tool_name":"Stop"},{"type":"tool_reference","tool_name":"Other","x":1}]}]}`
		add    = `{"role":"system","content":[{"type":"tool_addition","tool":{"type":"tool_reference","name":"Stop"}}]}`
		remove = `{"role":"system","content":[{"type":"tool_removal","tool":{"type":"tool_reference","name":"Stop"}}]}`
		define = `{"role":"system","content":[{"type":"text","text":"New."},{"type":"tool_addition","tool":{"type":"tool_definition","definition":{"name":"Late","description":"d","input_schema":{"type":"object"}}}}]}`
	)
	tests := []struct {
		name, tools, messages string
		want                  string // the names of the tools, for another wire
	}{
		{"not loaded", plain + "," + deferred, user, "Bash"},
		{"all deferred", deferred, user, ""},
		{"loaded by a result", plain + "," + deferred, answered, "Bash Stop"},
		{"the provider searches", server + "," + deferred, user, "Stop"},
		{"added", deferred + "," + plain, user + "," + add, "Stop Bash"},
		{"added and taken away", plain + "," + deferred, user + "," + add + "," + remove, "Bash"},
		{"taken away", plain + "," + strings.ReplaceAll(deferred, "true", "false"), user + "," + remove, "Bash"},
		{"taken away and added again", plain + "," + deferred, user + "," + remove + "," + add, "Bash Stop"},
		{"defined in a message", plain, user + "," + define, "Bash Late"},
		{"defined twice", plain, user + "," + define + "," + define, "Bash Late"},
		{"defined and taken away", plain, user + "," + define + "," + strings.ReplaceAll(remove, "Stop", "Late"), "Bash"},
	}
	other, err := all.CodecOf(format.OpenAI)
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			body := `{"model":"m","max_tokens":9,"messages":[` + tt.messages + `],"tools":[` + tt.tools + `]}`
			req, err := codec.DecodeRequest([]byte(body))
			if err != nil {
				t.Fatal(err)
			}
			again, losses := codec.EncodeRequest(req, wire.Options{})
			if len(losses) > 0 {
				t.Errorf("losses on the same wire: %v", losses)
			}
			if diff := cmp.Diff(jsonOf(t, body), jsonOf(t, string(again))); diff != "" {
				t.Errorf("on the same wire (-want +got):\n%s", diff)
			}

			translated, _ := other.EncodeRequest(req, wire.Options{})
			got, err := other.DecodeRequest(translated)
			if err != nil {
				t.Fatal(err)
			}
			var names []string
			for _, tool := range got.Tools {
				names = append(names, tool.Name)
			}
			if diff := cmp.Diff(tt.want, strings.Join(names, " ")); diff != "" {
				t.Errorf("tools of another wire (-want +got):\n%s", diff)
			}
			if tells := strings.Contains(string(translated), "can be called now: Stop"); tells != (tt.messages == answered) {
				t.Errorf("another wire is told of the reference: %v: %s", tells, translated)
			}
		})
	}
}

// What is not as it should be changes no tools, and comes back as it was.
func TestLoadingOfNonsense(t *testing.T) {
	for _, block := range []string{
		`{"type":"tool_addition"}`, `{"type":"tool_addition","tool":7}`, `{"type":"tool_addition","tool":{"name":["a"]}}`,
		`{"type":"tool_addition","tool":{"definition":{}}}`, `{"type":"tool_removal","tool":{"definition":{"name":"Bash"}}}`,
		`{"type":"tool_reference","tool_name":"None"}`, `{"type":"tool_reference","tool_name":""}`,
	} {
		body := `{"model":"m","max_tokens":9,"messages":[{"role":"user","content":"go"},{"role":"system","content":[` + block + `]}],"tools":[{"name":"Bash","input_schema":{"type":"object"}}]}`
		req, err := codec.DecodeRequest([]byte(body))
		if err != nil {
			t.Errorf("%s: %v", block, err)
			continue
		}
		if len(req.Tools) != 1 || req.Tools[0].Hosted {
			t.Errorf("%s: tools %+v", block, req.Tools)
		}
		again, _ := codec.EncodeRequest(req, wire.Options{})
		if diff := cmp.Diff(jsonOf(t, body), jsonOf(t, string(again))); diff != "" {
			t.Errorf("%s: on the same wire (-want +got):\n%s", block, diff)
		}
	}
}

// Many additions to many tools are read in linear time; each with each would take minutes.
func TestManyAdditions(t *testing.T) {
	var tools, blocks []string
	for i := range 20_000 {
		tools = append(tools, fmt.Sprintf(`{"name":"t%d","input_schema":{},"defer_loading":true}`, i))
		blocks = append(blocks, fmt.Sprintf(`{"type":"tool_addition","tool":{"definition":{"name":"n%d","input_schema":{}}}}`, i))
	}
	body := `{"model":"m","messages":[{"role":"user","content":"go"},{"role":"system","content":[` + strings.Join(blocks, ",") + `]}],"tools":[` + strings.Join(tools, ",") + `]}`
	req, err := codec.DecodeRequest([]byte(body))
	if err != nil {
		t.Fatal(err)
	}
	if len(req.Tools) != 40_000 {
		t.Errorf("%d tools", len(req.Tools))
	}
}

func jsonOf(t *testing.T, body string) (v any) {
	t.Helper()
	if err := json.Unmarshal([]byte(body), &v); err != nil {
		t.Fatal(err)
	}
	return v
}
