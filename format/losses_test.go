package format

import (
	"strings"
	"testing"
)

// foreign are requests with members that only their wire has, and with repeated and
// invalid ids.
var foreign = map[Wire]string{
	OpenAI: `{"model":"m","messages":[{"role":"user","content":[{"type":"text","text":"q"},{"type":"novel","novel":{"a":1},"b":2}]},
		{"role":"assistant","content":[{"type":"novel","novel":1}],"tool_calls":[{"id":"a:b","type":"function","function":{"name":"f","arguments":"{}"}}]},{"role":"tool","tool_call_id":"a:b","content":[{"type":"novel","novel":1}]},
		{"role":"assistant","content":null,"tool_calls":[{"id":"a:b","type":"function","function":{"name":"f","arguments":"{}"}}]},{"role":"tool","tool_call_id":"a:b","content":"2"}]}`,
	Responses: `{"model":"m","input":[{"role":"user","content":"q"},{"type":"web_search_call","id":"ws_1","status":"completed"},{"role":"user","content":[{"type":"novel","novel":1}]}]}`,
	Anthropic: `{"model":"m","max_tokens":5,"messages":[{"role":"user","content":[{"type":"document","source":{"type":"content","content":"x"}}]},
		{"role":"assistant","content":[{"type":"server_tool_use","id":"srvtoolu_1","name":"web_search","input":{}},{"type":"text","text":"t"}]}]}`,
	Gemini: `{"contents":[{"role":"user","parts":[{"text":"q"}]},{"role":"model","parts":[{"executableCode":{"language":"PYTHON","code":"1"}}]}]}`,
}

// Each loss is reported once, not again for its members.
func TestLossesAreToldOnce(t *testing.T) {
	for from, body := range foreign {
		for _, to := range Wires() {
			out, losses, err := Translate([]byte(body), from, to, KindRequest, TranslateOptions{})
			if err != nil {
				t.Fatalf("%s to %s: %v", from, to, err)
			}
			for i, a := range losses {
				for j, b := range losses {
					of, isMember := strings.CutPrefix(a.Field, b.Field)
					if i != j && isMember && (of == "" || of[0] == '.' && !strings.HasPrefix(of, ".parts[")) {
						t.Errorf("%s to %s: %v\nbeside %v", from, to, a, b)
					}
				}
			}
			for _, empty := range []string{`"content":[]`, `"role":"assistant","content":""}`, `"parts":[]`} {
				if from != to && strings.Contains(string(out), empty) {
					t.Errorf("%s to %s: an empty message in %s", from, to, out)
				}
			}
		}
	}
}
