package anthropic_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolparse/toolparse/format"
	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/format/internal/codectest"
)

// conversation is a request with what matters of all wires.
const conversation = `{"model":"m","max_tokens":5,"system":[{"type":"text","text":"s","cache_control":{"type":"ephemeral"}}],"messages":[
	{"role":"user","content":"u"},
	{"role":"assistant","content":[{"type":"thinking","thinking":"t","signature":"EtYD"},{"type":"text","text":"x"},
		{"type":"tool_use","id":"toolu_1","name":"f","input":{"a":1}},{"type":"tool_use","id":"toolu_2","name":"g","input":{}}]},
	{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_2","content":"2"},{"type":"tool_result","tool_use_id":"toolu_1","content":"1","is_error":true},{"type":"text","text":"and"}]}],
	"tools":[{"name":"f","description":"d","input_schema":{"type":"object","properties":{"a":{"type":"integer"}}}},{"name":"g","input_schema":{"type":"object"}}]}`

// essence is what a request says on every wire.
type essence struct {
	System, User string
	Calls        map[string]any // arguments by name
	Results      map[string]string
	Tools        []string
}

func essenceOf(req *chat.Request) essence {
	e := essence{Calls: map[string]any{}, Results: map[string]string{}}
	for _, m := range chat.Link(req.Messages) {
		for _, p := range m.Parts {
			switch {
			case p.Kind == chat.PartCall:
				e.Calls[p.Call.Name] = codectest.ValueOf([]byte(p.Call.Arguments))
			case p.Kind == chat.PartResult:
				for _, inner := range p.Result.Parts {
					e.Results[p.Result.Name] += inner.Text
				}
			case m.Role == chat.System:
				e.System += p.Text
			case m.Role == chat.User:
				e.User += p.Text
			}
		}
	}
	for _, t := range req.Tools {
		e.Tools = append(e.Tools, t.Name+": "+t.Description)
	}
	return e
}

// A request says the same on every wire, and back again. What only this wire
// knows is told.
func TestRequestsOnOtherWires(t *testing.T) {
	want := essenceOf(codec.ReadRequest(t, conversation))
	if len(want.Calls) != 2 || len(want.Results) != 2 || len(want.Tools) != 2 {
		t.Fatalf("%+v", want)
	}
	for _, to := range format.Wires() {
		other, err := format.CodecOf(to)
		if err != nil {
			continue
		}
		t.Run(string(to), func(t *testing.T) {
			body, losses, err := format.Translate([]byte(conversation), format.Anthropic, to, format.KindRequest, chat.Options{})
			if err != nil {
				t.Fatal(err)
			}
			there, err := other.DecodeRequest(body)
			if err != nil {
				t.Fatalf("%v\n%s", err, body)
			}
			if diff := cmp.Diff(want, essenceOf(there)); diff != "" {
				t.Errorf("(-want +there):\n%s%s", diff, body)
			}
			told := strings.Contains(strings.Join(codectest.Fields(losses), " "), "cache_control")
			if told == (to == format.Anthropic) {
				t.Errorf("losses %v", losses)
			}
			back, _, err := format.Translate(body, to, format.Anthropic, format.KindRequest, chat.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, essenceOf(codec.ReadRequest(t, string(back)))); diff != "" {
				t.Errorf("(-want +back):\n%s%s", diff, back)
			}
			// All results in one message, behind the calls, in their order.
			text := string(back)
			if strings.Count(text, `"role":"user"`) > 3 || strings.Index(text, `"content":"1"`) > strings.Index(text, `"content":"2"`) {
				t.Errorf("%s", back)
			}
		})
	}
}
