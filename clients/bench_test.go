package clients

import (
	"bytes"
	"io"
	"net/http"
	"net/url"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/anthropics/anthropic-sdk-go"
	anthropicoption "github.com/anthropics/anthropic-sdk-go/option"
	"github.com/ollama/ollama/api"
	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
	"google.golang.org/genai"

	"github.com/toolparse/toolparse/format"
)

// answer is a server that is asked without a network.
type answer struct {
	kind string
	body []byte
}

func (a answer) RoundTrip(r *http.Request) (*http.Response, error) {
	return &http.Response{
		Status: "200 OK", StatusCode: http.StatusOK, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Request: r,
		Header: http.Header{"Content-Type": {a.kind}}, Body: io.NopCloser(bytes.NewReader(a.body)), ContentLength: int64(len(a.body)),
	}, nil
}

// decoders are the clients' own: each decodes a stream, does nothing with it,
// and tells how many events there were.
var decoders = map[format.Wire]func(testing.TB, *http.Client) int{
	format.OpenAI: func(tb testing.TB, h *http.Client) (events int) {
		client := openai.NewClient(option.WithAPIKey("none"), option.WithHTTPClient(h))
		s := client.Chat.Completions.NewStreaming(tb.Context(), hello())
		for s.Next() {
			_ = s.Current()
			events++
		}
		failOn(tb, s.Err())
		return events
	},
	format.Responses: func(tb testing.TB, h *http.Client) (events int) {
		client := openai.NewClient(option.WithAPIKey("none"), option.WithHTTPClient(h))
		s := client.Responses.NewStreaming(tb.Context(), helloResponses())
		for s.Next() {
			_ = s.Current()
			events++
		}
		failOn(tb, s.Err())
		return events
	},
	format.Anthropic: func(tb testing.TB, h *http.Client) (events int) {
		client := anthropic.NewClient(anthropicoption.WithAPIKey("none"), anthropicoption.WithHTTPClient(h))
		s := client.Messages.NewStreaming(tb.Context(), helloAnthropic())
		for s.Next() {
			_ = s.Current()
			events++
		}
		failOn(tb, s.Err())
		return events
	},
	format.Gemini: func(tb testing.TB, h *http.Client) (events int) {
		client, err := genai.NewClient(tb.Context(), &genai.ClientConfig{APIKey: "none", Backend: genai.BackendGeminiAPI, HTTPClient: h})
		failOn(tb, err)
		for _, err := range client.Models.GenerateContentStream(tb.Context(), "m", genai.Text("hello"), nil) {
			failOn(tb, err)
			events++
		}
		return events
	},
	format.Ollama: func(tb testing.TB, h *http.Client) (events int) {
		client := api.NewClient(&url.URL{Scheme: "http", Host: "none"}, h)
		failOn(tb, client.Chat(tb.Context(), &api.ChatRequest{Model: "m"}, func(api.ChatResponse) error {
			events++
			return nil
		}))
		return events
	},
}

func failOn(tb testing.TB, err error) {
	tb.Helper()
	if err != nil {
		tb.Fatal(err)
	}
}

// beside runs the client's decoder and our code in turns, and reports how many
// times as long the client takes. Medians stand for what the machine's other
// work does to single rounds.
func (l long) beside(b *testing.B, body []byte, ours func()) {
	b.Helper()
	h := &http.Client{Transport: answer{contentType(l.wire, true), body}}
	var theirs, own []time.Duration
	var mallocs uint64
	var before, after runtime.MemStats
	for b.Loop() {
		begin := time.Now()
		if events := decoders[l.wire](b, h); events < longDeltas*99/100 {
			b.Fatalf("the client tells %d events", events)
		}
		theirs = append(theirs, time.Since(begin))
		runtime.ReadMemStats(&before)
		begin = time.Now()
		ours()
		own = append(own, time.Since(begin))
		runtime.ReadMemStats(&after)
		mallocs += after.Mallocs - before.Mallocs
	}
	slices.Sort(theirs)
	slices.Sort(own)
	median := own[len(own)/2].Seconds()
	b.ReportMetric(0, "ns/op") // of both, which says nothing
	b.ReportMetric(theirs[len(theirs)/2].Seconds()/median, "x-client")
	b.ReportMetric(float64(mallocs)/float64(len(own))/longDeltas, "allocs/delta")
	b.ReportMetric(median*1e9/longDeltas, "ns/delta")
	b.ReportMetric(float64(len(body))/1e6/median, "MB/s")
}

// BenchmarkDecode decodes a stream of 10,000 deltas.
func BenchmarkDecode(b *testing.B) {
	for _, l := range longs {
		b.Run(string(l.wire), func(b *testing.B) {
			body := l.body(b, longDeltas)
			l.beside(b, body, func() { drain(b, bytes.NewReader(body), l.wire) })
		})
	}
}

// BenchmarkTranslate translates it, beside the same decoder, which only decodes.
func BenchmarkTranslate(b *testing.B) {
	for _, l := range longs {
		for _, to := range format.Wires() {
			b.Run(string(l.wire)+"/to="+string(to), func(b *testing.B) {
				body := l.body(b, longDeltas)
				l.beside(b, body, func() {
					_, err := format.TranslateStream(io.Discard, bytes.NewReader(body), l.wire, to, format.TranslateOptions{})
					failOn(b, err)
				})
			})
		}
	}
}
