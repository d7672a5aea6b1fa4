package clients

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolparse/toolparse/format"
	"github.com/toolparse/toolparse/format/chat"
)

// Every client understands the whole answer that every recording comes to.
func TestClientsReadResponses(t *testing.T) {
	for _, r := range recordings(t) {
		if r.Restarted {
			continue // no answer was whole
		}
		body, firstLosses := wholeOf(t, r)
		if body == nil {
			continue
		}
		for _, c := range clients {
			t.Run(r.name+" as "+string(c.wire), func(t *testing.T) {
				out, losses, err := format.Translate(body, format.Responses, c.wire, format.KindResponse, format.TranslateOptions{})
				if err != nil {
					t.Fatal(err)
				}
				want := r.expected(c.wire, nil)
				for i, id := range want.Calls { // renamed for Responses, then for the wire
					want.Calls[i].ID = idOn(idOn(id.ID, firstLosses), losses)
				}
				if c.wire == format.Anthropic {
					// A call without sound arguments cannot stand in a whole answer.
					whole := want.Calls[:0]
					for i, made := range want.Calls {
						if !r.Calls[i].Incomplete {
							whole = append(whole, made)
						}
					}
					want.Calls = slices.Clip(whole)
					if len(whole) == 0 {
						want.Calls = nil
					}
				}
				check(t, c, out, want, losses)
			})
		}
	}
}

// wholeOf returns the whole answer that a recorded stream comes to, as the last
// event of Responses has it, and nil for one that failed.
func wholeOf(t *testing.T, r recording) ([]byte, []chat.Loss) {
	t.Helper()
	var out bytes.Buffer
	losses, _ := format.TranslateStream(&out, bytes.NewReader(r.body), r.wire, format.Responses, format.TranslateOptions{})
	events := strings.Split(strings.TrimSpace(out.String()), "\n\n")
	_, data, _ := strings.Cut(events[len(events)-1], "\ndata: ")
	var last struct {
		Type     string
		Response json.RawMessage
	}
	if err := json.Unmarshal([]byte(data), &last); err != nil {
		t.Fatalf("%s: %v\n%s", r.name, err, out.String())
	}
	if want := r.expected(format.Responses, losses); want.Failed {
		if last.Type != "response.failed" {
			t.Errorf("%s ends with %s", r.name, last.Type)
		}
		return nil, nil
	}
	return last.Response, losses
}

// check has a client read a whole answer.
func check(t *testing.T, c client, body []byte, want said, losses []chat.Loss) {
	t.Helper()
	got, err := c.whole(t, serve(t, contentType(c.wire, false), body).URL)
	if err != nil {
		t.Fatalf("%v\n%s", err, body)
	}
	fill(want.Calls, got.Calls)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-answered +client):\n%s\nlosses %v\n%s", diff, losses, body)
	}
}

// answers are whole bodies as the vendors' servers send them, which all say the
// same.
var answers = []struct {
	wire format.Wire
	body string
}{
	{format.OpenAI, `{"id":"chatcmpl-1","object":"chat.completion","created":1700000000,"model":"m","choices":[{"index":0,"message":{"role":"assistant","content":"I look \"it\" up. é😀","reasoning_content":"Both.","refusal":null,"tool_calls":[{"id":"call_a","type":"function","function":{"name":"get_weather","arguments":"{\"city\":\"Oslo\",\"days\":2}"}},{"id":"call_b","type":"function","function":{"name":"take_picture","arguments":""}}]},"logprobs":null,"finish_reason":"tool_calls"}],"usage":{"prompt_tokens":30,"completion_tokens":12,"total_tokens":42}}`},
	{format.Responses, `{"id":"resp_1","object":"response","created_at":1700000000,"status":"completed","error":null,"incomplete_details":null,"model":"m","output":[{"id":"rs_1","type":"reasoning","summary":[{"type":"summary_text","text":"Both."}]},{"id":"msg_1","type":"message","status":"completed","role":"assistant","content":[{"type":"output_text","text":"I look \"it\" up. é😀","annotations":[]}]},{"id":"fc_1","type":"function_call","status":"completed","call_id":"call_a","name":"get_weather","arguments":"{\"city\":\"Oslo\",\"days\":2}"},{"id":"fc_2","type":"function_call","status":"completed","call_id":"call_b","name":"take_picture","arguments":"{}"}],"usage":{"input_tokens":30,"output_tokens":12,"total_tokens":42}}`},
	{format.Anthropic, `{"id":"msg_1","type":"message","role":"assistant","model":"m","content":[{"type":"thinking","thinking":"Both.","signature":"c2lnbmF0dXJl"},{"type":"text","text":"I look \"it\" up. é😀"},{"type":"tool_use","id":"call_a","name":"get_weather","input":{"city":"Oslo","days":2}},{"type":"tool_use","id":"call_b","name":"take_picture","input":{}}],"stop_reason":"tool_use","stop_sequence":null,"usage":{"input_tokens":30,"output_tokens":12}}`},
	{format.Gemini, `{"candidates":[{"content":{"role":"model","parts":[{"text":"Both.","thought":true},{"text":"I look \"it\" up. é😀"},{"functionCall":{"id":"call_a","name":"get_weather","args":{"city":"Oslo","days":2}},"thoughtSignature":"c2lnbmF0dXJl"},{"functionCall":{"id":"call_b","name":"take_picture"}}]},"finishReason":"STOP","index":0}],"usageMetadata":{"promptTokenCount":30,"candidatesTokenCount":12,"totalTokenCount":42},"modelVersion":"m","responseId":"r"}`},
	{format.Ollama, `{"model":"m","created_at":"2026-11-20T15:38:10.81561305Z","message":{"role":"assistant","content":"I look \"it\" up. é😀","thinking":"Both.","tool_calls":[{"id":"call_a","function":{"index":0,"name":"get_weather","arguments":{"city":"Oslo","days":2}}},{"id":"call_b","function":{"index":1,"name":"take_picture","arguments":{}}}]},"done":true,"done_reason":"stop","prompt_eval_count":30,"eval_count":12}`},
}

// Every client understands the whole answer of every wire.
func TestClientsReadAnswers(t *testing.T) {
	want := said{
		Text: "I look \"it\" up. é😀", Thinking: "Both.", Finish: "tool_calls",
		Calls: []call{{"call_a", "get_weather", `{"city":"Oslo","days":2}`}, {"call_b", "take_picture", "{}"}},
	}
	for _, a := range answers {
		for _, c := range clients {
			t.Run(string(a.wire)+" as "+string(c.wire), func(t *testing.T) {
				out, losses, err := format.Translate([]byte(a.body), a.wire, c.wire, format.KindResponse, format.TranslateOptions{})
				if err != nil {
					t.Fatal(err)
				}
				check(t, c, out, want, losses)
			})
		}
	}
}
