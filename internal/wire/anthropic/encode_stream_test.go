package anthropic_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/toolparse/toolparse/format"
	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/wire"
	"github.com/toolparse/toolparse/internal/wire/test/codectest"
	"github.com/toolparse/toolparse/toolcall"
)

type D = toolcall.Delta

var meta = chat.Meta{Wire: "anthropic", ID: "msg_1", Model: "m"}

// brief shortens a stream to a line for each event, and checks what holds for
// all streams: events have names, blocks are numbered from 0 in their order and
// are open one at a time, the start of a call has no input, the message begins
// without content.
func brief(t rapid.TB, stream string) []string {
	t.Helper()
	var lines []string
	blocks, open, stopped := 0, false, false
	body, ok := strings.CutSuffix(stream, "\n\n")
	if !ok {
		t.Fatalf("the last event has no blank line:\n%s", stream)
	}
	for event := range strings.SplitSeq(body, "\n\n") {
		name, data, ok := strings.Cut(event, "\ndata: ")
		name = strings.TrimPrefix(name, "event: ")
		var e struct {
			Type         string
			Index        *int
			Message      json.RawMessage
			ContentBlock json.RawMessage `json:"content_block"`
			Delta        json.RawMessage
			Usage        json.RawMessage
			Error        json.RawMessage
		}
		if err := json.Unmarshal([]byte(data), &e); err != nil || !ok || e.Type != name || stopped {
			t.Fatalf("bad event %q: %v", event, err)
		}
		switch name {
		case "message_start":
			if len(lines) > 0 || !strings.Contains(data, `"content":[],"stop_reason":null,"stop_sequence":null,"usage":{`) {
				t.Errorf("bad start %s", data)
			}
		case "content_block_start":
			if *e.Index != blocks {
				t.Errorf("block %d where %d should be", *e.Index, blocks)
			}
			if bytes.HasPrefix(e.ContentBlock, []byte(`{"type":"tool_use"`)) && !bytes.Contains(e.ContentBlock, []byte(`"input":{}`)) {
				t.Errorf("input in the start: %s", data)
			}
			blocks++
			open = true
		case "content_block_delta", "content_block_stop":
			if *e.Index != blocks-1 || !open {
				t.Errorf("%s, but block %d is open: %v", data, blocks-1, open)
			}
			open = name == "content_block_delta"
		case "message_stop":
			stopped = true
		}
		short := strings.NewReplacer("content_block_", "", "_delta", "", "message_start", "begin").Replace(name)
		switch {
		case e.Index != nil:
			short = fmt.Sprint(short, *e.Index)
		case name == "message_delta":
			short = "end"
		}
		for _, part := range []json.RawMessage{e.ContentBlock, e.Delta, e.Usage, e.Error} {
			if part != nil {
				short += " " + string(part)
			}
		}
		lines = append(lines, short)
	}
	return lines
}

func TestStream(t *testing.T) {
	const text, reasoning, refusal, call, signature, finish, failure = toolcall.DeltaText, toolcall.DeltaReasoning, toolcall.DeltaRefusal, toolcall.DeltaToolCall, toolcall.DeltaSignature, toolcall.DeltaFinish, toolcall.DeltaError
	withUsage := meta
	withUsage.Usage = chat.Usage{Input: 9, Output: 2, CachedInput: 1, CacheWrite: 3, Reasoning: 1, Total: 11}
	fromOpenAI := meta
	fromOpenAI.Wire = "openai"
	fromGemini := meta
	fromGemini.Wire = "gemini"
	const (
		textStart     = ` {"type":"text","text":""}`
		thinkingStart = ` {"type":"thinking","thinking":"","signature":""}`
		noUsage       = ` {"input_tokens":0,"cache_creation_input_tokens":0,"cache_read_input_tokens":0,"output_tokens":0}`
	)
	ends := func(reason string) string {
		return `end {"stop_reason":"` + reason + `","stop_sequence":null}` + noUsage
	}
	tests := []struct {
		name   string
		meta   chat.Meta
		opts   wire.Options
		in     []D
		want   []string // but for the first event
		losses int
	}{
		{
			"thinking, text, a call, and the usage last", withUsage, wire.Options{},
			[]D{
				{Kind: reasoning, Text: "h"}, {Kind: reasoning, Text: "m"}, {Kind: signature, Index: -1, Text: "s"}, {Kind: text, Text: "a\n\"😀"},
				{Kind: call, ID: "c1", Name: "f", Text: `{"x"`}, {Kind: call, Text: ":1}", Done: true}, {Kind: finish, Text: "tool_use"},
			},
			[]string{
				"start0" + thinkingStart, `delta0 {"type":"thinking_delta","thinking":"h"}`, `delta0 {"type":"thinking_delta","thinking":"m"}`, `delta0 {"type":"signature_delta","signature":"s"}`, "stop0",
				"start1" + textStart, `delta1 {"type":"text_delta","text":"a\n\"😀"}`, "stop1",
				`start2 {"type":"tool_use","id":"c1","name":"f","input":{}}`, `delta2 {"type":"input_json_delta","partial_json":"{\"x\""}`, `delta2 {"type":"input_json_delta","partial_json":":1}"}`, "stop2",
				`end {"stop_reason":"tool_use","stop_sequence":null} {"input_tokens":5,"cache_creation_input_tokens":3,"cache_read_input_tokens":1,"output_tokens":2,"output_tokens_details":{"thinking_tokens":1}}`, "message_stop",
			}, 0,
		},
		{
			"redacted thinking, and thinking that is not shown", meta, wire.Options{},
			[]D{{Kind: signature, Index: -1, Name: toolcall.SignsRedacted, Text: "d"}, {Kind: signature, Index: -1, Text: "s"}, {Kind: reasoning, Text: "t"}, {Kind: signature, Index: -1, Name: toolcall.SignsRedacted, Text: "e"}, {Kind: finish, Text: "end_turn"}},
			[]string{
				`start0 {"type":"redacted_thinking","data":"d"}`, "stop0",
				"start1" + thinkingStart, `delta1 {"type":"signature_delta","signature":"s"}`, "stop1",
				"start2" + thinkingStart, `delta2 {"type":"thinking_delta","thinking":"t"}`, "stop2",
				`start3 {"type":"redacted_thinking","data":"e"}`, "stop3", ends("end_turn"), "message_stop",
			}, 0,
		},
		{
			"signatures of another provider", fromGemini, wire.Options{},
			[]D{{Kind: reasoning, Text: "t"}, {Kind: signature, Index: -1, Text: "s"}, {Kind: call, ID: "c", Name: "f", Text: "{}", Done: true}, {Kind: signature, Name: toolcall.SignsCall, Text: "s"}, {Kind: signature, Index: -1, Name: toolcall.SignsRedacted, Text: "s"}, {Kind: finish, Text: "STOP"}},
			[]string{
				"start0" + thinkingStart, `delta0 {"type":"thinking_delta","thinking":"t"}`, "stop0",
				`start1 {"type":"tool_use","id":"c","name":"f","input":{}}`, `delta1 {"type":"input_json_delta","partial_json":"{}"}`, "stop1", ends("tool_use"), "message_stop",
			}, 2,
		},
		{"thinking without a signature, by the vendor's book", fromOpenAI, wire.Options{VendorOnly: true}, []D{{Kind: reasoning, Text: "t"}, {Kind: finish, Text: "stop"}}, []string{ends("end_turn"), "message_stop"}, 1},
		{
			"interleaved calls, and text between them", meta, wire.Options{},
			[]D{
				{Kind: call, Index: 0, ID: "a", Name: "f", Text: "{"}, {Kind: call, Index: 1, ID: "b", Name: "g", Text: `{"y"`}, {Kind: text, Text: "t"}, {Kind: text, Text: "u"},
				{Kind: call, Index: 2, ID: "c", Name: "h", Text: "{"}, {Kind: call, Index: 1, Text: `:2}`, Done: true}, {Kind: call, Index: 0, Text: "}", Done: true},
				{Kind: call, Index: 2, Text: "}", Done: true}, {Kind: text, Text: "v"}, {Kind: finish, Text: "tool_calls"},
			},
			[]string{
				`start0 {"type":"tool_use","id":"a","name":"f","input":{}}`, `delta0 {"type":"input_json_delta","partial_json":"{"}`, `delta0 {"type":"input_json_delta","partial_json":"}"}`, "stop0",
				`start1 {"type":"tool_use","id":"b","name":"g","input":{}}`, `delta1 {"type":"input_json_delta","partial_json":"{\"y\":2}"}`, "stop1",
				"start2" + textStart, `delta2 {"type":"text_delta","text":"tu"}`, "stop2",
				`start3 {"type":"tool_use","id":"c","name":"h","input":{}}`, `delta3 {"type":"input_json_delta","partial_json":"{"}`, `delta3 {"type":"input_json_delta","partial_json":"}"}`, "stop3",
				"start4" + textStart, `delta4 {"type":"text_delta","text":"v"}`, "stop4", ends("tool_use"), "message_stop",
			}, 0,
		},
		{
			"length inside arguments: never tool_use, and no stop of the block", meta, wire.Options{},
			[]D{{Kind: call, ID: "a", Name: "f", Text: "{"}, {Kind: call, Index: 1, ID: "b", Name: "g", Text: "{"}, {Kind: finish, Text: "tool_calls", Truncated: true}},
			[]string{
				`start0 {"type":"tool_use","id":"a","name":"f","input":{}}`, `delta0 {"type":"input_json_delta","partial_json":"{"}`,
				`start1 {"type":"tool_use","id":"b","name":"g","input":{}}`, `delta1 {"type":"input_json_delta","partial_json":"{"}`, ends("max_tokens"), "message_stop",
			}, 0,
		},
		{
			"arguments that are not an object", fromOpenAI, wire.Options{},
			[]D{{Kind: call, ID: "a", Name: "f", Text: " [1"}, {Kind: call, Text: ",2]", Done: true}, {Kind: finish, Text: "stop"}},
			[]string{
				`start0 {"type":"tool_use","id":"a","name":"f","input":{}}`, `delta0 {"type":"input_json_delta","partial_json":"{\"input\":"}`, `delta0 {"type":"input_json_delta","partial_json":" [1,2]}"}`, "stop0", ends("tool_use"), "message_stop",
			}, 1,
		},
		{
			"ids and names that the wire does not accept", fromOpenAI, wire.Options{IDs: renamesTo(t, "functions.f:0"), Names: renamesTo(t, "a.b")},
			[]D{{Kind: call, ID: "functions.f:0", Name: "a.b", Text: "{}", Done: true}, {Kind: finish, Text: "stop"}},
			[]string{`start0 {"type":"tool_use","id":"` + renamed("functions.f:0") + `","name":"` + renamed("a.b") + `","input":{}}`, `delta0 {"type":"input_json_delta","partial_json":"{}"}`, "stop0", ends("tool_use"), "message_stop"}, 2,
		},
		{
			"a call of a custom tool", fromOpenAI, wire.Options{},
			[]D{{Kind: call, ID: "a", Name: "f", Text: `{"input":"x"}`, Done: true, Custom: true}, {Kind: finish, Text: "stop"}},
			[]string{`start0 {"type":"tool_use","id":"a","name":"f","input":{}}`, `delta0 {"type":"input_json_delta","partial_json":"{\"input\":\"x\"}"}`, "stop0", ends("tool_use"), "message_stop"}, 1,
		},
		{
			"nothing follows an error", meta, wire.Options{}, []D{{Kind: text, Text: "a"}, {Kind: failure, Name: "x", Text: "m"}, {Kind: text, Text: "b"}, {Kind: finish, Text: "end_turn"}},
			[]string{"start0" + textStart, `delta0 {"type":"text_delta","text":"a"}`, "stop0", `error {"type":"x","message":"m"}`}, 1,
		},
		{"refusal", fromOpenAI, wire.Options{}, []D{{Kind: refusal, Text: "no"}, {Kind: finish, Text: "stop"}}, []string{"start0" + textStart, `delta0 {"type":"text_delta","text":"no"}`, "stop0", ends("end_turn"), "message_stop"}, 1},
		{"refusal as a reason", meta, wire.Options{}, []D{{Kind: finish, Text: "refusal", Truncated: true}}, []string{ends("refusal"), "message_stop"}, 0},
		{"content filter", fromOpenAI, wire.Options{}, []D{{Kind: finish, Text: "content_filter", Truncated: true}}, []string{ends("refusal"), "message_stop"}, 1},
		{"the vendor's own reasons", meta, wire.Options{}, []D{{Kind: finish, Text: "pause_turn"}}, []string{ends("pause_turn"), "message_stop"}, 0},
		{"a stop sequence", meta, wire.Options{}, []D{{Kind: finish, Text: "stop_sequence"}}, []string{ends("stop_sequence"), "message_stop"}, 0},
		{"a reason that is an error", fromGemini, wire.Options{}, []D{{Kind: text, Text: "a"}, {Kind: finish, Text: "MALFORMED_FUNCTION_CALL"}}, []string{"start0" + textStart, `delta0 {"type":"text_delta","text":"a"}`, "stop0", `error {"type":"api_error","message":"the answer ended with: MALFORMED_FUNCTION_CALL"}`}, 1},
		{
			"errors in mid-stream", meta, wire.Options{}, []D{{Kind: call, ID: "a", Name: "f", Text: "{"}, {Kind: failure, Name: "overloaded_error", Text: "m"}},
			[]string{`start0 {"type":"tool_use","id":"a","name":"f","input":{}}`, `delta0 {"type":"input_json_delta","partial_json":"{"}`, `error {"type":"overloaded_error","message":"m"}`}, 0,
		},
		{"never finished", meta, wire.Options{}, []D{{Kind: text, Text: "a"}}, []string{"start0" + textStart, `delta0 {"type":"text_delta","text":"a"}`, "stop0", ends("max_tokens"), "message_stop"}, 0},
		{"nothing at all", meta, wire.Options{}, nil, []string{ends("max_tokens"), "message_stop"}, 0},
		{"nothing follows a finish reason", meta, wire.Options{}, []D{{Kind: finish, Text: "end_turn"}, {Kind: text, Text: "a"}, {Kind: text, Text: "b"}}, []string{ends("end_turn"), "message_stop"}, 1},
		{
			"choices above index 0", meta, wire.Options{}, []D{{Kind: text, Text: "a"}, {Kind: text, Choice: 1, Text: "b"}, {Kind: finish, Text: "end_turn"}, {Kind: finish, Choice: 1, Text: "length", Truncated: true}},
			[]string{"start0" + textStart, `delta0 {"type":"text_delta","text":"a"}`, "stop0", ends("end_turn"), "message_stop"}, 1,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			stream, losses := codec.WriteStream(t, tt.meta, tt.opts, tt.in...)
			if diff := cmp.Diff(append([]string{"begin"}, tt.want...), brief(t, stream)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if len(losses) != tt.losses {
				t.Errorf("losses %v, want %d", losses, tt.losses)
			}
		})
	}
}

// renamed returns what stands for an id or a name.
func renamed(source string) string {
	name, _ := wire.NewRenames(wire.Rule{OtherChars: "_-"}).Rename(source)
	return name
}

func TestMessageStart(t *testing.T) {
	begun := meta
	begun.Usage = chat.Usage{Input: 5, Output: 1, Total: 6}
	stream, _ := codec.WriteStream(t, begun, wire.Options{})
	const want = "event: message_start\n" + `data: {"type":"message_start","message":{"id":"msg_1","type":"message","role":"assistant","model":"m","content":[],"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":5,"cache_creation_input_tokens":0,"cache_read_input_tokens":0,"output_tokens":1}}}` + "\n\n"
	if !strings.HasPrefix(stream, want) {
		t.Errorf("%s\nbegins not with %s", stream, want)
	}
	first, _ := codec.WriteStream(t, chat.Meta{Created: 7}, wire.Options{})
	again, losses := codec.WriteStream(t, chat.Meta{Created: 7}, wire.Options{})
	if first != again || !strings.Contains(first, `"id":"msg_`) || cmp.Diff([]string{"created", "id"}, codectest.Fields(losses)) != "" {
		t.Errorf("%s\n%s\n%v", first, again, losses)
	}
}

// A call that does not end is given up before too much waits for it, and is
// not taken for whole.
func TestWaitingIsBounded(t *testing.T) {
	e := codec.NewEncoder(wire.Options{})
	e.SetMeta(meta)
	out := e.Append(nil, D{Kind: toolcall.DeltaToolCall, ID: "a", Name: "f", Text: "{"})
	piece := strings.Repeat("z", 1000)
	var written, most int
	for i := range 5000 {
		out = e.Append(out, D{Kind: toolcall.DeltaText, Text: piece})
		written += strings.Count(string(out), "z")
		most = max(most, (i+1)*1000-written)
		if i < 4999 {
			out = out[:0]
		}
	}
	if out = e.Append(out[:0], D{Kind: toolcall.DeltaToolCall, Text: "}", Done: true}); len(out) > 0 {
		t.Errorf("a call that was given up goes on: %s", out)
	}
	out = e.Close(e.Append(out, D{Kind: toolcall.DeltaFinish, Text: "end_turn"}))
	if written != 5_000_000 || most > 2<<20 || !strings.Contains(string(out), `"stop_reason":"max_tokens"`) || len(e.Losses()) != 2 {
		t.Errorf("%d bytes, at most %d waited; %v; %s", written, most, e.Losses(), out)
	}
}

// heard is what a stream of this wire says.
type heard struct {
	Text, Reasoning   string
	Signatures        []string
	Calls             []string
	Finish            string
	Truncated, Failed bool
	Usage             chat.Usage
}

func hear(t rapid.TB, stream string) (h heard) {
	t.Helper()
	s := format.NewStream(strings.NewReader(stream), format.Options{Wire: format.Anthropic})
	at := map[int]int{}
	for d, err := range s.Deltas() {
		if err != nil {
			t.Fatalf("%v\n%s", err, stream)
		}
		switch d.Kind {
		case toolcall.DeltaText:
			h.Text += d.Text
		case toolcall.DeltaReasoning:
			h.Reasoning += d.Text
		case toolcall.DeltaSignature:
			h.Signatures = append(h.Signatures, d.Name+":"+d.Text)
		case toolcall.DeltaToolCall:
			if _, ok := at[d.Index]; !ok {
				at[d.Index] = len(h.Calls)
				h.Calls = append(h.Calls, d.ID+" "+d.Name+" ")
			}
			h.Calls[at[d.Index]] += d.Text
			if d.Done {
				h.Calls[at[d.Index]] += " done"
			}
		case toolcall.DeltaFinish:
			h.Finish, h.Truncated = d.Text, d.Truncated
		case toolcall.DeltaError:
			h.Failed = true
		}
	}
	h.Usage = s.Meta().Usage
	return h
}

// Whatever the deltas, the stream is well formed and says what they say.
func TestStreamRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := heard{Finish: "end_turn"}
		var deltas []D
		var open []int
		texts := rapid.StringN(1, 8, -1)
		for range rapid.IntRange(0, 20).Draw(t, "steps") {
			switch rapid.IntRange(0, 5).Draw(t, "step") {
			case 0:
				text := texts.Draw(t, "text")
				want.Text += text
				deltas = append(deltas, D{Kind: toolcall.DeltaText, Text: text})
			case 1:
				text := texts.Draw(t, "reasoning")
				want.Reasoning += text
				deltas = append(deltas, D{Kind: toolcall.DeltaReasoning, Text: text})
			case 2:
				d := D{Kind: toolcall.DeltaSignature, Index: -1, Name: rapid.SampledFrom([]string{"", toolcall.SignsRedacted}).Draw(t, "signs"), Text: texts.Draw(t, "signature")}
				want.Signatures = append(want.Signatures, d.Name+":"+d.Text)
				deltas = append(deltas, d)
			case 3:
				n := len(want.Calls)
				id := fmt.Sprint("c", n)
				want.Calls = append(want.Calls, id+` f {"a":"`)
				want.Finish = "tool_use"
				open = append(open, n)
				deltas = append(deltas, D{Kind: toolcall.DeltaToolCall, Index: n, ID: id, Name: "f", Text: `{"a":"`})
			default:
				if len(open) == 0 {
					continue
				}
				i := rapid.IntRange(0, len(open)-1).Draw(t, "of")
				n := open[i]
				if rapid.Bool().Draw(t, "done") {
					open = append(open[:i], open[i+1:]...)
					want.Calls[n] += `"} done`
					deltas = append(deltas, D{Kind: toolcall.DeltaToolCall, Index: n, Text: `"}`, Done: true})
					continue
				}
				want.Calls[n] += "é"
				deltas = append(deltas, D{Kind: toolcall.DeltaToolCall, Index: n, Text: "é"})
			}
		}
		if len(open) > 0 {
			want.Finish, want.Truncated = "max_tokens", true
		}
		deltas = append(deltas, D{Kind: toolcall.DeltaFinish, Text: "end_turn"})
		e := codec.NewEncoder(wire.Options{})
		m := meta
		e.SetMeta(m)
		out := codectest.Append(e, nil, deltas...)
		m.Usage = chat.Usage{Input: 3, Output: 4, CachedInput: 1, Total: 7}
		want.Usage = m.Usage
		e.SetMeta(m)
		out = e.Close(out)
		if len(e.Losses()) > 0 {
			t.Fatal(e.Losses())
		}
		brief(t, string(out))
		if diff := cmp.Diff(want, hear(t, string(out))); diff != "" {
			t.Fatalf("(-want +got):\n%s\n%s", diff, out)
		}
	})
}

// Every recording of this wire, written again, says what it said, also its
// signatures, its finish reason and its usage.
func TestRecordingsComeBack(t *testing.T) {
	recorded := codectest.Recordings(t, "anthropic-*.sse", "anthropic-*.chunks.txt")
	if len(recorded) == 0 {
		t.Fatal("no recordings")
	}
	for _, r := range recorded {
		t.Run(r.Name, func(t *testing.T) {
			body := r.Body
			if bytes.Count(body, []byte(`"type":"message_start"`)) > 1 {
				t.Skip("it is more than one message")
			}
			var out bytes.Buffer
			losses, err := format.TranslateStream(&out, bytes.NewReader(body), format.Anthropic, format.Anthropic, format.TranslateOptions{})
			if err != nil {
				t.Fatal(err)
			}
			brief(t, out.String())
			want, got := hear(t, string(body)), hear(t, out.String())
			for i := range want.Calls { // "{}" is written, where the vendor leaves it out
				want.Calls[i] = strings.Replace(want.Calls[i], "  done", " {} done", 1)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("(-recorded +written):\n%s", diff)
			}
			if len(losses) > 0 {
				t.Errorf("losses %v", losses)
			}
			missing := missing(t, body, out.Bytes())
			if want.Text+want.Reasoning == "" && len(want.Calls) == 0 { // all usage is known as it begins
				missing = slices.DeleteFunc(missing, func(leaf string) bool { return strings.HasPrefix(leaf, "message.usage.") })
			}
			if len(missing) > 0 {
				t.Errorf("%q is lost", missing)
			}
		})
	}
}
