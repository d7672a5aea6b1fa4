// Package anthropic reads Anthropic Messages.
package anthropic
