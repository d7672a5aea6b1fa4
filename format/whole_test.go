package format_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/toolparse/toolparse/format"
	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/wire"
	"github.com/toolparse/toolparse/internal/wire/all"
	"github.com/toolparse/toolparse/toolcall"
)

// wholeAnswer is the content of an answer, however it is read.
type wholeAnswer struct {
	Text, Reasoning, Refusal string
	Calls                    []runnable
	Signatures               []string
	Finish                   chat.FinishReason
	Usage                    chat.Usage
	ID, Model                string
	Faults                   []chat.Loss
	Failed                   bool // it is not an answer
}

// asStream reads a body as deltas.
func asStream(t rapid.TB, body []byte, name format.Wire) (a wholeAnswer) {
	stream := format.NewStream(bytes.NewReader(body), format.Options{Wire: name})
	var finish toolcall.Delta
	for d, err := range stream.Deltas() {
		switch {
		case err != nil:
			return wholeAnswer{Failed: true}
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
	a.Calls = runnables(t, body, name)
	meta := stream.Meta()
	a.ID, a.Model, a.Usage, a.Faults = meta.ID, meta.Model, meta.Usage, sorted(stream.Faults())
	if finish.Kind != 0 {
		a.Finish = wire.FinishOf(string(name), finish, len(a.Calls) > 0).Reason
	}
	slices.Sort(a.Signatures)
	return a
}

// sorted returns faults sorted, because readers find them in different orders.
func sorted(faults []chat.Loss) []chat.Loss {
	return slices.SortedFunc(slices.Values(faults), func(a, b chat.Loss) int { return strings.Compare(a.String(), b.String()) })
}

// asResponse reads a body as a Response.
func asResponse(t rapid.TB, body []byte, wire format.Wire) (a wholeAnswer) {
	codec, err := all.CodecOf(wire)
	if err != nil {
		t.Fatal(err)
	}
	res, err := codec.DecodeResponse(body)
	if err != nil {
		return wholeAnswer{Failed: true}
	}
	a.ID, a.Model, a.Usage, a.Faults = res.ID, res.Model, res.Usage, sorted(res.Faults)
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

// bodies are whole answers that the two readers once read differently, by what they
// contain.
var bodies = map[string]struct {
	wire format.Wire
	body string
}{
	"parallel calls in one":     {format.OpenAI, `{"id":"c","object":"chat.completion","model":"m","choices":[{"index":0,"message":{"content":"a","tool_calls":[{"id":"t","type":"function","function":{"name":"multi_tool_use.parallel","arguments":"{\"tool_uses\":[{\"recipient_name\":\"functions.f\",\"parameters\":{\"a\":1}},{\"recipient_name\":\"functions.g\",\"parameters\":{}}]}"}}]},"finish_reason":"tool_calls"}],"usage":{"prompt_tokens":1,"completion_tokens":2}}`},
	"the same of Responses":     {format.Responses, `{"id":"r","object":"response","model":"m","status":"completed","output":[{"type":"function_call","id":"fc","call_id":"c","name":"multi_tool_use.parallel","arguments":"{\"tool_uses\":[{\"recipient_name\":\"functions.f\",\"parameters\":{\"a\":1}}]}","status":"completed"}]}`},
	"snake case":                {format.Gemini, `{"candidates":[{"content":{"parts":[{"text":"t","thought":true},{"function_call":{"name":"f","args":{"some_key":1}},"thought_signature":"c2ln"}],"role":"model"},"finish_reason":"STOP"}],"usage_metadata":{"prompt_token_count":3,"candidates_token_count":4},"model_version":"m","response_id":"r"}`},
	"a call in pieces":          {format.Gemini, `{"candidates":[{"content":{"parts":[{"text":"t"},{"functionCall":{"name":"f","willContinue":true}},{"functionCall":{"partialArgs":[{"jsonPath":"$.a","numberValue":1},{"jsonPath":"$.b","stringValue":"x","willContinue":true}],"willContinue":true}},{"functionCall":{"partialArgs":[{"jsonPath":"$.b","stringValue":"y"}]}},{"functionCall":{}},{"functionCall":{"name":"g","args":{}}}]},"finishReason":"STOP"}]}`},
	"a line without done":       {format.Ollama, `{"model":"m","message":{"role":"assistant","content":"a","tool_calls":[{"function":{"name":"f","arguments":{"a":1}}}]}}`},
	"flat calls":                {format.OpenAI, `{"object":"chat.completion","choices":[{"message":{"tool_calls":[{"id":"c","name":"f","arguments":"{\"a\":1}"},{"name":"g","arguments":{"b":2}},{"name":"","arguments":""}]},"finish_reason":"tool_calls"}]}`},
	"FastAPI's error":           {format.Responses, `{"detail":"Not Found"}`},
	"a gateway's error":         {format.Ollama, `{"statusCode":401,"message":"m"}`},
	"a gateway's code":          {format.Anthropic, `{"code":"c","message":"m","request_id":"r"}`},
	"FastAPI's list":            {format.Responses, `{"detail":[{"loc":["body"],"msg":"field required"}]}`},
	"an error beside FastAPI's": {format.Responses, `{"detail":"x","error":{"code":"c","message":"m"}}`},
	"a detail of an answer":     {format.Responses, `{"object":"response","status":"completed","output":[],"detail":"x"}`},
	"a reason that is new":      {format.Gemini, `{"candidates":[{"content":{"parts":[{"text":"a"}]},"finishReason":"NOVEL"}]}`},
	"members without a value":   {format.OpenAI, `{"id":"c","choices":[{"index":0,"message":{"content":"4","refusal":"","reasoning_content":"","function_call":{"name":"","arguments":""},"tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"{}"},"custom":{"name":"","input":""}}]},"finish_reason":""}]}`},
	"custom and function":       {format.OpenAI, `{"choices":[{"message":{"tool_calls":[{"id":"a","type":"custom","custom":{"name":"g","input":"x\"y"},"function":{"name":"","arguments":""}}]},"finish_reason":"stop"}]}`},
	"several reasonings":        {format.OpenAI, `{"choices":[{"message":{"reasoning":"r","reasoning_content":"r","content":"a"},"finish_reason":"length"}]}`},
	"usage of Groq":             {format.OpenAI, `{"choices":[{"message":{"content":"a"},"finish_reason":"stop"}],"x_groq":{"usage":{"prompt_tokens":5,"completion_tokens":1}}}`},
	"thinking and a call":       {format.Anthropic, `{"id":"m","type":"message","role":"assistant","model":"m","content":[{"type":"thinking","thinking":"t","signature":"s"},{"type":"redacted_thinking","data":"d"},{"type":"text","text":"a"},{"type":"tool_use","id":"x","name":"f","input":{}}],"stop_reason":"tool_use","stop_details":null,"usage":{"input_tokens":1,"output_tokens":2}}`},
	"a message of a history":    {format.Anthropic, `{"role":"assistant","content":[{"type":"text","text":"a"},{"type":"tool_use","id":"t","name":"f","input":{"a":1}}]}`},
	"a pause":                   {format.Anthropic, `{"id":"m","type":"message","role":"assistant","content":[{"type":"text","text":"a"}],"stop_reason":"compaction"}`},
	"items":                     {format.Responses, `{"id":"r","object":"response","model":"m","status":"incomplete","incomplete_details":{"reason":"content_filter"},"output":[{"type":"reasoning","id":"rs","summary":[{"type":"summary_text","text":"t"}],"encrypted_content":"e"},{"type":"message","role":"assistant","content":[{"type":"output_text","text":"a"},{"type":"refusal","refusal":"no"}]},{"type":"custom_tool_call","call_id":"c","name":"g","input":"x"}],"usage":{"input_tokens":1,"output_tokens":2,"total_tokens":3}}`},
	"a completion":              {format.OpenAI, `{"id":"c","object":"text_completion","model":"m","choices":[{"index":0,"text":"a","logprobs":null,"finish_reason":"length"}],"usage":{"prompt_tokens":1,"completion_tokens":2}}`},
	"text beside a message":     {format.OpenAI, `{"choices":[{"text":"b","message":{"content":"a"},"finish_reason":"stop"}]}`},
	"a generated line":          {format.Ollama, `{"model":"m","response":"a","thinking":"t","tool_calls":[{"function":{"name":"f","arguments":{"a":1}}}],"done":true,"done_reason":"stop","context":[1],"prompt_eval_count":1,"eval_count":2}`},
	"response and message":      {format.Ollama, `{"model":"m","response":"b","thinking":"u","message":{"role":"assistant","content":"a"},"done":true}`},
	"a line that is done":       {format.Ollama, `{"model":"m","message":{"role":"assistant","content":"a","thinking":"t","tool_calls":[{"function":{"name":"f","arguments":{"a":1}}}]},"done":true,"done_reason":"stop","prompt_eval_count":1,"eval_count":2}`},
}

// An answer without a finish reason gets the same one on any wire, as a body and as a
// stream.
func TestUnsaidFinishIsOne(t *testing.T) {
	for _, tt := range []struct {
		wire format.Wire
		body string
	}{
		{format.OpenAI, `{"model":"m","object":"chat.completion","choices":[{"index":0,"message":{"role":"assistant","content":"hi"},"finish_reason":null}]}`},
		{format.Anthropic, `{"id":"m","type":"message","role":"assistant","content":[{"type":"tool_use","id":"t","name":"f","input":{"a":1}}],"stop_reason":null}`},
		{format.Gemini, `{"candidates":[{"content":{"parts":[{"functionCall":{"name":"g","args":{"a":1}}}]}}]}`},
		{format.Ollama, `{"model":"m","message":{"role":"assistant","content":"a"},"done":true}`},
	} {
		for _, to := range format.Wires() {
			var said []chat.FinishReason
			for _, kind := range []format.Kind{format.KindStream, format.KindResponse} {
				out, _, err := format.Translate([]byte(tt.body), tt.wire, to, kind, format.TranslateOptions{})
				if err != nil {
					t.Fatalf("%s to %s: %v", tt.wire, to, err)
				}
				said = append(said, asStream(t, out, to).Finish)
			}
			if said[0] != said[1] || said[0] == chat.FinishUnset {
				t.Errorf("%s to %s: the stream ends with %v, the body with %v", tt.wire, to, said[0], said[1])
			}
		}
	}
}

// A whole answer has the same content as a body and as a stream.
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
	// A recording is written as a whole answer, and read in both ways.
	for _, folder := range []string{ownRecordings, sharedRecordings} {
		for _, r := range recordings(t, folder) {
			if r.want.Error != nil || strings.Contains(r.name, "error") || r.want.Terminated != nil && !*r.want.Terminated {
				continue
			}
			t.Run(r.name, func(t *testing.T) {
				wire := r.want.wireByFormat
				codec, err := all.CodecOf(wire)
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
