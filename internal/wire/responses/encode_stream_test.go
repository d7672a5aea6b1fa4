package responses_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolparse/toolparse/format"
	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/wire"
	"github.com/toolparse/toolparse/internal/wire/test/codectest"
	"github.com/toolparse/toolparse/toolcall"
)

type D = toolcall.Delta

const (
	text      = toolcall.DeltaText
	reasoning = toolcall.DeltaReasoning
	refusal   = toolcall.DeltaRefusal
	call      = toolcall.DeltaToolCall
	signature = toolcall.DeltaSignature
	finish    = toolcall.DeltaFinish
	failure   = toolcall.DeltaError
)

var meta = chat.Meta{Wire: "responses", ID: "r1", Model: "m", Created: 7}

func encode(t *testing.T, meta chat.Meta, deltas ...D) (string, []chat.Loss) {
	t.Helper()
	return codec.WriteStream(t, meta, wire.Options{}, deltas...)
}

// brief writes events shortly: their types, and of their members what differs.
// Item ids, which are made, become their number.
func brief(t *testing.T, stream string) []string {
	t.Helper()
	var lines []string
	var ids []string
	for _, e := range eventsOf(t, stream) {
		line := strings.TrimPrefix(e.kind, "response.")
		for _, key := range []string{"output_index", "content_index", "summary_index"} {
			if v, ok := e.data[key]; ok {
				line += " " + fmt.Sprint(v)
			}
		}
		for _, key := range []string{"delta", "text", "arguments", "refusal", "part", "item"} {
			if v, ok := e.data[key]; ok {
				out, err := json.Marshal(v)
				if err != nil {
					t.Fatal(err)
				}
				line += " " + string(out)
			}
		}
		if r, ok := e.data["response"].(map[string]any); ok {
			line += fmt.Sprint(" ", r["status"], " ", len(r["output"].([]any)))
		}
		for _, key := range []string{"item_id"} {
			if id, ok := e.data[key].(string); ok && !slices.Contains(ids, id) {
				t.Errorf("%s is about the item %s, which was not added", e.kind, id)
			}
		}
		if item, ok := e.data["item"].(map[string]any); ok {
			id := item["id"].(string)
			if !slices.Contains(ids, id) {
				ids = append(ids, id)
			}
			line = strings.Replace(line, `"id":"`+id+`",`, "", 1)
		}
		lines = append(lines, line)
	}
	return lines
}

type sentEvent struct {
	kind string
	data map[string]any
}

// eventsOf splits a stream as the vendor's client does, and holds it to what
// every event has.
func eventsOf(t *testing.T, stream string) (events []sentEvent) {
	t.Helper()
	body, ok := strings.CutSuffix(stream, "\n\n")
	if !ok {
		t.Errorf("the last event has no blank line")
	}
	for i, block := range strings.Split(body, "\n\n") {
		name, data, ok := strings.Cut(block, "\n")
		name, isName := strings.CutPrefix(name, "event: ")
		data, isData := strings.CutPrefix(data, "data: ")
		e := sentEvent{kind: name}
		if err := json.Unmarshal([]byte(data), &e.data); !ok || !isName || !isData || err != nil {
			t.Fatalf("event %d: %v\n%s", i, err, block)
		}
		if e.data["type"] != name || e.data["sequence_number"] != float64(i) {
			t.Errorf("event %d has type %v and number %v", i, e.data["type"], e.data["sequence_number"])
		}
		events = append(events, e)
	}
	return events
}

func TestStream(t *testing.T) {
	fromAnthropic, fromGemini := meta, meta
	fromAnthropic.Wire, fromGemini.Wire = "anthropic", "gemini"
	tests := []struct {
		name   string
		meta   chat.Meta
		in     []D
		want   []string
		losses []string
	}{
		{
			"reasoning, text, two calls side by side", meta,
			[]D{
				{Kind: reasoning, Text: "hm"}, {Kind: reasoning, Text: "m"}, {Kind: signature, Index: -1, Text: "e"},
				{Kind: text, Text: "a\n\"😀"}, {Kind: text, Text: "b"},
				{Kind: call, ID: "c1", Name: "f", Text: `{"x"`}, {Kind: call, Index: 1, ID: "c2", Name: "g"},
				{Kind: call, Text: ":1}", Done: true}, {Kind: call, Index: 1, Text: "{}", Done: true},
				{Kind: finish, Text: "completed"},
			},
			[]string{
				"created in_progress 0", "in_progress in_progress 0",
				`output_item.added 0 {"summary":[],"type":"reasoning"}`,
				`reasoning_summary_part.added 0 0 {"text":"","type":"summary_text"}`,
				`reasoning_summary_text.delta 0 0 "hm"`, `reasoning_summary_text.delta 0 0 "m"`,
				`reasoning_summary_text.done 0 0 "hmm"`,
				`reasoning_summary_part.done 0 0 {"text":"hmm","type":"summary_text"}`,
				`output_item.done 0 {"encrypted_content":"e","summary":[{"text":"hmm","type":"summary_text"}],"type":"reasoning"}`,
				`output_item.added 1 {"content":[],"role":"assistant","status":"in_progress","type":"message"}`,
				`content_part.added 1 0 {"annotations":[],"logprobs":[],"text":"","type":"output_text"}`,
				`output_text.delta 1 0 "a\n\"😀"`, `output_text.delta 1 0 "b"`,
				`output_text.done 1 0 "a\n\"😀b"`,
				`content_part.done 1 0 {"annotations":[],"logprobs":[],"text":"a\n\"😀b","type":"output_text"}`,
				`output_item.done 1 {"content":[{"annotations":[],"logprobs":[],"text":"a\n\"😀b","type":"output_text"}],"role":"assistant","status":"completed","type":"message"}`,
				`output_item.added 2 {"arguments":"","call_id":"c1","name":"f","status":"in_progress","type":"function_call"}`,
				`function_call_arguments.delta 2 "{\"x\""`,
				`output_item.added 3 {"arguments":"","call_id":"c2","name":"g","status":"in_progress","type":"function_call"}`,
				`function_call_arguments.delta 2 ":1}"`,
				`function_call_arguments.done 2 "{\"x\":1}"`,
				`output_item.done 2 {"arguments":"{\"x\":1}","call_id":"c1","name":"f","status":"completed","type":"function_call"}`,
				`function_call_arguments.delta 3 "{}"`, `function_call_arguments.done 3 "{}"`,
				`output_item.done 3 {"arguments":"{}","call_id":"c2","name":"g","status":"completed","type":"function_call"}`,
				"completed completed 4",
			}, nil,
		},
		{
			"length inside arguments", meta,
			[]D{{Kind: call, ID: "c", Name: "f", Text: "{"}, {Kind: finish, Text: "tool_calls", Truncated: true}},
			[]string{
				"created in_progress 0", "in_progress in_progress 0",
				`output_item.added 0 {"arguments":"","call_id":"c","name":"f","status":"in_progress","type":"function_call"}`,
				`function_call_arguments.delta 0 "{"`,
				`output_item.done 0 {"arguments":"{","call_id":"c","name":"f","status":"incomplete","type":"function_call"}`,
				"incomplete incomplete 1",
			}, nil,
		},
		{
			"refusal beside text", meta,
			[]D{{Kind: text, Text: "a"}, {Kind: refusal, Text: "no"}, {Kind: finish, Text: "completed"}},
			[]string{
				"created in_progress 0", "in_progress in_progress 0",
				`output_item.added 0 {"content":[],"role":"assistant","status":"in_progress","type":"message"}`,
				`content_part.added 0 0 {"annotations":[],"logprobs":[],"text":"","type":"output_text"}`,
				`output_text.delta 0 0 "a"`, `output_text.done 0 0 "a"`,
				`content_part.done 0 0 {"annotations":[],"logprobs":[],"text":"a","type":"output_text"}`,
				`content_part.added 0 1 {"refusal":"","type":"refusal"}`,
				`refusal.delta 0 1 "no"`, `refusal.done 0 1 "no"`,
				`content_part.done 0 1 {"refusal":"no","type":"refusal"}`,
				`output_item.done 0 {"content":[{"annotations":[],"logprobs":[],"text":"a","type":"output_text"},{"refusal":"no","type":"refusal"}],"role":"assistant","status":"completed","type":"message"}`,
				"completed completed 1",
			}, nil,
		},
		{
			"encrypted reasoning alone", meta, []D{{Kind: signature, Index: -1, Name: toolcall.SignsRedacted, ID: "rs_own", Text: "e"}, {Kind: finish, Text: "completed"}},
			[]string{
				"created in_progress 0", "in_progress in_progress 0", `output_item.added 0 {"summary":[],"type":"reasoning"}`,
				`output_item.done 0 {"encrypted_content":"e","summary":[],"type":"reasoning"}`, "completed completed 1",
			}, nil,
		},
		{
			"thinking signatures of others", fromAnthropic,
			[]D{{Kind: signature, Index: -1, Text: "s"}, {Kind: signature, Index: -1, Name: toolcall.SignsRedacted, Text: "z"}, {Kind: signature, Index: -1, Text: "s"}, {Kind: finish, Text: "end_turn"}},
			[]string{"created in_progress 0", "in_progress in_progress 0", "completed completed 0"}, []string{"stream.signature", "stream.redacted"},
		},
		{
			"errors in mid-stream", meta, []D{{Kind: text, Text: "a"}, {Kind: failure, Name: "overloaded", Text: "m"}},
			[]string{
				"created in_progress 0", "in_progress in_progress 0",
				`output_item.added 0 {"content":[],"role":"assistant","status":"in_progress","type":"message"}`,
				`content_part.added 0 0 {"annotations":[],"logprobs":[],"text":"","type":"output_text"}`,
				`output_text.delta 0 0 "a"`, `output_text.done 0 0 "a"`,
				`content_part.done 0 0 {"annotations":[],"logprobs":[],"text":"a","type":"output_text"}`,
				`output_item.done 0 {"content":[{"annotations":[],"logprobs":[],"text":"a","type":"output_text"}],"role":"assistant","status":"incomplete","type":"message"}`,
				"error", "failed failed 1",
			}, nil,
		},
		{
			"errors in a call, and what comes behind them", meta,
			[]D{{Kind: call, ID: "c", Name: "f", Text: "{"}, {Kind: failure, Name: "overloaded", Text: "m"}, {Kind: text, Text: "a"}},
			[]string{
				"created in_progress 0", "in_progress in_progress 0",
				`output_item.added 0 {"arguments":"","call_id":"c","name":"f","status":"in_progress","type":"function_call"}`,
				`function_call_arguments.delta 0 "{"`,
				`output_item.done 0 {"arguments":"{","call_id":"c","name":"f","status":"incomplete","type":"function_call"}`,
				"error", "failed failed 1",
			}, []string{"stream"},
		},
		{"an error alone", meta, []D{{Kind: failure, Text: "m"}}, []string{"created in_progress 0", "in_progress in_progress 0", "error", "failed failed 0"}, []string{"stream.error.code"}},
		{"nothing at all", meta, nil, []string{"created in_progress 0", "in_progress in_progress 0", "incomplete incomplete 0"}, nil},
		{
			"never finished", meta, []D{{Kind: refusal, Text: "n"}},
			[]string{
				"created in_progress 0", "in_progress in_progress 0",
				`output_item.added 0 {"content":[],"role":"assistant","status":"in_progress","type":"message"}`,
				`content_part.added 0 0 {"refusal":"","type":"refusal"}`, `refusal.delta 0 0 "n"`, `refusal.done 0 0 "n"`,
				`content_part.done 0 0 {"refusal":"n","type":"refusal"}`,
				`output_item.done 0 {"content":[{"refusal":"n","type":"refusal"}],"role":"assistant","status":"incomplete","type":"message"}`,
				"incomplete incomplete 1",
			}, nil,
		},
		{"nothing follows a finish reason", meta, []D{{Kind: finish, Text: "completed"}, {Kind: text, Text: "a"}, {Kind: text, Text: "b"}}, []string{"created in_progress 0", "in_progress in_progress 0", "completed completed 0"}, []string{"stream"}},
		{"choices above index 0", meta, []D{{Kind: finish, Choice: 2, Text: "completed"}, {Kind: text, Choice: 1, Text: "a"}, {Kind: finish, Text: "completed"}}, []string{"created in_progress 0", "in_progress in_progress 0", "completed completed 0"}, []string{"stream.choices"}},
		{"a failed end", fromGemini, []D{{Kind: finish, Text: "MALFORMED_FUNCTION_CALL", Truncated: true}}, []string{"created in_progress 0", "in_progress in_progress 0", "failed failed 0"}, nil},
		{"a refusal as a reason", fromAnthropic, []D{{Kind: finish, Text: "refusal", Truncated: true}}, []string{"created in_progress 0", "in_progress in_progress 0", "incomplete incomplete 0"}, []string{"stream.finish"}},
		{"a pause", fromAnthropic, []D{{Kind: finish, Text: "pause_turn"}}, []string{"created in_progress 0", "in_progress in_progress 0", "incomplete incomplete 0"}, []string{"stream.finish"}},
		{"cancelled", meta, []D{{Kind: finish, Text: "cancelled", Truncated: true}}, []string{"created in_progress 0", "in_progress in_progress 0", "incomplete cancelled 0"}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			out, losses := encode(t, tt.meta, tt.in...)
			if diff := cmp.Diff(tt.want, brief(t, out)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tt.losses, codectest.Fields(losses)); diff != "" {
				t.Errorf("losses (-want +got):\n%s", diff)
			}
		})
	}
}

// Every event, byte for byte, where clients look closely.
func TestStreamBytes(t *testing.T) {
	m := meta
	m.Usage = chat.Usage{Input: 3, Output: 2, CachedInput: 1, Reasoning: 1, Total: 5}
	out, _ := encode(t, m, D{Kind: text, Text: "a"}, D{Kind: failure, Text: "m", Name: "c"})
	events := strings.Split(strings.TrimSuffix(out, "\n\n"), "\n\n")
	const settings = `"parallel_tool_calls":true,"temperature":null,"tool_choice":"auto","tools":[],"top_p":null`
	message := eventsOf(t, out)[2].data["item"].(map[string]any)["id"].(string)
	for i, want := range map[int]string{
		0: `event: response.created` + "\n" + `data: {"type":"response.created","sequence_number":0,"response":{"id":"r1","object":"response","created_at":7,"status":"in_progress","error":null,"incomplete_details":null,"model":"m","output":[],"instructions":null,"metadata":{},` + settings + `,"usage":null}}`,
		4: `event: response.output_text.delta` + "\n" + `data: {"type":"response.output_text.delta","sequence_number":4,"item_id":"` + message + `","output_index":0,"content_index":0,"delta":"a","logprobs":[]}`,
		8: `event: error` + "\n" + `data: {"type":"error","sequence_number":8,"code":"c","message":"m","param":null,"error":{"type":"c","code":"c","message":"m","param":null}}`,
		9: `event: response.failed` + "\n" + `data: {"type":"response.failed","sequence_number":9,"response":{"id":"r1","object":"response","created_at":7,"status":"failed","error":{"code":"c","message":"m"},"incomplete_details":null,"model":"m","output":[{"id":"` + message + `","type":"message","status":"incomplete","role":"assistant","content":[{"type":"output_text","annotations":[],"logprobs":[],"text":"a"}]}],"instructions":null,"metadata":{},` + settings + `,"usage":{"input_tokens":3,"input_tokens_details":{"cached_tokens":1,"cache_write_tokens":0},"output_tokens":2,"output_tokens_details":{"reasoning_tokens":1},"total_tokens":5}}}`,
	} {
		if diff := cmp.Diff(want, events[i]); diff != "" {
			t.Errorf("event %d (-want +got):\n%s", i, diff)
		}
	}
	out, _ = encode(t, meta, D{Kind: finish, Text: "incomplete", Name: "content_filter", Truncated: true})
	if !strings.Contains(out, `"status":"incomplete","error":null,"incomplete_details":{"reason":"content_filter"}`) {
		t.Error(out)
	}
}

// The id of the response is that of the first event, also where the source has
// none or tells it late; the model is what is known at the end.
func TestStreamKeepsItsID(t *testing.T) {
	e := codec.NewEncoder(wire.Options{})
	out := e.Append(nil, D{Kind: text, Text: "a"})
	e.SetMeta(meta)
	out = e.Close(out)
	var ids []string
	for _, event := range eventsOf(t, string(out)) {
		if r, ok := event.data["response"].(map[string]any); ok {
			ids = append(ids, r["id"].(string))
		}
	}
	if len(ids) != 3 || ids[0] != ids[2] || !strings.HasPrefix(ids[0], "resp_") || !strings.Contains(string(out), `"model":"m"`) {
		t.Errorf("%v\n%s", ids, out)
	}
}

// What is announced in a stream is what its last event repeats: the items by
// their output indices, each once, and the texts and arguments of their pieces.
func TestStreamsAgreeWithTheirEnd(t *testing.T) {
	for _, r := range codectest.Recordings(t, "*") {
		t.Run(r.Name, func(t *testing.T) {
			var out bytes.Buffer
			if _, err := format.TranslateStream(&out, bytes.NewReader(r.Body), format.Auto, format.Responses, format.TranslateOptions{}); err != nil && !strings.Contains(out.String(), "response.failed") {
				t.Errorf("%v", err)
			}
			checkAgainstEnd(t, eventsOf(t, out.String()))
		})
	}
}

func checkAgainstEnd(t *testing.T, events []sentEvent) {
	t.Helper()
	pieces := map[string]string{} // by output index and part
	done := map[float64]any{}
	added := 0
	for i, e := range events {
		switch {
		case e.kind == "response.output_item.added":
			if e.data["output_index"] != float64(added) {
				t.Errorf("event %d adds the item at %v, %d were added", i, e.data["output_index"], added)
			}
			added++
		case isPiece(e.kind, ".delta"):
			pieces[place(e)] += e.data["delta"].(string)
		case e.kind == "response.output_item.done":
			done[e.data["output_index"].(float64)] = e.data["item"]
		case isPiece(e.kind, ".done"):
			for _, key := range []string{"text", "arguments", "refusal", "input"} {
				if whole, ok := e.data[key]; ok && whole != pieces[place(e)] {
					t.Errorf("event %d: %v, the pieces say %q", i, whole, pieces[place(e)])
				}
			}
		}
	}
	last := events[len(events)-1]
	if !slices.Contains([]string{"response.completed", "response.incomplete", "response.failed"}, last.kind) {
		t.Fatalf("the last event is %s", last.kind)
	}
	output := last.data["response"].(map[string]any)["output"].([]any)
	if len(output) != added {
		t.Errorf("%d items were added, at the end there are %d", added, len(output))
	}
	for index, item := range done {
		if diff := cmp.Diff(item, output[int(index)]); diff != "" {
			t.Errorf("item %v (-done +end):\n%s", index, diff)
		}
	}
	if last.kind == "response.completed" && len(done) != added {
		t.Errorf("%d items were added and %d done", added, len(done))
	}
}

// isPiece reports whether an event is one of those about pieces. Others are
// copied, whatever they hold.
func isPiece(kind, suffix string) bool {
	of := strings.TrimPrefix(strings.TrimSuffix(kind, suffix), "response.")
	return kind == "response."+of+suffix && slices.Contains([]string{
		"output_text", "refusal", "reasoning_text", "reasoning_summary_text", "function_call_arguments", "custom_tool_call_input",
	}, of)
}

// place tells which piece of the output an event is about.
func place(e sentEvent) string {
	return fmt.Sprint(e.data["output_index"], e.data["content_index"], e.data["summary_index"])
}

// The recordings of this wire come back with their metadata.
func TestStreamsKeepTheirMeta(t *testing.T) {
	recorded := codectest.Recordings(t, "responses-*.[sc]*")
	if len(recorded) == 0 {
		t.Fatal("no recordings")
	}
	for _, r := range recorded {
		body := r.Body
		var out bytes.Buffer
		if _, err := format.TranslateStream(&out, bytes.NewReader(body), format.Responses, format.Responses, format.TranslateOptions{}); err != nil && !strings.Contains(out.String(), "response.failed") {
			t.Errorf("%s: %v", r.Name, err)
		}
		before, after := metaOf(t, body), metaOf(t, out.Bytes())
		if before != after || before.ID == "" || before.Model == "" || before.Created == 0 {
			t.Errorf("%s: %+v, was %+v", r.Name, after, before)
		}
	}
}

func metaOf(t *testing.T, body []byte) chat.Meta {
	t.Helper()
	stream := format.NewStream(bytes.NewReader(body), format.Options{Wire: format.Responses})
	for _, err := range stream.Deltas() {
		if err != nil {
			t.Fatal(err)
		}
	}
	return stream.Meta()
}
