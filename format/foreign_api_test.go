package format_test

import (
	"strings"
	"testing"

	"github.com/toolparse/toolparse/format"
	"github.com/toolparse/toolparse/internal/parser"
	"github.com/toolparse/toolparse/internal/wire/sniff"
	"github.com/toolparse/toolparse/toolcall"
)

// Answers of other APIs are recognised by their members, and those of the wires are not.
func TestForeignAPI(t *testing.T) {
	for body, want := range map[string]string{
		`{"output":{"message":{"role":"assistant","content":[{"toolUse":{"toolUseId":"t","name":"f","input":{}}}]}},"stopReason":"tool_use"}`:          "Bedrock's Converse",
		"{\"messageStart\":{\"role\":\"assistant\"}}\n{\"contentBlockStart\":{}}\n":                                                                    "Bedrock's Converse",
		`data: {"chunk":{"bytes":"e30="}}` + "\n\n":                                                                                                    "Bedrock's event stream",
		`{"conversation_id":"c","object":"conversation.response","outputs":[{"type":"function.call","tool_call_id":"t","name":"f","arguments":"{}"}]}`: "Mistral's",
		"event: conversation.response.started\ndata: {\"type\":\"conversation.response.started\",\"conversation_id\":\"c\"}\n\n":                       "Mistral's",
		`{"toolCall":{"functionCalls":[{"id":"i","name":"f","args":{}}]}}`:                                                                             "Gemini's Live",
		"{\"setupComplete\":{}}\n{\"serverContent\":{\"modelTurn\":{\"parts\":[{\"text\":\"a\"}]}}}":                                                   "Gemini's Live",
		"event: step.delta\ndata: {\"event_type\":\"step.delta\",\"index\":0,\"delta\":{\"type\":\"text\",\"text\":\"a\"}}\n\n":                        "Gemini's Interactions",
		`{"id":"v1_a","object":"interaction","status":"requires_action","steps":[{"type":"function_call","id":"c","name":"f","arguments":{}}]}`:        "Gemini's Interactions",
		`data: {"response":{"candidates":[{"content":{"parts":[{"text":"a"}]}}]},"traceId":"t"}` + "\n\n":                                              "Google's Code Assist",
		`{"output":{"choices":[{"finish_reason":"stop","message":{"role":"assistant","content":"a"}}]},"usage":{"total_tokens":3},"request_id":"r"}`:   "DashScope's own",
		`{"event_type":"login","step":1}`: "",
		"data: {\"type\":\"start\"}\n\ndata: {\"type\":\"tool-input-start\",\"toolCallId\":\"c\",\"toolName\":\"f\"}\n\n":          "Vercel's",
		"f:{\"messageId\":\"m\"}\n9:{\"toolCallId\":\"c\",\"toolName\":\"f\",\"args\":{}}\n":                                       "Vercel's",
		`{"type":"tool-call","toolCallId":"c","toolName":"f","input":{}}`:                                                          "Vercel's",
		"data: {\"type\":\"RUN_STARTED\"}\n\ndata: {\"type\":\"TOOL_CALL_START\",\"toolCallId\":\"c\",\"toolCallName\":\"f\"}\n\n": "AG-UI",
		`{"id":"c","message":{"role":"assistant","tool_plan":"p","tool_calls":[]},"finish_reason":"TOOL_CALL"}`:                    "Cohere's",
		`{"id":"r","object":"thread.run","status":"requires_action"}`:                                                              "Assistants",

		`{"foo":1}`: "", "hi": "", "": "", "0:": "", "data: x\n\n": "", `{"output":"text"}`: "", "[1]": "",
		`{"choices":[{"message":{"content":"a"}}],"model":"m"}`: "",
	} {
		api := sniff.Foreign([]byte(body))
		if (want == "") != (api == nil) || api != nil && (!strings.Contains(api.Name, want) || api.Use == "") {
			t.Errorf("%s: %v, want %q", body, api.Err(), want)
		}
	}
	for _, r := range recordings(t, ownRecordings) {
		if api := sniff.Foreign(r.body); api != nil {
			t.Errorf("%s is of %s", r.name, api.Name)
		}
	}
}

// The events of OpenAI's Realtime API are those of Responses, except the last ones.
func TestRealtime(t *testing.T) {
	events := []string{
		`{"type":"session.created","event_id":"e0","session":{"model":"gpt-realtime"}}`,
		`{"type":"response.created","event_id":"e1","response":{"object":"realtime.response","id":"r","status":"in_progress","output":[]}}`,
		`{"type":"rate_limits.updated","event_id":"e2","rate_limits":[]}`,
		`{"type":"response.output_item.added","event_id":"e3","response_id":"r","output_index":0,"item":{"id":"i","object":"realtime.item","type":"function_call","status":"in_progress","name":"f","call_id":"c","arguments":""}}`,
		`{"type":"conversation.item.added","event_id":"e4","item":{"id":"i","type":"function_call","name":"f","call_id":"c","arguments":""}}`,
		`{"type":"response.function_call_arguments.delta","event_id":"e5","response_id":"r","item_id":"i","output_index":0,"call_id":"c","delta":"{\"a\":1}"}`,
		`{"type":"response.function_call_arguments.done","event_id":"e6","response_id":"r","item_id":"i","output_index":0,"call_id":"c","name":"f","arguments":"{\"a\":1}"}`,
		`{"type":"response.output_item.done","event_id":"e7","response_id":"r","output_index":0,"item":{"id":"i","object":"realtime.item","type":"function_call","status":"completed","name":"f","call_id":"c","arguments":"{\"a\":1}"}}`,
		`{"type":"response.done","event_id":"e8","response":{"object":"realtime.response","id":"r","status":"completed","output":[{"id":"i","object":"realtime.item","type":"function_call","status":"completed","name":"f","call_id":"c","arguments":"{\"a\":1}"}],"usage":{"total_tokens":3,"input_tokens":1,"output_tokens":2}}}`,
	}
	for _, status := range []string{"completed", "incomplete", "cancelled"} {
		body := strings.Replace(strings.Join(events, "\n"), `"r","status":"completed"`, `"r","status":"`+status+`"`, 1)
		stream := format.NewStream(strings.NewReader(body), format.Options{})
		calls, finish := 0, ""
		for e, err := range parser.Events(stream.Deltas(), parser.Options{}) {
			if err != nil {
				t.Errorf("%s: %v", status, err)
			}
			if e.Type == toolcall.SegmentEnd && e.Segment.IsCall() && e.Status == toolcall.Complete {
				calls++
			}
		}
		for d := range format.NewStream(strings.NewReader(body), format.Options{}).Deltas() {
			if d.Kind == toolcall.DeltaFinish {
				finish = d.Text
			}
		}
		if wire, _ := stream.Wire(); wire != format.Responses || calls != 1 || finish != status {
			t.Errorf("%s: wire %s, %d calls, finish %q", status, wire, calls, finish)
		}
	}
}
