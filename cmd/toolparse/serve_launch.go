package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/toolparse/toolparse/format"
	"github.com/toolparse/toolparse/internal/modelhttp"
	"github.com/toolparse/toolparse/internal/wire"
	"github.com/toolparse/toolparse/internal/wire/all"
)

// codingClient is a client that can be run against a gateway.
type codingClient struct {
	name, install string // name is also that of the program
	// env and args are added to the user's own environment and arguments.
	env, args []string
	// windowEnv and windowArgs are added, too, if the size of the context is known. Without them,
	// clients expect a large context of models that they do not know, and overrun it.
	windowEnv, windowArgs []string
	file                  string // settings that have no variable
}

// codingClients lists the clients. In env and args, {url} stands for the gateway's URL,
// {model} for the model, {context} for the tokens that it takes, {limit} for the same as a
// member of opencode's configuration, or for nothing, {key} for the key, and {file} for the
// path of a file with the content of file.
var codingClients = []codingClient{
	{
		name: "codex", install: "npm install -g @openai/codex", env: []string{"TOOLPARSE_KEY={key}"},
		args: []string{
			"-c", `model="{model}"`, "-c", `model_provider="toolparse"`, "-c", `model_providers.toolparse.name="toolparse"`,
			"-c", `model_providers.toolparse.base_url="{url}/v1"`, "-c", `model_providers.toolparse.wire_api="responses"`,
			"-c", `model_providers.toolparse.env_key="TOOLPARSE_KEY"`,
		},
		windowArgs: []string{"-c", "model_context_window={context}"},
	},
	{
		name: "gemini", install: "npm install -g @google/gemini-cli",
		env:  []string{"GOOGLE_GEMINI_BASE_URL={url}", "GEMINI_API_KEY={key}", "GEMINI_CLI_SYSTEM_SETTINGS_PATH={file}"},
		args: []string{"-m", "{model}"}, file: `{"security":{"auth":{"selectedType":"gemini-api-key"}}}`,
	},
	{
		name: "qwen", install: "npm install -g @qwen-code/qwen-code",
		env: []string{"OPENAI_BASE_URL={url}/v1", "OPENAI_API_KEY={key}", "OPENAI_MODEL={model}"}, args: []string{"--auth-type", "openai"},
	},
	{
		name: "opencode", install: "npm install -g opencode-ai",
		env: []string{
			"TOOLPARSE_KEY={key}",
			`OPENCODE_CONFIG_CONTENT={"model":"toolparse/{model}","provider":{"toolparse":{"models":{"{model}":{{limit}}},"name":"toolparse",` +
				`"npm":"@ai-sdk/openai-compatible","options":{"apiKey":"{env:TOOLPARSE_KEY}","baseURL":"{url}/v1"}}}}`,
		},
	},
	{
		name: "claude", install: "npm install -g @anthropic-ai/claude-code",
		env: []string{
			"ANTHROPIC_BASE_URL={url}", "ANTHROPIC_AUTH_TOKEN={key}", "ANTHROPIC_MODEL={model}",
			"ANTHROPIC_DEFAULT_OPUS_MODEL={model}", "ANTHROPIC_DEFAULT_SONNET_MODEL={model}", "ANTHROPIC_DEFAULT_HAIKU_MODEL={model}",
			"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1",
		},
		windowEnv: []string{"CLAUDE_CODE_MAX_CONTEXT_TOKENS={context}"},
	},
	{
		name: "aider", install: "python -m pip install aider-install && aider-install",
		env: []string{"OPENAI_API_BASE={url}/v1", "OPENAI_API_KEY={key}"}, args: []string{"--model", "openai/{model}"},
	},
}

// launchFlags are the flags of the launch command.
type launchFlags struct {
	gateway, model, keyEnv string
	context                int
	print                  bool
}

func (c *cli) launchCommand() *cobra.Command {
	f := launchFlags{gateway: "http://127.0.0.1:8787"}
	var names []string
	for _, client := range codingClients {
		names = append(names, client.name)
	}
	cmd := &cobra.Command{
		Use:   "launch CLIENT [--gateway URL] [--model NAME] [--print] [-- ARGS...]",
		Short: "Run a coding client against toolparse serve",
		Long: `launch runs a coding client against a running toolparse serve. It sets the environment
and the arguments that make the client use the gateway, and does not change the
client's own files. The clients are ` + strings.Join(names, ", ") + `.`,
		Example: `  # In one terminal, a model that writes calls as text
  toolparse serve --upstream http://127.0.0.1:8080/v1 -d qwen3_coder

  # In another, Codex with that model
  toolparse launch codex -- exec "Write a haiku to haiku.txt"

  # The settings, to configure a client by hand
  toolparse launch opencode --model qwen3-coder --print`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usagef("launch needs a client: %s", strings.Join(names, ", "))
			}
			at := slices.IndexFunc(codingClients, func(client codingClient) bool { return client.name == args[0] })
			if at < 0 {
				return usagef("unknown client %q%s", args[0], didYouMean(args[0], names))
			}
			if dash := cmd.ArgsLenAtDash(); len(args) > 1 && dash != 1 {
				return usagef("unexpected argument %q; put the client's own arguments after --", args[1])
			}
			return c.launch(cmd.Context(), f, codingClients[at], args[1:])
		},
		ValidArgs: names,
	}
	g := newFlagGroup("Flags")
	g.StringVar(&f.gateway, "gateway", f.gateway, "the `URL` that toolparse serve listens on")
	g.StringVar(&f.model, "model", "", "use the model `NAME` (default: the first that the gateway lists)")
	g.Var(count(&f.context, 0), "context", "tell the client that the model takes `N` tokens (default: what the gateway lists)")
	g.StringVar(&f.keyEnv, "token-env", "", "read the gateway's token from the environment variable `NAME`")
	g.BoolVar(&f.print, "print", false, "print the environment and the command instead of running it")
	c.setHelp(cmd, `
Exit codes:
  that of the client; 1 if it is not installed or no gateway answers; 2 if the command line was wrong
`, g)
	return cmd
}

// launch runs a client, or prints how.
func (c *cli) launch(ctx context.Context, f launchFlags, client codingClient, clientArgs []string) error {
	key, err := c.secret("--token-env", f.keyEnv)
	if err != nil {
		return err
	}
	f.gateway = strings.TrimRight(f.gateway, "/")
	if f.model == "" || f.context == 0 {
		listed, err := listedModel(ctx, f.gateway, key, f.model)
		if err != nil && f.model == "" {
			return fmt.Errorf("no model at %s: %w; is toolparse serve running? Name one with --model", f.gateway, err)
		}
		f.model, f.context = cmp.Or(f.model, listed.ID), cmp.Or(f.context, listed.Context)
	}
	limit := ""
	if f.context > 0 {
		client.env, client.args = slices.Concat(client.env, client.windowEnv), slices.Concat(client.args, client.windowArgs)
		limit = fmt.Sprintf(`"limit":{"context":%d,"output":%d}`, f.context, min(f.context/4, 32_000))
	}
	switch {
	case key == "":
		key = "none" // clients want one
	case f.print:
		key = "$" + f.keyEnv // a key is not for the screen
	}
	breaksJSON := func(r rune) bool { return r < ' ' || r == '"' || r == '\\' }
	switch {
	case strings.ContainsFunc(f.model, breaksJSON):
		return usagef("--model %q: not a name", f.model)
	case strings.ContainsFunc(f.gateway, breaksJSON):
		return usagef("--gateway %q: not a URL", f.gateway)
	}
	file, err := launchFile(client, !f.print)
	if err != nil {
		return err
	}
	values := strings.NewReplacer("{url}", f.gateway, "{model}", f.model, "{context}", strconv.Itoa(f.context), "{limit}", limit, "{key}", key, "{file}", file)
	if f.print {
		return c.printLaunch(client, values, file, clientArgs)
	}
	args := make([]string, 0, len(client.args)+len(clientArgs))
	for _, arg := range client.args {
		args = append(args, values.Replace(arg))
	}
	run := exec.CommandContext(ctx, client.name, append(args, clientArgs...)...)
	run.Env = os.Environ()
	for _, line := range client.env {
		run.Env = append(run.Env, values.Replace(line))
	}
	run.Stdin, run.Stdout, run.Stderr = os.Stdin, os.Stdout, os.Stderr // its terminal
	err = run.Run()
	if errors.Is(err, exec.ErrNotFound) {
		return fmt.Errorf("%s is not installed; for example: %s", client.name, client.install)
	}
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		return &clientExit{exit.ExitCode()}
	}
	return err
}

// launchFile returns the path of the file that a client needs, or "", and writes the file
// if asked to. It is in the user's cache, because clients do not trust shared folders.
func launchFile(client codingClient, write bool) (string, error) {
	if client.file == "" {
		return "", nil
	}
	folder, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	file := filepath.Join(folder, "toolparse", client.name+".json")
	if write {
		err = os.MkdirAll(filepath.Dir(file), 0o700)
		if err == nil {
			err = os.WriteFile(file, []byte(client.file), 0o600)
		}
	}
	return file, err
}

// printLaunch prints what a shell would run.
func (c *cli) printLaunch(client codingClient, values *strings.Replacer, file string, args []string) error {
	var out strings.Builder
	if client.file != "" {
		fmt.Fprintf(&out, "mkdir -p %s\nprintf '%%s\\n' %s >%s\n", shellQuote(filepath.Dir(file)), shellQuote(client.file), shellQuote(file))
	}
	for _, line := range client.env {
		name, value, _ := strings.Cut(values.Replace(line), "=")
		fmt.Fprintf(&out, "export %s=%s\n", name, shellQuote(value))
	}
	out.WriteString(client.name)
	for _, arg := range client.args {
		out.WriteString(" " + shellQuote(values.Replace(arg)))
	}
	for _, arg := range args {
		out.WriteString(" " + shellQuote(arg))
	}
	_, err := fmt.Fprintln(c.stdout, out.String())
	return err
}

// clientExit is the exit code of a client.
type clientExit struct{ code int }

func (e *clientExit) Error() string { return fmt.Sprintf("the client ended with %d", e.code) }

// listedModel returns what a gateway lists of the model with this name, or of its first one if
// the name is "".
func listedModel(ctx context.Context, url, key, name string) (m wire.Model, err error) {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	server, err := all.ServerOf(format.OpenAI)
	if err != nil {
		return m, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url+"/v1/models", nil)
	if err != nil {
		return m, err
	}
	modelhttp.SetHeaders(req.Header, server, key)
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return m, err
	}
	defer res.Body.Close()
	body, err := io.ReadAll(io.LimitReader(res.Body, 1<<20))
	if err != nil {
		return m, err
	}
	if res.StatusCode != http.StatusOK {
		return m, errors.New(res.Status)
	}
	models, err := server.DecodeModels(body)
	if err == nil && len(models) == 0 {
		err = errors.New("the gateway lists no models")
	}
	if err != nil {
		return m, err
	}
	if name == "" {
		return models[0], nil
	}
	at := slices.IndexFunc(models, func(m wire.Model) bool { return m.ID == name })
	if at < 0 {
		return m, errors.New("the gateway does not list " + name)
	}
	return models[at], nil
}

// shellQuote quotes a word for a shell if necessary.
func shellQuote(s string) string {
	plain := func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-_./:=$@", r))
	}
	if s != "" && !strings.ContainsFunc(s, plain) {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
