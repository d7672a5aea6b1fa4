package gateway_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/toolparse/toolparse/format"
	"github.com/toolparse/toolparse/gateway"
)

// TestLinearRequests: a request of twice the size takes about twice the memory to prepare,
// whatever it repeats.
func TestLinearRequests(t *testing.T) {
	const small = 500
	user := `{"role":"user","content":"some words"}`
	messages := func(one string) func(n int) string {
		return func(n int) string { return `{"messages":[` + strings.Repeat(one+",", n) + user + `]}` }
	}
	tools := func(one string) func(n int) string {
		return func(n int) string {
			var list strings.Builder
			for i := range n {
				list.WriteString("," + strings.ReplaceAll(one, "$", fmt.Sprint(i)))
			}
			return `{"messages":[` + user + `],"tools":[` + strings.TrimPrefix(list.String(), ",") + `]}`
		}
	}
	for name, body := range map[string]func(n int) string{
		"turns of the user":        messages(user),
		"turns of the system":      messages(`{"role":"system","content":"some words"}`),
		"turns of the assistant":   messages(`{"role":"assistant","content":"some words"}`),
		"turns that alternate":     messages(user + `,{"role":"assistant","content":"some words"}`),
		"late words of the system": messages(user + `,{"role":"system","content":"some words"}`),
		"results":                  messages(`{"role":"tool","tool_call_id":"c","content":"some words"}`),
		"calls": messages(`{"role":"assistant","content":null,"tool_calls":[{"id":"c","type":"function","function":{"name":"f","arguments":"{}"}}]},` +
			`{"role":"tool","tool_call_id":"c","content":"some words"}`),
		"parts": func(n int) string {
			return `{"messages":[{"role":"user","content":[` + strings.Repeat(`{"type":"text","text":"some words"},`, n) + `{"type":"text","text":"end"}]}]}`
		},
		"tools":             tools(`{"type":"function","function":{"name":"tool_$"}}`),
		"tools of one name": tools(`{"type":"function","function":{"name":"tool"}}`),
		"no tools":          tools(`$`),
	} {
		for _, mode := range []string{"", "hermes"} {
			t.Run(name+"/"+mode, func(t *testing.T) {
				taken := func(n int) uint64 {
					opts := gateway.Options{Targets: []gateway.Target{{Upstream: "http://127.0.0.1:1/v1", Model: "m-1"}}}
					if mode != "" {
						opts.Targets[0].Dialect = dialectNamed(t, mode)
					}
					gw, err := gateway.New(opts)
					if err != nil {
						t.Fatal(err)
					}
					defer gw.Close()
					body := []byte(body(n))
					var before, after runtime.MemStats
					runtime.ReadMemStats(&before)
					_, _, _ = gw.Rewrite(format.OpenAI, body) // some are refused
					runtime.ReadMemStats(&after)
					return after.TotalAlloc - before.TotalAlloc
				}
				one, two := taken(small), taken(2*small)
				if two > 3*one+1<<19 {
					t.Errorf("%d of them take %d KB, %d take %d KB", small, one>>10, 2*small, two>>10)
				}
			})
		}
	}
}
