package gateway_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"github.com/toolparse/toolparse/format"
	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/gateway"
)

func newStore(t *testing.T) gateway.Store {
	return gateway.Store{File: filepath.Join(t.TempDir(), "store.db")}
}

// idOf returns the id of a Responses answer, as its client finds it.
func idOf(t *testing.T, body string, stream bool) string {
	t.Helper()
	var answer struct{ ID string }
	if !stream {
		if err := json.Unmarshal([]byte(body), &answer); err != nil || answer.ID == "" {
			t.Fatalf("no id in %s", body)
		}
		return answer.ID
	}
	ids := map[string]bool{}
	for line := range strings.Lines(body) {
		var event struct{ Response *struct{ ID string } }
		data, ok := strings.CutPrefix(line, "data: ")
		if ok && json.Unmarshal([]byte(data), &event) == nil && event.Response != nil {
			ids[event.Response.ID] = true
			answer.ID = event.Response.ID
		}
	}
	if len(ids) != 1 || answer.ID == "" {
		t.Fatalf("ids %v in %s", ids, body)
	}
	return answer.ID
}

func do(t *testing.T, method, url, body string) (int, string) {
	t.Helper()
	r, err := http.NewRequest(method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res.StatusCode, string(text)
}

const tidesTool = `"tools":[{"type":"namespace","name":"mcp__sea","description":"Sea.","tools":[{"type":"function","name":"tides","description":"Tides.","parameters":{"type":"object","properties":{"port":{"type":"string"}},"required":["port"]}}]}]`

// TestStore: a client of Responses continues an answer by its id, streamed and whole,
// natively and in text, and the upstream gets the whole conversation.
func TestStore(t *testing.T) {
	for _, wire := range []format.Wire{format.OpenAI, format.Anthropic} {
		for _, mode := range []string{"", "hermes"} {
			for _, stream := range []bool{true, false} {
				t.Run(fmt.Sprintf("%s, mode=%s, stream=%v", wire, mode, stream), func(t *testing.T) {
					call := []chat.Part{chat.CallPart("call_1", "mcp__sea__tides", `{"port":"Oslo"}`)}
					if mode != "" {
						call = []chat.Part{chat.TextPart(`<tool_call>{"name": "mcp__sea__tides", "arguments": {"port": "Oslo"}}</tool_call>`)}
					}
					u := newUpstream(t, wire)
					u.script = [][]chat.Part{call, {chat.TextPart("High at noon.")}}
					server := newGateway(t, u, func(o *gateway.Options) {
						o.Store = newStore(t)
						if mode != "" {
							o.Targets[0].Dialect = dialectNamed(t, mode)
						}
					})
					code, body := do(t, "POST", server.URL+"/v1/responses", fmt.Sprintf(`{"model":"m","stream":%v,"instructions":"Be brief.","input":"Tides in Oslo?",%s}`, stream, tidesTool))
					if code != 200 {
						t.Fatalf("%d %s", code, body)
					}
					id, items := idOf(t, body, stream), itemsOf(t, body, stream)
					if len(items) != 1 || items[0].Name != "tides" {
						t.Fatalf("%+v in %s", items, body)
					}
					if !strings.HasPrefix(id, "resp_") {
						t.Errorf("the id is %q", id)
					}
					next := fmt.Sprintf(`{"model":"m","stream":%v,"previous_response_id":%q,"input":[{"type":"function_call_output","call_id":%q,"output":"12:00"}],%s}`, stream, id, items[0].CallID, tidesTool)
					if code, body = do(t, "POST", server.URL+"/v1/responses", next); code != 200 || !strings.Contains(body, "High") {
						t.Fatalf("%d %s", code, body)
					}
					sent, err := json.Marshal(u.last(t).Messages)
					if err != nil {
						t.Fatal(err)
					}
					for _, words := range []string{"Tides in Oslo?", "mcp__sea__tides", "12:00"} {
						if !strings.Contains(string(sent), words) {
							t.Errorf("the upstream does not get %q: %s", words, sent)
						}
					}
					if strings.Contains(string(sent), "Be brief.") {
						t.Errorf("instructions hold on: %s", sent)
					}
					last := idOf(t, body, stream)
					code, body = do(t, "GET", server.URL+"/v1/responses/"+last, "")
					if code != 200 || idOf(t, body, false) != last || !strings.Contains(body, "High at noon.") {
						t.Errorf("%d %s", code, body)
					}
					if code, body = do(t, "DELETE", server.URL+"/v1/responses/"+last, ""); code != 200 || !strings.Contains(body, `"deleted":true`) {
						t.Errorf("%d %s", code, body)
					}
					for _, method := range []string{"GET", "DELETE"} {
						if code, body = do(t, method, server.URL+"/v1/responses/"+last, ""); code != 404 || !strings.Contains(body, `"error"`) {
							t.Errorf("%d %s", code, body)
						}
					}
				})
			}
		}
	}
}

// TestConversations: requests in a conversation follow one another without sending the
// history.
func TestConversations(t *testing.T) {
	u := newUpstream(t, format.OpenAI)
	u.script = [][]chat.Part{{chat.TextPart("Hello Ada.")}, {chat.TextPart("Ada.")}}
	server := newGateway(t, u, func(o *gateway.Options) { o.Store = newStore(t) })
	code, body := do(t, "POST", server.URL+"/v1/conversations", `{"metadata":{"topic":"names"},"items":[{"type":"message","role":"user","content":"Speak English."}]}`)
	var made struct {
		ID, Object string
		Metadata   map[string]string
	}
	if err := json.Unmarshal([]byte(body), &made); err != nil || code != 200 || made.Object != "conversation" || made.Metadata["topic"] != "names" {
		t.Fatalf("%d %s %v", code, body, err)
	}
	do(t, "POST", server.URL+"/v1/responses", `{"model":"m","input":"I am Ada.","conversation":"`+made.ID+`"}`)
	if code, body = do(t, "POST", server.URL+"/v1/responses", `{"model":"m","input":"Who am I?","conversation":{"id":"`+made.ID+`"},"store":false}`); code != 200 {
		t.Fatalf("%d %s", code, body)
	}
	var all []string
	for _, m := range u.last(t).Messages {
		for _, p := range m.Parts {
			all = append(all, p.Text)
		}
	}
	if got := strings.Join(all, " | "); got != "Speak English. | I am Ada. | Hello Ada. | Who am I?" {
		t.Errorf("the upstream gets %q", got)
	}
	many := strings.Repeat(`"k%d":"v",`, 17)
	for _, wrong := range []string{`{"metadata":7}`, `{"metadata":{"a":7}}`, `{`, `{"metadata":{` + fmt.Sprintf(strings.TrimSuffix(many, ","), 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17) + `}}`} {
		if code, body = do(t, "POST", server.URL+"/v1/conversations", wrong); code != 400 {
			t.Errorf("%s: %d %s", wrong, code, body)
		}
	}
	for _, path := range []string{"/v1/conversations/" + made.ID} {
		if code, body = do(t, "GET", server.URL+path, ""); code != 200 || !strings.Contains(body, made.ID) {
			t.Errorf("%d %s", code, body)
		}
		if code, body = do(t, "DELETE", server.URL+path, ""); code != 200 || !strings.Contains(body, "conversation.deleted") {
			t.Errorf("%d %s", code, body)
		}
		if code, body = do(t, "GET", server.URL+path, ""); code != 404 {
			t.Errorf("%d %s", code, body)
		}
	}
}

// TestStoreRefuses: a request that cannot be continued gets an error in the wire's
// format.
func TestStoreRefuses(t *testing.T) {
	u := newUpstream(t, format.OpenAI, chat.TextPart("Hi."))
	server := newGateway(t, u, func(o *gateway.Options) { o.Store = newStore(t) })
	for member, want := range map[string]string{
		`"previous_response_id":"resp_none"`:                      "not found",
		`"conversation":"conv_none"`:                              "not found",
		`"previous_response_id":""`:                               "expected the id of a response",
		`"previous_response_id":7`:                                "expected the id of a response",
		`"conversation":""`:                                       "expected an id",
		`"conversation":7`:                                        "expected an id",
		`"conversation":"conv_1","previous_response_id":"resp_1"`: "exclude each other",
		`"background":true`:                                       "background is not supported",
	} {
		res := postBody(t, server, "/v1/responses", `{"model":"m","input":"Hi",`+member+`}`)
		if got := errorOf(t, format.Responses, res); !strings.Contains(got, want) {
			t.Errorf("%s: %d %q", member, res.StatusCode, got)
		}
	}
	if len(u.asked()) > 0 {
		t.Error("the upstream was asked")
	}
	_, body := do(t, "POST", server.URL+"/v1/responses", `{"model":"m","input":"Hi","store":false}`)
	if code, _ := do(t, "GET", server.URL+"/v1/responses/"+idOf(t, body, false), ""); code != 404 {
		t.Errorf("what is not to be stored is there: %d", code)
	}
	none := newGateway(t, u, nil)
	for _, path := range []string{"/v1/responses/resp_1", "/v1/conversations/conv_1"} {
		if code, body := do(t, "GET", none.URL+path, ""); code != 404 || !strings.Contains(body, "keeps no conversations") {
			t.Errorf("%d %s", code, body)
		}
	}
}

// TestStoreBroken: a broken answer is not stored, and a failure of the store is reported.
func TestStoreBroken(t *testing.T) {
	u := newUpstream(t, format.OpenAI, chat.TextPart("This answer is going to break."))
	u.cut.Store(true)
	gw, server := openGateway(t, u, func(o *gateway.Options) { o.Store = newStore(t) })
	_, body := do(t, "POST", server.URL+"/v1/responses", `{"model":"m","stream":true,"input":"Hi"}`)
	if code, _ := do(t, "GET", server.URL+"/v1/responses/"+idOf(t, body, true), ""); code != 404 {
		t.Errorf("a broken answer is kept: %d", code)
	}
	if err := gw.Close(); err != nil { // its store, too
		t.Fatal(err)
	}
	u.cut.Store(false)
	code, body := do(t, "POST", server.URL+"/v1/responses", `{"model":"m","input":"Hi"}`)
	if code != 500 || !strings.Contains(body, "store of conversations") {
		t.Errorf("%d %s", code, body)
	}
	_, body = do(t, "POST", server.URL+"/v1/responses", `{"model":"m","stream":true,"input":"Hi"}`)
	if !strings.Contains(body, "response.failed") && !strings.Contains(body, "store of conversations") || strings.Contains(body, "response.completed") {
		t.Errorf("a client believes that it can go on: %s", body)
	}
}

// TestStoreTooLarge: an answer that is too large for the store is lost to no client, unless
// it counts on going on from there.
func TestStoreTooLarge(t *testing.T) {
	u := newUpstream(t, format.OpenAI, chat.TextPart("Hello."))
	server := newGateway(t, u, func(o *gateway.Options) {
		o.Store = newStore(t)
		o.Store.MaxBytes = 2000
	})
	long := strings.Repeat("x", 2000)
	for _, stream := range []bool{true, false} {
		for member, status := range map[string]int{"": 200, `"store":false,`: 200, `"store":null,`: 200, `"store":true,`: 413} {
			code, body := do(t, "POST", server.URL+"/v1/responses", fmt.Sprintf(`{"model":"m","stream":%v,%s"input":%q}`, stream, member, long))
			if ok := strings.Contains(body, "Hello.") && strings.Contains(body, `"completed"`); code != status && !stream || ok != (status == 200) && !stream {
				t.Errorf("%s: %d %s", member, code, body)
			} else if stream && (status != 200) != strings.Contains(body, "begin a new one") {
				t.Errorf("%s, streamed: %s", member, body)
			}
		}
	}
	_, body := do(t, "POST", server.URL+"/v1/responses", fmt.Sprintf(`{"model":"m","input":%q}`, long))
	if code, _ := do(t, "GET", server.URL+"/v1/responses/"+idOf(t, body, false), ""); code != 404 {
		t.Errorf("it is kept: %d", code)
	}
}

// TestConversationInUse checks that of two requests at once in one conversation the second is
// refused, that nothing of the first is lost, and that every end of a request lets the next
// one in.
func TestConversationInUse(t *testing.T) {
	u := newUpstream(t, format.OpenAI, chat.TextPart("Hello."))
	answer := u.respond
	server := newGateway(t, u, func(o *gateway.Options) { o.Store = newStore(t) })
	_, body := do(t, "POST", server.URL+"/v1/conversations", `{}`)
	id := idOf(t, body, false)
	ask := func(words string, stream bool) (int, string) {
		t.Helper()
		return do(t, "POST", server.URL+"/v1/responses", fmt.Sprintf(`{"model":"m","stream":%v,"input":%q,"conversation":%q}`, stream, words, id))
	}
	for _, stream := range []bool{true, false} {
		t.Run(fmt.Sprintf("stream=%v", stream), func(t *testing.T) {
			reached, goOn := make(chan bool), make(chan bool)
			u.respond = func(w http.ResponseWriter, r *http.Request) {
				reached <- true
				<-goOn
				event := `{"id":"x","model":"m","choices":[{"index":0,"%s":{"role":"assistant","content":"Hello Ada."},"finish_reason":"stop"}]}`
				if stream {
					fmt.Fprintf(w, "data: "+event+"\n\ndata: [DONE]\n\n", "delta")
					return
				}
				fmt.Fprintf(w, event, "message")
			}
			first := make(chan int)
			go func() {
				code, _ := ask("I am Ada.", stream)
				first <- code
			}()
			<-reached
			code, body := do(t, "POST", server.URL+"/v1/responses", `{"model":"m","input":"Who am I?","conversation":"`+id+`"}`)
			if code != http.StatusConflict || !strings.Contains(body, `"conversation_locked"`) || !strings.Contains(body, id) {
				t.Errorf("%d %s", code, body)
			}
			goOn <- true
			if code := <-first; code != http.StatusOK {
				t.Errorf("the first request: status %d", code)
			}
			u.respond = answer
			if code, body := ask("Who am I?", stream); code != http.StatusOK {
				t.Errorf("the next request: %d %s", code, body)
			}
			sent, err := json.Marshal(u.last(t).Messages)
			if err != nil || !strings.Contains(string(sent), "Hello Ada.") {
				t.Errorf("the upstream gets %s (%v)", sent, err)
			}
			u.respond = func(w http.ResponseWriter, r *http.Request) { http.Error(w, "broken", http.StatusBadRequest) }
			ask("Are you there?", stream)
			u.respond = answer
			if code, body := ask("And now?", stream); code != http.StatusOK {
				t.Errorf("after a failure: %d %s", code, body)
			}
			for range 5 { // at once after the end of an answer
				if code, body := ask("Again?", stream); code != http.StatusOK {
					t.Errorf("%d %s", code, body)
				}
			}
		})
	}
}
