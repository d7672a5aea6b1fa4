// Package toolparse turns the way any language model writes tool calls, while its
// tokens still stream, into one stream of segment events and tool invocations.
//
// Most programs need this package alone. Make a [Kit] of the tools that the model
// was told of, and give it what the model or its provider answers: a stream or a
// body of OpenAI (Chat Completions and Responses), Anthropic, Gemini or Ollama, or
// plain text in any of about ninety dialects.
//
//	kit, err := toolparse.New(toolparse.Options{Tools: tools})
//	answer, err := kit.Parse(text)                          // what a model wrote
//	answer, err := kit.Collect(response.Body)               // a provider's answer
//	for call, err := range kit.Calls(response.Body) { }     // each as soon as it is complete
//	for event, err := range kit.Events(response.Body) { }   // while it is written; event.Partial()
//	losses, err := kit.Reencode(w, response.Body, toolparse.Anthropic)
//	request, losses, err := kit.Prompt(request)             // for a model without native tool calls
//
// Run only calls that are [toolcall.ToolInvocation.Runnable]: complete, of a tool
// that is declared, with arguments that fit its schema. Package adapter has
// Explain, which words for the model what keeps a call from running.
//
// The other packages are the parts that a Kit is made of. The way of the data is
//
//	provider bytes -format-> deltas -parser-> segment events -adapter-> tool invocations
//
// and their types are those of package toolcall, which this package names again.
package toolparse
