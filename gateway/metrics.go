package gateway

import (
	"net/http"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// metrics are the metrics on /metrics. No label has a value that a client or an upstream
// can choose, so that the number of series stays below a few hundred.
type metrics struct {
	requests   *prometheus.CounterVec   // by front and status
	seconds    *prometheus.HistogramVec // by front
	calls      *prometheus.CounterVec   // by place
	tolerances prometheus.Counter
	losses     prometheus.Counter
	retries    prometheus.Counter
	reasked    prometheus.Counter
	running    prometheus.GaugeFunc
	handler    http.Handler
}

func newMetrics(running func() float64) *metrics {
	counter := func(name, help string) prometheus.CounterOpts {
		return prometheus.CounterOpts{Namespace: "toolparse", Name: name, Help: help}
	}
	m := &metrics{
		requests: prometheus.NewCounterVec(counter("requests_total", "Requests answered, by the client's wire format and the status."), []string{"wire", "status"}),
		seconds: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Namespace: "toolparse", Name: "request_seconds", Help: "How long requests took, to the last byte.",
			Buckets: []float64{.01, .03, .1, .3, 1, 3, 10, 30, 100, 300, 1000},
		}, []string{"wire"}),
		calls:      prometheus.NewCounterVec(counter("calls_total", "Complete tool calls in answers: native, in text where the model writes them so, or recovered from it."), []string{"kind"}),
		tolerances: prometheus.NewCounter(counter("tolerated_calls_total", "Calls that needed a tolerance.")),
		losses:     prometheus.NewCounter(counter("request_losses_total", "Parts of requests that the upstream's wire format, or the text, could not express.")),
		retries:    prometheus.NewCounter(counter("retries_total", "Requests that were sent to the upstream again.")),
		reasked:    prometheus.NewCounter(counter("reasked_total", "Answers that were requested again because a call in them was broken.")),
		running: prometheus.NewGaugeFunc(prometheus.GaugeOpts{
			Namespace: "toolparse", Name: "requests_running", Help: "Requests in progress.",
		}, running),
	}
	registry := prometheus.NewRegistry()
	registry.MustRegister(m.requests, m.seconds, m.calls, m.tolerances, m.losses, m.retries, m.reasked, m.running)
	m.handler = promhttp.HandlerFor(registry, promhttp.HandlerOpts{})
	return m
}

// The places of calls.
const (
	callNative    = "native"
	callText      = "text"
	callRecovered = "recovered"
)

// add counts a request that has been answered.
func (m *metrics) add(f *front, e *entry, took time.Duration) {
	wire := string(f.wire)
	m.requests.WithLabelValues(wire, strconv.Itoa(e.status)).Inc()
	m.seconds.WithLabelValues(wire).Observe(took.Seconds())
	kind := callNative
	if !e.native {
		kind = callText
	}
	m.calls.WithLabelValues(kind).Add(float64(e.counts.calls - e.counts.recovered))
	m.calls.WithLabelValues(callRecovered).Add(float64(e.counts.recovered))
	m.tolerances.Add(float64(e.counts.tolerances))
	m.losses.Add(float64(e.losses))
	m.retries.Add(float64(e.retries))
	m.reasked.Add(float64(e.reasked))
}
