// Package neutral breaks markup in text that nobody vouches for, before it gets into a
// prompt: what tools return, and what they say of themselves.
//
// Broken is every marker of the dialect, and everything that its parser would read as a
// call or as reasoning, or that it would still wait for at the end of the text: half a
// call at the end of one text, and the other half at the beginning of the next, are a
// call. A text that leaves the parser as it found it can be put next to any other.
//
// What is broken gets a backslash behind its first character, <\tool_call>: no dialect
// has a marker with a backslash there, nor is it a special token to a tokenizer any
// more; and unlike a zero-width character it can be seen, by people and models who know
// a backslash as an escape and can take it out again. Before a quote or another
// backslash a blank follows it, since it must not be their escape. In JSON a character
// code takes its place, which leaves the value what it was. Nothing else changes;
// characters that only look like those of a marker stay.
package neutral
