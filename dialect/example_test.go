package dialect_test

import (
	"fmt"

	"github.com/toolparse/toolparse"
	"github.com/toolparse/toolparse/dialect"
)

func ExampleDetect() {
	for _, guess := range dialect.Detect("<tool_call>\n<function=add>\n<parameter=a>\n1\n</parameter>\n</function>\n</tool_call>")[:1] {
		fmt.Println(guess.Dialect.Name, guess.Calls)
	}
	// Output:
	// qwen3_coder 1
}

// A dialect of your own is data: here, JSON between two markers.
func ExampleRead() {
	mine, err := dialect.Read([]byte(`{
		"name": "mine", "about": "", "source": "",
		"frame": {"call": {"open": "[[call]]", "close": "[[/call]]"}},
		"head": {"form": "envelope", "name": ["tool"]},
		"args": {"form": "json", "keys": ["with"]}
	}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	kit, err := toolparse.New(toolparse.Options{Custom: mine})
	if err != nil {
		fmt.Println(err)
		return
	}
	answer, _ := kit.Parse(`[[call]]{"tool": "add", "with": {"a": 1}}[[/call]]`)
	fmt.Println(answer.Calls[0].Name, string(answer.Calls[0].Arguments))
	// Output:
	// add {"a": 1}
}

// A name may stand for several dialects, and that of JSON depends on the provider.
func ExampleNamed() {
	for _, name := range []string{"xml", "json", "Qwen25", "jsn-openai"} {
		dialects, err := dialect.Named(name, "gemini")
		if err != nil {
			fmt.Println(err)
			continue
		}
		fmt.Print(name, ":")
		for _, d := range dialects {
			fmt.Print(" ", d.Name)
		}
		fmt.Println()
	}
	// Output:
	// xml: xml
	// json: json-gemini
	// Qwen25: hermes
	// unknown dialect "jsn-openai"; did you mean json-openai, json_openai, openai?
}

// The name of a model, as hubs, servers and files have it, tells its dialect.
func ExampleForModel() {
	for _, id := range []string{"unsloth/Qwen3-8B-GGUF", "qwen3-coder:30b", "gpt-4o", "my-own-model"} {
		if d, ok := dialect.ForModel(id); ok {
			fmt.Println(id, "writes", d.Name)
		} else {
			fmt.Println(id, "is unknown")
		}
	}
	// Output:
	// unsloth/Qwen3-8B-GGUF writes hermes
	// qwen3-coder:30b writes qwen3_coder
	// gpt-4o writes api_tool_call
	// my-own-model is unknown
}
