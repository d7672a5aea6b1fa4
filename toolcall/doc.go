// Package toolcall holds the words that every other package of the module
// shares: [Delta], [Event], [ToolDefinition] and [ToolInvocation].
//
// A model writes tool calls in many ways: as provider-native deltas, as XML
// tags, as JSON, behind sentinel markers. Package parser turns all of them,
// while the tokens still arrive, into one stream of segment events; package
// adapter turns those events into tool invocations. The way of the data is
//
//	provider bytes -format-> deltas -parser-> segment events -adapter-> tool invocations
//
// and no package imports one further down that line. Nothing here does any
// work beyond rendering itself as text or JSON.
package toolcall
