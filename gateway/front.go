package gateway

import (
	"net/http"
	"slices"
	"strings"

	"github.com/toolparse/toolparse/format"
	"github.com/toolparse/toolparse/format/chat"
)

// front is one wire as clients speak it.
type front struct {
	wire   format.Wire
	codec  chat.Codec
	server *chat.Server
	root   string                          // what its paths begin with
	posts  map[string]ask                  // what clients post, by path
	gets   map[string]answerer             // and what they get
	calls  map[string]ask                  // what follows the model in a path with {call...}
	shape  func(*http.Request) streamShape // makes another stream of events for a client that wants one; nil: none does

	idPrefix  string // of the ids of answers to which the upstream gives none
	keepAlive string // what tells a client that waits that the server is alive; "" where clients take no such thing
	keeps     bool   // its clients go on from what the server keeps
	signs     bool   // its clients send signatures and encrypted reasoning back
}

// ask is what a client wants.
type ask struct {
	kind
	model  string // where the path names it
	stream bool   // the path asks for a stream
	path   bool   // the path says whether to stream
}

type kind uint8

const (
	asksAnswer kind = iota // what the model says
	asksCount              // how long the prompt is
	asksModel              // what a model can do
)

// answerer answers what needs no model.
type answerer func(s *Server, f *front, w http.ResponseWriter, r *http.Request)

// fronts are all of them. Nothing writes to it.
var fronts []front

func init() { fronts = newFronts() }

func newFronts() []front {
	list := []front{
		{
			wire: format.OpenAI, root: "/v1/chat/", posts: map[string]ask{"/v1/chat/completions": {}},
			idPrefix: "chatcmpl-", keepAlive: ": keep-alive\n\n",
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
			gets: map[string]answerer{"/v1beta/models": (*Server).models, "/v1beta/models/{id...}": (*Server).model}, shape: newList, signs: true,
		},
		{
			wire: format.Ollama, root: "/api/", posts: map[string]ask{"/api/chat": {}, "/api/show": {kind: asksModel}},
			gets: map[string]answerer{"/api/tags": (*Server).models, "/api/version": version, "/{$}": running},
		},
	}
	for i := range list {
		f := &list[i]
		f.codec, _ = format.CodecOf(f.wire)
		f.server, _ = format.ServerOf(f.wire)
	}
	return list
}

// frontOf returns the front whose client sent a request; that of Chat Completions where
// nothing tells.
func frontOf(r *http.Request) *front {
	for i := range fronts {
		if strings.HasPrefix(r.URL.Path, fronts[i].root) {
			return &fronts[i]
		}
	}
	for i := range fronts {
		for name := range fronts[i].server.Headers { // which no others send
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

// keepingFront is the one whose clients go on from what the server keeps.
func keepingFront() *front {
	return &fronts[slices.IndexFunc(fronts, func(f front) bool { return f.keeps })]
}

// asked returns what a request wants, and reports false where its path names nothing
// that there is.
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
