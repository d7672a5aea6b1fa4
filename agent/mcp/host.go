package mcp

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"sync"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/toolparse/toolparse/agent"
	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/jsonvalue"
	"github.com/toolparse/toolparse/internal/version"
)

// Serve serves tools to the MCP client that writes to in and reads from out, one message
// a line, until in or the context ends. If the policy asks about a call, Serve asks the
// client's user; if the client cannot do that, it refuses the call with a result that
// says so.
//
// Of the configuration, Serve uses the tools, except terminal ones and those that a client
// runs, the policy, the limits of a call, the working directory and environment, the
// logger, and System, which the client gets as instructions for its model.
func Serve(ctx context.Context, in io.Reader, out io.Writer, config agent.Config) error {
	server, err := newHost(ctx, config)
	if err != nil {
		return err
	}
	stream := newPatient(ctx, in, out)
	err = server.Run(ctx, &sdk.IOTransport{Reader: stream, Writer: stream, MaxLineLength: maxMessage + 1})
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return err
}

// host serves tools.
type host struct {
	ctx    context.Context // context of all calls, in addition to each one's own: the SDK waits for calls before it ends
	caller *caller

	mu      sync.Mutex
	asked   map[string][sha256.Size]byte // digests of calls that the user is being asked about, by token
	inOrder []string                     // the tokens, oldest first
}

// maxAsked limits the number of calls that users are being asked about.
const maxAsked = 100

func newHost(ctx context.Context, config agent.Config) (server *sdk.Server, err error) {
	var tools []agent.Tool
	for _, tool := range config.Tools {
		if info := tool.Info(); !info.Terminal && info.Kind != agent.Function {
			tools = append(tools, tool)
		}
	}
	config.Tools = tools
	caller, err := newCaller(config)
	if err != nil {
		return nil, err
	}
	h := &host{ctx: ctx, caller: caller, asked: map[string][sha256.Size]byte{}}
	server = sdk.NewServer(&sdk.Implementation{Name: "toolparse", Version: version.Of()}, &sdk.ServerOptions{
		Instructions: config.System, Logger: config.Logger,
		Capabilities: &sdk.ServerCapabilities{Tools: &sdk.ToolCapabilities{}},
	})
	for _, info := range caller.infos {
		if err := h.add(server, info); err != nil {
			return nil, err
		}
	}
	return server, nil
}

// add offers a tool.
func (h *host) add(server *sdk.Server, info agent.Info) (err error) {
	defer func() {
		if p := recover(); p != nil { // by the SDK, over a schema
			err = fmt.Errorf("mcp: %v", p)
		}
	}()
	schema := info.Parameters
	if v, err := jsonvalue.Parse(schema); err != nil || !v.Has("type") {
		schema = json.RawMessage(`{"type":"object"}`)
	}
	reads := info.Risk == agent.Safe || info.Parallel && info.Repeatable
	server.AddTool(&sdk.Tool{
		Name: info.Name, Description: info.Description, InputSchema: schema,
		Annotations: &sdk.ToolAnnotations{ReadOnlyHint: reads, DestructiveHint: new(info.Risk == agent.High), IdempotentHint: info.Repeatable},
	}, h.call)
	return nil
}

// call runs a call.
func (h *host) call(ctx context.Context, r *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(h.ctx, cancel)()
	call := singleCall{Name: r.Params.Name, Arguments: r.Params.Arguments, Report: reporter(ctx, r)}
	asked, accepted := h.answer(r)
	call.Approved = accepted
	result := h.caller.Call(ctx, call)
	if result.Err != nil && result.Err.Code == codeApproval {
		switch {
		case asked:
			result.Err = agent.Failure(agent.Permission, "permission denied for %q: the user said no.", call.Name)
		case canAsk(r):
			return h.ask(r, result.Err), nil
		case h.alwaysAsks(call.Name):
			result.Err.Action = "It always asks, and this client cannot ask its user. Tell the user to run it."
		default:
			result.Err.Action = "It is not run here. Ask the user to run it, or to start toolparse mcp with a higher --approve."
		}
	}
	return hostResult(&result), nil
}

// alwaysAsks reports whether a tool asks each time, whatever was allowed before.
func (h *host) alwaysAsks(name string) bool {
	return slices.ContainsFunc(h.caller.infos, func(info agent.Info) bool { return info.Name == name && info.NeedsApproval })
}

// canAsk reports whether the client can ask its user.
func canAsk(r *sdk.CallToolRequest) bool {
	init := r.Session.InitializeParams()
	return init != nil && init.Capabilities != nil && init.Capabilities.Elicitation != nil
}

// The name of the question in a request and in its answer.
const questionName = "approve"

// maxQuestion limits the arguments that a question shows, in bytes.
const maxQuestion = 1000

// ask returns a result that makes the client ask its user about a call.
func (h *host) ask(r *sdk.CallToolRequest, why *agent.Error) *sdk.CallToolResult {
	token := rand.Text()
	h.mu.Lock()
	h.asked[token] = digest(r)
	if h.inOrder = append(h.inOrder, token); len(h.inOrder) > maxAsked {
		delete(h.asked, h.inOrder[0])
		h.inOrder = h.inOrder[1:]
	}
	h.mu.Unlock()
	return &sdk.CallToolResult{
		RequestState: token,
		InputRequests: sdk.InputRequestMap{questionName: &sdk.ElicitParams{
			Mode:            "form",
			Message:         fmt.Sprintf("%s\nArguments: %s\nShall it run?", why.Message, clean(string(r.Params.Arguments), maxQuestion)),
			RequestedSchema: json.RawMessage(`{"type":"object","properties":{}}`),
		}},
	}
}

// answer reports whether the user was asked about exactly this call, and has accepted it.
func (h *host) answer(r *sdk.CallToolRequest) (asked, accepted bool) {
	token := r.Params.RequestState
	if token == "" {
		return false, false
	}
	h.mu.Lock()
	of, known := h.asked[token]
	delete(h.asked, token)
	h.mu.Unlock()
	answer, ok := r.Params.InputResponses[questionName].(*sdk.ElicitResult)
	return true, known && ok && of == digest(r) && answer.Action == "accept"
}

// digest identifies a call.
func digest(r *sdk.CallToolRequest) [sha256.Size]byte {
	return sha256.Sum256([]byte(r.Params.Name + "\x00" + string(r.Params.Arguments)))
}

// reporter returns a function that reports the progress of a call to the client, or nil if
// the client does not want that. The run of the call keeps tools from waiting for it.
func reporter(ctx context.Context, r *sdk.CallToolRequest) func(text string) {
	token := r.Params.GetProgressToken()
	if token == nil {
		return nil
	}
	n := 0.0
	return func(text string) {
		n++
		// The loss of a client is noticed elsewhere.
		_ = r.Session.NotifyProgress(ctx, &sdk.ProgressNotificationParams{ProgressToken: token, Message: text, Progress: n})
	}
}

// hostResult returns a result for a client. Its metadata contain the changes, the exit
// code and other details.
func hostResult(r *agent.ToolResult) *sdk.CallToolResult {
	out := &sdk.CallToolResult{IsError: r.Err != nil, Content: []sdk.Content{}, Meta: sdk.Meta{}}
	if text := r.ForModel(); text != "" {
		out.Content = append(out.Content, &sdk.TextContent{Text: text})
	}
	for _, part := range r.Parts {
		if part.Media == nil {
			continue
		}
		data, err := base64.StdEncoding.DecodeString(part.Media.Data)
		switch {
		case err != nil || len(data) == 0:
			out.Content = append(out.Content, &sdk.ResourceLink{URI: part.Media.URL, Name: part.Media.Name, MIMEType: part.Media.Type})
		case part.Kind == chat.PartImage:
			out.Content = append(out.Content, &sdk.ImageContent{Data: data, MIMEType: part.Media.Type})
		default:
			out.Content = append(out.Content, &sdk.EmbeddedResource{Resource: &sdk.ResourceContents{URI: "file:///" + part.Media.Name, MIMEType: part.Media.Type, Blob: data}})
		}
	}
	if r.ExitCode != nil {
		out.Meta["toolparse/exit_code"] = *r.ExitCode
	}
	if len(r.Changes) > 0 {
		out.Meta["toolparse/state_changes"] = r.Changes
	}
	if len(r.Metadata) > 0 {
		out.Meta["toolparse/metadata"] = r.Metadata
	}
	return out
}
