package gateway_test

import (
	"bytes"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/toolparse/toolparse"
	"github.com/toolparse/toolparse/format"
	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/gateway"
	"github.com/toolparse/toolparse/internal/wire"
	"github.com/toolparse/toolparse/internal/wire/all"
)

// errorOf returns the error in a whole body.
func errorOf(t *testing.T, wire format.Wire, res *http.Response) string {
	t.Helper()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	codec, _ := all.CodecOf(wire)
	answer, err := codec.DecodeResponse(body)
	if err != nil || answer.Error == nil {
		t.Fatalf("no error of %s: %v\n%s", wire, err, body)
	}
	if kind := res.Header.Get("Content-Type"); kind != "application/json" {
		t.Errorf("Content-Type %q", kind)
	}
	return answer.Error.Message
}

// everyWay runs a test for each pair of wires, streaming and whole.
func everyWay(t *testing.T, test func(t *testing.T, front, wire format.Wire, stream bool)) {
	for _, wire := range format.Wires() {
		for _, front := range format.Wires() {
			for _, stream := range []bool{true, false} {
				t.Run(fmt.Sprintf("%s to %s, stream=%v", front, wire, stream), func(t *testing.T) { test(t, front, wire, stream) })
			}
		}
	}
}

// TestUpstreamErrors: a client gets the upstream's status and message, in its own format.
func TestUpstreamErrors(t *testing.T) {
	const words = "Rate limit reached for m-1. Please try again in 11.05s."
	everyWay(t, func(t *testing.T, front, name format.Wire, stream bool) {
		u := newUpstream(t, name)
		server, _ := all.ServerOf(name)
		u.respond = func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Retry-After", "11")
			w.WriteHeader(http.StatusTooManyRequests)
			w.Write(server.EncodeError(429, wire.Error{Message: words}))
		}
		res := post(t, newGateway(t, u, nil), front, conversation(stream))
		if got := errorOf(t, front, res); got != words || res.StatusCode != 429 || res.Header.Get("Retry-After") != "11" {
			t.Errorf("%d %q, Retry-After %q", res.StatusCode, got, res.Header.Get("Retry-After"))
		}
	})
}

// TestUpstreamWithoutAnswer: a response that is not an answer in the upstream's wire is
// an error, reported before anything is sent, whatever its status.
func TestUpstreamWithoutAnswer(t *testing.T) {
	for name, tt := range map[string]struct {
		respond http.HandlerFunc
		status  int
		want    string
	}{
		"a page": {func(w http.ResponseWriter, _ *http.Request) {
			io.WriteString(w, "<!DOCTYPE html><html><head><title>Welcome to the proxy</title></head><body></body></html>")
		}, 502, "Welcome to the proxy"},
		"a page of an error": {func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(503)
			io.WriteString(w, "<!DOCTYPE html><html><head><title>Down</title></head><body></body></html>")
		}, 503, "Down"},
		"an error with 200": {func(w http.ResponseWriter, _ *http.Request) {
			io.WriteString(w, `{"error":{"message":"the template raised an exception","code":"boom"}}`)
		}, 502, "the template raised an exception"},
		"an error event": {func(w http.ResponseWriter, _ *http.Request) {
			io.WriteString(w, "data: {\"error\":{\"message\":\"out of memory\"}}\n\n")
		}, 502, "out of memory"},
		"nothing": {func(http.ResponseWriter, *http.Request) {}, 502, "upstream"},
		"a redirect": {func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "http://other.example/", http.StatusTemporaryRedirect)
		}, 502, "redirect"},
		"a status that does not exist": {func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(799)
			io.WriteString(w, "odd")
		}, 502, "the upstream answered 799"},
		"a status without an answer": {func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(304) }, 502, "the upstream answered 304 Not Modified"},
		"no known error": {func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(418)
			io.WriteString(w, "short and stout")
		}, 418, "short and stout"},
	} {
		for _, front := range format.Wires() {
			for _, stream := range []bool{true, false} {
				t.Run(fmt.Sprintf("%s, %s, stream=%v", name, front, stream), func(t *testing.T) {
					u := newUpstream(t, format.OpenAI)
					u.respond = tt.respond
					res := post(t, newGateway(t, u, nil), front, conversation(stream))
					if got := errorOf(t, front, res); res.StatusCode != tt.status || !strings.Contains(got, tt.want) {
						t.Errorf("%d %q", res.StatusCode, got)
					}
				})
			}
		}
	}
}

// TestUpstreamGone: a client is told at once why there is no answer, and for which model,
// but not the upstream's address, which is in the log.
func TestUpstreamGone(t *testing.T) {
	reset := func(w http.ResponseWriter) {
		conn, _, err := http.NewResponseController(w).Hijack()
		if err == nil {
			err = conn.(*net.TCPConn).SetLinger(0) // closing the connection resets it
			conn.Close()
		}
		if err != nil {
			t.Error(err)
		}
	}
	for name, tt := range map[string]struct {
		respond http.HandlerFunc // nil: no response
		want    string
		status  int
	}{
		"nobody listens": {nil, `the upstream of the model "m-1" cannot be reached: connection refused`, 502},
		"closed at once": {func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, "cannot be reached: it closed the connection", 502},
		"reset at once":  {func(w http.ResponseWriter, _ *http.Request) { reset(w) }, "cannot be reached: connection reset by peer", 502},
		"reset in a body": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "1000")
			io.WriteString(w, `{"id":"x","choices":[`)
			w.(http.Flusher).Flush()
			time.Sleep(20 * time.Millisecond) // the data must arrive before the reset
			reset(w)
		}, "connection reset by peer", 502},
		"no answer in time": {func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }, "did not answer in time", 504},
	} {
		var log bytes.Buffer
		u := newUpstream(t, format.OpenAI)
		u.respond = tt.respond
		server := newGateway(t, u, func(o *gateway.Options) {
			o.Targets[0].Names, o.Timeouts.FirstByte = []string{"m-1"}, 200*time.Millisecond
			o.Log = slog.New(slog.NewTextHandler(&log, nil))
		})
		address := u.Listener.Addr().String()
		if tt.respond == nil {
			u.Close()
		}
		res := post(t, server, format.Anthropic, conversation(false))
		if got := errorOf(t, format.Anthropic, res); res.StatusCode != tt.status || !strings.Contains(got, tt.want) || strings.Contains(got, "127.0.0.1") {
			t.Errorf("%s: %d %q", name, res.StatusCode, got)
		}
		server.Close()
		if !strings.Contains(log.String(), address) {
			t.Errorf("%s: no %s in the log: %s", name, address, &log)
		}
	}
}

// TestUpstreamDies: a stream that breaks ends with an error, and without a call that
// could run although half of it is missing.
func TestUpstreamDies(t *testing.T) {
	everyWay(t, func(t *testing.T, front, wire format.Wire, stream bool) {
		for _, mode := range []string{"", "hermes"} {
			u := newUpstream(t, wire, chat.TextPart("I look."), chat.CallPart("call_2", "get_weather", arguments))
			if mode != "" {
				u.answer = []chat.Part{chat.TextPart("I look.\n<tool_call>\n" + `{"name": "get_weather", "arguments": {"city": "Os`)}
			}
			u.cut.Store(true)
			server := newGateway(t, u, func(o *gateway.Options) {
				if mode != "" {
					o.Targets[0].Dialect = dialectNamed(t, mode)
				}
			})
			request := conversation(true)
			if !stream {
				u.respond = func(w http.ResponseWriter, _ *http.Request) {
					w.Header().Set("Content-Length", "1000")
					io.WriteString(w, `{"id":"x",`)
				}
				res := post(t, server, front, conversation(false))
				if got := errorOf(t, front, res); res.StatusCode != 502 {
					t.Errorf("%d %q", res.StatusCode, got)
				}
				continue
			}
			res := post(t, server, front, request)
			kit, _ := toolparse.New(toolparse.Options{Wire: front})
			body, err := io.ReadAll(res.Body)
			if err != nil {
				t.Fatal(err)
			}
			answer, err := kit.Collect(bytes.NewReader(body))
			if err == nil {
				t.Errorf("mode %q: no error in\n%s", mode, body)
			}
			if mode != "" && len(answer.Runnable()) > 0 {
				t.Errorf("mode %q: half a call can be run:\n%s", mode, body)
			}
			if !strings.HasPrefix(answer.Text, "I look.") {
				t.Errorf("mode %q: what had come is lost:\n%s", mode, body)
			}
		}
	})
}

// TestUpstreamErrorWords: an error in the middle of a stream has the code of the client's
// wire for the upstream's error, or for a broken stream.
func TestUpstreamErrorWords(t *testing.T) {
	const begin = "data: {\"id\":\"x\",\"choices\":[{\"index\":0,\"delta\":{\"content\":\"I lo\"}}]}\n\n"
	for end, words := range map[string]map[format.Wire]string{
		"data: {\"error\":{\"message\":\"busy\",\"code\":503}}\n\n": {
			format.OpenAI: `"code":503`, format.Responses: `"code":"server_error"`,
			format.Anthropic: `"type":"overloaded_error"`, format.Gemini: `"code":503,"message":"busy","status":"UNAVAILABLE"`,
		},
		"data: {\"error\":{\"message\":\"slow\",\"code\":\"rate_limit_exceeded\"}}\n\n": {
			format.OpenAI: `"code":"rate_limit_exceeded"`, format.Responses: `"code":"rate_limit_exceeded"`,
			format.Anthropic: `"type":"rate_limit_error"`, format.Gemini: `"status":"RESOURCE_EXHAUSTED"`,
		},
		"data: {\"error\":{\"message\":\"boom\",\"code\":\"weird\"}}\n\n": {
			format.Responses: `"code":"weird"`, format.Anthropic: `"type":"api_error"`, format.Gemini: `"status":"INTERNAL"`,
		},
		"": { // the stream breaks off
			format.OpenAI: `"type":"server_error"`, format.Responses: `"code":"server_error"`,
			format.Anthropic: `"type":"api_error"`, format.Gemini: `"code":500,`, format.Ollama: `{"error":"`,
		},
	} {
		u := newUpstream(t, format.OpenAI)
		u.respond = func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, begin+end) }
		server := newGateway(t, u, nil)
		for front, word := range words {
			body, err := io.ReadAll(post(t, server, front, conversation(true)).Body)
			if err != nil || !strings.Contains(string(body), word) || strings.Contains(string(body), "stream_error") {
				t.Errorf("%s: no %s in\n%s%v", front, word, body, err)
			}
		}
	}
}

// TestNamelessCall: an answer with a call that nobody can run ends as truncated, as a
// stream and whole.
func TestNamelessCall(t *testing.T) {
	const call = `"tool_calls":[{"index":0,"id":"c1","type":"function","function":{"arguments":"{}"}}]`
	u := newUpstream(t, format.OpenAI)
	u.respond = func(w http.ResponseWriter, _ *http.Request) {
		if len(u.asked())%2 == 1 {
			io.WriteString(w, `data: {"id":"x","choices":[{"index":0,"delta":{`+call+`},"finish_reason":"tool_calls"}]}`+"\n\ndata: [DONE]\n\n")
			return
		}
		io.WriteString(w, `{"id":"x","choices":[{"index":0,"message":{"role":"assistant",`+call+`},"finish_reason":"tool_calls"}]}`)
	}
	server := newGateway(t, u, nil)
	for _, front := range format.Wires() {
		for _, stream := range []bool{true, false} {
			answer, body := collect(t, front, post(t, server, front, conversation(stream)).Body)
			if answer.Finish.Reason != chat.FinishLength || len(answer.Calls) > 0 {
				t.Errorf("%s, stream=%v: %v\n%s", front, stream, answer.Finish, body)
			}
		}
	}
}

// TestBadRequests: a client's mistakes are reported in its own format.
func TestBadRequests(t *testing.T) {
	u := newUpstream(t, format.OpenAI, chat.TextPart("Hi."))
	server := newGateway(t, u, func(o *gateway.Options) { o.Limits.RequestBytes = 1000 })
	for _, front := range format.Wires() {
		for body, status := range map[string]int{
			"{": 400, `{"messages":7}`: 400, `{"x":"` + strings.Repeat("x", 1000) + `"}`: 413,
		} {
			res := postBody(t, server, pathOf(front, true), body)
			if got := errorOf(t, front, res); res.StatusCode != status || got == "" {
				t.Errorf("%s: %.20s: %d %q", front, body, res.StatusCode, got)
			}
		}
	}
	for _, member := range []string{`"previous_response_id":"resp_1"`, `"conversation":"conv_1"`, `"store":true`, `"background":true`} {
		res := postBody(t, server, "/v1/responses", `{"model":"m","input":"Hi",`+member+`}`)
		if got := errorOf(t, format.Responses, res); res.StatusCode != 400 || !strings.Contains(got, "is not supported") {
			t.Errorf("%s: %d %q", member, res.StatusCode, got)
		}
	}
	for path, body := range map[string]string{
		"/v1/chat/completions":             `{"model":"m","messages":[{"role":"user","content":"Hi"}],"n":2}`,
		"/v1beta/models/m:generateContent": `{"contents":[{"parts":[{"text":"Hi"}]}],"generationConfig":{"candidateCount":2}}`,
	} {
		if res := postBody(t, server, path, body); res.StatusCode != 400 {
			t.Errorf("several answers: %s: %d", path, res.StatusCode)
		}
	}
	for body, want := range map[string]string{
		`{"model":"m","messages":7}`: "the request, at byte 24: messages: expected an array, got a number",
		`{"model":"m","messages":`:   "the request, at byte 24: invalid JSON: it is truncated inside a value",
	} {
		if got := errorOf(t, format.OpenAI, postBody(t, server, "/v1/chat/completions", body)); got != want {
			t.Errorf("%s: %q", body, got)
		}
	}
	if got := errorOf(t, format.OpenAI, postBody(t, server, "/v1/chat/completions", `{"messages":[{"role":"user","content":"Hi"}]}`)); got != "the request names no model" {
		t.Errorf("no model: %q", got)
	}
	for _, path := range []string{"/v1/nothing", "/v1/chat/other", "/v1beta/models/m:embedContent", "/v1beta/models/m", "/api/pull"} {
		res := postBody(t, server, path, "{}")
		if res.StatusCode != 404 {
			t.Errorf("%s: %d", path, res.StatusCode)
		}
	}
	if len(u.asked()) > 0 {
		t.Error("the upstream was asked")
	}
}

// TestGuard: web pages, clients that use another host name, and clients without the token
// get nothing, and the upstream gets no request.
func TestGuard(t *testing.T) {
	u := newUpstream(t, format.OpenAI, chat.TextPart("Hi."))
	const token = "secret-token"
	open := newGateway(t, u, nil)
	closed := newGateway(t, u, func(o *gateway.Options) {
		o.Token, o.Hosts, o.Origins = token, []string{"gw.example"}, []string{"https://chat.example"}
	})
	for _, tt := range []struct {
		name   string
		server *httptest.Server
		set    func(*http.Request)
		want   int
	}{
		{"as it should be", open, func(*http.Request) {}, 200},
		{"another host", open, func(r *http.Request) { r.Host = "evil.example" }, 403},
		{"localhost", open, func(r *http.Request) { r.Host = "localhost:8787" }, 200},
		{"a page", open, func(r *http.Request) { r.Header.Set("Origin", "https://evil.example") }, 403},
		{"no page", open, func(r *http.Request) { r.Header.Set("Origin", "null") }, 403},
		{"a page of this machine", open, func(r *http.Request) { r.Header.Set("Origin", "http://localhost:3000") }, 200},
		{"a page without origin", open, func(r *http.Request) { r.Header.Set("Sec-Fetch-Site", "cross-site") }, 403},
		{"a form", open, func(r *http.Request) { r.Header.Set("Content-Type", "text/plain") }, 415},
		{"no type", open, func(r *http.Request) { r.Header.Del("Content-Type") }, 200},
		{"any bytes", open, func(r *http.Request) { r.Header.Set("Content-Type", "application/octet-stream") }, 200},
		{"any bytes, of a browser", open, func(r *http.Request) {
			r.Header.Set("Content-Type", "application/octet-stream")
			r.Header.Set("Sec-Fetch-Site", "same-site")
		}, 415},
		{"no type, of a browser", open, func(r *http.Request) {
			r.Header.Del("Content-Type")
			r.Header.Set("Sec-Fetch-Site", "same-site")
		}, 415},
		{"no type, of a page of this machine", open, func(r *http.Request) {
			r.Header.Del("Content-Type")
			r.Header.Set("Origin", "http://localhost:3000")
		}, 415},
		{"compressed", open, func(r *http.Request) { r.Header.Set("Content-Encoding", "gzip") }, 415},
		{"no token", closed, func(*http.Request) {}, 401},
		{"a wrong token", closed, func(r *http.Request) { r.Header.Set("Authorization", "Bearer secret-toke") }, 401},
		{"bearer", closed, func(r *http.Request) { r.Header.Set("Authorization", "Bearer "+token) }, 200},
		{"x-api-key", closed, func(r *http.Request) { r.Header.Set("X-Api-Key", token) }, 200},
		{"x-goog-api-key", closed, func(r *http.Request) { r.Header.Set("X-Goog-Api-Key", token) }, 200},
		{"in the URL", closed, func(r *http.Request) { r.URL.RawQuery = "key=" + token }, 200},
		{"its host and page", closed, func(r *http.Request) {
			r.Host = "gw.example"
			r.Header.Set("Origin", "https://chat.example")
			r.Header.Set("Authorization", "Bearer "+token)
		}, 200},
	} {
		t.Run(tt.name, func(t *testing.T) {
			asked := len(u.asked())
			r, _ := http.NewRequest(http.MethodPost, tt.server.URL+"/v1/chat/completions", strings.NewReader(`{"model":"m","messages":[{"role":"user","content":"Hi"}]}`))
			r.Header.Set("Content-Type", "application/json")
			tt.set(r)
			res, err := http.DefaultClient.Do(r)
			if err != nil {
				t.Fatal(err)
			}
			defer res.Body.Close()
			if res.StatusCode != tt.want {
				t.Errorf("status %d, want %d", res.StatusCode, tt.want)
			}
			if was := len(u.asked()) > asked; was != (tt.want == 200) {
				t.Errorf("asked upstream: %v", was)
			}
			for _, up := range u.asked()[asked:] {
				for name, values := range up.Header {
					if strings.Contains(strings.Join(values, " "), token) {
						t.Errorf("the token goes to the upstream in %s", name)
					}
				}
			}
		})
	}
}

// TestPages: browsers allow the pages of the configured origins to use the server, and no
// others, not even those of this machine; no page can read /inspect.
func TestPages(t *testing.T) {
	const own = "https://chat.example"
	u := newUpstream(t, format.OpenAI, chat.TextPart("Hi."))
	server := newGateway(t, u, func(o *gateway.Options) { o.Origins, o.Token, o.Inspect = []string{own}, "token", true })
	for _, tt := range []struct {
		method, path, origin, host string
		status                     int
		allowed                    bool
	}{
		{http.MethodOptions, "/v1/chat/completions", own, "", 204, true}, // before the browser sends the token
		{http.MethodOptions, "/v1/chat/completions", own, "evil.example", 403, false},
		{http.MethodOptions, "/v1/chat/completions", "https://evil.example", "", 403, false},
		{http.MethodOptions, "/v1/chat/completions", "https://chat.example.evil", "", 403, false},
		{http.MethodOptions, "/v1/chat/completions", "null", "", 403, false},
		{http.MethodOptions, "/v1/chat/completions", "http://localhost:3000", "", 401, false},
		{http.MethodGet, "/v1/models", own, "", 200, true},
		{http.MethodGet, "/v1/models", "http://localhost:3000", "", 200, false},
		{http.MethodGet, "/inspect", own, "", 200, false},
		{http.MethodOptions, "/inspect", own, "", 401, false},
	} {
		r, _ := http.NewRequest(tt.method, server.URL+tt.path, nil)
		r.Host = tt.host
		r.Header.Set("Origin", tt.origin)
		if tt.method == http.MethodOptions {
			r.Header.Set("Access-Control-Request-Method", "POST")
			r.Header.Set("Access-Control-Request-Headers", "authorization,content-type")
		} else {
			r.Header.Set("Authorization", "Bearer token")
		}
		res, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		res.Body.Close()
		if got := res.Header.Get("Access-Control-Allow-Origin"); res.StatusCode != tt.status || (got == tt.origin) != tt.allowed || got == "*" {
			t.Errorf("%+v: %d, allowed origin %q", tt, res.StatusCode, got)
		}
		if tt.status == 204 && res.Header.Get("Access-Control-Allow-Headers") != "authorization,content-type" {
			t.Errorf("%+v: %v", tt, res.Header)
		}
	}
}

// TestKeys: the upstream gets its own key or, if configured, the client's, in its own
// wire's header.
func TestKeys(t *testing.T) {
	for _, wire := range format.Wires() {
		for want, change := range map[string]func(*gateway.Options){
			"upstream-key": func(o *gateway.Options) { o.Targets[0].Key, o.Targets[0].PassKey = "upstream-key", true },
			"client-key":   func(o *gateway.Options) { o.Targets[0].PassKey = true },
			"":             nil,
		} {
			u := newUpstream(t, wire, chat.TextPart("Hi."))
			server := newGateway(t, u, change)
			r, _ := http.NewRequest(http.MethodPost, server.URL+"/v1/chat/completions", strings.NewReader(`{"model":"m","messages":[{"role":"user","content":"Hi"}]}`))
			r.Header.Set("Content-Type", "application/json")
			r.Header.Set("Authorization", "Bearer client-key")
			res, err := http.DefaultClient.Do(r)
			if err != nil {
				t.Fatal(err)
			}
			res.Body.Close()
			spoken, _ := all.ServerOf(wire)
			if want != "" {
				want = spoken.Key[1] + want
			}
			if got := u.asked()[0].Header.Get(spoken.Key[0]); got != want || res.StatusCode != 200 {
				t.Errorf("%s: key %q, want %q, status %d", wire, got, want, res.StatusCode)
			}
			for name, value := range spoken.Headers {
				if u.asked()[0].Header.Get(name) != value {
					t.Errorf("%s: no header %s", wire, name)
				}
			}
		}
	}
	if _, err := gateway.New(gateway.Options{Token: "t", Targets: []gateway.Target{{Upstream: "http://127.0.0.1:1/v1", PassKey: true}}}); err == nil {
		t.Error("the token of the server may go to the upstream")
	}
}

// postWithKey posts a request with a client's key.
func postWithKey(t *testing.T, url, key, body string) *http.Response {
	t.Helper()
	r, err := http.NewRequest(http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Authorization", "Bearer "+key)
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { res.Body.Close() })
	return res
}

// TestUpstreamKeyHidden: nobody sees a key that an upstream quotes when it rejects it,
// and the log has none of the upstream's message, which may quote the request.
func TestUpstreamKeyHidden(t *testing.T) {
	const key = "sk-upstream-key"
	for name, respond := range map[string]http.HandlerFunc{
		"a refusal": func(w http.ResponseWriter, _ *http.Request) {
			http.Error(w, `{"error":{"message":"Incorrect API key: `+key+`; the input was secret words","code":"`+key+`"}}`, http.StatusUnauthorized)
		},
		"an answer": func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "secret words") },
		"an error event": func(w http.ResponseWriter, _ *http.Request) {
			io.WriteString(w, `data: {"error":{"message":"secret words of `+key+`","code":"`+key+`"}}`+"\n\n")
		},
		"an error event in the middle": func(w http.ResponseWriter, _ *http.Request) {
			io.WriteString(w, `data: {"choices":[{"index":0,"delta":{"content":"Hi"}}]}`+"\n\n")
			http.NewResponseController(w).Flush()
			io.WriteString(w, `data: {"error":{"message":"secret words of `+key+`","code":"`+key+`"}}`+"\n\n")
		},
	} {
		for _, stream := range []bool{true, false} {
			var log bytes.Buffer
			u := newUpstream(t, format.OpenAI)
			u.respond = respond
			server := newGateway(t, u, func(o *gateway.Options) {
				o.Targets[0].Key, o.Log = key, slog.New(slog.NewTextHandler(&log, nil))
			})
			body, err := io.ReadAll(post(t, server, format.OpenAI, conversation(stream)).Body)
			if err != nil || !strings.Contains(string(body), "secret words") {
				t.Errorf("%s, stream=%v: the client is not told: %s %v", name, stream, body, err)
			}
			server.Close()
			if strings.Contains(string(body)+log.String(), key) || strings.Contains(log.String(), "secret words") || !strings.Contains(log.String(), "error=") {
				t.Errorf("%s, stream=%v:\n%s\n%s", name, stream, body, &log)
			}
		}
	}
}
