package adapter_test

import (
	"errors"
	"fmt"

	"github.com/toolparse/toolparse/internal/adapter"
	"github.com/toolparse/toolparse/internal/callmeta"
	"github.com/toolparse/toolparse/toolcall"
)

func ExampleAdapter() {
	const call = toolcall.SegmentToolCall
	a, err := adapter.New(adapter.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, e := range []toolcall.Event{ // as a parser yields them
		{Type: toolcall.SegmentStart, Segment: call, ID: "seg_1", Name: "get_weather"},
		{Type: toolcall.SegmentContent, Segment: call, ID: "seg_1", Payload: `{"city":`},
		{Type: toolcall.SegmentContent, Segment: call, ID: "seg_1", Payload: `"Oslo"}`},
		{Type: toolcall.SegmentEnd, Segment: call, ID: "seg_1", Status: toolcall.Complete},
		{Type: toolcall.SegmentStart, Segment: call, ID: "seg_2", Name: "get_weather"},
		{Type: toolcall.SegmentContent, Segment: call, ID: "seg_2", Payload: `{"ci`},
		{Type: toolcall.SegmentEnd, Segment: call, ID: "seg_2", Status: toolcall.Incomplete, Reason: toolcall.ReasonTruncated},
	} {
		if call, ok := a.Add(e); ok {
			fmt.Println(call.ID, call.Name, string(call.Arguments), call.Status, call.Runnable())
		}
	}
	// Output:
	// seg_1 get_weather {"city":"Oslo"} complete true
	// seg_2 get_weather {"ci incomplete false
}

// A dialect may have a special tag for a tool, such as <sql db="main">...</sql>. Its
// events name the parameter of the content; a syntax changes the tool's name.
func ExampleSyntaxes() {
	a, err := adapter.New(adapter.Options{Syntaxes: adapter.Syntaxes{"sql": {Tool: "query"}}})
	if err != nil {
		fmt.Println(err)
		return
	}
	a.Add(toolcall.Event{Type: toolcall.SegmentStart, Segment: "sql", ID: "seg_1", Name: "sql", Payload: `{"db":"main"}`, Origin: callmeta.NewOrigin("mine", "statement")})
	a.Add(toolcall.Event{Type: toolcall.SegmentContent, Segment: "sql", ID: "seg_1", Payload: `SELECT "a" FROM t`})
	call, _ := a.Add(toolcall.Event{Type: toolcall.SegmentEnd, Segment: "sql", ID: "seg_1", Status: toolcall.Complete})
	fmt.Println(call.Name, string(call.Arguments))
	// Output:
	// query {"db":"main","statement":"SELECT \"a\" FROM t"}
}

// Use a custom builder if the tool needs other arguments.
func ExampleBuilder() {
	type arguments struct {
		Language string `json:"language"`
		Code     string `json:"code"`
	}
	build := func(metadata map[string]any, content string) (any, error) {
		language, ok := metadata["lang"].(string)
		if !ok {
			return nil, errors.New("the attribute lang is missing")
		}
		return arguments{Language: language, Code: content}, nil
	}
	a, err := adapter.New(adapter.Options{Syntaxes: adapter.Syntaxes{"execute": {Tool: "interpreter", Build: build}}})
	if err != nil {
		fmt.Println(err)
		return
	}
	a.Add(toolcall.Event{Type: toolcall.SegmentStart, Segment: "execute", ID: "seg_1", Payload: `{"lang":"python"}`})
	a.Add(toolcall.Event{Type: toolcall.SegmentContent, Segment: "execute", ID: "seg_1", Payload: `print(1 < 2)`})
	call, done := a.Add(toolcall.Event{Type: toolcall.SegmentEnd, Segment: "execute", ID: "seg_1", Status: toolcall.Complete})
	fmt.Println(done, call.Name, string(call.Arguments))
	// Output:
	// true interpreter {"language":"python","code":"print(1 < 2)"}
}

func ExampleExplain() {
	tools := []toolcall.ToolDefinition{{
		Name:       "get_weather",
		Parameters: []byte(`{"type":"object","properties":{"city":{"type":"string"},"days":{"type":"integer"}},"required":["city"],"additionalProperties":false}`),
	}}
	a, err := adapter.New(adapter.Options{Tools: tools})
	if err != nil {
		fmt.Println(err)
		return
	}
	const segment = toolcall.SegmentToolCall
	a.Add(toolcall.Event{Type: toolcall.SegmentStart, Segment: segment, ID: "seg_1", Name: "get_weather"})
	a.Add(toolcall.Event{Type: toolcall.SegmentContent, Segment: segment, ID: "seg_1", Payload: `{"town":"Oslo","days":"3"}`})
	call, _ := a.Add(toolcall.Event{Type: toolcall.SegmentEnd, Segment: segment, ID: "seg_1", Status: toolcall.Complete})
	fmt.Println(adapter.Explain(call, tools))
	// Output:
	// The call of "get_weather" was not run: its arguments do not fit the tool's parameters.
	// - the required parameter "city" is missing; add it, as a string
	// - /town: there is no parameter "town", only "city", "days"; leave it out
	// - /days: must be an integer, but is the string "3"; send it without quotes: 3
	// Correct this and send the whole call again.
}
