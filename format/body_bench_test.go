package format_test

import (
	"fmt"
	"testing"

	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/wire"
	"github.com/toolparse/toolparse/internal/wire/all"
	"github.com/toolparse/toolparse/toolcall"
)

// BenchmarkRequest reads requests as coding agents send them: 20 tools, and 40 turns with
// a call and its result in each.
func BenchmarkRequest(b *testing.B) {
	req := &chat.Request{Model: "m"}
	for i := range 20 {
		req.Tools = append(req.Tools, chat.Tool{ToolDefinition: toolcall.ToolDefinition{
			Name: fmt.Sprintf("tool_%d", i), Description: "Reads a file and returns its lines.",
			Parameters: []byte(`{"type":"object","properties":{"path":{"type":"string","description":"The file's path"},"limit":{"type":"integer"}},"required":["path"]}`),
		}})
	}
	req.Messages = append(req.Messages, chat.Message{Role: chat.System, Parts: []chat.Part{chat.TextPart("Answer briefly.")}})
	for i := range 40 {
		id := fmt.Sprintf("toolu_%03d", i)
		req.Messages = append(req.Messages,
			chat.Message{Role: chat.User, Parts: []chat.Part{chat.TextPart("Look at the next file, please.\nThen say what is in it.")}},
			chat.Message{Role: chat.Assistant, Parts: []chat.Part{
				chat.TextPart("I read it."),
				chat.CallPart(id, "tool_3", `{"path":"main.go","limit":100}`),
			}},
			chat.Message{Role: chat.ToolRole, Parts: []chat.Part{
				chat.ResultPart(id, chat.TextPart("package main\n\nfunc main() {}\n")),
			}},
		)
	}
	for _, w := range writable() {
		b.Run(string(w), func(b *testing.B) {
			codec, err := all.CodecOf(w)
			if err != nil {
				b.Fatal(err)
			}
			body, _ := codec.EncodeRequest(req, wire.Options{})
			b.SetBytes(int64(len(body)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := codec.DecodeRequest(body); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
