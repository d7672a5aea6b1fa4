package format_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/toolparse/toolparse/format"
	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/wire/frame"
	"github.com/toolparse/toolparse/internal/wire/test/codectest"
)

// plain are bodies of each wire with known members, to which these tests add unknown
// ones.
var plain = map[format.Wire]map[format.Kind][]string{
	format.OpenAI: {
		format.KindStream: {
			sse(`{"id":"c","object":"chat.completion.chunk","created":7,"model":"m","choices":[{"index":0,"delta":{"role":"assistant","reasoning_content":"r"}}]}`,
				`{"id":"c","object":"chat.completion.chunk","created":7,"model":"m","choices":[{"index":0,"delta":{"content":"t"}}]}`,
				`{"id":"c","object":"chat.completion.chunk","created":7,"model":"m","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"i","type":"function","function":{"name":"f","arguments":"{\"a\":"}}]}}]}`,
				`{"id":"c","object":"chat.completion.chunk","created":7,"model":"m","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":"1}"}}]}}]}`,
				`{"id":"c","object":"chat.completion.chunk","created":7,"model":"m","choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]}`,
				`{"id":"c","object":"chat.completion.chunk","created":7,"model":"m","choices":[],"usage":{"prompt_tokens":1,"completion_tokens":2,"total_tokens":3,"prompt_tokens_details":{"cached_tokens":1}}}`,
				`[DONE]`),
			sse(`{"id":"c","object":"chat.completion.chunk","created":7,"model":"m","choices":[{"index":0,"delta":{"reasoning_details":[{"type":"reasoning.text","text":"r","signature":"s","format":"x","index":0}]}}]}`,
				`{"error":{"message":"m","type":"t","code":"q"}}`, `[DONE]`),
			sse(`{"error":{"message":"m","code":400}}`),
		},
		format.KindResponse: {
			`{"id":"c","object":"chat.completion","created":7,"model":"m","choices":[{"index":0,"message":{"role":"assistant","content":"t","tool_calls":[{"id":"i","type":"function","function":{"name":"f","arguments":"{}"}}]},"finish_reason":"tool_calls"}],"usage":{"prompt_tokens":1,"completion_tokens":2,"total_tokens":3}}`,
		},
		format.KindRequest: {
			`{"model":"m","messages":[{"role":"system","content":"s"},{"role":"user","content":[{"type":"text","text":"t"},{"type":"image_url","image_url":{"url":"https://a/b"}}]},{"role":"assistant","content":null,"tool_calls":[{"id":"i","type":"function","function":{"name":"f","arguments":"{}"}}]},{"role":"tool","tool_call_id":"i","content":"r"}],"tools":[{"type":"function","function":{"name":"f","parameters":{"type":"object"}}}],"tool_choice":{"type":"function","function":{"name":"f"}}}`,
		},
	},
	format.Responses: {
		format.KindStream: {
			sse(`{"type":"response.created","response":{"id":"r","object":"response","created_at":7,"model":"m","status":"in_progress","output":[]}}`,
				`{"type":"response.output_item.added","output_index":0,"item":{"type":"reasoning","id":"rs","summary":[]}}`,
				`{"type":"response.reasoning_summary_part.added","item_id":"rs","output_index":0,"summary_index":0,"part":{"type":"summary_text","text":""}}`,
				`{"type":"response.reasoning_summary_text.delta","item_id":"rs","output_index":0,"summary_index":0,"delta":"one"}`,
				`{"type":"response.reasoning_summary_text.done","item_id":"rs","output_index":0,"summary_index":0,"text":"one"}`,
				`{"type":"response.reasoning_summary_part.done","item_id":"rs","output_index":0,"summary_index":0,"part":{"type":"summary_text","text":"one"}}`,
				`{"type":"response.output_item.done","output_index":0,"item":{"type":"reasoning","id":"rs","summary":[{"type":"summary_text","text":"one"}],"encrypted_content":"e"}}`,
				`{"type":"response.output_item.added","output_index":1,"item":{"type":"message","id":"m1","role":"assistant","status":"in_progress","content":[]}}`,
				`{"type":"response.content_part.added","item_id":"m1","output_index":1,"content_index":0,"part":{"type":"output_text","text":"","annotations":[]}}`,
				`{"type":"response.output_text.delta","item_id":"m1","output_index":1,"content_index":0,"delta":"t"}`,
				`{"type":"response.output_text.done","item_id":"m1","output_index":1,"content_index":0,"text":"t"}`,
				`{"type":"response.content_part.done","item_id":"m1","output_index":1,"content_index":0,"part":{"type":"output_text","text":"t","annotations":[]}}`,
				`{"type":"response.output_item.done","output_index":1,"item":{"type":"message","id":"m1","role":"assistant","status":"completed","content":[{"type":"output_text","text":"t","annotations":[]}]}}`,
				`{"type":"response.output_item.added","output_index":2,"item":{"type":"function_call","id":"fc","call_id":"i","name":"f","arguments":""}}`,
				`{"type":"response.function_call_arguments.delta","item_id":"fc","output_index":2,"delta":"{\"a\":1}"}`,
				`{"type":"response.function_call_arguments.done","item_id":"fc","output_index":2,"arguments":"{\"a\":1}"}`,
				`{"type":"response.output_item.done","output_index":2,"item":{"type":"function_call","id":"fc","call_id":"i","name":"f","arguments":"{\"a\":1}","status":"completed"}}`,
				`{"type":"response.completed","response":{"id":"r","object":"response","created_at":7,"model":"m","status":"completed","output":[],"usage":{"input_tokens":1,"output_tokens":2,"total_tokens":3,"input_tokens_details":{"cached_tokens":1}}}}`),
			sse(`{"type":"error","code":"q","message":"m","param":"x"}`),
			sse(`{"type":"error","error":{"type":"t","code":"q","message":"m","param":"x"}}`,
				`{"type":"response.failed","response":{"id":"r","object":"response","created_at":7,"model":"m","status":"failed","error":{"code":"q","message":"m"},"output":[]}}`),
		},
		format.KindResponse: {
			`{"id":"r","object":"response","created_at":7,"model":"m","status":"completed","output":[{"type":"reasoning","id":"rs","summary":[{"type":"summary_text","text":"one"}]},{"type":"message","id":"m1","role":"assistant","status":"completed","content":[{"type":"output_text","text":"t","annotations":[]}]},{"type":"function_call","id":"fc","call_id":"i","name":"f","arguments":"{}","status":"completed"}],"usage":{"input_tokens":1,"output_tokens":2,"total_tokens":3}}`,
		},
		format.KindRequest: {
			`{"model":"m","instructions":"s","input":[{"role":"user","content":[{"type":"input_text","text":"t"}]},{"type":"function_call","call_id":"i","name":"f","arguments":"{}"},{"type":"function_call_output","call_id":"i","output":"r"}],"tools":[{"type":"function","name":"f","parameters":{"type":"object"}}],"tool_choice":{"type":"function","name":"f"}}`,
		},
	},
	format.Anthropic: {
		format.KindStream: {
			sse(`{"type":"message_start","message":{"id":"m","type":"message","role":"assistant","content":[],"model":"m","stop_reason":null,"usage":{"input_tokens":1,"output_tokens":1}}}`,
				`{"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":"","signature":""}}`,
				`{"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"r"}}`,
				`{"type":"content_block_delta","index":0,"delta":{"type":"signature_delta","signature":"s"}}`,
				`{"type":"content_block_stop","index":0}`,
				`{"type":"content_block_start","index":1,"content_block":{"type":"text","text":""}}`,
				`{"type":"content_block_delta","index":1,"delta":{"type":"text_delta","text":"t"}}`,
				`{"type":"content_block_stop","index":1}`,
				`{"type":"content_block_start","index":2,"content_block":{"type":"tool_use","id":"i","name":"f","input":{}}}`,
				`{"type":"content_block_delta","index":2,"delta":{"type":"input_json_delta","partial_json":"{\"a\":1}"}}`,
				`{"type":"content_block_stop","index":2}`,
				`{"type":"message_delta","delta":{"stop_reason":"tool_use"},"usage":{"output_tokens":2}}`,
				`{"type":"message_stop"}`),
			sse(`{"type":"error","error":{"type":"overloaded_error","message":"m"}}`),
		},
		format.KindResponse: {
			`{"id":"m","type":"message","role":"assistant","model":"m","content":[{"type":"thinking","thinking":"r","signature":"s"},{"type":"text","text":"t"},{"type":"tool_use","id":"i","name":"f","input":{"a":1}}],"stop_reason":"tool_use","usage":{"input_tokens":1,"output_tokens":1}}`,
		},
		format.KindRequest: {
			`{"model":"m","max_tokens":5,"system":[{"type":"text","text":"s"}],"messages":[{"role":"user","content":[{"type":"text","text":"t"}]},{"role":"assistant","content":[{"type":"tool_use","id":"i","name":"f","input":{"a":1}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"i","content":[{"type":"text","text":"r"}]}]}],"tools":[{"name":"f","input_schema":{"type":"object"}}],"tool_choice":{"type":"tool","name":"f"}}`,
		},
	},
	format.Gemini: {
		format.KindStream: {
			sse(`{"candidates":[{"index":0,"content":{"role":"model","parts":[{"text":"r","thought":true}]}}],"modelVersion":"m","responseId":"r"}`,
				`{"candidates":[{"index":0,"content":{"role":"model","parts":[{"text":"t"}]}}],"modelVersion":"m","responseId":"r"}`,
				`{"candidates":[{"index":0,"content":{"role":"model","parts":[{"functionCall":{"id":"i","name":"f","args":{"a":1}},"thoughtSignature":"s"}]}}],"modelVersion":"m","responseId":"r"}`,
				`{"candidates":[{"index":0,"content":{"role":"model","parts":[]},"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":1,"candidatesTokenCount":2,"totalTokenCount":3},"modelVersion":"m","responseId":"r"}`),
			sse(`{"error":{"code":500,"message":"m","status":"INTERNAL"}}`),
		},
		format.KindResponse: {
			`{"candidates":[{"index":0,"content":{"role":"model","parts":[{"text":"t"},{"functionCall":{"id":"i","name":"f","args":{"a":1}}}]},"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":1,"candidatesTokenCount":2,"totalTokenCount":3},"modelVersion":"m","responseId":"r"}`,
		},
		format.KindRequest: {
			`{"systemInstruction":{"parts":[{"text":"s"}]},"contents":[{"role":"user","parts":[{"text":"t"}]},{"role":"model","parts":[{"functionCall":{"id":"i","name":"f","args":{"a":1}}}]},{"role":"user","parts":[{"functionResponse":{"id":"i","name":"f","response":{"output":"r"}}}]}],"tools":[{"functionDeclarations":[{"name":"f","parameters":{"type":"object","properties":{"a":{"type":"string"}}}}]}],"toolConfig":{"functionCallingConfig":{"mode":"ANY"}},"generationConfig":{"temperature":1}}`,
		},
	},
	format.Ollama: {
		format.KindStream: {
			lines(`{"model":"m","created_at":"2026-01-01T00:00:00Z","message":{"role":"assistant","content":"","thinking":"r"},"done":false}`,
				`{"model":"m","created_at":"2026-01-01T00:00:00Z","message":{"role":"assistant","content":"t"},"done":false}`,
				`{"model":"m","created_at":"2026-01-01T00:00:00Z","message":{"role":"assistant","content":"","tool_calls":[{"id":"i","function":{"index":0,"name":"f","arguments":{"a":1}}}]},"done":false}`,
				`{"model":"m","created_at":"2026-01-01T00:00:00Z","message":{"role":"assistant","content":""},"done":true,"done_reason":"stop","prompt_eval_count":1,"eval_count":2}`),
			lines(`{"model":"m","created_at":"2026-01-01T00:00:00Z","message":{"role":"assistant","content":"t"},"done":false}`, `{"error":"m"}`),
		},
		format.KindResponse: {
			`{"model":"m","created_at":"2026-01-01T00:00:00Z","message":{"role":"assistant","content":"t","tool_calls":[{"id":"i","function":{"name":"f","arguments":{"a":1}}}]},"done":true,"done_reason":"stop","prompt_eval_count":1,"eval_count":2}`,
		},
		format.KindRequest: {
			`{"model":"m","messages":[{"role":"system","content":"s"},{"role":"user","content":"t"},{"role":"assistant","content":"","tool_calls":[{"id":"i","function":{"name":"f","arguments":{"a":1}}}]},{"role":"tool","tool_name":"f","tool_call_id":"i","content":"r"}],"tools":[{"type":"function","function":{"name":"f","parameters":{"type":"object"}}}],"options":{"temperature":1}}`,
		},
	},
}

func sse(events ...string) string {
	return "data: " + strings.Join(events, "\n\ndata: ") + "\n\n"
}

func lines(events ...string) string { return strings.Join(events, "\n") + "\n" }

// unknownValues are values of unknown members.
var unknownValues = []string{`1.50`, `"é\n\"}"`, `true`, `null`, `{"a":[1,null,{"b":"c"}]}`, `["d",{"e":{}}]`, `{}`, `[]`, `""`, `{"type":"error","message":"x"}`}

// addUnknown adds unknown members to some objects of a body, after their opening or
// before their closing brace, and returns the names. Schemas and arguments are not
// objects of the wire, but count, because they come back as a whole.
func addUnknown(t *rapid.T, body string) (string, []string) {
	var out strings.Builder
	var names []string
	inString := false
	maybe := func(before, after string) {
		if rapid.IntRange(0, 7).Draw(t, "add") != 0 {
			return
		}
		name := "x_unknown_" + strconv.Itoa(len(names))
		names = append(names, name)
		fmt.Fprintf(&out, `%s"%s":%s%s`, before, name, rapid.SampledFrom(unknownValues).Draw(t, "value"), after)
	}
	for i := 0; i < len(body); i++ {
		c := body[i]
		switch {
		case inString && c == '\\':
			out.WriteByte(c)
			i++
			c = body[i]
		case c == '"':
			inString = !inString
		case inString:
		case c == '{':
			out.WriteByte(c)
			switch {
			case body[i+1] == '}' && strings.HasSuffix(body[:i], `"input":`):
				// Arguments that begin in one event and differ in the next make no call
				// that can run, and are left out.
				continue
			case body[i+1] == '}':
				maybe("", "")
			default:
				maybe("", ",")
			}
			continue
		case c == '}' && body[i-1] != '{':
			maybe(",", "")
		}
		out.WriteByte(c)
	}
	return out.String(), names
}

// eventsOf returns the events of a written stream. It fails if one is not JSON, or
// repeats the name of a member.
func eventsOf(t rapid.TB, body string) (events []string) {
	t.Helper()
	framing := frame.SSE
	if strings.HasPrefix(body, "{") || strings.HasPrefix(body, "[") {
		framing = frame.JSON
	}
	split := frame.New(framing, 0)
	rest := []byte(body)
	add := func(e frame.Event) {
		if len(e.Data) == 0 || e.IsDone() {
			return
		}
		if err := wellFormed(e.Data); err != nil {
			t.Fatalf("%v in the event %s", err, e.Data)
		}
		events = append(events, string(e.Data))
	}
	for {
		e, n, ok, err := split.Next(rest)
		if err != nil {
			t.Fatal(err)
		}
		if !ok {
			break
		}
		add(e)
		rest = rest[n:]
	}
	if e, ok := split.End(); ok {
		add(e)
	}
	return events
}

// wellFormed returns what is wrong with JSON: it is invalid, or repeats the name of a
// member.
func wellFormed(text []byte) error {
	if !json.Valid(text) {
		return fmt.Errorf("invalid JSON")
	}
	type level struct {
		object bool
		key    bool // a key comes next
		names  map[string]bool
	}
	var open []level
	dec := json.NewDecoder(bytes.NewReader(text))
	for {
		token, err := dec.Token()
		if err != nil {
			return nil
		}
		top := len(open) - 1
		switch token {
		case json.Delim('{'), json.Delim('['):
			if top >= 0 {
				open[top].key = open[top].object
			}
			open = append(open, level{object: token == json.Delim('{'), key: token == json.Delim('{'), names: map[string]bool{}})
			continue
		case json.Delim('}'), json.Delim(']'):
			open = open[:top]
			continue
		}
		if top < 0 || !open[top].object {
			continue
		}
		if name, ok := token.(string); ok && open[top].key {
			if open[top].names[name] {
				return fmt.Errorf("two members %q", name)
			}
			open[top].names[name] = true
		}
		open[top].key = !open[top].key
	}
}

// Unknown members, wherever they are, break no encoder: the output is valid, and on the
// same wire they come back or are reported.
func unknownMembers(t *rapid.T) {
	from := rapid.SampledFrom(writable()).Draw(t, "from")
	to := rapid.SampledFrom(append(writable(), from, from)).Draw(t, "to")
	kind := rapid.SampledFrom([]format.Kind{format.KindStream, format.KindStream, format.KindResponse, format.KindRequest}).Draw(t, "kind")
	body, names := addUnknown(t, rapid.SampledFrom(plain[from][kind]).Draw(t, "body"))
	opts := format.TranslateOptions{VendorOnly: rapid.Bool().Draw(t, "vendor only")}
	out, losses, err := format.Translate([]byte(body), from, to, kind, opts)
	if err != nil && kind != format.KindStream {
		t.Fatalf("%v\n%s", err, body)
	}
	if kind == format.KindStream {
		events := eventsOf(t, string(out))
		if len(events) == 0 {
			t.Fatalf("nothing was written: %v\n%s", err, body)
		}
		if _, err := collect(bytes.NewReader(out), format.Options{Wire: to}); err != nil && !isReported(err) && to != format.Ollama {
			t.Fatalf("reading it again: %v\n%s\n%s", err, body, out)
		}
	} else if err := wellFormed(out); err != nil {
		t.Fatalf("%v\n%s\n%s", err, body, out)
	}
	if from != to {
		return
	}
	for _, name := range names {
		quoted := `"` + name + `"`
		at := strings.Index(body, quoted) + len(quoted) + 1
		if saysNothingInTest(body[at:]) || bytes.Contains(out, []byte(name)) ||
			slices.ContainsFunc(losses, func(l chat.Loss) bool {
				return strings.Contains(l.Field, name) || l.Field == "stream.item.summary" || l.Field == "stream.item.content"
			}) {
			continue
		}
		t.Fatalf("%s is gone\n%s\n%s\n%v", name, body, out, losses)
	}
}

// saysNothingInTest reports whether a value with this beginning is as good as absent.
func saysNothingInTest(value string) bool {
	return strings.HasPrefix(value, "null") || strings.HasPrefix(value, "[]") || strings.HasPrefix(value, `""`)
}

// Values of any other type, and repeated or missing events and elements, break no encoder
// either: the output is valid.
func strangeValues(t *rapid.T) {
	from := rapid.SampledFrom(writable()).Draw(t, "from")
	to := rapid.SampledFrom(append(writable(), from, from)).Draw(t, "to")
	kind := rapid.SampledFrom([]format.Kind{format.KindStream, format.KindStream, format.KindResponse, format.KindRequest}).Draw(t, "kind")
	body := rapid.SampledFrom(plain[from][kind]).Draw(t, "body")
	separator := "\n\n"
	if from == format.Ollama {
		separator = "\n"
	}
	events := strings.SplitAfter(body, separator)
	for i, event := range events {
		at := strings.Index(event, "{")
		if at < 0 || rapid.IntRange(0, 2).Draw(t, "change") != 0 {
			continue
		}
		value, err := json.Marshal(strange(t, codectest.ValueOf([]byte(event[at:]))))
		if err != nil {
			t.Fatal(err)
		}
		events[i] = event[:at] + string(value) + separator
		switch rapid.IntRange(0, 9).Draw(t, "event") {
		case 0:
			events[i] = ""
		case 1:
			events[i] += events[i]
		}
	}
	out, _, _ := format.Translate([]byte(strings.Join(events, "")), from, to, kind, format.TranslateOptions{})
	switch {
	case kind == format.KindStream:
		eventsOf(t, string(out))
	case out != nil:
		if err := wellFormed(out); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	}
}

// strange changes some of the values in a value.
func strange(t *rapid.T, v any) any {
	if rapid.IntRange(0, 30).Draw(t, "replace") == 0 {
		return json.RawMessage(rapid.SampledFrom(unknownValues).Draw(t, "value"))
	}
	switch v := v.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			if v[name] = strange(t, v[name]); rapid.IntRange(0, 30).Draw(t, "drop") == 0 {
				delete(v, name)
			}
		}
	case []any:
		for i := range v {
			v[i] = strange(t, v[i])
		}
		if len(v) > 0 && rapid.IntRange(0, 9).Draw(t, "twice") == 0 {
			return append(v, v[0])
		}
	}
	return v
}

func TestStrangeValues(t *testing.T) { rapid.Check(t, strangeValues) }

func FuzzStrangeValues(f *testing.F) { f.Fuzz(rapid.MakeFuzz(strangeValues)) }

func isReported(err error) bool { return strings.Contains(err.Error(), "reported") }

func TestUnknownMembers(t *testing.T) { rapid.Check(t, unknownMembers) }

func FuzzUnknownMembers(f *testing.F) { f.Fuzz(rapid.MakeFuzz(unknownMembers)) }
