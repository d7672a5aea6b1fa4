package ollama_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolparse/toolparse/format"
	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/wire/frame"
	"github.com/toolparse/toolparse/internal/wire/test/codectest"
	"github.com/toolparse/toolparse/internal/wire/test/wiretest"
	"github.com/toolparse/toolparse/toolcall"
)

// richStreams have members at every level that deltas do not tell.
var richStreams = []string{
	`{"model":"m","created_at":"1970-01-01T00:00:07Z","remote_model":"r","_debug_info":{"rendered_template":"t\n"},"message":{"role":"assistant","content":"a","x":1.50},"logprobs":[{"token":"a","logprob":-0.1}],"done":false}
{"model":"m","created_at":"1970-01-01T00:00:08Z","remote_model":"r","message":{"role":"assistant","content":"a","thinking":"r","images":["AAAA"]},"logprobs":[{"token":"a","logprob":-0.1,"top_logprobs":[{"token":"b"}]}],"done":false}
{"model":"m","created_at":"1970-01-01T00:00:09Z","remote_model":"s","message":{"role":"assistant","content":""},"logprobs":[{"token":""}],"done":false}
{"model":"m","created_at":"1970-01-01T00:00:09Z","message":{"role":"assistant","content":"","tool_calls":[{"id":"c","type":"function","y":[1,{"z":null}],"function":{"index":0,"name":"f","arguments":{"a":1},"w":"v"}},{"id":"d","function":{"index":1,"name":"f","arguments":{},"w":"u"}}]},"logprobs":[{"token":"c"}],"done":false}
{"model":"m","created_at":"1970-01-01T00:00:10Z","message":{"role":"assistant","content":"on the last line","q":true},"logprobs":[{"token":"d"}],"done":true,"done_reason":"stop","total_duration":231864490,"load_duration":4355056,"prompt_eval_count":181,"prompt_eval_duration":94000000,"eval_count":68,"eval_duration":312000000,"new":{"a":[1]}}
`,
	`{"model":"m","created_at":"1970-01-01T00:00:07Z","message":{"role":"assistant","content":"a"},"done":false}
{"error":"gone","signin_url":"https://example.com","message":{"x":1}}
`,
	`{"model":"m","created_at":"1970-01-01T00:00:07Z","message":{"role":"assistant","content":"a"},"done":true,"done_reason":"unload","eval_duration":3}`,
}

// isRemade accepts what is made anew: the time of a line, what all lines have
// in common, and members that come again as they were.
func isRemade(path string) bool {
	switch path {
	case "created_at", "model", "message.role", "message.content", "done", "remote_model", "message.tool_calls[].type":
		return true
	}
	return false
}

func translate(t *testing.T, stream string, to format.Wire) (string, []chat.Loss) {
	t.Helper()
	var out bytes.Buffer
	losses, err := format.TranslateStream(&out, strings.NewReader(stream), format.Ollama, to, format.TranslateOptions{})
	if err != nil && !strings.Contains(stream, `"error"`) {
		t.Fatal(err)
	}
	return out.String(), losses
}

// deltas are those of a stream that are what the model says: its texts, joined,
// and its calls and its end.
func deltas(t *testing.T, stream string) string {
	t.Helper()
	var text, thinking, rest strings.Builder
	for d, err := range format.NewStream(strings.NewReader(stream), format.Options{Wire: format.Ollama}).Deltas() {
		switch {
		case err != nil:
			fmt.Fprintln(&rest, errors.Is(err, io.ErrUnexpectedEOF))
		case d.Kind == toolcall.DeltaText:
			text.WriteString(d.Text)
		case d.Kind == toolcall.DeltaReasoning:
			thinking.WriteString(d.Text)
		case d.Kind != toolcall.DeltaExtra:
			fmt.Fprintf(&rest, "%+v\n", d)
		}
	}
	return text.String() + "\n" + thinking.String() + "\n" + rest.String()
}

// A stream keeps everything on the way to the same wire, and there is nothing to
// report.
func TestStreamsComeBack(t *testing.T) {
	streams := codectest.Bodies(codectest.Recordings(t, "ollama-*json"), richStreams...)
	for _, stream := range streams {
		got, losses := translate(t, stream, format.Ollama)
		in, out := wiretest.Leaves(t, frame.JSON, []byte(stream)), wiretest.Leaves(t, frame.JSON, []byte(got))
		if missing := wiretest.Missing(in, out, isRemade); len(missing) > 0 {
			t.Errorf("%s\nis written\n%s\nwithout\n%s", stream, got, strings.Join(missing, "\n"))
		}
		if made := wiretest.Missing(out, in, isRemade); len(made) > 0 {
			t.Errorf("%s\nis written\n%s\nwith\n%s", stream, got, strings.Join(made, "\n"))
		}
		if deltas(t, got) != deltas(t, stream) {
			t.Errorf("%s\nhas the deltas\n%s\nand comes back with\n%s", stream, deltas(t, stream), deltas(t, got))
		}
		if len(losses) > 0 {
			t.Errorf("%s\nlosses %v", stream, losses)
		}
	}
}

// On the way to another wire each of them is a loss, once.
func TestStreamExtrasAreLosses(t *testing.T) {
	want := []string{
		"stream._debug_info", "stream.eval_duration", "stream.load_duration", "stream.logprobs", "stream.message.images",
		"stream.message.q", "stream.message.tool_calls[].function.w", "stream.message.tool_calls[].y", "stream.message.x",
		"stream.new", "stream.prompt_eval_duration", "stream.remote_model", "stream.total_duration",
	}
	for _, to := range []format.Wire{format.OpenAI, format.Responses, format.Anthropic, format.Gemini} {
		_, losses := translate(t, richStreams[0], to)
		got := slices.DeleteFunc(codectest.Fields(losses), func(field string) bool { return !strings.HasPrefix(field, "stream.") })
		slices.Sort(got)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", to, diff)
		}
	}
}

// Extras stand where they stood, as near as the order of deltas allows.
func TestStreamExtras(t *testing.T) {
	extra := func(name, json string) D {
		return D{Kind: toolcall.DeltaExtra, Index: toolcall.NoIndex, Name: name, Text: json}
	}
	text, end := D{Kind: toolcall.DeltaText, Text: "a"}, D{Kind: toolcall.DeltaFinish, Text: "stop"}
	call := D{Kind: toolcall.DeltaToolCall, ID: "c", Name: "f", Text: "{}", Done: true}
	const last = `"content":""},"done":true,"done_reason":"stop"`
	for _, tt := range []struct {
		name   string
		in     []D
		want   []string
		losses []string
	}{
		{"on the next line", []D{extra("a", "1"), extra("message.b", "[\n2]"), text, text, end}, []string{`"content":"a","b":[ 2]},"a":1,"done":false}`, `"content":"a"`, last + "}"}, nil},
		{"that come again", []D{extra("a", "1"), extra("a", "2"), text, end}, []string{`"content":""},"a":1,"done":false}`, `"content":"a"},"a":2,"done":false}`, last + "}"}, nil},
		{"too many for a line", []D{extra("a", "1"), extra("b", `"`+strings.Repeat("x", 1<<16)+`"`), end}, []string{`"content":""},"a":1,"done":false}`, `"content":""},"b":"` + strings.Repeat("x", 1<<16) + `","done":true,"done_reason":"stop"}`}, nil},
		{"durations", []D{extra("eval_duration", "1"), text, end}, []string{`"content":"a"`, last + `,"eval_duration":1}`}, nil},
		{"durations that come again", []D{extra("eval_duration", "1"), extra("eval_duration", "2"), end}, []string{last + `,"eval_duration":2}`}, []string{"stream.eval_duration"}},
		{"of a call", []D{extra("message.tool_calls[].x", "1"), extra("message.tool_calls[].function.y", "2"), call, end}, []string{`"content":"","tool_calls":[{"id":"c","function":{"index":0,"name":"f","arguments":{},"y":2},"x":1}]`, last + "}"}, nil},
		{"of a call that does not come", []D{extra("message.tool_calls[].x", "1"), end}, []string{last + "}"}, []string{"stream.message.tool_calls[].x"}},
		{"of a call that is left out", []D{extra("message.tool_calls[].x", "1"), {Kind: toolcall.DeltaToolCall, ID: "c", Name: "f", Text: "{"}, end}, []string{strings.Replace(last, "stop", "length", 1) + "}"}, []string{"stream.calls.f", "stream.message.tool_calls[].x"}},
		{"behind an error", []D{{Kind: toolcall.DeltaError, Text: "m"}, extra("a", "1"), text, extra("eval_duration", "2")}, []string{`"content":""`, `{"error":"m"}`}, []string{"stream.a", "stream", "stream.eval_duration"}},
		{"what is no extra, whatever a path says", []D{extra("message.content", `"b"`), extra("message", "{}"), extra("message.tool_calls[].function.name", `"g"`), text, end}, []string{`"content":"a"`, last + "}"}, []string{"stream.message.content", "stream.message", "stream.message.tool_calls[].function.name"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, losses := encode(t, meta, tt.in...)
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tt.losses, codectest.Fields(losses)); diff != "" {
				t.Errorf("losses (-want +got):\n%s", diff)
			}
		})
	}
}
