package format_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/toolparse/toolparse/format"
	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/toolcall"
)

// Only the value of a wrong type in a whole answer is left out, and reported, in both
// ways to read the answer.
func TestFaults(t *testing.T) {
	for _, tt := range []struct {
		wire format.Wire
		body string
		runs string // names of the remaining calls
		want string
	}{
		{format.Anthropic, `{"type":"message","content":[null,{"type":"tool_use","id":"t","name":"f","input":{}}],"stop_reason":"tool_use"}`, "f", ""},
		{format.Anthropic, `{"type":"message","role":["x"],"content":[{"type":"tool_use","id":"t","name":"f","input":{}}],"stop_reason":"tool_use"}`, "f", ""},
		{format.Anthropic, `{"type":"message","id":"m","content":null}`, "", ""},
		{format.Gemini, `{"candidates":[{"content":{"parts":[{"functionCall":[[]]},{"functionCall":{"name":"rm","args":{}}}]}}]}`, "rm", "candidates[0].content.parts[0].functionCall: expected an object, got an array"},
		{format.Gemini, `{"candidates":[{"content":{"parts":[{"functionCall":{"name":"rm","willContinue":"x"}},{"functionCall":{"name":"ls","args":{}}}]}}]}`, "ls", "candidates[0].content.parts[0].functionCall: willContinue or partialArgs is of a wrong type"},
		{format.Gemini, `{"candidates":[{"content":{"parts":[{"functionCall":{"id":5,"name":"ls","args":{}}},{"functionCall":{"name":"rm","partialArgs":[5]}}]}}]}`, "ls", "candidates[0].content.parts[0].functionCall.id: expected a string, got a number\ncandidates[0].content.parts[1].functionCall: willContinue or partialArgs is of a wrong type"},
		{format.Gemini, `{"candidates":[null,{"content":{"parts":[null,{"functionCall":{"name":"f"}}]}}]}`, "f", ""},
		{format.Gemini, `{"candidates":[{"content":{"parts":{"functionCall":{"name":"f"}}}}]}`, "f", ""},
		{format.Responses, `{"object":"response","status":"completed","output":[{"type":"function_call","id":5,"call_id":"c","name":"f","arguments":"{}","status":5}]}`, "f", "output[0].id: expected a string, got a number\noutput[0].status: expected a string, got a number"},
		{format.Responses, `{"object":"response","status":"completed","output":[{"type":"reasoning","summary":[{"type":"summary_text","text":5},{"type":"summary_text","text":"hm"}]},{"type":"message","role":"assistant","content":"hi"},{},{"type":"function_call","call_id":"c","name":"f","arguments":"{}"}]}`, "f", "output[0].summary[0].text: expected a string, got a number"},
		{format.Responses, `{"object":"response","status":"completed"}`, "", "output: it is missing"},
		{format.Responses, `{"object":"response","status":"completed","output":[{"type":"custom_tool_call","call_id":"c","name":"f","input":5}]}`, "", "output[0]: its input is not a text"},
		{format.OpenAI, `{"object":"chat.completion","choices":[]}`, "", ""},
		{format.OpenAI, `{"choices":[null,{"message":{"tool_calls":[null,{"id":"t","function":{"name":"f","arguments":"{}"}}]}}]}`, "f", ""},
		{format.OpenAI, `{"choices":[{"message":{"content":[{"type":"text","text":"a"},7],"tool_calls":[5,{"type":"custom","custom":{"name":"f","input":5}},{"id":"t","function":{"name":"f","arguments":"{}"}}]},"finish_reason":["stop"]}]}`, "f", "choices[0].finish_reason: expected a string, got an array\nchoices[0].message.content[1]: expected an object, got a number\nchoices[0].message.tool_calls[0]: expected an object, got a number\nchoices[0].message.tool_calls[1].custom: its input is not a text"},
		{format.Ollama, `{"model":"m","message":{"role":"assistant","content":"","tool_calls":[{"id":7,"function":{"name":"f","arguments":{}}},null,{"function":[]}]},"done":true}`, "f", "message.tool_calls[2].function: expected an object, got an array"},
		{format.Anthropic, `{"type":"message","content":[{"type":"tool_use","id":3}]}`, "", "content[0].id: expected a string, got a number"},
		{format.Anthropic, `{"content":"a"}`, "", "content: expected an array, got a string"},
		{format.Anthropic, `{"content":[],"usage":{"input_tokens":-1}}`, "", "usage.input_tokens: expected a whole number of at least 0"},
		{format.Anthropic, `{"content":[{"type":"text","text":[]}]}`, "", "content[0].text: expected a string, got an array"},
		{format.Gemini, `{"candidates":[{"content":[]}]}`, "", "candidates[0].content: expected an object, got an array"},
		{format.Gemini, `{"candidates":null,"modelVersion":"m"}`, "", ""},
		{format.Gemini, `{"candidates":[{"index":-1}]}`, "", "candidates[0].index: not an index: expected a whole number of at least 0"},
		{format.Gemini, `{"candidates":[],"usageMetadata":{"totalTokenCount":-1}}`, "", "usageMetadata.totalTokenCount: expected a whole number of at least 0"},
		{format.Ollama, `{"message":[],"done":true}`, "", "message: expected an object, got an array"},
		{format.Ollama, `{"message":{"content":5},"done":true}`, "", "message.content: expected a string, got a number"},
		{format.Ollama, `{"message":{},"done":"true"}`, "", "done: expected a boolean, got a string"},
		{format.Ollama, `{"message":{},"done":true,"eval_count":-1}`, "", "eval_count: expected a whole number of at least 0"},
		{format.OpenAI, `{"id":"r","choices":null}`, "", ""},
		{format.OpenAI, `{"choices":[{"finish_reason":"stop"}]}`, "", "choices[0].message: it is missing"},
		{format.OpenAI, `{"choices":[{"finish_reason":"content_filter","content_filter_results":{}}]}`, "", ""}, // Azure
		{format.OpenAI, `{"choices":[{"index":-1,"message":{}}]}`, "", "choices[0].index: not an index: expected a whole number of at least 0"},
		{format.OpenAI, `{"choices":[{"message":{"content":5}}]}`, "", "choices[0].message.content: expected a string, got a number"},
		{format.OpenAI, `{"choices":[{"message":{"tool_calls":[{"custom":1}]}}]}`, "", "choices[0].message.tool_calls[0].custom: expected an object, got a number"},
		{format.OpenAI, `{"choices":[],"usage":{"total_tokens":"x"}}`, "", "usage.total_tokens: expected a whole number of at least 0"},
		{format.OpenAI, `{"choices":[],"usage":{"prompt_tokens":9223372036854775807,"completion_tokens":9}}`, "", "usage.prompt_tokens: expected a whole number of at least 0"},
		{format.OpenAI, `{"choices":[],"created":{}}`, "", "created: not a time in seconds"},
		{format.Responses, `{"status":"completed"}`, "", "output: it is missing"},
		{format.Responses, `{"output":[{"type":"function_call","call_id":"c","name":"f","arguments":5}]}`, "", ""},
		{format.Responses, `{"output":[{"type":"message","content":5}]}`, "", "output[0].content: expected a string, got a number"},
		{format.Responses, `{"output":[{"type":5}]}`, "", "output[0].type: expected a string, got a number"},
		{format.Responses, `{"output":[{}]}`, "", ""},
		{format.Responses, `{"output":[],"created_at":"now"}`, "", "created_at: not a time in seconds"},
		{format.Responses, `{"output":[],"error":5}`, "", ""},
		{format.Responses, `{"output":[],"usage":{"output_tokens_details":{"reasoning_tokens":-1}}}`, "", "usage.output_tokens_details.reasoning_tokens: expected a whole number of at least 0"},
		{format.Responses, `{"output":{}}`, "", "output: expected an array, got an object"},
		{format.Responses, `{"output":[7]}`, "", "output[0]: expected an object, got a number"},
		{format.Responses, `{"status":{}}`, "", "output: it is missing\nstatus: expected a string, got an object"},
	} {
		faults := func(losses []chat.Loss) string {
			var all []string
			for _, l := range losses {
				all = append(all, l.Field+": "+l.Reason)
			}
			slices.Sort(all)
			return strings.Join(all, "\n")
		}
		t.Run(tt.body, func(t *testing.T) {
			var names []string
			for _, call := range runnables(t, []byte(tt.body), tt.wire) {
				names = append(names, call.name)
			}
			stream, response := asStream(t, []byte(tt.body), tt.wire), asResponse(t, []byte(tt.body), tt.wire)
			if got := faults(stream.Faults); got != tt.want || stream.Failed || strings.Join(names, " ") != tt.runs {
				t.Errorf("%s:\n%s, runs %v, failed %v", tt.body, got, names, stream.Failed)
			}
			if got := faults(response.Faults); got != tt.want || response.Failed {
				t.Errorf("%s, as a response:\n%s, failed %v", tt.body, got, response.Failed)
			}
			checkBody(t, []byte(tt.body), tt.wire)
		})
	}
}

// A count of tokens that is not a number does not end a stream: it is left out, and
// reported once.
func TestStreamFaults(t *testing.T) {
	for wire, test := range map[format.Wire]struct{ body, want string }{
		format.OpenAI: {
			`data: {"choices":[{"index":0,"delta":{"content":"a"}}],"usage":{"prompt_tokens":-1,"completion_tokens":2}}` + "\n\n" +
				`data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}],"usage":{"prompt_tokens":-1,"completion_tokens":2}}` + "\n\ndata: [DONE]\n\n",
			"usage.prompt_tokens: expected a whole number of at least 0",
		},
		format.Responses: {
			`data: {"type":"response.completed","response":{"status":"completed","output":[],"usage":{"input_tokens":"many","output_tokens":2}}}` + "\n\n",
			"response.usage.input_tokens: expected a whole number of at least 0",
		},
		format.Anthropic: {
			`data: {"type":"message_start","message":{"role":"assistant","content":[],"usage":{"input_tokens":1.5}}}` + "\n\n" +
				`data: {"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":2}}` + "\n\n" + `data: {"type":"message_stop"}` + "\n\n",
			"usage.input_tokens: expected a whole number of at least 0",
		},
		format.Gemini: {
			`data: {"candidates":[{"content":{"parts":[{"text":"a"}]},"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":-5,"candidatesTokenCount":2}}` + "\n\n",
			"usageMetadata.promptTokenCount: expected a whole number of at least 0",
		},
		format.Ollama: {
			`{"message":{"content":"a"},"done":true,"done_reason":"stop","prompt_eval_count":1e99,"eval_count":2}` + "\n",
			"prompt_eval_count: expected a whole number of at least 0",
		},
	} {
		s := format.NewStream(strings.NewReader(test.body), format.Options{Wire: wire})
		for _, err := range s.Deltas() {
			if err != nil {
				t.Errorf("%s: %v", wire, err)
			}
		}
		if faults := s.Faults(); len(faults) != 1 || !strings.HasPrefix(faults[0].String(), test.want) {
			t.Errorf("%s: faults %v, want %s", wire, faults, test.want)
		}
		if u := s.Meta().Usage; u.Output != 2 || u.Input != 0 {
			t.Errorf("%s: usage %+v", wire, u)
		}
	}
}

// Nor does a time that is not a number.
func TestStreamTime(t *testing.T) {
	for wire, test := range map[format.Wire]struct{ body, field string }{
		format.OpenAI:    {strings.Repeat(`data: {"created":"today","choices":[{"delta":{},"finish_reason":"stop"}]}`+"\n\n", 2), "created"},
		format.Responses: {`data: {"type":"response.completed","response":{"created_at":"today","status":"completed","output":[]}}` + "\n\n", "response.created_at"},
	} {
		s := format.NewStream(strings.NewReader(test.body), format.Options{Wire: wire})
		for _, err := range s.Deltas() {
			if err != nil {
				t.Errorf("%s: %v", wire, err)
			}
		}
		if faults := s.Faults(); len(faults) != 1 || faults[0].Field != test.field {
			t.Errorf("%s: faults %v, want %s", wire, faults, test.field)
		}
	}
}

// A decoder keeps no deltas, so a message after them that it takes as their repetition
// leaves a note.
func TestStreamRepeatedMessage(t *testing.T) {
	const delta = `data: {"choices":[{"delta":{"content":"Hi"}}]}` + "\n\n"
	for end, want := range map[string]int{
		`data: {"choices":[{"message":{"content":"Hi"},"finish_reason":"stop"}]}`:             1,
		`data: {"choices":[{"message":{"content":""},"finish_reason":"stop"}]}`:               0,
		`data: {"choices":[{"delta":{},"message":{"content":"Hi"},"finish_reason":"stop"}]}`:  0,
		`data: {"choices":[{"message":{"reasoning_content":"Why?"},"finish_reason":"stop"}]}`: 0,
		`data: {"choices":[{"delta":{},"finish_reason":"stop"}]}`:                             0,
	} {
		s := format.NewStream(strings.NewReader(delta+end+"\n\n"), format.Options{Wire: format.OpenAI})
		var text string
		for d, err := range s.Deltas() {
			if err != nil {
				t.Errorf("%s: %v", end, err)
			}
			if d.Kind == toolcall.DeltaText {
				text += d.Text
			}
		}
		if text != "Hi" {
			t.Errorf("%s: text %q", end, text)
		}
		faults := s.Faults()
		if len(faults) != want {
			t.Errorf("%s: faults %v, want %d", end, faults, want)
		}
		for _, f := range faults {
			if f.Field != "choices[].message" {
				t.Errorf("%s: field %s", end, f.Field)
			}
		}
	}
}
