// Package toolparse reads the tool calls of any language model while its tokens are
// still streaming, as one stream of segment events and tool invocations.
//
// Most programs need only this package. Make a [Kit] with the tools that the model may
// call, and give it the answer: a stream or a response body of OpenAI (Chat Completions
// or Responses), Anthropic, Gemini or Ollama, or plain text in any of over a hundred
// dialects.
//
//	kit, err := toolparse.New(toolparse.Options{Tools: tools})
//	answer, err := kit.Parse(text)                          // what a model wrote
//	answer, err := kit.Collect(response.Body)               // a provider's answer
//	for call, err := range kit.Calls(response.Body) { }     // each as soon as it is complete
//	for event, err := range kit.Events(response.Body) { }   // while it is written; event.Partial()
//	losses, err := kit.Reencode(w, response.Body, toolparse.Anthropic)
//
// The same kit writes requests. It declares the tools natively or, if its dialect
// writes calls in text, in the prompt:
//
//	body, losses, err := kit.Request(toolparse.OpenAI, &request)
//	request.Messages = append(request.Messages, kit.Respond(answer, run)...)
//
// Run only calls that are [toolcall.ToolInvocation.Runnable]: complete calls of a
// declared tool whose arguments fit its schema. [Kit.Respond] does this, and tells the
// model what is wrong with the other calls.
//
// A program that gets an answer in pieces of its own feeds them to a [Parser], and one that
// writes prompts itself takes the [Manifest] or a grammar from the kit.
//
// Inside, data flows in one direction:
//
//	provider bytes -format-> deltas -parser-> segment events -adapter-> tool invocations
//
// Package format only reads and translates the streams of providers, package dialect lists the
// dialects, and package toolcall defines the types on this path, which this package aliases.
// Packages agent, gateway and batch are built on a Kit.
package toolparse
