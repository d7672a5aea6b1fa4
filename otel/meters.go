package otel

import (
	"context"
	"errors"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"

	"github.com/toolparse/toolparse/agent/tools"
)

// meters are the instruments.
type meters struct {
	operationDuration, firstChunk, toolDuration, agentDuration metric.Float64Histogram
	tokens, inferenceCalls, toolCalls                          metric.Int64Histogram
	callCount, retries                                         metric.Int64Counter
	coverage                                                   metric.Float64Gauge
}

// Boundaries of histograms, as the conventions have them.
var (
	secondsOfOperation = []float64{0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92}
	secondsOfAgent     = []float64{0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 6.4, 12.8, 25.6, 51.2, 102.4, 204.8, 409.6}
	numbersOfTokens    = []float64{1, 4, 16, 64, 256, 1024, 4096, 16384, 65536, 262144, 1048576, 4194304, 16777216, 67108864}
	numbersOfCalls     = []float64{1, 2, 4, 8, 16, 32, 64, 128}
)

func newMeters(meter metric.Meter) (m meters, err error) {
	var failures []error
	seconds := func(name, what string, bounds []float64) metric.Float64Histogram {
		h, err := meter.Float64Histogram(name, metric.WithUnit("s"), metric.WithDescription(what), metric.WithExplicitBucketBoundaries(bounds...))
		failures = append(failures, err)
		return h
	}
	number := func(name, unit, what string, bounds []float64) metric.Int64Histogram {
		h, err := meter.Int64Histogram(name, metric.WithUnit(unit), metric.WithDescription(what), metric.WithExplicitBucketBoundaries(bounds...))
		failures = append(failures, err)
		return h
	}
	counter := func(name, unit, what string) metric.Int64Counter {
		c, err := meter.Int64Counter(name, metric.WithUnit(unit), metric.WithDescription(what))
		failures = append(failures, err)
		return c
	}
	m = meters{
		operationDuration: seconds("gen_ai.client.operation.duration", "Duration of an answer of a model.", secondsOfOperation),
		firstChunk:        seconds("gen_ai.client.operation.time_to_first_chunk", "Time from the request to the first piece of its answer.", secondsOfOperation),
		toolDuration:      seconds("gen_ai.execute_tool.duration", "Duration of a call of a tool.", secondsOfOperation),
		agentDuration:     seconds("gen_ai.invoke_agent.duration", "Duration of a run of an agent.", secondsOfAgent),
		tokens:            number("gen_ai.client.token.usage", "{token}", "Tokens of a request and of its answer.", numbersOfTokens),
		inferenceCalls:    number("gen_ai.invoke_agent.inference_calls", "{inference_call}", "Answers of a model in a run.", numbersOfCalls),
		toolCalls:         number("gen_ai.invoke_agent.tool_calls", "{tool_call}", "Calls of tools in a run.", numbersOfCalls),
		callCount:         counter("toolparse.agent.calls", "{call}", "Calls that models made, whether they ran or not."),
		retries:           counter("toolparse.agent.retries", "{retry}", "Requests that were sent again."),
	}
	m.coverage, err = meter.Float64Gauge("toolparse.agent.tool_coverage", metric.WithUnit("1"), metric.WithDescription("Share of the tools that a task needs which are there."))
	return m, errors.Join(append(failures, err)...)
}

// Coverage tells how far a set of tools has what is required of it, as [tools.Set.Check] says.
func (t *Telemetry) Coverage(ctx context.Context, c tools.Coverage) {
	t.coverage.Record(ctx, c.Percent/100, metric.WithAttributes(attribute.Bool("toolparse.complete", c.Complete)))
}
