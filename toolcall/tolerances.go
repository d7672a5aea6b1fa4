package toolcall

import (
	"encoding/json"
	"strings"
)

// Tolerances is the set of deviations from the dialect that the parser or the adapter
// accepted. It is empty for clean input.
type Tolerances uint32

// The tolerances.
const (
	MissingCloser     Tolerances = 1 << iota // a missing closing marker, tag or bracket
	TrailingComma                            // a comma before a closing bracket
	MissingComma                             // no comma between two members
	SingleQuotes                             // a string in single quotes
	PythonLiteral                            // True, False, None
	NonFiniteNumber                          // NaN or an infinity, converted to a string
	ControlCharacter                         // a raw control character in a string
	InvalidEscape                            // an escape that JSON does not have
	UnquotedKey                              // a key without quotes
	MissingWrapper                           // no <arguments> around the arguments
	NamedTag                                 // an argument tag named like its parameter
	JSONBody                                 // a JSON object where tags were expected
	UnquotedAttribute                        // an attribute without quotes around its value or a blank before it
	TextBetween                              // text between two arguments
	DuplicateArgument                        // a repeated argument or tool name, dropped
	UnconvertedValue                         // a value that fits no type of its schema, kept as a string
	CoercedType                              // a JSON value converted to the type in its schema
	StringArguments                          // arguments encoded as a string, or as one string too many
	MissingOpener                            // a missing opening marker
	MissingKey                               // a value without a key or a key without a value, skipped
	Comment                                  // a comment in JSON
	UnescapedQuote                           // a quote in a JSON string, without a backslash
	ExtraCloser                              // one closing bracket too many
	InvalidUTF8                              // bytes that are not UTF-8, replaced by U+FFFD
	ArgumentsKey                             // the arguments under a key of another dialect
	UnknownMember                            // a member of the call besides its name and arguments, dropped
	CodeFence                                // a code fence around the JSON of a call
)

// toleranceNames are the names in output, in the order of the constants.
var toleranceNames = [...]string{
	"missing_closer", "trailing_comma", "missing_comma", "single_quotes", "python_literal", "non_finite_number",
	"control_character", "invalid_escape", "unquoted_key", "missing_wrapper", "named_tag", "json_body",
	"unquoted_attribute", "text_between_arguments", "duplicate_argument", "unconverted_value", "coerced_type",
	"string_arguments", "missing_opener", "missing_key",
	"comment", "unescaped_quote", "extra_closer", "invalid_utf8", "arguments_key", "unknown_member", "code_fence",
}

// Names returns the names of the set's members in output, in the order of the
// constants. It returns nil for the empty set.
func (t Tolerances) Names() []string {
	if t == 0 { // as nearly always
		return nil
	}
	var names []string
	for i, n := range toleranceNames {
		if t&(1<<i) != 0 {
			names = append(names, n)
		}
	}
	return names
}

// String returns the names, joined with commas.
func (t Tolerances) String() string { return strings.Join(t.Names(), ",") }

// MarshalJSON encodes the set as a list of names. It never fails.
func (t Tolerances) MarshalJSON() ([]byte, error) {
	names := t.Names()
	if names == nil {
		names = []string{}
	}
	return json.Marshal(names)
}
