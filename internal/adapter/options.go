package adapter

import (
	"github.com/toolparse/toolparse/internal/parser"
	"github.com/toolparse/toolparse/toolcall"
)

// Options configure an Adapter. With the zero value any tool may be called, and the
// arguments stay the model's own bytes.
type Options struct {
	// Tools are the declared tools. Calls of others are marked Unknown. Without any, every
	// name counts as known.
	Tools []toolcall.ToolDefinition

	// Parser is the compiled parser that produces the events, if there is one. It must
	// have been compiled with the same Tools; the adapter then shares its compiled
	// schemas, and relies on it that the arguments of complete calls are JSON objects.
	Parser *parser.Compiled

	// Syntaxes override how the segments of a type become calls. The Adapter keeps a
	// copy.
	Syntaxes Syntaxes

	// Coerce converts values to the type in the schema if the conversion loses
	// nothing, and records toolcall.CoercedType: "5" for an integer, 5 for a string,
	// "true" for a boolean, a string that contains an object or an array, a single
	// value for an array of such values. Arguments that fit are not changed. Coerce
	// has no effect if Strict is set.
	Coerce bool

	// Strict makes a call malformed if reading it needed a tolerance, and turns schema
	// rules that cannot be checked into problems.
	Strict bool
}
