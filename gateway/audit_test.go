package gateway_test

import (
	"bytes"
	"encoding/json"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/toolparse/toolparse/format"
	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/gateway"
)

// lockedBuffer is a buffer for concurrent use.
type lockedBuffer struct {
	mu  sync.Mutex
	out bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.out.Write(p)
}

// lines waits for n lines, because a request is logged a moment after its client has the
// answer.
func (b *lockedBuffer) lines(t *testing.T, n int) []string {
	t.Helper()
	for range 200 {
		b.mu.Lock()
		text := b.out.String()
		b.mu.Unlock()
		if lines := strings.Split(strings.TrimSpace(text), "\n"); text != "" && len(lines) >= n {
			return lines
		}
		time.Sleep(5 * time.Millisecond)
	}
	t.Fatalf("no %d lines", n)
	return nil
}

// TestAudit: each request has one line that describes it without any text of the
// conversation.
func TestAudit(t *testing.T) {
	var audit lockedBuffer
	u := newUpstream(t, format.OpenAI)
	u.script = [][]chat.Part{
		callOf(t, "hermes", `{"days":3}`),
		{chat.TextPart("I look.\n<tool_call>\n{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Oslo\",}}\n</tool_call>")},
	}
	server := newGateway(t, u, func(o *gateway.Options) {
		reasking("hermes", 1, t)(o)
		o.Audit, o.Token = &audit, "the-token"
	})
	for _, body := range []string{`{"model":"m-1","stream":true,"messages":[{"role":"user","content":"secret words"}],"tools":[{"type":"function","function":{"name":"get_weather","parameters":` + string(weatherTool.Parameters) + `}}]}`, "{"} {
		res := postWithKey(t, server.URL+"/v1/chat/completions", "the-token", body)
		io.Copy(io.Discard, res.Body)
	}
	get(t, server.URL+"/healthz") // asks no model
	lines := audit.lines(t, 2)
	var first, second map[string]any
	if err := json.Unmarshal([]byte(lines[0]), &first); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal([]byte(lines[1]), &second); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]any{
		"wire": "openai", "path": "/v1/chat/completions", "status": 200.0, "model": "m-1", "stream": true, "text_mode": true, "tools": 1.0, "calls": 1.0,
		"tolerated": 1.0, "reasked": 1.0, "input_tokens": 22.0, "output_tokens": 44.0, "failed": false,
	} {
		if first[name] != want {
			t.Errorf("%s is %v, want %v", name, first[name], want)
		}
	}
	if first["id"] == "" || first["time"] == nil || first["bytes_out"].(float64) < 100 || len(first["tolerances"].([]any)) != 1 {
		t.Errorf("%s", lines[0])
	}
	if second["status"] != 400.0 || second["failed"] != true {
		t.Errorf("%s", lines[1])
	}
	all := strings.Join(lines, "\n")
	for _, never := range []string{"secret", "Oslo", "get_weather", "the-token"} {
		if strings.Contains(all, never) {
			t.Errorf("it tells %q:\n%s", never, all)
		}
	}
}
