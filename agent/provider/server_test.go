package provider_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"github.com/toolparse/toolparse"
	"github.com/toolparse/toolparse/agent"
	"github.com/toolparse/toolparse/agent/provider"
	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/dialect"
	"github.com/toolparse/toolparse/internal/text"
	"github.com/toolparse/toolparse/internal/wire"
	"github.com/toolparse/toolparse/internal/wire/all"
	"github.com/toolparse/toolparse/internal/wire/features"
	"github.com/toolparse/toolparse/toolcall"
)

// answer is one answer of a model.
type answer struct {
	text  string
	calls []toolcall.ToolInvocation
	cut   bool // the last call is truncated by the token limit
	used  int  // tokens of the output
}

// limit is the token limit in the tests.
const limit = 500

// server imitates a server of a wire format, with a model that calls natively or in text.
type server struct {
	*httptest.Server
	wire    toolparse.Wire
	dialect string // "": native calls
	tools   []toolcall.ToolDefinition
	answers []answer
	whole   bool                                                     // send answers as one body
	fault   func(n int, w http.ResponseWriter, r *http.Request) bool // handles request n, unless it returns false

	mu       sync.Mutex
	bodies   [][]byte
	requests []*http.Request
	answered int
	conns    map[string]bool
	t        *testing.T
}

func newServer(t *testing.T, wire toolparse.Wire, dialect string, tools []toolcall.ToolDefinition, answers ...answer) *server {
	t.Helper()
	s := &server{wire: wire, dialect: dialect, tools: tools, answers: answers, t: t, conns: map[string]bool{}}
	s.Server = httptest.NewServer(s)
	t.Cleanup(s.Close)
	return s
}

// provider returns a provider that uses the server.
func (s *server) provider(t *testing.T, change ...func(*provider.Config)) agent.Provider {
	t.Helper()
	config := provider.Config{Wire: s.wire, BaseURL: s.URL, Model: "m-1", Dialect: s.dialect}
	if of, err := all.ServerOf(s.wire); err == nil && !strings.HasPrefix(of.Path, "/v1") && !strings.HasPrefix(of.Path, "/api") {
		config.BaseURL += "/v1"
	}
	for _, c := range change {
		c(&config)
	}
	p := provider.New(config)
	return p
}

// asked returns the number of requests.
func (s *server) asked() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.bodies)
}

// request returns a request with its body.
func (s *server) request(n int) (*http.Request, string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.requests[n], string(s.bodies[n])
}

func (s *server) connections() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.conns)
}

func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return // the client has gone
	}
	s.mu.Lock()
	s.conns[r.RemoteAddr] = true
	s.bodies, s.requests = append(s.bodies, body), append(s.requests, r)
	n := len(s.bodies)
	s.mu.Unlock()
	of, _ := all.ServerOf(s.wire)
	codec, _ := all.CodecOf(s.wire)
	request, err := codec.DecodeRequest(body)
	if err != nil {
		w.WriteHeader(http.StatusBadRequest)
		w.Write(of.EncodeError(http.StatusBadRequest, wire.Error{Message: err.Error()}))
		return
	}
	if s.fault != nil && s.fault(n, w, r) {
		return
	}
	s.check(request)
	s.mu.Lock()
	a := s.answers[min(s.answered, len(s.answers)-1)]
	s.answered++
	s.mu.Unlock()
	meta := chat.Meta{Wire: string(s.wire), ID: "a_1", Model: "m-1", Created: 1, Usage: chat.Usage{Input: 10, Output: a.used, Total: 10 + a.used}}
	if s.whole {
		out, _ := codec.EncodeResponse(s.response(a, meta), wire.Options{})
		w.Header().Set("Content-Type", "application/json")
		w.Write(out)
		return
	}
	w.Header().Set("Content-Type", of.StreamType)
	enc := codec.NewEncoder(wire.Options{})
	enc.SetMeta(meta)
	for _, d := range s.deltas(a) {
		out := enc.Append(nil, d)
		w.Write(out)
		w.(http.Flusher).Flush()
	}
	out := enc.Close(nil)
	w.Write(out)
}

// check fails on a request that a real server would reject: a call without its result, a
// result without a call, or tools both native and in the prompt.
func (s *server) check(request *chat.Request) {
	open := map[string]int{}
	for _, m := range wire.Link(request.Messages) {
		for _, p := range m.Parts {
			switch {
			case p.Call != nil:
				open[p.Call.ID]++
			case p.Result != nil:
				open[p.Result.CallID]--
			}
			if s.dialect != "" && p.Kind != chat.PartText {
				s.t.Errorf("a model that reads text gets a %s", p.Kind)
			}
		}
	}
	for id, n := range open {
		if n != 0 {
			s.t.Errorf("the call %s has %d results", id, 1-n)
		}
	}
	if (len(request.Tools) > 0) != (s.dialect == "") {
		s.t.Errorf("%d tools are sent", len(request.Tools))
	}
}

// checkGrowth fails unless each request is the previous one with messages appended: a
// change at the beginning would invalidate the provider's cache.
func (s *server) checkGrowth() {
	s.mu.Lock()
	defer s.mu.Unlock()
	var before map[string]json.RawMessage
	for i, body := range s.bodies {
		var now map[string]json.RawMessage
		if err := json.Unmarshal(body, &now); err != nil {
			s.t.Fatal(err)
		}
		for name := range before {
			was, is := string(before[name]), string(now[name])
			if name == "messages" || name == "input" || name == "contents" {
				was = strings.TrimSuffix(was, "]")
				is = is[:min(len(was), len(is))]
			}
			if was != is {
				s.t.Errorf("%s of request %d is not that of the one before:\n%s\n%s", name, i, was, is)
			}
		}
		before = now
	}
}

// deltas returns an answer as deltas.
func (s *server) deltas(a answer) (list []toolcall.Delta) {
	if s.dialect != "" {
		return append(s.pieces(toolcall.Delta{Kind: toolcall.DeltaText}, s.written(a)), finish(a))
	}
	list = s.pieces(toolcall.Delta{Kind: toolcall.DeltaText}, a.text)
	for i, c := range a.calls {
		args := string(c.Arguments)
		list = append(list, toolcall.Delta{Kind: toolcall.DeltaToolCall, Index: i, ID: c.CallID, Name: c.Name})
		isCut := a.cut && i == len(a.calls)-1 && !s.mends()
		if isCut {
			args = args[:len(args)*2/3]
		}
		list = append(list, s.pieces(toolcall.Delta{Kind: toolcall.DeltaToolCall, Index: i}, args)...)
		list[len(list)-1].Done = !isCut
	}
	if s.mends() {
		a.cut = false
	}
	return append(list, finish(a))
}

// response returns an answer as one body. Servers with calls as JSON values instead of
// texts repair truncated arguments, and report a normal end.
func (s *server) response(a answer, meta chat.Meta) *wire.Response {
	said := chat.Message{Role: chat.Assistant}
	finish := chat.Finish{Reason: chat.FinishStop}
	mends := s.dialect == "" && s.wire != toolparse.OpenAI && s.wire != toolparse.Responses
	switch {
	case a.cut && !mends:
		finish.Reason = chat.FinishLength
	case len(a.calls) > 0 && s.dialect == "":
		finish.Reason = chat.FinishToolCalls
	}
	if s.dialect != "" {
		said.Parts = append(said.Parts, chat.TextPart(s.written(a)))
		a.calls = nil
	} else {
		said.Parts = append(said.Parts, chat.TextPart(a.text))
	}
	for i, c := range a.calls {
		args := string(c.Arguments)
		if a.cut && i == len(a.calls)-1 && !mends {
			args = args[:len(args)*2/3]
		}
		said.Parts = append(said.Parts, chat.CallPart(c.CallID, c.Name, args))
	}
	return &wire.Response{Meta: meta, Choices: []wire.Choice{{Message: said, Finish: finish}}}
}

// mends reports whether the servers of the wire send calls whole: truncated ones look
// complete, and only the number of tokens shows it.
func (s *server) mends() bool {
	e, _ := features.Of(string(s.wire), features.StreamedArguments)
	return e.Outcome != features.Carried
}

func finish(a answer) toolcall.Delta {
	d := toolcall.Delta{Kind: toolcall.DeltaFinish, Text: "stop", Truncated: a.cut}
	if a.cut {
		d.Text = "length"
	}
	return d
}

// pieces splits a text into tokens.
func (s *server) pieces(like toolcall.Delta, text string) (list []toolcall.Delta) {
	for len(text) > 0 {
		n := min(5, len(text))
		for n < len(text) && !utf8.RuneStart(text[n]) {
			n++
		}
		like.Text = text[:n]
		list, text = append(list, like), text[n:]
	}
	return list
}

// written returns an answer in the dialect.
func (s *server) written(a answer) string {
	w, err := text.NewWriter(dialectOf(s.t, s.dialect), text.Options{Tools: s.tools})
	if err != nil {
		s.t.Error(err)
		return ""
	}
	out, err := w.Append(nil, text.Message{Text: a.text, Calls: a.calls})
	if err != nil {
		s.t.Error(err)
	}
	if a.cut {
		return string(out[:strings.LastIndex(string(out), cutWord)])
	}
	return string(out)
}

// cutWord is where a call is truncated.
const cutWord = "so long"

func dialectOf(t *testing.T, name string) *dialect.Dialect {
	list, err := dialect.Named(name, "")
	if err != nil {
		t.Error(err)
		return nil
	}
	return list[0]
}
