package gateway_test

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/toolparse/toolparse"
	"github.com/toolparse/toolparse/format"
	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/gateway"
	"github.com/toolparse/toolparse/internal/dialect"
	"github.com/toolparse/toolparse/internal/text"
	"github.com/toolparse/toolparse/internal/wire"
	"github.com/toolparse/toolparse/internal/wire/all"
	"github.com/toolparse/toolparse/toolcall"
)

// upstream is a server with a model, in any wire.
type upstream struct {
	*httptest.Server
	wire format.Wire

	mu       sync.Mutex
	requests []*http.Request
	bodies   [][]byte

	// The answers.
	answer  []chat.Part
	script  [][]chat.Part // successive answers; the last one is repeated
	finish  string
	pieces  int           // bytes of a piece of text
	pause   time.Duration // before the answer and each piece
	cut     atomic.Bool   // the connection breaks in the middle
	respond http.HandlerFunc
}

func newUpstream(t *testing.T, wire format.Wire, answer ...chat.Part) *upstream {
	t.Helper()
	u := &upstream{wire: wire, answer: answer, pieces: 7}
	u.Server = httptest.NewServer(u)
	t.Cleanup(u.Close)
	return u
}

// base is the base URL as a vendor documents it.
func (u *upstream) base() string {
	server, _ := all.ServerOf(u.wire)
	if strings.HasPrefix(server.Path, "/v1") || strings.HasPrefix(server.Path, "/api") {
		return u.URL
	}
	return u.URL + "/v1"
}

func (u *upstream) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	u.mu.Lock()
	u.requests, u.bodies = append(u.requests, r), append(u.bodies, body)
	if n := len(u.bodies); len(u.script) > 0 {
		u.answer = u.script[min(n, len(u.script))-1]
	}
	u.mu.Unlock()
	server, _ := all.ServerOf(u.wire)
	if r.Method == http.MethodGet {
		w.Write(server.EncodeModels([]wire.Model{{ID: "m-1", Context: 4096}, {ID: "m-2"}}))
		return
	}
	if u.respond != nil {
		u.respond(w, r)
		return
	}
	codec, _ := all.CodecOf(u.wire)
	request, err := codec.DecodeRequest(body)
	if err != nil {
		w.WriteHeader(http.StatusBadRequest)
		w.Write(server.EncodeError(400, wire.Error{Message: err.Error()}))
		return
	}
	time.Sleep(u.pause)
	meta := chat.Meta{Wire: string(u.wire), ID: "up_1", Model: "m-1", Created: 1, Usage: chat.Usage{Input: 11, Output: 22, Total: 33}}
	if !request.Stream && !strings.Contains(r.URL.Path, "stream") {
		out, _ := codec.EncodeResponse(&wire.Response{Meta: meta, Choices: []wire.Choice{{
			Message: chat.Message{Role: chat.Assistant, Parts: u.answer}, Finish: wire.ReadFinish(string(u.wire), u.finish),
		}}}, wire.Options{})
		w.Header().Set("Content-Type", "application/json")
		w.Write(out)
		return
	}
	w.Header().Set("Content-Type", server.StreamType)
	u.stream(w, codec, meta)
}

func (u *upstream) stream(w http.ResponseWriter, codec wire.Codec, meta chat.Meta) {
	enc := codec.NewEncoder(wire.Options{})
	enc.SetMeta(meta)
	deltas := u.deltas()
	for i, d := range deltas {
		if u.cut.Load() && i == len(deltas)-1 {
			panic(http.ErrAbortHandler)
		}
		out := enc.Append(nil, d)
		w.Write(out)
		w.(http.Flusher).Flush()
		time.Sleep(u.pause)
	}
	out := enc.Close(nil)
	w.Write(out)
}

func (u *upstream) deltas() (list []toolcall.Delta) {
	cut := func(s string, make func(string) toolcall.Delta) {
		for len(s) > 0 {
			n := min(u.pieces, len(s))
			list = append(list, make(s[:n]))
			s = s[n:]
		}
	}
	calls := 0
	for _, p := range u.answer {
		switch p.Kind {
		case chat.PartText:
			cut(p.Text, func(s string) toolcall.Delta { return toolcall.Delta{Kind: toolcall.DeltaText, Text: s} })
		case chat.PartReasoning:
			cut(p.Text, func(s string) toolcall.Delta { return toolcall.Delta{Kind: toolcall.DeltaReasoning, Text: s} })
		case chat.PartCall:
			list = append(list, toolcall.Delta{Kind: toolcall.DeltaToolCall, Index: calls, ID: p.Call.ID, Name: p.Call.Name})
			cut(p.Call.Arguments, func(s string) toolcall.Delta {
				return toolcall.Delta{Kind: toolcall.DeltaToolCall, Index: calls, Text: s}
			})
			list[len(list)-1].Done = true
			calls++
		}
	}
	finish := u.finish
	if finish == "" {
		finish = "stop"
	}
	return append(list, toolcall.Delta{Kind: toolcall.DeltaFinish, Text: finish})
}

// asked returns the requests so far.
func (u *upstream) asked() []*http.Request {
	u.mu.Lock()
	defer u.mu.Unlock()
	return slices.Clone(u.requests)
}

// last returns the last request, decoded.
func (u *upstream) last(t *testing.T) *chat.Request {
	t.Helper()
	u.mu.Lock()
	defer u.mu.Unlock()
	codec, _ := all.CodecOf(u.wire)
	request, err := codec.DecodeRequest(u.bodies[len(u.bodies)-1])
	if err != nil {
		t.Fatalf("the upstream cannot read its request: %v\n%s", err, u.bodies[len(u.bodies)-1])
	}
	return request
}

// newGateway starts a gateway for an upstream.
func newGateway(t *testing.T, u *upstream, change func(*gateway.Options)) *httptest.Server {
	t.Helper()
	_, ts := openGateway(t, u, change)
	return ts
}

// openGateway is newGateway for tests that need the gateway itself.
func openGateway(t *testing.T, u *upstream, change func(*gateway.Options)) (*gateway.Server, *httptest.Server) {
	t.Helper()
	opts := gateway.Options{Targets: []gateway.Target{{Upstream: u.base(), Wire: u.wire}}, Limits: gateway.Limits{Retries: -1}}
	if change != nil {
		change(&opts)
	}
	server, err := gateway.New(opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { server.Close() })
	ts := httptest.NewServer(server)
	t.Cleanup(ts.Close)
	return server, ts
}

// weatherTool is what the clients offer.
var weatherTool = toolcall.ToolDefinition{
	Name: "get_weather", Description: "Weather of a city.",
	Parameters: []byte(`{"type":"object","properties":{"city":{"type":"string"},"days":{"type":"integer"}},"required":["city"]}`),
}

const arguments = `{"city":"Oslo","days":2}`

// conversation is what clients send: a question, a call, its result, another question.
func conversation(stream bool) *chat.Request {
	return &chat.Request{
		Model: "m-1", Stream: stream, StreamUsage: stream, MaxTokens: 100,
		Tools: []chat.Tool{{ToolDefinition: weatherTool}},
		Messages: []chat.Message{
			{Role: chat.System, Parts: []chat.Part{chat.TextPart("Be brief.")}},
			toolparse.User("Weather in Rome?"),
			{Role: chat.Assistant, Parts: []chat.Part{chat.CallPart("call_1", "get_weather", `{"city":"Rome"}`)}},
			{Role: chat.ToolRole, Parts: []chat.Part{chat.ResultPart("call_1", chat.TextPart("Rain."))}},
			{Role: chat.Assistant, Parts: []chat.Part{chat.TextPart("It rains.")}},
			toolparse.User("And in Oslo?"),
		},
	}
}

// pathOf returns the path for a request in a wire.
func pathOf(wire format.Wire, stream bool) string {
	server, _ := all.ServerOf(wire)
	path := server.URL("", "m-1", stream)
	if !strings.HasPrefix(path, "/v1") && !strings.HasPrefix(path, "/api") {
		path = "/v1" + path
	}
	return path
}

// post sends a request of a client.
func post(t *testing.T, to *httptest.Server, wireName format.Wire, request *chat.Request) *http.Response {
	t.Helper()
	codec, _ := all.CodecOf(wireName)
	body, _ := codec.EncodeRequest(request, wire.Options{Names: wire.NewRenames(wire.Rule{AnyChars: true})}) // some clients send any name
	if wireName == format.Ollama && !request.Stream {
		body = bytes.Replace(body, []byte("{"), []byte(`{"stream":false,`), 1)
	}
	return postBody(t, to, pathOf(wireName, request.Stream), string(body))
}

func postBody(t *testing.T, to *httptest.Server, path, body string) *http.Response {
	t.Helper()
	res, err := http.Post(to.URL+path, "application/json", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { res.Body.Close() })
	return res
}

// collect reads an answer as a client does.
func collect(t *testing.T, wire format.Wire, body io.Reader) (*toolparse.Answer, string) {
	t.Helper()
	kit, err := toolparse.New(toolparse.Options{Wire: wire, Tools: []toolcall.ToolDefinition{weatherTool}})
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(body)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := kit.Collect(bytes.NewReader(data))
	if err != nil {
		t.Fatalf("%v\n%s", err, data)
	}
	return answer, string(data)
}

// written returns an answer in a dialect.
func written(t *testing.T, name, before string, calls ...toolcall.ToolInvocation) string {
	t.Helper()
	tools := []toolcall.ToolDefinition{weatherTool}
	for _, c := range calls {
		if c.Name != weatherTool.Name && bytes.Contains(c.Arguments, []byte("city")) {
			tools = append(tools, toolcall.ToolDefinition{Name: c.Name, Parameters: weatherTool.Parameters})
		}
	}
	w, err := text.NewWriter(dialectNamed(t, name), text.Options{Tools: tools})
	if err != nil {
		t.Fatal(err)
	}
	out, err := w.Append(nil, text.Message{Text: before, Calls: calls})
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

func dialectNamed(t testing.TB, name string) *dialect.Dialect {
	t.Helper()
	list, err := dialect.Named(name, "")
	if err != nil {
		t.Fatal(err)
	}
	return list[0]
}
