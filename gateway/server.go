// Package gateway is an HTTP server that connects any client with any model. Its clients
// can use the wire formats of OpenAI (Chat Completions and Responses), Anthropic, Gemini
// and Ollama, and its upstreams can use any one of them.
//
//	server, err := gateway.New(gateway.Options{Targets: []gateway.Target{{Upstream: "http://127.0.0.1:8080/v1", Dialect: dialect}}})
//	err = http.ListenAndServe("127.0.0.1:8787", server)
//
// All requests are handled in the same way, whatever the wires, as streams or whole:
//
//	client -front-> chat.Request -profile-> -identity-> -native or text-> upstream
//	client <-front- events <-Kit- body of the answer <-----------------------+
//
// The front decodes the request (front.go). The profile changes it so that the upstream
// accepts it (profile.go). The identity map replaces the names of tools by names that the
// upstream accepts, and remembers the client's (identity.go). In native mode the tools
// are sent unchanged; in text mode [toolparse.Kit.Prompt] writes the manifest into the
// system prompt and the history as text (prepare.go). The kit that wrote the prompt reads
// the answer, finds calls in text and repairs native ones. The front's encoder writes the
// answer, with the client's names of the tools (exchange.go).
//
// The server keeps nothing between two requests, unless it has a store for the
// conversations of Responses (conversation.go), or shows the last requests (inspect.go).
package gateway

import (
	"fmt"
	"net/http"
	"sync/atomic"

	"github.com/toolparse/toolparse/gateway/internal/store"
)

// Server is the gateway. Mount it at the root of an HTTP server. Make one with [New]. It
// is safe for concurrent use.
type Server struct {
	current atomic.Pointer[setup]
	running atomic.Int64 // number of requests in progress
	metrics *metrics
	audit   *auditor // may be nil
	handler http.Handler

	inspector *inspector   // may be nil
	store     *store.Store // may be nil
}

// New returns a server. It fails if the options are invalid, or if it cannot open the store.
func New(opts Options) (*Server, error) {
	u, err := newSetup(opts)
	if err != nil {
		return nil, err
	}
	s := &Server{audit: newAuditor(opts.Audit), inspector: newInspector(opts.Inspect)}
	if keep := u.opts.Store; keep.File != "" {
		if s.store, err = store.Open(keep.File, keep.TTL, keep.MaxBytes); err != nil {
			return nil, err
		}
	}
	u.store = s.store
	s.current.Store(u)
	s.metrics = newMetrics(func() float64 { return float64(s.running.Load()) })
	s.handler = s.logged(s.forPages(s.routes()), u.opts.Log)
	return s, nil
}

// Reload changes the options for future requests; requests in progress keep the old ones.
// If it fails, nothing changes.
func (s *Server) Reload(opts Options) error {
	u, err := newSetup(opts)
	if err == nil {
		u.store = s.store
		s.current.Swap(u).client.CloseIdleConnections()
	}
	return err
}

// ServeHTTP implements [http.Handler].
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.handler.ServeHTTP(w, r) }

// Close closes idle connections to the upstreams, and the store.
func (s *Server) Close() error {
	s.current.Load().client.CloseIdleConnections()
	if s.store == nil {
		return nil
	}
	return s.store.Close()
}

// routes registers the paths of all fronts.
func (s *Server) routes() http.Handler {
	mux := http.NewServeMux()
	for i := range fronts {
		f := &fronts[i]
		for path, want := range f.posts {
			mux.Handle("POST "+path, s.guarded(f, s.posted(f, want)))
		}
		for path, answer := range f.gets {
			mux.Handle("GET "+path, s.guarded(f, func(w http.ResponseWriter, r *http.Request) { answer(s, f, w, r) }))
		}
	}
	s.storeRoutes(mux)
	mux.HandleFunc("GET "+inspectPath, s.inspect)
	mux.HandleFunc("GET "+inspectPath+"/{id}", s.inspect)
	mux.Handle("GET /v1/models", s.guarded(&fronts[0], s.sharedModels))
	mux.Handle("GET /v1/models/{id...}", s.guarded(&fronts[0], func(w http.ResponseWriter, r *http.Request) { s.model(frontOf(r), w, r) }))
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintln(w, "ok") })
	mux.Handle("GET /metrics", s.guarded(&fronts[0], s.metrics.handler.ServeHTTP))
	mux.Handle("/", s.guarded(&fronts[0], s.notFound))
	return mux
}

// notFound answers in the format of the front that the path resembles.
func (s *Server) notFound(w http.ResponseWriter, r *http.Request) {
	refused(http.StatusNotFound, fmt.Sprintf("toolparse serve has nothing at %s %s", r.Method, r.URL.Path)).send(w, frontOf(r))
}
