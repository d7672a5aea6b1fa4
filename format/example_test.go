package format_test

import (
	"fmt"
	"log"
	"os"

	"github.com/toolparse/toolparse/format"
	"github.com/toolparse/toolparse/toolcall"
)

// A response body in, deltas out, whichever provider it is from.
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
