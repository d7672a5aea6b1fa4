package format_test

import (
	"bytes"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"

	"github.com/toolparse/toolparse/format"
	"github.com/toolparse/toolparse/toolcall"
)

// longStream returns a stream of about n deltas in the form of each wire: text,
// reasoning, and a call whose arguments come in pieces.
func longStream(w format.Wire, n int) []byte {
	var b bytes.Buffer
	events := func(name string, layout string, args ...any) {
		if name != "" {
			fmt.Fprintf(&b, "event: %s\n", name)
		}
		fmt.Fprintf(&b, "data: "+layout+"\n\n", args...)
	}
	typed := func(kind, fields string, args ...any) {
		events(kind, `{"type":"`+kind+`",`+fields+`}`, args...)
	}
	third := n / 3
	switch w {
	case format.OpenAI:
		chunk := func(delta, finish string) {
			events("", `{"id":"chatcmpl-8a1f20c4","object":"chat.completion.chunk","created":1795000000,"model":"example-large","choices":[{"index":0,"delta":{%s},"finish_reason":%s}]}`, delta, finish)
		}
		for range third {
			chunk(`"reasoning_content":" hmm"`, "null")
		}
		for range third {
			chunk(`"content":" word\n"`, "null")
		}
		chunk(`"tool_calls":[{"index":0,"id":"call_1","type":"function","function":{"name":"f","arguments":"{\"a\":\""}}]`, "null")
		for range third {
			chunk(`"tool_calls":[{"index":0,"function":{"arguments":"some\\n"}}]`, "null")
		}
		chunk(`"tool_calls":[{"index":0,"function":{"arguments":"\"}"}}]`, "null")
		chunk("", `"tool_calls"`)
		events("", "[DONE]")
	case format.Responses:
		typed("response.output_item.added", `"output_index":0,"item":{"type":"reasoning","id":"rs_1"}`)
		for range third {
			typed("response.reasoning_text.delta", `"sequence_number":9,"item_id":"rs_1","output_index":0,"content_index":0,"delta":" hmm"`)
		}
		typed("response.output_item.done", `"output_index":0,"item":{"type":"reasoning","id":"rs_1"}`)
		for range third {
			typed("response.output_text.delta", `"sequence_number":9,"item_id":"msg_1","output_index":1,"content_index":0,"delta":" word\n","logprobs":[]`)
		}
		typed("response.output_item.added", `"output_index":2,"item":{"type":"function_call","id":"fc_1","call_id":"call_1","name":"f","arguments":""}`)
		for range third {
			typed("response.function_call_arguments.delta", `"sequence_number":9,"item_id":"fc_1","output_index":2,"delta":"some\n"`)
		}
		typed("response.output_item.done", `"output_index":2,"item":{"type":"function_call","id":"fc_1","call_id":"call_1","name":"f","arguments":""}`)
		typed("response.completed", `"response":{"status":"completed","output":[]}`)
	case format.Anthropic:
		block := func(index int, start, delta string) {
			typed("content_block_start", `"index":%d,"content_block":{"type":%s}`, index, start)
			for range third {
				typed("content_block_delta", `"index":%d,"delta":{"type":%s}`, index, delta)
			}
			typed("content_block_stop", `"index":%d`, index)
		}
		typed("message_start", `"message":{"id":"m","content":[]}`)
		block(0, `"thinking","thinking":""`, `"thinking_delta","thinking":" hmm"`)
		block(1, `"text","text":""`, `"text_delta","text":" word\n"`)
		block(2, `"tool_use","id":"toolu_1","name":"f","input":{}`, `"input_json_delta","partial_json":"some\\n"`)
		typed("message_delta", `"delta":{"stop_reason":"tool_use"},"usage":{"output_tokens":9}`)
		events("message_stop", `{"type":"message_stop"}`)
	case format.Gemini:
		parts := func(part, rest string) {
			events("", `{"candidates":[{"content":{"parts":[%s],"role":"model"},"index":0%s}],"usageMetadata":{"promptTokenCount":88,"totalTokenCount":120},"modelVersion":"example-pro","responseId":"rX1"}`, part, rest)
		}
		for range third {
			parts(`{"text":" hmm","thought":true}`, "")
		}
		for range third {
			parts(`{"text":" word\n"}`, "")
		}
		parts(`{"functionCall":{"name":"f","willContinue":true}}`, "")
		for range third {
			parts(`{"functionCall":{"partialArgs":[{"jsonPath":"$.a","stringValue":"some\n","willContinue":true}],"willContinue":true}}`, "")
		}
		parts(`{"functionCall":{}}`, `,"finishReason":"STOP"`)
	case format.Ollama:
		line := func(message, rest string) {
			fmt.Fprintf(&b, `{"model":"example:8b","created_at":"2026-11-21T08:00:00.000001Z","message":{"role":"assistant",%s},"done":%s}`+"\n", message, rest)
		}
		for range third {
			line(`"content":"","thinking":" hmm"`, "false")
		}
		for range third {
			line(`"content":" word\n"`, "false")
		}
		for range third {
			line(`"content":"","tool_calls":[{"id":"call_1","function":{"index":0,"name":"f","arguments":{"a":1}}}]`, "false")
		}
		line(`"content":""`, `true,"done_reason":"stop"`)
	}
	return b.Bytes()
}

// drain reads a stream to its end, and counts its deltas.
func drain(t testing.TB, r io.Reader, w format.Wire) int {
	n := 0
	for d, err := range format.NewStream(r, format.Options{}).Deltas() {
		if err != nil || d.Kind == toolcall.DeltaError {
			t.Fatalf("%s: %+v, %v", w, d, err)
		}
		n++
	}
	return n
}

// Framing and decoding take at most two allocations a delta.
func TestAllocations(t *testing.T) {
	for _, w := range format.Wires() {
		t.Run(string(w), func(t *testing.T) {
			const n = 10_000
			body := longStream(w, n)
			deltas := drain(t, bytes.NewReader(body), w)
			if deltas < n-n/100 {
				t.Fatalf("%d deltas", deltas)
			}
			allocs := testing.AllocsPerRun(3, func() { drain(t, bytes.NewReader(body), w) })
			if each := allocs / float64(deltas); each > 1.05 {
				t.Errorf("%.2f allocations a delta, want about one: its text", each)
			}
		})
	}
}

// Memory does not grow with the stream.
func TestMemoryIsFlat(t *testing.T) {
	if testing.Short() {
		t.Skip("reads 50 MB")
	}
	part := event(chatChunk(strings.Repeat("word ", 20)))
	reader := io.LimitReader(&repeater{part: []byte(part)}, int64(50<<20/len(part)*len(part)))
	n := 0
	var before, after runtime.MemStats
	for _, err := range format.NewStream(io.MultiReader(reader, strings.NewReader(event("[DONE]"))), format.Options{}).Deltas() {
		if err != nil {
			t.Fatal(err)
		}
		if n++; n == 1000 {
			runtime.GC()
			runtime.ReadMemStats(&before)
		}
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	if after.HeapAlloc > before.HeapAlloc+1<<20 {
		t.Errorf("the heap grew from %d to %d bytes over %d deltas", before.HeapAlloc, after.HeapAlloc, n)
	}
}

// repeater repeats a text without end.
type repeater struct {
	part []byte
	at   int
}

func (r *repeater) Read(p []byte) (int, error) {
	n := copy(p, r.part[r.at:])
	r.at = (r.at + n) % len(r.part)
	return n, nil
}

func BenchmarkStream(b *testing.B) {
	for _, w := range format.Wires() {
		b.Run(string(w), func(b *testing.B) {
			body := longStream(w, 10_000)
			deltas := 0
			b.SetBytes(int64(len(body)))
			b.ReportAllocs()
			for b.Loop() {
				deltas = drain(b, bytes.NewReader(body), w)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(deltas), "ns/delta")
		})
	}
}

// An event of a megabyte, read 4 KB at a time, is not scanned twice.
func BenchmarkLargeEvent(b *testing.B) {
	for _, size := range []int{1 << 10, 1 << 20, 8 << 20} {
		b.Run(fmt.Sprint(size), func(b *testing.B) {
			body := []byte(event(chatChunk(strings.Repeat("x", size))) + event("[DONE]"))
			b.SetBytes(int64(len(body)))
			b.ReportAllocs()
			for b.Loop() {
				drain(b, bytes.NewReader(body), format.OpenAI)
			}
		})
	}
}

func BenchmarkText(b *testing.B) {
	body := bytes.Repeat([]byte("Some words of prose, é. "), 40_000)
	b.SetBytes(int64(len(body)))
	b.ReportAllocs()
	for b.Loop() {
		drain(b, bytes.NewReader(body), format.Text)
	}
}
