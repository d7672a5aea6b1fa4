package manifest_test

import (
	"fmt"
	"log"
	"strings"

	"github.com/toolparse/toolparse/internal/dialect"
	"github.com/toolparse/toolparse/internal/manifest"
	"github.com/toolparse/toolparse/toolcall"
)

type sum struct {
	A int `json:"a" jsonschema:"the first number"`
	B int `json:"b"`
}

// A manifest teaches a model the calls that the parser reads.
func Example() {
	dialect, _ := dialect.ForModel("qwen2.5:7b")
	add, err := manifest.Infer[sum]("add", "Adds two numbers.")
	if err != nil {
		log.Fatal(err)
	}
	m, err := manifest.New([]toolcall.ToolDefinition{add}, manifest.Options{Dialect: dialect, Style: manifest.StyleCompact})
	if err != nil {
		log.Fatal(err)
	}
	prompt := m.Inject("You are a calculator.")
	list, how, _ := strings.Cut(prompt, "\n\nTo call a tool")
	fmt.Println(list)
	fmt.Println("...")
	fmt.Println(strings.Contains(how, `{"name": "add", "arguments": {"a": 1, "b": 1}}`))
	// Output:
	// You are a calculator.
	//
	// ## Accessible Tools
	//
	// add(a: integer, b: integer) - Adds two numbers. | a: the first number
	// ...
	// true
}
