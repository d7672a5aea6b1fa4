package mcp_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/toolparse/toolparse/agent"
	"github.com/toolparse/toolparse/agent/mcp"
	"github.com/toolparse/toolparse/format/chat"
)

// pixel is the beginning of an image.
var pixel = []byte("\x89PNG\r\n\x1a\n")

const pixelBase64 = "iVBORw0KGgo="

// serverOf returns a server of the SDK with one tool.
func serverOf(handle sdk.ToolHandler) *sdk.Server {
	server := sdk.NewServer(&sdk.Implementation{Name: "x"}, nil)
	server.AddTool(&sdk.Tool{Name: "tool", InputSchema: json.RawMessage(`{"type":"object"}`)}, handle)
	return server
}

// All kinds of content reach the model: what models can read as it is, the rest by name.
func TestResults(t *testing.T) {
	size := int64(12)
	image := chat.Part{Kind: chat.PartImage, Media: &chat.Media{Type: "image/png", Data: pixelBase64}}
	tests := map[string]struct {
		from  sdk.CallToolResult
		text  string
		parts []chat.Part
	}{
		"texts":    {sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: "a"}, &sdk.TextContent{Text: "b"}}}, "a\nb", nil},
		"an image": {sdk.CallToolResult{Content: []sdk.Content{&sdk.ImageContent{Data: pixel, MIMEType: "image/png"}}}, "", []chat.Part{image}},
		"text around an image": {sdk.CallToolResult{Content: []sdk.Content{
			&sdk.TextContent{Text: "a cat:"}, &sdk.ImageContent{Data: pixel, MIMEType: "image/png"}, &sdk.TextContent{Text: "as you see"},
		}}, "a cat:\n[image 1]\nas you see", []chat.Part{image}},
		"an image of no model's": {sdk.CallToolResult{Content: []sdk.Content{&sdk.ImageContent{Data: pixel, MIMEType: "image/svg+xml"}}}, "[image image/svg+xml, 8 bytes: not shown]", nil},
		"an empty image":         {sdk.CallToolResult{Content: []sdk.Content{&sdk.ImageContent{MIMEType: "image/png"}}}, "[image image/png: empty]", nil},
		"a huge image": {sdk.CallToolResult{Content: []sdk.Content{&sdk.ImageContent{MIMEType: "image/png", Data: make([]byte, 5<<20)}}},
			"[image image/png, 5242880 bytes: too much to show]", nil},
		"sound": {sdk.CallToolResult{Content: []sdk.Content{&sdk.AudioContent{Data: pixel, MIMEType: "audio/wav"}}}, "[audio audio/wav, 8 bytes: not shown]", nil},
		"a link": {sdk.CallToolResult{Content: []sdk.Content{&sdk.ResourceLink{URI: "file:///a\nb", Name: "a", MIMEType: "text/plain", Size: &size, Description: "About."}}},
			"[resource a: file:///a b, text/plain, 12 bytes] About.", nil},
		"a resource": {sdk.CallToolResult{Content: []sdk.Content{&sdk.EmbeddedResource{Resource: &sdk.ResourceContents{URI: "file:///a", MIMEType: "text/plain", Text: "hello"}}}},
			"[resource file:///a text/plain]\nhello", nil},
		"a document": {sdk.CallToolResult{Content: []sdk.Content{&sdk.EmbeddedResource{Resource: &sdk.ResourceContents{URI: "file:///d/a.pdf", MIMEType: "application/pdf", Blob: []byte("%PDF")}}}},
			"[file 1: resource file:///d/a.pdf application/pdf]", []chat.Part{{Kind: chat.PartFile, Media: &chat.Media{Type: "application/pdf", Name: "a.pdf", Data: "JVBERg=="}}}},
		"a resource that is bytes": {sdk.CallToolResult{Content: []sdk.Content{&sdk.EmbeddedResource{Resource: &sdk.ResourceContents{URI: "x:y", MIMEType: "application/zip", Blob: pixel}}}},
			"[resource x:y application/zip, 8 bytes: not shown]", nil},
		"structured content alone":           {sdk.CallToolResult{StructuredContent: map[string]any{"t": 1}}, `{"t":1}`, nil},
		"structured content that text is":    {sdk.CallToolResult{StructuredContent: map[string]any{"t": 1}, Content: []sdk.Content{&sdk.TextContent{Text: `{ "t": 1.0 }`}}}, `{ "t": 1.0 }`, nil},
		"structured content beside its text": {sdk.CallToolResult{StructuredContent: map[string]any{"t": 1}, Content: []sdk.Content{&sdk.TextContent{Text: "one"}}}, "one\n" + `{"t":1}`, nil},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			servers, _ := open(t, one, mcp.Options{Dial: dialSDK(t, serverOf(func(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
				result := test.from
				return &result, nil
			}))})
			r, err := use(t, servers, "srv__tool", `{}`)
			if err != nil || r.Output != test.text {
				t.Errorf("%q, %v; want %q", r.Output, err, test.text)
			}
			if diff := cmp.Diff(test.parts, r.Parts); diff != "" {
				t.Error(diff)
			}
			if test.from.StructuredContent != nil && r.Metadata["structured_content"] == nil {
				t.Error("the caller does not get the structured content")
			}
		})
	}
}

// Only the first of many images are shown.
func TestManyImages(t *testing.T) {
	servers, _ := open(t, one, mcp.Options{Dial: dialSDK(t, serverOf(func(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		result := &sdk.CallToolResult{}
		for range 30 {
			result.Content = append(result.Content, &sdk.ImageContent{Data: pixel, MIMEType: "image/png"})
		}
		return result, nil
	}))})
	r, err := use(t, servers, "srv__tool", `{}`)
	if err != nil || len(r.Parts) != 10 || strings.Count(r.Output, "too much to show") != 20 {
		t.Errorf("%d images, %q, %v", len(r.Parts), r.Output, err)
	}
}

// Errors of a tool, of its server and of the protocol are distinguished and shortened.
func TestErrors(t *testing.T) {
	tests := map[string]struct {
		handle sdk.ToolHandler
		want   agent.Category
		text   string
	}{
		"of the tool": {func(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
			return &sdk.CallToolResult{IsError: true, Content: []sdk.Content{&sdk.TextContent{Text: "no such city"}}}, nil
		}, agent.Execution, "no such city"},
		"of the protocol": {func(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
			return nil, errors.New("\x1b[31mbroken " + strings.Repeat("x", 10_000))
		}, agent.Execution, "the MCP server srv refused the call: [31mbroken xxx"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			servers, _ := open(t, one, mcp.Options{Dial: dialSDK(t, serverOf(test.handle))})
			_, err := use(t, servers, "srv__tool", `{}`)
			if err == nil {
				t.Fatal("no error")
			}
			if e := agent.Categorize(err); e.Category != test.want || !strings.Contains(e.Message, test.text) || len(e.Message) > 3000 {
				t.Errorf("%s: %s", e.Category, e.Message)
			}
		})
	}
}

// Arguments arrive unchanged, progress is reported, and cancelling reaches the server.
func TestCalls(t *testing.T) {
	started, cancelled, told := make(chan struct{}), make(chan struct{}), make(chan struct{})
	servers, _ := open(t, one, mcp.Options{Dial: dialSDK(t, serverOf(func(ctx context.Context, r *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		if string(r.Params.Arguments) == `{"wait":true}` {
			close(started)
			<-ctx.Done()
			close(cancelled)
			return nil, ctx.Err()
		}
		for i, message := range []string{"one", ""} {
			err := r.Session.NotifyProgress(ctx, &sdk.ProgressNotificationParams{
				ProgressToken: r.Params.GetProgressToken(), Message: message, Progress: float64(i + 1), Total: 2,
			})
			if err != nil {
				return nil, err
			}
		}
		<-told // progress after the result is dropped
		return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: string(r.Params.Arguments)}}}, nil
	}))})
	caller, err := mcp.NewCaller(agent.Config{Tools: servers.Tools(t.Context()), Policy: agent.Rules{Approve: "all"}.Policy()})
	if err != nil {
		t.Fatal(err)
	}
	var reports []string
	report := func(text string) {
		if reports = append(reports, text); len(reports) == 2 {
			close(told)
		}
	}
	const args = `{"n":12345678901234567890, "t":"<b>"}`
	r := caller.Call(t.Context(), mcp.SingleCall{Name: "srv__tool", Arguments: json.RawMessage(args), Report: report})
	if !r.Success() || r.Output != `{"n":12345678901234567890,"t":"<b>"}` && r.Output != args {
		t.Errorf("%+v", r)
	}
	if diff := cmp.Diff([]string{"one (1/2)", "2/2"}, reports); diff != "" {
		t.Error(diff)
	}
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		<-started
		cancel()
	}()
	if r := caller.Call(ctx, mcp.SingleCall{Name: "srv__tool", Arguments: json.RawMessage(`{"wait":true}`)}); r.Err == nil || r.Err.Code != "CANCELLED" {
		t.Errorf("%+v", r)
	}
	<-cancelled
}
