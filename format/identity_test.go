package format_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/toolparse/toolparse/format"
	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/wire"
	"github.com/toolparse/toolparse/internal/wire/all"
)

// identity is how a client identifies a tool.
type identity struct{ Type, Namespace, Name string }

// drawTools generates tools of Responses and a list that declares them: functions, custom
// tools and the vendor's own, with names that collide when namespaces and names are
// joined.
func drawTools(t *rapid.T) (list string, tools []identity) {
	names := []string{"f", "a", "a__f", "a__a__f", "b__f", "shell", "apply_patch", "a.f", "x y", "x_y", strings.Repeat("n", 70)}
	namespaces := []string{"", "", "a", "a__", "b", "f", "a__a", "shell"}
	typed := []string{"shell", "apply_patch", "local_shell"}
	known := map[identity]bool{}
	var items []string
	for range rapid.IntRange(1, 7).Draw(t, "items") {
		if rapid.IntRange(0, 5).Draw(t, "kind") == 0 {
			kind := rapid.SampledFrom(typed).Draw(t, "type")
			if id := (identity{Type: kind + "_call"}); !known[id] {
				known[id], tools = true, append(tools, id)
				items = append(items, fmt.Sprintf(`{"type":%q}`, kind))
			}
			continue
		}
		namespace := rapid.SampledFrom(namespaces).Draw(t, "namespace")
		var nested []string
		for _, name := range rapid.SliceOfNDistinct(rapid.SampledFrom(names), 1, 3, rapid.ID[string]).Draw(t, "names") {
			id := identity{"function_call", namespace, name}
			custom := identity{"custom_tool_call", namespace, name}
			if known[id] || known[custom] {
				continue
			}
			kind := "function"
			if rapid.Bool().Draw(t, "custom") {
				kind, id = "custom", custom
			}
			known[id], tools = true, append(tools, id)
			nested = append(nested, fmt.Sprintf(`{"type":%q,"name":%q}`, kind, name))
		}
		switch {
		case namespace == "":
			items = append(items, nested...)
		case len(nested) > 0:
			items = append(items, fmt.Sprintf(`{"type":"namespace","name":%q,"tools":[%s]}`, namespace, strings.Join(nested, ",")))
		}
	}
	return "[" + strings.Join(items, ",") + "]", tools
}

// calledIn returns the tools of the calls in a Responses answer, whole or streamed.
func calledIn(t rapid.TB, body []byte) (called []identity) {
	t.Helper()
	type output struct {
		Output []identity
	}
	var answer output
	if body[0] == '{' {
		if err := json.Unmarshal(body, &answer); err != nil {
			t.Fatal(err)
		}
	}
	for line := range strings.Lines(string(body)) {
		var event struct{ Response output }
		if data, ok := strings.CutPrefix(line, "data: "); ok && strings.Contains(data, `"type":"response.completed"`) {
			if err := json.Unmarshal([]byte(data), &event); err != nil {
				t.Fatal(err)
			}
			answer = event.Response
		}
	}
	return answer.Output
}

// isLegal reports whether Responses accepts a name.
func isLegal(name string) bool {
	legal, _ := wire.NewRenames(wire.Rule{Max: 64, OtherChars: "_-"}).Rename(name)
	return name == "" || name == legal
}

// TestIdentity: whatever tools a client declares, each has a unique name on every wire,
// and a call of that name comes back as one of that tool.
func TestIdentity(t *testing.T) {
	responses, err := all.CodecOf(format.Responses)
	if err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, func(t *rapid.T) {
		list, tools := drawTools(t)
		var history []string
		for i, id := range tools { // that was called before
			if id.Type == "function_call" {
				history = append(history, fmt.Sprintf(`{"type":"function_call","call_id":"c%d","namespace":%q,"name":%q,"arguments":"{}"},{"type":"function_call_output","call_id":"c%[1]d","output":"ok"}`, i, id.Namespace, id.Name))
			}
		}
		members := []string{`"tools":` + list, `"input":[` + strings.Join(append([]string{`{"role":"user","content":"hi"}`}, history...), ",") + `]`}
		if rapid.Bool().Draw(t, "tools last") {
			members[0], members[1] = members[1], members[0]
		}
		body := `{"model":"m",` + strings.Join(members, ",") + `}`
		request, err := responses.DecodeRequest([]byte(body))
		if err != nil {
			t.Fatal(err)
		}
		if len(request.Tools) != len(tools) {
			t.Fatalf("%d tools of %d", len(request.Tools), len(tools))
		}
		for _, wireName := range format.Wires() {
			codec, err := all.CodecOf(wireName)
			if err != nil {
				t.Fatal(err)
			}
			names := new(wire.Renames)
			codec.EncodeRequest(request, wire.Options{Names: names})
			given := map[string]string{}
			for i, tool := range request.Tools {
				name, _ := names.Rename(tool.Name)
				if other, taken := given[name]; taken {
					t.Fatalf("%s: %v and %s are both %q\n%s", wireName, tools[i], other, name, body)
				}
				given[name] = fmt.Sprint(tools[i])
				call := chat.Call{ID: "call_1", Name: name, Arguments: `{"input":"x"}`}
				if wireName == format.Responses {
					call.Name, call.Native, call.Custom = tool.Name, tool.Native, tool.Custom
				}
				answer := &wire.Response{Meta: chat.Meta{ID: "r", Model: "m"}, Choices: []wire.Choice{{
					Message: chat.Message{Role: chat.Assistant, Parts: []chat.Part{{Kind: chat.PartCall, Call: &call}}},
					Finish:  chat.Finish{Reason: chat.FinishToolCalls},
				}}}
				written, _ := codec.EncodeResponse(answer, wire.Options{})
				for _, kind := range []format.Kind{format.KindResponse, format.KindStream} {
					out, _, err := format.Translate(written, wireName, format.Responses, kind, format.TranslateOptions{Request: request})
					if err != nil {
						t.Fatal(err)
					}
					want := tools[i]
					if !isLegal(want.Name) {
						continue
					}
					if got := calledIn(t, out); len(got) != 1 || got[0] != want {
						t.Fatalf("%s, %s: a call of %v as %q comes back as %v\n%s\n%s", wireName, kind, want, name, got, body, out)
					}
				}
			}
			// The request itself comes back.
			if wireName == format.Responses {
				again, _ := codec.EncodeRequest(request, wire.Options{})
				reread, err := responses.DecodeRequest(again)
				if err != nil {
					t.Fatal(err)
				}
				for i, tool := range reread.Tools {
					if was := request.Tools[i]; isLegal(tools[i].Name) && (tool.Name != was.Name || tool.Native != was.Native) {
						t.Fatalf("%v becomes %v\n%s\n%s", was, tool, body, again)
					}
				}
			}
		}
	})
}

// TestRepeatedTool: two tools with one name are reported.
func TestRepeatedTool(t *testing.T) {
	const body = `{"model":"m","messages":[{"role":"user","content":"hi"}],"tools":[{"type":"function","function":{"name":"f"}},{"type":"function","function":{"name":"f"}}]}`
	for _, to := range format.Wires() {
		_, losses, err := format.Translate([]byte(body), format.OpenAI, to, format.KindRequest, format.TranslateOptions{})
		if err != nil || !strings.Contains(fmt.Sprint(losses), "tools[1].name: tools[0] has the same name") {
			t.Errorf("%s: error %v, losses %v", to, err, losses)
		}
	}
}

// TestAnswering: with the request, the calls of an answer are those of the request's
// tools.
func TestAnswering(t *testing.T) {
	request := func(wire format.Wire, body string) *chat.Request {
		codec, err := all.CodecOf(wire)
		if err != nil {
			t.Fatal(err)
		}
		r, err := codec.DecodeRequest([]byte(body))
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	codex := request(format.Responses, `{"model":"m","input":"hi","tools":[{"type":"custom","name":"sh"},{"type":"tool_search","execution":"client"},{"type":"namespace","name":"mcp__x","tools":[{"type":"function","name":"f"}]}]}`)
	ollama := request(format.Ollama, `{"model":"m","messages":[{"role":"user","content":"hi"}],"tools":[{"type":"function","function":{"name":"files.read"}}]}`)
	legal, _ := wire.NewRenames(wire.Rule{Max: 64, OtherChars: "_-"}).Rename("files.read")
	for name, tt := range map[string]struct {
		from, to     format.Wire
		request      *chat.Request
		answer, want string
	}{
		"free text":      {format.Auto, format.Responses, codex, `{"message":{"role":"assistant","tool_calls":[{"function":{"name":"sh","arguments":{"input":"ls"}}}]},"model":"m","done":true}`, `"name":"sh","input":"ls"`},
		"to the same":    {format.Auto, format.OpenAI, codex, `{"message":{"role":"assistant","tool_calls":[{"function":{"name":"sh","arguments":{"input":"ls"}}}]},"model":"m","done":true}`, `"custom":{"name":"sh"`},
		"a tool search":  {format.Gemini, format.Responses, codex, `{"candidates":[{"content":{"parts":[{"functionCall":{"name":"tool_search","args":{"query":"q"}}}]},"finishReason":"STOP"}]}`, `"type":"tool_search_call"`},
		"a namespace":    {format.OpenAI, format.Responses, codex, `{"object":"chat.completion","choices":[{"index":0,"message":{"tool_calls":[{"id":"c","type":"function","function":{"name":"mcp__x__f","arguments":"{}"}}]},"finish_reason":"tool_calls"}]}`, `"namespace":"mcp__x"`},
		"an illegal one": {format.OpenAI, format.Ollama, ollama, `{"object":"chat.completion","choices":[{"index":0,"message":{"tool_calls":[{"id":"c","type":"function","function":{"name":"` + legal + `","arguments":"{}"}}]},"finish_reason":"tool_calls"}]}`, `"name":"files.read"`},
	} {
		t.Run(name, func(t *testing.T) {
			for _, kind := range []format.Kind{format.KindResponse, format.KindStream} {
				out, _, err := format.Translate([]byte(tt.answer), tt.from, tt.to, kind, format.TranslateOptions{Request: tt.request})
				if err != nil || !strings.Contains(string(out), tt.want) {
					t.Errorf("%s: error %v, and no %s in\n%s", kind, err, tt.want, out)
				}
			}
		})
	}
}
