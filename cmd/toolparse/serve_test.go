package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestServe: the command says where it listens, answers, logs without a word of what
// was written, lets an answer that is on its way end, and ends with 0.
func TestServe(t *testing.T) {
	asked, finish := make(chan bool, 1), make(chan bool)
	upstream := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if r.Header.Get("Authorization") != "Bearer the-key" || bytes.Contains(body, []byte(`"tools"`)) {
			http.Error(w, "not as it should be", http.StatusBadRequest)
			return
		}
		asked <- true
		<-finish
		fmt.Fprint(w, `{"id":"x","model":"m","choices":[{"index":0,"message":{"role":"assistant","content":"<tool_call>\n{\"name\": \"add\", \"arguments\": {\"a\": 1}}\n</tool_call>"},"finish_reason":"stop"}]}`)
	}))
	defer upstream.Close()

	getenv := func(name string) string { return map[string]string{"UP_KEY": "the-key"}[name] }
	address, lines, stop, ended := serving(t, getenv, "--upstream", upstream.URL+"/v1", "-d", "hermes", "--upstream-key-env", "UP_KEY", "--log", "json")
	log := make(chan string, 1)
	go func() {
		rest, _ := io.ReadAll(lines)
		log <- string(rest)
	}()

	answered := make(chan string, 1)
	go func() {
		const request = `{"model":"m","messages":[{"role":"user","content":"secret words"}],"tools":[{"type":"function","function":{"name":"add","parameters":{"type":"object","properties":{"a":{"type":"integer"}}}}}]}`
		res, err := http.Post(address+"/v1/chat/completions", "application/json", strings.NewReader(request))
		if err != nil {
			answered <- err.Error()
			return
		}
		defer res.Body.Close()
		body, _ := io.ReadAll(res.Body)
		answered <- string(body)
	}()
	<-asked
	stop()
	time.Sleep(20 * time.Millisecond) // the answer is to come when the server is ending
	close(finish)
	if got := <-answered; !strings.Contains(got, `"tool_calls"`) || !strings.Contains(got, `"name":"add"`) {
		t.Errorf("the client gets %s", got)
	}
	if code := <-ended; code != exitDone {
		t.Errorf("exit code %d", code)
	}
	switch got := <-log; {
	case strings.Contains(got, "secret"), strings.Contains(got, "the-key"):
		t.Errorf("the log tells too much: %s", got)
	case !strings.Contains(got, `"calls":1`) || !strings.Contains(got, `"status":200`):
		t.Errorf("the log is %s", got)
	}
}

// TestServeTwice: whoever tells the server twice to end does not wait for answers that go
// on; their clients have an error.
func TestServeTwice(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a process cannot send itself a signal")
	}
	upstream := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, "data: {\"id\":\"x\",\"choices\":[{\"index\":0,\"delta\":{\"content\":\"Hi\"}}]}\n\n")
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	}))
	defer upstream.Close()
	address, lines, stop, ended := serving(t, noEnv, "--upstream", upstream.URL+"/v1", "--log", "none")
	go io.Copy(io.Discard, lines)
	res, err := http.Post(address+"/v1/chat/completions", "application/json", strings.NewReader(`{"model":"m","stream":true,"messages":[{"role":"user","content":"Hi"}]}`))
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	began := time.Now()
	stop()
	for range 1000 { // until it takes nothing new
		conn, err := net.Dial("tcp", strings.TrimPrefix(address, "http://"))
		if err != nil {
			break
		}
		conn.Close()
		time.Sleep(5 * time.Millisecond)
	}
	self, err := os.FindProcess(os.Getpid())
	if err == nil {
		err = self.Signal(syscall.SIGTERM)
	}
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(res.Body)
	if err != nil || !strings.Contains(string(body), "the server is ending") {
		t.Errorf("%s %v", body, err)
	}
	if code := <-ended; code != exitDone || time.Since(began) > shutdownGrace {
		t.Errorf("exit code %d after %v", code, time.Since(began))
	}
}

// TestServeReload: on SIGHUP the file is read again; a bad one changes nothing, and both
// are told.
func TestServeReload(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there is no SIGHUP")
	}
	file := filepath.Join(t.TempDir(), "gateway.toml")
	write := func(model string) {
		t.Helper()
		if err := os.WriteFile(file, []byte("[upstreams.u]\nurl = \"http://127.0.0.1:1/v1\"\n"+model), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("[models.first]\nupstream = \"u\"\n")
	address, lines, stop, ended := serving(t, noEnv, "--config", file, "--log", "none")
	line := func() string {
		t.Helper()
		text, err := lines.ReadString('\n')
		if err != nil {
			t.Fatalf("%q, %v", text, err)
		}
		return strings.TrimSpace(text)
	}
	models := func() string {
		t.Helper()
		res, err := http.Get(address + "/v1/models")
		if err != nil {
			t.Fatal(err)
		}
		defer res.Body.Close()
		body, err := io.ReadAll(res.Body)
		if err != nil {
			t.Fatal(err)
		}
		return string(body)
	}
	self, err := os.FindProcess(os.Getpid())
	if err != nil {
		t.Fatal(err)
	}
	for _, step := range []struct{ model, told, has string }{
		{"[models.second]\nupstream = \"u\"\n", "reloaded " + file, `"second"`},
		{"[models.third]\nupstram = \"u\"\n", "line 4: there is no field models.third.upstram", `"second"`},
		{"[models.fourth]\nupstream = \"u\"\n", "reloaded " + file, `"fourth"`},
	} {
		write(step.model)
		if err := self.Signal(hangup); err != nil {
			t.Fatal(err)
		}
		if got := line(); !strings.Contains(got, step.told) {
			t.Errorf("%q, want %q", got, step.told)
		}
		if got := models(); !strings.Contains(got, step.has) {
			t.Errorf("no %s in %s", step.has, got)
		}
	}
	stop()
	go io.Copy(io.Discard, lines)
	if code := <-ended; code != exitDone {
		t.Errorf("exit code %d", code)
	}
}

// serving starts the command and returns its address, the lines that it writes after it, and
// what stops it.
func serving(t *testing.T, getenv func(string) string, args ...string) (address string, lines *bufio.Reader, stop func(), ended <-chan int) {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	reader, writer := io.Pipe()
	code := make(chan int, 1)
	go func() {
		code <- run(ctx, append([]string{"serve", "--listen", "127.0.0.1:0"}, args...), strings.NewReader(""), io.Discard, writer, getenv)
		writer.Close()
	}()
	lines = bufio.NewReader(reader)
	first, err := lines.ReadString('\n')
	address, ok := strings.CutPrefix(strings.TrimSpace(first), "listening on ")
	if err != nil || !ok {
		t.Fatalf("%q, %v", first, err)
	}
	return address, lines, stop, code
}
