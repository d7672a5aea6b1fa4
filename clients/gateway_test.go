package clients

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/conversations"
	"github.com/openai/openai-go/v3/option"
	"github.com/openai/openai-go/v3/responses"

	"github.com/toolparse/toolparse/format"
	"github.com/toolparse/toolparse/gateway"
)

// TestGateway: the vendors' clients get calls through the gateway, as a stream and whole,
// from a model that makes them natively and from models that write them.
func TestGateway(t *testing.T) {
	want := said{Text: "I look.", Calls: []call{{Name: "get_weather", Arguments: called}}, Finish: "tool_calls"}
	for _, wire := range format.Wires() {
		for mode, text := range modes {
			url := gatewayTo(t, wire, mode, func(w http.ResponseWriter, r *http.Request) { speak(t, wire, w, r, text, mode == "") })
			for _, c := range clients {
				for way, hear := range map[string]func(testing.TB, string) (said, error){"stream": c.stream, "whole": c.whole} {
					t.Run(fmt.Sprintf("%s to %s, %s, mode=%s", c.wire, wire, way, mode), func(t *testing.T) {
						got, err := hear(t, url)
						if err != nil {
							t.Fatal(err)
						}
						for i := range got.Calls {
							if got.Calls[i].ID == "" && c.wire != format.Gemini {
								t.Error("a call without an id")
							}
							got.Calls[i].ID = ""
						}
						got.Text = strings.TrimSpace(got.Text)
						if diff := cmp.Diff(want, got); diff != "" {
							t.Errorf("(-want +got):\n%s", diff)
						}
					})
				}
				t.Run(fmt.Sprintf("%s asks %s, mode=%s", c.wire, wire, mode), func(t *testing.T) { c.ask(t, url) })
			}
		}
	}
}

// TestGatewayErrors: the vendors' clients have an error, with the words of the upstream,
// where it refuses and where it breaks off.
func TestGatewayErrors(t *testing.T) {
	const words = "the context is full"
	for _, c := range clients {
		for name, respond := range map[string]http.HandlerFunc{
			"refused": func(w http.ResponseWriter, _ *http.Request) {
				http.Error(w, `{"error":{"message":"`+words+`","code":"context_length_exceeded"}}`, http.StatusBadRequest)
			},
			"broken off": func(w http.ResponseWriter, _ *http.Request) {
				io.WriteString(w, "data: {\"id\":\"x\",\"choices\":[{\"index\":0,\"delta\":{\"content\":\"I lo\"}}]}\n\ndata: {\"error\":{\"message\":\""+words+"\"}}\n\n")
			},
		} {
			t.Run(string(c.wire)+" "+name, func(t *testing.T) {
				got, err := c.stream(t, gatewayTo(t, format.OpenAI, "", respond))
				if err == nil && !got.Failed {
					t.Fatalf("no error, but %+v", got)
				}
				message := fmt.Sprint(err)
				if told, ok := errors.AsType[*openai.Error](err); ok {
					message = told.Message // which is not in its text
				}
				if err != nil && !strings.Contains(message, words) {
					t.Errorf("%v", err)
				}
			})
		}
	}
}

// TestGatewayStore: OpenAI's client goes on from an answer by its id, and in a
// conversation, and reads and deletes what is kept.
func TestGatewayStore(t *testing.T) {
	var mu sync.Mutex
	var asked []string // the prompts
	url := gatewayTo(t, format.OpenAI, "hermes", func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet {
			io.WriteString(w, `{"object":"list","data":[{"id":"m-1","object":"model"}]}`)
			return
		}
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		mu.Lock()
		asked = append(asked, string(body))
		mu.Unlock()
		r.Body = io.NopCloser(bytes.NewReader(body))
		speak(t, format.OpenAI, w, r, "Hello.", false)
	}, func(o *gateway.Options) { o.Store.File = filepath.Join(t.TempDir(), "store.db") })
	client := openai.NewClient(option.WithBaseURL(url+"/v1"), option.WithAPIKey("none"), option.WithMaxRetries(0))
	ctx := t.Context()
	input := func(text string) responses.ResponseNewParamsInputUnion {
		return responses.ResponseNewParamsInputUnion{OfString: openai.String(text)}
	}
	first, err := client.Responses.New(ctx, responses.ResponseNewParams{Model: "m", Input: input("I am Ada.")})
	if err != nil {
		t.Fatal(err)
	}
	stream := client.Responses.NewStreaming(ctx, responses.ResponseNewParams{Model: "m", Input: input("Who am I?"), PreviousResponseID: openai.String(first.ID)})
	var second responses.Response
	for stream.Next() {
		if e := stream.Current(); e.Type == "response.completed" {
			second = e.Response
		}
	}
	if err := stream.Err(); err != nil || second.OutputText() != "Hello." {
		t.Fatalf("%v: %+v", err, second)
	}
	mu.Lock()
	prompts := slices.Clone(asked)
	mu.Unlock()
	if len(prompts) != 2 || !strings.Contains(prompts[1], "I am Ada.") || !strings.Contains(prompts[1], "Who am I?") {
		t.Errorf("the model reads %s", prompts)
	}
	got, err := client.Responses.Get(ctx, second.ID, responses.ResponseGetParams{})
	if err != nil || got.ID != second.ID || got.OutputText() != "Hello." || got.Status != "completed" {
		t.Errorf("%v: %+v", err, got)
	}
	if err := client.Responses.Delete(ctx, second.ID); err != nil {
		t.Error(err)
	}
	if _, err := client.Responses.Get(ctx, second.ID, responses.ResponseGetParams{}); err == nil {
		t.Error("what is deleted is there")
	}
	conversation, err := client.Conversations.New(ctx, conversations.ConversationNewParams{})
	if err != nil {
		t.Fatal(err)
	}
	in := responses.ResponseNewParamsConversationUnion{OfString: openai.String(conversation.ID)}
	for _, text := range []string{"I am Bea.", "And who am I?"} {
		if _, err := client.Responses.New(ctx, responses.ResponseNewParams{Model: "m", Input: input(text), Conversation: in}); err != nil {
			t.Fatal(err)
		}
	}
	mu.Lock()
	defer mu.Unlock()
	if last := asked[len(asked)-1]; !strings.Contains(last, "I am Bea.") || strings.Contains(last, "Ada") {
		t.Errorf("the model reads %s", last)
	}
	if m, err := client.Models.Get(ctx, "m-1"); err != nil || m.ID != "m-1" {
		t.Errorf("%v: %+v", err, m)
	}
	if _, err := client.Conversations.Delete(ctx, conversation.ID); err != nil {
		t.Error(err)
	}
}
