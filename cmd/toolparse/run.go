package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"os/signal"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/toolparse/toolparse"
	"github.com/toolparse/toolparse/agent"
	"github.com/toolparse/toolparse/agent/mcp"
	"github.com/toolparse/toolparse/agent/provider"
	"github.com/toolparse/toolparse/agent/tools"
	"github.com/toolparse/toolparse/internal/dialect"
	"github.com/toolparse/toolparse/testdata/sessions"
)

// runFlags are the flags of the run command.
type runFlags struct {
	server       provider.Config // without the dialect; the wire may be replayWire
	config       agent.Config    // without what files and tools add
	dialect      string
	headers      []string
	system       string // a file, in place of the prompt in the configuration
	agent        string
	values       map[string]string // of --set
	answerSchema string

	tools     []string
	noTools   bool // not even the default ones
	mcp       []string
	workspace string
	reach     reach
	approve   string
	policies  string

	output, audit, session, log string
}

const (
	replayWire = toolparse.Wire("replay")
	outputJSON = "json"
)

func (c *cli) runCommand() *cobra.Command {
	f := runFlags{
		server: provider.Config{Wire: toolparse.OpenAI, Headers: map[string]string{}}, config: agent.Config{MaxTurns: 10},
		values: map[string]string{}, approve: "safe", output: outputText, log: logNone,
	}
	providers := append(wires(), string(replayWire))
	cmd := &cobra.Command{
		Use:   "run [flags] PROMPT",
		Short: "Let a model work with tools until its task is done",
		Long: `run sends the PROMPT to a model, runs the tools that the model calls, and repeats this
until the model answers. It works in the same way with native tool calls and, with -d,
with a model that writes its calls as text.

With --provider replay it plays a recorded session without a network. PROMPT is then
the folder of the recording; without a PROMPT it plays the built-in recording.`,
		Example: `  # A recorded session, in a temporary workspace
  toolparse run --provider replay --approve all

  # A model of llama.cpp or vLLM that writes calls as Hermes does, in this folder
  toolparse run --base-url http://127.0.0.1:8080/v1 -d hermes --workspace . "What is in this folder?"

  # A vendor's model; the key is in ANTHROPIC_API_KEY
  toolparse run --provider anthropic --model claude-sonnet-4-5 --approve medium "Which license has this project?"`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if f.agent != "" {
				if err := c.define(&f, cmd.Flags().Changed, providers); err != nil {
					return err
				}
			}
			return c.runAgent(cmd.Context(), f, args)
		},
	}
	c.setHelp(cmd, runNotes, f.groups(providers)...)
	return cmd
}

// groups declares the flags.
func (f *runFlags) groups(providers []string) []flagGroup {
	model := newFlagGroup("Model")
	model.Var(oneOf(&f.server.Wire, providers), "provider", "the `WIRE` format of the server: "+wireWords()+"; or replay")
	model.StringVar(&f.server.BaseURL, "base-url", "", "base `URL` of the server: with /v1 for openai and responses, the host for others (default: the vendor's)")
	model.StringVar(&f.server.Model, "model", "", "the `NAME` of the model")
	model.StringVarP(&f.dialect, "dialect", "d", "", "the `DIALECT` in which the model writes calls, or a file that defines one; the prompt then describes the tools (default $"+envDialect+")")
	model.StringVar(&f.server.KeyName, "key-env", "", "read the API key from the environment variable `NAME` (default: the vendor's)")
	model.StringArrayVar(&f.headers, "header", nil, "send the header `NAME: VALUE` with each request; may be repeated")
	model.StringVar(&f.system, "system", "", "read the system prompt from `FILE`")
	model.StringVar(&f.agent, "agent", "", "read the prompt, the tools and the model of an agent from the Markdown `FILE`; flags override it")
	model.Func("set", "replace {{.NAME}} in the agent's prompt: `NAME=VALUE`; may be repeated", f.set)
	model.IntVar(&f.config.Request.MaxTokens, "max-tokens", 0, "limit each answer to `N` tokens")
	model.StringVar(&f.answerSchema, "answer-schema", "", "require a final answer in JSON that fits the JSON Schema in `FILE`, and print only that on standard output")
	model.Func("price", "print the cost of the run, at these prices of a million tokens: `IN,OUT` or IN,OUT,CACHED", f.setPrice)
	model.DurationVar(&f.config.RunTimeout, "timeout", 0, "end the run after `DURATION`, such as 5m")
	tool := newFlagGroup("Tools")
	tool.StringSliceVar(&f.tools, "tools", nil, "offer `NAME,...`: tools, categories or environments, as toolparse tools lists them (default standard)")
	tool.StringArrayVar(&f.mcp, "mcp", nil, "also offer the tools of the MCP servers in `FILE` ({\"mcpServers\": ...}, as for other clients); may be repeated")
	tool.StringVar(&f.workspace, "workspace", "", "the `DIR` in which the tools work (default: a temporary one)")
	f.reach.flags(tool)
	tool.Var(oneOf(&f.approve, approvals), "approve", "run calls up to this `RISK` without asking: none, safe, medium or all")
	tool.StringVar(&f.policies, "policies", "", "read rules from `FILE`, and store in it what you always allow (default: toolparse/policies.json in your configuration directory)")
	tool.BoolVar(&f.config.Early, "early", false, "start safe tools while the model is still writing")
	tool.IntVar(&f.config.MaxTurns, "max-turns", f.config.MaxTurns, "end the run after `N` answers")
	out := newFlagGroup("Output")
	out.Var(oneOf(&f.output, []string{outputText, outputJSON}), "output", "print `FORMAT`: text (the answer; everything else goes to standard error) or json (every event, one per line)")
	out.StringVar(&f.audit, "audit", "", "append a JSON line for each call to `FILE`")
	out.Var(oneOf(&f.log, []string{logText, logJSON, logNone}), "log", "log each answer, call, retry and end on standard error as `FORMAT`: text, json or none; never arguments or outputs")
	out.StringVar(&f.session, "session", "", "store the session in `FILE`, and continue the session that is in it")
	return []flagGroup{model, tool, out}
}

const runNotes = `
Models:
  Without -d, run declares tools natively. If it knows that the model writes its calls as text, it also
  runs calls in text; if the server refuses tools, it continues as with -d.

Permissions:
  run asks you on the terminal about calls that --approve does not cover: 1 once, 2 for this session, 3 always,
  4 deny. Without a terminal, it denies them and tells the model. git_commit, git_checkout, git_merge and
  git_stash always need your permission. run also asks you the questions of the tool ask_user; without a
  terminal, it ends. If a model repeats itself, run warns the model, then asks you on the terminal or when
  you continue the --session; otherwise it ends.

Sessions:
  run writes --session FILE before and after each step. After a crash, the same command without a PROMPT
  continues from there, repeats no call, and tells the model which calls were interrupted.
  Only one process at a time can use a session.

Exit codes:
  0  the model answered, or submitted its answer
  1  the run ended in another way: at a limit, cancelled, denied, waiting or with an error
  2  the command line was wrong

Environment:
  OPENAI_API_KEY, ANTHROPIC_API_KEY, GEMINI_API_KEY  the vendors' keys; servers on this machine do not get them`

func (c *cli) runAgent(ctx context.Context, f runFlags, args []string) error {
	switch {
	case len(args) > 1:
		return usagef("run takes one PROMPT; quote it")
	case f.config.MaxTurns < 1:
		return usagef("--max-turns: want at least 1")
	}
	operand := strings.Join(args, "")
	file, err := openSession(f.session)
	if err != nil {
		return err
	}
	defer file.close()
	recording, err := f.recording(operand)
	if err != nil {
		return err
	}
	in, err := f.input(operand, file.session, recording)
	if err != nil {
		return err
	}
	p, err := c.newProvider(f, recording)
	if err != nil {
		return err
	}
	set, cleanUp, err := f.open(recording)
	if err != nil {
		return err
	}
	defer cleanUp()
	config, err := c.agentConfig(f, p, set)
	if err != nil {
		return err
	}
	ctx, stop := endedBySignal(ctx)
	defer stop()
	if len(f.mcp) > 0 {
		servers, err := c.openServers(ctx, f.mcp, mcp.Options{})
		if err != nil {
			return err
		}
		defer servers.Close()
		offer(ctx, &config, servers)
	}
	view := c.newRunView(ctx, f.output)
	view.fixedForm = f.answerSchema != ""
	if view.person == nil {
		config.Policy = alone(config.Policy)
	}
	config.AskInLoops = view.person != nil || f.session != "" // somebody can answer, now or later
	a, err := agent.New(config)
	if err != nil {
		return usageOf("agent", err)
	}
	if len(f.mcp) == 0 && !f.noTools {
		if err := view.tellLacks(set, in.Text, f.tools); err != nil {
			return err
		}
	}
	end, err := f.converse(ctx, a, view, file, in)
	if err != nil {
		return err
	}
	return f.ended(view, end)
}

// ended returns errReported unless the run came to an answer. The view has told how it ended.
func (f *runFlags) ended(view *runView, end agent.Event) error {
	switch end.Reason {
	case agent.FinalAnswer, agent.TerminalTool:
		return nil
	case agent.RequiresAction:
		if f.session != "" && !view.json {
			view.note("to answer, run it again on a terminal with --session %s and without a PROMPT", f.session)
		}
	}
	return errReported
}

// converse runs a session, and again with the person's answers to the model's questions. It
// records each event before anybody sees it.
func (f *runFlags) converse(ctx context.Context, a *agent.Agent, view *runView, file *sessionFile, in agent.Input) (end agent.Event, err error) {
	record := file.keep
	if f.audit != "" {
		log, err := openAudit(ctx, f.audit)
		if err != nil {
			return end, err
		}
		defer log.Close()
		audit := agent.NewAudit(log)
		record = func(e agent.Event) error {
			if err := audit.Add(e); err != nil {
				return fmt.Errorf("audit: %w", err)
			}
			return file.keep(e)
		}
	}
	for more := true; more; more = len(in.Results) > 0 {
		if end, err = view.follow(a.Run(ctx, file.session, in), record); err != nil {
			return end, err
		}
		in = agent.Input{Results: view.questions(end)}
	}
	return end, nil
}

// input returns what the run begins with. A session that was interrupted goes on, with the
// answers of the recording that it has not had.
func (f *runFlags) input(prompt string, session *agent.Session, recording *provider.Recording) (in agent.Input, err error) {
	if recording != nil {
		prompt = recording.Prompt
	}
	switch {
	case recording != nil && f.session != "" && session.Ended != "":
		return in, usagef("the session %s has ended; remove it to play the recording again", f.session)
	case recording != nil && len(session.Messages) > 0:
		recording.Answers = recording.Answers[min(session.Answered, len(recording.Answers)):]
		return in, nil
	case prompt == "" && len(session.Messages) == 0:
		return in, usagef("run needs a PROMPT")
	case prompt == "" && session.Done():
		return in, usagef("the session %s has ended; a PROMPT continues it", f.session)
	}
	return agent.Say(prompt), nil
}

// set adds a value of --set, NAME=VALUE. The value may contain any character, including
// commas.
func (f *runFlags) set(text string) error {
	name, value, ok := strings.Cut(text, "=")
	if name = strings.TrimSpace(name); !ok || name == "" {
		return errors.New("want NAME=VALUE, such as language=Norse")
	}
	f.values[name] = value
	return nil
}

// setPrice reads the value of --price, two or three numbers.
func (f *runFlags) setPrice(text string) error {
	price := &f.config.Price
	*price = agent.Price{}
	to := []*float64{&price.Input, &price.Output, &price.CachedInput}
	words := strings.Split(text, ",")
	if len(words) < 2 || len(words) > len(to) {
		return errors.New("want IN,OUT or IN,OUT,CACHED, such as 3,15")
	}
	for i, word := range words {
		n, err := strconv.ParseFloat(word, 64)
		if err != nil || n < 0 || math.IsInf(n, 0) || math.IsNaN(n) {
			return fmt.Errorf("%q: want a number of at least 0, such as 3 or 0.25", word)
		}
		*to[i] = n
	}
	return nil
}

// endedBySignal returns a context that also ends when the process is terminated or its
// terminal is closed, so that its processes, its servers and its temporary workspace end
// with it. A hangup that is ignored, as under nohup, stays ignored.
func endedBySignal(ctx context.Context) (context.Context, context.CancelFunc) {
	signals := []os.Signal{syscall.SIGTERM}
	if !signal.Ignored(hangup) {
		signals = append(signals, hangup)
	}
	return signal.NotifyContext(ctx, signals...)
}

// recording returns the recording to play, or nil if a model is asked.
func (f *runFlags) recording(operand string) (*provider.Recording, error) {
	if f.server.Wire != replayWire {
		return nil, nil
	}
	if f.server.BaseURL != "" {
		return nil, usagef("--base-url: --provider replay contacts no server")
	}
	if operand == "" {
		return provider.ReadRecording(sessions.FS, sessions.Default)
	}
	if _, err := os.Stat(operand); err != nil { // which names the folder
		return nil, fmt.Errorf("the recording cannot be read: %w", err)
	}
	return provider.ReadRecording(os.DirFS(operand), ".")
}

// newProvider returns the provider that the flags describe.
func (c *cli) newProvider(f runFlags, recording *provider.Recording) (agent.Provider, error) {
	choice, err := c.dialectChoice(f.dialect)
	if err != nil {
		return nil, err
	}
	config := f.server
	if config.Custom = choice.custom; choice.custom == nil {
		config.Dialect = choice.name
	}
	if d, ok := c.textModel(f); ok {
		config.TextDialect = d.Name
	}
	if recording != nil {
		p := provider.Replay(recording, config)
		_, err := p.Capabilities()
		return p, err
	}
	for _, h := range f.headers {
		name, value, ok := strings.Cut(h, ":")
		if !ok {
			return nil, usagef("--header %q: want NAME: VALUE", h)
		}
		config.Headers[strings.TrimSpace(name)] = strings.TrimSpace(value)
	}
	p := provider.New(config)
	if _, err := p.Capabilities(); err != nil {
		return nil, usageOf("provider", err)
	}
	return p, nil
}

// textModel returns the dialect of a model that is known to write its calls as text, if no
// dialect is chosen.
func (c *cli) textModel(f runFlags) (*dialect.Dialect, bool) {
	if f.dialect != "" || c.getenv(envDialect) != "" {
		return nil, false
	}
	d, ok := dialect.ForModel(f.server.Model)
	return d, ok && !d.Native()
}

// open opens the workspace. A temporary one begins with the files of the recording, and is
// removed at the end.
func (f *runFlags) open(recording *provider.Recording) (set *tools.Set, cleanUp func(), err error) {
	if f.workspace != "" {
		set, err = tools.Workspace(f.workspace)
		return set, func() { set.Close() }, err
	}
	dir, err := os.MkdirTemp("", "toolparse-run-")
	if err != nil {
		return nil, nil, err
	}
	if recording != nil && recording.Workspace != nil {
		err = os.CopyFS(dir, recording.Workspace)
	}
	if err == nil {
		set, err = tools.Workspace(dir)
	}
	if err != nil {
		os.RemoveAll(dir)
		return nil, nil, err
	}
	return set, func() { set.Close(); os.RemoveAll(dir) }, nil
}

// agentConfig returns the configuration of the agent, with the tools of a workspace.
func (c *cli) agentConfig(f runFlags, p agent.Provider, set *tools.Set) (agent.Config, error) {
	if err := f.reach.limit(set); err != nil {
		return f.config, err
	}
	path := f.policies
	if path == "" {
		path, _ = agent.DefaultPolicyFile() // "" without a home: nothing is kept
	}
	config := f.config
	config.Provider, config.Request.Model, config.WorkingDirectory, config.Logger = p, f.server.Model, set.Dir, c.logger(f.log)
	rules := agent.Rules{}
	if path != "" {
		file, err := agent.OpenPolicyFile(path)
		if err != nil {
			return config, err
		}
		rules, config.Remember = file.Rules(), file.Remember
	}
	rules.Approve = f.approve
	config.Policy = rules.Policy()
	if f.system != "" {
		text, err := c.readFile(f.system)
		if err != nil {
			return config, err
		}
		config.System = string(text)
	}
	if f.answerSchema != "" {
		text, err := c.readFile(f.answerSchema)
		if err != nil {
			return config, err
		}
		config.AnswerSchema = text
	}
	if f.noTools {
		return config, nil
	}
	names, err := set.Names(f.tools...)
	if err != nil {
		return config, usageOf("tools", err)
	}
	config.UnknownToolAdvice = set.UnknownToolAdvice(names...)
	config.Tools, err = set.Tools(names...)
	return config, err
}

// offer adds the tools of MCP servers to those of a run: before each request, since a
// server may change its list.
func offer(ctx context.Context, config *agent.Config, servers *mcp.Servers) {
	local := slices.Clip(config.Tools)
	config.Tools = append(local, servers.Tools(ctx)...)
	config.Prepare = func(ctx context.Context, _ *agent.Session, step *agent.Config) error {
		step.Tools = append(local, servers.Tools(ctx)...)
		return nil
	}
}
