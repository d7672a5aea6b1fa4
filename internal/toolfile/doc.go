// Package toolfile reads the tool definitions that people already have: a
// tool list, or a whole request or answer that holds one, as OpenAI,
// Anthropic, Gemini and MCP write them.
package toolfile
