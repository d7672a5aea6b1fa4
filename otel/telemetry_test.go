package otel_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.opentelemetry.io/otel/attribute"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	"github.com/toolparse/toolparse"
	"github.com/toolparse/toolparse/agent"
	"github.com/toolparse/toolparse/agent/provider"
	"github.com/toolparse/toolparse/agent/tools"
	"github.com/toolparse/toolparse/otel"
)

// told is what OpenTelemetry was told.
type told struct {
	spans  *tracetest.SpanRecorder
	reader *sdkmetric.ManualReader
	*otel.Telemetry
}

func listen(t *testing.T, opts otel.Options) told {
	t.Helper()
	w := told{spans: tracetest.NewSpanRecorder(), reader: sdkmetric.NewManualReader()}
	opts.Tracers = sdktrace.NewTracerProvider(sdktrace.WithSpanProcessor(w.spans))
	opts.Meters = sdkmetric.NewMeterProvider(sdkmetric.WithReader(w.reader))
	var err error
	if w.Telemetry, err = otel.New(opts); err != nil {
		t.Fatal(err)
	}
	return w
}

// run runs a task in which the model answers so.
func (w told) run(t *testing.T, ctx context.Context, config agent.Config, answers ...string) {
	t.Helper()
	r := &provider.Recording{}
	for _, a := range answers {
		r.Answers = append(r.Answers, []byte(a))
	}
	p := provider.Replay(r, provider.Config{})
	if config.Provider == nil {
		config.Provider = p
	}
	for name, fails := range map[string]error{"look": nil, "fail": errors.New("it broke")} {
		tool := agent.NewTool(name, "A tool.", func(context.Context, struct{}) (string, error) { return "secret output", fails })
		config.Tools = append(config.Tools, tool)
	}
	a, err := agent.New(config)
	if err != nil {
		t.Fatal(err)
	}
	for range w.Run(ctx, a, &agent.Session{ID: "run_1"}, agent.Say("Go.")) {
	}
}

// lines are the spans that ended, with those of their attributes that are no durations.
func (w told) lines() (lines []string) {
	names := map[string]string{}
	for _, s := range w.spans.Ended() {
		names[s.SpanContext().SpanID().String()] = s.Name()
	}
	for _, s := range w.spans.Ended() {
		line := fmt.Sprintf("%s < %s (%s, %s)", s.Name(), names[s.Parent().SpanID().String()], s.SpanKind(), s.Status().Code)
		for _, a := range sorted(s.Attributes()) {
			if !strings.Contains(a, "time_to_first_chunk") && !strings.Contains(a, "description") {
				line += " " + a
			}
		}
		lines = append(lines, line)
	}
	return lines
}

func sorted(attrs []attribute.KeyValue) (list []string) {
	for _, a := range attrs {
		list = append(list, strings.TrimPrefix(string(a.Key), "gen_ai.")+"="+a.Value.String())
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// measures are the metrics: how many values, or their sum, by their attributes.
func (w told) measures(t *testing.T) map[string]float64 {
	t.Helper()
	var data metricdata.ResourceMetrics
	if err := w.reader.Collect(t.Context(), &data); err != nil {
		t.Fatal(err)
	}
	got := map[string]float64{}
	for _, s := range data.ScopeMetrics {
		for _, m := range s.Metrics {
			add := func(set attribute.Set, n float64) {
				got[strings.TrimPrefix(m.Name, "gen_ai.")+" "+strings.Join(sorted(set.ToSlice()), " ")] += n
			}
			switch d := m.Data.(type) {
			case metricdata.Histogram[float64]:
				for _, p := range d.DataPoints {
					add(p.Attributes, float64(p.Count))
				}
			case metricdata.Histogram[int64]:
				for _, p := range d.DataPoints {
					add(p.Attributes, float64(p.Sum))
				}
			case metricdata.Sum[int64]:
				for _, p := range d.DataPoints {
					add(p.Attributes, float64(p.Value))
				}
			case metricdata.Gauge[float64]:
				for _, p := range d.DataPoints {
					add(p.Attributes, p.Value)
				}
			}
		}
	}
	return got
}

func call(name, args string) string {
	arguments, _ := json.Marshal(args) // a string always marshals
	return `data: {"model":"m-2","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"a","function":{"name":"` + name + `","arguments":` + string(arguments) +
		`}}]},"finish_reason":"tool_calls"}]}` + "\n\n" + `data: {"model":"m-2","choices":[],"usage":{"prompt_tokens":10,"completion_tokens":2,"total_tokens":12}}` + "\n\ndata: [DONE]\n\n"
}

const done = `data: {"model":"m-2","choices":[{"index":0,"delta":{"content":"Done."},"finish_reason":"stop"}]}` + "\n\ndata: [DONE]\n\n"

// A run with calls that run, fail and are unknown.
func TestRun(t *testing.T) {
	w := listen(t, otel.Options{Agent: "tester", Provider: "openai", Model: "m"})
	w.run(t, t.Context(), agent.Config{}, call("look", "{}"), call("fail", "{}"), call("nobody", `{"key":"secret"}`), done)
	chat := "chat m < invoke_agent tester (client, Unset) operation.name=chat provider.name=openai request.model=m response.finish_reasons=[\"%s\"] response.model=m-2"
	asked := fmt.Sprintf(chat, "tool_calls") + " usage.input_tokens=10 usage.output_tokens=2"
	want := []string{
		asked,
		"execute_tool look < invoke_agent tester (internal, Unset) agent.name=tester operation.name=execute_tool tool.call.id=t1_seg_1 tool.name=look tool.type=function",
		asked,
		"execute_tool fail < invoke_agent tester (internal, Error) agent.name=tester error.type=ExecutionError operation.name=execute_tool tool.call.id=t2_seg_1 tool.name=fail tool.type=function",
		asked,
		fmt.Sprintf(chat, "stop"),
		"invoke_agent tester <  (internal, Unset) agent.name=tester conversation.id=run_1 operation.name=invoke_agent provider.name=openai request.model=m toolparse.end_reason=final_answer usage.input_tokens=30 usage.output_tokens=6",
	}
	if diff := cmp.Diff(want, w.lines()); diff != "" {
		t.Errorf("spans (-want +got):\n%s", diff)
	}
	model := " operation.name=chat provider.name=openai request.model=m response.model=m-2"
	wantMeasures := map[string]float64{
		"client.operation.duration" + model:                                                                                           4,
		"client.operation.time_to_first_chunk" + model:                                                                                4,
		"client.token.usage" + model + " token.type=input":                                                                            30,
		"client.token.usage" + model + " token.type=output":                                                                           6,
		"execute_tool.duration agent.name=tester tool.name=look tool.type=function":                                                   1,
		"execute_tool.duration agent.name=tester error.type=ExecutionError tool.name=fail tool.type=function":                         1,
		"invoke_agent.duration agent.name=tester":                                                                                     1,
		"invoke_agent.inference_calls agent.name=tester":                                                                              4,
		"invoke_agent.tool_calls agent.name=tester":                                                                                   2,
		"toolparse.agent.calls tool.name=look toolparse.outcome=ok":                                                                   1,
		"toolparse.agent.calls error.type=ExecutionError tool.name=fail toolparse.error.code=_OTHER toolparse.outcome=failed":         1,
		"toolparse.agent.calls error.type=NotFoundError tool.name=_OTHER toolparse.error.code=UNKNOWN_TOOL toolparse.outcome=not_run": 1,
	}
	if diff := cmp.Diff(wantMeasures, w.measures(t)); diff != "" {
		t.Errorf("metrics (-want +got):\n%s", diff)
	}
}

// Arguments and outputs are told only where that is asked for.
func TestContent(t *testing.T) {
	for _, content := range []bool{false, true} {
		w := listen(t, otel.Options{Content: content})
		w.run(t, t.Context(), agent.Config{}, call("look", `{}`), done)
		text := strings.Join(w.lines(), "\n")
		if strings.Contains(text, "secret output") != content || strings.Contains(text, "tool.call.arguments={}") != content {
			t.Errorf("content %t:\n%s", content, text)
		}
	}
}

// Every way in which a run can end ends all spans, with the type of the error.
func TestEnds(t *testing.T) {
	down := failing{agent.Failure(agent.Network, "no route")}
	fast := agent.RetryConfig{MaxRetries: 2, Initial: 1, Max: 1}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	tests := []struct {
		name    string
		ctx     context.Context
		config  agent.Config
		answers []string
		want    string // error.type of the run
		retries float64
	}{
		{"limit", t.Context(), agent.Config{MaxTurns: 1}, []string{call("look", "{}")}, "", 0},
		{"circles", t.Context(), agent.Config{}, []string{call("look", "{}"), call("look", "{}"), call("look", "{}"), call("look", "{}")}, "LoopError", 0},
		{"network", t.Context(), agent.Config{Provider: down, Retry: fast}, nil, "NetworkError", 2},
		{"no more answers", t.Context(), agent.Config{}, nil, "ResourceError", 0},
		{"cut", t.Context(), agent.Config{}, []string{`data: {"choices":[{"index":0,"delta":{"content":"Do"}}]}` + "\n\n"}, "StreamEndedError", 0},
		{"length", t.Context(), agent.Config{}, []string{strings.Replace(done, `"stop"`, `"length"`, 1)}, "UnexpectedFinishError", 0},
		{"cancelled", ended, agent.Config{}, []string{done}, "cancelled", 0},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			w := listen(t, otel.Options{})
			w.run(t, test.ctx, test.config, test.answers...)
			if started, ended := len(w.spans.Started()), len(w.spans.Ended()); started != ended {
				t.Errorf("%d spans began, %d ended", started, ended)
			}
			lines := w.lines()
			run := lines[len(lines)-1]
			if !strings.HasPrefix(run, "invoke_agent ") || strings.Contains(run, "error.type="+test.want) != (test.want != "") || strings.Contains(run, "error.type") != (test.want != "") {
				t.Error(run)
			}
			if got := w.measures(t)["toolparse.agent.retries operation.name=chat provider.name=_OTHER"]; got != test.retries {
				t.Errorf("%v retries, want %v", got, test.retries)
			}
		})
	}
}

// A caller that stops ranging leaves no span open.
func TestAbandoned(t *testing.T) {
	for at := range 7 {
		w := listen(t, otel.Options{})
		p := provider.Replay(&provider.Recording{Answers: [][]byte{[]byte(call("look", "{}"))}}, provider.Config{})
		look := agent.NewTool("look", "A tool.", func(context.Context, struct{}) (string, error) { return "", nil })
		a, err := agent.New(agent.Config{Provider: p, Tools: []agent.Tool{look}})
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for range w.Run(t.Context(), a, agent.NewSession(), agent.Say("Go.")) {
			if n == at {
				break
			}
			n++
		}
		if started, ended := len(w.spans.Started()), len(w.spans.Ended()); started != ended || started == 0 {
			t.Errorf("after %d events: %d spans began, %d ended", at, started, ended)
		}
	}
}

func TestCoverage(t *testing.T) {
	w := listen(t, otel.Options{})
	w.Coverage(t.Context(), tools.Coverage{Percent: 75})
	if got := w.measures(t)["toolparse.agent.tool_coverage toolparse.complete=false"]; got != 0.75 {
		t.Errorf("coverage is %v", got)
	}
}

// failing is a provider that cannot be reached.
type failing struct{ err error }

func (failing) Name() string                              { return "failing" }
func (failing) Capabilities() (agent.Capabilities, error) { return agent.Capabilities{}, nil }
func (f failing) Stream(context.Context, *toolparse.Request) iter.Seq2[agent.Chunk, error] {
	return func(yield func(agent.Chunk, error) bool) { yield(agent.Chunk{}, f.err) }
}
