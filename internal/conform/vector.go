package conform

import (
	"encoding/json"

	"github.com/toolparse/toolparse/toolcall"
)

// Vector is one input and what it stands for.
type Vector struct {
	ID      string
	Dialect string // a dialect's name or alias
	Tier    string // "core", "malformed" or "policy"
	Tools   []toolcall.ToolDefinition

	// StartInReasoning: the stream begins inside a reasoning block that the
	// prompt opened.
	StartInReasoning bool

	Input  string   // all of the input
	Chunks []string // the input as the vector cuts it, nil where it does not

	Expect  Expectation
	Compare Comparison
}

// Expectation is what an input stands for. What is nil is not asserted.
type Expectation struct {
	Text      *string `json:"text"`
	Reasoning *string `json:"reasoning"`
	Calls     *[]Call `json:"calls"`

	// Incomplete: the last call is cut off, so that it must end incomplete.
	// Without it no call may.
	Incomplete bool `json:"incomplete"`
}

// Call is an expected call.
type Call struct {
	Name string `json:"name"`
	// Arguments is the JSON value expected. A string stands for the raw text
	// of arguments that are no object.
	Arguments json.RawMessage `json:"arguments"`
}

// Comparison says how strictly an outcome is held against an [Expectation].
type Comparison struct {
	Text      TextMode `json:"text"`
	Reasoning TextMode `json:"reasoning"`
	Args      ArgsMode `json:"args"`
}

// TextMode is how text and reasoning are compared.
type TextMode string

// The ways to compare text.
const (
	Collapsed  TextMode = "collapsed"  // runs of white space folded to one space, ends trimmed
	Unasserted TextMode = "unasserted" // anything goes
)

// ArgsMode is how the arguments of calls are compared.
type ArgsMode string

// The ways to compare arguments.
const (
	// ArgsJSON compares as JSON values, with exact numbers. The arguments of
	// a call that is cut off are closed where they stop before they are
	// compared with a value.
	ArgsJSON ArgsMode = "json"
	// ArgsPrefix does the same for objects. Raw text must be the beginning of
	// the other side's or the reverse, blanks outside strings aside.
	ArgsPrefix ArgsMode = "prefix"
	// ArgsNameOnly compares the names of the calls and nothing else of them.
	ArgsNameOnly ArgsMode = "name-only"
)
