// Package benchtext makes the replies that benchmarks parse: prose as models
// write it, with a tool call every 2 KB. It is always the same, so that
// figures compare between parsers, dialects and days.
package benchtext
