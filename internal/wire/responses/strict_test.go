package responses

import (
	"strings"
	"testing"

	"github.com/toolparse/toolparse/internal/wire/test/wiretest"
)

// What is out of order, or of a wrong type, is an error with its place; what
// came before is there.
func TestBrokenStreams(t *testing.T) {
	const (
		part  = `"content_index":0,"part":{"type":"output_text","text":""}`
		full  = `"type":"message","id":"m","content":[{"type":"output_text","text":"ab"}]`
		fullF = `"type":"function_call","id":"fc","call_id":"c","name":"f","arguments":"{}"`
	)
	piece := event("output_text.delta", 0, `"delta":"ab"`)
	said := []D{{Kind: text, Text: "ab"}}
	called := []D{{Kind: call, ID: "c", Name: "f"}}
	again := D{Kind: call, ID: "c", Text: "{}", Whole: true, Done: true}
	wiretest.Run(t, newQuiet, []wiretest.Case{
		{Name: "index that is a word", In: []string{piece, `{"type":"response.output_text.delta","output_index":"x","delta":"c"}`}, Want: said, Err: `event 2, byte 53: output_index: not an index`},
		{Name: "index below 0", In: []string{event("output_text.delta", -1, `"delta":"a"`)}, Err: "event 1, byte 52: output_index: not an index"},
		{Name: "index of a part", In: []string{event("output_text.delta", 0, `"content_index":-1,"delta":"a"`)}, Err: "content_index: not an index"},
		{Name: "type", In: []string{`{"type":5}`}, Err: "event 1, byte 8: type: expected a string, got a number"},
		{Name: "no type", In: []string{`{"delta":"a"}`}, Err: "type: an event without a type"},
		{Name: "nothing", In: []string{`{}`, `{"type":"keepalive"}`}},
		{Name: "no object", In: []string{`[1]`}, Err: "expected an object, got an array"},
		{Name: "delta", In: []string{piece, event("output_text.delta", 0, `"delta":5`)}, Want: said, Err: "event 2, byte 62: delta: expected a string, got a number"},
		{Name: "arguments", In: []string{added(0, callF), event("function_call_arguments.delta", 0, `"delta":{}`)}, Want: called, Err: "event 2, byte 74: delta: expected a string, got an object"},
		{Name: "whole arguments", In: []string{added(0, callF), event("function_call_arguments.done", 0, `"arguments":5`)}, Want: called, Err: "arguments: expected a string, got a number"},
		{Name: "content", In: []string{done(0, `"type":"message","content":5`)}, Err: "item.content: expected a string, got a number"},
		{Name: "text of a part", In: []string{done(0, `"type":"message","content":[{"type":"output_text","text":5}]`)}, Err: "item.content[].text: expected a string, got a number"},
		{Name: "name", In: []string{added(0, `"type":"function_call","name":{}`)}, Err: "item.name: expected a string, got an object"},
		{Name: "item", In: []string{event("output_item.done", 0, `"item":null`)}},
		{Name: "item without which a text ends", In: []string{added(0, message), piece, event("output_item.done", 0, `"item":null`), event("output_text.delta", 0, `"delta":"c"`)}, Want: said, Err: "output_index: a delta for an item that is done"},
		{
			Name: "item without which a call ends", In: []string{added(0, callF), event("function_call_arguments.done", 0, `"arguments":"{}"`), event("output_item.done", 0, `"item":null`), over("completed", "")},
			Want:  append(called, D{Kind: call, Text: "{}", Whole: true}, D{Kind: call, Done: true}, D{Kind: finish, Text: "completed"}),
			Ended: true,
		},
		{
			Name: "item without which an empty call does not end", In: []string{added(0, callF), event("output_item.done", 0, `"item":null`), over("completed", `,"output":[{`+fullF+`}]`)},
			Want:  append(called, again, D{Kind: finish, Text: "completed"}),
			Ended: true,
		},
		{
			Name: "calls that begin with an empty object",
			In: []string{
				added(0, fullF), added(1, strings.NewReplacer(`"fc"`, `"gc"`, `"c"`, `"d"`, `"{}"`, `{ }`).Replace(fullF)),
				event("function_call_arguments.delta", 0, `"delta":"{\"a\":"`), event("function_call_arguments.delta", 1, `"delta":"{}"`), event("function_call_arguments.delta", 0, `"delta":"1}"`),
			},
			Want: append(called, D{Kind: call, Index: 1, ID: "d", Name: "f"}, D{Kind: call, Text: `{"a":`}, D{Kind: call, Index: 1, Text: "{}"}, D{Kind: call, Text: "1}"}),
		},
		{Name: "no item yet", In: []string{event("output_item.added", 0, `"item":null`), added(0, callF), `{"type":"response.output_item.added","output_index":0}`, done(0, fullF)}, Want: append(called, again)},
		{Name: "response", In: []string{piece, `{"type":"response.completed"}`}, Want: said, Err: "response: an event without its response"},
		{Name: "status", In: []string{`{"type":"response.completed","response":{"status":1}}`}, Err: "response.status: expected a string, got a number"},
		{Name: "output", In: []string{`{"type":"response.completed","response":{"output":{}}}`}, Err: "response.output: expected an array, got an object"},

		{Name: "arguments before their call", In: []string{piece, event("function_call_arguments.delta", 1, `"delta":"{}"`)}, Want: said, Err: "event 2, byte 64: output_index: a delta for an item that was not opened"},
		{Name: "input before its call", In: []string{event("custom_tool_call_input.delta", 0, `"delta":"x"`)}, Err: "was not opened"},
		{Name: "text before its item", In: []string{piece, added(0, message)}, Want: said, Err: "event 2, byte 61: item: deltas of the output item came before its start"},
		{Name: "text before its part", In: []string{added(0, message), piece, event("content_part.added", 0, part), piece, done(0, strings.Replace(full, "ab", "abab", 1))}, Want: append(said, said...)},
		{Name: "text before its part, which has it, too", In: []string{added(0, message), piece, event("content_part.added", 0, `"content_index":0,"part":{"type":"output_text","text":"ab"}`)}, Want: said},
		{Name: "part twice", In: []string{added(0, message), event("content_part.added", 0, part), event("content_part.added", 0, part), piece}, Want: said},
		{Name: "part again after text", In: []string{added(0, message), event("content_part.added", 0, part), piece, event("content_part.added", 0, part)}, Want: said},
		{Name: "ended part again", In: []string{added(0, message), event("content_part.added", 0, part), piece, event("content_part.done", 0, part), event("content_part.added", 0, part), done(0, full)}, Want: said},
		{Name: "item twice", In: []string{added(0, callF), added(0, callF), done(0, fullF)}, Want: append(called, again)},
		{Name: "item twice, with arguments", In: []string{added(0, callF), added(0, fullF)}, Want: called, Err: "event 2, byte 61: item: the output item is already open"},
		{Name: "item after its end", In: []string{added(0, callF), done(0, fullF), added(0, callF)}, Want: append(called, again), Err: "item: the output item is already open"},
		{Name: "end twice", In: []string{added(0, callF), done(0, fullF), done(0, fullF)}, Want: append(called, again)},
		{Name: "end twice, with other arguments", In: []string{added(0, callF), done(0, fullF), done(0, strings.Replace(fullF, "{}", "{\\\"a\\\":1}", 1))}, Want: append(called, again), Err: "item: the arguments of the call differ"},
		{Name: "text after its end", In: []string{added(0, message), piece, done(0, full), piece}, Want: said, Err: "output_index: a delta for an item that is done"},
		{Name: "arguments after their end", In: []string{added(0, callF), done(0, fullF), event("function_call_arguments.delta", 0, `"delta":"{}"`)}, Want: append(called, again), Err: "a delta for an item that is done"},
		{Name: "text in a call", In: []string{added(0, callF), piece}, Want: called, Err: "output_index: a delta for an item of another kind"},
		{Name: "call without its end", In: []string{added(0, callF), over("completed", `,"output":[]`)}, Want: called, Ended: true, Err: "event 2, byte 40: response: the response is completed, but an output item is not done: index 0"},
		{Name: "message without its end", In: []string{added(0, message), piece, over("completed", "")}, Want: append(said, D{Kind: finish, Text: "completed"}), Ended: true},
		{Name: "message whose end is that of the response", In: []string{added(0, message), piece, over("completed", `,"output":[{"type":"message","id":"m","content":[{"type":"output_text","text":"abc"}]}]`)}, Want: append(said, D{Kind: text, Text: "c"}, D{Kind: finish, Text: "completed"}), Ended: true},
		{Name: "call whose end is that of the response", In: []string{added(0, callF), over("completed", `,"output":[{`+fullF+`}]`)}, Want: append(called, again, D{Kind: finish, Text: "completed"}), Ended: true},
		{Name: "another call in its place", In: []string{added(0, callF), over("completed", `,"output":[{"type":"function_call","call_id":"x","name":"g","arguments":"{}"}]`)}, Want: called, Ended: true, Err: "not done"},
		{Name: "server's own item without its end", In: []string{added(0, `"type":"mcp_list_tools","id":"l"`), over("completed", `,"output":[{"type":"mcp_list_tools","id":"l","tools":[]}]`)}, Want: []D{{Kind: finish, Text: "completed"}}, Ended: true},
		{Name: "end of another call", In: []string{added(0, callF), done(0, `"type":"function_call","id":"x","call_id":"other","name":"g","arguments":"{}"`), over("completed", "")}, Want: append(called, D{Kind: call, ID: "other", Name: "g", Text: "{}", Whole: true, Done: true}), Ended: true, Err: "not done"},
		{Name: "other arguments in the response", In: []string{added(0, callF), done(0, fullF), over("completed", `,"output":[{"type":"function_call","id":"fc","call_id":"c","name":"f","arguments":"{\"a\":1}"}]`)}, Want: append(called, again), Ended: true, Err: "response.output[]: the arguments of the call differ"},
		{Name: "another name in the response", In: []string{added(0, callF), done(0, fullF), over("completed", `,"output":[{"type":"function_call","id":"fc","call_id":"c","name":"g","arguments":"{}"}]`)}, Want: append(called, again), Ended: true, Err: "response.output[].name: the name of the call differs"},
		{Name: "only the marker", In: []string{piece, "[DONE]"}, Want: said},
	})
}

// What servers do, though nobody says that they may, and nothing is lost by it.
func TestServersThatDeviate(t *testing.T) {
	full := `"type":"message","id":"m","content":[{"type":"output_text","text":"ab"}]`
	piece := event("output_text.delta", 0, `"delta":"ab"`)
	said := D{Kind: text, Text: "ab"}
	wiretest.Run(t, newQuiet, []wiretest.Case{
		{Name: "text without its start", In: []string{piece, over("completed", "")}, Want: []D{said, {Kind: finish, Text: "completed"}}, Ended: true},
		{Name: "cut, and nothing ended", In: []string{added(0, message), piece, over("incomplete", "")}, Want: []D{said, {Kind: finish, Text: "incomplete", Truncated: true}}, Ended: true},
		{Name: "more at the end than in pieces", In: []string{added(0, message), event("output_text.delta", 0, `"delta":"a"`), done(0, full)}, Want: []D{{Kind: text, Text: "a"}, {Kind: text, Text: "b"}}},
		{Name: "a call in the last event only", In: []string{added(0, message), piece, done(0, full), over("completed", `,"output":[{`+full+`},{"type":"function_call","call_id":"c","name":"f","arguments":"{}"}]`)}, Want: []D{said, {Kind: call, Index: 1, ID: "c", Name: "f", Text: "{}", Whole: true, Done: true}, {Kind: finish, Text: "completed"}}, Ended: true},
		{Name: "arguments that the last event formats anew", In: []string{done(0, `"type":"function_call","call_id":"c","name":"f","arguments":"{\"a\":1,\"b\":\"é\"}"`), over("completed", `,"output":[{"type":"function_call","call_id":"c","name":"f","arguments":"{\"b\": \"\\u00e9\", \"a\": 1.0}"}]`)}, Want: []D{{Kind: call, ID: "c", Name: "f", Text: `{"a":1,"b":"é"}`, Whole: true, Done: true}, {Kind: finish, Text: "completed"}}, Ended: true},
		{Name: "an item that the last event leaves out", In: []string{added(0, message), piece, added(0, callF), done(0, callF), done(0, full), over("completed", `,"output":[{`+callF+`}]`)}, Want: []D{said, {Kind: call, ID: "c", Name: "f"}, {Kind: call, ID: "c", Done: true}, {Kind: finish, Text: "completed"}}, Ended: true},
		{Name: "completed, and still in progress", In: []string{`{"type":"response.completed","response":{"status":"in_progress"}}`}, Want: []D{{Kind: finish, Text: "completed"}}, Ended: true},
		{Name: "failed, and called completed", In: []string{`{"type":"response.failed","response":{"status":"completed"}}`}, Want: []D{{Kind: finish, Text: "failed", Truncated: true}}, Ended: true},
		{Name: "incomplete, and called so in the status only", In: []string{`{"type":"response.completed","response":{"status":"incomplete"}}`}, Want: []D{{Kind: finish, Text: "incomplete", Truncated: true}}, Ended: true},
	})
}

// A text that its end contradicts is told of.
func TestTextThatItsEndContradicts(t *testing.T) {
	for _, last := range []string{"xb", "a", "", "abc"} {
		d := newDecoder()
		var got []D
		for _, in := range []string{added(0, message), event("output_text.delta", 0, `"delta":"ab"`), done(0, `"type":"message","id":"m","content":[{"type":"output_text","text":"`+last+`"}]`)} {
			var err error
			if got, err = d.Feed(got, sse(in)); err != nil {
				t.Fatal(err)
			}
		}
		told := ""
		for _, d := range got {
			if d.Name == "item.content" {
				told = d.Text
			}
		}
		if contradicts := last != "abc"; contradicts != strings.Contains(told, `"text":"`+last+`"`) {
			t.Errorf("%q: %q", last, told)
		}
	}
}

func TestBrokenBodies(t *testing.T) {
	for body, want := range map[string]string{
		`{}`:   "event 1, byte 0: output: it is missing",
		`null`: "output: it is missing",
	} {
		if _, err := (Codec).DecodeResponse([]byte(body)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %s", body, err, want)
		}
	}
	for body, want := range map[string]string{
		`{}`:                                "input: it is missing",
		`{"input":"x","stream":"yes"}`:      "byte 23: stream: expected a boolean, got a string",
		`{"input":"x","temperature":"hot"}`: "temperature: no number",
		`{"input":"x","max_output_tokens":"many"}`: "max_output_tokens: not a count",
		`{"input":[{}]}`:                              "input[].type: it is missing",
		`{"input":"x","tools":[{}]}`:                  "tools[].type: it is missing",
		`{"input":"x","tools":[{"type":"function"}]}`: "tools[].name: it is missing",
		`{"input":"x","tools":[{"type":"function","name":"f","strict":"y"}]}`: "tools[].strict: expected a boolean, got a string",
		`{"input":"x","tool_choice":5}`:                                       "tool_choice: expected an object, got a number",
	} {
		if _, err := (Codec).DecodeRequest([]byte(body)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %s", body, err, want)
		}
	}
	for _, body := range []string{`null`, `{}`, `[null]`, `[5]`} {
		if _, err := (Codec).DecodeTools([]byte(body)); err == nil {
			t.Errorf("the list of tools %s is accepted", body)
		}
	}
}
