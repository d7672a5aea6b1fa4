package provider

import (
	"bytes"
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"iter"
	"net"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/toolparse/toolparse"
	"github.com/toolparse/toolparse/agent"
	"github.com/toolparse/toolparse/format"
	"github.com/toolparse/toolparse/internal/dialect"
	"github.com/toolparse/toolparse/internal/modelhttp"
	"github.com/toolparse/toolparse/internal/printable"
	"github.com/toolparse/toolparse/internal/wire"
	"github.com/toolparse/toolparse/internal/wire/all"
	"github.com/toolparse/toolparse/internal/wire/features"
)

// Config describes a server and how to use it.
type Config struct {
	Wire    toolparse.Wire // "" means toolparse.OpenAI
	BaseURL string         // in the vendor's form, such as https://api.openai.com/v1; "" means the vendor's own
	Model   string         // for requests that name none

	// Key is the API key. If it is "", New reads it from the environment variable KeyName or,
	// except for servers on this machine, from the vendor's variable.
	Key     string
	KeyName string
	Headers map[string]string

	// Dialect (a dialect or a model) or Custom makes the provider write tools into the
	// prompt and read calls from the text. With "auto", it uses native tools, and also
	// reads calls from the text.
	Dialect string
	Custom  *dialect.Dialect
	// TextDialect is the dialect of a model whose server may not know it. The provider
	// also reads calls from the text. When the server rejects native tools, it describes
	// the tools in the prompt from then on. "" means none.
	TextDialect string
	// Recover finds calls in the text in any dialect, even with native tools.
	Recover bool

	// NoStream requests whole answers.
	NoStream bool
	// Serial means that the model makes one call at a time.
	Serial bool

	Connect   time.Duration // time for a connection; 0 means 10 s
	FirstByte time.Duration // time from the request to the head of the answer; 0 means 5 minutes
	Idle      time.Duration // time without a byte of the answer; 0 means 5 minutes
	TLS       *tls.Config
}

// New returns a provider that uses a server over HTTP. It reuses connections. If the
// configuration is wrong or the key is missing, [agent.New] reports it, or the provider's
// Capabilities.
func New(config Config) agent.Provider {
	return usable(newRemote(config))
}

// unusable is a provider that reports what is wrong with it.
type unusable struct{ err error }

func (p unusable) Name() string { return "unusable" }

func (p unusable) Capabilities() (agent.Capabilities, error) { return agent.Capabilities{}, p.err }

func (p unusable) Stream(context.Context, *toolparse.Request) iter.Seq2[agent.Chunk, error] {
	return func(yield func(agent.Chunk, error) bool) { yield(agent.Chunk{}, p.err) }
}

// usable returns a provider, or one that reports the error.
func usable(p agent.Provider, err error) agent.Provider {
	if err != nil {
		return unusable{err}
	}
	return p
}

func newRemote(config Config) (agent.Provider, error) {
	config.Wire = cmp.Or(config.Wire, toolparse.OpenAI)
	of, err := all.ServerOf(config.Wire)
	if err != nil {
		return nil, fmt.Errorf("provider: %w; there are %v", err, format.Wires())
	}
	if config.BaseURL == "" {
		config.BaseURL = of.Base
	}
	base, err := url.Parse(config.BaseURL)
	if err != nil || base.Host == "" || base.Scheme != "http" && base.Scheme != "https" {
		return nil, fmt.Errorf("provider: the base URL %q is not an http URL", config.BaseURL)
	}
	key, err := config.key(of, base)
	if err != nil {
		return nil, err
	}
	asked := remote{server: of, base: base.String(), key: key, client: config.client(), idle: cmp.Or(config.Idle, 5*time.Minute)}
	native, err := asked.with(config)
	if err != nil || config.TextDialect == "" || native.isText {
		return native, err
	}
	config.Dialect, config.Custom, config.Recover = config.TextDialect, nil, false
	text, err := asked.with(config)
	if err == nil && !text.isText {
		err = fmt.Errorf("provider: the dialect %s does not write calls as text", config.Dialect)
	}
	if err != nil {
		return nil, err
	}
	native.reading = &kits{options: text.kits.options} // for native calls, and those in the text
	return &orText{native: native, text: text}, nil
}

// with returns the provider with the dialect of a configuration.
func (s remote) with(config Config) (*remote, error) {
	options := toolparse.Options{
		Wire: config.Wire, Dialect: config.Dialect, Custom: config.Custom, Recover: config.Recover, Coerce: true,
	}
	if _, err := toolparse.New(options); err != nil {
		return nil, err
	}
	s.config, s.isText = config, config.isText()
	s.kits = &kits{options: options, isText: s.isText}
	return &s, nil
}

// isText reports whether the model writes its calls as text in one dialect, as
// [toolparse.Kit.Request] defines it.
func (c *Config) isText() bool {
	if c.Custom != nil {
		return !c.Custom.Native()
	}
	dialects, err := dialect.Named(c.Dialect, string(c.Wire))
	return c.Dialect != "" && err == nil && len(dialects) == 1 && !dialects[0].Native()
}

// key returns the key, or "" for a server that may need none.
func (c *Config) key(of *wire.Server, base *url.URL) (string, error) {
	if c.Key != "" {
		return c.Key, nil
	}
	name := c.KeyName
	vendor, err := url.Parse(of.Base)
	if err != nil {
		return "", err
	}
	if name == "" {
		if of.KeyName == "" || modelhttp.IsLoopback(base.Hostname()) {
			return "", nil
		}
		name = of.KeyName
		if vendor.Host != base.Host {
			return os.Getenv(name), nil // other servers may need none
		}
	}
	key := os.Getenv(name)
	if key == "" {
		return "", fmt.Errorf("provider: %s is not set; it holds the key for %s", name, base.Host)
	}
	return key, nil
}

func (c *Config) client() *http.Client {
	client := modelhttp.NewClient(cmp.Or(c.Connect, 10*time.Second), cmp.Or(c.FirstByte, 5*time.Minute))
	client.Transport.(*http.Transport).TLSClientConfig = c.TLS
	return client
}

// remote is a provider over HTTP.
type remote struct {
	config Config
	server *wire.Server
	base   string
	key    string
	client *http.Client
	kits   *kits
	// reading are the kits that read answers, if other than those that write requests.
	reading *kits
	isText  bool // the tools are only described in the prompt
	idle    time.Duration
}

func (s *remote) Name() string {
	host := s.base
	if u, err := url.Parse(s.base); err == nil {
		host = u.Host
	}
	return string(s.config.Wire) + " at " + host
}

func (s *remote) Capabilities() (agent.Capabilities, error) {
	return agent.Capabilities{
		Tools: !s.isText, Parallel: !s.config.Serial, Streaming: !s.config.NoStream,
		JSONMode: features.HasAnswerSchema(string(s.config.Wire)), ToolChoice: !s.isText,
	}, nil
}

func (s *remote) Stream(ctx context.Context, request *toolparse.Request) iter.Seq2[agent.Chunk, error] {
	return func(yield func(agent.Chunk, error) bool) {
		ctx, cancel := context.WithCancelCause(ctx)
		defer cancel(nil)
		kit, body, stop, left, err := s.encode(request)
		if err != nil {
			yield(agent.Chunk{}, &agent.Error{Category: agent.Validation, Message: "the request cannot be encoded: " + err.Error()})
			return
		}
		answer, err := s.send(ctx, cancel, request, body)
		if err != nil {
			yield(agent.Chunk{}, err)
			return
		}
		defer answer.Close()
		if len(left) > 0 && !yield(agent.Chunk{Notice: "not offered, since the dialect cannot express a call: " + strings.Join(left, ", ")}, nil) {
			return
		}
		for chunk, err := range read(kit, answer, stop) {
			if err != nil {
				err = s.failure(ctx, err)
			}
			if !yield(chunk, err) {
				return
			}
		}
	}
}

// encode writes a request. stop are the sequences that end an answer in text. left are
// the tools that are not in it, if they have changed.
func (s *remote) encode(request *toolparse.Request) (kit *toolparse.Kit, body []byte, stop, left []string, err error) {
	out := *request
	out.Extras = slices.Clone(request.Extras)
	for _, x := range s.server.Extras {
		if out.Extras.Get(x.Wire, x.In, x.Name) == nil {
			out.Extras = append(out.Extras, x)
		}
	}
	out.Model = cmp.Or(out.Model, s.config.Model)
	if kit, left, err = s.kits.of(out.Tools); err != nil {
		return nil, nil, nil, nil, err
	}
	if s.isText {
		prompted, _, err := kit.Prompt(&out)
		if err != nil {
			return nil, nil, nil, nil, err
		}
		stop = prompted.Stop
	}
	if body, _, err = kit.Request(s.config.Wire, &out); err == nil && s.reading != nil {
		kit, _, err = s.reading.of(out.Tools)
	}
	return kit, body, stop, left, err
}

// maxErrorBody limits the bytes of an error that are read.
const maxErrorBody = 64 << 10

// maxAnswer limits the bytes of an answer, because all of its text is kept.
const maxAnswer = 128 << 20

// send sends a request, and returns the body of the answer.
func (s *remote) send(ctx context.Context, cancel context.CancelCauseFunc, request *toolparse.Request, body []byte) (io.ReadCloser, error) {
	model := cmp.Or(request.Model, s.config.Model)
	out, err := http.NewRequestWithContext(ctx, http.MethodPost, s.server.URL(s.base, model, request.Stream), bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	out.Header.Set("Content-Type", "application/json")
	modelhttp.SetHeaders(out.Header, s.server, s.key)
	for name, value := range s.config.Headers {
		out.Header.Set(name, value)
	}
	response, err := s.client.Do(out)
	if err != nil {
		return nil, s.failure(ctx, err)
	}
	answer := modelhttp.NewBody(ctx, cancel, response.Body, s.idle, s.idle, maxAnswer)
	if response.StatusCode/100 == 2 {
		return answer, nil
	}
	defer answer.Close()
	text, err := io.ReadAll(io.LimitReader(answer, maxErrorBody))
	if err != nil && len(text) == 0 {
		text = []byte(err.Error())
	}
	return nil, s.statusError(response, text)
}

// statusError returns the error for a response with an error status.
func (s *remote) statusError(response *http.Response, body []byte) *agent.Error {
	status := response.StatusCode
	e := &agent.Error{Category: agent.Validation, Status: status, Message: modelhttp.Answered("the server", status)}
	switch {
	case status == http.StatusUnauthorized, status == http.StatusForbidden:
		e.Category = agent.Permission
	case status == http.StatusNotFound: // the path shows a base URL that lacks /v1
		e.Category = agent.NotFound
		e.Message += " for " + response.Request.URL.Path
	case status == http.StatusTooManyRequests, status == 529: // 529 means overloaded
		e.Category = agent.Quota
	case status == http.StatusRequestTimeout, status == http.StatusGatewayTimeout:
		e.Category = agent.Timeout
	case status >= 500:
		e.Category = agent.Network
	}
	reported, text := modelhttp.ErrorIn(s.config.Wire, body)
	if text = cmp.Or(reported.Message, printable.Short(strings.Join(strings.Fields(text), " "), 300)); text != "" {
		e.Message += ": " + text
	}
	if to := response.Header.Get("Location"); to != "" && status/100 == 3 {
		e.Message += fmt.Sprintf("; it redirects to %q, which is not followed: the base URL may have to change", to)
	}
	e.RetryAfter, _ = modelhttp.RetryAfter(response.Header.Get("Retry-After"))
	return e
}

// failure returns the error of a connection or stream, with its category.
func (s *remote) failure(ctx context.Context, err error) error {
	switch {
	case errors.Is(context.Cause(ctx), modelhttp.ErrSilent):
		return &agent.Error{Category: agent.Timeout, Code: "TIMEOUT", Message: fmt.Sprintf("the server sent nothing for %v", s.idle)}
	case errors.Is(err, modelhttp.ErrTooLong):
		return agent.Failure(agent.Resource, "the answer has more than %d bytes; set a token limit", maxAnswer)
	case ctx.Err() != nil:
		return ctx.Err()
	}
	if reported, ok := errors.AsType[*format.ReportedError](err); ok {
		e := agent.Failure(agent.Execution, "%w", reported)
		if word := strings.ToLower(reported.Code + " " + reported.Message); strings.Contains(word, "rate_limit") || strings.Contains(word, "overloaded") {
			e.Category = agent.Quota
		}
		return e
	}
	e := agent.Categorize(err)
	if _, ok := errors.AsType[*agent.Error](err); ok {
		return e
	}
	if _, refused := errors.AsType[*net.OpError](err); refused {
		return agent.Failure(e.Category, "%s cannot be reached: %w", s.base, err)
	}
	return agent.Failure(e.Category, "%w", err)
}
