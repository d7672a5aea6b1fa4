package mcp_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/toolparse/toolparse/agent"
	"github.com/toolparse/toolparse/agent/mcp"
	"github.com/toolparse/toolparse/agent/provider"
)

const echoed = `{"content":[{"type":"text","text":"ok"}]}`

// Descriptions are cleaned, shortened and validated, keeping their order and digits.
// Tools that cannot be offered are left out, and the others stay.
func TestHostileTools(t *testing.T) {
	long := strings.Repeat("x", 10_000)
	list := `[
		{"name":"get.it","inputSchema":{"type":"object"}},
		{"name":"get_it","inputSchema":{"type":"object"}},
		{"name":"get_it","inputSchema":{"type":"object"}},
		{"name":"order","description":"a\u001b[31m\u200b\u202e\udb40\udc41b","inputSchema":{"type":"object","properties":{"z":{"type":"integer","default":12345678901234567890,"title":"\u0007t"},"a":{"description":"` + long + `"}}}},
		{"name":"untyped","inputSchema":{"properties":{}}},
		{"name":"none"},
		null,
		{"name":"","inputSchema":{"type":"object"}},
		{"name":"` + long + `","inputSchema":{"type":"object"}},
		{"name":"list","inputSchema":[1]},
		{"name":"broken","inputSchema":{"type":"object","properties":{"a":{"type":"no such type"}}}},
		{"name":"huge","inputSchema":{"type":"object","description":"` + strings.Repeat(long, 30) + `"}}
	]`
	s := script(t, strings.ReplaceAll(list, "\n", " "), answer(echoed))
	servers, w := open(t, one, mcp.Options{Dial: s.dial})
	names := toolNames(t, servers)
	if len(names) != 6 || names[0] == names[1] {
		t.Fatalf("the tools are %v, %v", names, w.all())
	}
	if diff := cmp.Diff([]string{"srv__get_it", "srv__order", "srv__untyped", "srv__none", "srv__broken"}, append(names[:1:1], names[2:]...)); diff != "" {
		t.Error(diff)
	}
	order := toolNamed(t, servers, "srv__order").Info()
	if order.Description != "a[31mb" {
		t.Errorf("the description is %q", order.Description)
	}
	want := `{"type":"object","properties":{"z":{"type":"integer","default":12345678901234567890,"title":"t"},"a":{"description":"xxx`
	if got := string(order.Parameters); !strings.HasPrefix(got, want) || len(got) > 5000 {
		t.Errorf("the parameters are %d bytes: %.200s", len(got), got)
	}
	if got := string(toolNamed(t, servers, "srv__untyped").Info().Parameters); !strings.Contains(got, `"type":"object"`) {
		t.Errorf("a schema without a type is %s", got)
	}
	for _, name := range names[:2] {
		if r, err := use(t, servers, name, `{}`); err != nil || r.Output != "ok" {
			t.Errorf("%s: %+v, %v", name, r, err)
		}
	}
}

// A server's claims about risk count only if the file says so.
func TestRisk(t *testing.T) {
	const tools = `[{"name":"plain"},{"name":"reads","annotations":{"readOnlyHint":true}},{"name":"adds","annotations":{"destructiveHint":false}},` +
		`{"name":"same","annotations":{"idempotentHint":true,"destructiveHint":true}}]`
	type rating struct {
		Risk                 agent.Risk
		Parallel, Repeatable bool
	}
	tests := map[bool]map[string]rating{
		false: {"plain": {agent.High, false, false}, "reads": {agent.Medium, true, true}, "adds": {agent.High, false, false}, "same": {agent.High, false, false}},
		true:  {"plain": {agent.High, false, false}, "reads": {agent.Safe, true, true}, "adds": {agent.Medium, false, false}, "same": {agent.High, false, true}},
	}
	for trusted, want := range tests {
		servers, _ := open(t, []mcp.Config{{Name: "srv", Trusted: trusted}}, mcp.Options{Dial: script(t, tools, answer(echoed)).dial})
		got := map[string]rating{}
		for _, tool := range servers.Tools(t.Context()) {
			info := tool.Info()
			got[strings.TrimPrefix(info.Name, "srv__")] = rating{info.Risk, info.Parallel, info.Repeatable}
			if info.Kind != agent.MCP {
				t.Errorf("%s is of the kind %s", info.Name, info.Kind)
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("trusted: %t: %s", trusted, diff)
		}
	}
}

// Only the tools that the file lists are offered.
func TestIncludeExclude(t *testing.T) {
	s := script(t, `[{"name":"a"},{"name":"b"},{"name":"c"}]`, answer(echoed))
	servers, _ := open(t, []mcp.Config{{Name: "srv", Include: []string{"a", "b"}, Exclude: []string{"b"}}}, mcp.Options{Dial: s.dial})
	if diff := cmp.Diff([]string{"srv__a"}, toolNames(t, servers)); diff != "" {
		t.Error(diff)
	}
}

// Whatever a server answers to a call, there is a result or an error, and the next call
// works.
func TestHostileAnswers(t *testing.T) {
	tests := []struct {
		name, result string
		want         string // part of the output or the error
		fails        bool
	}{
		{"a list", `[]`, "did not answer", true},
		{"a number", `7`, "did not answer", true},
		{"no content", `{}`, "", false},
		{"null content", `{"content":null}`, "", false},
		{"null in the content", `{"content":[null]}`, "did not answer", true},
		{"content of no type", `{"content":[{}]}`, "did not answer", true},
		{"content of a new type", `{"content":[{"type":"hologram"}]}`, "did not answer", true},
		{"content that is text", `{"content":"ok"}`, "did not answer", true},
		{"deep", `{"structuredContent":` + strings.Repeat("[", 2000) + strings.Repeat("]", 2000) + `}`, "did not answer", true},
		{"an error", `{"content":[{"type":"text","text":"no such city"}],"isError":true}`, "no such city", true},
		{"an error without words", `{"content":[],"isError":true}`, "does not say why", true},
		{"an image that is none", `{"content":[{"type":"image","data":"!!","mimeType":"image/png"}]}`, "did not answer", true},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			calls := 0
			s := script(t, echoTools, func(c *conn, id string, params json.RawMessage) {
				if calls++; calls == 1 {
					answer(test.result)(c, id, params)
					return
				}
				answer(echoed)(c, id, params)
			})
			servers, _ := open(t, one, mcp.Options{Dial: s.dial})
			r, err := use(t, servers, "srv__echo", `{}`)
			text := r.Output
			if err != nil {
				text = err.Error()
			}
			if (err != nil) != test.fails || !strings.Contains(text, test.want) {
				t.Errorf("%+v, %v; want %q", r, err, test.want)
			}
			if r, err := use(t, servers, "srv__echo", `{}`); err != nil || r.Output != "ok" {
				t.Errorf("the next call: %+v, %v", r, err)
			}
		})
	}
}

// Results and lists of arbitrary JSON lead to a result or an error within the time limit.
func TestAnyAnswer(t *testing.T) {
	words := []string{"content", "type", "text", "image", "data", "mimeType", "resource", "resource_link", "uri", "blob", "isError", "structuredContent",
		"tools", "name", "inputSchema", "annotations", "properties", "description", "nextCursor", "_meta", "a"}
	var value func(depth int) *rapid.Generator[any]
	value = func(depth int) *rapid.Generator[any] {
		leaves := []*rapid.Generator[any]{
			rapid.SampledFrom(words).AsAny(), rapid.SampledFrom([]any{nil, true, 0, -1, 1e300, "", "\u202e", []any{}, map[string]any{}}),
		}
		if depth == 0 {
			return rapid.OneOf(leaves...)
		}
		deeper := rapid.Deferred(func() *rapid.Generator[any] { return value(depth - 1) })
		return rapid.OneOf(append(leaves, rapid.SliceOfN(deeper, 0, 3).AsAny(), rapid.MapOfN(rapid.SampledFrom(words), deeper, 0, 4).AsAny())...)
	}
	rapid.Check(t, func(rt *rapid.T) {
		draw := func(label string) string {
			text, err := json.Marshal(value(4).Draw(rt, label))
			if err != nil {
				rt.Fatal(err)
			}
			return string(text)
		}
		content := fmt.Sprintf(`{"content":[%s,{"type":%s,"text":%s,"resource":%s,"data":%s}],"structuredContent":%s}`,
			draw("first"), draw("type"), draw("text"), draw("resource"), draw("data"), draw("structured"))
		other := "null"
		if rapid.Bool().Draw(rt, "broken") { // to the SDK, one invalid tool makes the whole list invalid
			other = draw("tool")
		}
		s := script(t, "["+other+`,{"name":"echo","inputSchema":`+draw("schema")+`},{"name":"plain","inputSchema":{}}]`, answer(content))
		servers := mcp.Open(t.Context(), one, mcp.Options{Dial: s.dial, Connect: 5 * time.Second})
		defer servers.Close()
		for _, tool := range servers.Tools(t.Context()) {
			ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
			_, err := tool.Call(ctx, agent.Call{Name: tool.Info().Name, Arguments: json.RawMessage(`{}`)})
			if ctx.Err() != nil {
				rt.Fatalf("%s: %v", content, err)
			}
			cancel()
		}
	})
}

// Lines that are not messages, such as log lines on standard output, are skipped.
func TestLinesBetween(t *testing.T) {
	s := script(t, echoTools, func(c *conn, id string, _ json.RawMessage) {
		c.say("listening\n\n{\"level\":\"info\"}\n{broken\n\"jsonrpc\"\n[]\n[1]\n{\"jsonrpc\":\"2.0\",\"id\":99,\"result\":{}}\r")
		answer(echoed)(c, id, nil)
	})
	servers, w := open(t, one, mcp.Options{Dial: s.dial})
	if r, err := use(t, servers, "srv__echo", `{}`); err != nil || r.Output != "ok" || len(w.all()) > 0 {
		t.Errorf("%+v, %v, %v", r, err, w.all())
	}
}

// An endless message ends the connection, and the server is connected again.
func TestHugeMessage(t *testing.T) {
	calls := 0
	s := script(t, echoTools, func(c *conn, id string, params json.RawMessage) {
		if calls++; calls == 1 {
			piece := strings.Repeat("x", 1<<20)
			for range 20 {
				if _, err := c.Write([]byte(piece)); err != nil {
					return
				}
			}
			return
		}
		answer(echoed)(c, id, params)
	})
	servers, w := open(t, one, mcp.Options{Dial: s.dial})
	r, err := use(t, servers, "srv__echo", `{}`)
	if err == nil || agent.Categorize(err).Category != agent.Network {
		t.Errorf("%+v, %v", r, err)
	}
	if r, err := use(t, servers, "srv__echo", `{}`); err != nil || r.Output != "ok" {
		t.Errorf("the next call: %+v, %v", r, err)
	}
	if s.dials() != 2 || !has(w.all(), "16 MiB") {
		t.Errorf("%d connections, %v", s.dials(), w.all())
	}
}

// A call without an answer takes its time limit; other calls work.
func TestNeverAnswers(t *testing.T) {
	s := script(t, `[{"name":"silent"},{"name":"echo"}]`, func(c *conn, id string, params json.RawMessage) {
		if !strings.Contains(string(params), "silent") {
			answer(echoed)(c, id, params)
		}
	})
	servers, _ := open(t, []mcp.Config{{Name: "srv", Timeout: 50 * time.Millisecond}}, mcp.Options{Dial: s.dial})
	caller, err := mcp.NewCaller(agent.Config{Tools: servers.Tools(t.Context()), Policy: agent.Rules{Approve: "all"}.Policy()})
	if err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	r := caller.Call(t.Context(), mcp.SingleCall{Name: "srv__silent"})
	if r.Err == nil || r.Err.Category != agent.Timeout || time.Since(began) > 5*time.Second {
		t.Errorf("%+v after %v", r, time.Since(began))
	}
	if r := caller.Call(t.Context(), mcp.SingleCall{Name: "srv__echo"}); r.Output != "ok" {
		t.Errorf("%+v", r)
	}
}

// A server that dies during a call is reported once. The call fails, and the next one
// uses the restarted server.
func TestDiesInACall(t *testing.T) {
	calls := 0
	s := script(t, echoTools, func(c *conn, id string, params json.RawMessage) {
		if calls++; calls < 3 {
			c.Close()
			return
		}
		answer(echoed)(c, id, params)
	})
	servers, w := open(t, one, mcp.Options{Dial: s.dial})
	for range 2 {
		if r, err := use(t, servers, "srv__echo", `{}`); err == nil || agent.Categorize(err).Category != agent.Network {
			t.Errorf("%+v, %v", r, err)
		}
	}
	if r, err := use(t, servers, "srv__echo", `{}`); err != nil || r.Output != "ok" {
		t.Errorf("%+v, %v", r, err)
	}
	if len(w.all()) != 1 {
		t.Errorf("it was reported %v, want once", w.all())
	}
}

// A server that never answers is reported, delays nobody, and ends with Close.
func TestSlowStart(t *testing.T) {
	s := script(t, echoTools, answer(echoed))
	delete(s.answers, "server/discover")
	s.answers["initialize"] = func(*conn, string, json.RawMessage) {}
	s.answers["server/discover"] = s.answers["initialize"]
	began := time.Now()
	servers, w := open(t, one, mcp.Options{Dial: s.dial, Wait: 20 * time.Millisecond, Connect: 100 * time.Millisecond})
	if time.Since(began) > 5*time.Second || len(servers.Tools(t.Context())) != 0 || !has(w.all(), "srv: it is still starting") {
		t.Errorf("after %v: %v", time.Since(began), w.all())
	}
	within(t, "it is tried again", func() bool { return s.dials() > 1 })
	if states := servers.States(t.Context()); len(states) != 1 || states[0].Err == nil || !strings.Contains(states[0].Err.Error(), "did not answer within 100ms") {
		t.Errorf("%+v", states)
	}
	if len(w.all()) != 1 {
		t.Errorf("it was reported %v, want once", w.all())
	}
}

// A list of tools that changes during a run takes effect in the next step.
func TestListChanges(t *testing.T) {
	version := 1
	s := script(t, "", nil)
	s.answers["tools/list"] = func(c *conn, id string, _ json.RawMessage) {
		c.say(`{"jsonrpc":"2.0","id":%s,"result":{"tools":[{"name":"next"},{"name":"v%d"}]}}`, id, version)
	}
	s.answers["tools/call"] = func(c *conn, id string, params json.RawMessage) {
		version++
		c.say(`{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`)
		answer(echoed)(c, id, params)
	}
	servers, _ := open(t, one, mcp.Options{Dial: s.dial})
	for i := 1; i < 5; i++ {
		if diff := cmp.Diff([]string{"srv__next", fmt.Sprintf("srv__v%d", i)}, toolNames(t, servers)); diff != "" {
			t.Fatal(diff)
		}
		if _, err := use(t, servers, "srv__next", `{}`); err != nil {
			t.Fatal(err)
		}
	}
}

// Requests of a server to the client, such as for its model or its user, are refused
// without further effect.
func TestServerAsks(t *testing.T) {
	refused := make(chan string, 10)
	s := script(t, echoTools, func(c *conn, id string, _ json.RawMessage) {
		for i, method := range []string{"sampling/createMessage", "elicitation/create", "roots/list", "no/such/method"} {
			c.say(`{"jsonrpc":"2.0","id":"q%d","method":%q,"params":{"messages":[],"maxTokens":1,"message":"Your password?","requestedSchema":{"type":"object","properties":{}}}}`, i, method)
		}
		for range 4 {
			<-refused
		}
		answer(echoed)(c, id, nil)
	})
	s.heard = func(line string) {
		if strings.Contains(line, `"id":"q`) {
			refused <- line
		}
	}
	servers, _ := open(t, one, mcp.Options{Dial: s.dial})
	if r, err := use(t, servers, "srv__echo", `{}`); err != nil || r.Output != "ok" {
		t.Errorf("%+v, %v", r, err)
	}
	s = script(t, echoTools, answer(`{"resultType":"inputRequired","requestState":"x","inputRequests":{"q":{"method":"elicitation/create","params":{"message":"Your password?"}}}}`))
	servers, _ = open(t, one, mcp.Options{Dial: s.dial})
	if r, err := use(t, servers, "srv__echo", `{}`); err == nil || r.Output != "" {
		t.Errorf("%+v, %v", r, err)
	}
}

// A run follows a changing list: a tool that a call has added can be called in the next
// turn, and a removed one is unknown.
func TestRunFollowsList(t *testing.T) {
	tools := `[{"name":"enable"}]`
	s := script(t, "", nil)
	s.answers["tools/list"] = func(c *conn, id string, _ json.RawMessage) {
		c.say(`{"jsonrpc":"2.0","id":%s,"result":{"tools":%s}}`, id, tools)
	}
	s.answers["tools/call"] = func(c *conn, id string, params json.RawMessage) {
		tools = `[{"name":"later"}]`
		c.say(`{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`)
		answer(echoed)(c, id, params)
	}
	servers, _ := open(t, one, mcp.Options{Dial: s.dial})
	call := func(name string) []byte {
		return []byte(`<tool name="srv__` + name + `"><arguments></arguments></tool>`)
	}
	p := provider.Replay(&provider.Recording{Answers: [][]byte{call("enable"), call("later"), call("enable"), []byte("Done.")}}, provider.Config{})
	a, err := agent.New(agent.Config{
		Provider: p, Tools: servers.Tools(t.Context()), Policy: agent.Rules{Approve: "all"}.Policy(),
		Prepare: func(ctx context.Context, _ *agent.Session, step *agent.Config) error {
			step.Tools = servers.Tools(ctx)
			return nil
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for e := range a.Run(t.Context(), agent.NewSession(), agent.Say("Go.")) {
		if e.Type == agent.CallResult {
			code := "ran"
			if e.Result.Err != nil {
				code = e.Result.Err.Code
			}
			got = append(got, e.Call.Name+" "+code)
		}
	}
	if diff := cmp.Diff([]string{"srv__enable ran", "srv__later ran", "srv__enable " + "UNKNOWN_TOOL"}, got); diff != "" {
		t.Error(diff)
	}
}

// Endless lists and endless changes delay nobody.
func TestEndlessLists(t *testing.T) {
	page := 0
	s := script(t, "", answer(echoed))
	s.answers["tools/list"] = func(c *conn, id string, _ json.RawMessage) {
		page++
		c.say(`{"jsonrpc":"2.0","id":%s,"result":{"nextCursor":"%d","tools":[{"name":"t%d","inputSchema":{}}]}}`, id, page, page)
		go c.say(`{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`)
	}
	servers, _ := open(t, one, mcp.Options{Dial: s.dial})
	began := time.Now()
	for range 3 {
		if n := len(servers.Tools(t.Context())); n == 0 || n > 200 {
			t.Errorf("%d tools", n)
		}
	}
	if took := time.Since(began); took > 8*time.Second {
		t.Errorf("it took %v", took)
	}
}
