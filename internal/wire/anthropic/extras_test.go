package anthropic_test

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
	"github.com/toolparse/toolparse/internal/wire/frame"
	"github.com/toolparse/toolparse/internal/wire/test/codectest"
	"github.com/toolparse/toolparse/internal/wire/test/wiretest"
	"github.com/toolparse/toolparse/toolcall"
)

// missing lists what a stream tells and another of this wire does not, but for
// what is made anew: pieces without anything in them are left out, and so the
// events are fewer.
func missing(t testing.TB, in, out []byte) []string {
	framing := frame.SSE
	if in[0] == '{' {
		framing = frame.JSON
	}
	list := wiretest.Missing(wiretest.Leaves(t, framing, in), wiretest.Leaves(t, frame.SSE, out), func(path string) bool {
		switch path {
		case "type", "index", "delta.type", "content_block.type", "delta.partial_json": // a comma comes with what follows it
			return true
		}
		return false
	})
	return slices.DeleteFunc(list, func(leaf string) bool { return strings.HasSuffix(leaf, ` ""`) })
}

// rich has members that nobody knows at every level, and what only this wire has.
var rich = []string{
	`{"type":"message_start","message":{"id":"m","type":"message","role":"assistant","model":"c","content":[],"stop_reason":null,"container":{"id":"cntr_1"},"usage":{"input_tokens":3,"cache_creation_input_tokens":0,"cache_read_input_tokens":1,"cache_creation":{"ephemeral_5m_input_tokens":2},"output_tokens":1,"service_tier":"priority","inference_geo":"eu","output_tokens_details":{"thinking_tokens":1,"head":1}}},"x_start":1}`,
	`{"type":"novelty","x":{"y":[1,null]}}`,
	`{"type":"ping","cost":0.5}`,
	`{"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":"","signature":"","x_thinking":1},"x_block":2}`,
	`{"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"hm","x":3},"x_event":4}`,
	`{"type":"content_block_delta","index":0,"delta":{"type":"novel_delta","novel":5}}`,
	`{"type":"content_block_delta","index":0,"delta":{"type":"signature_delta","signature":"s","x":6}}`,
	`{"type":"content_block_stop","index":0}`,
	`{"type":"content_block_start","index":1,"content_block":{"type":"redacted_thinking","data":"d","x_redacted":7}}`,
	`{"type":"content_block_stop","index":1,"x_stop":8}`,
	`{"type":"content_block_start","index":2,"content_block":{"type":"server_tool_use","id":"s","name":"web_search","input":{},"x_server":9}}`,
	`{"type":"content_block_delta","index":2,"delta":{"type":"input_json_delta","partial_json":"{\"q"},"x_delta":10}`,
	`{"type":"content_block_delta","index":2,"delta":{"type":"input_json_delta","partial_json":"\":1}"}}`,
	`{"type":"content_block_stop","index":2}`,
	`{"type":"content_block_start","index":3,"content_block":{"type":"web_search_tool_result","tool_use_id":"s","content":[{"type":"web_search_result","url":"u"}]}}`,
	`{"type":"content_block_stop","index":3}`,
	`{"type":"content_block_start","index":4,"content_block":{"type":"text","text":""}}`,
	`{"type":"content_block_delta","index":4,"delta":{"type":"text_delta","text":"a"}}`,
	`{"type":"content_block_stop","index":4}`,
	`{"type":"content_block_start","index":5,"content_block":{"type":"text","text":"","citations":[]}}`,
	`{"type":"content_block_delta","index":5,"delta":{"type":"citations_delta","citation":{"type":"web_search_result_location","url":"u"}}}`,
	`{"type":"content_block_delta","index":5,"delta":{"type":"text_delta","text":"b"}}`,
	`{"type":"content_block_delta","index":5,"delta":{"type":"text_delta","text":"","x_empty":11}}`,
	`{"type":"content_block_stop","index":5}`,
	`{"type":"content_block_start","index":6,"content_block":{"type":"text","text":"","x_nothing":12}}`,
	`{"type":"content_block_stop","index":6}`,
	`{"type":"content_block_start","index":7,"content_block":{"type":"text","text":""}}`,
	`{"type":"content_block_delta","index":7,"delta":{"type":"text_delta","text":"c"}}`,
	`{"type":"content_block_stop","index":7}`,
	`{"type":"content_block_start","index":8,"content_block":{"type":"tool_use","id":"toolu_1","name":"f","input":{},"caller":{"type":"code_execution_20250825","tool_id":"s"}}}`,
	`{"type":"content_block_delta","index":8,"delta":{"type":"input_json_delta","partial_json":"{\"a\":","x":13},"x_call":14}`,
	`{"type":"content_block_delta","index":8,"delta":{"type":"novel_delta","novel":15}}`,
	`{"type":"content_block_delta","index":8,"delta":{"type":"input_json_delta","partial_json":"1}"}}`,
	`{"type":"content_block_stop","index":8}`,
	`{"type":"content_block_start","index":9,"content_block":{"type":"tool_use","id":"toolu_2","name":"f","input":{},"caller":{"type":"direct"}}}`,
	`{"type":"content_block_delta","index":9,"delta":{"type":"input_json_delta","partial_json":"{}"}}`,
	`{"type":"content_block_stop","index":9}`,
	`{"type":"message_delta","delta":{"stop_reason":"tool_use","stop_sequence":"END","stop_details":{"type":"x"},"container":{"id":"cntr_2"}},"usage":{"input_tokens":3,"output_tokens":9,"server_tool_use":{"web_search_requests":1},"output_tokens_details":{"thinking_tokens":2,"tail":1}},"context_management":{"applied_edits":[]}}`,
	`{"type":"message_stop","amazon-bedrock-invocationMetrics":{"inputTokenCount":3}}`,
}

// stream frames events as the vendor does.
func stream(events ...string) []byte {
	var b bytes.Buffer
	for _, e := range events {
		b.WriteString("data: " + strings.ReplaceAll(e, "\n", "\ndata: ") + "\n\n")
	}
	return b.Bytes()
}

func translate(t testing.TB, in []byte, to format.Wire) (string, []chat.Loss) {
	t.Helper()
	out, losses, err := format.Translate(in, format.Anthropic, to, format.KindStream, format.TranslateOptions{})
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return string(out), losses
}

// What nobody knows comes back, each in its place, and nothing of it is a loss.
func TestExtrasComeBack(t *testing.T) {
	in := stream(rich...)
	out, losses := translate(t, in, format.Anthropic)
	if len(losses) > 0 {
		t.Errorf("losses %v", losses)
	}
	brief(t, out)
	if missing := missing(t, in, []byte(out)); len(missing) > 0 {
		t.Errorf("%q is lost of\n%s", missing, out)
	}
	for _, want := range []string{
		`"stop_sequence":"END"`,
		`{"type":"content_block_start","index":5,"content_block":{"type":"text","text":"","citations":[]}}`,
		`{"type":"content_block_start","index":8,"content_block":{"type":"tool_use","id":"toolu_1","name":"f","input":{},"caller":{"type":"code_execution_20250825","tool_id":"s"}}}`,
		`{"type":"content_block_delta","index":8,"delta":{"type":"input_json_delta","partial_json":"{\"a\":","x":13},"x_call":14}`,
	} {
		if !strings.Contains(out, want) {
			t.Errorf("%s\nlacks %s", out, want)
		}
	}
	again, _ := translate(t, []byte(out), format.Anthropic)
	if diff := cmp.Diff(out, again); diff != "" {
		t.Errorf("(-once +twice):\n%s", diff)
	}
}

// Elsewhere each is a loss, once.
func TestExtrasElsewhere(t *testing.T) {
	for _, to := range format.Wires() {
		if to == format.Anthropic {
			continue
		}
		t.Run(string(to), func(t *testing.T) {
			_, losses := translate(t, stream(rich...), to)
			count := map[string]int{}
			for _, l := range losses {
				count[l.Field]++
			}
			for _, field := range []string{
				"stream.message_start.message.container", "stream.message_start.message.usage.service_tier", "stream.novelty",
				"stream.content_block.server_tool_use", "stream.content_block_start.tool_use.caller", "stream.content_block_stop",
				"stream.content_block_delta.text.citations_delta", "stream.message_delta.delta.stop_sequence",
				"stream.message_delta.usage.server_tool_use", "stream.message_delta.context_management",
			} {
				if count[field] != 1 {
					t.Errorf("%s is told %d times in %v", field, count[field], losses)
				}
			}
			if count["stream.content_block_start.text.citations"] > 0 {
				t.Error("an empty list is a loss")
			}
		})
	}
}

// The members of an error come back, and nothing follows it.
func TestErrorsComeBack(t *testing.T) {
	const failure = `{"type":"error","error":{"type":"rate_limit_error","message":"m","code":429,"details":{"x":1}},"request_id":"r"}`
	in := stream(rich[0], rich[1], `{"type":"content_block_start","index":0,"content_block":{"type":"text","text":"a"}}`, failure,
		`{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"b"}}`, `{"type":"content_block_stop","index":0}`, `{"type":"message_stop"}`)
	for _, body := range [][]byte{in, []byte(failure)} {
		out, losses, err := format.Translate(body, format.Anthropic, format.Anthropic, format.KindStream, format.TranslateOptions{})
		if err == nil || !strings.Contains(err.Error(), "rate_limit_error") {
			t.Errorf("the error is %v", err)
		}
		if missing := missing(t, []byte(failure), out); len(missing) > 0 || bytes.Contains(out, []byte(`"text":"b"`)) || !bytes.Contains(out, []byte("event: error\n")) {
			t.Errorf("%q is lost of\n%s", missing, out)
		}
		if told := slices.Contains(codectest.Fields(losses), "stream"); told != (len(body) == len(in)) {
			t.Errorf("losses %v", losses)
		}
	}
	out, losses := codec.WriteStream(t, meta, wire.Options{}, D{Kind: toolcall.DeltaError, Text: "m"})
	if !strings.Contains(out, `"type":"api_error"`) || cmp.Diff([]string{"stream.error.code"}, codectest.Fields(losses)) != "" {
		t.Errorf("%s, %v", out, losses)
	}
}

// The encoder bears any extras, and keeps to the order of events.
func TestAnyExtras(t *testing.T) {
	names := []string{
		"message_start", "message_start.message.x", "message_start.x", "content_block.web", "content_block_start.text.x", "content_block_start.tool_use.caller",
		"content_block_delta.text_delta.x", "content_block_delta.x", "content_block_delta.text.y", "content_block_delta.tool_use.y", "content_block_stop", "content_block_stop.x",
		"message_delta.usage.x", "message_delta.delta.stop_sequence", "message_stop.x", "error.x", "novel", "no\nvel",
	}
	values := []string{"1", "null", `{"type":"content_block_start","content_block":{"type":"web"}}`, `{"type":"content_block_delta","delta":{}}`, `{"type":"content_block_stop"}`, `{"type":"novel"}`}
	rapid.Check(t, func(t *rapid.T) {
		e := codec.NewEncoder(wire.Options{})
		e.SetMeta(meta)
		var out []byte
		call := 0
		for range rapid.IntRange(0, 12).Draw(t, "deltas") {
			d := D{Kind: toolcall.DeltaText, Index: toolcall.NoIndex, Text: "a"}
			switch rapid.IntRange(0, 6).Draw(t, "kind") {
			case 0:
				call++
				d = D{Kind: toolcall.DeltaToolCall, Index: call, ID: "c", Name: "f", Text: "{}", Done: rapid.Bool().Draw(t, "done")}
			case 1:
				d.Kind = toolcall.DeltaReasoning
			case 2:
			default:
				d.Kind, d.Name = toolcall.DeltaExtra, rapid.SampledFrom(names).Draw(t, "name")
				d.Text = rapid.SampledFrom(values).Draw(t, "value")
				d.Index = rapid.IntRange(-1, call).Draw(t, "index")
				if d.Name == "novel" {
					d.Text = values[5]
				}
			}
			out = e.Append(out, d)
		}
		brief(t, string(e.Close(out)))
	})
}

// A whole body is read as if it had come as a stream.
func TestExtrasOfBodies(t *testing.T) {
	const body = `{"id":"m","type":"message","role":"assistant","model":"c",
	"content":[{"type":"text","text":"a"},{"type":"text","text":"b","citations":[{"type":"x",
	"n":1}]},{"type":"server_tool_use","id":"s","name":"n","input":{"q":1}},{"type":"tool_use","id":"t","name":"f","input":{},"caller":{"type":"direct"}}],
	"stop_reason":"stop_sequence","stop_sequence":"END","container":{"id":"c"},"usage":{"input_tokens":1,"output_tokens":2,"service_tier":"standard"}}`
	out, losses := translate(t, []byte(body), format.Anthropic)
	if len(losses) > 0 {
		t.Errorf("losses %v", losses)
	}
	brief(t, out)
	for _, want := range []string{
		`"index":1,"content_block":{"type":"text","text":"","citations":[{"type":"x", ` + "\t" + `"n":1}]}`,
		`"index":2,"content_block":{"type":"server_tool_use","id":"s","name":"n","input":{"q":1}}`,
		`"caller":{"type":"direct"}`, `"container":{"id":"c"}`, `"service_tier":"standard"`, `"stop_sequence":"END"`,
	} {
		if !strings.Contains(out, want) {
			t.Errorf("%s\nlacks %s", out, want)
		}
	}
}
