package gateway_test

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolparse/toolparse/format"
	"github.com/toolparse/toolparse/gateway"
	"github.com/toolparse/toolparse/internal/wire/all"
)

// TestRequestLimits checks that requests with very many messages, parts, tools or members are
// refused in the shape of the front, and take little memory before.
func TestRequestLimits(t *testing.T) {
	const size = 512 << 10
	fill := func(head, one, tail string) string {
		return head + strings.Repeat(one, size/len(one)) + strings.TrimSuffix(one, ",") + tail
	}
	few := func(head, one string, n int, tail string) string {
		return head + strings.Repeat(one+",", n) + one + tail
	}
	tests := []struct {
		name  string
		front format.Wire
		body  string
		want  string
	}{
		{"openai messages", format.OpenAI, fill(`{"model":"m","messages":[`, `{},`, `]}`), "50000 JSON values"},
		{"openai numbers", format.OpenAI, fill(`{"model":"m","messages":[`, `1,`, `]}`), "50000 JSON values"},
		{"openai tools", format.OpenAI, fill(`{"model":"m","messages":[{"role":"user","content":"Hi"}],"tools":[`, `{},`, `]}`), "50000 JSON values"},
		{"openai parts", format.OpenAI, fill(`{"model":"m","messages":[{"role":"user","content":[`, `{},`, `]}]}`), "50000 JSON values"},
		{"openai members", format.OpenAI, fill(`{"model":"m","messages":[{"role":"user","content":"Hi"}],`, `"a":0,`, `}`), "50000 JSON values"},
		{"openai lists", format.OpenAI, fill(`{"model":"m","messages":[{"role":"user","content":`, `[`, ``), "50000 JSON values"},
		{"responses input", format.Responses, fill(`{"model":"m","input":[`, `{},`, `]}`), "50000 JSON values"},
		{"anthropic messages", format.Anthropic, fill(`{"model":"m","max_tokens":9,"messages":[`, `{},`, `]}`), "50000 JSON values"},
		{"gemini contents", format.Gemini, fill(`{"contents":[`, `{},`, `]}`), "50000 JSON values"},
		{"ollama messages", format.Ollama, fill(`{"model":"m","messages":[`, `{},`, `]}`), "50000 JSON values"},
		{"too many messages", format.OpenAI, few(`{"model":"m","messages":[`, `{"role":"user","content":"Hi"}`, 5_000, `]}`), "5000 messages"},
		{
			"too many tools", format.Anthropic,
			few(`{"model":"m","max_tokens":9,"messages":[{"role":"user","content":"Hi"}],"tools":[`, `{"name":"f","input_schema":{}}`, 2048, `]}`), "2048 tools",
		},
	}
	gw, err := gateway.New(gateway.Options{Targets: []gateway.Target{{Upstream: "http://127.0.0.1:1/v1", Dialect: dialectNamed(t, "hermes")}}, Limits: gateway.Limits{Values: 50_000, Messages: 5_000}})
	if err != nil {
		t.Fatal(err)
	}
	defer gw.Close()
	server := httptest.NewServer(gw)
	defer server.Close()
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			res, err := http.Post(server.URL+pathOf(tt.front, false), "application/json", strings.NewReader(tt.body))
			if err != nil {
				t.Fatal(err)
			}
			defer res.Body.Close()
			told, err := io.ReadAll(res.Body)
			if err != nil {
				t.Fatal(err)
			}
			runtime.ReadMemStats(&after)
			codec, _ := all.CodecOf(tt.front)
			answer, err := codec.DecodeResponse(told)
			if err != nil || answer.Error == nil || !strings.Contains(answer.Error.Message, tt.want) || res.StatusCode != http.StatusRequestEntityTooLarge {
				t.Errorf("status %d, %s (%v), want an error with %q", res.StatusCode, told, err, tt.want)
			}
			// The body is read into a buffer that doubles.
			if most := uint64(4*len(tt.body) + 16<<20); after.TotalAlloc-before.TotalAlloc > most {
				t.Errorf("%d MB for a body of %d MB", (after.TotalAlloc-before.TotalAlloc)>>20, len(tt.body)>>20)
			}
		})
	}
}

// TestDefaultLimits checks that there are limits without options.
func TestDefaultLimits(t *testing.T) {
	gw, err := gateway.New(gateway.Options{Targets: []gateway.Target{{Upstream: "http://127.0.0.1:1/v1", Model: "m"}}})
	if err != nil {
		t.Fatal(err)
	}
	defer gw.Close()
	body := `{"messages":[` + strings.Repeat(`{},`, 300_000) + `{}]}`
	if _, _, err := gw.Rewrite(format.OpenAI, []byte(body)); err == nil || !strings.Contains(err.Error(), "500000 JSON values") {
		t.Errorf("got %v", err)
	}
}

// TestCommasInText checks that the limit for values does not count the text of messages.
func TestCommasInText(t *testing.T) {
	gw, err := gateway.New(gateway.Options{Targets: []gateway.Target{{Upstream: "http://127.0.0.1:1/v1", Model: "m"}}})
	if err != nil {
		t.Fatal(err)
	}
	defer gw.Close()
	body := `{"model":"m","messages":[{"role":"user","content":"` + strings.Repeat(`{\"a\":[1,2]},`, 200_000) + `"}]}`
	if _, _, err := gw.Rewrite(format.OpenAI, []byte(body)); err != nil {
		t.Error(err)
	}
}

// TestRemembered checks that a gateway which remembers tools sends the same as a new one,
// whichever client, target and tools came before.
func TestRemembered(t *testing.T) {
	opts := gateway.Options{Targets: []gateway.Target{
		{Names: []string{"m-1"}, Upstream: "http://127.0.0.1:1/v1"},
		{Names: []string{"m-2"}, Upstream: "http://127.0.0.1:2/v1", Dialect: dialectNamed(t, "hermes")},
		{Names: []string{"m-3"}, Upstream: "http://127.0.0.1:3", Wire: format.Anthropic, Profile: gateway.ProfileTemplate},
		{Names: []string{"m-4"}, Upstream: "http://127.0.0.1:4", Dialect: dialectNamed(t, "qwen3_coder")},
	}}
	type ask struct {
		wire format.Wire
		body string
	}
	var asks []ask
	for _, model := range []string{"m-1", "m-2", "m-3", "m-4"} {
		for _, tools := range []string{
			`[{"type":"function","name":"find","parameters":{"type":"object","properties":{"at":{"type":"string"}}}},` +
				`{"type":"namespace","name":"mcp__sea","tools":[{"type":"function","name":"find","parameters":{}}]},{"type":"custom","name":"patch"}]`,
			`[{"type":"function","name":"mcp__sea__find","parameters":{}},` +
				`{"type":"namespace","name":"mcp__sea","tools":[{"type":"function","name":"find","parameters":{}}]}]`,
			`[{"type":"function","function":{"name":"find it!","parameters":{}}}]`,
		} {
			messages := `{"role":"user","content":"Hi"}`
			call := `{"type":"function_call","call_id":"c1","namespace":"mcp__sea","name":"find","arguments":"{}"},{"type":"function_call_output","call_id":"c1","output":"a fish"}`
			asks = append(asks,
				ask{format.Responses, `{"model":"` + model + `","input":[` + messages + `,` + call + `],"tools":` + tools + `}`},
				ask{format.OpenAI, `{"model":"` + model + `","messages":[` + messages + `],"tools":` + tools + `}`},
				ask{format.Ollama, `{"model":"` + model + `","messages":[` + messages + `],"tools":` + tools + `}`})
		}
	}
	rewrite := func(gw *gateway.Server, a ask) string {
		body, losses, err := gw.Rewrite(a.wire, []byte(a.body))
		return fmt.Sprintf("%s\n%v\n%v", body, losses, err)
	}
	want := make([]string, len(asks))
	for i, a := range asks {
		fresh, err := gateway.New(opts)
		if err != nil {
			t.Fatal(err)
		}
		want[i] = rewrite(fresh, a)
		fresh.Close()
	}
	used, err := gateway.New(opts)
	if err != nil {
		t.Fatal(err)
	}
	defer used.Close()
	var all sync.WaitGroup
	for worker := range 4 { // which share the remembered tools
		all.Go(func() {
			for n := range 3 * len(asks) {
				i := (n*(worker+1) + worker) % len(asks)
				if diff := cmp.Diff(want[i], rewrite(used, asks[i])); diff != "" {
					t.Errorf("%s: (-new gateway +used one):\n%s", asks[i].body, diff)
				}
			}
		})
	}
	all.Wait()
	if !bytes.Contains([]byte(want[0]), []byte("mcp__sea")) {
		t.Errorf("the namespace is missing: %s", want[0])
	}
}

// TestMemoryOfTools checks that lists of very many small tools do not stay in memory.
func TestMemoryOfTools(t *testing.T) {
	gw, err := gateway.New(gateway.Options{Targets: []gateway.Target{{Upstream: "http://127.0.0.1:1/v1", Model: "m"}}})
	if err != nil {
		t.Fatal(err)
	}
	defer gw.Close()
	heap := func() uint64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	before := heap()
	for i := range 2 {
		body := fmt.Sprintf(`{"messages":[{"role":"user","content":"Hi"}],"tools":[%s{"type":"t%d"}]}`, strings.Repeat(`{},`, 60_000), i)
		if _, _, err := gw.Rewrite(format.OpenAI, []byte(body)); err == nil {
			t.Error("accepted")
		}
	}
	if grown := int64(heap()) - int64(before); grown > 8<<20 {
		t.Errorf("%d MB stay", grown>>20)
	}
	runtime.KeepAlive(gw)
}
