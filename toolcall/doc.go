// Package toolcall holds the words that all packages of the module share: [Delta],
// [Event], [ToolDefinition] and [ToolInvocation].
//
// The way of the data is
//
//	provider bytes -format-> deltas -parser-> segment events -adapter-> tool invocations
//
// and no package imports one further down that line. The types only render
// themselves as text or JSON, and read that again.
package toolcall
