// Package callmeta holds what the start of a segment says beside the public fields of its
// event: how a call was written, and which of the metadata are not arguments.
package callmeta

import "unique"

// NativeDialect is the dialect of calls that came as a provider's own tool-call deltas.
const NativeDialect = "native"

// Origin records how a call was written. It is the size of a pointer and comparable
// with ==. The zero Origin means unknown.
type Origin struct{ of unique.Handle[origin] }

type origin struct{ dialect, content string }

// NewOrigin returns the origin of a call in a dialect. content names the parameter
// whose value is the segment's content, or is "" if the content is all arguments as
// JSON. It looks the pair up in a process-wide table: keep the result and reuse it.
func NewOrigin(dialect, content string) Origin {
	return Origin{unique.Make(origin{dialect, content})}
}

func (o Origin) value() origin {
	if o == (Origin{}) {
		return origin{}
	}
	return o.of.Value()
}

// Dialect returns the name of the call's dialect, or "" if it is unknown.
func (o Origin) Dialect() string { return o.value().dialect }

// ContentParameter returns the name of the parameter whose value is the segment's content,
// or "" if the content is all arguments.
func (o Origin) ContentParameter() string { return o.value().content }

// Equal reports whether o == p.
func (o Origin) Equal(p Origin) bool { return o == p }

// MetadataArguments is the metadata member that holds arguments with reserved names.
const MetadataArguments = "arguments"

// IsReserved reports whether a metadata member with this name describes the segment, and is
// not an argument of the call.
func IsReserved(name string) bool {
	switch name {
	case "tool_name", "call_id", "unknown_tool", "status", "reason", "tolerances", MetadataArguments:
		return true
	}
	return false
}
