package gateway_test

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	neturl "net/url"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/toolparse/toolparse/format"
	"github.com/toolparse/toolparse/gateway"
	"github.com/toolparse/toolparse/internal/wire"
	"github.com/toolparse/toolparse/internal/wire/all"
)

// pieces is the number of events in a stream of text. The first is sent alone, as by a
// model, so that it need not wait for the others.
const (
	pieces = 500
	pause  = 3 * time.Millisecond
)

// BenchmarkOverhead sends requests to an upstream directly, through a plain reverse proxy
// and through the gateway, in turns, with 40 tools and a stream of 500 pieces. It reports
// the ratio of the times with the gateway and with the proxy; what the gateway adds
// before the first byte, compared with no proxy (µs-first) and with the proxy
// (µs-first-proxy); and what it adds to each piece. The values are of the fastest tenth,
// because a busy machine slows down the rest.
func BenchmarkOverhead(b *testing.B) {
	up, _ := newReplay(b, "")
	for _, tt := range []struct {
		name, dialect string
		front         format.Wire
	}{
		{"through", "", format.OpenAI}, {"anthropic front", "", format.Anthropic}, {"responses front", "", format.Responses},
		{"text", "hermes", format.OpenAI}, {"anthropic front, text", "hermes", format.Anthropic},
	} {
		b.Run(tt.name, func(b *testing.B) {
			times := inTurns(b, []string{up, newPlainProxy(b, up), newGatewayTo(b, up, tt.dialect)}, tt.front, 10)
			direct, proxy, own := times[0], times[1], times[2]
			b.ReportMetric(float64(own.all)/float64(proxy.all), "x-proxy")
			b.ReportMetric(float64((own.first - direct.first).Microseconds()), "µs-first")
			b.ReportMetric(float64((own.first - proxy.first).Microseconds()), "µs-first-proxy")
			b.ReportMetric(float64(((own.all-own.first)-(proxy.all-proxy.first)).Nanoseconds())/pieces/1000, "µs/piece")
			b.ReportMetric(0, "ns/op")
		})
	}
}

// BenchmarkBeside sends requests through a plain reverse proxy, the gateway and another
// gateway, in turns, and then from eight clients at once. The other gateway is at the URL
// $TOOLPARSE_BESIDE; its upstream, which all use, at $TOOLPARSE_BESIDE_UPSTREAM (host and
// port). clients/litellm.sh runs it.
func BenchmarkBeside(b *testing.B) {
	other, at := os.Getenv("TOOLPARSE_BESIDE"), os.Getenv("TOOLPARSE_BESIDE_UPSTREAM")
	if other == "" || at == "" {
		b.Skip("there is no other gateway")
	}
	up, hurry := newReplay(b, at)
	names := []string{"proxy", "toolparse", "toolparse-text", "other"}
	ways := []string{newPlainProxy(b, up), newGatewayTo(b, up, ""), newGatewayTo(b, up, "hermes"), other}
	for i, t := range inTurns(b, ways, format.OpenAI, 2) {
		b.ReportMetric(float64(t.first.Microseconds()), names[i]+"-µs-first")
		b.ReportMetric(float64(t.all.Microseconds()), names[i]+"-µs-all")
	}
	hurry()
	const asks = 48
	body := requestBody(b, format.OpenAI)
	for i, way := range ways {
		b.ReportMetric(asks/askAtOnce(b, way, format.OpenAI, body, asks).Seconds(), names[i]+"-requests/s")
	}
	b.ReportMetric(0, "ns/op")
}

// BenchmarkRequests asks through a plain reverse proxy and through the gateway in turns, from
// eight clients at once, with 40 tools and a stream of 500 pieces, and reports how many
// requests a second each answers. Client, upstream and gateway share the cores.
func BenchmarkRequests(b *testing.B) {
	up, hurry := newReplay(b, "")
	hurry()
	names := []string{"proxy", "through", "text"}
	ways := []string{newPlainProxy(b, up), newGatewayTo(b, up, ""), newGatewayTo(b, up, "hermes")}
	body := requestBody(b, format.Anthropic)
	const asks = 64
	times := make([]time.Duration, len(ways))
	rounds := 0
	for b.Loop() {
		for i, way := range ways {
			times[i] += askAtOnce(b, way, format.Anthropic, body, asks)
		}
		rounds++
	}
	for i := range ways {
		b.ReportMetric(float64(rounds*asks)/times[i].Seconds(), names[i]+"-requests/s")
	}
	b.ReportMetric(0, "ns/op")
}

// askAtOnce asks from eight clients, and returns how long all of it takes.
func askAtOnce(b *testing.B, url string, front format.Wire, body []byte, asks int) time.Duration {
	const clients = 8
	began := time.Now()
	var all sync.WaitGroup
	for range clients {
		all.Go(func() {
			for range asks / clients {
				askFor(b, url, front, body)
			}
		})
	}
	all.Wait()
	return time.Since(began)
}

// newReplay starts an upstream that answers with one stream, at an address or any. It pauses
// after the first piece until it is told to hurry.
func newReplay(b *testing.B, address string) (url string, hurry func()) {
	var hurries atomic.Bool
	stream := strings.Repeat("data: {\"id\":\"x\",\"object\":\"chat.completion.chunk\",\"created\":1,\"model\":\"m-1\",\"choices\":[{\"index\":0,\"delta\":{\"content\":\"some words \"},\"finish_reason\":null}]}\n\n", pieces) +
		"data: {\"id\":\"x\",\"object\":\"chat.completion.chunk\",\"created\":1,\"model\":\"m-1\",\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n"
	up := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", "text/event-stream")
		first, rest, _ := strings.Cut(stream, "\n\n")
		io.WriteString(w, first+"\n\n")
		w.(http.Flusher).Flush()
		if !hurries.Load() {
			time.Sleep(pause)
		}
		io.WriteString(w, rest)
	}))
	if address != "" {
		up.Listener.Close()
		var err error
		if up.Listener, err = net.Listen("tcp", address); err != nil {
			b.Fatal(err)
		}
	}
	up.Start()
	b.Cleanup(up.Close)
	return up.URL, func() { hurries.Store(true) }
}

func newPlainProxy(b *testing.B, up string) (url string) {
	target, err := neturl.Parse(up)
	if err != nil {
		b.Fatal(err)
	}
	proxy := httptest.NewServer(httputil.NewSingleHostReverseProxy(target))
	b.Cleanup(proxy.Close)
	return proxy.URL
}

func newGatewayTo(b *testing.B, up, mode string) (url string) {
	opts := gateway.Options{Targets: []gateway.Target{{Upstream: up + "/v1"}}}
	if mode != "" {
		opts.Targets[0].Dialect = dialectNamed(b, mode)
	}
	gw, err := gateway.New(opts)
	if err != nil {
		b.Fatal(err)
	}
	server := httptest.NewServer(gw)
	b.Cleanup(func() {
		server.Close()
		gw.Close()
	})
	return server.URL
}

func requestBody(b *testing.B, front format.Wire) []byte {
	request := conversation(true)
	request.Tools = append(request.Tools, manyTools(40)...)
	codec, _ := all.CodecOf(front)
	body, _ := codec.EncodeRequest(request, wire.Options{})
	return body
}

// took has the times to the first and the last byte of an answer.
type took struct{ first, all time.Duration }

// inTurns sends requests to several servers in turns, and returns the time below which
// one in n is: the median for 2.
func inTurns(b *testing.B, servers []string, front format.Wire, n int) []took {
	body := requestBody(b, front)
	for _, url := range servers {
		askFor(b, url, front, body) // fills the caches
	}
	firsts, alls := make([][]time.Duration, len(servers)), make([][]time.Duration, len(servers))
	for b.Loop() {
		for i, url := range servers {
			t := askFor(b, url, front, body)
			firsts[i], alls[i] = append(firsts[i], t.first), append(alls[i], t.all)
		}
	}
	times := make([]took, len(servers))
	for i := range servers {
		slices.Sort(firsts[i])
		slices.Sort(alls[i])
		times[i] = took{firsts[i][len(firsts[i])/n], alls[i][len(alls[i])/n]}
	}
	return times
}

func askFor(b *testing.B, url string, front format.Wire, body []byte) took {
	began := time.Now()
	res, err := http.Post(url+pathOf(front, true), "application/json", bytes.NewReader(body))
	if err != nil {
		b.Error(err)
		return took{}
	}
	defer res.Body.Close()
	var one [1]byte
	io.ReadFull(res.Body, one[:])
	first := time.Since(began)
	io.Copy(io.Discard, res.Body)
	if res.StatusCode != http.StatusOK {
		b.Errorf("%s: status %d", url, res.StatusCode)
	}
	return took{first, time.Since(began)}
}

// BenchmarkPrepare converts a client's request with 40 tools, which is nearly all that
// the gateway does before it sends a request: the first request with these tools, for which
// it also compiles their schemas, and later ones.
func BenchmarkPrepare(b *testing.B) {
	for _, wire := range format.Wires() {
		for _, mode := range []string{"", "hermes"} {
			opts := gateway.Options{Targets: []gateway.Target{{Upstream: "http://127.0.0.1:1/v1", Model: "m-1"}}}
			if mode != "" {
				opts.Targets[0].Dialect = dialectNamed(b, mode)
			}
			gw, err := gateway.New(opts)
			if err != nil {
				b.Fatal(err)
			}
			body := requestBody(b, wire)
			prepare := func(b *testing.B) {
				if _, _, err := gw.Rewrite(wire, body); err != nil {
					b.Fatal(err)
				}
			}
			name := string(wire) + "/" + cmp.Or(mode, "native")
			b.Run(name+"/first", func(b *testing.B) {
				b.ReportAllocs()
				at := bytes.Index(body, []byte("Does something"))
				for n := 0; b.Loop(); n++ {
					copy(body[at:], fmt.Sprintf("%04d", n%10000)) // other tools
					prepare(b)
				}
			})
			b.Run(name+"/again", func(b *testing.B) {
				prepare(b)
				b.SetBytes(int64(len(body)))
				b.ReportAllocs()
				for b.Loop() {
					prepare(b)
				}
			})
			gw.Close()
		}
	}
}
