package gateway_test

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/toolparse/toolparse"
	"github.com/toolparse/toolparse/format"
	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/gateway"
	"github.com/toolparse/toolparse/internal/wire/all"
)

// keepAlives are the keep-alives of the wires.
var keepAlives = map[format.Wire]string{
	format.OpenAI: ": keep-alive\n\n", format.Responses: ": keep-alive\n\n", format.Anthropic: "event: ping\n",
}

// TestKeepAlive: a client that waits for long gets keep-alives, if its wire has any, and
// then the same answer or error in the stream.
func TestKeepAlive(t *testing.T) {
	for _, front := range format.Wires() {
		t.Run(string(front), func(t *testing.T) {
			waited := make(chan bool)
			u := newUpstream(t, format.OpenAI, chat.TextPart("Hi."))
			u.respond = func(w http.ResponseWriter, _ *http.Request) {
				<-waited
				codec, _ := all.CodecOf(u.wire)
				u.stream(w, codec, chat.Meta{Wire: string(u.wire), ID: "x", Model: "m-1"})
			}
			server := newGateway(t, u, func(o *gateway.Options) { o.Timeouts.KeepAlive = 5 * time.Millisecond })
			sign := keepAlives[front]
			if sign == "" {
				time.AfterFunc(50*time.Millisecond, func() { close(waited) })
			}
			res := post(t, server, front, conversation(true))
			body := bufio.NewReader(res.Body)
			var head strings.Builder
			for sign != "" && strings.Count(head.String(), sign) < 3 { // before the upstream answers
				line, err := body.ReadString('\n')
				if err != nil {
					t.Fatal(err)
				}
				head.WriteString(line)
			}
			if sign != "" {
				close(waited)
			}
			answer, text := collect(t, front, io.MultiReader(strings.NewReader(head.String()), body))
			if answer.Text != "Hi." || res.StatusCode != http.StatusOK {
				t.Errorf("%d %q", res.StatusCode, answer.Text)
			}
			if sign == "" && (strings.Contains(text, ": keep") || strings.Contains(text, "ping") || strings.Contains(text, "\n\n\n")) {
				t.Errorf("a sign of life that this client does not take:\n%s", text)
			}

			if sign == "" {
				return
			}
			u.respond = func(w http.ResponseWriter, _ *http.Request) {
				time.Sleep(50 * time.Millisecond)
				http.Error(w, `{"error":{"message":"the prompt is too long","code":"context_length_exceeded"}}`, http.StatusBadRequest)
			}
			res = post(t, server, front, conversation(true))
			kit, _ := toolparse.New(toolparse.Options{Wire: front})
			_, err := kit.Collect(res.Body)
			if err == nil || !strings.Contains(err.Error(), "the prompt is too long") || res.StatusCode != http.StatusOK {
				t.Errorf("%d %v", res.StatusCode, err)
			}
		})
	}
}

// TestFlush: each piece reaches the client before the next one is made.
func TestFlush(t *testing.T) {
	for _, front := range format.Wires() {
		t.Run(string(front), func(t *testing.T) {
			got := make(chan bool)
			u := newUpstream(t, format.OpenAI)
			u.respond = func(w http.ResponseWriter, r *http.Request) {
				for _, piece := range []string{"alpha ", "beta ", "gamma "} {
					fmt.Fprintf(w, "data: {\"id\":\"x\",\"model\":\"m\",\"choices\":[{\"index\":0,\"delta\":{\"content\":%q}}]}\n\n", piece)
					w.(http.Flusher).Flush()
					select {
					case <-got:
					case <-r.Context().Done():
						return
					}
				}
				io.WriteString(w, "data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n")
			}
			res := post(t, newGateway(t, u, nil), front, conversation(true))
			body := bufio.NewReader(res.Body)
			for _, piece := range []string{"alpha", "beta", "gamma"} {
				for {
					line, err := body.ReadString('\n')
					if err != nil {
						t.Fatal(err)
					}
					if strings.Contains(line, piece) {
						got <- true
						break
					}
				}
			}
			io.Copy(io.Discard, body)
		})
	}
}

// TestClientLeaves: the upstream stops working when the client has gone.
func TestClientLeaves(t *testing.T) {
	for _, stream := range []bool{true, false} {
		asked, left := make(chan bool, 1), make(chan bool)
		u := newUpstream(t, format.OpenAI)
		u.respond = func(w http.ResponseWriter, r *http.Request) {
			w.WriteHeader(http.StatusOK)
			w.(http.Flusher).Flush()
			asked <- true
			<-r.Context().Done()
			close(left)
		}
		server := newGateway(t, u, nil)
		ctx, cancel := context.WithCancel(t.Context())
		r, _ := http.NewRequestWithContext(ctx, http.MethodPost, server.URL+"/v1/chat/completions",
			strings.NewReader(fmt.Sprintf(`{"model":"m","stream":%v,"messages":[{"role":"user","content":"Hi"}]}`, stream)))
		r.Header.Set("Content-Type", "application/json")
		go func() {
			<-asked
			cancel()
		}()
		if res, err := http.DefaultClient.Do(r); err == nil {
			io.Copy(io.Discard, res.Body)
			res.Body.Close()
		}
		<-left
	}
}

// TestTimeouts: the gateway gives up an upstream that sends nothing, or nothing more.
func TestTimeouts(t *testing.T) {
	hang := func(r *http.Request) { <-r.Context().Done() }
	for _, tt := range []struct {
		name    string
		respond http.HandlerFunc
		status  int
		want    string
	}{
		{"no head", func(_ http.ResponseWriter, r *http.Request) { hang(r) }, 504, "in time"},
		{"no first byte", func(w http.ResponseWriter, r *http.Request) {
			w.WriteHeader(200)
			w.(http.Flusher).Flush()
			hang(r)
		}, 502, "silent"},
		{"half an error", func(w http.ResponseWriter, r *http.Request) {
			w.WriteHeader(400)
			io.WriteString(w, "no such thing")
			w.(http.Flusher).Flush()
			hang(r)
		}, 400, "no such thing"},
		{"nothing more", func(w http.ResponseWriter, r *http.Request) {
			io.WriteString(w, "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"Hi\"}}]}\n\n")
			w.(http.Flusher).Flush()
			hang(r)
		}, 200, "silent"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			u := newUpstream(t, format.OpenAI)
			u.respond = tt.respond
			server := newGateway(t, u, func(o *gateway.Options) {
				o.Timeouts.FirstByte, o.Timeouts.Idle = 30*time.Millisecond, 30*time.Millisecond
			})
			res := post(t, server, format.Anthropic, conversation(true))
			body, _ := io.ReadAll(res.Body)
			if res.StatusCode != tt.status || !strings.Contains(string(body), tt.want) {
				t.Errorf("%d %s", res.StatusCode, body)
			}
		})
	}
}

// TestLimits: input over a limit is rejected, or ends with an error.
func TestLimits(t *testing.T) {
	t.Run("requests at once", func(t *testing.T) {
		asked, finish := make(chan bool), make(chan bool)
		u := newUpstream(t, format.OpenAI)
		u.respond = func(http.ResponseWriter, *http.Request) {
			asked <- true
			<-finish
		}
		server := newGateway(t, u, func(o *gateway.Options) { o.Limits.Concurrent = 1 })
		var first sync.WaitGroup
		first.Go(func() { post(t, server, format.OpenAI, conversation(false)) })
		<-asked
		res := post(t, server, format.Gemini, conversation(false))
		if got := errorOf(t, format.Gemini, res); res.StatusCode != 503 || res.Header.Get("Retry-After") == "" {
			t.Errorf("%d %q", res.StatusCode, got)
		}
		close(finish)
		first.Wait()
	})
	t.Run("a slow request", func(t *testing.T) {
		u := newUpstream(t, format.OpenAI, chat.TextPart("Hi."))
		server := newGateway(t, u, func(o *gateway.Options) { o.Limits.Concurrent, o.Timeouts.Request = 1, 50*time.Millisecond })
		conn, err := net.Dial("tcp", server.Listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		io.WriteString(conn, "POST /v1/chat/completions HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 1000000\r\n\r\n{")
		told, err := io.ReadAll(conn) // until it is closed
		if err != nil || !strings.HasPrefix(string(told), "HTTP/1.1 408 ") || !strings.Contains(string(told), "within 50ms") {
			t.Errorf("%s %v", told, err)
		}
		for range 2 { // on one connection, which must have no deadline left
			res := post(t, server, format.OpenAI, conversation(false))
			io.Copy(io.Discard, res.Body)
			if res.StatusCode != 200 {
				t.Errorf("the place is not free: %d", res.StatusCode)
			}
			time.Sleep(60 * time.Millisecond)
		}
		slow := newUpstream(t, format.OpenAI, chat.TextPart("Hi."))
		slow.pause = 100 * time.Millisecond
		server = newGateway(t, slow, func(o *gateway.Options) { o.Timeouts.Request = 50 * time.Millisecond })
		if res := post(t, server, format.OpenAI, conversation(false)); res.StatusCode != 200 {
			t.Errorf("the time for the request ends the answer: %d", res.StatusCode)
		}
	})
	t.Run("a long line of the log", func(t *testing.T) {
		var log bytes.Buffer
		u := newUpstream(t, format.OpenAI, chat.TextPart("Hi."))
		server := newGateway(t, u, func(o *gateway.Options) { o.Log = slog.New(slog.NewTextHandler(&log, nil)) })
		postBody(t, server, "/v1/chat/completions", `{"model":"`+strings.Repeat("m", 1<<20)+`","messages":[{"role":"user","content":"Hi"}]}`)
		postBody(t, server, "/v1/"+strings.Repeat("p", 1<<18), `{}`)
		server.Close()
		if log.Len() > 5000 || !strings.Contains(log.String(), "mmmm") || !strings.Contains(log.String(), "pppp") {
			t.Errorf("%d bytes: %.300s", log.Len(), &log)
		}
	})
	t.Run("a long answer", func(t *testing.T) {
		u := newUpstream(t, format.OpenAI, chat.TextPart(strings.Repeat("long ", 1000)))
		server := newGateway(t, u, func(o *gateway.Options) { o.Limits.AnswerBytes = 1000 })
		res := post(t, server, format.OpenAI, conversation(true))
		body, _ := io.ReadAll(res.Body)
		if !strings.Contains(string(body), "too long") || len(body) > 20_000 {
			t.Errorf("%d bytes: %s", len(body), body[max(0, len(body)-300):])
		}
	})
}

// TestRetries: a request is repeated, after the upstream's wait, while nothing of an
// answer has come, and never later.
func TestRetries(t *testing.T) {
	for _, tt := range []struct {
		name       string
		status     int
		retryAfter string
		fails      int32
		want       int
		requests   int32
	}{
		{"busy for a moment", 503, "0", 2, 200, 3},
		{"busy for longer", 503, "0", 9, 503, 3},
		{"not before an hour", 429, "3600", 1, 429, 1},
		{"overloaded", 529, "0", 1, 200, 2},
		{"no such model", 404, "", 1, 404, 1},
		{"a broken server", 500, "", 1, 500, 1},
		{"later than the server may wait", 429, "2", 1, 429, 1},
		{"at a time that is over", 503, "Sun, 06 Nov 1994 08:49:37 GMT", 1, 200, 2},
		{"at a time that nobody waits for", 503, "Fri, 06 Nov 2093 08:49:37 GMT", 1, 503, 1},
		{"at no time at all", 503, "soon", 1, 503, 1},
		{"in more seconds than there are", 503, "99999999999999", 1, 503, 1},
		{"a redirect", 307, "", 1, 502, 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var requests atomic.Int32
			u := newUpstream(t, format.OpenAI, chat.TextPart("Hi."))
			u.respond = func(w http.ResponseWriter, _ *http.Request) {
				if n := requests.Add(1); n <= tt.fails {
					if tt.retryAfter != "" {
						w.Header().Set("Retry-After", tt.retryAfter)
					}
					http.Error(w, `{"error":{"message":"no"}}`, tt.status)
					return
				}
				codec, _ := all.CodecOf(u.wire)
				u.stream(w, codec, chat.Meta{Wire: string(u.wire), ID: "x", Model: "m-1"})
			}
			server := newGateway(t, u, func(o *gateway.Options) { o.Limits.Retries, o.Timeouts.Retry = 2, time.Second })
			res := post(t, server, format.OpenAI, conversation(true))
			io.Copy(io.Discard, res.Body)
			if tt.want/100 != 2 && tt.retryAfter != "" && res.Header.Get("Retry-After") != tt.retryAfter {
				t.Errorf("Retry-After %q", res.Header.Get("Retry-After"))
			}
			if res.StatusCode != tt.want || requests.Load() != tt.requests {
				t.Errorf("status %d after %d requests, want %d after %d", res.StatusCode, requests.Load(), tt.want, tt.requests)
			}
		})
	}
	t.Run("not after the first byte", func(t *testing.T) {
		u := newUpstream(t, format.OpenAI, chat.TextPart("Hi there, this will break."))
		u.cut.Store(true)
		server := newGateway(t, u, func(o *gateway.Options) { o.Limits.Retries = 2 })
		res := post(t, server, format.OpenAI, conversation(true))
		io.Copy(io.Discard, res.Body)
		if len(u.asked()) != 1 {
			t.Errorf("%d requests", len(u.asked()))
		}
	})
}

// TestKills ends the upstream's answer and the client at random moments: no request
// hangs, no goroutine is left, and no half call looks complete.
func TestKills(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 1))
	before := runtime.NumGoroutine()
	func() {
		text := "I look.\n<tool_call>\n{\"name\": \"get_weather\", \"arguments\": " + arguments + "}\n</tool_call>"
		var kill atomic.Int64
		u := newUpstream(t, format.OpenAI)
		u.respond = func(w http.ResponseWriter, r *http.Request) {
			for i, c := range []byte(text) {
				if int64(i) == kill.Load() {
					panic(http.ErrAbortHandler)
				}
				fmt.Fprintf(w, "data: {\"id\":\"x\",\"choices\":[{\"index\":0,\"delta\":{\"content\":%q}}]}\n\n", string(c))
				w.(http.Flusher).Flush()
			}
			io.WriteString(w, "data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n")
		}
		gw, err := gateway.New(gateway.Options{Targets: []gateway.Target{{Upstream: u.base(), Dialect: dialectNamed(t, "hermes")}}})
		if err != nil {
			t.Fatal(err)
		}
		held, err := gateway.New(gateway.Options{Targets: []gateway.Target{{Upstream: u.base(), Dialect: dialectNamed(t, "hermes"), Reask: 2}}, Inspect: true})
		if err != nil {
			t.Fatal(err)
		}
		server, holding := httptest.NewServer(gw), httptest.NewServer(held) // holds answers and asks again
		closer := strings.Index(text, "}}") + 1                             // from here on the arguments are complete, and only closers are missing
		for range 100 {
			front := format.Wires()[random.IntN(len(format.Wires()))]
			at := random.IntN(len(text))
			kill.Store(int64(at))
			to := server
			if random.IntN(3) == 0 {
				to = holding
			}
			res := post(t, to, front, conversation(true))
			if random.IntN(3) == 0 {
				io.CopyN(io.Discard, res.Body, random.Int64N(500))
				res.Body.Close() // the client leaves
				continue
			}
			kit, _ := toolparse.New(toolparse.Options{Wire: front})
			answer, err := kit.Collect(res.Body)
			res.Body.Close()
			if err == nil {
				t.Errorf("%s: killed at %d, and the answer looks whole: %+v", front, at, answer)
			}
			if runnable := len(answer.Runnable()); runnable > 0 && at < closer {
				t.Errorf("%s: killed at %d, and the half call can be run: %+v", front, at, answer.Calls)
			}
		}
		server.Close()
		holding.Close()
		gw.Close()
		held.Close()
		u.Close()
	}()
	http.DefaultClient.CloseIdleConnections()
	for range 200 {
		if runtime.NumGoroutine() <= before+2 {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	buf := make([]byte, 1<<20)
	t.Errorf("%d goroutines, %d before:\n%s", runtime.NumGoroutine(), before, buf[:runtime.Stack(buf, true)])
}

// TestMetrics: /metrics counts requests, calls and retries, and contains no text of the
// conversation.
func TestMetrics(t *testing.T) {
	u := newUpstream(t, format.OpenAI, chat.TextPart(`<tool_call>{"name": "get_weather", "arguments": `+arguments+`}</tool_call>`), chat.CallPart("call_1", "get_weather", `{"city":"Rome"}`))
	server := newGateway(t, u, nil)
	for _, front := range []format.Wire{format.Anthropic, format.Gemini} {
		res := post(t, server, front, conversation(true))
		io.Copy(io.Discard, res.Body)
	}
	postBody(t, server, "/v1/messages", "{")
	want := []string{
		`toolparse_requests_total{status="200",wire="anthropic"} 1`, `toolparse_requests_total{status="200",wire="gemini"} 1`,
		`toolparse_requests_total{status="400",wire="anthropic"} 1`, `toolparse_calls_total{kind="native"} 2`, `toolparse_calls_total{kind="recovered"} 2`,
		`toolparse_request_seconds_count{wire="gemini"} 1`, `toolparse_retries_total 0`, `toolparse_requests_running 0`,
	}
	var page string
	for range 100 { // a request is counted a moment after its client has the answer
		page = get(t, server.URL+"/metrics")
		if strings.Count(page, "toolparse_requests_total{") == 3 && strings.Contains(page, want[7]) {
			break
		}
		time.Sleep(5 * time.Millisecond)
	}
	for _, line := range want {
		if !strings.Contains(page, line+"\n") {
			t.Errorf("no line %s in\n%s", line, page)
		}
	}
	if strings.Contains(page, "Oslo") || strings.Contains(page, "get_weather") {
		t.Errorf("it tells what was written:\n%s", page)
	}
}

// TestBackpressure: a client that does not read stops the upstream from writing, and is
// given up after a time, together with its answer.
func TestBackpressure(t *testing.T) {
	var wrote atomic.Int64
	ended := make(chan bool)
	u := newUpstream(t, format.OpenAI)
	u.respond = func(w http.ResponseWriter, _ *http.Request) {
		defer close(ended)
		event := []byte(`data: {"id":"x","choices":[{"index":0,"delta":{"content":"` + strings.Repeat("y", 10_000) + `"}}]}` + "\n\n")
		for {
			n, err := w.Write(event)
			if err != nil {
				return
			}
			wrote.Add(int64(n))
		}
	}
	server := newGateway(t, u, func(o *gateway.Options) { o.Timeouts.Write = 300 * time.Millisecond })
	res := post(t, server, format.Anthropic, conversation(true))
	select {
	case <-ended:
	case <-time.After(20 * time.Second):
		t.Fatal("the upstream writes on for a client that does not read")
	}
	if n := wrote.Load(); n > 64<<20 { // more than the buffers of four connections
		t.Errorf("the upstream wrote %d bytes", n)
	}
	if _, err := io.Copy(io.Discard, res.Body); err == nil {
		t.Error("the answer looks whole")
	}
}
