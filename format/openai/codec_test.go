package openai_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/toolparse/toolparse"
	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/format/openai"
)

var codec openai.Codec

// jsonValues compares raw JSON by value, with exact numbers.
var jsonValues = cmp.Comparer(func(a, b json.RawMessage) bool {
	return cmp.Equal(valueOf(a), valueOf(b))
})

func valueOf(raw json.RawMessage) any {
	dec := json.NewDecoder(strings.NewReader(string(raw)))
	dec.UseNumber()
	var v any
	if dec.Decode(&v) != nil {
		return string(raw)
	}
	return v
}

// sameRequest compares what was read.
var sameRequest = cmp.Options{jsonValues}

func decodeRequest(t testing.TB, body string) *chat.Request {
	t.Helper()
	req, err := codec.DecodeRequest([]byte(body))
	if err != nil {
		t.Fatalf("%v\n%s", err, body)
	}
	return req
}

// requests are bodies as clients and servers of many kinds send them.
var requests = []string{
	`{"model":"m","messages":[]}`,
	`{"model":"m","messages":[{"role":"system","content":"s"},{"role":"developer","content":[{"type":"text","text":"a"},{"type":"text","text":"b","cache_control":{"type":"ephemeral"}}]},{"role":"user","name":"Ann","content":"u"}],"stream":true,"stream_options":{"include_usage":true,"include_obfuscation":false}}`,
	`{"model":"m","temperature":0.10,"top_p":1e0,"max_tokens":5,"stop":["a","b"],"seed":7,"n":2,"response_format":{"type":"json_object"},"parallel_tool_calls":false,"logit_bias":{"1":10000000000000001},"messages":[{"role":"user","content":"u","x":null}]}`,
	`{"model":"m","max_completion_tokens":5,"max_tokens":6,"messages":[{"role":"user","content":[{"type":"image_url","image_url":{"url":"https://example.com/a.png","detail":"low"}},{"type":"image_url","image_url":{"url":"data:image/png;base64,AAAA"}},{"type":"file","file":{"file_data":"data:application/pdf;base64,BBBB","filename":"f.pdf"}},{"type":"file","file":{"file_id":"file-1"}},{"type":"input_audio","input_audio":{"data":"x","format":"wav"}}]}]}`,
	`{"model":"m","tools":[{"type":"function","function":{"name":"f","description":"d","parameters":{"type":"object","properties":{"b":{},"a":{}}},"strict":true,"x":1},"cache_control":{"type":"ephemeral"}},{"type":"custom","custom":{"name":"g","format":{"type":"text"}}},{"type":"web_search","filters":{}}],"tool_choice":{"type":"allowed_tools","allowed_tools":{"mode":"required","tools":[{"type":"function","function":{"name":"f"}},{"type":"custom","custom":{"name":"g"}}]}},"messages":[]}`,
	`{"model":"m","tools":[{"type":"function","function":{"name":"f"}}],"tool_choice":{"type":"function","function":{"name":"f"}},"messages":[{"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"f","arguments":"{\"n\": 10000000000000001}"}},{"id":"c2","type":"custom","custom":{"name":"g","input":"a\"b\ud83d"}}]},{"role":"tool","tool_call_id":"c1","content":"1"},{"role":"tool","tool_call_id":"c2","name":"g","content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]}]}`,
	`{"model":"m","messages":[{"role":"assistant","content":"t","reasoning_content":"r"},{"role":"assistant","refusal":"no","content":null},{"role":"assistant","content":"","reasoning":"r2"}],"tool_choice":"none"}`,
	`{"model":"m","messages":[{"role":"assistant","reasoning":"r","reasoning_details":[{"type":"reasoning.text","text":"r","signature":"sig","format":"anthropic-claude-v1","index":0},{"type":"reasoning.encrypted","data":"zzz","format":"anthropic-claude-v1","index":1}],"content":"t"}]}`,
	`{"model":"m","messages":[{"role":"assistant","content":"t","tool_calls":[{"id":"c1","type":"function","function":{"name":"f","arguments":"{}"}}],"reasoning_details":[{"type":"reasoning.encrypted","data":"zzz","format":"google-gemini-v1","index":0,"id":"c1"}]}]}`,
	`{"model":"m","messages":[{"role":"assistant","content":"t","extra_content":{"google":{"thought_signature":"m","x":1},"y":2},"tool_calls":[{"id":"c1","type":"function","function":{"name":"f","arguments":"{}"},"extra_content":{"google":{"thought_signature":"s"}}}]}]}`,
	`{"model":"m","messages":[{"role":"assistant","content":[{"type":"thinking","thinking":[{"type":"text","text":"hm"}]},{"type":"text","text":"t"}]},{"role":"tool","tool_call_id":"c","content":"[tool_error] boom"}],"tool_choice":{"type":"odd","odd":1}}`,
	`{"model":"m","stop":"a","tool_choice":"any","messages":[{"role":"assistant","content":"t","thinking":"r"},{"role":"assistant","content":"t","reasoning_content":"r","reasoning":"r"},{"role":"assistant","content":"t","reasoning":"r","reasoning_content":"s","thinking":[1]}]}`,
	`{"model":"m","messages":[{"role":"assistant","content":"t","reasoning_content":"r","reasoning_details":[{"type":"reasoning.summary","summary":"r"}]},{"role":"assistant","content":"t","reasoning":"x","reasoning_details":[{"type":"reasoning.text","text":"r"}]},{"role":"assistant","content":"t","reasoning_details":[{"type":"reasoning.text","text":"r","signature":"s","format":"anthropic-claude-v1"}]}]}`,
	`{"model":"m","messages":[{"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"builtin_function","function":{"name":"f","arguments":"{}"}}]},{"role":"tool","tool_call_id":"c1","content":"1"}]}`,
}

// What a body holds survives, fields that nobody knows among it, and nothing
// is reported lost on the way back to the same wire.
func TestRequestsComeBack(t *testing.T) {
	bodies := requests
	files, err := filepath.Glob("/work/shared/streams/requests/chat-*.json")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if strings.HasSuffix(file, ".expect.json") {
			continue
		}
		body, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		bodies = append(bodies, string(body))
	}
	for _, body := range bodies {
		first := decodeRequest(t, body)
		out, losses, err := codec.EncodeRequest(first, chat.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if len(losses) > 0 {
			t.Errorf("losses %v of %s", losses, body)
		}
		if diff := cmp.Diff(first, decodeRequest(t, string(out)), sameRequest); diff != "" {
			t.Errorf("%s\n%s\n(-first +second):\n%s", body, out, diff)
		}
		if diff := cmp.Diff(leaves(valueOf([]byte(body))), leaves(valueOf(out))); diff != "" {
			t.Errorf("(-sent +written):\n%s", diff)
		}
	}
}

// leaves flattens JSON into its paths. Null and "stream":false are as good as
// nothing.
func leaves(v any) map[string]any {
	out := map[string]any{}
	var walk func(path string, v any)
	walk = func(path string, v any) {
		switch v := v.(type) {
		case map[string]any:
			for k, member := range v {
				walk(path+"."+k, member)
			}
		case []any:
			for i, item := range v {
				walk(path+"["+string(rune('0'+i))+"]", item)
			}
		case nil:
		default:
			out[path] = v
		}
	}
	walk("", v)
	if out[".stream"] == false {
		delete(out, ".stream")
	}
	return out
}

func TestLegacyFunctions(t *testing.T) {
	req := decodeRequest(t, `{"model":"m","functions":[{"name":"f","parameters":{}}],"function_call":{"name":"f"},"messages":[
		{"role":"assistant","content":null,"function_call":{"name":"f","arguments":"{}"}},{"role":"function","name":"f","content":"1"}]}`)
	out, _, err := codec.EncodeRequest(req, chat.Options{})
	if err != nil {
		t.Fatal(err)
	}
	id := chat.MakeID("", 0, "f")
	want := `{"model":"m","messages":[{"role":"assistant","content":null,"tool_calls":[{"id":"` + id + `","type":"function","function":{"name":"f","arguments":"{}"}}]},{"role":"tool","tool_call_id":"` + id + `","name":"f","content":"1"}],"tools":[{"type":"function","function":{"name":"f","parameters":{}}}],"tool_choice":{"type":"function","function":{"name":"f"}}}`
	if diff := cmp.Diff(want, string(out)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// genText draws texts with what JSON must escape, never empty.
func genText(t *rapid.T, label string) string {
	return rapid.OneOf(rapid.StringN(1, 12, -1), rapid.SampledFrom([]string{`"`, "\\", "a\nb", "é😀", "\x00\x1f\x7f", "[tool", "{}"})).Draw(t, label)
}

func genExtras(t *rapid.T, in ...string) chat.Extras {
	var x chat.Extras
	for _, in := range append(in, "") {
		if rapid.IntRange(0, 3).Draw(t, "extra") == 0 {
			x = append(x, chat.Extra{Wire: "openai", In: in, Name: "x_unknown", Value: json.RawMessage(rapid.SampledFrom([]string{"null", "1.50", `{"a":[1,"b"]}`, `"é\n"`, "10000000000000001"}).Draw(t, "value"))})
		}
	}
	return x
}

func genArguments(t *rapid.T) string {
	return rapid.SampledFrom([]string{"{}", `{"a": 10000000000000001}`, `{"a":"b\n\"\u00e9"}`, `{"cut":"of`, `[1]`}).Draw(t, "arguments")
}

func genParts(t *rapid.T) []chat.Part {
	n := rapid.IntRange(1, 3).Draw(t, "parts")
	var parts []chat.Part
	for range n {
		switch rapid.IntRange(0, 3).Draw(t, "part") {
		case 0:
			parts = append(parts, chat.Part{Kind: chat.PartImage, Media: &chat.Media{Type: "image/png", Data: "AAAA"}, Extras: genExtras(t, "image_url")})
		case 1:
			parts = append(parts, chat.Part{Kind: chat.PartFile, Media: &chat.Media{Name: genText(t, "name"), ID: "file-1"}, Extras: genExtras(t, "file")})
		default:
			parts = append(parts, chat.Part{Kind: chat.PartText, Text: genText(t, "text"), Extras: genExtras(t)})
		}
	}
	return parts
}

func genAssistant(t *rapid.T, turn int) chat.Message {
	m := chat.Message{Role: chat.Assistant, Extras: genExtras(t)}
	if rapid.Bool().Draw(t, "reasoning") {
		m.Parts = append(m.Parts, chat.Part{Kind: chat.PartReasoning, Text: genText(t, "reasoning")})
	}
	for range rapid.IntRange(0, 2).Draw(t, "texts") {
		m.Parts = append(m.Parts, chat.TextPart(genText(t, "text")))
	}
	if rapid.IntRange(0, 4).Draw(t, "refusal") == 0 {
		m.Parts = append(m.Parts, chat.Part{Kind: chat.PartRefusal, Text: genText(t, "refusal")})
	}
	for i := range rapid.IntRange(0, 2).Draw(t, "calls") {
		p := chat.CallPart("call_"+string(rune('a'+turn))+string(rune('a'+i)), rapid.StringMatching(`[a-zA-Z0-9_-]{1,64}`).Draw(t, "name"), genArguments(t))
		p.Extras = genExtras(t, "function")
		if rapid.IntRange(0, 3).Draw(t, "signed") == 0 {
			p.Signature, p.SignedBy = "sig", "gemini"
		}
		m.Parts = append(m.Parts, p)
	}
	return m
}

func genRequest(t *rapid.T) *chat.Request {
	req := &chat.Request{
		Model:         genText(t, "model"),
		ParallelCalls: rapid.SampledFrom([]chat.Switch{chat.Unset, chat.On, chat.Off}).Draw(t, "parallel"),
		Temperature:   rapid.SampledFrom([]json.Number{"", "0", "0.70", "1e-1"}).Draw(t, "temperature"),
		TopP:          rapid.SampledFrom([]json.Number{"", "0.95"}).Draw(t, "top_p"),
		MaxTokens:     rapid.IntRange(0, 9).Draw(t, "max_tokens"),
		Stream:        rapid.Bool().Draw(t, "stream"),
		StreamUsage:   rapid.Bool().Draw(t, "usage"),
		Extras:        genExtras(t, "stream_options"),
	}
	for range rapid.IntRange(0, 2).Draw(t, "stops") {
		req.Stop = append(req.Stop, genText(t, "stop"))
	}
	for i := range rapid.IntRange(0, 3).Draw(t, "tools") {
		tool := chat.Tool{ToolDefinition: toolparse.ToolDefinition{Name: "tool_" + string(rune('a'+i)), Description: rapid.SampledFrom([]string{"", "d é"}).Draw(t, "description")}}
		if tool.Custom = rapid.IntRange(0, 3).Draw(t, "custom") == 0; tool.Custom {
			tool.Parameters, tool.Extras = chat.CustomParameters(), genExtras(t, "custom")
		} else {
			tool.Parameters = rapid.SampledFrom([]json.RawMessage{nil, json.RawMessage(`{"type":"object","properties":{"z":{},"a":{"$ref":"#/$defs/q"}}}`)}).Draw(t, "schema")
			tool.Strict = rapid.SampledFrom([]chat.Switch{chat.Unset, chat.On, chat.Off}).Draw(t, "strict")
			tool.Extras = genExtras(t, "function")
			if tool.Strict == chat.On { // by this wire's own rules
				tool.Extras = append(tool.Extras, chat.Extra{Wire: "openai", Name: "strict", Spelling: true})
			}
		}
		req.Tools = append(req.Tools, tool)
	}
	switch rapid.IntRange(0, 4).Draw(t, "choice") {
	case 0:
		req.ToolChoice.Mode = rapid.SampledFrom([]chat.ChoiceMode{chat.ChoiceAuto, chat.ChoiceNone, chat.ChoiceRequired}).Draw(t, "mode")
	case 1:
		req.ToolChoice = chat.ToolChoice{Mode: chat.ChoiceOne, Tools: []string{"tool_a"}}
	case 2:
		req.ToolChoice = chat.ToolChoice{Mode: rapid.SampledFrom([]chat.ChoiceMode{chat.ChoiceAuto, chat.ChoiceRequired}).Draw(t, "mode"), Tools: []string{"tool_a", "tool_c"}}
	}
	for turn := range rapid.IntRange(0, 5).Draw(t, "messages") {
		switch rapid.IntRange(0, 2).Draw(t, "role") {
		case 0:
			req.Messages = append(req.Messages, chat.Message{Role: chat.User, Parts: genParts(t), Extras: genExtras(t)})
		case 1:
			req.Messages = append(req.Messages, chat.Message{Role: rapid.SampledFrom([]chat.Role{chat.System, chat.Developer}).Draw(t, "role"), Parts: []chat.Part{chat.TextPart(genText(t, "text"))}})
		default:
			m := genAssistant(t, turn)
			req.Messages = append(req.Messages, m)
			for _, p := range m.Parts {
				if p.Kind == chat.PartCall {
					r := chat.ResultPart(p.Call.ID, chat.TextPart(genText(t, "result")))
					r.Result.IsError = rapid.Bool().Draw(t, "error")
					x := genExtras(t)
					if r.Result.IsError { // in this wire's own words
						x = append(x, chat.Extra{Wire: "openai", Name: "tool_error", Spelling: true})
					}
					req.Messages = append(req.Messages, chat.Message{Role: chat.ToolRole, Parts: []chat.Part{r}, Extras: x})
				}
			}
		}
	}
	return req
}

func TestRequestRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := genRequest(t)
		body, _, err := codec.EncodeRequest(want, chat.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if !json.Valid(body) {
			t.Fatalf("no JSON: %s", body)
		}
		got, err := codec.DecodeRequest(body)
		if err != nil {
			t.Fatal(err)
		}
		sortExtras(want)
		sortExtras(got)
		if diff := cmp.Diff(want, got, sameRequest); diff != "" {
			t.Fatalf("%s\n(-want +got):\n%s", body, diff)
		}
	})
}

// sortExtras is for the order of extras of inner objects, which are written
// with those and not where they stood.
func sortExtras(req *chat.Request) {
	sort := func(x chat.Extras) {
		for i := range x {
			for j := i; j > 0 && x[j].In < x[j-1].In; j-- {
				x[j], x[j-1] = x[j-1], x[j]
			}
		}
	}
	sort(req.Extras)
	for i := range req.Tools {
		sort(req.Tools[i].Extras)
	}
	for i := range req.Messages {
		sort(req.Messages[i].Extras)
		for j := range req.Messages[i].Parts {
			sort(req.Messages[i].Parts[j].Extras)
		}
	}
}

func TestResponseRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := &chat.Response{Meta: chat.Meta{Wire: "openai", ID: genText(t, "id"), Model: "m", Created: int64(rapid.IntRange(0, 9).Draw(t, "created"))}, Extras: genExtras(t, "usage", "usage.prompt_tokens_details")}
		want.Usage = chat.Usage{
			Input: rapid.IntRange(1, 9).Draw(t, "input"), Output: rapid.IntRange(0, 9).Draw(t, "output"),
			CachedInput: rapid.IntRange(0, 9).Draw(t, "cached"), Reasoning: rapid.IntRange(0, 9).Draw(t, "reasoning"), CacheWrite: rapid.IntRange(0, 9).Draw(t, "write"),
		}.Settle()
		for i := range rapid.IntRange(1, 3).Draw(t, "choices") {
			c := chat.Choice{Message: genAssistant(t, i), Extras: genExtras(t)}
			c.Finish = chat.ReadFinish("openai", rapid.SampledFrom([]string{"stop", "length", "content_filter", "tool_calls", "odd"}).Draw(t, "finish")).With(c.Message.HasCalls())
			if c.Finish.Reason == chat.FinishStop {
				c.Finish.Word = "stop"
			} else if c.Finish.Reason == chat.FinishToolCalls {
				c.Finish.Word = "tool_calls"
			}
			want.Choices = append(want.Choices, c)
		}
		body, _, err := codec.EncodeResponse(want, chat.Options{})
		if err != nil {
			t.Fatal(err)
		}
		got, err := codec.DecodeResponse(body)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got, sameRequest, cmp.Transformer("sorted", func(x chat.Extras) map[string]string {
			m := map[string]string{}
			for _, e := range x {
				m[e.In+" "+e.Name] = string(e.Value)
			}
			return m
		})); diff != "" {
			t.Fatalf("%s\n(-want +got):\n%s", body, diff)
		}
	})
}

// An answer's content is one string, as clients want it. Only what servers of
// this wire sent as a list goes back so.
func TestTextsOfAnAnswerAreJoined(t *testing.T) {
	for wire, want := range map[string]string{
		"anthropic": `"content":"a b","tool_calls"`,
		"openai":    `"content":[{"type":"text","text":"a"},{"type":"text","text":" b"}],"tool_calls"`,
	} {
		res := &chat.Response{Meta: chat.Meta{Wire: wire, ID: "r", Created: 7}, Choices: []chat.Choice{{Message: chat.Message{Role: chat.Assistant, Parts: []chat.Part{
			chat.TextPart("a"), chat.TextPart(" b"), chat.CallPart("c", "f", "{}"),
		}}}}}
		out, losses, err := codec.EncodeResponse(res, chat.Options{})
		if err != nil || !strings.Contains(string(out), want) || (len(losses) == 1) != (wire == "anthropic") {
			t.Errorf("from %s: %v, %v\n%s", wire, err, losses, out)
		}
	}
}

// What no string can hold is left out of a translated answer, and told.
func TestContentOfAnAnswerIsNoList(t *testing.T) {
	other := chat.Part{Kind: chat.PartOther, Extras: chat.Extras{{Wire: "anthropic", Name: "type", Value: []byte(`"server_tool_use"`)}}}
	foreign := chat.TextPart("b")
	foreign.Extras = chat.Extras{{Wire: "openai", Name: "annotations", Value: []byte(`[1]`)}, {Wire: "anthropic", Name: "citations", Value: []byte(`[1]`)}}
	thought := chat.Part{Kind: chat.PartReasoning, Text: "r", Extras: chat.Extras{{Wire: "openai", Name: "thinking", Spelling: true}}}
	const at = "choices[0].message.parts"
	for _, tt := range []struct {
		name  string
		wire  string
		opts  chat.Options
		parts []chat.Part
		want  string
		lost  []string
	}{
		{"nothing else", "anthropic", chat.Options{}, []chat.Part{other}, `"content":""`, []string{at + "[0]"}},
		{"beside a call", "anthropic", chat.Options{}, []chat.Part{other, chat.CallPart("c", "f", "{}")}, `"content":null`, []string{at + "[0]"}},
		{"beside texts", "anthropic", chat.Options{}, []chat.Part{chat.TextPart("a"), other, chat.TextPart("b")}, `"content":"ab"`, []string{at + "[1]", at}},
		{"this wire's part", "anthropic", chat.Options{}, []chat.Part{{Kind: chat.PartOther, Extras: chat.Extras{{Wire: "openai", Name: "type", Value: []byte(`"x"`)}}}, foreign},
			`"content":"b"`, []string{at + "[0]", at + "[1].citations", at + "[1].annotations"}},
		{"thinking", "gemini", chat.Options{}, []chat.Part{thought, chat.TextPart("a")}, `"reasoning_content":"r","content":"a"`, nil},
		{"vendor only", "openai", chat.Options{VendorOnly: true}, []chat.Part{chat.TextPart("a"), chat.TextPart("b")}, `"content":"ab"`, []string{at}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			res := &chat.Response{Meta: chat.Meta{Wire: tt.wire, ID: "r", Created: 7}, Choices: []chat.Choice{{Message: chat.Message{Role: chat.Assistant, Parts: tt.parts}}}}
			out, losses, err := codec.EncodeResponse(res, tt.opts)
			if err != nil || !strings.Contains(string(out), tt.want) {
				t.Errorf("error %v, want %s in\n%s", err, tt.want, out)
			}
			var lost []string
			for _, l := range losses {
				lost = append(lost, l.Field)
			}
			if diff := cmp.Diff(tt.lost, lost); diff != "" {
				t.Errorf("losses (-want +got):\n%s", diff)
			}
		})
	}
}

// What an answer holds survives, too.
func TestAnswersComeBack(t *testing.T) {
	choice := func(message string) string {
		return `{"id":"r","object":"chat.completion","created":7,"model":"m","choices":[{"index":0,"message":{"role":"assistant",` + message + `},"logprobs":{"content":[]},"native_finish_reason":"eos","finish_reason":"stop"}],"service_tier":"default","system_fingerprint":"fp","prompt_filter_results":[{"prompt_index":0}],"citations":["u"]}`
	}
	usage := func(members string) string {
		return `{"id":"r","object":"chat.completion","created":7,"model":"m","choices":[],"usage":{"prompt_tokens":9,"completion_tokens":5,"total_tokens":14,` + members + `}}`
	}
	for _, body := range []string{
		choice(`"content":"a","annotations":[],"audio":{"id":"x","transcript":"t"}`),
		choice(`"content":[{"type":"text","text":"a","annotations":[1]},{"type":"reference","reference_ids":[1]}]`),
		usage(`"prompt_tokens_details":{"cached_tokens":0,"audio_tokens":0},"completion_tokens_details":{"reasoning_tokens":0,"accepted_prediction_tokens":0},"cost":0.5`),
		usage(`"prompt_cache_hit_tokens":3,"prompt_cache_miss_tokens":6`),
		usage(`"prompt_cache_hit_tokens":3,"prompt_tokens_details":{"cached_tokens":3,"cache_creation_tokens":2}`),
		usage(`"cached_tokens":3,"prompt_tokens_details":{"cache_write_tokens":2}`),
		`{"error":{"message":"m","type":"t","param":null,"code":null}}`,
		`{"error":{"message":"m","code":429,"metadata":{"raw":"r"}},"user_id":"u"}`,
		`{"error":{"message":"m","type":"t","code":"429"}}`,
		`{"error":{"message":"m","status":"s","code":400}}`,
	} {
		res, err := codec.DecodeResponse([]byte(body))
		if err != nil {
			t.Fatal(err)
		}
		out, losses, err := codec.EncodeResponse(res, chat.Options{})
		if err != nil || len(losses) > 0 {
			t.Errorf("%v, losses %v", err, losses)
		}
		if diff := cmp.Diff(leaves(valueOf([]byte(body))), leaves(valueOf(out))); diff != "" {
			t.Errorf("%s\n%s\n(-sent +written):\n%s", body, out, diff)
		}
	}
}

// What is no answer, no request and no list of tools is refused, with the place.
func TestBrokenBodies(t *testing.T) {
	answer := func(body string) error { _, err := codec.DecodeResponse([]byte(body)); return err }
	request := func(body string) error { _, err := codec.DecodeRequest([]byte(body)); return err }
	tools := func(body string) error { _, err := codec.DecodeTools([]byte(body)); return err }
	for _, tt := range []struct {
		decode     func(string) error
		body, want string
	}{
		{answer, `{}`, "byte 0: choices: it is missing"},
		{answer, `null`, "choices: it is missing"},
		{answer, `{"id":"r","choices":null}`, "choices: it is missing"},
		{answer, `{"choices":[{"finish_reason":"stop"}]}`, "byte 12: choices[].message: it is missing"},
		{answer, `{"choices":[{"index":-1,"message":{}}]}`, "byte 21: choices[].index: no index"},
		{answer, `{"choices":[{"message":{"content":5}}]}`, "choices[].message.content: a number where a string should be"},
		{answer, `{"choices":[{"message":{"tool_calls":[{"custom":1}]}}]}`, "choices[].message.tool_calls[].custom: a number where an object"},
		{answer, `{"choices":[],"usage":{"total_tokens":"x"}}`, "usage.total_tokens: no count"},
		{answer, `{"choices":[],"created":{}}`, "created: no time"},
		{request, `{"stream":"yes"}`, "stream: a string where a boolean should be"},
		{request, `{"parallel_tool_calls":1}`, "parallel_tool_calls: a number where a boolean"},
		{request, `{"stop":7}`, "stop: a number where an array should be"},
		{request, `{"stream_options":[]}`, "stream_options: an array where an object"},
		{tools, `null`, "tools: it is missing"},
		{tools, `{}`, "tools: an object where an array should be"},
		{tools, `[{"type":"function","function":{"name":"f","strict":"true"}}]`, "tools[].function.strict: a string where a boolean"},
	} {
		if err := tt.decode(tt.body); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %s", tt.body, err, tt.want)
		}
	}
}

// What must be there and is not is made up, and told, once.
func TestMadeUp(t *testing.T) {
	fields := func(losses []chat.Loss) (names []string) {
		for _, l := range losses {
			names = append(names, l.Field)
		}
		return names
	}
	foreign := chat.Meta{Wire: "ollama", Model: "m"}
	_, losses, err := codec.EncodeResponse(&chat.Response{Meta: foreign}, chat.Options{})
	if diff := cmp.Diff([]string{"id"}, fields(losses)); diff != "" || err != nil {
		t.Errorf("an answer: %v (-want +got):\n%s", err, diff)
	}
	hi, more := D{Kind: toolparse.DeltaText, Text: "a"}, D{Kind: toolparse.DeltaExtra, Name: "x", Text: "null"}
	for wire, want := range map[string][]string{"ollama": {"id"}, "openai": {"id"}, "": nil} {
		foreign.Wire = wire
		_, losses := encode(t, foreign, chat.Options{}, hi, more, hi)
		if diff := cmp.Diff(want, fields(losses)); diff != "" {
			t.Errorf("a stream of %q (-want +got):\n%s", wire, diff)
		}
	}
	_, losses, err = codec.EncodeRequest(&chat.Request{}, chat.Options{})
	if diff := cmp.Diff([]string{"model"}, fields(losses)); diff != "" || err != nil {
		t.Errorf("a request: %v (-want +got):\n%s", err, diff)
	}
}

// Text that follows a call is told where the source had it in its place.
func TestTextAfterACall(t *testing.T) {
	in := []D{{Kind: toolparse.DeltaToolCall, ID: "c", Name: "f", Text: "{}", Done: true}, {Kind: toolparse.DeltaText, Text: "a"}, {Kind: toolparse.DeltaText, Text: "b"}}
	for wire, want := range map[string]int{"openai": 0, "anthropic": 1} {
		_, losses := encode(t, chat.Meta{Wire: wire, ID: "r", Model: "m", Created: 7}, chat.Options{}, in...)
		if len(losses) != want {
			t.Errorf("from %s: %v", wire, losses)
		}
	}
}

func TestErrorResponse(t *testing.T) {
	res, err := codec.DecodeResponse([]byte(`{"error":{"message":"m","type":"t","param":null,"code":"c"}}`))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(&chat.Error{Code: "c", Message: "m"}, res.Error); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	out, losses, err := codec.EncodeResponse(res, chat.Options{})
	if want := `{"error":{"message":"m","code":"c","type":"t","param":null}}`; string(out) != want || len(losses) > 0 || err != nil {
		t.Errorf("%s, %v, %v, want %s", out, losses, err, want)
	}
}

func TestChoicesAboveIndexZero(t *testing.T) {
	res, err := codec.DecodeResponse([]byte(`{"choices":[{"index":1,"message":{"content":"b"},"finish_reason":"stop"},{"index":0,"message":{"content":"a"},"finish_reason":"length"}]}`))
	if err != nil {
		t.Fatal(err)
	}
	if res.Choices[0].Message.Parts[0].Text != "a" || res.Choices[0].Finish.Reason != chat.FinishLength || res.Choices[1].Message.Parts[0].Text != "b" {
		t.Errorf("%+v", res.Choices)
	}
}

// What a request holds that this wire cannot is told, each with what is done.
func TestRequestLosses(t *testing.T) {
	long := strings.Repeat("x", 41)
	foreign := chat.Extras{{Wire: "anthropic", Name: "cache_control", Value: json.RawMessage("{}")}}
	tests := []struct {
		name   string
		req    chat.Request
		opts   chat.Options
		fields []string
		want   string // in the body
	}{
		{"fields of another wire", chat.Request{Extras: foreign}, chat.Options{}, []string{"cache_control"}, `"messages":[]`},
		{
			"order of text and calls",
			chat.Request{Messages: []chat.Message{{Role: chat.Assistant, Parts: []chat.Part{chat.CallPart("a", "f", "{}"), chat.TextPart("t")}}}},
			chat.Options{}, []string{"messages[0].parts"}, `"content":"t","tool_calls"`,
		},
		{
			"ids of more than 40 bytes",
			chat.Request{Messages: []chat.Message{{Role: chat.Assistant, Parts: []chat.Part{chat.CallPart(long, "f", "{}")}}, {Role: chat.ToolRole, Parts: []chat.Part{chat.ResultPart(long, chat.TextPart("r"))}}}},
			chat.Options{}, []string{"messages[0].parts[0].call.id"}, `"content":"r"`,
		},
		{
			"Mistral's ids",
			chat.Request{Messages: []chat.Message{{Role: chat.Assistant, Parts: []chat.Part{chat.CallPart("call_1", "f", "{}")}}}},
			chat.Options{IDs: chat.NewRenames(chat.MistralIDs())}, []string{"messages[0].parts[0].call.id"}, `"type":"function"`,
		},
		{
			"ids repeated by the source in later turns",
			chat.Request{Messages: []chat.Message{{Role: chat.Assistant, Parts: []chat.Part{chat.CallPart("a", "f", "{}")}}, {Role: chat.Assistant, Parts: []chat.Part{chat.CallPart("a", "f", "{}")}}}},
			chat.Options{}, []string{"messages[1].parts[0].call.id"}, `"id":"a_2"`,
		},
		{
			"tool names with other characters",
			chat.Request{Tools: []chat.Tool{{ToolDefinition: toolparse.ToolDefinition{Name: "a.b"}}}, ToolChoice: chat.ToolChoice{Mode: chat.ChoiceOne, Tools: []string{"a.b"}}},
			chat.Options{}, []string{"tools[0].name"}, `"tool_choice":{"type":"function","function":{"name":"a_b_`,
		},
		{
			"is_error",
			chat.Request{Messages: []chat.Message{{Role: chat.ToolRole, Parts: []chat.Part{{Kind: chat.PartResult, Result: &chat.Result{CallID: "a", IsError: true, Parts: []chat.Part{chat.TextPart("boom")}}}}}}},
			chat.Options{}, []string{"messages[0].parts[0].result.is_error"}, `"content":"[tool_error] boom"`,
		},
		{
			"images in tool results",
			chat.Request{Messages: []chat.Message{
				{Role: chat.ToolRole, Parts: []chat.Part{chat.ResultPart("a", chat.Part{Kind: chat.PartImage, Media: &chat.Media{Type: "image/png", Data: "AA"}}), chat.ResultPart("b", chat.TextPart("r"))}},
				{Role: chat.User, Parts: []chat.Part{chat.TextPart("u")}},
			}},
			chat.Options{}, []string{"messages[0].parts[0].result.parts[0]"},
			`"content":"[image of call a]"},{"role":"tool","tool_call_id":"b","content":"r"},{"role":"user","content":[{"type":"text","text":"[image of call a]"},{"type":"image_url","image_url":{"url":"data:image/png;base64,AA"}}]},{"role":"user","content":"u"}`,
		},
		{
			"OpenAI strict schemas",
			chat.Request{Tools: []chat.Tool{
				{ToolDefinition: toolparse.ToolDefinition{Name: "f", Parameters: json.RawMessage(`{"type":"object","properties":{"a":{"type":"string"}}}`)}, Strict: chat.On},
				{ToolDefinition: toolparse.ToolDefinition{Name: "g", Parameters: json.RawMessage(`{"type":"object","properties":{"a":{}}}`)}, Strict: chat.On},
			}},
			chat.Options{}, []string{"tools[0].parameters.properties.a", "tools[0].parameters.additionalProperties", "tools[1].strict"},
			`"parameters":{"type":"object","properties":{"a":{"type":["string","null"]}},"additionalProperties":false,"required":["a"]},"strict":true}},{"type":"function","function":{"name":"g","parameters":{"type":"object","properties":{"a":{}}},"strict":false}}`,
		},
		{
			"tools that a provider runs",
			chat.Request{Tools: []chat.Tool{{ToolDefinition: toolparse.ToolDefinition{Name: "web"}, Hosted: true, Extras: foreign}}},
			chat.Options{}, []string{"tools[0]"}, `"tools":[]`,
		},
		{
			"thinking signatures, where only the vendor's fields are wanted",
			chat.Request{Messages: []chat.Message{{Role: chat.Assistant, Parts: []chat.Part{{Kind: chat.PartReasoning, Text: "r", Signature: "s", SignedBy: "anthropic"}, {Kind: chat.PartReasoning, Redacted: "z", SignedBy: "anthropic"}}}}},
			chat.Options{VendorOnly: true}, []string{"messages[0].parts[0].text", "messages[0].parts[0].signature", "messages[0].parts[1].redacted"}, `{"role":"assistant","content":""}`,
		},
		{
			"Mistral's thinking, where only the vendor's fields are wanted",
			*decodeRequest(t, `{"messages":[{"role":"assistant","content":[{"type":"thinking","thinking":[{"type":"text","text":"hm"}]},{"type":"text","text":"t"}]}]}`),
			chat.Options{VendorOnly: true}, []string{"messages[0].parts[0].text"}, `{"role":"assistant","content":"t"}`,
		},
		{
			"thinking signatures, else",
			chat.Request{Messages: []chat.Message{{Role: chat.Assistant, Parts: []chat.Part{{Kind: chat.PartReasoning, Text: "r", Signature: "s", SignedBy: "anthropic"}}}}},
			chat.Options{}, nil, `"reasoning_details":[{"type":"reasoning.text","text":"r","signature":"s","format":"anthropic-claude-v1"}]`,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tt.req.Model = "m"
			body, losses, err := codec.EncodeRequest(&tt.req, tt.opts)
			if err != nil {
				t.Fatal(err)
			}
			var fields []string
			for _, l := range losses {
				fields = append(fields, l.Field)
				if l.Reason == "" || l.Done == "" {
					t.Errorf("the loss %+v says too little", l)
				}
			}
			if diff := cmp.Diff(tt.fields, fields); diff != "" {
				t.Errorf("losses (-want +got):\n%s%v", diff, losses)
			}
			if !strings.Contains(string(body), tt.want) || !json.Valid(body) {
				t.Errorf("%s\nlacks %s", body, tt.want)
			}
		})
	}
}

func FuzzRequest(f *testing.F) {
	for _, body := range requests {
		f.Add([]byte(body))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		first, err := codec.DecodeRequest(body)
		if err != nil {
			return
		}
		out, _, err := codec.EncodeRequest(first, chat.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if !json.Valid(out) {
			t.Fatalf("%q becomes %q", body, out)
		}
		if _, err := codec.DecodeRequest(out); err != nil {
			t.Fatalf("%q becomes %q: %v", body, out, err)
		}
	})
}

func FuzzResponse(f *testing.F) {
	f.Add([]byte(`{"id":"a","choices":[{"index":0,"message":{"role":"assistant","content":"x","tool_calls":[{"id":"b","function":{"name":"f","arguments":"{"}}]},"finish_reason":"length"}],"usage":{"prompt_tokens":1,"prompt_tokens_details":{"cached_tokens":1}}}`))
	f.Add([]byte(`{"error":{"message":"m"}}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		first, err := codec.DecodeResponse(body)
		if err != nil {
			return
		}
		out, _, err := codec.EncodeResponse(first, chat.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := codec.DecodeResponse(out); err != nil {
			t.Fatalf("%q becomes %q: %v", body, out, err)
		}
	})
}

// Calls that came without ids get the same ones whenever the answer is read.
func TestIDsMadeForResponses(t *testing.T) {
	res := &chat.Response{Meta: chat.Meta{Wire: "gemini", ID: "r", Created: 7}, Choices: []chat.Choice{{
		Message: chat.Message{Role: chat.Assistant, Parts: []chat.Part{chat.CallPart("", "f", "{}"), chat.CallPart("", "f", "{}")}},
		Finish:  chat.ReadFinish("gemini", "STOP"),
	}}}
	var before string
	for range 2 {
		out, losses, err := codec.EncodeResponse(res, chat.Options{})
		if err != nil || len(losses) > 0 {
			t.Fatal(err, losses)
		}
		got, err := codec.DecodeResponse(out)
		if err != nil {
			t.Fatal(err)
		}
		parts := got.Choices[0].Message.Parts
		if parts[0].Call.ID == "" || parts[0].Call.ID == parts[1].Call.ID || before != "" && string(out) != before {
			t.Errorf("%s\n%s", before, out)
		}
		if got.Choices[0].Finish.Reason != chat.FinishToolCalls {
			t.Errorf("finish %v", got.Choices[0].Finish)
		}
		before = string(out)
	}
}
