// Package provider sends requests to models: over HTTP in any of the five wire formats,
// with native tools or with tools and calls as text, and to recordings.
//
//	p := provider.New(provider.Config{BaseURL: "http://127.0.0.1:8080/v1", Dialect: "hermes"})
//
// What is wrong with a configuration is reported when an agent is made with the provider.
package provider
