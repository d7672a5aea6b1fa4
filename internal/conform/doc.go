// Package conform runs conformance vectors: inputs in a text dialect together
// with the text, the reasoning and the calls that they stand for. Every input
// is parsed whole and cut in many ways, and each cut must give the same
// segments and calls. A file of vectors is JSON Lines; see [Vectors].
package conform
