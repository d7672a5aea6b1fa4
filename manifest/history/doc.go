// Package history renders a conversation for a model without native tools: its calls
// as text of a dialect, as package format/text writes them and a manifest teaches
// them, and their results as the turn that follows.
//
// What tools return is not trusted: package manifest/internal/neutral breaks in it what
// could begin a call, alone or with what stands next to it, or end the block that it
// stands in.
package history
