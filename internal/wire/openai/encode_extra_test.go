package openai_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/toolparse/toolparse/format"
	"github.com/toolparse/toolparse/internal/wire"
	"github.com/toolparse/toolparse/internal/wire/frame"
	"github.com/toolparse/toolparse/internal/wire/test/codectest"
	"github.com/toolparse/toolparse/internal/wire/test/wiretest"
	"github.com/toolparse/toolparse/toolcall"
)

// rich is a stream with unknown and rare members at every level.
var rich = asEvents(
	`{"id":"r","object":"chat.completion.chunk","created":7,"model":"m","choices":[],"prompt_filter_results":[{"prompt_index":0,"content_filter_results":{"hate":{"filtered":false}}}]}`,
	`{"id":"r","object":"chat.completion.chunk","created":7,"model":"m","service_tier":"priority","system_fingerprint":"fp_1","provider":"P","choices":[{"index":0,"delta":{"role":"assistant","content":""},"finish_reason":null}],"x_groq":{"id":"req_1"}}`,
	`{"id":"r","object":"chat.completion.chunk","created":7,"model":"m","service_tier":"priority","system_fingerprint":"fp_1","provider":"P","choices":[{"index":0,"delta":{"reasoning":"hm","reasoning_details":[{"type":"reasoning.text","text":"hm","format":"anthropic-claude-v1","index":0}]},"finish_reason":null}]}`,
	`{"id":"r","object":"chat.completion.chunk","created":7,"model":"m","service_tier":"priority","system_fingerprint":"fp_1","choices":[{"index":0,"delta":{"reasoning_details":[{"type":"reasoning.text","signature":"c2ln","format":"anthropic-claude-v1","index":0,"id":"rs_1","n":1}]},"finish_reason":null}]}`,
	`{"id":"r","object":"chat.completion.chunk","created":7,"model":"m","service_tier":"priority","system_fingerprint":"fp_1","choices":[{"index":0,"delta":{"reasoning_details":[{"type":"reasoning.unknown","n":2}]},"finish_reason":null}]}`,
	`{"id":"r","object":"chat.completion.chunk","created":7,"model":"m","service_tier":"priority","system_fingerprint":"fp_1","choices":[{"index":0,"delta":{"content":"a","annotations":[{"type":"url_citation","url_citation":{"url":"u"}}]},"logprobs":{"content":[{"token":"a","logprob":-0.5,"bytes":[97],"top_logprobs":[]}],"refusal":null},"content_filter_results":{"hate":{"severity":"safe"}},"finish_reason":null}],"citations":["u"]}`,
	`{"id":"r","object":"chat.completion.chunk","created":7,"model":"m","service_tier":"priority","system_fingerprint":"fp_1","choices":[{"index":0,"delta":{},"logprobs":{"content":[{"token":"b"}]},"finish_reason":null}],"citations":["u","v"]}`,
	`{"id":"r","object":"chat.completion.chunk","created":7,"model":"m","service_tier":"priority","system_fingerprint":"fp_1","choices":[{"index":0,"delta":{"audio":{"id":"audio_1","data":"AAAA"}},"logprobs":{"content":[{"token":"c"}]},"finish_reason":null}],"citations":["w"]}`,
	`{"id":"r","object":"chat.completion.chunk","created":7,"model":"m","service_tier":"priority","system_fingerprint":"fp_2","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"c1","type":"function","function":{"name":"f","arguments":"","strict":true},"rank":1}]},"finish_reason":null}]}`,
	`{"id":"r","object":"chat.completion.chunk","created":7,"model":"m","service_tier":"priority","system_fingerprint":"fp_2","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":"{}"},"extra_content":{"google":{"thought_signature":"Z28=","g":1},"e":2}}]},"finish_reason":null}]}`,
	`{"id":"r","object":"chat.completion.chunk","created":7,"model":"m","service_tier":"priority","system_fingerprint":"fp_2","choices":[{"index":0,"delta":{"tool_calls":[{"index":1,"id":"c2","type":"custom","custom":{"name":"sh","input":"","grammar":"g"}}]},"finish_reason":null}]}`,
	`{"id":"r","object":"chat.completion.chunk","created":7,"model":"m","service_tier":"priority","system_fingerprint":"fp_2","choices":[{"index":0,"delta":{"tool_calls":[{"index":1,"custom":{"input":"ls \"x\"\n\u00e9"}}]},"finish_reason":null}]}`,
	`{"id":"r","object":"chat.completion.chunk","created":7,"model":"m","service_tier":"priority","system_fingerprint":"fp_2","choices":[{"index":0,"delta":{},"native_finish_reason":"tool_use","finish_reason":"tool_calls"}]}`,
	`{"id":"r","object":"chat.completion.chunk","created":7,"model":"m","service_tier":"priority","system_fingerprint":"fp_2","choices":[],"usage":{"prompt_tokens":9,"completion_tokens":5,"total_tokens":14,"cost":0.25,"prompt_cache_hit_tokens":3,"prompt_cache_miss_tokens":6,"prompt_tokens_details":{"cached_tokens":3,"audio_tokens":0},"completion_tokens_details":{"reasoning_tokens":0,"accepted_prediction_tokens":1}},"timings":{"ms":1.5}}`,
	`[DONE]`,
)

// remade are the paths of what is made anew: which chunks there are, and what
// each of them repeats, and texts that are empty.
func remade(path string) bool {
	switch path {
	case "id", "object", "created", "model", "service_tier", "system_fingerprint", "provider", "obfuscation",
		"choices[].index", "choices[].delta", "choices[].delta.role", "choices[].delta.tool_calls[].index":
		return true
	}
	return false
}

func asEvents(events ...string) []byte {
	return []byte("data: " + strings.Join(events, "\n\ndata: ") + "\n\n")
}

// Nothing is lost on the way to the same wire but unknown members of calls, which are reported.
func TestStreamRoundTrip(t *testing.T) {
	out, losses := codectest.Translate(t, string(rich), format.OpenAI, format.OpenAI)
	const call = "choices[].delta.tool_calls[]."
	ofCalls := []string{call + "function.strict", call + "rank", call + "extra_content.e", call + "extra_content.google.g", call + "custom.grammar"}
	var lost []string
	for _, l := range losses {
		lost = append(lost, strings.TrimPrefix(l.Field, "stream."))
	}
	if diff := cmp.Diff(ofCalls, lost); diff != "" {
		t.Errorf("losses (-want +got):\n%s", diff)
	}
	in, got := wiretest.Leaves(t, frame.SSE, rich), wiretest.Leaves(t, frame.SSE, []byte(out))
	if missing := wiretest.Missing(in, got, func(path string) bool { return remade(path) || slices.Contains(ofCalls, path) }); len(missing) > 0 {
		t.Errorf("missing %q in\n%s", missing, out)
	}
	for leaf := range in {
		if path, _, _ := strings.Cut(leaf, " "); got[leaf] == 0 && path != "choices[].delta" && !slices.Contains(ofCalls, path) {
			t.Errorf("missing %q", leaf)
		}
	}
	again, _ := codectest.Translate(t, out, format.OpenAI, format.OpenAI)
	if diff := cmp.Diff(out, again); diff != "" {
		t.Errorf("it changes when it is written once more (-once +twice):\n%s", diff)
	}
}

// Recordings come back with all that they say.
func TestRecordingsRoundTrip(t *testing.T) {
	recorded := codectest.Recordings(t, "openai-*.sse", "chat-*.sse")
	if len(recorded) == 0 {
		t.Fatal("no recordings")
	}
	for _, r := range recorded {
		t.Run(r.Name, func(t *testing.T) {
			var out bytes.Buffer
			losses, _ := format.TranslateStream(&out, bytes.NewReader(r.Body), format.OpenAI, format.OpenAI, format.TranslateOptions{})
			for _, l := range losses {
				if l.Field != "stream.id" && l.Field != "stream.content" { // that change, or are lists
					t.Errorf("loss %v", l)
				}
			}
			in, got := wiretest.Leaves(t, frame.SSE, r.Body), wiretest.Leaves(t, frame.SSE, out.Bytes())
			for leaf := range in {
				path, value, _ := strings.Cut(leaf, " ")
				switch {
				case got[leaf] > 0, value == `""`, value == "[]", value == "{}", path == "obfuscation", path == "id", path == "created":
				case strings.HasPrefix(path, "x_groq.usage."): // it is in the usage
				case strings.HasPrefix(path, "choices[].delta.content[]."): // a text, to the vendor's client
				case path == "choices[].finish_reason" && strings.Contains(r.Name, "error"): // it is no end
				case strings.HasSuffix(path, ".arguments"): // in other pieces
				default:
					t.Errorf("missing %s", leaf)
				}
			}
		})
	}
}

// Nor is anything that may stand beside what is known, wherever it stands.
func TestStreamRoundTripOfAnything(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		values := 0
		// with adds members to an object; every value is another one.
		with := func(object string, names ...string) string {
			for _, name := range append(names, "x_unknown") {
				if values++; rapid.IntRange(0, 2).Draw(rt, "has "+name) == 0 {
					object = strings.TrimSuffix(object, "}") + fmt.Sprintf(`,%q:{"v":[%d]}}`, name, values)
				}
			}
			return strings.Replace(object, "{,", "{", 1)
		}
		var chunks []string
		calls := 0
		for range rapid.IntRange(1, 6).Draw(rt, "chunks") {
			var choices []string
			for index := range rapid.IntRange(0, 2).Draw(rt, "choices") {
				delta := rapid.SampledFrom([]string{
					`{}`, `{"content":"a"}`, `{"reasoning":"r"}`, `{"reasoning_content":"r"}`, `{"refusal":"n"}`, `{"reasoning_details":[D]}`, `{"tool_calls":[C]}`,
				}).Draw(rt, "delta")
				if strings.Contains(delta, "C") {
					calls++
					call := fmt.Sprintf(`{"index":%d,"id":"c%d","type":"function","function":{"name":"f","arguments":"{}"}}`, calls, calls)
					delta = strings.Replace(delta, "C", call, 1)
				}
				delta = strings.Replace(delta, "D", with(`{"type":"reasoning.text","text":"r","index":0}`, "n"), 1)
				choices = append(choices, with(fmt.Sprintf(`{"index":%d,"delta":%s}`, index, with(delta, "annotations", "audio")), "logprobs", "content_filter_results"))
			}
			chunks = append(chunks, with(`{"id":"r","created":7,"model":"m","choices":[`+strings.Join(choices, ",")+`]}`, "citations", "service_tier"))
		}
		chunks = append(chunks, `{"choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"},{"index":1,"delta":{},"finish_reason":"length"}]}`)
		chunks = append(chunks, with(`{"choices":[],"usage":`+with(`{"prompt_tokens":1,"completion_tokens":2,"total_tokens":3}`, "cost")+`}`), "[DONE]")
		in := asEvents(chunks...)
		var out bytes.Buffer
		losses, err := format.TranslateStream(&out, bytes.NewReader(in), format.OpenAI, format.OpenAI, format.TranslateOptions{})
		if err != nil || len(losses) > 0 {
			rt.Fatalf("%s\n%v, losses %v", in, err, losses)
		}
		missing := wiretest.Missing(wiretest.Leaves(t, frame.SSE, in), wiretest.Leaves(t, frame.SSE, out.Bytes()), func(path string) bool {
			// Servers that send reasoning twice repeat it.
			return !strings.HasSuffix(path, ".v[]") && (remade(path) || path == "choices" || strings.Contains(path, "reasoning") || strings.HasPrefix(path, "choices[].finish_reason"))
		})
		if len(missing) > 0 {
			rt.Fatalf("%s\nis written\n%s\nwithout %q", in, out.String(), missing)
		}
	})
}

// Other wires report each of the members once, and nothing that says nothing.
func TestStreamExtrasElsewhere(t *testing.T) {
	want := strings.Fields(`prompt_filter_results service_tier system_fingerprint provider x_groq.id citations timings
		usage.cost usage.prompt_cache_miss_tokens usage.completion_tokens_details.accepted_prediction_tokens
		choices[].logprobs choices[].content_filter_results choices[].native_finish_reason
		choices[].delta.annotations choices[].delta.audio
		choices[].delta.reasoning_details[] choices[].delta.reasoning_details[].format choices[].delta.reasoning_details[].index
		choices[].delta.reasoning_details[].id choices[].delta.reasoning_details[].n
		choices[].delta.tool_calls[].function.strict choices[].delta.tool_calls[].custom.grammar choices[].delta.tool_calls[].rank
		choices[].delta.tool_calls[].extra_content.e choices[].delta.tool_calls[].extra_content.google.g`)
	for _, to := range format.Wires() {
		if to == format.OpenAI {
			continue
		}
		t.Run(string(to), func(t *testing.T) {
			_, losses := codectest.Translate(t, string(rich), format.OpenAI, to)
			told := map[string]int{}
			for _, l := range losses {
				told[strings.TrimPrefix(l.Field, "stream.")]++
			}
			for _, path := range want {
				if told[path] != 1 {
					t.Errorf("%s is told %d times", path, told[path])
				}
				delete(told, path)
			}
			for path := range told {
				if strings.HasPrefix(path, "choices[]") || strings.HasPrefix(path, "usage.prompt_tokens_details") {
					t.Errorf("%s is no loss", path)
				}
			}
		})
	}
}

// Extras that come where nothing can hold them are told.
func TestExtrasWithoutAPlace(t *testing.T) {
	extra := func(name string) D {
		return D{Kind: toolcall.DeltaExtra, Index: toolcall.NoIndex, Name: name, Text: "1"}
	}
	for _, tt := range []struct {
		name   string
		in     []D
		lost   []string
		within string // the output
	}{
		{"a call that never came", []D{extra("choices[].delta.tool_calls[].x")}, []string{"stream.choices[].delta.tool_calls[].x"}, `"finish_reason":"length"`},
		{"a choice that ended", []D{{Kind: toolcall.DeltaFinish, Text: "stop"}, extra("choices[].x")}, []string{"stream.choices[].x"}, `"finish_reason":"stop"}`},
		{"a detail that never came", []D{extra("choices[].delta.reasoning_details[].x"), {Kind: toolcall.DeltaFinish, Text: "stop"}}, []string{"stream.choices[].delta.reasoning_details[].x"}, `"finish_reason":"stop"}`},
		{"parts of a content", []D{extra("choices[].delta.content[].x"), extra("choices[].delta.content[]")}, []string{"stream.choices[].delta.content[].x", "stream.choices[].delta.content[]"}, "[DONE]"},
		{"nothing but the top", []D{extra("x")}, nil, `"choices":[],"x":1}`},
		{"a usage without counts", []D{extra("usage.x")}, nil, `"usage":{"prompt_tokens":0,"completion_tokens":0,"total_tokens":0,"x":1}}`},
		{"after the error", []D{{Kind: toolcall.DeltaError, Text: "m"}, extra("choices[].x")}, nil, `"finish_reason":null,"x":1}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			events, losses := encode(t, meta, wire.Options{}, tt.in...)
			if diff := cmp.Diff(tt.lost, codectest.Fields(losses)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if out := strings.Join(events, "\n"); !strings.Contains(`"choices":[`+out, tt.within) {
				t.Errorf("want %s in\n%s", tt.within, out)
			}
		})
	}
}
