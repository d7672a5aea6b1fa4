package text_test

import (
	"encoding/json"
	"fmt"

	"github.com/toolparse/toolparse/internal/dialect"
	"github.com/toolparse/toolparse/internal/text"
	"github.com/toolparse/toolparse/toolcall"
)

func ExampleWriter_Append() {
	dialects, err := dialect.Named("qwen3_coder", "")
	if err != nil {
		panic(err)
	}
	w, err := text.NewWriter(dialects[0], text.Options{})
	if err != nil {
		panic(err)
	}
	call := toolcall.ToolInvocation{Name: "get_weather", Arguments: json.RawMessage(`{"city":"Oslo"}`)}
	out, err := w.Append(nil, text.Message{Text: "I look it up.\n", Calls: []toolcall.ToolInvocation{call}})
	fmt.Println(string(out), err)

	call.Arguments = json.RawMessage(`{"days":3}`)
	_, err = w.Append(nil, text.Message{Calls: []toolcall.ToolInvocation{call}})
	fmt.Println(err)
	// Output:
	// I look it up.
	//
	// <tool_call>
	// <function=get_weather>
	// <parameter=city>
	// Oslo
	// </parameter>
	// </function>
	// </tool_call> <nil>
	// dialect qwen3_coder, tool "get_weather", argument "days": without a schema, a number would be read as a string
}
