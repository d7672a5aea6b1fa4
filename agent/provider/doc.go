// Package provider sends requests to models: over HTTP in any of the five wire formats,
// with native tools or with tools and calls as text, and to recordings.
//
//	p, err := provider.New(provider.Config{Wire: toolparse.OpenAI, BaseURL: "http://127.0.0.1:8080/v1", Dialect: "hermes"})
//
// http.go has what all wire formats share; wires.go is a table of their differences.
package provider
