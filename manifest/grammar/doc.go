// Package grammar writes what a server needs to hold a model's sampling to the
// calls of a text dialect: a GBNF grammar for llama.cpp, a JSON Schema, or a
// structural tag for vLLM and SGLang.
//
// It goes by the same [parser.Dialect] that the parser reads with: what one of its
// grammars lets through is read as complete calls of the given tools, whose arguments
// fit their schemas. It is stricter than JSON Schema where a grammar cannot say more:
// objects hold what their schema declares, in its order, and numbers with bounds have
// no exponents. What no grammar can say is left to validation: multipleOf,
// uniqueItems, contains, not, if, dependentRequired and its like, format, patterns with
// assertions inside, a length beside a pattern or beyond a thousand, how many of its
// declared members an object has, and that the keys of a free object differ.
//
// An optional parameter of which no value can be written, and a tool of which no call can,
// are left out of the grammar and reported.
//
// The same tools give the same bytes.
package grammar
