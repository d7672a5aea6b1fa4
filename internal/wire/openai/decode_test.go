package openai

import (
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
	refusal   = toolcall.DeltaRefusal
	signature = toolcall.DeltaSignature
	finish    = toolcall.DeltaFinish
	failure   = toolcall.DeltaError
	more      = toolcall.DeltaExtra
	none      = toolcall.NoIndex
)

// delta makes a chunk with one choice.
func delta(fields string) string { return `{"choices":[{"index":0,"delta":{` + fields + `}}]}` }

func finished(reason string) string {
	return `{"choices":[{"index":0,"delta":{},"finish_reason":"` + reason + `"}]}`
}

// body makes a whole response.
func body(message, reason string) string {
	return `{"object":"chat.completion","choices":[{"index":0,"message":{` + message + `},"finish_reason":"` + reason + `"}]}`
}

// extraOf is an extra of the first choice, and spelled one that tells of a name.
func extraOf(path, value string) D { return D{Kind: more, Index: none, Name: path, Text: value} }
func spelled(path string) D        { return extraOf(path, "null") }

func newDecoder() *Decoder { return new(Decoder) }

func TestTexts(t *testing.T) {
	wiretest.Run(t, newDecoder, []wiretest.Case{
		{Name: "content", In: []string{delta(`"role":"assistant","content":""`), delta(`"content":"a\n"`), delta(`"content":null`), delta(`"content":"b"`)}, Want: []D{{Kind: text, Text: "a\n"}, {Kind: text, Text: "b"}}},
		{Name: "reasoning_content", In: []string{delta(`"content":null,"reasoning_content":"r"`)}, Want: []D{{Kind: reasoning, Text: "r"}}},
		{Name: "reasoning", In: []string{delta(`"reasoning":"r","content":"c"`)}, Want: []D{spelled(inDelta + ".reasoning"), {Kind: reasoning, Text: "r"}, {Kind: text, Text: "c"}}},
		{Name: "settings of reasoning", In: []string{delta(`"reasoning":{"effort":"low"},"content":"c"`)}, Want: []D{extraOf(inDelta+".reasoning", `{"effort":"low"}`), {Kind: text, Text: "c"}}},
		{Name: "Copilot's", In: []string{delta(`"content":"c","reasoning_text":"r"`)}, Want: []D{spelled(inDelta + ".reasoning_text"), {Kind: reasoning, Text: "r"}, {Kind: text, Text: "c"}}},
		{Name: "thinking", In: []string{delta(`"content":"c","thinking":"r"`)}, Want: []D{spelled(inDelta + ".thinking"), {Kind: reasoning, Text: "r"}, {Kind: text, Text: "c"}}},
		{
			Name: "reasoning twice", In: []string{delta(`"reasoning":"r","reasoning_content":"r"`), delta(`"reasoning":"s","reasoning_content":"t"`)},
			Want: []D{spelled(inDelta + ".reasoning"), spelled(inDelta + ".reasoning_content"), {Kind: reasoning, Text: "r"}, extraOf(inDelta+".reasoning", `"s"`), {Kind: reasoning, Text: "t"}},
		},
		{
			Name: "reasoning_details repeat reasoning",
			In:   []string{delta(`"reasoning":"r","reasoning_details":[{"type":"reasoning.text","text":"r"}]`), delta(`"reasoning":null,"reasoning_details":[{"type":"reasoning.text","text":"r","signature":"s"}]`)},
			Want: []D{spelled(inDelta + inDetail + ".text"), spelled(inDelta + ".reasoning"), {Kind: reasoning, Text: "r"}, extraOf(inDelta+inDetail+".text", `"r"`), {Kind: signature, Index: none, Text: "s"}},
		},
		{
			Name: "reasoning_details alone",
			In:   []string{delta(`"reasoning_details":[{"type":"reasoning.text","text":"r"},{"type":"reasoning.summary","summary":"s"},{"type":"reasoning.encrypted","data":"e","id":"call_1"}]`)},
			Want: []D{
				spelled(inDelta + inDetail + ".text"), {Kind: reasoning, Text: "r"}, spelled(inDelta + inDetail + ".summary"), {Kind: reasoning, Text: "s"},
				{Kind: signature, Index: none, ID: "call_1", Name: toolcall.SignsRedacted, Text: "e"},
			},
		},
		{
			Name: "list of parts",
			In:   []string{delta(`"content":[{"type":"thinking","thinking":[{"type":"text","text":"r"}]},{"type":"text","text":"t"},{"type":"reference","reference_ids":[1]},{"type":"refusal","refusal":"no"}]`)},
			Want: []D{spelled(inDelta + inPart + ".thinking"), {Kind: reasoning, Text: "r"}, {Kind: text, Text: "t"}, extraOf(inDelta+inPart, `{"type":"reference","reference_ids":[1]}`), {Kind: refusal, Text: "no"}},
		},
		{Name: "refusal", In: []string{delta(`"refusal":"I ca"`), delta(`"refusal":"n't"`)}, Want: []D{{Kind: refusal, Text: "I ca"}, {Kind: refusal, Text: "n't"}}},
		{Name: "half pairs", In: []string{delta(`"content":"\ud83d"`), delta(`"content":"\ude00!\ud83d"`)}, Want: []D{{Kind: text, Text: "😀!"}, {Kind: text, Text: "\ufffd"}}},
		{Name: "the last of equal keys", In: []string{delta(`"content":"a","content":"b"`)}, Want: []D{{Kind: text, Text: "b"}}},
		{Name: "keys in another case", In: []string{`{"Choices":[{"delta":{"content":"a"}}]}`, delta(`"Content":"a"`)}, Want: []D{extraOf("Choices", `[{"delta":{"content":"a"}}]`), extraOf(inDelta+".Content", `"a"`)}},
		{
			Name: "choices interleave",
			In:   []string{`{"choices":[{"index":0,"delta":{"content":"a"}},{"index":1,"delta":{"content":"b"}}]}`, `{"choices":[{"index":1,"delta":{"content":"c"},"finish_reason":"stop"}]}`},
			Want: []D{{Kind: text, Text: "a"}, {Kind: text, Choice: 1, Text: "b"}, {Kind: text, Choice: 1, Text: "c"}, {Kind: finish, Choice: 1, Text: "stop"}},
		},
		{Name: "no choices", In: []string{`{"choices":[],"usage":{}}`, `{"choices":null}`, `{}`, ``}},
	})
}

func TestCalls(t *testing.T) {
	tool := func(fields string) string { return delta(`"tool_calls":[{` + fields + `}]`) }
	wiretest.Run(t, newDecoder, []wiretest.Case{
		{
			Name: "pieces",
			In:   []string{tool(`"index":0,"id":"c1","type":"function","function":{"name":"f","arguments":""}`), tool(`"index":0,"function":{"arguments":"{\"a\":"}`), tool(`"index":0,"function":{"arguments":"1}"}`), finished("tool_calls"), "[DONE]"},
			Want: []D{
				{Kind: call, Index: 0, ID: "c1", Name: "f"},
				{Kind: call, Index: 0, Text: `{"a":`},
				{Kind: call, Index: 0, Text: "1}"},
				{Kind: finish, Text: "tool_calls"},
			},
			Ended: true,
		},
		{Name: "no index, no type", In: []string{tool(`"id":"c1","function":{"name":"f","arguments":"{}"}`)}, Want: []D{{Kind: call, Index: none, ID: "c1", Name: "f", Text: "{}"}}},
		{Name: "index as text, id as number", In: []string{tool(`"index":"2","id":7,"function":{"name":"f"}`)}, Want: []D{{Kind: call, Index: 2, ID: "7", Name: "f"}}},
		{Name: "id empty, name empty", In: []string{tool(`"index":0,"id":"","function":{"name":"","arguments":"x"}`)}, Want: []D{{Kind: call, Text: "x"}}},
		{Name: "nothing new", In: []string{tool(`"index":0,"id":"","function":{"arguments":""}`), tool(`"index":0`), delta(`"tool_calls":null`), delta(`"tool_calls":[]`)}},
		{Name: "arguments null", In: []string{tool(`"index":0,"id":"c","function":{"name":"f","arguments":null}`)}, Want: []D{{Kind: call, ID: "c", Name: "f"}}},
		{
			Name: "arguments as an object",
			In:   []string{tool(`"index":0,"id":"c","function":{"name":"f","arguments":{"n": 10000000000000001, "x":0.10}}`)},
			Want: []D{{Kind: call, ID: "c", Name: "f", Text: `{"n": 10000000000000001, "x":0.10}`, Whole: true}},
		},
		{Name: "id inside function", In: []string{tool(`"index":0,"function":{"id":"c","name":"f"}`)}, Want: []D{{Kind: call, ID: "c", Name: "f"}}},
		{
			Name: "half pair in arguments",
			In:   []string{tool(`"index":0,"function":{"arguments":"\"\ud83d"}`), tool(`"index":1,"function":{"arguments":"1"}`), tool(`"index":0,"function":{"arguments":"\ude00\ud83d"}`), finished("stop")},
			Want: []D{{Kind: call, Text: `"`}, {Kind: call, Index: 1, Text: "1"}, {Kind: call, Text: "😀"}, {Kind: call, Text: `\ud83d`}, {Kind: finish, Text: "stop"}}, Ended: true,
		},
		{
			Name: "legacy function_call",
			In:   []string{delta(`"function_call":{"name":"f","arguments":""}`), delta(`"function_call":{"arguments":"{}"}`), finished("function_call")},
			Want: []D{{Kind: call, Index: none, Name: "f"}, {Kind: call, Index: none, Text: "{}"}, {Kind: finish, Text: "function_call"}}, Ended: true,
		},
		{
			Name: "custom tool",
			In:   []string{tool(`"index":0,"id":"c","type":"custom","custom":{"name":"f","input":""}`), tool(`"index":0,"custom":{"input":"say \"hi\"\n\ud83d"}`), tool(`"index":0,"custom":{"input":"\ude00"}`), finished("tool_calls")},
			Want: []D{
				{Kind: call, ID: "c", Name: "f", Text: `{"input":"`, Custom: true},
				{Kind: call, Text: `say \"hi\"\n\ud83d`},
				{Kind: call, Text: `\ude00`},
				{Kind: call, Text: `"}`, Done: true},
				{Kind: finish, Text: "tool_calls"},
			}, Ended: true,
		},
		{
			Name: "custom tools at one index",
			In:   []string{tool(`"index":0,"id":"a","custom":{"name":"f","input":"x"}`), tool(`"index":0,"id":"b","custom":{"name":"f","input":"y"}`), "[DONE]"},
			Want: []D{
				{Kind: call, ID: "a", Name: "f", Text: `{"input":"x`, Custom: true},
				{Kind: call, Text: `"}`, Done: true},
				{Kind: call, ID: "b", Name: "f", Text: `{"input":"y`, Custom: true},
			},
			Ended: true,
		},
		{
			Name: "custom tool that was cut",
			In:   []string{tool(`"index":0,"id":"a","custom":{"name":"f","input":"x"}`), tool(`"index":1,"id":"b","custom":{"name":"f","input":"y"}`), finished("length"), "[DONE]"},
			Want: []D{
				{Kind: call, ID: "a", Name: "f", Text: `{"input":"x`, Custom: true}, {Kind: call, Index: 1, ID: "b", Name: "f", Text: `{"input":"y`, Custom: true},
				{Kind: call, Text: `"}`, Done: true}, {Kind: finish, Text: "length", Truncated: true},
			}, Ended: true,
		},
		{
			Name: "signatures of Google's endpoint",
			In:   []string{tool(`"index":1,"id":"c","function":{"name":"f"},"extra_content":{"google":{"thought_signature":"s"}}`), delta(`"content":"x","extra_content":{"google":{"thought_signature":"t"}}`)},
			Want: []D{{Kind: call, Index: 1, ID: "c", Name: "f"}, {Kind: signature, Index: 1, ID: "c", Name: toolcall.SignsCall, Text: "s"}, {Kind: text, Text: "x"}, spelled(inDelta + inGoogle + inSignature + ".thought_signature"), {Kind: signature, Index: none, Text: "t"}},
		},
		{
			Name: "parallel calls in one",
			In:   []string{tool(`"index":0,"id":"c","function":{"name":"multi_tool_use.parallel","arguments":"{\"tool_uses\":[{\"recipient_name\""}`), tool(`"index":0,"function":{"arguments":":\"functions.f\",\"parameters\":{\"a\":1}}]}"}`), finished("tool_calls")},
			Want: []D{{Kind: call, Index: none, ID: "c_0", Name: "f", Text: `{"a":1}`, Whole: true, Done: true}, {Kind: finish, Text: "tool_calls"}}, Ended: true,
		},
	})
}

func TestBodies(t *testing.T) {
	calls := `"content":null,"tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"{}"}},{"id":"b","type":"custom","custom":{"name":"g","input":"x"}}]`
	wiretest.Run(t, newDecoder, []wiretest.Case{
		{
			Name: "text", Framing: frame.JSON, In: []string{body(`"role":"assistant","content":"hi","refusal":null`, "stop")},
			Want: []D{{Kind: text, Text: "hi"}, {Kind: finish, Text: "stop"}}, Ended: true,
		},
		{
			Name: "calls are whole and done", Framing: frame.JSON, In: []string{body(calls, "tool_calls")},
			Want: []D{
				{Kind: call, Index: none, ID: "a", Name: "f", Text: "{}", Whole: true, Done: true},
				{Kind: call, Index: none, ID: "b", Name: "g", Text: `{"input":"x"}`, Custom: true, Whole: true, Done: true},
				{Kind: finish, Text: "tool_calls"},
			}, Ended: true,
		},
		{
			Name: "the last call is cut", Framing: frame.JSON, In: []string{body(calls, "length")},
			Want: []D{
				{Kind: call, Index: none, ID: "a", Name: "f", Text: "{}", Whole: true, Done: true},
				{Kind: call, Index: none, ID: "b", Name: "g", Text: `{"input":"x`, Custom: true},
				{Kind: finish, Text: "length", Truncated: true},
			}, Ended: true,
		},
		{
			Name: "legacy function_call", Framing: frame.JSON, In: []string{body(`"function_call":{"name":"f","arguments":"{\"a\":\"\ud83d"}`, "length")},
			Want: []D{{Kind: call, Index: none, Name: "f", Text: `{"a":"\ud83d`}, {Kind: finish, Text: "length", Truncated: true}}, Ended: true,
		},
		{
			Name: "two choices", Framing: frame.JSON, In: []string{`{"choices":[{"message":{"content":"a"},"finish_reason":"stop"},{"message":{"content":"b"}}]}`},
			Want: []D{{Kind: text, Text: "a"}, {Kind: finish, Text: "stop"}, {Kind: text, Choice: 1, Text: "b"}}, Ended: true,
		},
		{
			Name: "a completion", Framing: frame.JSON, In: []string{`{"choices":[{"index":1,"text":"a","finish_reason":"stop"}]}`},
			Want: []D{{Kind: text, Choice: 1, Text: "a"}, {Kind: finish, Choice: 1, Text: "stop"}}, Ended: true,
		},
		{
			Name: "the message so far beside each delta",
			In: []string{
				`{"choices":[{"message":{"content":"a"},"delta":{"content":"a"}},{"index":1,"message":{"content":"x"}}]}`,
				`{"choices":[{"message":{"content":"ab"},"delta":{"content":"b"}},{"index":1,"message":{"content":"y"}}]}`,
				`{"choices":[{"message":{"content":"ab","reasoning_content":"r","tool_calls":[{"id":"c","function":{"name":"f","arguments":"{}"}}]},"delta":{},"finish_reason":"tool_calls"}]}`,
			},
			Want: []D{
				{Kind: text, Text: "a"}, {Kind: text, Choice: 1, Text: "x"}, {Kind: text, Text: "b"}, {Kind: text, Choice: 1, Text: "y"},
				{Kind: reasoning, Text: "r"}, {Kind: call, Index: none, ID: "c", Name: "f", Text: "{}", Whole: true, Done: true}, {Kind: finish, Text: "tool_calls"},
			},
			Ended: true,
		},
		{
			Name: "the whole message after the deltas",
			In: []string{
				delta(`"content":"a"`), delta(`"tool_calls":[{"index":0,"id":"c","function":{"name":"f","arguments":"{}"}}]`),
				`{"object":"chat.completion","choices":[{"message":{"content":"a","tool_calls":[{"id":"c","function":{"name":"f","arguments":"{}"}}]},"finish_reason":"tool_calls"}]}`,
			},
			Want: []D{
				{Kind: text, Text: "a"}, {Kind: call, ID: "c", Name: "f", Text: "{}"}, {Kind: finish, Text: "tool_calls"},
			},
			Ended: true,
		},
		{
			Name: "members that say nothing", Framing: frame.JSON,
			In: []string{`{"error":{"message":""},"choices":[{"delta":{"content":""},"message":{"content":"","function_call":{"name":"","arguments":""},"tool_calls":[
				{"id":"a","type":"function","function":{"name":"f","arguments":"{}"},"custom":{"name":"","input":""}},
				{"id":"","type":"function","function":{"name":"","arguments":""},"custom":{"name":"","input":""}}]},"finish_reason":""}]}`},
			Want: []D{{Kind: call, Index: none, ID: "a", Name: "f", Text: "{}", Whole: true, Done: true}}, Ended: true,
		},
	})
}

func TestErrorsInTheStream(t *testing.T) {
	wiretest.Run(t, newDecoder, []wiretest.Case{
		{Name: "event", In: []string{`error|{"error":{"message":"m","type":"t","code":"c"}}`}, Want: []D{extraOf("error.type", `"t"`), {Kind: failure, Name: "c", Text: "m"}}},
		{Name: "event without an error member", In: []string{`error|{"message":"m","code":500}`}, Want: []D{{Kind: failure, Name: "500", Text: "m"}}},
		{
			Name: "beside a choice, and on it goes",
			In:   []string{`{"error":{"code":400,"message":"m"},"choices":[{"delta":{"content":"a"},"finish_reason":null}]}`, delta(`"content":"b"`), "[DONE]"},
			Want: []D{{Kind: text, Text: "a"}, {Kind: failure, Name: "400", Text: "m"}, {Kind: text, Text: "b"}}, Ended: true,
		},
		{Name: "text", In: []string{`{"error":"overloaded"}`}, Want: []D{{Kind: failure, Text: "overloaded"}}},
		{Name: "null", In: []string{`{"error":null,"choices":[]}`}},
		{Name: "Groq's own", In: []string{`{"choices":[],"x_groq":{"id":"1","error":"over capacity"}}`}, Want: []D{extraOf("x_groq.id", `"1"`), {Kind: failure, Text: "over capacity"}}},
		{Name: "body", Framing: frame.JSON, In: []string{`{"error":{"message":"m","type":"t","code":null}}`}, Want: []D{spelled("error.type"), {Kind: failure, Name: "t", Text: "m"}}, Ended: true},
		{Name: "OpenRouter's, in a choice", In: []string{`{"choices":[{"delta":{"content":"a"},"finish_reason":"error","error":{"code":502,"message":"m"}}]}`}, Want: []D{{Kind: text, Text: "a"}, {Kind: finish, Text: "error", Truncated: true}, {Kind: failure, Name: "502", Text: "m"}}, Ended: true},
		{Name: "an error in a choice that says nothing", In: []string{`{"choices":[{"delta":{"content":"a"},"error":{"code":502}}]}`}, Want: []D{extraOf(inChoice+".error", `{"code":502}`), {Kind: text, Text: "a"}}},
		{Name: "MiniMax's body", Framing: frame.JSON, In: []string{`{"choices":null,"base_resp":{"status_code":1004,"status_msg":"m"}}`}, Want: []D{extraOf("base_resp", `{"status_code":1004,"status_msg":"m"}`), {Kind: failure, Name: "1004", Text: "m"}}, Ended: true},
		{Name: "MiniMax's success", Framing: frame.JSON, In: []string{`{"choices":[{"message":{"content":"a"}}],"base_resp":{"status_code":0,"status_msg":""}}`}, Want: []D{extraOf("base_resp", `{"status_code":0,"status_msg":""}`), {Kind: text, Text: "a"}}, Ended: true},
		{Name: "vLLM's body", Framing: frame.JSON, In: []string{`{"object":"error","message":"m","type":"BadRequestError","code":400}`}, Want: []D{spelled("error.type"), extraOf("error.code", "400"), {Kind: failure, Name: "BadRequestError", Text: "m"}}, Ended: true},
		{Name: "FastAPI's body", Framing: frame.JSON, In: []string{`{"detail":"Not Found"}`}, Want: []D{{Kind: failure, Text: "Not Found"}}, Ended: true},
		{Name: "a line after others", Framing: frame.JSON, In: []string{delta(`"content":"a"`), `{"error":{"message":"m"}}`}, Want: []D{{Kind: text, Text: "a"}, {Kind: failure, Text: "m"}}},
	})
}

func TestWrongTypes(t *testing.T) {
	wiretest.Run(t, newDecoder, []wiretest.Case{
		{Name: "no object", In: []string{`[1]`}, Err: "event 1, byte 0: expected an object, got an array"},
		{Name: "not valid JSON", In: []string{delta(`"content":"a"`), `{"choices":[}`}, Want: []D{{Kind: text, Text: "a"}}, Err: "event 2, byte 12: invalid JSON"},
		{Name: "choices", In: []string{`{"choices":{}}`}, Err: "choices: expected an array, got an object"},
		{Name: "choice", In: []string{`{"choices":[1]}`}, Err: "byte 12: choices[]: expected an object, got a number"},
		{Name: "delta", In: []string{`{"choices":[{"delta":"x"}]}`}, Err: "choices[].delta: expected an object, got a string"},
		{Name: "content", In: []string{delta(`"content":5`)}, Err: "choices[].delta.content: expected a string, got a number"},
		{Name: "calls", In: []string{delta(`"content":"a","tool_calls":{}`)}, Want: []D{{Kind: text, Text: "a"}}, Err: "choices[].delta.tool_calls: expected an array, got an object"},
		{Name: "index of a choice", In: []string{`{"choices":[{"delta":{"content":"a"}},{"index":"x","delta":{"content":"b"}}]}`}, Want: []D{{Kind: text, Text: "a"}}, Err: "event 1, byte 48: choices[].index: not an index"},
		{Name: "negative index", In: []string{delta(`"content":"a"`), delta(`"tool_calls":[{"index":-1,"id":"c","function":{"name":"f"}}]`)}, Want: []D{{Kind: text, Text: "a"}}, Err: "event 2, byte 55: choices[].delta.tool_calls[].index: not an index"},
		{Name: "id", In: []string{`{"id":{}}`}, Err: "byte 6: id: expected a string, got an object"},
		{Name: "model", In: []string{`{"model":7}`}, Err: "byte 9: model: expected a string, got a number"},
		{Name: "role", In: []string{delta(`"role":5`)}, Err: "choices[].delta.role: expected a string, got a number"},
		{Name: "id of a call", In: []string{delta(`"tool_calls":[{"id":[]}]`)}, Err: "choices[].delta.tool_calls[].id: expected a string, got an array"},
		{Name: "details of usage", In: []string{`{"usage":{"completion_tokens_details":7}}`}, Err: "usage.completion_tokens_details: expected an object, got a number"},
		{Name: "custom", In: []string{delta(`"tool_calls":[{"custom":{"input":{}}}]`)}, Err: "choices[].delta.tool_calls[].custom.input: expected a string, got an object"},
		{Name: "part", In: []string{delta(`"content":["a"]`)}, Err: "choices[].delta.content[]: expected an object, got a string"},
		{Name: "text of a part", In: []string{delta(`"content":[{"type":"text","text":1}]`)}, Err: "choices[].delta.content[].text: expected a string, got a number"},
		{Name: "reasoning", In: []string{delta(`"reasoning":5`)}, Want: []D{spelled(inDelta + ".reasoning")}, Err: "choices[].delta.reasoning: expected a string, got a number"},
		{Name: "detail", In: []string{delta(`"reasoning_details":[{"text":1}]`)}, Err: "choices[].delta.reasoning_details[].text: expected a string, got a number"},
		{Name: "signature", In: []string{delta(`"extra_content":"x"`)}, Err: "choices[].delta.extra_content: expected an object, got a string"},
		{Name: "finish reason", In: []string{`{"choices":[{"delta":{},"finish_reason":1}]}`}, Err: "choices[].finish_reason: expected a string, got a number"},
		{Name: "function", In: []string{delta(`"tool_calls":[{"function":[]}]`)}, Err: "choices[].delta.tool_calls[].function: expected an object, got an array"},
		{Name: "name in a body", In: []string{body(`"content":"a","tool_calls":[{"function":{"name":{}}}]`, "stop")}, Want: []D{{Kind: text, Text: "a"}}, Err: "choices[].message.tool_calls[].function.name: expected a string, got an object"},
	})
}

func TestEnds(t *testing.T) {
	wiretest.Run(t, newDecoder, []wiretest.Case{
		{Name: "a finish reason is an end, too", In: []string{finished("stop")}, Want: []D{{Kind: finish, Text: "stop"}}, Ended: true},
		{Name: "but of lines", Framing: frame.JSON, In: []string{finished("stop"), `{"choices":[],"usage":{}}`}, Want: []D{{Kind: finish, Text: "stop"}}, Ended: true},
		{Name: "of every choice", Framing: frame.JSON, In: []string{`{"choices":[{"index":0,"delta":{}},{"index":1,"delta":{},"finish_reason":"stop"}]}`}, Want: []D{{Kind: finish, Choice: 1, Text: "stop"}}},
		{Name: "marker in lines", Framing: frame.JSON, In: []string{delta(`"content":"a"`), "[DONE]"}, Want: []D{{Kind: text, Text: "a"}}, Ended: true},
		{Name: "nothing", Framing: frame.JSON},
	})
	for _, reason := range strings.Fields("length content_filter max_tokens model_length error abort") {
		wiretest.Run(t, newDecoder, []wiretest.Case{{Name: reason, In: []string{finished(reason)}, Want: []D{{Kind: finish, Text: reason, Truncated: true}}, Ended: true}})
	}
}

func FuzzDecoder(f *testing.F) {
	tool := `{"choices":[{"index":0,"delta":{"reasoning":"r","tool_calls":[{"index":0,"id":"c","function":{"name":"multi_tool_use.parallel","arguments":"{\"tool_uses\":[{\"recipient_name\":\"functions.f\",\"parameters\":{}}]}"}}]}}]}`
	wiretest.Fuzz(f, newDecoder,
		delta(`"content":"a\ud83d"`)+"\n"+delta(`"content":"\ude00"`)+"\n"+finished("stop")+"\n[DONE]",
		tool+"\n"+finished("length"),
		delta(`"tool_calls":[{"index":0,"id":"c","custom":{"name":"f","input":"x"}}]`)+"\n"+finished("tool_calls"),
		body(`"content":[{"type":"thinking","thinking":[{"text":"t"}]}],"function_call":{"name":"f","arguments":{"a":1}}`, "stop"),
		`{"error":{"message":"m"}}`,
		delta(`"reasoning_details":[{"text":"t","signature":"s","data":"d"}]`),
	)
}
