package gateway_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/toolparse/toolparse/format"
	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/gateway"
	"github.com/toolparse/toolparse/internal/wire"
	"github.com/toolparse/toolparse/internal/wire/all"
	"github.com/toolparse/toolparse/toolcall"
)

// Limits for the memory of a stream, in bytes, without the 40 KB of its two connections
// with their buffers and goroutines, which are net/http's. A stream takes 9 KB of heap,
// and its calls make one stack grow by 8 KB.
const (
	maxHeapPerStream  = 16 << 10
	maxStackPerStream = 24 << 10
)

// TestStreamMemory: many slow streams with many tools take little memory each (less than
// with a plain proxy, which the long form measures), no more as they continue, and none
// after their end.
func TestStreamMemory(t *testing.T) {
	streams, ticks := 1000, 20
	if testing.Short() {
		streams, ticks = 100, 3
	}
	up := newSlowUpstream(t)
	target := &url.URL{Scheme: "http", Host: up.Addr().String()}
	connections := perStream(t, "connections alone", up, passOn(target), streams, ticks)
	most := memory{heap: connections.heap + maxHeapPerStream, stack: connections.stack + maxStackPerStream}
	if raceDetector() {
		most.stack += maxStackPerStream // its frames are larger
	}
	if !testing.Short() {
		proxy := perStream(t, "a plain proxy", up, httputil.NewSingleHostReverseProxy(target), streams, ticks)
		most.heap = min(most.heap, proxy.heap) // its copy buffer alone has 32 KB
	}
	for _, mode := range []string{"", "hermes"} {
		opts := gateway.Options{Targets: []gateway.Target{{Upstream: target.String() + "/v1"}}}
		if mode != "" {
			opts.Targets[0].Dialect = dialectNamed(t, mode)
		}
		gw, err := gateway.New(opts)
		if err != nil {
			t.Fatal(err)
		}
		each := perStream(t, "the gateway, mode="+mode, up, gw, streams, ticks)
		if each.heap > most.heap || each.stack > most.stack {
			t.Errorf("mode=%s: %v a stream, at most %v", mode, each, most)
		}
		gw.Close()
	}
}

// passOn is a minimal proxy.
func passOn(target *url.URL) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		out, _ := http.NewRequestWithContext(r.Context(), http.MethodPost, target.JoinPath(r.URL.Path).String(), r.Body)
		res, err := http.DefaultTransport.RoundTrip(out)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		defer res.Body.Close()
		var buf [512]byte
		for {
			n, err := res.Body.Read(buf[:])
			if _, gone := w.Write(buf[:n]); gone != nil || err != nil {
				return
			}
			w.(http.Flusher).Flush()
		}
	})
}

// perStream measures the memory of a stream in a handler, at its beginning or later.
func perStream(t *testing.T, name string, up *slowUpstream, handler http.Handler, streams, ticks int) memory {
	t.Helper()
	server := httptest.NewServer(handler)
	defer server.Close()
	request := conversation(true)
	request.Tools = append(request.Tools, manyTools(40)...)
	codec, _ := all.CodecOf(format.Anthropic)
	body, _ := codec.EncodeRequest(request, wire.Options{})
	ask := fmt.Appendf(nil, "POST /v1/messages HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", len(body), body)
	var conns []net.Conn
	defer func() {
		for _, conn := range conns {
			conn.Close()
		}
		up.hangUp()
	}()
	open := func() {
		conn, err := net.Dial("tcp", server.Listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		conns = append(conns, conn)
		if _, err := conn.Write(ask); err != nil {
			t.Fatal(err)
		}
		readUntil(t, conn, "tick")
	}
	idle := runtime.NumGoroutine()
	for range streams / 4 {
		open() // allocates what all streams share
	}
	before := memoryInUse()
	for range streams {
		open()
	}
	each := memoryInUse().since(before, streams)
	for range ticks {
		up.tick()
		for _, conn := range conns {
			readUntil(t, conn, "tick")
		}
	}
	later := memoryInUse().since(before, streams)
	t.Logf("%s: %v a stream, %v after %d events", name, each, later, ticks)
	if later.heap > each.heap*6/5 || later.stack > each.stack*6/5 {
		t.Errorf("%s: it grows", name)
	}
	for _, conn := range conns {
		conn.Close()
	}
	up.hangUp()
	const few = 4 // of the server and its upstream
	for deadline := time.Now().Add(20 * time.Second); runtime.NumGoroutine() > idle+few; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Errorf("%s: %d goroutines are left of %d streams", name, runtime.NumGoroutine()-idle, streams)
			break
		}
	}
	http.DefaultTransport.(*http.Transport).CloseIdleConnections() // up has closed them, so that no other handler may use them
	return memory{heap: max(each.heap, later.heap), stack: max(each.stack, later.stack)}
}

// memory is in bytes.
type memory struct{ heap, stack int }

func (m memory) String() string {
	return fmt.Sprintf("%d bytes of heap and %d of stack", m.heap, m.stack)
}

// since returns the increase for each of n streams.
func (m memory) since(before memory, n int) memory {
	return memory{heap: (m.heap - before.heap) / n, stack: (m.stack - before.stack) / n}
}

// raceDetector reports whether the program was built with the race detector.
func raceDetector() bool {
	info, _ := debug.ReadBuildInfo()
	return slices.Contains(info.Settings, debug.BuildSetting{Key: "-race", Value: "true"})
}

// memoryInUse returns the memory that the program uses.
func memoryInUse() memory {
	var m runtime.MemStats
	for range 4 { // pools are empty after the second collection, and each one halves stacks that are too large
		runtime.GC()
	}
	runtime.ReadMemStats(&m)
	return memory{heap: int(m.HeapAlloc), stack: int(m.StackInuse)}
}

func readUntil(t *testing.T, conn net.Conn, word string) {
	t.Helper()
	var got []byte
	var buf [1024]byte
	conn.SetReadDeadline(time.Now().Add(20 * time.Second))
	for !bytes.Contains(got, []byte(word)) {
		n, err := conn.Read(buf[:])
		if err != nil {
			t.Fatalf("%v after %q", err, got)
		}
		got = append(got, buf[:n]...)
	}
}

func manyTools(n int) []chat.Tool {
	tools := make([]chat.Tool, n)
	for i := range tools {
		tools[i] = chat.Tool{ToolDefinition: toolcall.ToolDefinition{
			Name: fmt.Sprintf("tool_%d", i), Description: "Does something to a file that is named by its path.",
			Parameters: []byte(`{"type":"object","properties":{"path":{"type":"string","description":"the path"},"lines":{"type":"array","items":{"type":"integer"}},"force":{"type":"boolean"}},"required":["path"]}`),
		}}
	}
	return tools
}

// slowUpstream is a server whose streams continue when the test says so. It holds only
// their connections, so that the test measures the gateway.
type slowUpstream struct {
	net.Listener
	mu    sync.Mutex
	conns []net.Conn
}

func newSlowUpstream(t *testing.T) *slowUpstream {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	u := &slowUpstream{Listener: listener}
	t.Cleanup(func() {
		listener.Close()
		u.hangUp()
	})
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go u.begin(conn)
		}
	}()
	return u
}

const tickEvent = "data: {\"id\":\"x\",\"object\":\"chat.completion.chunk\",\"created\":1,\"model\":\"m-1\",\"choices\":[{\"index\":0,\"delta\":{\"content\":\"tick \"},\"finish_reason\":null}]}\n\n"

// begin answers a request with the beginning of a stream.
func (u *slowUpstream) begin(conn net.Conn) {
	r, err := http.ReadRequest(bufio.NewReader(conn))
	if err != nil {
		conn.Close()
		return
	}
	io.Copy(io.Discard, r.Body)
	time.Sleep(5 * time.Millisecond) // a ReverseProxy gives up if the answer overtakes the end of the request
	io.WriteString(conn, "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"+tickEvent)
	u.mu.Lock()
	u.conns = append(u.conns, conn)
	u.mu.Unlock()
}

// tick sends an event on every open stream.
func (u *slowUpstream) tick() {
	u.mu.Lock()
	defer u.mu.Unlock()
	for _, conn := range u.conns {
		_, _ = io.WriteString(conn, tickEvent)
	}
}

// hangUp ends all streams.
func (u *slowUpstream) hangUp() {
	u.mu.Lock()
	defer u.mu.Unlock()
	for _, conn := range u.conns {
		conn.Close()
	}
	u.conns = nil
}

// TestRememberedTexts checks that a request whose long texts are remembered is written as
// by a server that remembers nothing.
func TestRememberedTexts(t *testing.T) {
	request := conversation(true)
	request.Tools = append(request.Tools, manyTools(40)...)
	request.Messages[0].Parts[0].Text += strings.Repeat("\n\"a\"\\ \u2028\x7f\u00e9", 1000)
	for _, name := range format.Wires() {
		codec, _ := all.CodecOf(name)
		body, _ := codec.EncodeRequest(request, wire.Options{})
		rewrite := func(gw *gateway.Server) string {
			out, _, err := gw.Rewrite(name, body)
			if err != nil {
				t.Fatal(err)
			}
			return string(out)
		}
		opts := gateway.Options{Targets: []gateway.Target{{Upstream: "http://127.0.0.1:1/v1", Model: "m-1", Dialect: dialectNamed(t, "hermes")}}}
		used, err := gateway.New(opts)
		if err != nil {
			t.Fatal(err)
		}
		defer used.Close()
		first, again := rewrite(used), rewrite(used)
		if diff := cmp.Diff(first, again); diff != "" {
			t.Errorf("%s (-first +again):\n%s", name, diff)
		}
		if !json.Valid([]byte(again)) {
			t.Errorf("%s: not JSON", name)
		}
	}
}
