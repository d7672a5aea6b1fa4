package gateway

import (
	"net/http"
	"slices"
	"strings"

	"github.com/toolparse/toolparse/format"
	"github.com/toolparse/toolparse/internal/wire"
	"github.com/toolparse/toolparse/internal/wire/all"
)

// front is a wire format in the form that clients use.
type front struct {
	wire   format.Wire
	codec  wire.Codec
	server *wire.Server
	root   string                          // the beginning of its paths
	posts  map[string]ask                  // POST requests, by path
	gets   map[string]answerer             // GET requests, by path
	calls  map[string]ask                  // what follows the model in a path with {call...}
	shape  func(*http.Request) streamShape // returns another format of the stream for a client that needs it, or nil; may be nil

	idPrefix  string // of the ids of answers, except those of an upstream with the same wire
	keepAlive string // the keep-alive for waiting clients; "" if clients accept none
	keeps     bool   // its clients continue from what the server stores
	signs     bool   // its clients return signatures and encrypted reasoning
	signsCall bool   // its clients may return signatures of calls, in the calls
}

// ask is what a client requests.
type ask struct {
	kind
	model  string // if the path contains it
	stream bool   // the path requests a stream
	path   bool   // the path says whether to stream
}

type kind uint8

const (
	asksAnswer kind = iota // an answer of the model
	asksCount              // the number of tokens in the prompt
	asksModel              // a description of a model
)

// answerer answers a request that needs no model.
type answerer func(s *Server, f *front, w http.ResponseWriter, r *http.Request)

// fronts are all fronts. The table is read-only.
var fronts []front

func init() { fronts = newFronts() }

func newFronts() []front {
	list := []front{
		{
			wire: format.OpenAI, root: "/v1/chat/", posts: map[string]ask{"/v1/chat/completions": {}},
			idPrefix: "chatcmpl-", keepAlive: ": keep-alive\n\n", signsCall: true,
		},
		{
			wire: format.Responses, root: "/v1/responses", posts: map[string]ask{"/v1/responses": {}},
			idPrefix: "resp_", keepAlive: ": keep-alive\n\n", keeps: true, signs: true,
		},
		{
			wire: format.Anthropic, root: "/v1/messages", posts: map[string]ask{"/v1/messages": {}, "/v1/messages/count_tokens": {kind: asksCount}},
			idPrefix: "msg_", keepAlive: "event: ping\ndata: {\"type\": \"ping\"}\n\n", signs: true,
		},
		{
			wire: format.Gemini, root: "/v1beta/", posts: map[string]ask{"/v1beta/models/{call...}": {}, "/v1/models/{call...}": {}},
			calls: map[string]ask{
				"generateContent": {path: true}, "streamGenerateContent": {path: true, stream: true}, "countTokens": {kind: asksCount},
			},
			gets: map[string]answerer{"/v1beta/models": (*Server).models, "/v1beta/models/{id...}": (*Server).model}, shape: newList, signs: true, signsCall: true,
		},
		{
			wire: format.Ollama, root: "/api/", posts: map[string]ask{"/api/chat": {}, "/api/show": {kind: asksModel}},
			gets: map[string]answerer{"/api/tags": (*Server).models, "/api/version": version, "/{$}": running},
		},
	}
	for i := range list {
		f := &list[i]
		f.codec, _ = all.CodecOf(f.wire)
		f.server, _ = all.ServerOf(f.wire)
	}
	return list
}

// frontOf returns the front of the client that sent a request; by default, that of Chat
// Completions.
func frontOf(r *http.Request) *front {
	for i := range fronts {
		if strings.HasPrefix(r.URL.Path, fronts[i].root) {
			return &fronts[i]
		}
	}
	for i := range fronts {
		for name := range fronts[i].server.Headers { // no other clients send these
			if r.Header.Get(name) != "" {
				return &fronts[i]
			}
		}
	}
	for i := range fronts {
		if name := fronts[i].server.Key[0]; name != fronts[0].server.Key[0] && r.Header.Get(name) != "" {
			return &fronts[i]
		}
	}
	return &fronts[0]
}

// keepingFront returns the front whose clients continue from what the server stores.
func keepingFront() *front {
	return &fronts[slices.IndexFunc(fronts, func(f front) bool { return f.keeps })]
}

// asked returns what a request asks for. It returns false if its path does not exist.
func (f *front) asked(pattern ask, r *http.Request) (ask, bool) {
	call := r.PathValue("call")
	if call == "" {
		return pattern, true
	}
	at := strings.LastIndexByte(call, ':')
	if at <= 0 {
		return ask{}, false
	}
	found, ok := f.calls[call[at+1:]]
	found.model = call[:at]
	return found, ok
}
