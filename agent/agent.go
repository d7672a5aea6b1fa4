package agent

import (
	"context"
	"encoding/json"
	"errors"
	"iter"
	"log/slog"
	"slices"
	"time"

	"github.com/toolparse/toolparse/format/chat"
)

// Config is what an [Agent] is made of. Only Provider is needed.
type Config struct {
	Provider Provider
	// Retry is how requests are repeated of whose answer nothing has come.
	Retry RetryConfig

	Model       string
	System      string // the system prompt
	Temperature json.Number
	MaxTokens   int // of an answer; 0 leaves it to the provider
	ToolChoice  chat.ToolChoice
	// AnswerSchema, where it is given, makes the final answer one JSON value that fits it. The
	// model is told so and, where a provider has JSON mode and nothing is to be called, held
	// to it; another answer is asked for again, up to MaxCorrections times.
	AnswerSchema json.RawMessage
	// Price is what [Step.Cost] is counted by; without one, nothing is.
	Price Price

	Tools []Tool
	// UnknownToolAdvice says what to do in place of a call of a tool that there is not, for the
	// model; it may be nil, and return "".
	UnknownToolAdvice func(tool string) string
	// Allowed are the names of the tools that the model is shown and may call; nil means
	// all of Tools.
	Allowed []string

	// Policy decides about calls; nil stands for the zero [Rules], which ask about all
	// tools that are not safe.
	Policy Policy
	// Remember keeps what the user always allows, such as [PolicyFile.Remember].
	Remember func(Rule) error

	MaxTurns       int // after one input; 10 where it is 0
	MaxCalls       int // of one answer; 15 where it is 0
	MaxParallel    int // calls at the same time; 4 where it is 0
	MaxCorrections int // turns in a row without a call that could run; 3 where it is 0
	MaxOutput      int // bytes of a tool's output; 64 KiB where it is 0

	ToolTimeout time.Duration // of a call; 2 minutes where it is 0
	TurnTimeout time.Duration // of one answer; none where it is 0
	RunTimeout  time.Duration // none where it is 0
	Grace       time.Duration // for a tool to return after its context ended; 2 seconds where it is 0

	// AskInLoops: calls that a model repeats even after it was told so are put to the user, as
	// for permission. Without it, they end the run with a [LoopError].
	AskInLoops bool
	// Early lets safe tools start while the answer is still being written.
	Early bool
	// StructuredResults sends results to the model as a [ToolResult.Structured], not as text.
	StructuredResults bool

	History History
	// Prepare is asked before each request, and may change it. It may be nil.
	Prepare func(ctx context.Context, s *Session, step *StepOptions) error
	// Stop are asked after each turn.
	Stop []StopCondition

	WorkingDirectory string
	Environment      map[string]string

	Logger *slog.Logger // nil: nothing is logged
}

// StepOptions are what [Config.Prepare] may change of one request.
type StepOptions struct {
	Turn        int
	Provider    Provider
	Model       string
	System      string
	Tools       []Tool   // in place of those configured, where a set changes; nil leaves it
	Allowed     []string // names of tools; nil means all that are configured
	ToolChoice  chat.ToolChoice
	Temperature json.Number
	MaxTokens   int
	Price       Price
}

// StopCondition returns the reason to end a run, or "" to go on. It is asked after each
// turn whose calls are settled; the session's last step is that turn.
type StopCondition func(s *Session) EndReason

// StopAfterTurns stops after a number of turns.
func StopAfterTurns(n int) StopCondition {
	return func(s *Session) EndReason {
		if s.Turns >= n {
			return Limit
		}
		return ""
	}
}

// StopAfterTokens stops when the session has used a number of tokens.
func StopAfterTokens(n int) StopCondition {
	return func(s *Session) EndReason {
		if s.Usage.Total >= n {
			return Limit
		}
		return ""
	}
}

// Agent runs sessions. It does not change, and is safe for concurrent use, as long as no
// two runs share a session.
type Agent struct {
	config Config
	tools  *toolbox // those allowed
	form   *answerForm
	log    *slog.Logger
}

// New returns an agent. It fails where there is no provider, where two tools have the same
// name, on an allowed name that is no tool's, and on an AnswerSchema that is none.
func New(config Config) (*Agent, error) {
	if config.Provider == nil {
		return nil, errors.New("agent: a configuration without a provider")
	}
	return newAgent(config)
}

// newAgent is New without a look at the provider.
func newAgent(config Config) (*Agent, error) {
	tools, err := newToolbox(config.Tools, config.Allowed...)
	if err != nil {
		return nil, err
	}
	if config.Allowed != nil && len(config.Allowed) == 0 {
		tools = &toolbox{}
	}
	form, err := newAnswerForm(config.AnswerSchema)
	if err != nil {
		return nil, err
	}
	if config.Policy == nil {
		config.Policy = Rules{}.Policy()
	}
	for _, limit := range []struct {
		of    *int
		usual int
	}{
		{&config.MaxTurns, 10}, {&config.MaxCalls, defaultMaxCalls}, {&config.MaxParallel, defaultMaxParallel},
		{&config.MaxCorrections, 3}, {&config.MaxOutput, 64 << 10},
	} {
		if *limit.of == 0 {
			*limit.of = limit.usual
		}
	}
	if config.ToolTimeout == 0 {
		config.ToolTimeout = 2 * time.Minute
	}
	if config.Grace == 0 {
		config.Grace = 2 * time.Second
	}
	log := config.Logger
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	return &Agent{config: config, tools: tools, form: form, log: log}, nil
}

// toolsFor returns the tools of one request. Of a set that changes, an allowed tool may be
// gone.
func (a *Agent) toolsFor(options *StepOptions) (*toolbox, error) {
	from, allowed := options.Tools, options.Allowed
	switch {
	case from == nil && allowed == nil:
		return a.tools, nil
	case from == nil:
		from = a.config.Tools
	case allowed == nil && a.config.Allowed != nil:
		all, err := newToolbox(from)
		if err != nil {
			return nil, err
		}
		allowed = slices.DeleteFunc(slices.Clone(a.config.Allowed), func(name string) bool { return !slices.Contains(all.Names(), name) })
	}
	if allowed != nil && len(allowed) == 0 {
		return &toolbox{}, nil
	}
	return newToolbox(from, allowed...)
}

// Run goes on with a session until its task is done, or nothing more can be done. It
// yields everything that happens; the last event is a [RunEnd], with an error beside it
// where the reason is [EndError] or [Cancelled]. Where the caller stops ranging, tools that
// run are cancelled. The sequence can be used once.
func (a *Agent) Run(ctx context.Context, s *Session, in Input) iter.Seq2[Event, error] {
	return func(yield func(Event, error) bool) {
		var cancel context.CancelFunc
		if a.config.RunTimeout > 0 {
			ctx, cancel = context.WithTimeout(ctx, a.config.RunTimeout)
		} else {
			ctx, cancel = context.WithCancel(ctx)
		}
		r := newRun(ctx, a, s, yield)
		defer r.running.Wait()
		defer cancel()
		r.begin(in)
		for !r.over {
			r.turn()
		}
	}
}
