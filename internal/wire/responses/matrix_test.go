package responses_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolparse/toolparse/format"
	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/wire"
	"github.com/toolparse/toolparse/internal/wire/all"
	"github.com/toolparse/toolparse/internal/wire/test/codectest"
)

// gist is what every wire can say of a chat, in its order.
type gist struct {
	System, User []string
	Calls        [][2]string // name, arguments
	Results      [][2]string // of which call, text
	Tools        []string
}

// gistOf reads a request. Calls are told apart by their number, since ids may
// have to change.
func gistOf(req *chat.Request) gist {
	var g gist
	number := map[string]string{}
	for _, m := range wire.Link(req.Messages) {
		for _, p := range m.Parts {
			switch {
			case p.Kind == chat.PartCall:
				number[p.Call.ID] = "call " + string(rune('a'+len(g.Calls)))
				g.Calls = append(g.Calls, [2]string{p.Call.Name, compact(p.Call.Arguments)})
			case p.Kind == chat.PartResult:
				text := ""
				for _, inner := range p.Result.Parts {
					text += inner.Text
				}
				g.Results = append(g.Results, [2]string{number[p.Result.CallID], text})
			case p.Kind == chat.PartText && (m.Role == chat.System || m.Role == chat.Developer):
				g.System = append(g.System, p.Text)
			case p.Kind == chat.PartText && m.Role == chat.User:
				g.User = append(g.User, p.Text)
			}
		}
	}
	for _, tool := range req.Tools {
		if !tool.Hosted {
			g.Tools = append(g.Tools, tool.Name)
		}
	}
	return g
}

func compact(arguments string) string {
	out, err := json.Marshal(codectest.ValueOf(json.RawMessage(arguments)))
	if err != nil {
		return arguments
	}
	return string(out)
}

// Requests that real servers answered say the same on this wire; and requests
// of this wire on the others.
func TestRequestsSayTheSame(t *testing.T) {
	const body = `{"model":"m","instructions":"s","max_output_tokens":9,"tools":[{"type":"function","name":"f","parameters":{"type":"object","properties":{"a":{"type":"integer"}}},"strict":false}],"input":[
		{"role":"user","content":"u"},{"type":"reasoning","id":"rs_1","summary":[],"encrypted_content":"e"},
		{"type":"function_call","id":"fc_1","call_id":"call_1","name":"f","arguments":"{\"a\":1}"},{"type":"function_call","id":"fc_2","call_id":"call_2","name":"f","arguments":""},
		{"type":"function_call_output","call_id":"call_1","output":"one"},{"type":"function_call_output","call_id":"call_2","output":[{"type":"input_text","text":"two"}]},
		{"role":"user","content":"v"}]}`
	req := codec.ReadRequest(t, body)
	for _, to := range format.Wires() {
		other, err := all.CodecOf(to)
		if err != nil {
			t.Logf("%v", err)
			continue
		}
		out, _ := other.EncodeRequest(req, wire.Options{})
		again, err := other.DecodeRequest(out)
		if err != nil {
			t.Errorf("%s: %v\n%s", to, err, out)
			continue
		}
		if diff := cmp.Diff(gistOf(req), gistOf(again)); diff != "" {
			t.Errorf("%s (-want +got):\n%s%s", to, diff, out)
		}
		back, _ := codec.WriteRequest(t, again, wire.Options{})
		if diff := cmp.Diff(gistOf(req), gistOf(codec.ReadRequest(t, back))); diff != "" {
			t.Errorf("%s and back (-want +got):\n%s%s", to, diff, back)
		}
	}
	wires := map[string]format.Wire{"chat": format.OpenAI, "responses": format.Responses, "anthropic": format.Anthropic, "gemini": format.Gemini, "ollama": format.Ollama}
	for _, r := range codectest.Requests(t, "*.json") {
		family, _, _ := strings.Cut(r.Name, "-")
		other, err := all.CodecOf(wires[family])
		if err != nil {
			continue
		}
		req, err := other.DecodeRequest(r.Body)
		if err != nil {
			t.Errorf("%s: %v", r.Name, err)
			continue
		}
		out, losses := codec.WriteRequest(t, req, wire.Options{})
		if diff := cmp.Diff(gistOf(req), gistOf(codec.ReadRequest(t, out))); diff != "" {
			t.Errorf("%s (-want +got):\n%s%s\nlosses %v", r.Name, diff, out, losses)
		}
	}
}
