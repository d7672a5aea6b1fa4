package format_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolparse/toolparse/format"
	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/toolcall"
)

// wholeAnswer is what an answer says, whichever way it is read.
type wholeAnswer struct {
	Text, Reasoning, Refusal string
	Calls                    []runnable
	Signatures               []string
	Finish                   chat.FinishReason
	Usage                    chat.Usage
	ID, Model                string
}

// asStream reads a body by its deltas.
func asStream(t *testing.T, body []byte, wire format.Wire) (a wholeAnswer) {
	stream := format.NewStream(bytes.NewReader(body), format.Options{Wire: wire})
	var finish toolcall.Delta
	for d, err := range stream.Deltas() {
		switch {
		case err != nil:
			t.Fatal(err)
		case d.Choice > 0:
		case d.Kind == toolcall.DeltaText:
			a.Text += d.Text
		case d.Kind == toolcall.DeltaReasoning:
			a.Reasoning += d.Text
		case d.Kind == toolcall.DeltaRefusal:
			a.Refusal += d.Text
		case d.Kind == toolcall.DeltaSignature:
			a.Signatures = append(a.Signatures, d.Text)
		case d.Kind == toolcall.DeltaFinish:
			finish = d
		}
	}
	a.Calls = runnables(t, body, wire)
	meta := stream.Meta()
	a.ID, a.Model, a.Usage = meta.ID, meta.Model, meta.Usage
	if finish.Kind != 0 {
		a.Finish = chat.FinishOf(string(wire), finish, len(a.Calls) > 0).Reason
	}
	slices.Sort(a.Signatures)
	return a
}

// asResponse reads a body as a whole.
func asResponse(t *testing.T, body []byte, wire format.Wire) (a wholeAnswer) {
	codec, err := format.CodecOf(wire)
	if err != nil {
		t.Fatal(err)
	}
	res, err := codec.DecodeResponse(body)
	if err != nil {
		t.Fatal(err)
	}
	a.ID, a.Model, a.Usage = res.ID, res.Model, res.Usage
	if len(res.Choices) == 0 {
		return a
	}
	choice := res.Choices[0]
	a.Finish = choice.Finish.Reason
	for _, p := range choice.Message.Parts {
		switch p.Kind {
		case chat.PartText:
			a.Text += p.Text
		case chat.PartReasoning:
			a.Reasoning += p.Text
		case chat.PartRefusal:
			a.Refusal += p.Text
		case chat.PartCall:
			if p.Call.Cut {
				continue
			}
			a.Calls = append(a.Calls, runnable{p.Call.Name, canonicalJSON([]byte(p.Call.Arguments))})
		}
		for _, s := range []string{p.Signature, p.Redacted} {
			if s != "" {
				a.Signatures = append(a.Signatures, s)
			}
		}
	}
	slices.Sort(a.Signatures)
	return a
}

// bodies are whole answers that were once read in two ways, by the name of what they hold.
var bodies = map[string]struct {
	wire format.Wire
	body string
}{
	"parallel calls in one":   {format.OpenAI, `{"id":"c","object":"chat.completion","model":"m","choices":[{"index":0,"message":{"content":"a","tool_calls":[{"id":"t","type":"function","function":{"name":"multi_tool_use.parallel","arguments":"{\"tool_uses\":[{\"recipient_name\":\"functions.f\",\"parameters\":{\"a\":1}},{\"recipient_name\":\"functions.g\",\"parameters\":{}}]}"}}]},"finish_reason":"tool_calls"}],"usage":{"prompt_tokens":1,"completion_tokens":2}}`},
	"the same of Responses":   {format.Responses, `{"id":"r","object":"response","model":"m","status":"completed","output":[{"type":"function_call","id":"fc","call_id":"c","name":"multi_tool_use.parallel","arguments":"{\"tool_uses\":[{\"recipient_name\":\"functions.f\",\"parameters\":{\"a\":1}}]}","status":"completed"}]}`},
	"snake case":              {format.Gemini, `{"candidates":[{"content":{"parts":[{"text":"t","thought":true},{"function_call":{"name":"f","args":{"some_key":1}},"thought_signature":"c2ln"}],"role":"model"},"finish_reason":"STOP"}],"usage_metadata":{"prompt_token_count":3,"candidates_token_count":4},"model_version":"m","response_id":"r"}`},
	"a reason that is new":    {format.Gemini, `{"candidates":[{"content":{"parts":[{"text":"a"}]},"finishReason":"NOVEL"}]}`},
	"members without a value": {format.OpenAI, `{"id":"c","choices":[{"index":0,"message":{"content":"4","refusal":"","reasoning_content":"","function_call":{"name":"","arguments":""},"tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"{}"},"custom":{"name":"","input":""}}]},"finish_reason":""}]}`},
	"custom and function":     {format.OpenAI, `{"choices":[{"message":{"tool_calls":[{"id":"a","type":"custom","custom":{"name":"g","input":"x\"y"},"function":{"name":"","arguments":""}}]},"finish_reason":"stop"}]}`},
	"several reasonings":      {format.OpenAI, `{"choices":[{"message":{"reasoning":"r","reasoning_content":"r","content":"a"},"finish_reason":"length"}]}`},
	"usage of Groq":           {format.OpenAI, `{"choices":[{"message":{"content":"a"},"finish_reason":"stop"}],"x_groq":{"usage":{"prompt_tokens":5,"completion_tokens":1}}}`},
	"thinking and a call":     {format.Anthropic, `{"id":"m","type":"message","role":"assistant","model":"m","content":[{"type":"thinking","thinking":"t","signature":"s"},{"type":"redacted_thinking","data":"d"},{"type":"text","text":"a"},{"type":"tool_use","id":"x","name":"f","input":{}}],"stop_reason":"tool_use","stop_details":null,"usage":{"input_tokens":1,"output_tokens":2}}`},
	"a pause":                 {format.Anthropic, `{"id":"m","type":"message","role":"assistant","content":[{"type":"text","text":"a"}],"stop_reason":"compaction"}`},
	"items":                   {format.Responses, `{"id":"r","object":"response","model":"m","status":"incomplete","incomplete_details":{"reason":"content_filter"},"output":[{"type":"reasoning","id":"rs","summary":[{"type":"summary_text","text":"t"}],"encrypted_content":"e"},{"type":"message","role":"assistant","content":[{"type":"output_text","text":"a"},{"type":"refusal","refusal":"no"}]},{"type":"custom_tool_call","call_id":"c","name":"g","input":"x"}],"usage":{"input_tokens":1,"output_tokens":2,"total_tokens":3}}`},
	"a line that is done":     {format.Ollama, `{"model":"m","message":{"role":"assistant","content":"a","thinking":"t","tool_calls":[{"function":{"name":"f","arguments":{"a":1}}}]},"done":true,"done_reason":"stop","prompt_eval_count":1,"eval_count":2}`},
}

// A whole answer says the same, read as one and read as a stream.
func TestWholeAnswersAreReadOneWay(t *testing.T) {
	check := func(t *testing.T, body []byte, wire format.Wire) {
		stream, response := asStream(t, body, wire), asResponse(t, body, wire)
		stream.Calls, response.Calls = slices.Clip(stream.Calls), slices.Clip(response.Calls)
		if diff := cmp.Diff(stream, response, cmp.AllowUnexported(runnable{})); diff != "" {
			t.Errorf("(-stream +response):\n%s", diff)
		}
	}
	for name, tt := range bodies {
		t.Run(name, func(t *testing.T) { check(t, []byte(tt.body), tt.wire) })
	}
	for wire, body := range wholeBodies {
		t.Run(string(wire), func(t *testing.T) { check(t, []byte(body), wire) })
	}
	// What a recording says is written as a whole answer, and read both ways.
	for _, folder := range []string{ownRecordings, sharedRecordings} {
		for _, r := range recordings(t, folder) {
			if r.want.Error != nil || strings.Contains(r.name, "error") || r.want.Terminated != nil && !*r.want.Terminated {
				continue
			}
			t.Run(r.name, func(t *testing.T) {
				wire := r.want.wireByFormat
				codec, err := format.CodecOf(wire)
				if err != nil {
					t.Fatal(err)
				}
				body := slices.Clone(r.body)
				if res, err := codec.DecodeResponse(body); err != nil || res.Error != nil {
					t.Skip("a stream")
				}
				check(t, body, wire)
			})
		}
	}
}
