package chat_test

import (
	"fmt"
	"log"

	"github.com/toolparse/toolparse/format"
	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/wire/all"
)

// A codec decodes a body into the canonical chat, which any other codec can encode.
func Example() {
	anthropic, err := all.CodecOf(format.Anthropic)
	if err != nil {
		log.Fatal(err)
	}
	answer, err := anthropic.DecodeResponse([]byte(`{"id":"msg_1","type":"message","role":"assistant","model":"m","content":[
		{"type":"text","text":"Let me look."},
		{"type":"tool_use","id":"t1","name":"get_weather","input":{"city":"Oslo"}}],"stop_reason":"tool_use"}`))
	if err != nil {
		log.Fatal(err)
	}
	for _, part := range answer.Choices[0].Message.Parts {
		switch part.Kind {
		case chat.PartText:
			fmt.Println("text:", part.Text)
		case chat.PartCall:
			fmt.Println("call:", part.Call.Name, part.Call.Arguments)
		}
	}
	fmt.Println(answer.Choices[0].Finish.Reason)
	// Output:
	// text: Let me look.
	// call: get_weather {"city":"Oslo"}
	// tool_calls
}
