package gateway_test

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http/httptest"
	"runtime"
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
	"github.com/toolparse/toolparse/toolcall"
)

var soakFor = flag.Duration("soak", 0, "how long TestSoak runs, with 1,000 streams")

// TestSoak: slow streams with 40 tools each, from clients of all wires, natively and in
// text, with text and calls. Some end, some break, some clients leave, and a new stream
// replaces each. The memory does not grow, and no goroutine is left.
func TestSoak(t *testing.T) {
	streams, turns, pause, growth := 200, 100, 10*time.Millisecond, 1.25
	switch {
	case *soakFor > 0:
		streams, pause, growth = 1000, time.Second, 1.1
	case testing.Short():
		streams, turns, growth = 20, 40, 1.5
	}
	before := runtime.NumGoroutine()
	up := &soakUpstream{slowUpstream: newSlowUpstream(t), at: map[net.Conn]int{}, random: rand.New(rand.NewPCG(1, 2))}
	call := written(t, "hermes", "I look.", toolcall.ToolInvocation{Name: weatherTool.Name, Arguments: []byte(arguments)})
	for text := range slices.Chunk([]byte(strings.Repeat("some words ", 20)+call), 16) {
		up.events = append(up.events, fmt.Sprintf("data: {\"id\":\"x\",\"object\":\"chat.completion.chunk\",\"created\":1,\"model\":\"m-1\",\"choices\":[{\"index\":0,\"delta\":{\"content\":%q},\"finish_reason\":null}]}\n\n", text))
	}
	var servers []*httptest.Server
	var gateways []*gateway.Server
	for _, mode := range []string{"", "hermes"} {
		opts := gateway.Options{Targets: []gateway.Target{{Upstream: "http://" + up.Addr().String() + "/v1", Model: "m-1"}}}
		if mode != "" {
			opts.Targets[0].Dialect = dialectNamed(t, mode)
		}
		gw, err := gateway.New(opts)
		if err != nil {
			t.Fatal(err)
		}
		gateways, servers = append(gateways, gw), append(servers, httptest.NewServer(gw))
	}
	clients := newSoakClients(t)
	for i := range streams {
		clients.start(servers[i%2].Listener.Addr().String(), i)
	}
	var samples []int
	began, done := time.Now(), 0.0
	for turn := 0; done < 1 || len(samples) < 10; turn++ {
		time.Sleep(pause)
		up.turn()
		if done = float64(turn+1) / float64(turns); *soakFor > 0 {
			done = float64(time.Since(began)) / float64(*soakFor)
		}
		if int(done*10) > len(samples) {
			m := memoryInUse()
			samples = append(samples, m.heap+m.stack)
			t.Logf("turn %d: %d KB, %d goroutines, %d streams at the upstream, %d begun, %d ended, %d bytes",
				turn+1, (m.heap+m.stack)>>10, runtime.NumGoroutine(), up.open(), clients.begun.Load(), clients.ended.Load(), clients.bytes.Load())
		}
	}
	half := len(samples) / 2
	if early, late := slices.Max(samples[1:half]), slices.Min(samples[half:]); float64(late) > float64(early)*growth {
		t.Errorf("the program grows: %d bytes, then %d", samples[1:half], samples[half:])
	}
	if clients.ended.Load() == 0 || clients.begun.Load() <= int64(streams) {
		t.Errorf("%d streams ended of %d that began, for %d clients", clients.ended.Load(), clients.begun.Load(), streams)
	}
	clients.stop()
	up.Close()
	up.hangUp()
	for i := range servers {
		servers[i].Close()
		gateways[i].Close()
	}
	for deadline := time.Now().Add(20 * time.Second); runtime.NumGoroutine() > before; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			stacks := make([]byte, 1<<16)
			t.Fatalf("%d goroutines are left:\n%s", runtime.NumGoroutine()-before, stacks[:runtime.Stack(stacks, true)])
		}
	}
}

// soakUpstream sends one event of each stream in each turn, beginning again after the
// last one, until the stream ends.
type soakUpstream struct {
	*slowUpstream
	events []string
	at     map[net.Conn]int
	random *rand.Rand
}

func (u *soakUpstream) turn() {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.conns = slices.DeleteFunc(u.conns, func(conn net.Conn) bool {
		at := u.at[conn]
		u.at[conn]++
		_, err := io.WriteString(conn, u.events[at%len(u.events)])
		switch end := u.random.IntN(2 * len(u.events)); {
		case end == 0:
			io.WriteString(conn, "data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n")
		case end > 1 && err == nil: // otherwise it breaks
			return false
		}
		conn.Close()
		delete(u.at, conn)
		return true
	})
}

// open returns the number of open streams.
func (u *soakUpstream) open() int {
	u.mu.Lock()
	defer u.mu.Unlock()
	return len(u.conns)
}

// soakClients send a new request whenever an answer has ended.
type soakClients struct {
	asks                []string // a request for each wire
	begun, ended, bytes atomic.Int64
	running             sync.WaitGroup
	mu                  sync.Mutex
	stopped             bool
	conns               map[net.Conn]bool
}

func newSoakClients(t *testing.T) *soakClients {
	c := &soakClients{conns: map[net.Conn]bool{}}
	request := conversation(true)
	request.Model = "m-1"
	request.Tools = append(request.Tools, manyTools(40)...)
	for _, name := range format.Wires() {
		codec, _ := all.CodecOf(name)
		body, _ := codec.EncodeRequest(request, wire.Options{})
		c.asks = append(c.asks, fmt.Sprintf("POST %s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", pathOf(name, true), len(body), body))
	}
	return c
}

// start starts a client, whose number determines its wire.
func (c *soakClients) start(address string, number int) {
	c.running.Go(func() {
		for c.ask(address, number) {
		}
	})
}

// ask reads all or a part of an answer, and reports whether the client continues.
func (c *soakClients) ask(address string, number int) bool {
	conn, err := net.Dial("tcp", address)
	if err != nil {
		return false
	}
	defer conn.Close()
	c.mu.Lock()
	stopped := c.stopped
	c.conns[conn] = true
	c.mu.Unlock()
	defer func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		delete(c.conns, conn)
	}()
	if _, err := io.WriteString(conn, c.asks[number/2%len(c.asks)]); err != nil || stopped {
		return false
	}
	c.begun.Add(1)
	var buf [512]byte
	patience := rand.IntN(20 << 10) // bytes
	for patience > 0 {
		n, err := conn.Read(buf[:])
		patience -= n
		c.bytes.Add(int64(n))
		if bytes.HasSuffix(buf[:n], []byte("\r\n0\r\n\r\n")) || bytes.Equal(buf[:n], []byte("0\r\n\r\n")) {
			c.ended.Add(1)
			return true
		}
		if err != nil {
			c.mu.Lock()
			defer c.mu.Unlock()
			return !c.stopped
		}
	}
	return true
}

// stop ends all clients.
func (c *soakClients) stop() {
	c.mu.Lock()
	c.stopped = true
	for conn := range c.conns {
		conn.Close()
	}
	c.mu.Unlock()
	c.running.Wait()
}
