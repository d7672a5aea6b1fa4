package anthropic_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolparse/toolparse/format"
	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/wire"
	"github.com/toolparse/toolparse/internal/wire/all"
	"github.com/toolparse/toolparse/internal/wire/test/codectest"
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
	for _, m := range wire.Link(req.Messages) {
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
		other, err := all.CodecOf(to)
		if err != nil {
			continue
		}
		t.Run(string(to), func(t *testing.T) {
			body, losses, err := format.Translate([]byte(conversation), format.Anthropic, to, format.KindRequest, format.TranslateOptions{})
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
			back, _, err := format.Translate(body, to, format.Anthropic, format.KindRequest, format.TranslateOptions{})
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

// A call of a tool of a toolset has both in its name elsewhere, and comes back.
func TestToolsets(t *testing.T) {
	const block = `{"type":"tool_use","id":"c1","name":"click","toolset_name":"browser","input":{"x":1}}`
	codec, _ := all.CodecOf(format.Anthropic)
	body := []byte(`{"model":"m","max_tokens":5,"messages":[{"role":"user","content":"hi"},{"role":"assistant","content":[` + block + `]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"c1","toolset_name":"browser","content":"ok"}]}]}`)
	req, err := codec.DecodeRequest(body)
	if err != nil {
		t.Fatal(err)
	}
	if call := req.Messages[1].Parts[0].Call; call.Name != "browser__click" || call.Native != (chat.Native{Wire: "anthropic", Namespace: "browser"}) {
		t.Errorf("the call is %+v", call)
	}
	again, losses := codec.EncodeRequest(req, wire.Options{})
	if len(losses) > 0 {
		t.Fatal(losses)
	}
	if diff := cmp.Diff(codectest.Flat{}.Of(body), codectest.Flat{}.Of(again)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	stream := strings.ReplaceAll(`event: message_start
data: {"type":"message_start","message":{"id":"m","type":"message","role":"assistant","content":[],"model":"m","usage":{"input_tokens":1,"output_tokens":1}}}

event: content_block_start
data: {"type":"content_block_start","index":0,"content_block":BLOCK}

event: content_block_delta
data: {"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":"{\"x\":1}"}}

event: content_block_stop
data: {"type":"content_block_stop","index":0}

event: message_delta
data: {"type":"message_delta","delta":{"stop_reason":"tool_use"},"usage":{"output_tokens":2}}

event: message_stop
data: {"type":"message_stop"}

`, "BLOCK", strings.Replace(block, `{"x":1}`, `{}`, 1))
	for to, want := range map[format.Wire]string{
		format.Anthropic: `"name":"click"`, format.OpenAI: `"name":"browser__click"`, format.Gemini: `"name":"browser__click"`,
		format.Responses: `"name":"browser__click"`, format.Ollama: `"name":"browser__click"`,
	} {
		out, losses := codectest.Translate(t, stream, format.Anthropic, to)
		if !strings.Contains(out, want) || (to == format.Anthropic) != strings.Contains(out, `"toolset_name":"browser"`) {
			t.Errorf("%s: %s", to, out)
		}
		for _, l := range losses {
			if strings.Contains(l.Field, "toolset") {
				t.Errorf("%s: %v", to, l)
			}
		}
	}
}
