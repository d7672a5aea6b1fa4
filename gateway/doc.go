// Package gateway is an HTTP server that connects any client with any model. Its clients
// can use the wire formats of OpenAI (Chat Completions and Responses), Anthropic, Gemini
// and Ollama, and its upstreams can use any one of them.
//
//	server, err := gateway.New(gateway.Options{Targets: []gateway.Target{{Upstream: "http://127.0.0.1:8080/v1", Dialect: dialect}}})
//	err = http.ListenAndServe("127.0.0.1:8787", server)
//
// All requests are handled in the same way, whatever the wires, as streams or whole:
//
//	client -front-> chat.Request -profile-> -identity-> -native or text-> upstream
//	client <-front- events <-Kit- body of the answer <-----------------------+
//
// The front decodes the request (front.go). The profile changes it so that the upstream
// accepts it (profile.go). The identity map replaces the names of tools by names that the
// upstream accepts, and remembers the client's (identity.go). In native mode the tools
// are sent unchanged; in text mode [toolparse.Kit.Prompt] writes the manifest into the
// system prompt and the history as text (prepare.go). The kit that wrote the prompt reads
// the answer, finds calls in text and repairs native ones. The front's encoder writes the
// answer, with the client's names of the tools (exchange.go).
//
// The server keeps nothing between two requests, unless it has a store for the
// conversations of Responses (conversation.go), or shows the last requests (inspect.go).
package gateway
