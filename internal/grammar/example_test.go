package grammar_test

import (
	"fmt"
	"log"

	"github.com/toolparse/toolparse/internal/dialect"
	"github.com/toolparse/toolparse/internal/grammar"
	"github.com/toolparse/toolparse/toolcall"
)

// Write a grammar that makes a server sample only calls of these tools.
func ExampleWrite() {
	hermes, err := dialect.Named("hermes", "")
	if err != nil {
		log.Fatal(err)
	}
	tools := []toolcall.ToolDefinition{{Name: "add", Parameters: []byte(`{"type":"object","properties":{"a":{"type":"integer"}},"required":["a"]}`)}}
	text, losses, err := grammar.Write(hermes[0], grammar.GBNF, grammar.Options{Tools: tools, Single: true})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s%d losses\n", text, len(losses))
	// Output:
	// # trigger: "<tool_call>"
	// root ::= call
	// call ::= add-call
	// add-call ::= "<tool_call>\n{\"name\": \"add\", \"arguments\": " add-args "}\n</tool_call>"
	// add-args ::= "{\"a\": " integer "}"
	// integer ::= "-"? ("0" | [1-9] [0-9]{0,19})
	// 0 losses
}
