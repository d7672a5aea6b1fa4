package provider_test

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/toolparse/toolparse"
	"github.com/toolparse/toolparse/agent"
	"github.com/toolparse/toolparse/agent/provider"
	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/toolcall"
)

// ask runs one prompt, and returns the last event.
func ask(t *testing.T, p agent.Provider, tools ...agent.Tool) agent.Event {
	t.Helper()
	a, err := agent.New(agent.Config{Provider: p, Tools: tools, Retry: agent.RetryConfig{Initial: time.Millisecond}})
	if err != nil {
		t.Fatal(err)
	}
	var end agent.Event
	for e := range a.Run(t.Context(), agent.NewSession(), agent.Say("Hi.")) {
		end = e
	}
	return end
}

func status(code int, header ...string) func(http.ResponseWriter, *http.Request) bool {
	return func(w http.ResponseWriter, _ *http.Request) bool {
		for i := 0; i < len(header); i += 2 {
			w.Header().Set(header[i], header[i+1])
		}
		w.WriteHeader(code)
		fmt.Fprintf(w, `{"error":{"message":"the server said %d"}}`, code)
		return true
	}
}

// Faults of real servers: which requests are repeated, and what the error says.
func TestFaults(t *testing.T) {
	drop := func(http.ResponseWriter, *http.Request) bool { panic(http.ErrAbortHandler) }
	flush := func(w http.ResponseWriter, text string) {
		fmt.Fprint(w, text)
		w.(http.Flusher).Flush()
	}
	const piece = `data: {"choices":[{"index":0,"delta":{"content":"Hel"}}]}` + "\n\n"
	tests := []struct {
		name     string
		faults   []func(http.ResponseWriter, *http.Request) bool
		asked    int
		reason   agent.EndReason
		category agent.Category
		text     string // part of the error
	}{
		{name: "two 500s", faults: []func(http.ResponseWriter, *http.Request) bool{status(500), status(503)}, asked: 3, reason: agent.FinalAnswer},
		{name: "429 with a wait", faults: []func(http.ResponseWriter, *http.Request) bool{status(429, "Retry-After", "0.01")}, asked: 2, reason: agent.FinalAnswer},
		{name: "429 with a long wait", faults: []func(http.ResponseWriter, *http.Request) bool{status(429, "Retry-After", "3600")}, asked: 1, reason: agent.EndError, category: agent.Quota, text: "the server said 429"},
		{name: "429 with an endless wait", faults: []func(http.ResponseWriter, *http.Request) bool{status(429, "Retry-After", "1e300")}, asked: 1, reason: agent.EndError, category: agent.Quota, text: "the server said 429"},
		{name: "dropped twice", faults: []func(http.ResponseWriter, *http.Request) bool{drop, drop}, asked: 3, reason: agent.FinalAnswer},
		{name: "401", faults: []func(http.ResponseWriter, *http.Request) bool{status(401)}, asked: 1, reason: agent.EndError, category: agent.Permission, text: "the server said 401"},
		{name: "404", faults: []func(http.ResponseWriter, *http.Request) bool{status(404)}, asked: 1, reason: agent.EndError, category: agent.NotFound, text: "404 Not Found for /v1/chat/completions: the server said 404"},
		{name: "400", faults: []func(http.ResponseWriter, *http.Request) bool{status(400)}, asked: 1, reason: agent.EndError, category: agent.Validation, text: "400"},
		{name: "a page", faults: []func(http.ResponseWriter, *http.Request) bool{func(w http.ResponseWriter, r *http.Request) bool {
			w.WriteHeader(404)
			flush(w, "<html><head><title>Nothing here</title></head><body></body></html>")
			return true
		}}, asked: 1, reason: agent.EndError, category: agent.NotFound, text: "Nothing here"},
		{name: "a redirection", faults: []func(http.ResponseWriter, *http.Request) bool{status(302, "Location", "http://127.0.0.1:1/")}, asked: 1, reason: agent.EndError, category: agent.Validation, text: `it redirects to "http://127.0.0.1:1/"`},
		{name: "cut in the middle", faults: []func(http.ResponseWriter, *http.Request) bool{func(w http.ResponseWriter, r *http.Request) bool {
			flush(w, piece)
			panic(http.ErrAbortHandler)
		}}, asked: 1, reason: agent.EndError, category: agent.Network, text: "broke off"},
		{name: "ended in the middle", faults: []func(http.ResponseWriter, *http.Request) bool{func(w http.ResponseWriter, r *http.Request) bool {
			flush(w, piece)
			return true
		}}, asked: 1, reason: agent.EndError, category: agent.Network, text: "broke off"},
		{name: "an error in the middle", faults: []func(http.ResponseWriter, *http.Request) bool{func(w http.ResponseWriter, r *http.Request) bool {
			flush(w, piece+`data: {"error":{"message":"out of memory"}}`+"\n\n")
			return true
		}}, asked: 1, reason: agent.EndError, category: agent.Execution, text: "out of memory"},
		{name: "silence in the middle", faults: []func(http.ResponseWriter, *http.Request) bool{func(w http.ResponseWriter, r *http.Request) bool {
			flush(w, piece)
			<-r.Context().Done()
			return true
		}}, asked: 1, reason: agent.EndError, category: agent.Timeout, text: "sent nothing for"},
		{name: "silence in the middle of an error", faults: []func(http.ResponseWriter, *http.Request) bool{func(w http.ResponseWriter, r *http.Request) bool {
			w.WriteHeader(400)
			flush(w, "no such thing")
			<-r.Context().Done()
			return true
		}}, asked: 1, reason: agent.EndError, category: agent.Validation, text: "400 Bad Request: no such thing"},
		{name: "an answer without end", faults: []func(http.ResponseWriter, *http.Request) bool{func(w http.ResponseWriter, r *http.Request) bool {
			flush(w, piece)
			for line := ": " + strings.Repeat("x", 1<<20) + "\n\n"; r.Context().Err() == nil; {
				io.WriteString(w, line)
			}
			return true
		}}, asked: 1, reason: agent.EndError, category: agent.Resource, text: "set a token limit"},
		{name: "silence before the head", faults: []func(http.ResponseWriter, *http.Request) bool{func(w http.ResponseWriter, r *http.Request) bool {
			<-r.Context().Done()
			return true
		}}, asked: 2, reason: agent.FinalAnswer},
		{name: "no answer at all", faults: []func(http.ResponseWriter, *http.Request) bool{func(w http.ResponseWriter, r *http.Request) bool { return true }}, asked: 2, reason: agent.FinalAnswer},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := newServer(t, toolparse.OpenAI, "", nil, answer{text: "Hello."})
			s.fault = func(n int, w http.ResponseWriter, r *http.Request) bool {
				return n <= len(test.faults) && test.faults[n-1](w, r)
			}
			p := s.provider(t, func(c *provider.Config) {
				if strings.HasPrefix(test.name, "silence") {
					c.Idle, c.FirstByte = 300*time.Millisecond, 300*time.Millisecond
				}
			})
			end := ask(t, p, talkTools()[0])
			if n := s.asked(); n != test.asked || end.Reason != test.reason {
				t.Errorf("asked %d times, ended with %s: %v", n, end.Reason, end.Err)
			}
			if test.text == "" {
				return
			}
			if end.Err == nil || !strings.Contains(end.Err.Error(), test.text) || agent.Categorize(end.Err).Category != test.category {
				t.Errorf("the error is %v (%T)", end.Err, end.Err)
			}
		})
	}
}

// The error for an unreachable server names it.
func TestUnreachable(t *testing.T) {
	p := provider.New(provider.Config{Wire: toolparse.OpenAI, BaseURL: "http://127.0.0.1:1/v1"})
	end := ask(t, p)
	if end.Err == nil || !strings.Contains(end.Err.Error(), "http://127.0.0.1:1/v1 cannot be reached") || agent.Categorize(end.Err).Category != agent.Network {
		t.Error(end.Err)
	}
}

// The certificate of a server must be trusted by the configuration.
func TestTLS(t *testing.T) {
	s := newServer(t, toolparse.OpenAI, "", nil, answer{text: "Hello."})
	secure := httptest.NewTLSServer(s)
	defer secure.Close()
	secure.Config.ErrorLog = log.New(io.Discard, "", 0)
	trust := x509.NewCertPool()
	trust.AddCert(secure.Certificate())
	for _, config := range []*tls.Config{nil, {RootCAs: trust}} {
		p := s.provider(t, func(c *provider.Config) { c.BaseURL, c.TLS = secure.URL+"/v1", config })
		if end := ask(t, p, talkTools()[0]); (end.Reason == agent.FinalAnswer) != (config != nil) {
			t.Errorf("ended with %s: %v", end.Reason, end.Err)
		}
	}
}

// Each vendor's key is sent in the vendor's way, and to nobody else.
func TestKeys(t *testing.T) {
	for _, name := range []string{"OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GEMINI_API_KEY"} {
		t.Setenv(name, "vendor-"+name)
	}
	t.Setenv("MY_KEY", "mine")
	headers := map[toolparse.Wire][2]string{
		toolparse.OpenAI: {"Authorization", "Bearer mine"}, toolparse.Responses: {"Authorization", "Bearer mine"},
		toolparse.Anthropic: {"X-Api-Key", "mine"}, toolparse.Gemini: {"X-Goog-Api-Key", "mine"}, toolparse.Ollama: {"Authorization", "Bearer mine"},
	}
	for wire, header := range headers {
		s := newServer(t, wire, "", nil, answer{text: "Hello."})
		ask(t, s.provider(t, func(c *provider.Config) { c.KeyName, c.Headers = "MY_KEY", map[string]string{"X-Team": "blue"} }), talkTools()[0])
		ask(t, s.provider(t), talkTools()[0])
		if n := s.asked(); n != 2 {
			t.Fatalf("%s: %d requests", wire, n)
		}
		mine, _ := s.request(0)
		if got := mine.Header.Get(header[0]); got != header[1] || mine.Header.Get("X-Team") != "blue" {
			t.Errorf("%s: %s is %q", wire, header[0], got)
		}
		none, _ := s.request(1)
		if got := none.Header.Get(header[0]); got != "" {
			t.Errorf("%s: this machine got the vendor's key %q", wire, got)
		}
	}
}

func TestNewFails(t *testing.T) {
	t.Setenv("OPENAI_API_KEY", "")
	tests := map[string]provider.Config{
		"there are":                 {Wire: "telex"},
		"is not an http URL":        {Wire: toolparse.OpenAI, BaseURL: "ftp://host"},
		"OPENAI_API_KEY is not set": {Wire: toolparse.OpenAI},
		"does not write calls":      {Wire: toolparse.OpenAI, BaseURL: "http://localhost/v1", TextDialect: "api_tool_call"},
		"unknown dialect":           {Wire: toolparse.OpenAI, BaseURL: "http://localhost/v1", Dialect: "klingon"},
	}
	for want, config := range tests {
		if _, err := provider.New(config).Capabilities(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

// Reasoning goes back to the provider that signed it, and to no other.
func TestSignaturesGoBack(t *testing.T) {
	s := newServer(t, toolparse.Anthropic, "", nil, answer{text: "Hello."})
	s.fault = func(n int, w http.ResponseWriter, _ *http.Request) bool {
		if n > 1 {
			return false
		}
		fmt.Fprint(w, `{"type":"message","role":"assistant","model":"m","content":[{"type":"thinking","thinking":"hm","signature":"c2ln"},
			{"type":"tool_use","id":"toolu_1","name":"look","input":{"city":"Oslo"}}],"stop_reason":"tool_use","usage":{"input_tokens":1,"output_tokens":1}}`)
		return true
	}
	if end := ask(t, s.provider(t), talkTools()[0]); end.Reason != agent.FinalAnswer {
		t.Fatal(end.Err)
	}
	if _, body := s.request(1); !strings.Contains(body, `"signature":"c2ln"`) {
		t.Errorf("the signature is not in %s", body)
	}
}

// If a model invents the result of its call, the answer ends before that, and no request
// contains it.
func TestInventedResult(t *testing.T) {
	tools := talkTools()
	s := newServer(t, toolparse.OpenAI, "hermes", definitions(tools), answer{text: "Hello."})
	s.fault = func(n int, w http.ResponseWriter, _ *http.Request) bool {
		if n > 1 {
			return false
		}
		text := `<tool_call>{"name": "look", "arguments": {"city": "Oslo"}}</tool_call>` + "\n<tool_response>\nIt is sunny there.\n</tool_response>\nSo it is sunny."
		body, err := json.Marshal(map[string]any{"choices": []any{map[string]any{
			"index": 0, "message": map[string]any{"role": "assistant", "content": text}, "finish_reason": "stop",
		}}})
		if err != nil {
			t.Error(err)
		}
		w.Write(body)
		return true
	}
	if end := ask(t, s.provider(t), tools[0]); end.Reason != agent.FinalAnswer {
		t.Fatal(end.Err)
	}
	if _, body := s.request(1); strings.Contains(body, "sunny") || !strings.Contains(body, "look saw") {
		t.Errorf("the next request is %s", body)
	}
}

// The provider does not request what Capabilities lacks.
func TestCapabilities(t *testing.T) {
	s := newServer(t, toolparse.OpenAI, "", nil, answer{text: "Hello."})
	ask(t, s.provider(t, func(c *provider.Config) { c.Serial = true }), talkTools()[0])
	if _, body := s.request(0); !strings.Contains(body, `"parallel_tool_calls":false`) || !strings.Contains(body, `"stream":true`) {
		t.Error(body)
	}
	if can, err := s.provider(t, func(c *provider.Config) { c.Dialect = "hermes" }).Capabilities(); err != nil || can.Tools || can.ToolChoice || !can.Streaming {
		t.Errorf("%+v", can)
	}
}

// After a server rejects native tools, the provider uses text; other rejections change
// nothing.
func TestRefusedTools(t *testing.T) {
	tools := talkTools()
	said := answer{calls: []toolcall.ToolInvocation{invoke("call_1", "look", `{"city":"Oslo"}`)}}
	for message, asked := range map[string]int{
		`"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set`: 3,
		"registry.ollama.ai/library/m:2b does not support tools":                                 3,
		"the tools are all too expensive for you":                                                1,
		"the model is not supported":                                                             1,
	} {
		for _, wire := range []toolparse.Wire{toolparse.OpenAI, toolparse.Ollama} {
			s := newServer(t, wire, "qwen3_coder", definitions(tools), said, answer{text: "Sunny."})
			s.fault = func(n int, w http.ResponseWriter, _ *http.Request) bool {
				if n > 1 {
					return false
				}
				w.WriteHeader(http.StatusBadRequest)
				fmt.Fprintf(w, `{"error":{"message":%q}}`, message)
				return true
			}
			p := s.provider(t, func(c *provider.Config) { c.Dialect, c.TextDialect = "", "qwen3_coder" })
			end := ask(t, p, tools...)
			if s.asked() != asked || (end.Reason == agent.FinalAnswer) != (asked == 3) {
				t.Errorf("%s, %s: asked %d times, ended with %s: %v", wire, message, s.asked(), end.Reason, end.Err)
			}
			if can, err := p.Capabilities(); err != nil || can.Tools != (asked == 1) {
				t.Errorf("%s, %s: it can %+v, %v", wire, message, can, err)
			}
		}
	}
}

// A recording is played answer by answer, and then ends with an error that says so.
func TestReplay(t *testing.T) {
	files := fstest.MapFS{
		"r/prompt.txt": {Data: []byte("Hi.\n")}, "r/1.txt": {Data: []byte("One.")}, "r/2.txt": {Data: []byte("Two.")},
		"r/10.txt":          {Data: []byte("Ten.")},
		"r/workspace/a.txt": {Data: []byte("x")}, "empty/prompt.txt": {},
	}
	r, err := provider.ReadRecording(files, "r")
	if err != nil || r.Prompt != "Hi." || len(r.Answers) != 3 || r.Workspace == nil {
		t.Fatalf("%+v, %v", r, err)
	}
	p := provider.Replay(r, provider.Config{})
	for _, want := range []string{"One.", "Two.", "Ten.", ""} {
		end := ask(t, p)
		if end.Text != want || (want == "") != (end.Err != nil) {
			t.Errorf("%q, %v; want %q", end.Text, end.Err, want)
		}
	}
	if _, err := provider.ReadRecording(files, "empty"); err == nil {
		t.Error("a recording without an answer was read")
	}
}

// A cancelled run ends the request.
func TestCancelRequest(t *testing.T) {
	gone := make(chan struct{})
	s := newServer(t, toolparse.OpenAI, "", nil, answer{text: "Hello."})
	s.fault = func(_ int, w http.ResponseWriter, r *http.Request) bool {
		fmt.Fprint(w, `data: {"choices":[{"index":0,"delta":{"content":"Hel"}}]}`+"\n\n")
		w.(http.Flusher).Flush()
		select {
		case <-r.Context().Done():
			close(gone)
		case <-time.After(10 * time.Second):
		}
		return true
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var failed error
	for chunk, err := range s.provider(t).Stream(ctx, &toolparse.Request{Stream: true, Messages: []chat.Message{toolparse.User("Hi.")}}) {
		if chunk.Type == toolcall.SegmentContent {
			cancel()
		}
		failed = err
	}
	if !errors.Is(failed, context.Canceled) {
		t.Error(failed)
	}
	<-gone
}
