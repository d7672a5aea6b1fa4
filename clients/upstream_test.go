package clients

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/toolparse/toolparse/format"
	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/gateway"
	"github.com/toolparse/toolparse/internal/dialect"
	"github.com/toolparse/toolparse/internal/wire"
	"github.com/toolparse/toolparse/internal/wire/all"
	"github.com/toolparse/toolparse/toolcall"
)

// called are the arguments of the call that models make.
const called = `{"city":"Oslo","days":2}`

// modes are native calls, and calls as dialects write them, behind a word of text.
var modes = map[string]string{
	"":            "I look.",
	"hermes":      "I look.\n<tool_call>\n{\"name\": \"get_weather\", \"arguments\": " + called + "}\n</tool_call>",
	"qwen3_coder": "I look.\n<tool_call>\n<function=get_weather>\n<parameter=city>\nOslo\n</parameter>\n<parameter=days>\n2\n</parameter>\n</function>\n</tool_call>",
	"xml":         "I look.\n<tool name=\"get_weather\"><arguments><arg name=\"city\">Oslo</arg><arg name=\"days\">2</arg></arguments></tool>",
}

// baseOf is the base URL of a server as the vendor of the wire documents it.
func baseOf(wire format.Wire, url string) string {
	server, _ := all.ServerOf(wire)
	if strings.HasPrefix(server.Path, "/v1") || strings.HasPrefix(server.Path, "/api") {
		return url
	}
	return url + "/v1"
}

// gatewayTo starts a gateway before a server of a wire.
func gatewayTo(t testing.TB, wire format.Wire, mode string, upstream http.HandlerFunc, change ...func(*gateway.Options)) string {
	t.Helper()
	up := httptest.NewServer(upstream)
	t.Cleanup(up.Close)
	opts := gateway.Options{Targets: []gateway.Target{{Upstream: baseOf(wire, up.URL), Wire: wire}}, Limits: gateway.Limits{Retries: -1}}
	if mode != "" {
		dialects, err := dialect.Named(mode, "")
		if err != nil {
			t.Fatal(err)
		}
		opts.Targets[0].Dialect = dialects[0]
	}
	for _, do := range change {
		do(&opts)
	}
	server, err := gateway.New(opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { server.Close() })
	ts := httptest.NewServer(server)
	t.Cleanup(ts.Close)
	return ts.URL
}

// answered is what a server of a wire answers a request with, in the pieces in which it
// sends them, and the media type.
func answered(t testing.TB, spoken format.Wire, r *http.Request, text string, native bool) (pieces [][]byte, kind string) {
	t.Helper()
	body, err := io.ReadAll(r.Body)
	if err != nil {
		t.Error(err)
	}
	codec, err := all.CodecOf(spoken)
	if err != nil {
		t.Error(err)
	}
	request, err := codec.DecodeRequest(body)
	if err != nil {
		t.Errorf("%v\n%s", err, body)
		return nil, ""
	}
	if sent := len(request.Tools) > 0; sent != native {
		t.Errorf("tools are sent: %v", sent)
	}
	meta := chat.Meta{Wire: string(spoken), ID: "up_1", Model: "m"}
	if !request.Stream && !strings.Contains(r.URL.Path, "stream") {
		parts := []chat.Part{chat.TextPart(text)}
		if native {
			parts = append(parts, chat.CallPart("call_9", "get_weather", called))
		}
		out, _ := codec.EncodeResponse(&wire.Response{Meta: meta, Choices: []wire.Choice{{Message: chat.Message{Role: chat.Assistant, Parts: parts}}}}, wire.Options{})
		return [][]byte{out}, contentType(spoken, false)
	}
	var deltas []toolcall.Delta
	for piece := range slices.Chunk([]byte(text), 5) {
		deltas = append(deltas, toolcall.Delta{Kind: toolcall.DeltaText, Text: string(piece)})
	}
	if native {
		deltas = append(deltas, toolcall.Delta{Kind: toolcall.DeltaToolCall, ID: "call_9", Name: "get_weather", Text: called[:12]},
			toolcall.Delta{Kind: toolcall.DeltaToolCall, Text: called[12:], Done: true})
	}
	enc := codec.NewEncoder(wire.Options{})
	enc.SetMeta(meta)
	for _, d := range append(deltas, toolcall.Delta{Kind: toolcall.DeltaFinish, Text: "stop"}) {
		piece := enc.Append(nil, d)
		if len(piece) > 0 {
			pieces = append(pieces, piece)
		}
	}
	last := enc.Close(nil)
	return append(pieces, last), contentType(spoken, true)
}

// speak answers a request as servers of a wire do.
func speak(t testing.TB, wire format.Wire, w http.ResponseWriter, r *http.Request, text string, native bool) {
	pieces, kind := answered(t, wire, r, text, native)
	w.Header().Set("Content-Type", kind)
	_, _ = w.Write(bytes.Join(pieces, nil))
}
