package gateway_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/toolparse/toolparse"
	"github.com/toolparse/toolparse/format"
	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/gateway"
	"github.com/toolparse/toolparse/internal/wire"
	"github.com/toolparse/toolparse/internal/wire/all"
	"github.com/toolparse/toolparse/toolcall"
)

// signing makes an upstream answer with signed or with encrypted reasoning, and a call.
func signing(u *upstream, signature string, redacted bool) {
	u.respond = func(w http.ResponseWriter, r *http.Request) {
		codec, _ := all.CodecOf(u.wire)
		meta := chat.Meta{Wire: string(u.wire), ID: "up_1", Model: "m"}
		thought := chat.Part{Kind: chat.PartReasoning, Text: "I think.", Signature: signature, SignedBy: string(u.wire)}
		name := ""
		if redacted {
			thought, name = chat.Part{Kind: chat.PartReasoning, Redacted: signature, SignedBy: string(u.wire)}, toolcall.SignsRedacted
		}
		call := chat.CallPart("call_2", "get_weather", arguments)
		if request := u.bodies[len(u.bodies)-1]; !strings.Contains(string(request), `"stream":true`) && !strings.Contains(r.URL.Path, "stream") {
			out, _ := codec.EncodeResponse(&wire.Response{Meta: meta, Choices: []wire.Choice{{
				Message: chat.Message{Role: chat.Assistant, Parts: []chat.Part{thought, call}}, Finish: chat.Finish{Reason: chat.FinishToolCalls},
			}}}, wire.Options{})
			w.Write(out)
			return
		}
		enc := codec.NewEncoder(wire.Options{})
		enc.SetMeta(meta)
		var out []byte
		if thought.Text != "" {
			out = enc.Append(out, toolcall.Delta{Kind: toolcall.DeltaReasoning, Text: thought.Text})
		}
		for _, d := range []toolcall.Delta{
			{Kind: toolcall.DeltaSignature, Index: toolcall.NoIndex, Name: name, Text: signature},
			{Kind: toolcall.DeltaToolCall, ID: "call_2", Name: "get_weather", Text: arguments, Done: true},
			{Kind: toolcall.DeltaFinish, Text: "tool_calls"},
		} {
			out = enc.Append(out, d)
		}
		out = enc.Close(out)
		w.Write(out)
	}
}

// TestSignatures: what an upstream has signed or encrypted comes back to it unchanged,
// whatever the client's wire, and to no other upstream, even one with the same wire.
func TestSignatures(t *testing.T) {
	const signature = "c2lnbmVkIGJ5IG9uZQ=="
	able := []format.Wire{format.Responses, format.Anthropic, format.Gemini}
	for _, wire := range able {
		for _, front := range able {
			for _, redacted := range []bool{false, true} {
				if redacted && (wire == format.Gemini || front == format.Gemini) {
					continue // it has nothing of the kind
				}
				for _, stream := range []bool{true, false} {
					t.Run(fmt.Sprintf("%s to %s, redacted=%v, stream=%v", front, wire, redacted, stream), func(t *testing.T) {
						one, two := newUpstream(t, wire), newUpstream(t, wire)
						others := []*upstream{two}
						for _, w := range able {
							if w != wire {
								others = append(others, newUpstream(t, w))
							}
						}
						for _, u := range append(others, one) {
							signing(u, signature, redacted)
						}
						server := newGateway(t, one, func(o *gateway.Options) {
							o.Targets[0].Names = []string{"one"}
							for i, u := range others {
								o.Targets = append(o.Targets, gateway.Target{Names: []string{fmt.Sprint("other", i)}, Upstream: u.base(), Wire: u.wire})
							}
						})
						ask := func(model string, turns ...chat.Message) *toolparse.Answer {
							t.Helper()
							request := conversation(stream)
							request.Messages = append([]chat.Message{toolparse.User("Weather in Oslo?")}, turns...)
							answer, _ := collect(t, front, postTo(t, server, front, model, request).Body)
							return answer
						}
						answer := ask("one")
						if at := slices.IndexFunc(answer.Message.Parts, func(p chat.Part) bool { return p.Signature+p.Redacted != "" }); at < 0 || answer.Message.Parts[at].Signature+answer.Message.Parts[at].Redacted == signature {
							t.Errorf("the client gets no seal: %+v", answer.Message.Parts)
						}
						next := []chat.Message{answer.Message, {Role: chat.ToolRole, Parts: []chat.Part{chat.ResultPart(answer.Calls[0].CallID, chat.TextPart("Sun."))}}}
						ask("one", next...)
						sent := one.last(t).Messages
						if found := slices.ContainsFunc(sent, func(m chat.Message) bool {
							return slices.ContainsFunc(m.Parts, func(p chat.Part) bool {
								return (p.Signature == signature || p.Redacted == signature) && p.Kind == chat.PartReasoning
							})
						}); !found {
							t.Errorf("it does not come back: %s", one.bodies[len(one.bodies)-1])
						}
						for i, u := range others {
							ask(fmt.Sprint("other", i), next...)
							if body := string(u.bodies[len(u.bodies)-1]); strings.Contains(body, signature) || strings.Contains(body, "dG9vbHBhcnNl") {
								t.Errorf("another upstream gets it: %s", body)
							}
						}
					})
				}
			}
		}
	}
}

// TestSignaturesAlone: with a single upstream on the client's wire, signatures are not
// changed.
func TestSignaturesAlone(t *testing.T) {
	const signature = "c2lnbmVkIGJ5IG9uZQ=="
	for _, wire := range []format.Wire{format.Responses, format.Anthropic, format.Gemini} {
		for _, stream := range []bool{true, false} {
			u := newUpstream(t, wire)
			signing(u, signature, false)
			server := newGateway(t, u, nil)
			_, body := collect(t, wire, postTo(t, server, wire, "m", conversation(stream)).Body)
			if !strings.Contains(body, `"`+signature+`"`) {
				t.Errorf("%s, stream=%v: %s", wire, stream, body)
			}
		}
	}
}

// postTo posts a client's request for a model.
func postTo(t *testing.T, to *httptest.Server, name format.Wire, model string, request *chat.Request) *http.Response {
	t.Helper()
	request.Model = model
	codec, _ := all.CodecOf(name)
	body, _ := codec.EncodeRequest(request, wire.Options{})
	path := strings.Replace(pathOf(name, request.Stream), "m-1", model, 1)
	return postBody(t, to, path, string(body))
}
