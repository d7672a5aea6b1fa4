// Package toolcall defines the types that all packages of the module share: [Delta],
// [Event], [ToolDefinition] and [ToolInvocation]. Most programs use them under their
// aliases in the root package.
//
// Data flows in one direction:
//
//	provider bytes -format-> deltas -parser-> segment events -adapter-> tool invocations
//
// The types have no behaviour beyond encoding themselves as text or JSON and decoding
// that again.
package toolcall
