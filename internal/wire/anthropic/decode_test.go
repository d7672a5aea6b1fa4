package anthropic

import (
	"strconv"
	"strings"
	"testing"

	"github.com/toolparse/toolparse/internal/wire/frame"
	"github.com/toolparse/toolparse/internal/wire/test/wiretest"
	"github.com/toolparse/toolparse/toolcall"
)

// Short words for the tables.
type D = toolcall.Delta

const (
	text      = toolcall.DeltaText
	reasoning = toolcall.DeltaReasoning
	call      = toolcall.DeltaToolCall
	signature = toolcall.DeltaSignature
	finish    = toolcall.DeltaFinish
	failure   = toolcall.DeltaError
)

// also is an extra.
func also(name, value string) D {
	return D{Kind: toolcall.DeltaExtra, Index: toolcall.NoIndex, Name: name, Text: value}
}

const (
	begin = `{"type":"message_start","message":{"id":"m","type":"message","role":"assistant","content":[],"stop_reason":null}}`
	end   = `{"type":"message_stop"}`
)

func start(index int, block string) string {
	return `{"type":"content_block_start","index":` + strconv.Itoa(index) + `,"content_block":{` + block + `}}`
}

func piece(index int, delta string) string {
	return `{"type":"content_block_delta","index":` + strconv.Itoa(index) + `,"delta":{` + delta + `}}`
}

func stop(index int) string {
	return `{"type":"content_block_stop","index":` + strconv.Itoa(index) + `}`
}

func finished(reason string) string {
	return `{"type":"message_delta","delta":{"stop_reason":"` + reason + `"},"usage":{"output_tokens":1}}`
}

func newDecoder() *Decoder { return new(Decoder) }

func TestTexts(t *testing.T) {
	wiretest.Run(t, newDecoder, []wiretest.Case{
		{
			Name: "text", In: []string{begin, start(0, `"type":"text","text":""`), `{"type": "ping"}`, piece(0, `"type":"text_delta","text":"a\n"`), stop(0), finished("end_turn"), end},
			Want: []D{{Kind: text, Text: "a\n"}, {Kind: finish, Text: "end_turn"}}, Ended: true,
		},
		{
			Name: "thinking", In: []string{begin, start(0, `"type":"thinking","thinking":"","signature":""`), piece(0, `"type":"thinking_delta","thinking":"t"`), piece(0, `"type":"signature_delta","signature":"s"`), stop(0), start(1, `"type":"redacted_thinking","data":"d"`), stop(1)},
			Want: []D{{Kind: reasoning, Text: "t"}, {Kind: signature, Index: -1, Text: "s"}, {Kind: signature, Index: -1, Name: toolcall.SignsRedacted, Text: "d"}},
		},
		{Name: "all of it in the start", In: []string{begin, start(0, `"type":"thinking","thinking":"t","signature":"s"`), start(1, `"type":"text","text":"x"`)}, Want: []D{{Kind: reasoning, Text: "t"}, {Kind: signature, Index: -1, Text: "s"}, {Kind: text, Text: "x"}}},
		{Name: "half pairs end with their block", In: []string{begin, start(0, `"type":"text"`), piece(0, `"type":"text_delta","text":"\ud83d"`), stop(0), start(1, `"type":"thinking"`), piece(1, `"type":"thinking_delta","thinking":"\ude00"`)}, Want: []D{{Kind: text, Text: "\ufffd"}, {Kind: reasoning, Text: "\ufffd"}}},
		{
			Name: "thinking and text in one block", In: []string{begin, start(0, `"type":"text"`), piece(0, `"type":"thinking_delta","thinking":"t"`), piece(0, `"type":"signature_delta","signature":"s"`), piece(0, `"type":"text_delta","text":"x"`), stop(0)},
			Want: []D{{Kind: reasoning, Text: "t"}, {Kind: signature, Index: -1, Text: "s"}, {Kind: text, Text: "x"}},
		},
		{Name: "type in the event field only", In: []string{`content_block_start|{"index":0,"content_block":{"type":"text"}}`, `content_block_delta|{"index":0,"delta":{"type":"text_delta","text":"a"}}`}, Want: []D{{Kind: text, Text: "a"}}},
		{Name: "refusal", In: []string{begin, finished("refusal"), end}, Want: []D{{Kind: finish, Text: "refusal", Truncated: true}}, Ended: true},
		{Name: "end marker of others", In: []string{begin, start(0, `"type":"text","text":"a"`), stop(0), "[DONE]"}, Want: []D{{Kind: text, Text: "a"}}, Ended: true},
		{Name: "end marker of others, too early", In: []string{begin, start(0, `"type":"text","text":"a"`), "[DONE]"}, Want: []D{{Kind: text, Text: "a"}}},
	})
}

func TestCalls(t *testing.T) {
	wiretest.Run(t, newDecoder, []wiretest.Case{
		{
			Name: "pieces", In: []string{begin, start(1, `"type":"tool_use","id":"c","name":"f","input":{}`), piece(1, `"type":"input_json_delta","partial_json":""`), piece(1, `"type":"input_json_delta","partial_json":"{\"a\""`), piece(1, `"type":"input_json_delta","partial_json":":1}"`), stop(1), finished("tool_use"), end},
			Want: []D{{Kind: call, Index: 1, ID: "c", Name: "f"}, {Kind: call, Index: 1, Text: `{"a"`}, {Kind: call, Index: 1, Text: ":1}"}, {Kind: call, Index: 1, Done: true}, {Kind: finish, Text: "tool_use"}}, Ended: true,
		},
		{
			Name: "input whole in the start", In: []string{begin, start(0, `"type":"tool_use","id":"c","name":"f","input":{"n": 1.50}`), stop(0)},
			Want: []D{{Kind: call, ID: "c", Name: "f", Text: `{"n": 1.50}`, Whole: true}, {Kind: call, Done: true}},
		},
		{
			Name: "input whole in the start and in pieces", In: []string{begin, start(0, `"type":"tool_use","id":"c","name":"f","input":{"n": 1.50}`), piece(0, `"type":"input_json_delta","partial_json":"{\"n\""`), piece(0, `"type":"input_json_delta","partial_json":":1.50}"`), stop(0)},
			Want: []D{{Kind: call, ID: "c", Name: "f", Text: `{"n": 1.50}`, Whole: true}, {Kind: call, Done: true}},
		},
		{
			Name: "input whole in the start, and other pieces", In: []string{begin, start(0, `"type":"tool_use","id":"c","name":"f","input":{"n":1}`), piece(0, `"type":"input_json_delta","partial_json":"{\"n\":2}"`), stop(0)},
			Want: []D{{Kind: call, ID: "c", Name: "f", Text: `{"n":1}`, Whole: true}, {Kind: call, Text: `{"n":2}`, Done: true}},
		},
		{
			Name: "no stop of the block", In: []string{begin, start(0, `"type":"tool_use","id":"c","name":"f","input":{}`), piece(0, `"type":"input_json_delta","partial_json":"{}"`), finished("tool_use"), end},
			Want: []D{{Kind: call, ID: "c", Name: "f"}, {Kind: call, Text: "{}"}, {Kind: finish, Text: "tool_use"}}, Ended: true,
		},
		{
			Name: "no stop of a block with other pieces", In: []string{begin, start(0, `"type":"tool_use","id":"c","name":"f","input":{"n":1}`), piece(0, `"type":"input_json_delta","partial_json":"{"`), finished("tool_use"), end},
			Want: []D{{Kind: call, ID: "c", Name: "f", Text: `{"n":1}`, Whole: true}, {Kind: finish, Text: "tool_use"}}, Err: "the message stops before its content block", Ended: true,
		},
		{Name: "empty input as text", In: []string{begin, start(0, `"type":"tool_use","id":"c","name":"f","input":"{ }"`), start(1, `"type":"tool_use","id":"d","name":"f","input":{ }`)}, Want: []D{{Kind: call, ID: "c", Name: "f"}, {Kind: call, Index: 1, ID: "d", Name: "f"}}},
		{
			Name: "tools of the server", In: []string{begin, start(0, `"type":"server_tool_use","id":"s","name":"web_search","input":{}`), piece(0, `"type":"input_json_delta","partial_json":"{}"`), stop(0), start(1, `"type":"mcp_tool_use","id":"s","name":"x","input":{}`), piece(1, `"type":"input_json_delta","partial_json":"{}"`), stop(1), start(2, `"type":"web_search_tool_result","content":[{"type":"text","text":"x"}]`), stop(2)},
			Want: []D{
				also("content_block.server_tool_use", start(0, `"type":"server_tool_use","id":"s","name":"web_search","input":{}`)),
				also("content_block.server_tool_use", piece(0, `"type":"input_json_delta","partial_json":"{}"`)),
				also("content_block.server_tool_use", stop(0)),
				also("content_block.mcp_tool_use", start(1, `"type":"mcp_tool_use","id":"s","name":"x","input":{}`)),
				also("content_block.mcp_tool_use", piece(1, `"type":"input_json_delta","partial_json":"{}"`)),
				also("content_block.mcp_tool_use", stop(1)),
				also("content_block.web_search_tool_result", start(2, `"type":"web_search_tool_result","content":[{"type":"text","text":"x"}]`)),
				also("content_block.web_search_tool_result", stop(2)),
			},
		},
		{
			Name: "called from code", In: []string{begin, start(0, `"type":"tool_use","id":"c","name":"f","input":{"a":1},"caller":{"type":"code_execution_20250825"}`), stop(0)},
			Want: []D{also("content_block_start.tool_use.caller", `{"type":"code_execution_20250825"}`), {Kind: call, ID: "c", Name: "f", Text: `{"a":1}`, Whole: true}, {Kind: call, Done: true}},
		},
		{
			Name: "called by the model itself", In: []string{begin, start(0, `"type":"tool_use","id":"c","name":"f","input":{},"caller":{"type":"direct"}`), stop(0)},
			Want: []D{also("content_block_start.tool_use.caller", "null"), {Kind: call, ID: "c", Name: "f"}, {Kind: call, Done: true}},
		},
		{
			Name: "cut with the block open", In: []string{begin, start(0, `"type":"tool_use","id":"c","name":"f","input":{}`), piece(0, `"type":"input_json_delta","partial_json":"{\"a\ud83d"`), finished("max_tokens"), end},
			Want: []D{{Kind: call, ID: "c", Name: "f"}, {Kind: call, Text: `{"a`}, {Kind: call, Text: `\ud83d`}, {Kind: finish, Text: "max_tokens", Truncated: true}}, Ended: true,
		},
		{Name: "not an index", In: []string{begin, `{"type":"content_block_start","content_block":{"type":"tool_use","id":"c","name":"f"}}`, `{"type":"content_block_stop"}`}, Want: []D{{Kind: call, Index: -1, ID: "c", Name: "f"}, {Kind: call, Index: -1, Done: true}}},
	})
}

func TestMessageStart(t *testing.T) {
	filled := `{"type":"message_start","message":{"role":"assistant","content":[{"type":"tool_use","id":"c","name":"f","input":{"a":1}}],"stop_reason":"tool_use"}}`
	called := D{Kind: call, ID: "c", Name: "f", Text: `{"a":1}`, Whole: true, Done: true}
	wiretest.Run(t, newDecoder, []wiretest.Case{
		{Name: "with content", In: []string{filled, end}, Want: []D{called, {Kind: finish, Text: "tool_use"}}, Ended: true},
		{Name: "with content, and nothing more", In: []string{filled}, Want: []D{called, {Kind: finish, Text: "tool_use"}}},
		{
			Name: "with content that is announced too", In: []string{filled, start(0, `"type":"tool_use","id":"c","name":"f","input":{}`), piece(0, `"type":"input_json_delta","partial_json":"{\"a\":1}"`), stop(0), finished("tool_use"), end},
			Want: []D{{Kind: call, ID: "c", Name: "f"}, {Kind: call, Text: `{"a":1}`}, {Kind: call, Done: true}, {Kind: finish, Text: "tool_use"}}, Ended: true,
		},
		{
			Name: "with content, and a block behind it", In: []string{filled, start(1, `"type":"text","text":"x"`), stop(1), end},
			Want: []D{called, {Kind: finish, Text: "tool_use"}, {Kind: text, Text: "x"}}, Ended: true,
		},
		{Name: "twice", In: []string{begin, begin, start(0, `"type":"text","text":"a"`), stop(0), end}, Want: []D{{Kind: text, Text: "a"}}, Ended: true},
		{
			Name: "in the middle", In: []string{begin, start(0, `"type":"text","text":"a"`), begin, start(0, `"type":"text","text":"b"`), stop(0), finished("end_turn"), end},
			Want: []D{{Kind: text, Text: "a"}, {Kind: toolcall.DeltaRestart, Index: toolcall.NoIndex}, {Kind: text, Text: "b"}, {Kind: finish, Text: "end_turn"}}, Ended: true,
		},
		{Name: "in the middle, and cut again", In: []string{begin, finished("end_turn"), end, begin, start(0, `"type":"text","text":"a"`)}, Want: []D{{Kind: finish, Text: "end_turn"}, also("message_start", begin), {Kind: text, Text: "a"}}},
		{Name: "after a stop reason", In: []string{begin, finished("end_turn"), begin, finished("end_turn"), end}, Want: []D{{Kind: finish, Text: "end_turn"}, {Kind: finish, Text: "end_turn"}}, Ended: true},
	})
}

func TestBodies(t *testing.T) {
	body := func(content, reason string) string {
		return `{"id":"m","type":"message","role":"assistant","content":[` + content + `],"stop_reason":"` + reason + `"}`
	}
	two := `{"type":"thinking","thinking":"t","signature":"s"},{"type":"text","text":"x"},{"type":"server_tool_use","id":"s","name":"x","input":{}},{"type":"tool_use","id":"c","name":"f","input":{}},{"type":"tool_use","id":"d","name":"g","input":{"a":1}}`
	wiretest.Run(t, newDecoder, []wiretest.Case{
		{
			Name: "whole", Framing: frame.JSON, In: []string{body(two, "tool_use")},
			Want: []D{
				{Kind: reasoning, Text: "t"},
				{Kind: signature, Index: -1, Text: "s"},
				{Kind: text, Text: "x"},
				also("content_block.server_tool_use", start(2, `"type":"server_tool_use","id":"s","name":"x","input":{}`)),
				also("content_block.server_tool_use", stop(2)),
				{Kind: call, Index: 3, ID: "c", Name: "f", Text: "{}", Whole: true, Done: true},
				{Kind: call, Index: 4, ID: "d", Name: "g", Text: `{"a":1}`, Whole: true, Done: true},
				{Kind: finish, Text: "tool_use"},
			}, Ended: true,
		},
		{
			Name: "cut", Framing: frame.JSON, In: []string{body(`{"type":"tool_use","id":"d","name":"g","input":{"a":1}}`, "max_tokens")},
			Want: []D{{Kind: call, ID: "d", Name: "g", Text: `{"a":1}`, Whole: true}, {Kind: finish, Text: "max_tokens", Truncated: true}}, Ended: true,
		},
	})
}

func TestErrors(t *testing.T) {
	wiretest.Run(t, newDecoder, []wiretest.Case{
		{
			Name: "in the stream, and on it goes", In: []string{begin, `error|{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`, start(0, `"type":"text","text":"a"`)},
			Want: []D{{Kind: failure, Name: "overloaded_error", Text: "Overloaded"}, {Kind: text, Text: "a"}},
		},
		{
			Name: "in the stream, and a ping", In: []string{begin, `error|{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`, `{"type": "ping"}`},
			Want: []D{{Kind: failure, Name: "overloaded_error", Text: "Overloaded"}}, Ended: true,
		},
		{Name: "body", Framing: frame.JSON, In: []string{`{"type":"error","error":{"type":"not_found_error","message":"m"},"request_id":"r"}`}, Want: []D{also("error.request_id", `"r"`), {Kind: failure, Name: "not_found_error", Text: "m"}}, Ended: true},
		{Name: "a gateway's", In: []string{`{"error":{"message":"m","code":502}}`}, Want: []D{{Kind: failure, Name: "502", Text: "m"}}, Ended: true},
		{Name: "broken", In: []string{begin, `{"type":`}, Err: "event 2, byte 8"},
		{Name: "delta", In: []string{start(0, `"type":"text"`), piece(0, `"type":"text_delta","text":7`)}, Err: "delta.text: expected a string, got a number"},
	})
	t.Run("blocks without end", func(t *testing.T) {
		d := newDecoder()
		for i := range maxBlocks + 2 {
			e := frame.Event{Framing: frame.SSE, Number: i + 1, Data: []byte(start(i, `"type":"tool_use","id":"c","name":"f"`))}
			if _, err := d.Feed(nil, e); (err != nil) != (i >= maxBlocks) {
				t.Fatalf("block %d: %v", i, err)
			}
		}
	})
}

// What is of a wrong type, missing or out of its order is an error with its place,
// and what came before it is decoded.
func TestBroken(t *testing.T) {
	hello := []string{begin, start(0, `"type":"text","text":"a"`)}
	said := []D{{Kind: text, Text: "a"}}
	for _, tt := range []struct{ name, event, err string }{
		{"no type", `{"x":1}`, "event 3, byte 0: type: expected a string, got nothing"},
		{"type", `{"type":1}`, "event 3, byte 8: type: expected a string, got a number"},
		{"no object", `[]`, "expected an object, got an array"},
		{"index", piece(0, `"type":"text_delta","text":"b"`)[:38] + `"x","delta":{"type":"text_delta"}}`, "event 3, byte 39: index: not an index"},
		{"index below 0", `{"type":"content_block_stop","index":-1}`, "index: not an index"},
		{"start without a block", `{"type":"content_block_start","index":1}`, "content_block: expected an object, got nothing"},
		{"block", `{"type":"content_block_start","index":1,"content_block":[]}`, "content_block: expected an object, got an array"},
		{"block without a type", start(1, `"text":"b"`), "content_block.type: expected a string, got nothing"},
		{"text of a block", start(1, `"type":"text","text":1`), "content_block.text: expected a string, got a number"},
		{"started twice", start(0, `"type":"text"`), "event 3, byte 38: index: the content block is already open"},
		{"delta before its start", piece(1, `"type":"text_delta","text":"b"`), "event 3, byte 38: index: the content block is not open"},
		{"no delta", `{"type":"content_block_delta","index":0}`, "delta: expected an object, got nothing"},
		{"delta without a type", piece(0, `"text":"b"`), "delta.type: expected a string, got nothing"},
		{"delta of another block", piece(0, `"type":"input_json_delta","partial_json":"{}"`), "delta.type: the delta does not match"},
		{"text of a delta", piece(0, `"type":"text_delta","text":{}`), "delta.text: expected a string, got an object"},
		{"stopped without a start", stop(1), "index: the content block is not open"},
		{"never stopped", end, "event 3, byte 9: type: the message stops before its content block"},
		{"message_start without a message", `{"type":"message_start"}`, "message: expected an object, got nothing"},
		{"stop reason", `{"type":"message_delta","delta":{"stop_reason":7}}`, "delta.stop_reason: expected a string, got a number"},
		{"a body without content", `{"type":"message","role":"assistant"}`, "content: it is missing"},
	} {
		wiretest.Run(t, newDecoder, []wiretest.Case{{
			Name: tt.name, In: append(hello[:len(hello):len(hello)], tt.event), Want: said, Err: tt.err,
			Ended: tt.name == "never stopped" || strings.Contains(tt.name, "body"),
		}})
	}
	wiretest.Run(t, newDecoder, []wiretest.Case{
		{Name: "a block after the end", In: []string{begin, end, start(0, `"type":"text","text":"a"`)}, Ended: true, Err: "type: the event comes after the end of the message"},
		{Name: "content", In: []string{`{"type":"message_start","message":{"content":"a"}}`}, Err: "event 1, byte 46: message.content: expected an array, got a string"},
		{Name: "id", In: []string{`{"type":"message_start","message":{"id":1}}`}, Err: "message.id: expected a string, got a number"},
		{Name: "a call of a block", In: []string{begin, start(0, `"type":"tool_use","id":"c","name":"f"`), piece(0, `"type":"input_json_delta","partial_json":7`)}, Want: []D{{Kind: call, ID: "c", Name: "f"}}, Err: "delta.partial_json: expected a string, got a number"},
	})
}

// What means nothing is no extra.
func TestSilence(t *testing.T) {
	wiretest.Run(t, newDecoder, []wiretest.Case{{
		Name: "padding, nulls and pings", In: []string{
			`{}`, begin[:len(begin)-1] + `,"p":"abc"}`, `{"type": "ping"}`, `{"type":"message_start","message":{"container":null,"usage":{"inference_geo":null}}}`,
			start(0, `"type":"text","text":"","citations":null`), `{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"a"},"p":"ab"}`, stop(0),
			`{"type":"message_delta","delta":{"stop_reason":"end_turn","stop_sequence":null,"stop_details":null},"usage":{"output_tokens":1},"p":"a","context_management":null}`, end,
		},
		Want: []D{{Kind: text, Text: "a"}, {Kind: finish, Text: "end_turn"}}, Ended: true,
	}})
}

func FuzzDecoder(f *testing.F) {
	wiretest.Fuzz(f, newDecoder,
		begin+"\n"+start(0, `"type":"text","text":""`)+"\n"+piece(0, `"type":"text_delta","text":"\ud83d"`)+"\n"+stop(0)+"\n"+finished("end_turn")+"\n"+end,
		begin+"\n"+start(0, `"type":"tool_use","id":"c","name":"f","input":{}`)+"\n"+piece(0, `"type":"input_json_delta","partial_json":"{}"`)+"\n"+stop(0)+"\n"+end,
		begin+"\n"+start(0, `"type":"server_tool_use","id":"c","name":"f","input":{}`)+"\n"+begin+"\n"+stop(0),
		`{"type":"message_start","message":{"content":[{"type":"tool_use","name":"f","input":{"a":1}}],"stop_reason":"tool_use"}}`+"\n"+end,
		`{"type":"error","error":{"type":"t","message":"m"}}`,
		`{"type":"message","content":[{"type":"text","text":"a","x":1},{"type":"text"},{"type":"web"},{"type":"tool_use","name":"f","caller":{}}],"stop_reason":"refusal"}`,
	)
}
