package dialect_test

import (
	"fmt"
	"strings"

	"github.com/toolparse/toolparse/dialect"
	"github.com/toolparse/toolparse/parser"
)

// A dialect of your own is a value: here, JSON between two markers.
func ExampleForm() {
	form := dialect.Form{
		Frame: dialect.Frame{Call: dialect.Pair{Open: "[[call]]", Close: "[[/call]]"}},
		Head:  dialect.Head{Form: dialect.HeadEnvelope, Name: []string{"tool"}},
		Args:  dialect.Args{Form: dialect.ArgsJSON, Keys: []string{"with"}},
	}
	mine := &dialect.Dialect{Name: "mine", Frame: form.Frame, Head: form.Head, Args: form.Args}

	p, err := parser.New(parser.Options{Dialects: []*dialect.Dialect{mine}})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, e := range p.Close(p.Feed(nil, `[[call]]{"tool": "add", "with": {"a": 1}}[[/call]]`)) {
		fmt.Println(strings.TrimSpace(fmt.Sprint(e.Type, " ", e.Name, e.Payload)))
	}
	// Output:
	// SEGMENT_START add
	// SEGMENT_CONTENT {"a": 1}
	// SEGMENT_END
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
