package history_test

import (
	"fmt"
	"log"

	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/dialect"
	"github.com/toolparse/toolparse/internal/history"
)

// Calls and results become text, for a model that has no other place for them.
func ExampleRenderer_Render() {
	hermes, err := dialect.Named("hermes", "")
	if err != nil {
		log.Fatal(err)
	}
	renderer, err := history.New(hermes[0], history.Options{})
	if err != nil {
		log.Fatal(err)
	}
	messages, losses := renderer.Render([]chat.Message{
		{Role: chat.User, Parts: []chat.Part{chat.TextPart("How is the weather in Oslo?")}},
		{Role: chat.Assistant, Parts: []chat.Part{chat.CallPart("c1", "get_weather", `{"city":"Oslo"}`)}},
		{Role: chat.ToolRole, Parts: []chat.Part{{Kind: chat.PartResult, Result: &chat.Result{CallID: "c1", Parts: []chat.Part{chat.TextPart("Sunny.")}}}}},
	})
	for _, m := range messages {
		fmt.Printf("%s: %s\n", m.Role, m.Parts[0].Text)
	}
	fmt.Println(len(losses), "losses")
	// Output:
	// user: How is the weather in Oslo?
	// assistant: <tool_call>
	// {"name": "get_weather", "arguments": {"city": "Oslo"}}
	// </tool_call>
	// user: <tool_response>
	// Sunny.
	// </tool_response>
	// 0 losses
}
