package responses

import (
	"strconv"
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
	none      = toolcall.NoIndex
)

// event makes an event about the item at an output index.
func event(kind string, index int, fields string) string {
	return `{"type":"response.` + kind + `","output_index":` + strconv.Itoa(index) + `,` + fields + `}`
}

func added(index int, item string) string {
	return event("output_item.added", index, `"item":{`+item+`}`)
}

func done(index int, item string) string {
	return event("output_item.done", index, `"item":{`+item+`}`)
}

func over(status, fields string) string {
	return `{"type":"response.` + status + `","response":{"object":"response","status":"` + status + `"` + fields + `}}`
}

const (
	created = `{"type":"response.created","response":{"object":"response","status":"in_progress","output":[]}}`
	callF   = `"type":"function_call","id":"fc","call_id":"c","name":"f","arguments":""`
	message = `"type":"message","id":"m","role":"assistant","content":[]`
)

// quiet is a decoder whose extras are left out.
type quiet struct{ Decoder }

func (q *quiet) Feed(dst []D, e frame.Event) ([]D, error) {
	all, err := q.Decoder.Feed(nil, e)
	for _, d := range all {
		if d.Kind != toolcall.DeltaExtra {
			dst = append(dst, d)
		}
	}
	return dst, err
}

func newQuiet() *quiet { return new(quiet) }

func newDecoder() *Decoder { return new(Decoder) }

func TestTexts(t *testing.T) {
	full := `"type":"message","id":"m","content":[{"type":"output_text","text":"ab"}]`
	wiretest.Run(t, newQuiet, []wiretest.Case{
		{
			Name: "text in pieces, repeated thrice",
			In: []string{
				created, added(0, message), event("content_part.added", 0, `"part":{"type":"output_text","text":""}`), event("output_text.delta", 0, `"delta":"a\ud83d"`), event("output_text.delta", 0, `"delta":"\ude00b"`),
				event("output_text.done", 0, `"text":"a😀b"`), event("content_part.done", 0, `"part":{"type":"output_text","text":"a😀b"}`), done(0, full), over("completed", `,"output":[{`+full+`}]`),
			},
			Want: []D{{Kind: text, Text: "a"}, {Kind: text, Text: "😀b"}, {Kind: finish, Text: "completed"}}, Ended: true,
		},
		{
			Name: "no pieces", In: []string{added(0, message), event("output_text.done", 0, `"text":"ab"`), done(0, full), over("completed", `,"output":[{`+full+`}]`)},
			Want: []D{{Kind: text, Text: "ab"}, {Kind: finish, Text: "completed"}}, Ended: true,
		},
		{Name: "only the done item", In: []string{done(0, full), over("completed", `,"output":[]`)}, Want: []D{{Kind: text, Text: "ab"}, {Kind: finish, Text: "completed"}}, Ended: true},
		{Name: "only the response", In: []string{created, over("completed", `,"output":[{`+full+`}]`)}, Want: []D{{Kind: text, Text: "ab"}, {Kind: finish, Text: "completed"}}, Ended: true},
		{
			Name: "a call takes the index of an open message", In: []string{added(0, message), event("output_text.delta", 0, `"delta":"ab"`), added(0, callF), done(0, callF), event("output_text.done", 0, `"text":"ab"`), done(0, full)},
			Want: []D{{Kind: text, Text: "ab"}, {Kind: call, ID: "c", Name: "f"}, {Kind: call, ID: "c", Done: true}},
		},
		{
			Name: "reasoning", In: []string{added(0, `"type":"reasoning","id":"r","encrypted_content":"early"`), event("reasoning_summary_text.delta", 0, `"delta":"s"`), event("reasoning_summary_text.done", 0, `"text":"s"`), done(0, `"type":"reasoning","summary":[{"type":"summary_text","text":"s"}],"encrypted_content":"late"`), event("reasoning_text.delta", 1, `"delta":"t"`)},
			Want: []D{{Kind: reasoning, Text: "s"}, {Kind: signature, Index: none, Text: "late"}, {Kind: reasoning, Text: "t"}},
		},
		{Name: "reasoning in the done item only", In: []string{done(0, `"type":"reasoning","summary":[{"type":"summary_text","text":"s"}],"content":[{"type":"reasoning_text","text":"t"}],"encrypted_content":null`)}, Want: []D{{Kind: reasoning, Text: "s"}, {Kind: reasoning, Text: "t"}}},
		{Name: "refusal", In: []string{event("refusal.delta", 0, `"delta":"no"`), event("refusal.done", 0, `"refusal":"no"`), done(0, `"type":"message","content":[{"type":"refusal","refusal":"no"}]`)}, Want: []D{{Kind: refusal, Text: "no"}}},
		{Name: "refusal without pieces", In: []string{event("refusal.done", 0, `"refusal":"no"`)}, Want: []D{{Kind: refusal, Text: "no"}}},
		{Name: "type in the event field only", In: []string{`response.output_text.delta|{"output_index":0,"delta":"a"}`}, Want: []D{{Kind: text, Text: "a"}}},
	})
}

func TestCalls(t *testing.T) {
	args := func(kind string, index int, fields string) string {
		return event("function_call_arguments."+kind, index, fields)
	}
	full := `"type":"function_call","id":"fc","call_id":"c","name":"f","status":"completed","arguments":"{\"a\":1}"`
	whole := D{Kind: call, ID: "c", Name: "f", Text: `{"a":1}`, Whole: true, Done: true}
	again := whole
	again.Name = "" // so that it begins no second call
	wiretest.Run(t, newQuiet, []wiretest.Case{
		{
			Name: "pieces, repeated thrice",
			In:   []string{created, added(0, callF), args("delta", 0, `"delta":"{\"a\""`), args("delta", 0, `"delta":":1}"`), args("done", 0, `"arguments":"{\"a\":1}"`), done(0, full), over("completed", `,"output":[{`+full+`}]`), "[DONE]"},
			Want: []D{{Kind: call, ID: "c", Name: "f"}, {Kind: call, Text: `{"a"`}, {Kind: call, Text: ":1}"}, {Kind: call, Text: `{"a":1}`, Whole: true}, again, {Kind: finish, Text: "completed"}}, Ended: true,
		},
		{
			Name: "whole in the start and in pieces",
			In:   []string{added(0, full), args("delta", 0, `"delta":"{\"a\""`), args("delta", 0, `"delta":": 1}"`), args("done", 0, `"arguments":"{\"a\":1}"`), done(0, full)},
			Want: []D{{Kind: call, ID: "c", Name: "f", Text: `{"a":1}`}, {Kind: call, Text: `{"a":1}`, Whole: true}, again},
		},
		{
			Name: "whole in the start, and other pieces",
			In:   []string{added(0, full), args("delta", 0, `"delta":"{\"a\":2}"`), done(0, full)},
			Want: []D{{Kind: call, ID: "c", Name: "f", Text: `{"a":1}`}, {Kind: call, Text: `{"a":2}`}, again},
		},
		{Name: "no pieces", In: []string{added(0, callF), done(0, full)}, Want: []D{{Kind: call, ID: "c", Name: "f"}, again}},
		{Name: "no arguments", In: []string{added(0, callF), args("done", 0, `"arguments":""`), done(0, callF)}, Want: []D{{Kind: call, ID: "c", Name: "f"}, {Kind: call, ID: "c", Done: true}}},
		{Name: "only the done item", In: []string{done(0, full)}, Want: []D{whole}},
		{Name: "only the response", In: []string{created, over("completed", `,"output":[{`+full+`}]`)}, Want: []D{whole, {Kind: finish, Text: "completed"}}, Ended: true},
		{
			Name: "item ids change with every event", In: []string{added(1, `"type":"function_call","id":"x1","call_id":"c","name":"f"`), args("delta", 1, `"item_id":"x2","delta":"{}"`)},
			Want: []D{{Kind: call, Index: 1, ID: "c", Name: "f"}, {Kind: call, Index: 1, Text: "{}"}},
		},
		{
			Name: "no output index, and no call id",
			In:   []string{`{"type":"response.output_item.added","item":{"type":"function_call","id":"fc","name":"f"}}`, `{"type":"response.function_call_arguments.delta","item_id":"fc","delta":"{}"}`},
			Want: []D{{Kind: call, Index: none, ID: "fc", Name: "f"}, {Kind: call, Index: none, Text: "{}"}},
		},
		{
			Name: "output index in the start only", In: []string{added(2, callF), `{"type":"response.function_call_arguments.delta","item_id":"fc","delta":"{}"}`},
			Want: []D{{Kind: call, Index: 2, ID: "c", Name: "f"}, {Kind: call, Index: 2, Text: "{}"}},
		},
		{
			Name: "cut", In: []string{added(0, callF), args("delta", 0, `"delta":"{\"a"`), done(0, `"type":"function_call","call_id":"c","name":"f","status":"incomplete","arguments":"{\"a"`), over("incomplete", `,"incomplete_details":{"reason":"max_output_tokens"}`)},
			Want: []D{{Kind: call, ID: "c", Name: "f"}, {Kind: call, Text: `{"a`}, {Kind: finish, Name: "max_output_tokens", Text: "incomplete", Truncated: true}}, Ended: true,
		},
		{
			Name: "cut, in the done item only", In: []string{done(0, `"type":"function_call","call_id":"c","name":"f","status":"incomplete","arguments":"{\"a"`)},
			Want: []D{{Kind: call, ID: "c", Name: "f", Text: `{"a`}},
		},
		{
			Name: "half pairs", In: []string{added(0, callF), args("delta", 0, `"delta":"\"\ud83d"`), args("done", 0, `"arguments":"\"\ud83d"`)},
			Want: []D{{Kind: call, ID: "c", Name: "f"}, {Kind: call, Text: `"`}, {Kind: call, Text: `\ud83d`}, {Kind: call, Text: `"\ud83d`, Whole: true}},
		},
		{
			Name: "what the server runs itself", In: []string{added(0, `"type":"mcp_call","id":"x","name":"f","arguments":""`), event("mcp_call_arguments.delta", 0, `"delta":"{}"`), done(0, `"type":"mcp_call","id":"x","name":"f","arguments":"{}","output":"y"`), added(1, `"type":"web_search_call","id":"w"`), event("web_search_call.searching", 1, `"item_id":"w"`)},
		},
		{
			Name: "parallel calls in one", In: []string{
				added(0, `"type":"function_call","id":"fc","call_id":"c","name":"multi_tool_use.parallel","arguments":""`), args("delta", 0, `"delta":"{\"tool_uses\":[{\"recipient_name\":\"functions.f\",\"parameters\":{}}]}"`),
				args("done", 0, `"arguments":"{\"tool_uses\":[{\"recipient_name\":\"functions.f\",\"parameters\":{}}]}"`), done(0, `"type":"function_call","id":"fc","call_id":"c","name":"multi_tool_use.parallel","arguments":"{\"tool_uses\":[{\"recipient_name\":\"functions.f\",\"parameters\":{}}]}"`),
			},
			Want: []D{{Kind: call, Index: none, ID: "c_0", Name: "f", Text: "{}", Whole: true, Done: true}},
		},
	})
}

func TestCustomCalls(t *testing.T) {
	input := func(kind, fields string) string { return event("custom_tool_call_input."+kind, 0, fields) }
	const opener = `"type":"custom_tool_call","id":"x","call_id":"c","name":"f","input":""`
	const full = `"type":"custom_tool_call","id":"x","call_id":"c","name":"f","input":"a\"b"`
	begun := D{Kind: call, ID: "c", Name: "f", Text: `{"input":"`, Custom: true}
	whole := D{Kind: call, ID: "c", Name: "f", Text: `{"input":"a\"b"}`, Whole: true, Done: true, Custom: true}
	again := whole
	again.Name = "" // so that it begins no second call
	wiretest.Run(t, newQuiet, []wiretest.Case{
		{Name: "pieces", In: []string{added(0, opener), input("delta", `"delta":"a"`), input("delta", `"delta":"\"b"`), input("done", `"input":"a\"b"`), done(0, full)}, Want: []D{begun, {Kind: call, Text: "a"}, {Kind: call, Text: `\"b`}, {Kind: call, Text: `"}`}, again}},
		{Name: "no done of the input", In: []string{added(0, opener), input("delta", `"delta":"a\"b"`), done(0, full)}, Want: []D{begun, {Kind: call, Text: `a\"b`}, again}},
		{Name: "no pieces", In: []string{added(0, opener), input("done", `"input":"a\"b"`), done(0, full)}, Want: []D{begun, {Kind: call, Text: `a\"b"}`}, again}},
		{Name: "only the done item", In: []string{done(0, full)}, Want: []D{whole}},
		{Name: "cut", In: []string{added(0, opener), input("delta", `"delta":"a"`), done(0, full+`,"status":"incomplete"`)}, Want: []D{begun, {Kind: call, Text: "a"}}},
		{Name: "cut, without pieces", In: []string{added(0, opener), done(0, full+`,"status":"incomplete"`)}, Want: []D{begun, {Kind: call, ID: "c", Text: `a\"b`, Custom: true}}},
		{Name: "cut, in the done item only", In: []string{done(0, full+`,"status":"incomplete"`)}, Want: []D{{Kind: call, ID: "c", Name: "f", Text: `{"input":"a\"b`, Custom: true}}},
	})
}

func TestEnds(t *testing.T) {
	body := func(status, fields string) string {
		return `{"id":"r","object":"response","status":"` + status + `","error":null` + fields + `}`
	}
	items := `,"output":[{"type":"reasoning","summary":[],"encrypted_content":"e"},{"type":"message","content":[{"type":"output_text","text":"a"}]},{` + `"type":"function_call","call_id":"c","name":"f","arguments":"{}"` + `}]`
	wiretest.Run(t, newQuiet, []wiretest.Case{
		{
			Name: "body", Framing: frame.JSON, In: []string{body("completed", items)},
			Want: []D{{Kind: signature, Index: none, Name: toolcall.SignsRedacted, Text: "e"}, {Kind: text, Text: "a"}, {Kind: call, Index: 2, ID: "c", Name: "f", Text: "{}", Whole: true, Done: true}, {Kind: finish, Text: "completed"}}, Ended: true,
		},
		{
			Name: "body cut in its last call", Framing: frame.JSON, In: []string{body("incomplete", `,"output":[{"type":"function_call","call_id":"b","name":"f","arguments":""},{"type":"function_call","call_id":"c","name":"f","arguments":""}]`)},
			Want: []D{{Kind: call, ID: "b", Name: "f", Done: true}, {Kind: call, Index: 1, ID: "c", Name: "f"}, {Kind: finish, Text: "incomplete", Truncated: true}}, Ended: true,
		},
		{
			Name: "body with a call that is not done", Framing: frame.JSON, In: []string{body("completed", `,"output":[{"type":"function_call","call_id":"c","name":"f","status":"in_progress","arguments":""}]`)},
			Want: []D{{Kind: call, ID: "c", Name: "f"}, {Kind: finish, Text: "completed", Truncated: true}}, Ended: true,
		},
		{Name: "body that is not there yet", Framing: frame.JSON, In: []string{body("queued", "")}, Err: "event 1, byte 40: status: the answer is not finished: it is queued"},
		{Name: "filtered", In: []string{over("incomplete", `,"incomplete_details":{"reason":"content_filter"}`)}, Want: []D{{Kind: finish, Name: "content_filter", Text: "incomplete", Truncated: true}}, Ended: true},
		{Name: "cancelled", In: []string{over("cancelled", "")}, Want: []D{{Kind: finish, Text: "cancelled", Truncated: true}}, Ended: true},
		{
			Name: "error, then failed", In: []string{`{"type":"error","error":{"type":"t","code":"c","message":"m"}}`, over("failed", `,"error":{"code":"c","message":"m"}`)},
			Want: []D{{Kind: failure, Name: "c", Text: "m"}, {Kind: finish, Text: "failed", Truncated: true}}, Ended: true,
		},
		{Name: "failed alone", In: []string{over("failed", `,"error":{"code":"c","message":"m"}`)}, Want: []D{{Kind: failure, Name: "c", Text: "m"}, {Kind: finish, Text: "failed", Truncated: true}}, Ended: true},
		{Name: "error with its fields at the top, and on it goes", In: []string{`{"type":"error","code":"c","message":"m","sequence_number":1}`, event("output_text.delta", 0, `"delta":"a"`)}, Want: []D{{Kind: failure, Name: "c", Text: "m"}, {Kind: text, Text: "a"}}},
		{Name: "error in an event of another name", In: []string{`{"type":"response.error","error":{"code":"c","message":"m"}}`}, Want: []D{{Kind: failure, Name: "c", Text: "m"}}},
		{Name: "error body", Framing: frame.JSON, In: []string{`{"error":{"message":"m","type":"invalid_request_error","code":null}}`}, Want: []D{{Kind: failure, Name: "invalid_request_error", Text: "m"}}, Ended: true},
		{Name: "no end", In: []string{created, event("output_text.delta", 0, `"delta":"a"`)}, Want: []D{{Kind: text, Text: "a"}}},
		{Name: "broken", In: []string{created, `{"type":`}, Err: "event 2, byte 8"},
		{Name: "delta", In: []string{event("output_text.delta", 0, `"delta":[]`)}, Err: "delta: expected a string, got an array"},
		{Name: "item", In: []string{event("output_item.done", 0, `"item":"x"`)}, Err: "item: expected an object, got a string"},
	})
	t.Run("items without end", func(t *testing.T) {
		d := newDecoder()
		for i := range maxItems + 2 {
			if _, err := d.Feed(nil, frame.Event{Framing: frame.SSE, Data: []byte(added(i, callF))}); (err != nil) != (i >= maxItems) {
				t.Fatalf("item %d: %v", i, err)
			}
		}
	})
}

func FuzzDecoder(f *testing.F) {
	wiretest.Fuzz(f, newDecoder,
		created+"\n"+added(0, message)+"\n"+event("output_text.delta", 0, `"delta":"\ud83d"`)+"\n"+done(0, message)+"\n"+over("completed", `,"output":[]`),
		added(0, callF)+"\n"+event("function_call_arguments.delta", 0, `"delta":"{}"`)+"\n"+event("function_call_arguments.done", 0, `"arguments":"{}"`)+"\n"+done(0, callF),
		added(0, `"type":"custom_tool_call","id":"x","call_id":"c","name":"f","input":""`)+"\n"+event("custom_tool_call_input.delta", 0, `"delta":"a"`)+"\n"+over("incomplete", ""),
		over("completed", `,"output":[{"type":"function_call","name":"parallel","arguments":"{}"}]`),
		`{"type":"error","message":"m"}`,
	)
}

func sse(data string) frame.Event { return frame.Event{Framing: frame.SSE, Data: []byte(data)} }
