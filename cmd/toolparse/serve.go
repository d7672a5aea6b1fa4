package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/toolparse/toolparse/format"
	"github.com/toolparse/toolparse/gateway"
	"github.com/toolparse/toolparse/internal/modelhttp"
)

// serveFlags are the flags of the serve command.
type serveFlags struct {
	target          gateway.Target // without the key and the dialect
	keyEnv, dialect string

	config string

	listen, tokenEnv string
	hosts, origins   []string

	store gateway.Store

	log, audit string
	inspect    bool
	dryRun     bool
	from       format.Wire
}

const (
	logText = "text"
	logJSON = "json"
	logNone = "none"
)

// shutdownGrace is the time that requests get to end after the server was asked to.
const shutdownGrace = 10 * time.Second

func (c *cli) serveCommand() *cobra.Command {
	f := serveFlags{target: gateway.Target{Wire: format.OpenAI, Constrain: gateway.ConstrainOff}, listen: "127.0.0.1:8787", log: logText, from: format.Auto}
	cmd := &cobra.Command{
		Use:   "serve {--upstream URL [-d DIALECT] [--model NAME] | --config FILE} [flags]",
		Short: "Serve any model to any client, with tool calls",
		Long: `serve is an HTTP server between clients and the server of a model. To clients it
speaks Chat Completions, Responses, Anthropic's Messages, Gemini and Ollama, all at
once; the upstream may speak any of them.

Without a dialect, serve passes tools to the upstream natively, and also finds calls
that the model writes into text or reasoning. With -d, or with a --model whose dialect
it knows, it sends no tools: the system prompt describes them, the history becomes
text, and the client receives the calls in the answer as native ones, while the model
writes them. So a model without tool calling works with any client.

--config reads several upstreams and models from a file, and reads it again on SIGHUP.`,
		Example: `  # A model of llama.cpp or vLLM that writes Qwen's XML, for any client
  toolparse serve --upstream http://127.0.0.1:8080/v1 -d qwen3_coder

  # Ollama's native tool calls, and those that leak into text, for Codex or Claude Code
  toolparse serve --upstream http://127.0.0.1:11434 --upstream-wire ollama

  # The request that the upstream would get
  echo '{"model": "m", "messages": [{"role": "user", "content": "Hi"}]}' >/tmp/request.json
  toolparse serve --upstream http://127.0.0.1:8080/v1 -d hermes --dry-run /tmp/request.json`,
		RunE: func(cmd *cobra.Command, args []string) error { return c.serveGateway(cmd, f, args) },
	}
	groups := f.groups()
	c.addLossFlag(groups[len(groups)-1])
	codes := exitCodes("ended by SIGINT or SIGTERM, or --dry-run done", "the server cannot listen on the address, or a file could not be read")
	c.setHelp(cmd, serveNotes+codes, groups...)
	return cmd
}

// groups declares the flags.
func (f *serveFlags) groups() []flagGroup {
	up := newFlagGroup("Upstream")
	up.StringVar(&f.target.Upstream, "upstream", "", "base `URL` of the model's server: with /v1 for openai and responses, the host for others")
	up.Var(oneOf(&f.target.Wire, wires()), "upstream-wire", "the `WIRE` format that it speaks: "+wireWords())
	up.StringVar(&f.keyEnv, "upstream-key-env", "", "read its API key from the environment variable `NAME`")
	up.BoolVar(&f.target.PassKey, "pass-key", false, "without --upstream-key-env, pass the client's key on to it")
	profiles := words([]gateway.Profile{gateway.ProfileTemplate, gateway.ProfileVendor})
	constraints := words([]gateway.Constraint{gateway.ConstrainOff, gateway.ConstrainLlama, gateway.ConstrainVLLM, gateway.ConstrainSGLang})
	model := newFlagGroup("Model")
	model.StringVarP(&f.dialect, "dialect", "d", "", "the `DIALECT` in which the model writes calls, or a file that defines one (default $"+envDialect+")")
	model.StringVar(&f.target.Model, "model", "", "request the model `NAME`, whatever model clients name, and use its dialect if serve knows it")
	model.Var(oneOf(&f.target.Profile, profiles), "profile", "make requests as `PROFILE`: template (one system message, alternating turns; default with a dialect) or vendor")
	model.BoolVar(&f.target.StartInReasoning, "start-in-reasoning", false, "the prompt already opened the reasoning")
	model.BoolVar(&f.target.Prompted, "prompted", false, "the prompt ends as the model's own chat template ends it, such as with <think>")
	model.IntVar(&f.target.MaxTokens, "max-tokens", 0, "limit answers to `N` tokens if the request sets no limit")
	model.Var(oneOf(&f.target.Constrain, constraints), "constrain", "have the `SERVER` limit the model to well-formed calls: llama (llama.cpp), vllm, sglang or off")
	model.Var(count(&f.target.Reask, 0), "reask", "repeat a request at most `N` times if the answer has a broken call; clients then get each answer only when it is complete")
	several := newFlagGroup("Several models")
	several.StringVar(&f.config, "config", "", "read upstreams, models and limits from a TOML `FILE`; see below")
	conversations := newFlagGroup("Conversations")
	conversations.StringVar(&f.store.File, "store", "", "store the conversations of Responses in `FILE` (previous_response_id, conversation, store) if the upstream does not store them")
	conversations.DurationVar(&f.store.TTL, "store-ttl", 30*24*time.Hour, "delete a conversation after `TIME` without use")
	conversations.Int64Var(&f.store.MaxBytes, "store-bytes", 1<<30, "store at most `N` bytes, and delete the least recently used conversation first")
	clients := newFlagGroup("Clients")
	clients.StringVar(&f.listen, "listen", f.listen, "the `ADDRESS` to listen on; port 0 picks one")
	clients.StringVar(&f.tokenEnv, "token-env", "", "require from clients the key in the environment variable `NAME`; needed if other machines can reach ADDRESS")
	clients.StringArrayVar(&f.hosts, "host", nil, "also accept requests for the host `NAME`, not only for this machine's names; may be repeated")
	clients.StringArrayVar(&f.origins, "origin", nil, "let web pages from the origin `URL`, such as https://chat.example, use the server; may be repeated")
	out := newFlagGroup("Output")
	out.Var(oneOf(&f.log, []string{logText, logJSON, logNone}), "log", "log each request on standard error as `FORMAT`: text, json or none; never its content")
	out.StringVar(&f.audit, "audit", "", "append a JSON line for each request to `FILE`: sizes, times, calls and tolerances, never its content")
	out.BoolVar(&f.inspect, "inspect", false, "show the last requests with their content at /inspect, to browsers on this machine")
	out.BoolVar(&f.dryRun, "dry-run", false, "print the request that the upstream would get for the request in FILE (- is standard input), and exit")
	out.Var(oneOf(&f.from, append([]string{string(format.Auto)}, wires()...)), "from", "with --dry-run, the `WIRE` format of the request")
	return []flagGroup{up, model, several, conversations, clients, out}
}

const serveNotes = `
Paths:
  /v1/chat/completions, /v1/responses, /v1/messages, /v1/messages/count_tokens, /v1/models,
  /v1beta/models, /v1beta/models/M:generateContent (streamGenerateContent, countTokens; also below /v1),
  /api/chat, /api/tags, /api/show, /api/version, /healthz, /metrics (Prometheus);
  with --store also /v1/responses/ID, /v1/conversations and /v1/conversations/ID,
  with --inspect /inspect

The file of --config (token_env and key_env name environment variables):
  hosts, origins, token_env
  [limits]  request_bytes, event_bytes, answer_bytes, concurrent, retries; for each request: tools,
            messages, values (of JSON)
  [timeouts]  connect, first_byte, idle, write, keep_alive, request, retry
  [upstreams.NAME]  url, wire, key_env, pass_key
  [models.NAME]  upstream, model, aliases ("gpt-*": every name that begins with gpt-), default, dialect,
                 profile, start_in_reasoning, prompted, max_tokens, constrain, reask

serve refuses requests from web pages and for other hosts, and bodies that are not JSON. It does not
pass a client's key on to the upstream, and follows no redirects. If the upstream cannot take a request
yet (429, 502, 503, 529), serve sends it again after the time in Retry-After, at most limits.retries
times (2); if that time exceeds timeouts.retry (20s), the client gets the error.
`

// serveGateway makes the gateway, and serves it until the process is asked to end, or prints
// what the upstream would get.
func (c *cli) serveGateway(cmd *cobra.Command, f serveFlags, args []string) error {
	opts, err := c.gatewayOptions(cmd, f)
	if err != nil {
		return err
	}
	if err := opts.Check(); err != nil {
		return usageOf("gateway", err)
	}
	if f.audit != "" && !f.dryRun {
		file, err := openAudit(cmd.Context(), f.audit)
		if err != nil {
			return err
		}
		defer file.Close()
		opts.Audit = file
	}
	server, err := gateway.New(opts)
	if err != nil {
		return err
	}
	defer server.Close()
	if f.dryRun {
		return c.rewrite(server, f, fileNames(args))
	}
	if err := noArguments(cmd, args); err != nil {
		return err
	}
	if f.config != "" {
		stop := c.reloadOnHangup(server, f.config, func() (gateway.Options, error) { return c.gatewayOptions(cmd, f) })
		defer stop()
	}
	return c.serve(cmd.Context(), f, server)
}

// secret reads a key from the environment, because everybody on the machine can see the
// command line.
func (c *cli) secret(flag, name string) (string, error) {
	if name == "" {
		return "", nil
	}
	value := strings.TrimSpace(c.getenv(name))
	if value == "" {
		return "", usagef("%s: the environment variable %s is not set", flag, name)
	}
	return value, nil
}

// isOpen reports whether other machines may reach an address.
func isOpen(address string) bool {
	host, _, err := net.SplitHostPort(address)
	return err == nil && !modelhttp.IsLoopback(host) // listening reports the error
}

// logger returns a logger to standard error in a format, or nil for none.
func (c *cli) logger(form string) *slog.Logger {
	switch form {
	case logJSON:
		return slog.New(slog.NewJSONHandler(c.stderr, nil))
	case logText:
		return slog.New(slog.NewTextHandler(c.stderr, nil))
	}
	return nil
}

// rewrite prints what the upstream would get.
func (c *cli) rewrite(server *gateway.Server, f serveFlags, names []string) error {
	for _, name := range names {
		request, err := c.readFile(name)
		if err != nil {
			return err
		}
		body, losses, err := server.Rewrite(f.from, request)
		if err != nil {
			return fmt.Errorf("%s: %w", showName(name), err)
		}
		if _, err := io.WriteString(c.stdout, string(body)+"\n"); err != nil {
			return err
		}
		c.tellLosses(name, losses)
	}
	return nil
}

// serve answers requests until the context ends or the process is terminated.
func (c *cli) serve(ctx context.Context, f serveFlags, handler http.Handler) error {
	ctx, stop := signal.NotifyContext(ctx, syscall.SIGTERM)
	defer stop()
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", f.listen)
	if err != nil {
		return fmt.Errorf("--listen: %w", err)
	}
	// Requests have a context of their own, because they may continue for a while after
	// the server was asked to end.
	requests, cut := context.WithCancelCause(context.WithoutCancel(ctx))
	defer cut(nil)
	server := &http.Server{
		Handler: handler, ReadHeaderTimeout: 10 * time.Second, IdleTimeout: 2 * time.Minute, MaxHeaderBytes: 1 << 20,
		BaseContext: func(net.Listener) context.Context { return requests },
		ErrorLog:    slog.NewLogLogger(slog.NewTextHandler(c.stderr, nil), slog.LevelWarn),
	}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(listener) }()
	address := url.URL{Scheme: "http", Host: listener.Addr().String()}
	fmt.Fprintf(c.stderr, "listening on %s\n", address.String())
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	grace, cancel := context.WithTimeout(context.Background(), shutdownGrace)
	defer cancel()
	grace, stopAgain := signal.NotifyContext(grace, os.Interrupt, syscall.SIGTERM) // a second signal ends the wait
	defer stopAgain()
	if err := server.Shutdown(grace); errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) {
		cut(errors.New("the server is ending")) // the answers that are not finished end with this error
		last, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		_ = server.Shutdown(last)
		return server.Close()
	}
	return nil
}
