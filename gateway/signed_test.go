package gateway_test

import (
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/toolparse/toolparse"
	"github.com/toolparse/toolparse/format"
	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/gateway"
)

// signingCalls makes an upstream answer with two calls, of which the first is signed by Gemini.
func signingCalls(u *upstream, signature string) {
	if u.wire == format.OpenAI { // a server that passes Gemini's answers on
		u.respond = func(w http.ResponseWriter, r *http.Request) {
			body := `{"id":"r1","model":"m","choices":[{"index":0,"finish_reason":"tool_calls","%s":{"role":"assistant","tool_calls":[` +
				`{"index":0,"id":"call_a","type":"function","function":{"name":"get_weather","arguments":"{\"city\":\"Oslo\",\"unit\":\"C\"}"},"extra_content":{"google":{"thought_signature":"` + signature + `"}}},` +
				`{"index":1,"id":"call_b","type":"function","function":{"name":"get_weather","arguments":"{\"city\":\"Rome\",\"unit\":\"C\"}"}}]}}]}`
			if strings.Contains(string(u.bodies[len(u.bodies)-1]), `"stream":true`) {
				fmt.Fprintf(w, "data: "+body+"\n\ndata: [DONE]\n\n", "delta")
				return
			}
			fmt.Fprintf(w, body, "message")
		}
		return
	}
	u.respond = func(w http.ResponseWriter, r *http.Request) {
		body := `{"candidates":[{"content":{"role":"model","parts":[` +
			`{"functionCall":{"name":"get_weather","args":{"city":"Oslo","unit":"C"}},"thoughtSignature":"` + signature + `"},` +
			`{"functionCall":{"name":"get_weather","args":{"city":"Rome","unit":"C"}}}]},"finishReason":"STOP"}],"responseId":"r1","modelVersion":"m"}`
		if strings.Contains(r.URL.Path, "stream") {
			body = "data: " + body + "\n\n"
		}
		fmt.Fprint(w, body)
	}
}

// TestCallSignatures checks that Gemini gets its signatures of calls back from clients of all
// wires, also from those that return only ids, names and arguments; that no other upstream
// gets them; and that ids stay as short as vendors require.
func TestCallSignatures(t *testing.T) {
	const signature = "c2lnbmVkIGJ5IEdlbWluaSwgYXQgbGVuZ3Ro"
	legal := regexp.MustCompile(`^[a-zA-Z0-9_-]{1,40}$`)
	for _, up := range []format.Wire{format.Gemini, format.OpenAI} {
		for _, front := range format.Wires() {
			for _, stream := range []bool{true, false} {
				for _, plain := range []bool{false, true} {
					if testing.Short() && !stream && front != format.OpenAI {
						continue
					}
					if plain && front != format.OpenAI && front != format.Ollama {
						continue // their clients return all items
					}
					if up == format.OpenAI && (plain || front == format.Ollama) {
						continue // only Gemini's own API requires signatures
					}
					t.Run(fmt.Sprintf("%s to %s, stream=%v, plain=%v", front, up, stream, plain), func(t *testing.T) {
						one, two := newUpstream(t, up), newUpstream(t, up)
						signingCalls(one, signature)
						signingCalls(two, "b3RoZXI=")
						other := newUpstream(t, format.OpenAI)
						server := newGateway(t, one, func(o *gateway.Options) {
							o.Targets[0].Names = []string{"one"}
							o.Targets = append(o.Targets,
								gateway.Target{Names: []string{"two"}, Upstream: two.base(), Wire: two.wire},
								gateway.Target{Names: []string{"other"}, Upstream: other.base(), Wire: other.wire})
						})
						ask := func(model string, turns ...chat.Message) *toolparse.Answer {
							t.Helper()
							request := conversation(stream)
							request.Messages = append([]chat.Message{toolparse.User("Weather in Oslo and Rome?")}, turns...)
							answer, _ := collect(t, front, postTo(t, server, front, model, request).Body)
							return answer
						}
						answer := ask("one")
						if len(answer.Calls) != 2 {
							t.Fatalf("%d calls, want 2", len(answer.Calls))
						}
						said := chat.Message{Role: chat.Assistant, Parts: answer.Message.Parts}
						var results []chat.Part
						if plain {
							said.Parts = nil
						}
						for _, call := range answer.Calls {
							if front != format.Gemini && front != format.Ollama && !legal.MatchString(call.CallID) {
								t.Errorf("id %q", call.CallID)
							}
							id := call.CallID
							if plain && front == format.Ollama {
								id = ""
							}
							if plain {
								said.Parts = append(said.Parts, chat.CallPart(id, call.Name, strings.ReplaceAll(string(call.Arguments), `","`, `", "`)))
							}
							results = append(results, chat.Part{Kind: chat.PartResult, Result: &chat.Result{CallID: id, Name: call.Name, Parts: []chat.Part{chat.TextPart("Sun.")}}})
						}
						next := []chat.Message{said, {Role: chat.ToolRole, Parts: results}}
						ask("one", next...)
						var signed []string
						for _, m := range one.last(t).Messages {
							for _, p := range m.Parts {
								if p.Kind == chat.PartCall {
									signed = append(signed, p.Call.Arguments+" "+p.Signature)
								} else if p.Kind == chat.PartReasoning {
									t.Errorf("reasoning %+v", p)
								}
							}
						}
						if len(signed) != 2 || !strings.Contains(signed[0], "Oslo") || !strings.HasSuffix(signed[0], " "+signature) || !strings.HasSuffix(signed[1], "} ") {
							t.Errorf("signatures %q: %s", signed, one.bodies[len(one.bodies)-1])
						}
						for name, u := range map[string]*upstream{"two": two, "other": other} {
							ask(name, next...)
							if body := string(u.bodies[len(u.bodies)-1]); strings.Contains(body, signature) || strings.Contains(body, "dG9vbHBhcnNl") {
								t.Errorf("another upstream gets it: %s", body)
							}
						}
						if !slices.ContainsFunc(two.last(t).Messages, chat.Message.HasCalls) {
							t.Error("the other Gemini gets no calls")
						}
					})
				}
			}
		}
	}
}
