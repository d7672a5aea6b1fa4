package gateway_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/toolparse/toolparse/format"
	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/gateway"
	"github.com/toolparse/toolparse/internal/wire"
	"github.com/toolparse/toolparse/internal/wire/all"
)

// TestTargets: a request goes to the target of its model, with that target's wire,
// dialect and key, and the list of models has all available ones.
func TestTargets(t *testing.T) {
	openai, ollama := newUpstream(t, format.OpenAI, callOf(t, "hermes", arguments)...), newUpstream(t, format.Ollama, callOf(t, "", arguments)...)
	opts := gateway.Options{Targets: []gateway.Target{
		{Names: []string{"coder", "gpt-5*"}, Upstream: openai.base(), Model: "up-coder", Key: "key-1", Dialect: dialectNamed(t, "hermes")},
		{Names: []string{"small", "gpt-5-mini*"}, Upstream: ollama.base(), Wire: format.Ollama, Model: "up-small"},
	}}
	server, err := gateway.New(opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { server.Close() })
	ts := httptest.NewServer(server)
	t.Cleanup(ts.Close)
	ask := func(front format.Wire, model string) int {
		request := conversation(true)
		request.Model = model
		codec, _ := all.CodecOf(front)
		body, _ := codec.EncodeRequest(request, wire.Options{})
		spoken, _ := all.ServerOf(front)
		path := spoken.URL("", model, true)
		if front == format.OpenAI || front == format.Responses {
			path = "/v1" + path
		}
		res := postBody(t, ts, path, string(body))
		if res.StatusCode != http.StatusOK {
			if got := errorOf(t, front, res); !strings.Contains(got, model) {
				t.Errorf("%s: %q", front, got)
			}
			return res.StatusCode
		}
		if answer, body := collect(t, front, res.Body); len(answer.Runnable()) != 1 {
			t.Errorf("%s, %s:\n%s", front, model, body)
		}
		return res.StatusCode
	}
	for _, tt := range []struct {
		model  string
		to     *upstream
		asks   string
		status int
	}{
		{"coder", openai, "up-coder", 200}, {"gpt-5-codex", openai, "up-coder", 200}, {"gpt-5-mini-2", ollama, "up-small", 200}, {"small", ollama, "up-small", 200}, {"other", nil, "", 404},
	} {
		for _, front := range []format.Wire{format.OpenAI, format.Anthropic, format.Gemini} {
			before := len(openai.asked()) + len(ollama.asked())
			if got := ask(front, tt.model); got != tt.status {
				t.Errorf("%s: status %d", tt.model, got)
			}
			if tt.to == nil {
				if after := len(openai.asked()) + len(ollama.asked()); after != before {
					t.Errorf("%s: an upstream was asked", tt.model)
				}
				continue
			}
			if got := tt.to.last(t).Model; got != tt.asks {
				t.Errorf("%s: the upstream is asked for %q, want %q", tt.model, got, tt.asks)
			}
		}
	}
	if got := openai.asked()[0].Header.Get("Authorization"); got != "Bearer key-1" {
		t.Errorf("key %q", got)
	}
	for _, r := range ollama.asked() {
		if strings.Contains(r.Header.Get("Authorization"), "key-1") {
			t.Error("a key goes to another upstream")
		}
	}
	list := get(t, ts.URL+"/v1/models")
	for _, name := range []string{`"coder"`, `"small"`} {
		if !strings.Contains(list, name) {
			t.Errorf("no %s in %s", name, list)
		}
	}
	if strings.Contains(list, "*") || strings.Contains(list, "up-") {
		t.Errorf("models: %s", list)
	}

	// A reload affects later requests; an invalid one changes nothing.
	bad := opts
	bad.Targets = []gateway.Target{{Names: []string{"other"}, Upstream: "nonsense"}}
	if err := server.Reload(bad); err == nil {
		t.Error("a bad configuration is taken")
	}
	if got := ask(format.OpenAI, "coder"); got != 200 {
		t.Errorf("after a bad reload: %d", got)
	}
	opts.Targets = []gateway.Target{{Names: []string{"other"}, Upstream: openai.base(), Model: "up-other"}}
	if err := server.Reload(opts); err != nil {
		t.Fatal(err)
	}
	if got := ask(format.OpenAI, "coder"); got != 404 {
		t.Errorf("after a reload: %d", got)
	}
	if res := postBody(t, ts, "/v1/chat/completions", `{"model":"other","messages":[{"role":"user","content":"Hi"}]}`); res.StatusCode != 200 {
		t.Errorf("after a reload: %d", res.StatusCode)
	} else {
		io.Copy(io.Discard, res.Body)
	}
}

// TestReloadMeanwhile: a request in progress keeps the old options.
func TestReloadMeanwhile(t *testing.T) {
	asked, finish := make(chan bool), make(chan bool)
	u := newUpstream(t, format.OpenAI, chat.TextPart("Hi."))
	u.respond = func(w http.ResponseWriter, _ *http.Request) {
		asked <- true
		<-finish
		codec, _ := all.CodecOf(u.wire)
		u.stream(w, codec, chat.Meta{Wire: string(u.wire), ID: "x", Model: "m-1"})
	}
	server, err := gateway.New(gateway.Options{Targets: []gateway.Target{{Upstream: u.base()}}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { server.Close() })
	ts := httptest.NewServer(server)
	t.Cleanup(ts.Close)
	answered := make(chan string)
	go func() {
		res, err := http.Post(ts.URL+"/v1/chat/completions", "application/json", strings.NewReader(`{"model":"m","stream":true,"messages":[{"role":"user","content":"Hi"}]}`))
		if err != nil {
			answered <- err.Error()
			return
		}
		defer res.Body.Close()
		body, _ := io.ReadAll(res.Body)
		answered <- string(body)
	}()
	<-asked
	if err := server.Reload(gateway.Options{Targets: []gateway.Target{{Names: []string{"none"}, Upstream: "http://127.0.0.1:1/v1"}}}); err != nil {
		t.Error(err)
	}
	close(finish)
	if got := <-answered; !strings.Contains(got, "Hi.") && !strings.Contains(got, `"Hi`) {
		t.Errorf("the client gets %s", got)
	}
}

// TestTargetsRefused: contradictory options are rejected.
func TestTargetsRefused(t *testing.T) {
	const up = "http://127.0.0.1:1/v1"
	for want, targets := range map[string][]gateway.Target{
		"no upstream":                    nil,
		`two targets have the mo`:        {{Names: []string{"a"}, Upstream: up}, {Names: []string{"b", "a"}, Upstream: up}},
		`the model "*"`:                  {{Upstream: up}, {Names: []string{"*"}, Upstream: up}},
		"a * is only allowed at the end": {{Names: []string{"a*b"}, Upstream: up}},
	} {
		if err := (gateway.Options{Targets: targets}).Check(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}
