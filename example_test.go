package toolparse_test

import (
	"fmt"
	"log"
	"os"
	"strings"

	"github.com/toolparse/toolparse"
)

type weather struct {
	City string `json:"city" jsonschema:"the city, e.g. Oslo"`
	Days int    `json:"days,omitempty"`
}

// Parse the text of a model. The dialect is detected.
func Example() {
	tool, err := toolparse.Tool[weather]("get_weather", "Weather of a city.")
	if err != nil {
		fmt.Println(err)
		return
	}
	kit, err := toolparse.New(toolparse.Options{Tools: []toolparse.ToolDefinition{tool}})
	if err != nil {
		fmt.Println(err)
		return
	}
	answer, err := kit.Parse("Let me look.\n<tool_call>\n<function=get_weather>\n<parameter=city>\nOslo\n</parameter>\n<parameter=days>\n3\n</parameter>\n</function>\n</tool_call>")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%q\n", answer.Text)
	for _, call := range answer.Calls {
		fmt.Println(call.Name, string(call.Arguments), call.Dialect, call.Runnable())
	}
	// Output:
	// "Let me look.\n"
	// get_weather {"city":"Oslo","days":3} qwen3_coder true
}

// Read the calls of a response body, each as soon as it is complete. The provider is
// detected.
func ExampleKit_Calls() {
	body, err := os.Open("testdata/streams/openai-two-calls.sse") // response.Body
	if err != nil {
		fmt.Println(err)
		return
	}
	defer body.Close()

	kit, err := toolparse.New(toolparse.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for call, err := range kit.Calls(body) {
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

// Show a call while the model writes it: the arguments so far are always a valid JSON
// object.
func ExampleKit_Events() {
	kit, err := toolparse.New(toolparse.Options{Dialect: "hermes", Wire: toolparse.Text})
	if err != nil {
		fmt.Println(err)
		return
	}
	text := `<tool_call>{"name": "search", "arguments": {"query": "fjords", "limit": 10}}</tool_call>`
	for event, err := range kit.Events(slowly(text, 57)) {
		if err != nil {
			fmt.Println(err)
			return
		}
		if event.Type == toolparse.SegmentContent {
			fmt.Println(string(event.Partial()))
		}
		if event.Call != nil {
			fmt.Println(event.Call.Name, event.Call.Status)
		}
	}
	// Output:
	// {"query": "fjo"}
	// {"query": "fjords", "limit": 10}
	// search complete
}

// Write any answer as the stream of any provider.
func ExampleKit_Reencode() {
	kit, err := toolparse.New(toolparse.Options{Dialect: "hermes"})
	if err != nil {
		fmt.Println(err)
		return
	}
	text := strings.NewReader(`<tool_call>{"name": "now", "arguments": {}}</tool_call>`)
	if _, err := kit.Reencode(os.Stdout, text, toolparse.Ollama); err != nil {
		fmt.Println(err)
	}
	// Output:
	// {"model":"unknown","created_at":"1970-01-01T00:00:00Z","message":{"role":"assistant","content":"","tool_calls":[{"id":"seg_1","function":{"index":0,"name":"now","arguments":{}}}]},"done":false}
	// {"model":"unknown","created_at":"1970-01-01T00:00:00Z","message":{"role":"assistant","content":""},"done":true,"done_reason":"stop"}
}

// Run the calls and send the results to the model. The result of a call that cannot
// run says what is wrong with it.
func ExampleKit_Respond() {
	tools, err := toolparse.ReadTools([]byte(`[{"name":"add","parameters":{"properties":{"a":{"type":"integer"}},"required":["a"]}}]`))
	if err != nil {
		fmt.Println(err)
		return
	}
	kit, err := toolparse.New(toolparse.Options{Tools: tools, Dialect: "hermes"})
	if err != nil {
		fmt.Println(err)
		return
	}
	answer, err := kit.Parse(`<tool_call>{"name": "add", "arguments": {"a": 1}}</tool_call><tool_call>{"name": "add", "arguments": {}}</tool_call>`)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, message := range kit.Respond(answer, func(toolparse.ToolInvocation) (string, error) { return "2", nil }) {
		for _, part := range message.Parts {
			if part.Result != nil {
				fmt.Println(part.Result.IsError, part.Result.Parts[0].Text)
			}
		}
	}
	// Output:
	// false 2
	// true The call of "add" was not run: its arguments do not fit the tool's parameters.
	// - the required parameter "a" is missing; add it, as an integer
	// Correct this and send the whole call again.
}

// Warnings point out likely misspellings in a list of tools.
func ExampleReadToolList() {
	list, err := toolparse.ReadToolList([]byte(`[
		{"type": "web_search"},
		{"name": "get_weather", "parameters": {"properties": {"city": {"type": "string"}}, "requierd": ["city"]}}
	]`))
	if err != nil {
		log.Fatal(err)
	}
	for _, tool := range list.Tools {
		fmt.Println(tool.Name)
	}
	fmt.Println("run by the provider:", list.Hosted)
	for _, warning := range list.Warnings {
		fmt.Println("warning:", warning)
	}
	// Output:
	// get_weather
	// run by the provider: [web_search]
	// warning: tool "get_weather": schema: unknown keyword "requierd"; did you mean "required"?
}

// Write the tools and the history as text, for a model without native tool calls.
func ExampleKit_Prompt() {
	tools, err := toolparse.ReadTools([]byte(`[{"name": "add", "parameters": {"properties": {"a": {"type": "integer"}}}}]`))
	if err != nil {
		log.Fatal(err)
	}
	kit, err := toolparse.New(toolparse.Options{Tools: tools, Model: "qwen3:8b"})
	if err != nil {
		log.Fatal(err)
	}
	prompt, _, err := kit.Prompt(&toolparse.Request{Messages: []toolparse.Message{toolparse.User("Add 1.")}})
	if err != nil {
		log.Fatal(err)
	}
	for _, message := range prompt.Messages {
		first, _, _ := strings.Cut(message.Parts[0].Text, "\n")
		fmt.Printf("%s: %s\n", message.Role, first)
	}
	// Output:
	// system: # Tools
	// user: Add 1.
}

// Collect a whole answer.
func ExampleKit_Collect() {
	kit, err := toolparse.New(toolparse.Options{})
	if err != nil {
		log.Fatal(err)
	}
	answer, err := kit.Collect(strings.NewReader(`{"model":"m","message":{"role":"assistant","content":"Hi","tool_calls":[{"function":{"name":"f","arguments":{}}}]},"done":true,"done_reason":"stop"}`))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(answer.Text, answer.Calls[0].Name, answer.Finish.Reason)
	// Output:
	// Hi f tool_calls
}
