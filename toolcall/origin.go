package toolcall

import "unique"

// NativeDialect is the [Origin.Dialect] of calls that came as a provider's own
// tool-call deltas.
const NativeDialect = "native"

// Origin says how a call was written. It is one pointer long and comparable
// with ==: equal origins are the same value. The zero Origin says nothing.
type Origin struct{ of unique.Handle[origin] }

type origin struct{ dialect, content string }

// NewOrigin returns the origin of a call in a dialect. content is the parameter
// that the content of the segment becomes, or "" where the content is the JSON
// of all arguments. It costs a look-up in a table of the process: keep the
// result for further calls.
func NewOrigin(dialect, content string) Origin {
	return Origin{unique.Make(origin{dialect, content})}
}

func (o Origin) value() origin {
	if o == (Origin{}) {
		return origin{}
	}
	return o.of.Value()
}

// Dialect returns the name of the dialect that the call was read in,
// [NativeDialect] for a provider's own call, or "" where it is not known.
func (o Origin) Dialect() string { return o.value().dialect }

// ContentParameter returns the parameter that the content of the segment
// becomes, such as "command" for run_bash. It is "" where the content is the
// JSON of all arguments, as in a tool_call.
func (o Origin) ContentParameter() string { return o.value().content }

// Equal reports whether o and p are the same origin, as == does.
func (o Origin) Equal(p Origin) bool { return o == p }
