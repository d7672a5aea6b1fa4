package bench

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/packages/ssestream"

	"github.com/toolparse/toolparse/format"
	"github.com/toolparse/toolparse/internal/benchtext"
	"github.com/toolparse/toolparse/internal/parser"
	"github.com/toolparse/toolparse/toolcall"
)

// wireDeltas is how many pieces the call of the stream comes in.
const wireDeltas = 10_000

// wireStream is an OpenAI Chat Completions stream: a call whose arguments,
// which it returns too, come in pieces of four bytes.
func wireStream() (sse []byte, arguments string) {
	call := benchtext.LongCall(benchtext.PutFile, 4*wireDeltas)
	arguments = call.JSON()
	var b bytes.Buffer
	event := func(delta any, finish string) {
		d, err := json.Marshal(delta)
		if err != nil {
			panic(err) // strings always encode
		}
		fmt.Fprintf(&b, `data: {"id":"chatcmpl-1","object":"chat.completion.chunk","created":1700000000,"model":"m","choices":[{"index":0,"delta":%s,"finish_reason":%s}]}`+"\n\n", d, finish)
	}
	type object = map[string]any
	fragment := func(f object) object { return object{"tool_calls": []any{f}} }
	event(fragment(object{"index": 0, "id": "call_1", "type": "function", "function": object{"name": call.Tool, "arguments": ""}}), "null")
	for rest := arguments; rest != ""; {
		k := min(4, len(rest))
		event(fragment(object{"index": 0, "function": object{"arguments": rest[:k]}}), "null")
		rest = rest[k:]
	}
	event(object{}, `"tool_calls"`)
	b.WriteString("data: [DONE]\n\n")
	return b.Bytes(), arguments
}

// wires are the ways to read the stream: each adds the pieces of the arguments to w.
var wires = []struct {
	name string
	read func(tb testing.TB, body io.Reader, w io.StringWriter)
}{
	{"toolparse-deltas", readDeltas},
	{"toolparse-events", readEvents},
	{"openai-go", readOpenAI},
}

// readDeltas stops at the deltas, which is what the SDK gives.
func readDeltas(tb testing.TB, body io.Reader, w io.StringWriter) {
	for d, err := range format.NewStream(body, format.Options{Wire: format.OpenAI}).Deltas() {
		if err != nil {
			tb.Fatal(err)
		}
		if d.Kind == toolcall.DeltaToolCall {
			w.WriteString(d.Text)
		}
	}
}

// readEvents goes on to the events of segments.
func readEvents(tb testing.TB, body io.Reader, w io.StringWriter) {
	deltas := format.NewStream(body, format.Options{Wire: format.OpenAI}).Deltas()
	for e, err := range parser.Events(deltas, parser.Options{}) {
		if err != nil {
			tb.Fatal(err)
		}
		w.WriteString(e.Delta())
	}
}

func readOpenAI(tb testing.TB, body io.Reader, w io.StringWriter) {
	res := &http.Response{
		Header: http.Header{"Content-Type": {"text/event-stream"}},
		Body:   io.NopCloser(body),
	}
	s := ssestream.NewStream[openai.ChatCompletionChunk](ssestream.NewDecoder(res), nil)
	for s.Next() {
		for _, c := range s.Current().Choices {
			for _, call := range c.Delta.ToolCalls {
				w.WriteString(call.Function.Arguments)
			}
		}
	}
	if err := s.Err(); err != nil {
		tb.Fatal(err)
	}
}

// BenchmarkWire decodes a stream of 10,000 deltas.
func BenchmarkWire(b *testing.B) {
	sse, arguments := wireStream()
	for _, w := range wires {
		b.Run("decoder="+w.name, func(b *testing.B) {
			b.SetBytes(int64(len(sse)))
			b.ReportAllocs()
			deltas := (len(arguments) + 3) / 4
			var out counter
			for b.Loop() {
				out = 0
				w.read(b, bytes.NewReader(sse), &out)
			}
			if int(out) != len(arguments) {
				b.Fatalf("%d bytes of arguments, want %d", out, len(arguments))
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*deltas), "ns/delta")
		})
	}
}

// counter counts what is written to it.
type counter int

func (c *counter) WriteString(s string) (int, error) {
	*c += counter(len(s))
	return len(s), nil
}

// TestWire: every decoder gives the whole of the arguments.
func TestWire(t *testing.T) {
	sse, want := wireStream()
	for _, w := range wires {
		t.Run(w.name, func(t *testing.T) {
			var got strings.Builder
			w.read(t, bytes.NewReader(sse), &got)
			if got.String() != want {
				t.Errorf("%d bytes of arguments differ from the %d sent", got.Len(), len(want))
			}
		})
	}
}
