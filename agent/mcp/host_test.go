package mcp_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/toolparse/toolparse/agent"
	"github.com/toolparse/toolparse/agent/mcp"
	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/toolcall"
)

// hostTool is a tool to serve.
type hostTool struct {
	info agent.Info
	run  func(context.Context, agent.Call) (agent.Result, error)
}

func (t hostTool) Info() agent.Info { return t.info }

func (t hostTool) Call(ctx context.Context, call agent.Call) (agent.Result, error) {
	return t.run(ctx, call)
}

func served(name string, risk agent.Risk, run func(context.Context, agent.Call) (agent.Result, error)) hostTool {
	return hostTool{agent.Info{
		ToolDefinition: toolcall.ToolDefinition{Name: name, Description: "About " + name, Parameters: json.RawMessage(`{"type":"object","properties":{"n":{"type":"integer","default":7}},"additionalProperties":false}`)},
		Risk:           risk,
	}, run}
}

func says(text string) func(context.Context, agent.Call) (agent.Result, error) {
	return func(_ context.Context, call agent.Call) (agent.Result, error) {
		return agent.Result{Output: text + string(call.Arguments)}, nil
	}
}

// connect serves tools to a client of the SDK.
func connect(t *testing.T, approve string, options *sdk.ClientOptions, version string, tools ...agent.Tool) *sdk.ClientSession {
	t.Helper()
	ours, theirs := net.Pipe()
	done := make(chan error, 1)
	go func() {
		done <- mcp.Serve(context.WithoutCancel(t.Context()), theirs, theirs, agent.Config{Tools: tools, Policy: agent.Rules{Approve: approve}.Policy(), System: "Work."})
	}()
	session, err := sdk.NewClient(&sdk.Implementation{Name: "c", Version: "1"}, options).Connect(t.Context(), &sdk.IOTransport{Reader: ours, Writer: ours}, &sdk.ClientSessionOptions{ProtocolVersion: version})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		session.Close()
		if err := <-done; err != nil && !errors.Is(err, io.ErrClosedPipe) {
			t.Errorf("the server ends with %v", err)
		}
	})
	return session
}

// text returns the text of a result.
func text(r *sdk.CallToolResult) string {
	var list []string
	for _, c := range r.Content {
		if c, ok := c.(*sdk.TextContent); ok {
			list = append(list, c.Text)
		}
	}
	return strings.Join(list, "\n")
}

// The client gets all tools that make sense to it, and calls follow the rules of a run.
func TestServe(t *testing.T) {
	code := 3
	final := served("submit", agent.Safe, says("no"))
	final.info.Terminal = true
	theirs := served("theirs", agent.Safe, says("no"))
	theirs.info.Kind = agent.Function
	always := served("always", agent.Safe, says("no"))
	always.info.NeedsApproval = true
	untyped := served("untyped", agent.Safe, says("untyped "))
	untyped.info.Parameters = nil
	session := connect(t, "medium", nil, "",
		served("add", agent.Safe, says("added ")), served("danger", agent.High, says("no")), final, theirs, untyped, always,
		served("crash", agent.Medium, func(context.Context, agent.Call) (agent.Result, error) { panic("broken") }),
		served("all", agent.Medium, func(context.Context, agent.Call) (agent.Result, error) {
			return agent.Result{
				Output: "so far", ExitCode: &code, Changes: []agent.StateChange{{Type: "FileCreated", Path: "a"}},
				Parts: []chat.Part{{Kind: chat.PartImage, Media: &chat.Media{Type: "image/png", Data: pixelBase64}}},
			}, agent.Failure(agent.Execution, "it failed")
		}),
	)
	list, err := session.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, tool := range list.Tools {
		names = append(names, tool.Name)
		if tool.Name != "add" {
			continue
		}
		schema, err := json.Marshal(tool.InputSchema)
		if err != nil || !strings.Contains(string(schema), `"default":7`) || !tool.Annotations.ReadOnlyHint || tool.Description != "About add" {
			t.Errorf("%+v, %s", tool, schema)
		}
	}
	slices.Sort(names)
	if diff := cmp.Diff([]string{"add", "all", "always", "crash", "danger", "untyped"}, names); diff != "" {
		t.Error(diff)
	}
	if init := session.InitializeResult(); init.Instructions != "Work." {
		t.Errorf("%+v", init)
	}
	for _, test := range []struct {
		name, args, want string
		failed           bool
	}{
		{"add", `{}`, `added {"n":7}`, false},
		{"add", `{"n":"one"}`, "must be", true},
		{"add", `{"m":1}`, `there is no parameter "m"`, true},
		{"untyped", `{"x":1}`, `untyped {"x":1}`, false},
		{"danger", `{}`, `"danger" was not run: it needs approval`, true},
		{"danger", `{}`, "a higher --approve", true},
		{"always", `{}`, "Tell the user to run it.", true},
		{"crash", `{}`, `"crash" crashed: broken`, true},
		{"all", `{}`, "it failed", true},
	} {
		r, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: test.name, Arguments: json.RawMessage(test.args)})
		if err != nil || r.IsError != test.failed || !strings.Contains(text(r), test.want) {
			t.Errorf("%s(%s): %+v, %v; want %s", test.name, test.args, r, err, test.want)
			continue
		}
		if test.name == "all" {
			image, ok := r.Content[1].(*sdk.ImageContent)
			if !ok || string(image.Data) != string(pixel) || r.Meta["toolparse/exit_code"] != 3.0 || r.Meta["toolparse/state_changes"] == nil {
				t.Errorf("%+v", r)
			}
		}
	}
	if _, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: "submit"}); err == nil {
		t.Error("a tool that is not served runs")
	}
}

// If the client can ask its user, it asks about calls that need approval, in the newest
// protocol and the one before.
func TestServeAsks(t *testing.T) {
	for _, version := range []string{"", "2025-11-25", "2025-06-18"} {
		for _, said := range []string{"accept", "decline", "cancel"} {
			t.Run(version+" "+said, func(t *testing.T) {
				asked := ""
				session := connect(t, "safe", &sdk.ClientOptions{
					ElicitationHandler: func(_ context.Context, r *sdk.ElicitRequest) (*sdk.ElicitResult, error) {
						asked += r.Params.Message
						return &sdk.ElicitResult{Action: said, Content: map[string]any{}}, nil
					},
				}, version, served("danger", agent.High, says("done ")))
				r, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: "danger", Arguments: json.RawMessage(`{"n":1}`)})
				if err != nil {
					t.Fatal(err)
				}
				want := `permission denied for "danger": the user said no`
				if said == "accept" {
					want = `done {"n":1}`
				}
				if !strings.Contains(text(r), want) || r.IsError != (said != "accept") {
					t.Errorf("%+v, want %s", text(r), want)
				}
				if strings.Count(asked, "Shall it run?") != 1 || !strings.Contains(asked, `{"n":1}`) || !strings.Contains(asked, "risk high") {
					t.Errorf("the user was asked %q", asked)
				}
			})
		}
	}
}

// An approval applies once, to the call that the user has seen.
func TestServeApprovalIsForOneCall(t *testing.T) {
	ran := 0
	session := connect(t, "none", &sdk.ClientOptions{
		Capabilities:   &sdk.ClientCapabilities{Elicitation: &sdk.ElicitationCapabilities{Form: &sdk.FormElicitationCapabilities{}}},
		MultiRoundTrip: &sdk.MultiRoundTripOptions{Disabled: true},
	}, "", served("danger", agent.High, func(context.Context, agent.Call) (agent.Result, error) {
		ran++
		return agent.Result{Output: "done"}, nil
	}))
	yes := sdk.InputResponseMap{"approve": &sdk.ElicitResult{Action: "accept"}}
	use := func(args, state string, answers sdk.InputResponseMap) *sdk.CallToolResult {
		t.Helper()
		r, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: "danger", Arguments: json.RawMessage(args), RequestState: state, InputResponses: answers})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	first := use(`{"n":1}`, "", nil)
	if first.InputRequests == nil || first.RequestState == "" {
		t.Fatalf("nobody is asked: %+v", first)
	}
	use(`{"n":1}`, "made up", yes)
	use(`{"n":2}`, first.RequestState, yes) // and uses up the approval
	use(`{"n":1}`, first.RequestState, yes)
	if ran != 0 {
		t.Fatalf("it ran %d times without approval", ran)
	}
	again := use(`{"n":1}`, "", nil)
	if r := use(`{"n":1}`, again.RequestState, yes); text(r) != "done" || ran != 1 {
		t.Errorf("%+v, %d", r, ran)
	}
	use(`{"n":1}`, again.RequestState, yes)
	if ran != 1 {
		t.Errorf("one approval was used twice")
	}
}

// Progress is reported while a call runs, in order and before its result; cancelling
// works.
func TestServeProgressAndCancel(t *testing.T) {
	started, cancelled := make(chan struct{}), make(chan struct{})
	told := make(chan string, 10)
	session := connect(t, "all", &sdk.ClientOptions{
		ProgressNotificationHandler: func(_ context.Context, r *sdk.ProgressNotificationClientRequest) {
			told <- r.Params.Message
		},
	}, "",
		served("steps", agent.Safe, func(_ context.Context, call agent.Call) (agent.Result, error) {
			for _, step := range []string{"a", "b", "c"} {
				call.Report(step)
			}
			return agent.Result{Output: "done"}, nil
		}),
		served("waits", agent.Safe, func(ctx context.Context, _ agent.Call) (agent.Result, error) {
			close(started)
			<-ctx.Done()
			close(cancelled)
			return agent.Result{}, ctx.Err()
		}),
	)
	params := &sdk.CallToolParams{Name: "steps"}
	params.SetProgressToken("p")
	if r, err := session.CallTool(t.Context(), params); err != nil || text(r) != "done" {
		t.Fatalf("%+v, %v", r, err)
	}
	for _, want := range []string{"a", "b", "c"} {
		if got := <-told; got != want {
			t.Errorf("told is %q, want %q", got, want)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	go func() { <-started; cancel() }()
	if _, err := session.CallTool(ctx, &sdk.CallToolParams{Name: "waits"}); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	<-cancelled
}

// All requests in a pipe are answered before the end, and other lines are rejected.
func TestServePipe(t *testing.T) {
	slow := served("slow", agent.Safe, func(context.Context, agent.Call) (agent.Result, error) {
		return agent.Result{Output: strings.Repeat("x", 10)}, nil
	})
	in := strings.Join([]string{
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}`,
		`{"jsonrpc":"2.0","method":"notifications/initialized"}`, ``, `broken`,
		`{"jsonrpc":"2.0"}`, `{"jsonrpc":"2.0","id":{},"method":"ping"}`, `{"jsonrpc":"2.0","id":9,"method":7}`, `{"jsonrpc":"2.0","id":9,"error":7}`, `[{"jsonrpc":"2.0","id":9,"method":"ping"},7]`,
		`{"jsonrpc":"2.0","id":"two","method":"tools/call","params":{"name":"slow","arguments":{}}}`,
		`{"jsonrpc":"2.0","id":3,"method":"no/such/method","params":{}}`,
	}, "\n")
	var out strings.Builder
	if err := mcp.Serve(t.Context(), strings.NewReader(in), &out, agent.Config{Tools: []agent.Tool{slow}}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"id":1,"result"`, `"id":"two","result":{"content":[{"type":"text","text":"xxxxxxxxxx"}]`, `"id":3,"error"`, `"id":null,"error":{"code":-32700`} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%s is missing in\n%s", want, out.String())
		}
	}
	if n := strings.Count(out.String(), `"code":-32700`); n != 6 {
		t.Errorf("%d lines are rejected, want 6:\n%s", n, out.String())
	}
}

// A list of messages, which the protocol no longer has, gets an error, and the connection
// goes on.
func TestServeList(t *testing.T) {
	in := strings.Join([]string{
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-03-26","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`,
		`[{"jsonrpc":"2.0","id":2,"method":"ping"},{"jsonrpc":"2.0","id":3,"method":"ping"}]`, `[]`,
		`{"jsonrpc":"2.0","id":5,"method":"ping"}`,
	}, "\n") + "\n"
	var out strings.Builder
	if err := mcp.Serve(t.Context(), strings.NewReader(in), &out, agent.Config{}); err != nil {
		t.Fatal(err)
	}
	if text := out.String(); strings.Count(text, `"id":null,"error":{"code":-32700`) != 2 || !strings.Contains(text, `"id":5,"result"`) {
		t.Errorf("%s", text)
	}
}

// toolparse's own tools work like its commands.
func TestOwnTools(t *testing.T) {
	list := mcp.OwnTools()
	caller, err := mcp.NewCaller(agent.Config{Tools: list})
	if err != nil {
		t.Fatal(err)
	}
	hermes, err := json.Marshal(`Hi. <tool_call>{"name":"add","arguments":{"a":"1"}}</tool_call>`)
	if err != nil {
		t.Fatal(err)
	}
	request, err := json.Marshal(`{"model":"m","messages":[{"role":"user","content":"Hi"}],"seed":7}`)
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ name, args, want string }{
		{"parse", `{"text":` + string(hermes) + `}`, `{"text":"Hi. ","calls":[{"id":"seg_2","name":"add","arguments":{"a":"1"},"status":"complete","dialect":"hermes"`},
		{"parse", `{"text":` + string(hermes) + `,"dialect":"xml"}`, `"calls":[]`},
		{"parse", `{"text":` + string(hermes) + `,"tools":[{"name":"add","inputSchema":{"properties":{"a":{"type":"integer"}}}}]}`, `"problems"`},
		{"parse", `{"text":"x","dialect":"nope"}`, "unknown dialect"},
		{"translate", `{"body":` + string(request) + `,"from":"openai","to":"anthropic"}`, `\"max_tokens\"`},
		{"translate", `{"body":` + string(request) + `,"from":"openai","to":"anthropic"}`, `"losses":["`},
		{"translate", `{"body":"{}","from":"openai","to":"nope"}`, "nope"},
		{"detect", `{"text":` + string(hermes) + `}`, `[{"dialect":"hermes"`},
		{"detect", `{"text":"Hi."}`, `[]`},
	} {
		r := caller.Call(t.Context(), mcp.SingleCall{Name: test.name, Arguments: json.RawMessage(test.args)})
		if got := r.ForModel(); !strings.Contains(got, test.want) {
			t.Errorf("%s(%s): %s\nwant %s", test.name, test.args, got, test.want)
		}
	}
}

// The end of the context ends running calls, and then the server.
func TestServeEnds(t *testing.T) {
	started, ended := make(chan struct{}), make(chan struct{})
	waits := served("waits", agent.Safe, func(ctx context.Context, _ agent.Call) (agent.Result, error) {
		close(started)
		<-ctx.Done()
		close(ended)
		return agent.Result{}, ctx.Err()
	})
	ctx, cancel := context.WithCancel(t.Context())
	in, to := io.Pipe()
	defer to.Close()
	done := make(chan error, 1)
	go func() {
		done <- mcp.Serve(ctx, in, io.Discard, agent.Config{Tools: []agent.Tool{waits}})
	}()
	for _, line := range []string{
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}`,
		`{"jsonrpc":"2.0","method":"notifications/initialized"}`,
		`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"waits","arguments":{}}}`,
	} {
		if _, err := io.WriteString(to, line+"\n"); err != nil {
			t.Fatal(err)
		}
	}
	<-started
	cancel()
	<-ended
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Errorf("it ends with %v", err)
	}
}
