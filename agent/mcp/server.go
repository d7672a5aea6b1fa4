package mcp

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os/exec"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/cenkalti/backoff/v5"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/toolparse/toolparse/agent"
	"github.com/toolparse/toolparse/internal/printable"
	"github.com/toolparse/toolparse/internal/version"
)

// Limits and times of connections.
const (
	maxFailures = 10                     // in a row, after which the server is given up
	steady      = time.Minute            // time after which a connection resets the count of failures
	readyWait   = 10 * time.Second       // for a call, until the server is back
	lostWait    = time.Second            // to notice the end of a connection that rejects a call
	listWait    = 2 * time.Second        // for a step, until a changed list has been read
	listPause   = 100 * time.Millisecond // between two readings of a list that changes
	maxPages    = 100                    // of a list
)

// server is a configured server, and keeps one connection to it alive.
type server struct {
	config Config
	opts   Options
	names  *names
	tap    *wiretap

	relist chan struct{} // signals that the list has changed
	first  chan struct{} // closed after the first attempt to connect

	mu       sync.Mutex
	session  *sdk.ClientSession // nil while the server is down
	up       chan struct{}      // closed when the server is connected or given up
	lost     chan struct{}      // closed when the current connection ends
	why      error              // why the server is down
	givenUp  bool
	reported bool
	stale    chan struct{} // closed when the changed list has been read; nil if it has not changed
	tools    []agent.Tool
	followed map[string]*following // by progress token
	tokens   int
}

func newServer(c Config, opts Options, names *names) *server {
	if c.Transport == "" && c.Command != "" {
		c.Transport = byStdio
	}
	s := &server{
		config: c, opts: opts, names: names, relist: make(chan struct{}, 1), first: make(chan struct{}), up: make(chan struct{}),
		why: errors.New("it is still starting"), followed: map[string]*following{},
	}
	s.tap = newWiretap(s.markStale)
	return s
}

// keep keeps the server connected until the context ends.
func (s *server) keep(ctx context.Context) {
	waits := &backoff.ExponentialBackOff{InitialInterval: 500 * time.Millisecond, MaxInterval: 30 * time.Second, Multiplier: 2, RandomizationFactor: 0.2}
	waits.Reset()
	first := sync.OnceFunc(func() { close(s.first) })
	defer first()
	for failures := 0; ; {
		began := time.Now()
		err := s.live(ctx, failures, first)
		if ctx.Err() != nil {
			s.closed()
			return
		}
		if time.Since(began) > steady {
			waits.Reset()
			failures = 0
		}
		failures++
		hopeless := failures >= maxFailures || errors.Is(err, exec.ErrNotFound) || errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission)
		s.down(err, hopeless)
		first()
		if hopeless {
			return
		}
		select {
		case <-ctx.Done():
		case <-time.After(waits.NextBackOff()):
		}
	}
}

// errLate means that a server took too long to connect.
var errLate = errors.New("it is too slow")

// live connects to the server, and returns why the connection ended.
func (s *server) live(ctx context.Context, failures int, connected func()) (err error) {
	defer func() {
		if p := recover(); p != nil { // by the SDK, over a message of the server
			err = fmt.Errorf("its messages cannot be read: %v", p)
		}
	}()
	// A connection ends with the context that it was made in, so that the time limit for
	// connecting needs another one.
	within, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	deadline := time.AfterFunc(s.opts.Connect, func() { cancel(errLate) })
	defer deadline.Stop()
	transport, process, err := s.dial(within)
	if err != nil {
		return err
	}
	if process == nil {
		process = io.NopCloser(nil)
	}
	defer process.Close()
	session, err := s.connect(within, transport, failures)
	if err != nil {
		return s.explain(within, err, process)
	}
	defer func() {
		process.Close() // first, so that nothing waits for the server
		session.Close()
	}()
	if err := s.list(within, session); err != nil {
		return s.explain(within, err, process)
	}
	if !deadline.Stop() {
		return s.explain(within, errLate, process)
	}
	s.connected(session)
	connected()
	return s.attend(ctx, session, process)
}

// connect begins a session. failures is the number of earlier attempts that failed.
func (s *server) connect(ctx context.Context, transport sdk.Transport, failures int) (*sdk.ClientSession, error) {
	client := sdk.NewClient(&sdk.Implementation{Name: "toolparse", Version: version.Of()}, &sdk.ClientOptions{
		Capabilities:                &sdk.ClientCapabilities{},
		ToolListChangedHandler:      func(context.Context, *sdk.ToolListChangedRequest) { s.listChanged() },
		ProgressNotificationHandler: s.progressed,
	})
	// Some servers answer the newest protocol's first request in a way that keeps the SDK
	// from falling back to the older one. Use the older one directly then.
	var options *sdk.ClientSessionOptions
	if failures%2 == 1 {
		options = &sdk.ClientSessionOptions{ProtocolVersion: "2025-11-25"}
	}
	return client.Connect(ctx, transport, options)
}

// attend lists the tools again when they change, until the session ends, and returns why
// it ended.
func (s *server) attend(ctx context.Context, session *sdk.ClientSession, process io.Closer) error {
	ended := make(chan error, 1)
	go func() { ended <- session.Wait() }()
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case err := <-ended:
			if err == nil {
				err = errors.New("it has closed the connection")
			}
			return s.explain(ctx, err, process)
		case <-s.relist:
			within, cancel := context.WithTimeout(ctx, s.opts.Connect)
			if err := s.list(within, session); err != nil && ctx.Err() == nil {
				s.opts.Logger.Warn("mcp: the changed list of tools was not read", "server", s.config.Name, "error", s.config.hide(err.Error()))
			}
			cancel()
			s.fresh()
			select {
			case <-ctx.Done():
			case <-time.After(listPause):
			}
		}
	}
}

// dial returns the transport to a server, and what to close at the end.
func (s *server) dial(ctx context.Context) (sdk.Transport, io.Closer, error) {
	if s.opts.Dial == nil && s.config.Transport != byStdio {
		client, err := httpClient(&s.config, s.tap)
		switch {
		case err != nil:
			return nil, nil, err
		case s.config.Transport == bySSE:
			return &sdk.SSEClientTransport{Endpoint: s.config.URL, HTTPClient: client, MaxEventSize: maxMessage}, nil, nil
		}
		return &sdk.StreamableClientTransport{Endpoint: s.config.URL, HTTPClient: client, MaxRetries: 2, MaxEventSize: maxMessage}, nil, nil
	}
	var stream io.ReadWriteCloser
	var err error
	if s.opts.Dial != nil {
		stream, err = s.opts.Dial(ctx, s.config)
	} else {
		stream, err = startProcess(&s.config, &stderrLog{config: &s.config, log: s.opts.Logger})
	}
	if err != nil {
		return nil, nil, err
	}
	lines := newMessageLines(stream, s.tap.look, func(line []byte) {
		s.opts.Logger.Debug("mcp server: a line that is not a message", "server", s.config.Name, "line", printable.Short(s.config.hide(string(line)), maxLoggedLine))
	})
	return &sdk.IOTransport{Reader: io.NopCloser(lines), Writer: stream, MaxLineLength: maxMessage + 1}, stream, nil
}

// explain returns why a connection failed. If the process has ended, that says more than
// the lack of an answer.
func (s *server) explain(ctx context.Context, err error, process io.Closer) error {
	if errors.Is(context.Cause(ctx), errLate) {
		return fmt.Errorf("it did not answer within %v", s.opts.Connect)
	}
	p, ok := process.(interface{ ended(time.Duration) error })
	if !ok {
		return err
	}
	if ended := p.ended(200 * time.Millisecond); ended != nil {
		return ended
	}
	return err
}

// list reads the list of tools.
func (s *server) list(ctx context.Context, session *sdk.ClientSession) error {
	var tools []agent.Tool
	seen := map[string]bool{}
	params := &sdk.ListToolsParams{}
	if init := session.InitializeResult(); init != nil && init.Capabilities != nil && init.Capabilities.Tools == nil {
		s.setTools(nil)
		return nil
	}
	for page := 0; ; page++ {
		result, err := session.ListTools(ctx, params)
		if err != nil {
			return err
		}
		for _, of := range result.Tools {
			if of == nil || !s.config.offered(of.Name) {
				continue
			}
			t, err := newTool(s, of, s.tap.schema(of.Name))
			switch {
			case seen[of.Name]:
				err = errors.New("there are two of this name")
			case err == nil && len(tools) == maxTools:
				err = fmt.Errorf("there are more than %d", maxTools)
			}
			if err != nil {
				s.opts.Logger.Warn("mcp: a tool is left out", "server", s.config.Name, "tool", clean(of.Name, maxName), "error", err)
				continue
			}
			seen[of.Name] = true
			tools = append(tools, t)
		}
		if result.NextCursor == "" || page == maxPages || result.NextCursor == params.Cursor {
			break
		}
		params.Cursor = result.NextCursor
	}
	s.setTools(tools)
	return nil
}

func (s *server) setTools(tools []agent.Tool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.tools = tools
}

// connected wakes those who wait for the server.
func (s *server) connected(session *sdk.ClientSession) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.session, s.why, s.lost = session, nil, make(chan struct{})
	close(s.up)
}

// closed records that there will be no more connections.
func (s *server) closed() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.reported = true
	s.disconnected(errors.New("it was closed"), true)
}

// disconnected records why there is no connection. The caller holds the lock.
func (s *server) disconnected(why error, givenUp bool) {
	if s.session != nil {
		s.session, s.up = nil, make(chan struct{})
		close(s.lost)
	}
	s.why, s.givenUp = why, givenUp
	if givenUp {
		close(s.up)
	}
	if s.stale != nil {
		close(s.stale)
		s.stale = nil
	}
}

// down records that the server is down, and reports it once.
func (s *server) down(why error, givenUp bool) {
	why = errors.New(clean(s.config.hide(why.Error()), maxErrorText))
	s.mu.Lock()
	s.disconnected(why, givenUp)
	report := !s.reported
	s.reported = true
	s.mu.Unlock()
	s.opts.Logger.Warn("mcp: a server is down", "server", s.config.Name, "error", why, "given_up", givenUp)
	if report {
		s.opts.Warn(s.config.Name, why)
	}
}

// ready returns the connection to the server. If the server is down, it waits for a short
// time.
func (s *server) ready(ctx context.Context) (*sdk.ClientSession, error) {
	wait := time.NewTimer(readyWait)
	defer wait.Stop()
	for timedOut := false; ; {
		s.mu.Lock()
		session, why, up := s.session, s.why, s.up
		givenUp := s.givenUp
		s.mu.Unlock()
		if session != nil {
			return session, nil
		}
		if givenUp || timedOut {
			return nil, agent.Failure(agent.Network, "the MCP server %s is down: %w", s.config.Name, why)
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-wait.C:
			timedOut = true
		case <-up:
		}
	}
}

// hasLost reports whether a connection has ended, and waits for a short time to find out.
func (s *server) hasLost(session *sdk.ClientSession) bool {
	s.mu.Lock()
	lost, current := s.lost, s.session == session
	s.mu.Unlock()
	if !current {
		return true
	}
	select {
	case <-lost:
		return true
	case <-time.After(lostWait):
		return false
	}
}

// markStale records that the list of tools has changed.
func (s *server) markStale() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.stale == nil && s.session != nil {
		s.stale = make(chan struct{})
	}
}

func (s *server) listChanged() {
	s.markStale()
	select {
	case s.relist <- struct{}{}:
	default:
	}
}

// fresh ends the wait for a changed list, unless it has changed again.
func (s *server) fresh() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.stale != nil && len(s.relist) == 0 {
		close(s.stale)
		s.stale = nil
	}
}

// current returns the tools of the server. If their list has changed, it waits for a
// short time for the new one.
func (s *server) current(ctx context.Context) []agent.Tool {
	s.mu.Lock()
	stale := s.stale
	s.mu.Unlock()
	if stale != nil {
		select {
		case <-stale:
		case <-ctx.Done():
		case <-time.After(listWait):
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.stale == stale { // it has not changed, or takes too long: do not wait for it again
		s.stale = nil
	}
	return slices.Clone(s.tools)
}

// following is a call whose progress is reported.
type following struct {
	report  func(string)
	reports int
	last    time.Time // of the last report
}

// follow returns a progress token for a call whose progress is passed to report, until
// forget is called.
func (s *server) follow(report func(string)) (token string, forget func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.tokens++
	token = "call-" + strconv.Itoa(s.tokens)
	s.followed[token] = &following{report: report}
	return token, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.followed, token)
	}
}

// Limits for reports of progress.
const (
	maxProgress   = 500                    // bytes
	freeProgress  = 20                     // reports of a call, after which some are dropped
	progressPause = 100 * time.Millisecond // between two reports then
)

// progressed passes on a report of progress.
func (s *server) progressed(_ context.Context, r *sdk.ProgressNotificationClientRequest) {
	token, _ := r.Params.ProgressToken.(string)
	s.mu.Lock()
	call := s.followed[token]
	drop := call == nil || call.reports >= freeProgress && time.Since(call.last) < progressPause
	if !drop {
		call.reports++
		call.last = time.Now()
	}
	s.mu.Unlock()
	if drop {
		return
	}
	text := clean(r.Params.Message, maxProgress)
	done := strconv.FormatFloat(r.Params.Progress, 'g', 6, 64)
	if r.Params.Total > 0 {
		done += "/" + strconv.FormatFloat(r.Params.Total, 'g', 6, 64)
	}
	if text != "" {
		done = text + " (" + done + ")"
	}
	call.report(done)
}
