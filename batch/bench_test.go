package batch_test

import (
	"context"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/toolparse/toolparse/batch"
	"github.com/toolparse/toolparse/internal/jsonvalue"
)

// BenchmarkRecord reads logs of Chat Completions with an answer of 2 KB, in a dialect
// each, as python/engines/speed.py makes them. One operation is one record.
func BenchmarkRecord(b *testing.B) {
	lines := strings.Repeat("looks model and file what reads that model answers back.\n", 9)
	code := strings.Repeat("def file_36(x):\n    if x[\"file\"] > 36:\n        return \"file\\n\"\n", 15)
	object := fmt.Sprintf(`{"name": "write_note", "arguments": {"path": "src/file1.py", "content": %s, "mode": "new"}}`, jsonvalue.Quote(code))
	for _, call := range []struct{ dialect, text string }{
		{"hermes", "<tool_call>\n" + object + "\n</tool_call>"},
		{"qwen3_coder", "<tool_call>\n<function=write_note>\n<parameter=path>\nsrc/file1.py\n</parameter>\n<parameter=content>\n" + code +
			"\n</parameter>\n<parameter=mode>\nnew\n</parameter>\n</function>\n</tool_call>"},
	} {
		content := jsonvalue.Quote("<think>\n" + lines + "</think>\n\n" + lines[:len(lines)/2] + call.text)
		record := fmt.Sprintf(`{"id": "chatcmpl-1", "object": "chat.completion", "created": 1700000001, "model": "qwen3-coder", "choices": [`+
			`{"index": 0, "message": {"role": "assistant", "content": %s}, "finish_reason": "stop"}], `+
			`"usage": {"prompt_tokens": 100, "completion_tokens": 500, "total_tokens": 600}}`+"\n", content)
		b.Run(call.dialect, func(b *testing.B) {
			b.SetBytes(int64(len(record)))
			b.ReportAllocs()
			all := newBatch(b, batch.Options{Workers: 1})
			stats, err := all.Run(context.Background(), io.Discard, strings.NewReader(strings.Repeat(record, b.N)))
			if err != nil || stats.Records != int64(b.N) || stats.Errors > 0 {
				b.Fatalf("%+v, %v", stats, err)
			}
		})
	}
}
