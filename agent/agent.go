package agent

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"log/slog"
	"slices"
	"time"

	"github.com/toolparse/toolparse"
)

// Config configures an [Agent]. Only Provider is required.
type Config struct {
	Provider Provider
	// Retry says how to repeat requests that failed before any part of the answer came.
	Retry RetryConfig

	System string // the system prompt
	// Request has what requests say besides messages and tools, such as Model, Temperature,
	// MaxTokens (of one answer), ToolChoice and Extras.
	Request toolparse.Request
	// AnswerSchema makes the final answer one JSON value that fits this schema. The
	// system prompt says so, and the agent requests JSON mode if the provider has it and
	// no tool is offered. It asks for a correction of other answers, up to MaxCorrections
	// times.
	AnswerSchema json.RawMessage
	// Price is used for [Step.Cost]; without a price the cost is 0.
	Price Price

	Tools []Tool
	// UnknownToolAdvice tells the model what to do instead of calling a tool that does
	// not exist. It may be nil or return "".
	UnknownToolAdvice func(tool string) string
	// Allowed are the names of the tools that are offered to the model and may be called;
	// nil means all of Tools.
	Allowed []string

	// Policy decides about calls; nil means the zero [Rules], which ask about all tools
	// that are not safe.
	Policy Policy
	// Remember stores what the user always allows, such as [PolicyFile.Remember].
	Remember func(Rule) error

	MaxTurns       int // after one input; 0 means 10
	MaxCalls       int // of one answer; 0 means 15
	MaxParallel    int // calls at the same time; 0 means 4
	MaxCorrections int // turns in a row without a call that could run; 0 means 3
	MaxOutput      int // bytes of a tool's output; 0 means 64 KiB

	ToolTimeout time.Duration // of one call; 0 means 2 minutes
	TurnTimeout time.Duration // of one answer; 0 means no limit
	RunTimeout  time.Duration // 0 means no limit

	// AskInLoops asks the user about calls that the model repeats although it was warned.
	// Otherwise they end the run with an error.
	AskInLoops bool
	// Early lets safe tools start before the answer is complete.
	Early bool
	// StructuredResults sends results to the model not as text, but as JSON with the five
	// members that some models are trained on: success, data, error_message, error_type
	// (none, not_found, validation_failed, permission_denied, io_error, parse_error or
	// internal_error) and metadata.
	StructuredResults bool

	History History
	// Prepare is called before each request, and may change the Provider, System, Request,
	// Price, Tools and Allowed for this request in step, a copy of the configuration. It may
	// be nil.
	Prepare func(ctx context.Context, s *Session, step *Config) error
	// Stop are functions that return a reason to end the run, or "". They are called when all
	// calls of a turn have their results; that turn is the session's last step.
	Stop []func(*Session) EndReason

	WorkingDirectory string
	Environment      map[string]string

	Logger *slog.Logger // nil: no logging
}

// Agent runs sessions. It is immutable and safe for concurrent use, as long as no two
// runs share a session.
type Agent struct {
	config Config
	tools  *toolbox // the allowed ones
	form   *answerForm
	log    *slog.Logger
	grace  time.Duration // for a tool to return after its context has ended
}

// New returns an agent. It fails if there is no provider or it cannot be used, if two tools
// have the same name, if the parameters of one cannot be described, if an allowed name is
// not a tool's, and if AnswerSchema is not a schema.
func New(config Config) (*Agent, error) {
	if config.Provider == nil {
		return nil, errors.New("agent: the configuration has no provider")
	}
	if _, err := config.Provider.Capabilities(); err != nil {
		return nil, err
	}
	tools, err := newToolbox(config.Tools, config.Allowed)
	if err != nil {
		return nil, err
	}
	form, err := newAnswerForm(config.AnswerSchema)
	if err != nil {
		return nil, err
	}
	if config.Policy == nil {
		config.Policy = Rules{}.Policy()
	}
	config.MaxTurns, config.MaxCorrections = cmp.Or(config.MaxTurns, 10), cmp.Or(config.MaxCorrections, 3)
	config.MaxCalls, config.MaxParallel = cmp.Or(config.MaxCalls, 15), cmp.Or(config.MaxParallel, 4)
	config.MaxOutput = cmp.Or(config.MaxOutput, 64<<10)
	config.ToolTimeout = cmp.Or(config.ToolTimeout, 2*time.Minute)
	log := cmp.Or(config.Logger, slog.New(slog.DiscardHandler))
	return &Agent{config: config, tools: tools, form: form, log: log, grace: 2 * time.Second}, nil
}

// toolsFor returns the tools of one request. It skips configured names of allowed tools that
// have disappeared from a set that changes.
func (a *Agent) toolsFor(step *Config) (*toolbox, error) {
	if a.config.Prepare == nil {
		return a.tools, nil
	}
	if step.Allowed == nil || !slices.Equal(step.Allowed, a.config.Allowed) {
		return newToolbox(step.Tools, step.Allowed)
	}
	all, err := newToolbox(step.Tools, nil)
	if err != nil {
		return nil, err
	}
	return newToolbox(step.Tools, slices.DeleteFunc(slices.Clone(step.Allowed), func(name string) bool { return !slices.Contains(all.Names(), name) }))
}

// Do lets a model work on a task in a new session, and returns its answer. It fails if the
// configuration is wrong, or if the run ends without an answer, for example because a call
// needs a permission: nobody is asked.
func Do(ctx context.Context, config Config, task string) (answer string, err error) {
	a, err := New(config)
	if err != nil {
		return "", err
	}
	for e, failed := range a.Run(ctx, NewSession(), Say(task)) {
		if e.Type != RunEnd {
			continue
		}
		answer, err = e.Text, failed
		switch {
		case err != nil || e.Reason == FinalAnswer || e.Reason == TerminalTool:
		case len(e.Waiting) > 0:
			err = fmt.Errorf("agent: the run ended with %s, for %s", e.Reason, e.Waiting[0].Summary())
		default:
			err = fmt.Errorf("agent: the run ended with %s", e.Reason)
		}
	}
	return answer, err
}

// Run continues a session until its task is done or the run cannot continue. It yields
// every event; the last one is a [RunEnd], together with an error if the reason is
// [EndError] or [Cancelled]. If the caller stops the iteration, Run cancels the running
// tools. The sequence can be used once.
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
