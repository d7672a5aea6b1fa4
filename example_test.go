package toolparse_test

import (
	"fmt"
	"os"
	"strings"

	"github.com/toolparse/toolparse/adapter"
	"github.com/toolparse/toolparse/format"
	"github.com/toolparse/toolparse/parser"
	"github.com/toolparse/toolparse/toolcall"
)

// Text goes in, calls come out.
func Example_text() {
	answer := strings.NewReader(`Let me look.
<tool name="get_weather"><arguments><arg name="city">Oslo</arg><arg name="days">3</arg></arguments></tool>`)

	dialects, err := parser.Named("xml", "")
	if err != nil {
		fmt.Println(err)
		return
	}
	tools := []toolcall.ToolDefinition{{
		Name:       "get_weather",
		Parameters: []byte(`{"type":"object","properties":{"city":{"type":"string"},"days":{"type":"integer"}}}`),
	}}
	events := parser.Events(parser.Text(answer, 0), parser.Options{Dialects: dialects, Tools: tools})
	for call, err := range adapter.Invocations(events, adapter.Options{Tools: tools}) {
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(call.ID, call.Name, string(call.Arguments), call.Runnable())
	}
	// Output: seg_2 get_weather {"city":"Oslo","days":3} true
}

// The body of a streamed response goes in, calls come out, each as soon as it
// is complete. The provider is found by looking at the body.
func Example_stream() {
	body, err := os.Open("testdata/streams/openai-two-calls.sse")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer body.Close()

	deltas := format.NewStream(body, format.Options{}).Deltas()
	for call, err := range adapter.Invocations(parser.Events(deltas, parser.Options{}), adapter.Options{}) {
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(call.ID, call.CallID, call.Name, string(call.Arguments))
	}
	// Output:
	// seg_3 call_w1Zx8 get_weather {"city": "Oslo", "days": 2}
	// seg_4 call_t7Qm2 get_time {"zone": "Europe/Oslo"}
}

// A file's content is shown while the model still writes it.
func Example_file() {
	dialects, err := parser.Named("xml", "")
	if err != nil {
		fmt.Println(err)
		return
	}
	p, err := parser.New(parser.Options{Dialects: dialects})
	if err != nil {
		fmt.Println(err)
		return
	}
	var events []toolcall.Event
	for _, token := range []string{"Here: <write_", `file path="hello.go">pack`, "age main\n", "</write", "_file> Done."} {
		events = p.Feed(events[:0], token)
		for _, e := range events {
			switch {
			case e.Segment != toolcall.SegmentWriteFile:
			case e.Type == toolcall.SegmentStart:
				fmt.Println("opens", e.Metadata()["path"])
			case e.Type == toolcall.SegmentContent:
				fmt.Printf("adds %q\n", e.Delta())
			case e.Type == toolcall.SegmentEnd:
				fmt.Println("ends", e.Status)
			}
		}
	}
	p.Close(events[:0])
	// Output:
	// opens hello.go
	// adds "pack"
	// adds "age main\n"
	// ends complete
}

// An invocation renders as one line of JSON, also where its call was cut short.
func ExampleToolInvocation_MarshalJSON() {
	for _, call := range []toolcall.ToolInvocation{
		{ID: "seg_2", Name: "add", Arguments: []byte(`{"a":1}`), Status: toolcall.Complete},
		{ID: "seg_3", Name: "add", Arguments: []byte(`{"a":`), Status: toolcall.Incomplete, Reason: toolcall.ReasonEndOfStream},
	} {
		line, err := call.MarshalJSON()
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(call.Runnable(), string(line))
	}
	// Output:
	// true {"id":"seg_2","name":"add","arguments":{"a":1},"status":"complete"}
	// false {"id":"seg_3","name":"add","arguments":null,"raw_arguments":"{\"a\":","status":"incomplete","reason":"end_of_stream"}
}

// The metadata of a file's start say where it goes.
func ExampleEvent_Metadata() {
	start := toolcall.Event{
		Type: toolcall.SegmentStart, Segment: toolcall.SegmentWriteFile, ID: "seg_1", Name: "write_file",
		Payload: `{"path":"hello.go"}`,
	}
	fmt.Println(start.Metadata()["path"])
	// Output: hello.go
}
