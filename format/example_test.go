package format_test

import (
	"fmt"
	"log"
	"os"
	"strings"

	"github.com/toolparse/toolparse/format"
	"github.com/toolparse/toolparse/internal/wire/all"
	"github.com/toolparse/toolparse/toolcall"
)

// Decode a response body into deltas, whichever provider it is from.
func ExampleStream() {
	body, err := os.Open("../testdata/streams/anthropic-text-call.sse")
	if err != nil {
		log.Fatal(err)
	}
	defer body.Close()

	stream := format.NewStream(body, format.Options{})
	for d, err := range stream.Deltas() {
		if err != nil {
			log.Fatal(err)
		}
		switch d.Kind {
		case toolcall.DeltaText:
			fmt.Printf("text %q\n", d.Text)
		case toolcall.DeltaToolCall:
			fmt.Printf("call %d: %s%s done=%v\n", d.Index, d.Name, d.Text, d.Done)
		case toolcall.DeltaFinish:
			fmt.Println("finish", d.Text)
		}
	}

	// Output:
	// text "Let me"
	// text " read that"
	// text " file first."
	// call 1: read_file done=false
	// call 1: {"path": "sr done=false
	// call 1: c/main.go done=false
	// call 1: ", "lines": [1 done=false
	// call 1: , 80]} done=false
	// call 1:  done=true
	// finish tool_use
}

// Translate a request for one provider to another. The losses say what the other cannot
// express.
func ExampleTranslate() {
	request := []byte(`{"model":"m","max_tokens":99,"messages":[{"role":"user","content":"Hi"}],"seed":7}`)
	body, losses, err := format.Translate(request, format.OpenAI, format.Anthropic, format.KindRequest, format.TranslateOptions{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(string(body))
	for _, loss := range losses {
		fmt.Println("lost:", loss)
	}
	// Output:
	// {"model":"m","max_tokens":99,"messages":[{"role":"user","content":"Hi"}]}
	// lost: seed: it is specific to the other wire; left out
}

// Translate a stream while it arrives.
func ExampleTranslateStream() {
	body := strings.NewReader(`data: {"created":1767225600,"model":"m","choices":[{"index":0,"delta":{"content":"Hi"}}]}

data: {"created":1767225600,"model":"m","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}

data: [DONE]
`)
	if _, err := format.TranslateStream(os.Stdout, body, format.Auto, format.Ollama, format.TranslateOptions{}); err != nil {
		log.Fatal(err)
	}
	// Output:
	// {"model":"m","created_at":"2026-01-01T00:00:00Z","message":{"role":"assistant","content":"Hi"},"done":false}
	// {"model":"m","created_at":"2026-01-01T00:00:00Z","message":{"role":"assistant","content":""},"done":true,"done_reason":"stop"}
}

// With the client's request, the calls of an answer get the names and types of the
// client's tools, which the provider did not know.
func ExampleTranslate_request() {
	codec, err := all.CodecOf(format.OpenAI)
	if err != nil {
		log.Fatal(err)
	}
	request, err := codec.DecodeRequest([]byte(`{"model":"m","messages":[{"role":"user","content":"Hi"}],"tools":[{"type":"custom","custom":{"name":"sh"}}]}`))
	if err != nil {
		log.Fatal(err)
	}
	answer := []byte(`{"id":"m","type":"message","role":"assistant","model":"m","content":[{"type":"tool_use","id":"t","name":"sh","input":{"input":"ls"}}],"stop_reason":"tool_use"}`)
	body, _, err := format.Translate(answer, format.Anthropic, format.OpenAI, format.KindResponse, format.TranslateOptions{Request: request})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(string(body))
	// Output:
	// {"id":"m","object":"chat.completion","created":0,"model":"m","choices":[{"index":0,"message":{"role":"assistant","content":null,"tool_calls":[{"id":"t","type":"custom","custom":{"name":"sh","input":"ls"}}]},"finish_reason":"tool_calls"}]}
}
