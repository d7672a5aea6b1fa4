// Package text writes the turns of a model and the results of its calls in a text
// dialect: reasoning, text, calls and results, in the form of the model's own chat
// template.
//
// It uses the same [dialect.Dialect] as the parser, which reads the same message back. If
// a dialect cannot express a value, a [Writer] returns an [*Error] and writes nothing,
// instead of writing something with another meaning.
package text
