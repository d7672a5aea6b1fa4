package gateway_test

import (
	"encoding/json"
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

func get(t *testing.T, url string, header ...string) string {
	t.Helper()
	r, _ := http.NewRequest(http.MethodGet, url, nil)
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil || res.StatusCode != http.StatusOK {
		t.Fatalf("%s: %d %s %v", url, res.StatusCode, body, err)
	}
	return string(body)
}

// TestModels: clients get the models of the upstream, or the only configured one, in the
// format of their wire.
func TestModels(t *testing.T) {
	for _, wire := range format.Wires() {
		u := newUpstream(t, wire)
		both, one := newGateway(t, u, nil), newGateway(t, u, func(o *gateway.Options) { o.Targets[0].Model = "m-9" })
		for _, tt := range []struct {
			front  format.Wire
			path   string
			header []string
		}{
			{format.OpenAI, "/v1/models", nil},
			{format.Anthropic, "/v1/models?limit=1000", []string{"anthropic-version", "2023-06-01"}},
			{format.Gemini, "/v1beta/models", nil},
			{format.Gemini, "/v1/models", []string{"x-goog-api-key", "none"}}, // its newer clients
			{format.Ollama, "/api/tags", nil},
		} {
			server, _ := all.ServerOf(tt.front)
			for from, want := range map[string]string{both.URL: "m-1 m-2", one.URL: "m-9"} {
				body := get(t, from+tt.path, tt.header...)
				models, err := server.DecodeModels([]byte(body))
				var names []string
				for _, m := range models {
					names = append(names, m.ID)
				}
				if got := strings.Join(names, " "); err != nil || got != want {
					t.Errorf("%s to %s: %q, want %q (%v)\n%s", tt.front, wire, got, want, err, body)
				}
			}
		}
		if got := get(t, both.URL+"/v1/models?client_version=0.169.0"); got != `{"models":[]}` {
			t.Errorf("Codex gets %s", got)
		}
	}
}

// TestModel: clients find a model by its name, in the format of their wire: on the
// upstream if its target takes any name, and otherwise in the configuration.
func TestModel(t *testing.T) {
	u := newUpstream(t, format.OpenAI)
	passing := newGateway(t, u, nil)
	named := newGateway(t, u, func(o *gateway.Options) {
		o.Targets[0].Names, o.Targets[0].Model = []string{"org/coder", "gpt-*"}, "m-9"
	})
	for _, tt := range []struct {
		front  format.Wire
		server *httptest.Server
		path   string
		header []string
		want   string // "" if there is none
	}{
		{format.OpenAI, passing, "/v1/models/m-1", nil, `{"id":"m-1","object":"model",`},
		{format.OpenAI, passing, "/v1/models/m-3", nil, ""},
		{format.OpenAI, passing, "/v1/models/", nil, ""},
		{format.OpenAI, named, "/v1/models/org/coder", nil, `{"id":"org/coder","object":"model",`},
		{format.OpenAI, named, "/v1/models/gpt-5", nil, `"id":"gpt-5"`},
		{format.OpenAI, named, "/v1/models/m-9", nil, ""},
		{format.Anthropic, passing, "/v1/models/m-2", []string{"anthropic-version", "2023-06-01"}, `"type":"model","id":"m-2","display_name":"m-2"`},
		{format.Anthropic, passing, "/v1/models/m-3", []string{"anthropic-version", "2023-06-01"}, ""},
		{format.Gemini, passing, "/v1beta/models/m-1", nil, `"name":"models/m-1","displayName":"m-1","inputTokenLimit":4096`},
		{format.Gemini, passing, "/v1/models/m-1", []string{"x-goog-api-key", "none"}, `"name":"models/m-1"`},
		{format.Gemini, passing, "/v1beta/models/m-3", nil, ""},
	} {
		r, _ := http.NewRequest(http.MethodGet, tt.server.URL+tt.path, nil)
		for i := 0; i < len(tt.header); i += 2 {
			r.Header.Set(tt.header[i], tt.header[i+1])
		}
		res, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer res.Body.Close()
		if tt.want == "" {
			if got := errorOf(t, tt.front, res); res.StatusCode != 404 && tt.path != "/v1/models/" || got == "" {
				t.Errorf("%s: %d %q", tt.path, res.StatusCode, got)
			}
			continue
		}
		if body, err := io.ReadAll(res.Body); err != nil || res.StatusCode != 200 || !strings.Contains(string(body), tt.want) || !json.Valid(body) {
			t.Errorf("%s: %d %s %v, want %s", tt.path, res.StatusCode, body, err, tt.want)
		}
	}
	res := postBody(t, named, "/api/show", `{"name":"m-9"}`)
	if got := errorOf(t, format.Ollama, res); res.StatusCode != 404 || !strings.Contains(got, "m-9") {
		t.Errorf("/api/show: %d %q", res.StatusCode, got)
	}
}

// TestOllamaPages: the requests that Ollama's clients send before they chat.
func TestOllamaPages(t *testing.T) {
	server := newGateway(t, newUpstream(t, format.OpenAI), nil)
	if got := get(t, server.URL+"/"); got != "Ollama is running" {
		t.Errorf("/ is %q", got)
	}
	var version struct{ Version string }
	if err := json.Unmarshal([]byte(get(t, server.URL+"/api/version")), &version); err != nil || version.Version == "" {
		t.Errorf("version %+v, %v", version, err)
	}
	res := postBody(t, server, "/api/show", `{"model":"m-1"}`)
	body, _ := io.ReadAll(res.Body)
	if !strings.Contains(string(body), `"tools"`) {
		t.Errorf("it says that there are no tools: %s", body)
	}
	head, err := http.Head(server.URL + "/")
	if err != nil || head.StatusCode != http.StatusOK {
		t.Errorf("HEAD /: %v %v", head, err)
	}
	if got := get(t, server.URL+"/healthz"); got != "ok\n" {
		t.Errorf("healthz %q", got)
	}
}

// TestCounts: in text mode, the count of a prompt includes the manifest.
func TestCounts(t *testing.T) {
	u := newUpstream(t, format.OpenAI)
	server := newGateway(t, u, func(o *gateway.Options) { o.Targets[0].Dialect = dialectNamed(t, "hermes") })
	for _, tt := range []struct {
		front               format.Wire
		path, member, wrap1 string
	}{
		{format.Anthropic, "/v1/messages/count_tokens", "input_tokens", ""},
		{format.Gemini, "/v1beta/models/m-1:countTokens", "totalTokens", ""},
		{format.Gemini, "/v1/models/m-1:countTokens", "totalTokens", ""},
		{format.Gemini, "/v1beta/models/m-1:countTokens", "totalTokens", "generateContentRequest"},
	} {
		codec, _ := all.CodecOf(tt.front)
		count := func(r *chat.Request) int {
			body, _ := codec.EncodeRequest(r, wire.Options{})
			if tt.wrap1 != "" {
				body = []byte(`{"` + tt.wrap1 + `":` + string(body) + `}`)
			}
			res := postBody(t, server, tt.path, string(body))
			var counted map[string]int
			if err := json.NewDecoder(res.Body).Decode(&counted); err != nil {
				t.Fatal(err)
			}
			return counted[tt.member]
		}
		with, without := conversation(false), conversation(false)
		without.Tools = nil
		if a, b := count(with), count(without); a < b+100 || b < 20 {
			t.Errorf("%s: %d tokens with a tool, %d without", tt.front, a, b)
		}
	}
	if len(u.asked()) > 0 {
		t.Error("the upstream was asked")
	}
}

// TestGeminiList: a client of Gemini that does not request events gets one JSON array.
func TestGeminiList(t *testing.T) {
	u := newUpstream(t, format.OpenAI, chat.TextPart("One, two, three."), chat.CallPart("c", "get_weather", arguments))
	server := newGateway(t, u, nil)
	res := postBody(t, server, "/v1beta/models/m-1:streamGenerateContent", `{"contents":[{"role":"user","parts":[{"text":"Hi"}]}]}`)
	got, body := collect(t, format.Gemini, res.Body)
	var list []json.RawMessage
	if err := json.Unmarshal([]byte(body), &list); err != nil || len(list) < 3 {
		t.Errorf("%d chunks: %v\n%s", len(list), err, body)
	}
	if got.Text != "One, two, three." || len(got.Calls) != 1 || res.Header.Get("Content-Type") != "application/json" {
		t.Errorf("%+v", got)
	}
}
