package gateway_test

import (
	"bytes"
	"context"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/toolparse/toolparse"
	"github.com/toolparse/toolparse/format"
	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/gateway"
	"github.com/toolparse/toolparse/internal/wire"
	"github.com/toolparse/toolparse/internal/wire/all"
	"github.com/toolparse/toolparse/toolcall"
)

// TestChaos kills the upstream, the client and the gateway at random moments of streams
// of every pair of wires, natively and in several dialects: every request ends, no
// goroutine is left, and every call that can run is complete.
func TestChaos(t *testing.T) {
	rounds := 20
	if testing.Short() {
		rounds = 2
	}
	before := runtime.NumGoroutine()
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	for range rounds {
		chaos(t, random)
	}
	http.DefaultClient.CloseIdleConnections()
	for deadline := time.Now().Add(20 * time.Second); runtime.NumGoroutine() > before; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			stacks := make([]byte, 1<<16)
			t.Fatalf("%d goroutines are left:\n%s", runtime.NumGoroutine()-before, stacks[:runtime.Stack(stacks, true)])
		}
	}
}

// chaosDialects have different syntaxes: JSON in tags, only tags, and special tokens.
var chaosDialects = []string{"hermes", "qwen3_coder", "xml", "kimi_k2", "deepseek_v3"}

// chaos runs streams of all kinds at the same time, and shuts down what they use.
func chaos(t *testing.T, random *rand.Rand) {
	soon := func() time.Duration { return time.Duration(random.IntN(int(100 * time.Millisecond))) } // within the time of an answer
	var requests sync.WaitGroup
	for _, wire := range format.Wires() {
		for _, mode := range []string{"", chaosDialects[random.IntN(len(chaosDialects))]} {
			answer := []chat.Part{chat.TextPart("I look."), chat.CallPart("call_2", "get_weather", arguments)}
			if mode != "" {
				answer = []chat.Part{chat.TextPart(written(t, mode, "I look.", toolcall.ToolInvocation{Name: "get_weather", Arguments: []byte(arguments)}))}
			}
			up := newUpstream(t, wire, answer...)
			up.pause = 4 * time.Millisecond
			opts := gateway.Options{Targets: []gateway.Target{{Upstream: up.base(), Wire: wire}}, Timeouts: gateway.Timeouts{KeepAlive: 10 * time.Millisecond}}
			if mode != "" {
				opts.Targets[0].Dialect = dialectNamed(t, mode)
				opts.Targets[0].Reask = random.IntN(2)
			}
			gw, err := gateway.New(opts)
			if err != nil {
				t.Fatal(err)
			}
			server := httptest.NewServer(gw)
			for _, front := range format.Wires() {
				patience := time.Hour
				if random.IntN(3) == 0 {
					patience = soon()
				}
				stream := random.IntN(4) > 0
				requests.Go(func() { ask(t, server.URL, front, stream, patience) })
			}
			killed, when := random.IntN(4), soon()
			requests.Go(func() {
				time.Sleep(when)
				switch killed {
				case 0:
					up.CloseClientConnections()
				case 1:
					server.CloseClientConnections()
				case 2: // does not affect requests in progress
					if err := gw.Reload(opts); err != nil {
						t.Error(err)
					}
				}
			})
			defer gw.Close()
			defer up.Close()
			defer server.Close()
		}
	}
	ended := make(chan bool)
	go func() {
		requests.Wait()
		close(ended)
	}()
	select {
	case <-ended:
	case <-time.After(3 * time.Minute): // on a busy machine, nearly every keep-alive of every stream fires
		stacks := make([]byte, 1<<16)
		t.Fatalf("a request hangs:\n%s", stacks[:runtime.Stack(stacks, true)])
	}
}

// ask sends a request, leaves after a random time, and checks what it got.
func ask(t *testing.T, url string, front format.Wire, stream bool, patience time.Duration) {
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	codec, _ := all.CodecOf(front)
	request := conversation(stream)
	body, _ := codec.EncodeRequest(request, wire.Options{})
	if front == format.Ollama && !stream {
		body = bytes.Replace(body, []byte("{"), []byte(`{"stream":false,`), 1)
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, url+pathOf(front, stream), bytes.NewReader(body))
	if err != nil {
		t.Error(err)
		return
	}
	r.Header.Set("Content-Type", "application/json")
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		return // the gateway or the client is gone
	}
	defer res.Body.Close()
	got, cut := io.ReadAll(res.Body)
	kit, err := toolparse.New(toolparse.Options{Wire: front, Tools: []toolcall.ToolDefinition{weatherTool}})
	if err != nil {
		t.Error(err)
		return
	}
	answer, err := kit.Collect(bytes.NewReader(got))
	for _, call := range answer.Runnable() {
		if args := strings.ReplaceAll(string(call.Arguments), " ", ""); call.Name != weatherTool.Name || args != arguments {
			t.Errorf("%s, stream=%v: %s %s can be run:\n%s", front, stream, call.Name, call.Arguments, got)
		}
	}
	if err == nil && cut == nil && len(answer.Runnable()) != 1 {
		t.Errorf("%s, stream=%v, status %d: the answer looks whole, and is not:\n%s", front, stream, res.StatusCode, got)
	}
}
