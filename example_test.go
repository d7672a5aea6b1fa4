package toolparse_test

import (
	"fmt"
	"io"
	"log"
	"os"
	"strings"

	"github.com/toolparse/toolparse"
	"github.com/toolparse/toolparse/dialect"
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

// Feed tokens as they arrive: a string argument streams, and only what may still become a
// marker is held back.
func ExampleKit_NewParser() {
	kit, err := toolparse.New(toolparse.Options{Dialect: "xml"})
	if err != nil {
		log.Fatal(err)
	}
	p, err := kit.NewParser()
	if err != nil {
		log.Fatal(err)
	}
	show := func(events []toolparse.StreamEvent) {
		for _, e := range events {
			switch e.Type {
			case toolparse.SegmentStart:
				fmt.Printf("%s %s %q\n", e.ID, e.Segment, e.Name)
			case toolparse.SegmentContent:
				fmt.Printf("%s %q\n", e.ID, e.Delta())
			case toolparse.SegmentEnd:
				fmt.Println(e.ID, e.Status)
			}
		}
	}
	for _, token := range []string{"1 <", " 2.", " <too", `l name="say"><arguments><arg name="text">Hel`, "lo</a", "rg></arguments></tool>"} {
		show(p.Feed(nil, token))
	}
	show(p.Close(nil))
	// Output:
	// seg_1 text ""
	// seg_1 "1 "
	// seg_1 "< 2."
	// seg_1 " "
	// seg_1 complete
	// seg_2 tool_call "say"
	// seg_2 "{\"text\":\"Hel"
	// seg_2 "lo"
	// seg_2 "\"}"
	// seg_2 complete
}

// Copy an answer to its reader, and parse it on the way.
func ExampleParser_Writer() {
	kit, err := toolparse.New(toolparse.Options{})
	if err != nil {
		log.Fatal(err)
	}
	p, err := kit.NewParser()
	if err != nil {
		log.Fatal(err)
	}
	w := p.Writer(func(e toolparse.StreamEvent) error {
		if e.Type == toolparse.SegmentEnd {
			fmt.Println("->", e.Segment, e.Status)
		}
		return nil
	})
	if _, err := io.Copy(os.Stdout, io.TeeReader(strings.NewReader("<think>Easy.</think>\nFour.\n"), w)); err != nil {
		log.Fatal(err)
	}
	if err := w.Close(); err != nil {
		log.Fatal(err)
	}
	// Output:
	// -> reasoning complete
	// <think>Easy.</think>
	// Four.
	// -> text complete
}

// A dialect of your own may have a tag for each of its tools, and a tool may need other
// arguments than the attributes and the content of its tag.
func ExampleSyntax() {
	mine, err := dialect.Read([]byte(`{
		"name": "mine", "about": "", "source": "",
		"shorthands": [{"tag": "execute", "content": "code", "attrs": ["lang"], "needs": "lang"}]
	}`))
	if err != nil {
		log.Fatal(err)
	}
	kit, err := toolparse.New(toolparse.Options{
		Custom: mine,
		Syntaxes: map[toolparse.SegmentType]toolparse.Syntax{"execute": {
			Tool: "interpreter",
			Build: func(metadata map[string]any, content string) (any, error) {
				return map[string]any{"language": metadata["lang"], "lines": strings.Split(content, "\n")}, nil
			},
		}},
	})
	if err != nil {
		log.Fatal(err)
	}
	answer, err := kit.Parse("Here:\n<execute lang=\"python\">x = 1\nprint(x < 2)</execute>")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(answer.Calls[0].Name, string(answer.Calls[0].Arguments))
	// Output:
	// interpreter {"language":"python","lines":["x = 1","print(x < 2)"]}
}

// Tell the model what is wrong with a call.
func ExampleKit_Explain() {
	tools, err := toolparse.ReadTools([]byte(`[{"name": "get_weather", "parameters": {
		"properties": {"city": {"type": "string"}, "days": {"type": "integer"}}, "required": ["city"], "additionalProperties": false
	}}]`))
	if err != nil {
		log.Fatal(err)
	}
	kit, err := toolparse.New(toolparse.Options{Tools: tools})
	if err != nil {
		log.Fatal(err)
	}
	answer, err := kit.Parse(`<tool_call>{"name": "get_weather", "arguments": {"town": "Oslo", "days": "3"}}</tool_call>`)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(kit.Explain(answer.Calls[0]))
	// Output:
	// The call of "get_weather" was not run: its arguments do not fit the tool's parameters.
	// - the required parameter "city" is missing; add it, as a string
	// - /town: there is no parameter "town", only "city", "days"; leave it out
	// - /days: must be an integer, but is the string "3"; send it without quotes: 3
	// Correct this and send the whole call again.
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

// Write the section of a system prompt that teaches a model its tools, with an example of
// one's own and the tools in a form of one's own.
func ExampleKit_Manifest() {
	tools, err := toolparse.ReadTools([]byte(`[{"name": "add", "parameters": {"properties": {"a": {"type": "integer"}}}}]`))
	if err != nil {
		log.Fatal(err)
	}
	kit, err := toolparse.New(toolparse.Options{Tools: tools, Dialect: "xml"})
	if err != nil {
		log.Fatal(err)
	}
	section, err := kit.Manifest(toolparse.ManifestOptions{
		Style:    "compact",
		Examples: map[string][]toolparse.Example{"add": {{Arguments: []byte(`{"a": 41}`)}}},
		Formatters: map[string]toolparse.Formatter{"xml": {
			Schema: func(tool toolparse.ToolDefinition) (string, error) { return "* " + tool.Name + " counts.", nil },
		}},
	})
	if err != nil {
		log.Fatal(err)
	}
	for _, line := range strings.Split(section.Inject("Be brief."), "\n") {
		if strings.HasPrefix(line, "Be") || strings.HasPrefix(line, "*") || strings.Contains(line, ">41<") {
			fmt.Println(line)
		}
	}
	// Output:
	// Be brief.
	// * add counts.
	// <tool name="add"><arguments><arg name="a">41</arg></arguments></tool>
}

// Hold a model to well-formed calls, where its server takes grammars.
func ExampleKit_Grammar() {
	tools, err := toolparse.ReadTools([]byte(`[{"name": "now"}]`))
	if err != nil {
		log.Fatal(err)
	}
	kit, err := toolparse.New(toolparse.Options{Tools: tools, Dialect: "hermes"})
	if err != nil {
		log.Fatal(err)
	}
	text, _, err := kit.Grammar("gbnf", toolparse.GrammarOptions{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(strings.Count(string(text), "::=") > 0)
	// Output:
	// true
}
