package otel

import (
	"cmp"
	"context"
	"iter"
	"time"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/metric"
	"go.opentelemetry.io/otel/trace"

	"github.com/toolparse/toolparse/agent"
)

const scope = "github.com/toolparse/toolparse/otel"

// Options configure a [Telemetry].
type Options struct {
	Tracers trace.TracerProvider // nil means the global one
	Meters  metric.MeterProvider // nil means the global one

	Agent    string // the agent's name; it may be ""
	Provider string // gen_ai.provider.name, such as "openai"; "" means "_OTHER"
	Model    string // the requested model

	// Content puts arguments and outputs of calls on their spans. They may hold secrets.
	Content bool
}

// Telemetry reports the runs of agents as spans and metrics. It is safe for concurrent use.
type Telemetry struct {
	opts   Options
	tracer trace.Tracer
	meters
}

// New returns a Telemetry. It fails if an instrument cannot be created.
func New(opts Options) (*Telemetry, error) {
	if opts.Tracers == nil {
		opts.Tracers = otel.GetTracerProvider()
	}
	if opts.Meters == nil {
		opts.Meters = otel.GetMeterProvider()
	}
	opts.Provider = cmp.Or(opts.Provider, other)
	m, err := newMeters(opts.Meters.Meter(scope))
	if err != nil {
		return nil, err
	}
	return &Telemetry{opts, opts.Tracers.Tracer(scope), m}, nil
}

// Run is [agent.Agent.Run], and yields the same events. The spans that tools and providers
// begin are below that of the run. What the caller does with an event counts as time of the
// span that is open.
func (t *Telemetry) Run(ctx context.Context, a *agent.Agent, s *agent.Session, in agent.Input) iter.Seq2[agent.Event, error] {
	return func(yield func(agent.Event, error) bool) {
		r := t.begin(ctx, s)
		defer r.close()
		for e, err := range a.Run(r.ctx, s, in) {
			r.see(e)
			if !yield(e, err) {
				return
			}
		}
	}
}

// Other attributes and values that are used here.
const (
	other        = "_OTHER"
	cancelled    = "cancelled"
	abandoned    = "abandoned" // the caller has stopped the iteration
	keyErrorType = attribute.Key("error.type")
	keyOperation = attribute.Key("gen_ai.operation.name")
	keyAgent     = attribute.Key("gen_ai.agent.name")
	keyTool      = attribute.Key("gen_ai.tool.name")
)

// run is the state of one run.
type run struct {
	*Telemetry
	ctx   context.Context
	span  trace.Span
	began time.Time
	ended bool

	chat      trace.Span // of the answer that is being written; nil between answers
	asked     time.Time
	firstWait time.Duration // for the first piece of the answer; 0 until it has come
	calls     map[string]call
	answers   int
	ran       int
}

type call struct {
	span  trace.Span
	began time.Time
}

func (t *Telemetry) begin(ctx context.Context, s *agent.Session) *run {
	name := "invoke_agent"
	attrs := append(t.common("invoke_agent"), attribute.String("gen_ai.conversation.id", s.ID))
	if t.opts.Agent != "" {
		name += " " + t.opts.Agent
		attrs = append(attrs, keyAgent.String(t.opts.Agent))
	}
	r := &run{Telemetry: t, began: time.Now(), calls: map[string]call{}}
	r.ctx, r.span = t.tracer.Start(ctx, name, trace.WithAttributes(attrs...))
	return r
}

// common returns the attributes that all spans and metrics of models have.
func (t *Telemetry) common(operation string) []attribute.KeyValue {
	attrs := []attribute.KeyValue{keyOperation.String(operation), attribute.String("gen_ai.provider.name", t.opts.Provider)}
	if t.opts.Model != "" {
		attrs = append(attrs, attribute.String("gen_ai.request.model", t.opts.Model))
	}
	return attrs
}

func (r *run) see(e agent.Event) {
	switch e.Type {
	case agent.TurnStart:
		name := "chat"
		if r.opts.Model != "" {
			name += " " + r.opts.Model
		}
		r.asked, r.firstWait = time.Now(), 0
		_, r.chat = r.tracer.Start(r.ctx, name, trace.WithSpanKind(trace.SpanKindClient), trace.WithAttributes(r.common("chat")...))
	case agent.Segment:
		if r.firstWait == 0 {
			r.firstWait = time.Since(r.asked)
		}
	case agent.TurnEnd:
		errorType := ""
		if e.Err != nil {
			errorType = errorTypeOf(e.Err)
		}
		r.answered(e.Step, errorType)
	case agent.CallStart:
		r.started(e)
	case agent.CallResult:
		r.settled(e)
	case agent.RunEnd:
		r.end(e)
	}
}

// answered ends the span of an answer.
func (r *run) answered(step agent.Step, errorType string) {
	if r.chat == nil {
		return
	}
	r.answers++
	attrs := r.common("chat")
	if step.Model != "" {
		attrs = append(attrs, attribute.String("gen_ai.response.model", step.Model))
	}
	attrs = failed(r.chat, attrs, errorType)
	with := metric.WithAttributes(attrs...)
	r.operationDuration.Record(r.ctx, time.Since(r.asked).Seconds(), with)
	if r.firstWait > 0 {
		r.firstChunk.Record(r.ctx, r.firstWait.Seconds(), with)
		r.chat.SetAttributes(attribute.Float64("gen_ai.response.time_to_first_chunk", r.firstWait.Seconds()))
	}
	for kind, n := range map[string]int{"input": step.Usage.Input, "output": step.Usage.Output} {
		if n > 0 {
			r.tokens.Record(r.ctx, int64(n), with, metric.WithAttributes(attribute.String("gen_ai.token.type", kind)))
		}
	}
	if step.Finish != "" {
		r.chat.SetAttributes(attribute.StringSlice("gen_ai.response.finish_reasons", []string{step.Finish}))
	}
	r.chat.SetAttributes(append(attrs, usage(step)...)...)
	r.chat.End()
	r.chat = nil
}

// usage returns the tokens of a step, as far as they are known.
func usage(step agent.Step) (attrs []attribute.KeyValue) {
	for _, u := range []struct {
		name string
		n    int
	}{
		{"input_tokens", step.Usage.Input}, {"output_tokens", step.Usage.Output}, {"cache_read.input_tokens", step.Usage.CachedInput},
		{"cache_creation.input_tokens", step.Usage.CacheWrite}, {"reasoning.output_tokens", step.Usage.Reasoning},
	} {
		if u.n > 0 {
			attrs = append(attrs, attribute.Int("gen_ai.usage."+u.name, u.n))
		}
	}
	return attrs
}

// failed marks a span, and adds the type of the error to the attributes; "" means no error.
func failed(span trace.Span, attrs []attribute.KeyValue, errorType string) []attribute.KeyValue {
	if errorType == "" {
		return attrs
	}
	span.SetStatus(codes.Error, errorType)
	return append(attrs, keyErrorType.String(errorType))
}

// started begins the span of a call.
func (r *run) started(e agent.Event) {
	info := e.Call.Info()
	attrs := append(r.toolAttributes(e.Call), keyOperation.String("execute_tool"), attribute.String("gen_ai.tool.call.id", e.Call.ID))
	if info.Description != "" {
		attrs = append(attrs, attribute.String("gen_ai.tool.description", info.Description))
	}
	if r.opts.Content {
		attrs = append(attrs, attribute.String("gen_ai.tool.call.arguments", string(e.Call.Arguments)))
	}
	_, span := r.tracer.Start(r.ctx, "execute_tool "+e.Call.Name, trace.WithAttributes(attrs...))
	r.calls[e.Call.ID] = call{span, time.Now()}
}

func (r *run) toolAttributes(c agent.Call) []attribute.KeyValue {
	kind := "function"
	if c.Info().Kind == agent.MCP {
		kind = "extension"
	}
	attrs := []attribute.KeyValue{keyTool.String(c.Name), attribute.String("gen_ai.tool.type", kind)}
	if r.opts.Agent != "" {
		attrs = append(attrs, keyAgent.String(r.opts.Agent))
	}
	return attrs
}

// settled counts a call, and ends its span if it ran.
func (r *run) settled(e agent.Event) {
	outcome, errorType := "ok", ""
	if err := e.Result.Err; err != nil {
		outcome, errorType = "failed", string(err.Category)
		if !e.Result.Ran {
			outcome = "not_run"
		}
	}
	tool := e.Call.Name
	if e.Call.Info().Name == "" { // there is none, or it was not looked up
		tool = other
	}
	counted := []attribute.KeyValue{keyTool.String(tool), attribute.String("toolparse.outcome", outcome)}
	if errorType != "" {
		counted = append(counted, keyErrorType.String(errorType), attribute.String("toolparse.error.code", cmp.Or(e.Result.Err.Code, other)))
	}
	r.callCount.Add(r.ctx, 1, metric.WithAttributes(counted...))
	c, ran := r.calls[e.Call.ID]
	if !ran {
		return
	}
	delete(r.calls, e.Call.ID)
	r.ran++
	attrs := failed(c.span, r.toolAttributes(e.Call), errorType)
	if r.opts.Content {
		c.span.SetAttributes(attribute.String("gen_ai.tool.call.result", e.Result.ForModel()))
	}
	c.span.SetAttributes(attrs...)
	c.span.End()
	r.toolDuration.Record(r.ctx, time.Since(c.began).Seconds(), metric.WithAttributes(attrs...))
}

// end ends the span of the run.
func (r *run) end(e agent.Event) {
	errorType := ""
	switch {
	case e.Reason == agent.Cancelled:
		errorType = cancelled
	case e.Reason == agent.EndError:
		errorType = errorTypeOf(e.Err)
	}
	r.answered(agent.Step{}, cmp.Or(errorType, other))
	if e.Step.Retries > 0 {
		r.retries.Add(r.ctx, int64(e.Step.Retries), metric.WithAttributes(r.common("chat")...))
	}
	r.span.SetAttributes(attribute.String("toolparse.end_reason", string(e.Reason)))
	r.span.SetAttributes(usage(e.Step)...)
	r.finish(errorType)
}

func (r *run) finish(errorType string) {
	r.ended = true
	var attrs []attribute.KeyValue
	if r.opts.Agent != "" {
		attrs = append(attrs, keyAgent.String(r.opts.Agent))
	}
	with := metric.WithAttributes(attrs...)
	r.inferenceCalls.Record(r.ctx, int64(r.answers), with)
	r.toolCalls.Record(r.ctx, int64(r.ran), with)
	attrs = failed(r.span, attrs, errorType)
	r.agentDuration.Record(r.ctx, time.Since(r.began).Seconds(), metric.WithAttributes(attrs...))
	r.span.SetAttributes(attrs...)
	r.span.End()
}

// close ends the spans that are open because the caller has stopped the iteration.
func (r *run) close() {
	for _, c := range r.calls {
		c.span.SetAttributes(failed(c.span, nil, abandoned)...)
		c.span.End()
	}
	if !r.ended {
		r.answered(agent.Step{}, abandoned)
		r.finish(abandoned)
	}
}

// errorTypeOf names the category of an error, or what is wrong with the loop.
func errorTypeOf(err error) string {
	if err == nil {
		return other
	}
	e := agent.Categorize(err)
	switch e.Code {
	case "LOOP":
		return "LoopError"
	case "FINISH":
		return "UnexpectedFinishError"
	case "BROKEN_OFF":
		return "StreamEndedError"
	}
	return string(e.Category)
}
