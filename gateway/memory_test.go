package gateway_test

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/toolparse/toolparse/format"
	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/gateway"
	"github.com/toolparse/toolparse/toolcall"
)

// maxPerStream bounds what the gateway holds of a stream, in bytes: its two connections
// with their buffers and goroutines, and what is known of the request and the answer.
const maxPerStream = 40 << 10

// TestStreamMemory: many slow streams with many tools at once cost little memory each, no
// more when they go on, and nothing when they have ended.
func TestStreamMemory(t *testing.T) {
	streams, ticks := 1000, 20
	if testing.Short() {
		streams, ticks = 150, 5
	}
	for _, mode := range []string{"", "hermes"} {
		t.Run("mode="+mode, func(t *testing.T) {
			up := newSlowUpstream(t)
			opts := gateway.Options{Targets: []gateway.Target{{Upstream: "http://" + up.Addr().String() + "/v1"}}}
			if mode != "" {
				opts.Targets[0].Dialect = dialect(t, mode)
			}
			gw, err := gateway.New(opts)
			if err != nil {
				t.Fatal(err)
			}
			server := httptest.NewServer(gw)
			request := conversation(true)
			request.Tools = append(request.Tools, manyTools(40)...)
			codec, _ := format.CodecOf(format.Anthropic)
			body, _, err := codec.EncodeRequest(request, chat.Options{})
			if err != nil {
				t.Fatal(err)
			}
			ask := fmt.Appendf(nil, "POST /v1/messages HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", len(body), body)
			open := func() net.Conn {
				conn, err := net.Dial("tcp", server.Listener.Addr().String())
				if err != nil {
					t.Fatal(err)
				}
				conn.SetDeadline(time.Now().Add(time.Minute))
				if _, err := conn.Write(ask); err != nil {
					t.Fatal(err)
				}
				return conn
			}
			first := open() // makes what all share
			readUntil(t, first, "tick")
			before, goroutines := memoryInUse(), runtime.NumGoroutine()
			conns := make([]net.Conn, streams)
			for i := range conns {
				conns[i] = open()
				readUntil(t, conns[i], "tick")
			}
			each := (memoryInUse() - before) / streams
			t.Logf("%d bytes a stream", each)
			if each > maxPerStream {
				t.Errorf("%d bytes a stream, at most %d", each, maxPerStream)
			}
			for range ticks {
				up.tick(t)
				for _, conn := range conns {
					readUntil(t, conn, "tick")
				}
			}
			later := (memoryInUse() - before) / streams
			t.Logf("%d bytes a stream after %d events", later, ticks)
			if later > maxPerStream {
				t.Errorf("%d bytes a stream after %d events", later, ticks)
			}
			for _, conn := range conns {
				conn.Close()
			}
			deadline := time.Now().Add(20 * time.Second)
			for runtime.NumGoroutine() > goroutines+2 && time.Now().Before(deadline) {
				time.Sleep(10 * time.Millisecond)
			}
			if now := runtime.NumGoroutine(); now > goroutines+2 {
				t.Errorf("%d goroutines are left of %d streams", now-goroutines, streams)
			}
			first.Close()
			server.Close()
			gw.Close()
		})
	}
}

// memoryInUse is what the program holds, in bytes.
func memoryInUse() int {
	var m runtime.MemStats
	runtime.GC()
	runtime.GC() // pools lose what they hold at the second
	runtime.ReadMemStats(&m)
	return int(m.HeapAlloc + m.StackInuse)
}

func readUntil(t *testing.T, conn net.Conn, word string) {
	t.Helper()
	var got []byte
	var buf [1024]byte
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

// slowUpstream is a server whose streams go on when it is told. It holds nothing but their
// connections, so that what is measured beside it is the gateway's.
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
		for _, conn := range u.conns {
			conn.Close()
		}
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

// begin answers a request with the head of a stream and its first event.
func (u *slowUpstream) begin(conn net.Conn) {
	r, err := http.ReadRequest(bufio.NewReader(conn))
	if err != nil {
		conn.Close()
		return
	}
	io.Copy(io.Discard, r.Body)
	io.WriteString(conn, "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"+tickEvent)
	u.mu.Lock()
	u.conns = append(u.conns, conn)
	u.mu.Unlock()
}

// tick sends an event on every stream.
func (u *slowUpstream) tick(t *testing.T) {
	u.mu.Lock()
	defer u.mu.Unlock()
	for _, conn := range u.conns {
		if _, err := io.Copy(conn, strings.NewReader(tickEvent)); err != nil {
			t.Error(err)
		}
	}
}
