package format_test

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/google/go-cmp/cmp"
	"github.com/toolparse/toolparse/format"
	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/adapter"
	"github.com/toolparse/toolparse/internal/dialect"
	"github.com/toolparse/toolparse/internal/parser"
	"github.com/toolparse/toolparse/internal/reencode"
	"github.com/toolparse/toolparse/internal/wire"
	"github.com/toolparse/toolparse/internal/wire/all"
	"github.com/toolparse/toolparse/toolcall"
)

// runnable is a call that a client would run.
type runnable struct{ name, arguments string }

// autoOptions also find the calls in texts.
var autoOptions = func() parser.Options {
	auto, err := dialect.Named("auto", "")
	if err != nil {
		panic(err)
	}
	return parser.Options{Dialects: auto}
}()

// runnables returns the calls of a body that a client would run, in any order.
func runnables(tb rapid.TB, body []byte, wire format.Wire) []runnable {
	tb.Helper()
	return runnablesBy(tb, body, wire, parser.Options{})
}

// runnablesBy returns the calls that a client would run if it reads texts with these
// options.
func runnablesBy(tb rapid.TB, body []byte, wire format.Wire, opts parser.Options) []runnable {
	tb.Helper()
	calls, err := adapter.New(adapter.Options{})
	if err != nil {
		tb.Fatal(err)
	}
	var run []runnable
	stream := format.NewStream(bytes.NewReader(body), format.Options{Wire: wire})
	for e, err := range parser.Events(stream.Deltas(), opts) {
		if err != nil {
			break // calls before it may have run
		}
		if call, ended := calls.Add(e); ended && call.Status == toolcall.Complete {
			run = append(run, runnable{call.Name, canonicalJSON(call.Arguments)})
		}
	}
	return run
}

func canonicalJSON(text []byte) string {
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	var v any
	if dec.Decode(&v) != nil {
		return string(text)
	}
	out, _ := json.Marshal(v)
	return string(out)
}

// checkTranslated fails if a target of a body would run a call that a client of the body
// itself would not run.
func checkTranslated(tb rapid.TB, body []byte, from format.Wire) {
	tb.Helper()
	for _, opts := range []parser.Options{{}, autoOptions} {
		checkTranslatedBy(tb, body, from, opts)
	}
}

// checkTranslatedBy is checkTranslated for clients that read texts with these options.
func checkTranslatedBy(tb rapid.TB, body []byte, from format.Wire, opts parser.Options) {
	tb.Helper()
	may := runnablesBy(tb, body, from, opts)
	for _, to := range format.Wires() {
		for _, kind := range []format.Kind{format.KindStream, format.KindResponse} {
			out, losses, err := format.Translate(body, from, to, kind, format.TranslateOptions{})
			if err != nil && kind == format.KindResponse {
				continue
			}
			checkRun(tb, may, body, from, out, to, losses, opts)
		}
		out, losses := parsedAs(tb, body, from, to, opts)
		checkRun(tb, may, body, from, out, to, losses, parser.Options{}) // the parser has already read the texts
	}
}

// checkRun fails if a client would run calls in out that may not run, or fewer than may
// run without a loss about it.
func checkRun(tb rapid.TB, may []runnable, body []byte, from format.Wire, out []byte, to format.Wire, losses []chat.Loss, opts parser.Options) {
	tb.Helper()
	left := slices.Clone(may)
	for _, call := range runnablesBy(tb, out, to, opts) {
		at := slices.IndexFunc(left, func(own runnable) bool {
			return own == call || own.arguments == call.arguments && renamed(own.name, call.name, losses)
		})
		if at < 0 {
			tb.Fatalf("%s to %s: %v is run, of %v\n%s\n%s\nlosses %v", from, to, call, may, body, out, losses)
		}
		left = slices.Delete(left, at, at+1)
	}
	if len(left) > 0 && len(losses) == 0 && isWhole(body, from) {
		tb.Fatalf("%s to %s: %v of %v are no longer run, silently\n%s\n%s", from, to, left, may, body, out)
	}
}

// isWhole reports whether a body ends without an error or a cut.
func isWhole(body []byte, wire format.Wire) bool {
	for d, err := range format.NewStream(bytes.NewReader(body), format.Options{Wire: wire}).Deltas() {
		if err != nil || d.Kind == toolcall.DeltaError || d.Truncated {
			return false
		}
	}
	return true
}

// renamed reports whether a loss says that a name was replaced.
func renamed(name, as string, losses []chat.Loss) bool {
	return slices.ContainsFunc(losses, func(l chat.Loss) bool { return l.Action == name+" is written "+as })
}

// parsedAs parses a body and writes the result as a wire, like parse -o.
func parsedAs(tb rapid.TB, body []byte, from, to format.Wire, opts parser.Options) ([]byte, []chat.Loss) {
	tb.Helper()
	codec, err := all.CodecOf(to)
	if err != nil {
		tb.Fatal(err)
	}
	p, err := parser.New(opts)
	if err != nil {
		tb.Fatal(err)
	}
	stream := format.NewStream(bytes.NewReader(body), format.Options{Wire: from})
	enc := codec.NewEncoder(wire.Options{})
	enc.SetMeta(chat.Meta{ID: "x", Model: "m"})
	var x reencode.Deltas
	var deltas []toolcall.Delta
	var events []toolcall.Event
	var finish toolcall.Delta
	for d, err := range stream.Deltas() {
		if err != nil {
			d = toolcall.Delta{Kind: toolcall.DeltaError, Text: err.Error()}
		}
		if d.Choice != 0 {
			continue
		}
		if d.Kind == toolcall.DeltaFinish {
			finish = d
		}
		deltas = x.Pass(deltas, d)
		events = p.FeedDelta(events[:0], d)
		for _, e := range events {
			deltas = x.Append(deltas, e)
		}
	}
	for _, e := range p.Close(nil) {
		deltas = x.Append(deltas, e)
	}
	var out []byte
	for _, d := range x.Close(deltas, finish) {
		out = enc.Append(out, d)
	}
	out = enc.Close(out)
	return out, append(x.Losses(), enc.Losses()...)
}

// unsafe are answers with calls that may not run, or not like this.
var unsafe = map[string]struct {
	wire format.Wire
	body string
}{
	"cut after the name":         {format.OpenAI, `data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"a","type":"function","function":{"name":"rm","arguments":""}}]}}]}` + "\n\ndata: [DONE]\n\n"},
	"a text that is cut":         {format.OpenAI, `data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"a","type":"custom","custom":{"name":"sh","input":"rm -rf /tm"}}]}}]}` + "\n\ndata: [DONE]\n\n"},
	"cut in the arguments":       {format.OpenAI, `data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"a","function":{"name":"rm","arguments":"{\"path\":\"/"}}]}}]}` + "\n\ndata: [DONE]\n\n"},
	"no object":                  {format.OpenAI, `{"choices":[{"index":0,"message":{"tool_calls":[{"id":"a","type":"function","function":{"name":"rm","arguments":"[1]"}}]},"finish_reason":"tool_calls"}]}`},
	"broken":                     {format.OpenAI, `{"choices":[{"index":0,"message":{"tool_calls":[{"id":"a","type":"function","function":{"name":"rm","arguments":"{\"a\":"}}]},"finish_reason":"tool_calls"}]}`},
	"cut, without arguments":     {format.OpenAI, `{"choices":[{"index":0,"message":{"tool_calls":[{"id":"a","type":"function","function":{"name":"rm","arguments":""}}]},"finish_reason":"length"}]}`},
	"without a name":             {format.OpenAI, `{"choices":[{"index":0,"message":{"content":"4","function_call":{"name":"","arguments":"{\"a\":1}"}},"finish_reason":"stop"}]}`},
	"object in a string":         {format.OpenAI, `{"choices":[{"index":0,"message":{"tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"\"{\\\"a\\\":1}\""}}]},"finish_reason":"tool_calls"}]}`},
	"a comma too many":           {format.OpenAI, `{"choices":[{"index":0,"message":{"tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"{\"a\":1,}"}}]},"finish_reason":"tool_calls"}]}`},
	"the end of an object":       {format.OpenAI, `data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"a","type":"function","function":{"name":"f","arguments":"1}"}}]}}]}` + "\n\n" + `data: {"choices":[{"index":0,"delta":{"content":"hi"},"finish_reason":"tool_calls"}]}` + "\n\ndata: [DONE]\n\n"},
	"a comma too many, streamed": {format.OpenAI, `data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"a","type":"function","function":{"name":"f","arguments":"{\"a\":True,"}}]}}]}` + "\n\n" + `data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":"}"}}]},"finish_reason":"tool_calls"}]}` + "\n\ndata: [DONE]\n\n"},
	"null":                       {format.OpenAI, `{"choices":[{"index":0,"message":{"tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"null"}}]},"finish_reason":"tool_calls"}]}`},
	"an empty object first":      {format.OpenAI, `data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"a","type":"function","function":{"name":"f","arguments":"{}"}}]}}]}` + "\n\n" + `data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":"{\"a\":"}}]},"finish_reason":null}]}` + "\n\n" + `data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":"1}"}}]},"finish_reason":"tool_calls"}]}` + "\n\n"},
	"three empty objects first":  {format.OpenAI, `data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"a","type":"function","function":{"name":"f","arguments":"{}"}}]}}]}` + "\n\n" + `data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":"{}"}}]},"finish_reason":null}]}` + "\n\n" + `data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":"{} "}}]},"finish_reason":null}]}` + "\n\n" + `data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":" {\"a\":1}"}}]},"finish_reason":"tool_calls"}]}` + "\n\n"},
	"an empty object, and more":  {format.OpenAI, `data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"a","type":"function","function":{"name":"f","arguments":"{}"}}]}}]}` + "\n\n" + `data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":"x"}}]},"finish_reason":null}]}` + "\n\n" + `data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":"{\"a\":1}"}}]},"finish_reason":"tool_calls"}]}` + "\n\n"},
	"an empty object in a text":  {format.OpenAI, `data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"a","type":"function","function":{"name":"f","arguments":"{\"a\":\""}}]}}]}` + "\n\n" + `data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":"{}"}}]},"finish_reason":null}]}` + "\n\n" + `data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":"{}"}}]},"finish_reason":null}]}` + "\n\n" + `data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":"\"}"}}]},"finish_reason":"tool_calls"}]}` + "\n\n"},
	"a different end":            {format.Responses, `data: {"type":"response.output_item.added","output_index":0,"item":{"type":"function_call","id":"fc","call_id":"c","name":"rm","arguments":""}}` + "\n\n" + `data: {"type":"response.function_call_arguments.delta","output_index":0,"delta":"{\"path\":\"/tmp\"}"}` + "\n\n" + `data: {"type":"response.function_call_arguments.done","output_index":0,"arguments":"{\"path\":\"/tmp/x\"}"}` + "\n\n" + `data: {"type":"response.output_item.done","output_index":0,"item":{"type":"function_call","id":"fc","call_id":"c","name":"rm","arguments":"{\"path\":\"/tmp/x\"}"}}` + "\n\n" + `data: {"type":"response.completed","response":{"status":"completed"}}` + "\n\n"},
	"an item of another name":    {format.Responses, `data: {"type":"response.output_item.added","output_index":0,"item":{"type":"function_call","id":"fc","call_id":"c","name":"rm","arguments":""}}` + "\n\n" + `data: {"type":"response.function_call_arguments.delta","output_index":0,"delta":"{\"path\":\"/tmp\"}"}` + "\n\n" + `data: {"type":"response.output_item.done","output_index":0,"item":{"type":"function_call","id":"fc","call_id":"c","name":"ls","arguments":"{\"path\":\"/tmp\"}"}}` + "\n\n" + `data: {"type":"response.completed","response":{"status":"completed"}}` + "\n\n"},
	"an item of another end":     {format.Responses, `data: {"type":"response.output_item.added","output_index":0,"item":{"type":"function_call","id":"fc","call_id":"c","name":"rm","arguments":""}}` + "\n\n" + `data: {"type":"response.function_call_arguments.delta","output_index":0,"delta":"{\"path\":\"/tmp\"}"}` + "\n\n" + `data: {"type":"response.completed","response":{"status":"completed","output":[{"type":"function_call","id":"fc","call_id":"c","name":"rm","arguments":"{\"path\":\"/\"}"}]}}` + "\n\n"},
	"other types of arguments":   {format.Gemini, `{"candidates":[{"content":{"parts":[{"functionCall":{"name":"f","args":"x"}},{"functionCall":{"name":"h","args":3}},{"functionCall":{"name":"k","args":"{\"a\":1}"}},{"functionCall":{"name":"g","args":{"a":1}}}]},"finishReason":"STOP"}]}`},
	"the same of Ollama":         {format.Ollama, `{"model":"m","message":{"role":"assistant","content":"hi","tool_calls":[{"function":{"name":"f","arguments":[1]}},{"function":{"name":"h","arguments":"x"}},{"function":{"name":"k","arguments":5}},{"function":{"name":"g","arguments":{"a":1}}}]},"done":true,"done_reason":"stop"}`},
	"an item that is cut":        {format.Responses, `{"object":"response","status":"incomplete","incomplete_details":{"reason":"max_output_tokens"},"output":[{"type":"function_call","call_id":"c","name":"rm","arguments":"","status":"incomplete"}]}`},
	"input that is cut":          {format.Anthropic, `data: {"type":"message_start","message":{"content":[]}}` + "\n\n" + `data: {"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"t","name":"rm","input":{}}}` + "\n\n" + `data: {"type":"message_delta","delta":{"stop_reason":"max_tokens"}}` + "\n\n" + `data: {"type":"message_stop"}` + "\n\n"},
	"a custom call that is cut":  {format.OpenAI, `{"choices":[{"index":0,"message":{"tool_calls":[{"id":"x","type":"custom","custom":{"name":"f","input":"rm -rf /tm"}}]},"finish_reason":"length"}]}`},
	"a custom item that is cut":  {format.Responses, `{"object":"response","status":"incomplete","incomplete_details":{"reason":"max_output_tokens"},"output":[{"type":"custom_tool_call","id":"fc","call_id":"k","name":"f","input":"rm -rf /tm","status":"incomplete"}]}`},
	"an input that is no word":   {format.Anthropic, `{"id":"m","type":"message","role":"assistant","content":[{"type":"tool_use","id":"t","name":"f","input":{}}],"stop_reason":"max_tokens"}`},
	"a shell call unfinished":    {format.Responses, `{"object":"response","status":"completed","output":[{"type":"shell_call","id":"f","call_id":"k","status":"in_progress","action":{"commands":["ls"]}}]}`},
	"a list for an object":       {format.Gemini, `{"candidates":[{"content":{"parts":[{"functionCall":{"name":"f","args":[1]}},{"functionCall":{"name":"g","args":{"a":1}}}]},"finishReason":"STOP"}]}`},
	"a list as input":            {format.Anthropic, `{"id":"m","type":"message","role":"assistant","content":[{"type":"tool_use","id":"t","name":"f","input":[1]},{"type":"tool_use","id":"u","name":"g","input":{"a":1}}],"stop_reason":"tool_use"}`},
	"a name that is empty":       {format.Ollama, `{"message":{"role":"assistant","content":"hi","tool_calls":[{"id":"","function":{"index":0,"name":"","arguments":null}},{"function":{"name":"","arguments":{"a":1}}},{"function":{"name":"g","arguments":{"a":1}}}]},"done":true,"done_reason":"stop"}`},
	"an error after a call":      {format.OpenAI, `data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"a","type":"function","function":{"name":"rm","arguments":"{\"p\":1}"}}]}}]}` + "\n\n" + `data: {"error":{"message":"boo","type":"server_error"}}` + "\n\n"},
	"a value that goes on":       {format.Gemini, `data: {"candidates":[{"content":{"parts":[{"functionCall":{"name":"rm","willContinue":true}}]}}]}` + "\n\n" + `data: {"candidates":[{"content":{"parts":[{"functionCall":{"partialArgs":[{"jsonPath":"$.p","stringValue":"/tm","willContinue":true}],"willContinue":true}}]},"finishReason":"STOP"}]}` + "\n\n"},
	"pieces that contradict":     {format.Gemini, `{"candidates":[{"content":{"parts":[{"functionCall":{"name":"f","partialArgs":[{"jsonPath":"$.b","stringValue":"x","willContinue":true}]}},{"functionCall":{"name":"","args":{"a":1}}}]},"finishReason":"STOP"}]}`},
	"pieces without a name":      {format.Gemini, `{"candidates":[{"content":{"parts":[{"functionCall":{"partialArgs":[{"jsonPath":"$.b","stringValue":"x","willContinue":true}]}},{"functionCall":{"name":"f"}}]},"finishReason":"STOP"}]}`},
	"pieces, and no end":         {format.Gemini, `{"candidates":[{"content":{"parts":[{"functionCall":{"name":"f","partialArgs":[{"jsonPath":"$.c","boolValue":true}],"willContinue":true}}]},"finishReason":null}]}`},
	"pieces that go on":          {format.Gemini, `{"candidates":[{"content":{"role":"model","parts":[{"functionCall":{"name":"f","partialArgs":[{"jsonPath":"$.a","numberValue":1}],"willContinue":true}},{"functionCall":{"partialArgs":[{"jsonPath":"$.b","stringValue":"x","willContinue":true}]}}]},"finishReason":"STOP"}]}`},
	"a call without a function":  {format.OpenAI, `{"id":"x","object":"chat.completion","model":"m","choices":[{"index":0,"finish_reason":"tool_calls","message":{"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"f","arguments":"{}"}},{"id":"","name":1.5,"arguments":"{\"a\":1}"}]}}]}`},
	"a piece of a call":          {format.Gemini, `{"candidates":[{"content":{"parts":[{"functionCall":{"name":"rm","willContinue":true}}]},"finishReason":"STOP"}]}`},
	"an end that nobody knows":   {format.Gemini, `{"candidates":[{"content":{"parts":[{"functionCall":{"name":"","args":{"a":1}}}]},"finishReason":"MISSING_THOUGHT_SIGNATURE"}]}`},
}

func TestTranslatedCallsAreThoseThatRun(t *testing.T) {
	for name, tt := range unsafe {
		t.Run(name, func(t *testing.T) {
			checkTranslated(t, []byte(tt.body), tt.wire)
			if tt.body[0] == '{' { // in a whole body, a broken call does not affect the rest
				if _, _, err := format.Translate([]byte(tt.body), tt.wire, format.Anthropic, format.KindResponse, format.TranslateOptions{}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	for _, folder := range []string{ownRecordings, sharedRecordings} {
		for _, r := range recordings(t, folder) {
			t.Run(r.name, func(t *testing.T) {
				wire := r.want.wireByFormat
				checkTranslated(t, r.body, wire)
				rng := rand.New(rand.NewPCG(1, uint64(len(r.body))))
				for range 8 {
					body := slices.Clone(r.body[:rng.IntN(len(r.body)+1)])
					if rng.IntN(2) == 0 {
						body = append(body, "\n\ndata: [DONE]\n\n"...)
					}
					checkTranslated(t, body, wire)
				}
			})
		}
	}
}

func FuzzTranslatedCallsAreThoseThatRun(f *testing.F) {
	wires := format.Wires()
	for _, tt := range unsafe {
		f.Add(uint8(slices.Index(wires, tt.wire)), []byte(tt.body))
	}
	for _, r := range recordings(f, ownRecordings) {
		f.Add(uint8(slices.Index(wires, r.want.wireByFormat)), r.body)
	}
	f.Fuzz(func(t *testing.T, wire uint8, body []byte) {
		checkTranslated(t, body, wires[int(wire)%len(wires)])
	})
}

// A call that was cut before its arguments began is incomplete in every way to read or
// translate the answer.
func TestCutBeforeArguments(t *testing.T) {
	var bodies []struct {
		wire format.Wire
		body string
	}
	add := func(wire format.Wire, body string) {
		bodies = append(bodies, struct {
			wire format.Wire
			body string
		}{wire, body})
	}
	for _, arguments := range []string{`""`, `" "`, `"null"`, `" null "`, `null`} {
		for _, finish := range []string{"length", "content_filter", "novel"} {
			add(format.OpenAI, `{"object":"chat.completion","choices":[{"message":{"tool_calls":[{"id":"x","type":"function","function":{"name":"rm","arguments":`+arguments+`}}]},"finish_reason":"`+finish+`"}]}`)
			add(format.OpenAI, `{"object":"chat.completion","choices":[{"message":{"function_call":{"name":"rm","arguments":`+arguments+`}},"finish_reason":"`+finish+`"}]}`)
		}
		for _, status := range []string{"incomplete", "failed", "cancelled", "novel"} {
			for _, item := range []string{"", "in_progress", "incomplete"} {
				add(format.Responses, `{"object":"response","status":"`+status+`","output":[{"type":"function_call","call_id":"c","name":"rm","arguments":`+arguments+`,"status":"`+item+`"}]}`)
			}
		}
		for _, item := range []string{"in_progress", "incomplete"} {
			cut := `{"type":"function_call","call_id":"c","name":"rm","arguments":` + arguments + `,"status":"` + item + `"}`
			add(format.Responses, `{"object":"response","status":"completed","output":[`+cut+`]}`)
			add(format.Responses, `{"object":"response","status":"completed","output":[`+cut+`,{"type":"message","role":"assistant","content":[{"type":"output_text","text":"hi"}]}]}`)
			add(format.Responses, `{"object":"response","output":[`+cut+`]}`)
		}
	}
	for _, tt := range bodies {
		if run := runnables(t, []byte(tt.body), tt.wire); len(run) > 0 {
			t.Errorf("%s is read as %v", tt.body, run)
		}
		for _, to := range format.Wires() {
			for _, kind := range []format.Kind{format.KindResponse, format.KindStream} {
				out, losses, err := format.Translate([]byte(tt.body), tt.wire, to, kind, format.TranslateOptions{})
				if run := runnables(t, out, to); len(run) > 0 {
					t.Errorf("%s to %s %s: %v is run, error %v\n%s\n%s", tt.wire, to, kind, run, err, tt.body, out)
				}
				if kind == format.KindResponse && to != tt.wire && len(losses) == 0 {
					t.Errorf("%s to %s: nothing is told of the call\n%s\n%s", tt.wire, to, tt.body, out)
				}
			}
		}
	}
}

// TestBrokenBeforeCut: a stream reports a call whose arguments are not an object, even if
// the answer ends at its token limit, which does not report calls.
func TestBrokenBeforeCut(t *testing.T) {
	for _, finish := range []string{"tool_calls", "length", "content_filter"} {
		body := `data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"c","type":"function","function":{"name":"f","arguments":"{\"a\":1}x"}}]},"finish_reason":null}]}` +
			"\n\n" + `data: {"choices":[{"index":0,"delta":{},"finish_reason":"` + finish + `"}]}` + "\n\ndata: [DONE]\n\n"
		for _, to := range format.Wires() {
			out, losses, err := format.Translate([]byte(body), format.OpenAI, to, format.KindStream, format.TranslateOptions{})
			if err != nil {
				t.Fatal(err)
			}
			if run := runnables(t, out, to); len(run) > 0 {
				t.Errorf("%s to %s: %v is run\n%s", finish, to, run, out)
			}
			if !slices.ContainsFunc(losses, func(l chat.Loss) bool { return l.Field == "stream.calls.f" }) {
				t.Errorf("%s to %s: nothing says that the call is broken: %v", finish, to, losses)
			}
		}
	}
}

// TestLateItems: a Responses call whose item ends after the next one, or only with the
// response, is one call.
func TestLateItems(t *testing.T) {
	event := func(kind, members string) string {
		return `data: {"type":"response.` + kind + `",` + members + "}\n\n"
	}
	item := func(n string) string {
		return `{"type":"function_call","id":"fc_` + n + `","call_id":"c` + n + `","name":"f","arguments":"{}","status":"completed"}`
	}
	begun := func(n string) string {
		return event("output_item.added", `"output_index":`+n+`,"item":{"type":"function_call","id":"fc_`+n+`","call_id":"c`+n+`","name":"f","arguments":""}`) +
			event("function_call_arguments.delta", `"output_index":`+n+`,"delta":"{}"`)
	}
	done := func(n string) string { return event("output_item.done", `"output_index":`+n+`,"item":`+item(n)) }
	over := event("completed", `"response":{"status":"completed","output":[`+item("0")+","+item("1")+`]}`)
	for name, body := range map[string]string{
		"in their order":    begun("0") + done("0") + begun("1") + done("1") + over,
		"side by side":      begun("0") + begun("1") + done("0") + done("1") + over,
		"with the response": begun("0") + begun("1") + done("1") + over,
	} {
		if run := runnables(t, []byte(body), format.Responses); len(run) != 2 {
			t.Errorf("%s: %v", name, run)
		}
		checkTranslated(t, []byte(body), format.Responses)
	}
}

// A call that was complete when an error came is written, before the error.
func TestAnErrorKeepsWholeCalls(t *testing.T) {
	body := unsafe["an error after a call"]
	want := []runnable{{"rm", `{"p":1}`}}
	for _, to := range format.Wires() {
		out, losses := parsedAs(t, []byte(body.body), body.wire, to, parser.Options{})
		if diff := cmp.Diff(want, runnables(t, out, to), cmp.AllowUnexported(runnable{})); diff != "" {
			t.Errorf("%s: (-want +got):\n%s\n%s\n%v", to, diff, out, losses)
		}
		if !bytes.Contains(out, []byte("boo")) {
			t.Errorf("%s: no error in %s", to, out)
		}
	}
}
