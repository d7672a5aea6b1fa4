package adapter

import (
	"github.com/toolparse/toolparse/parser"
	"github.com/toolparse/toolparse/toolcall"
)

// Options configure an Adapter. The zero value is ready for use: any tool may
// be called, and the arguments are the model's own bytes.
type Options struct {
	// Tools are the declared tools. Without any, every name counts as known.
	Tools []toolcall.ToolDefinition

	// Parser, where it is set, is what the events come from. It was compiled of the
	// same Tools, whose schemas are not compiled again.
	Parser *parser.Compiled

	// Syntaxes say what segments of a type call, where that is not what their
	// events say themselves. The Adapter keeps a copy.
	Syntaxes Syntaxes

	// Unknown is what becomes of calls of tools that are not declared.
	Unknown UnknownTools

	// SkipValidation leaves out the check against the tool's schema.
	SkipValidation bool

	// Coerce converts values to the type that the schema wants where nothing
	// is lost by it, and records toolcall.CoercedType: "5" for an integer, 5
	// for a string, "true" for a boolean, a string that holds an object or an
	// array, one value for an array of them. Arguments that fit stay as they
	// are. It has no effect when Strict is set.
	Coerce bool

	// Strict makes a call malformed that needed any tolerance. What could not be
	// checked against the schema is a problem, too.
	Strict bool
}

// UnknownTools is what becomes of calls of tools that are not declared.
type UnknownTools uint8

// What may become of them. None is ever Runnable.
const (
	ForwardUnknown UnknownTools = iota // marked Unknown
	DropUnknown                        // not at all
	ReportUnknown                      // marked Unknown, with a problem that tells the model which tools there are
)
