package toolparse

import (
	"encoding/json"
	"strings"
)

// Reason tells why a segment ended in another way than by its own closer.
type Reason uint8

// The reasons, by the status that they go with.
const (
	ReasonNone Reason = iota

	// Incomplete.
	ReasonEndOfStream // the input ended inside the segment
	ReasonTruncated   // the provider said that it cut the output (length, filter)

	// Malformed.
	ReasonInvalidJSON        // the arguments broke JSON beyond repair
	ReasonNotAnObject        // the arguments are JSON, but no object
	ReasonInvalidMarkup      // the call's markup broke
	ReasonNoName             // a native call ended without ever getting a name
	ReasonMissingContent     // a file or shell call without path, content or command
	ReasonArgumentsDiffer    // the provider's final arguments contradict those it streamed
	ReasonToleranceForbidden // strict mode: a tolerance was needed

	// Rejected.
	ReasonCallTooLarge // Limits.CallBytes
	ReasonTooDeep      // Limits.Depth
	ReasonTooManyCalls // Limits.Calls
	ReasonTooMuchHeld  // Limits.HeldBytes: the start could not be sent before them
	ReasonStreamError  // the provider reported an error inside the stream
	ReasonRestarted    // the provider gave the message up and began another
)

var reasonNames = [...]string{
	ReasonNone:               "none",
	ReasonEndOfStream:        "end_of_stream",
	ReasonTruncated:          "truncated_by_provider",
	ReasonInvalidJSON:        "invalid_json",
	ReasonNotAnObject:        "arguments_not_an_object",
	ReasonInvalidMarkup:      "invalid_markup",
	ReasonNoName:             "no_name",
	ReasonMissingContent:     "missing_content",
	ReasonArgumentsDiffer:    "arguments_differ",
	ReasonToleranceForbidden: "tolerance_forbidden",
	ReasonCallTooLarge:       "call_too_large",
	ReasonTooDeep:            "nested_too_deep",
	ReasonTooManyCalls:       "too_many_calls",
	ReasonTooMuchHeld:        "too_much_held",
	ReasonStreamError:        "stream_error",
	ReasonRestarted:          "message_restarted",
}

// String returns the reason's name in output, such as "end_of_stream".
func (r Reason) String() string { return nameOf(reasonNames[:], int(r), "Reason") }

// MarshalText implements [encoding.TextMarshaler].
func (r Reason) MarshalText() ([]byte, error) { return []byte(r.String()), nil }

// Tolerances is a set of departures from the dialect that the parser or the
// adapter put up with. Clean input needs none.
type Tolerances uint32

// What may be tolerated.
const (
	MissingCloser     Tolerances = 1 << iota // a closing marker, tag or bracket was not there
	TrailingComma                            // a comma before a closing bracket
	MissingComma                             // no comma between two members
	SingleQuotes                             // a string in single quotes
	PythonLiteral                            // True, False, None
	NonFiniteNumber                          // NaN or an infinity, made a string
	ControlCharacter                         // a raw control character in a string
	InvalidEscape                            // an escape that JSON does not know
	UnquotedKey                              // a key without quotes
	MissingWrapper                           // no <arguments> around the arguments
	NamedTag                                 // an argument tag named like its parameter
	JSONBody                                 // a JSON object where tags were expected
	UnquotedAttribute                        // an attribute value without quotes
	TextBetween                              // text between two arguments
	DuplicateArgument                        // a second argument of the same name, dropped
	UnconvertedValue                         // a value that fits no type its schema allows, left a string
	CoercedType                              // a JSON value converted to the type its schema wants
	StringArguments                          // arguments wrapped in one more string than the dialect asks for
	LateFragment                             // native arguments after their call had closed, dropped
	RepeatedArguments                        // native arguments sent again whole, dropped
)

var toleranceNames = [...]string{
	"missing_closer", "trailing_comma", "missing_comma", "single_quotes", "python_literal", "non_finite_number",
	"control_character", "invalid_escape", "unquoted_key", "missing_wrapper", "named_tag", "json_body",
	"unquoted_attribute", "text_between_arguments", "duplicate_argument", "unconverted_value", "coerced_type",
	"string_arguments", "late_fragment", "repeated_arguments",
}

// Names lists the set's members by their names in output, in a fixed order.
func (t Tolerances) Names() []string {
	var names []string
	for i, n := range toleranceNames {
		if t&(1<<i) != 0 {
			names = append(names, n)
		}
	}
	return names
}

// String joins the names with commas.
func (t Tolerances) String() string { return strings.Join(t.Names(), ",") }

// MarshalJSON renders the set as a list of names.
func (t Tolerances) MarshalJSON() ([]byte, error) {
	names := t.Names()
	if names == nil {
		names = []string{}
	}
	return json.Marshal(names)
}
