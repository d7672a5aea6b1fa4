package conform

import (
	"encoding/json"

	"github.com/toolparse/toolparse/toolcall"
)

// Vector is one input and what a parser must find in it.
type Vector struct {
	ID      string `json:"id"`
	Dialect string `json:"dialect"` // a dialect's name or alias
	Tier    string `json:"tier"`
	Note    string `json:"note,omitempty"`
	Tools   []Tool `json:"tools"`

	// Start is "reasoning" if the prompt opened the reasoning, so that the stream begins
	// inside it, else "".
	Start string `json:"start,omitempty"`

	Input  string   `json:"input"`            // the whole input
	Chunks []string `json:"chunks,omitempty"` // the vector's own chunks of the input; may be nil

	Expect  Expectation `json:"expect"`
	Compare Comparison  `json:"compare"`
}

// The tiers of vectors.
const (
	TierCore      = "core"
	TierMalformed = "malformed" // broken input; lists the calls that may run, and may omit others
	TierPolicy    = "policy"
)

// Tiers lists the tiers.
var Tiers = []string{TierCore, TierMalformed, TierPolicy}

// Tool is a tool definition in OpenAI's form.
type Tool struct {
	Type     string                  `json:"type"`
	Function toolcall.ToolDefinition `json:"function"`
}

// ToolsOf returns definitions in OpenAI's form.
func ToolsOf(defs []toolcall.ToolDefinition) []Tool {
	list := make([]Tool, len(defs))
	for i, def := range defs {
		list[i] = Tool{"function", def}
	}
	return list
}

// Definitions returns the definitions of the tools.
func (v Vector) Definitions() (defs []toolcall.ToolDefinition) {
	for _, t := range v.Tools {
		defs = append(defs, t.Function)
	}
	return defs
}

// Expectation is what a parser must find. Members that are nil are not asserted.
type Expectation struct {
	Text      *string `json:"text"`
	Reasoning *string `json:"reasoning"`
	Calls     *[]Call `json:"calls"`

	// Incomplete means that the last call is cut off and must end incomplete. Other
	// calls must not.
	Incomplete bool `json:"incomplete,omitempty"`
}

// Call is an expected call.
type Call struct {
	Name string `json:"name"`
	// Arguments is the expected JSON value. A string is the raw text of arguments that
	// are not an object.
	Arguments json.RawMessage `json:"arguments"`
}

// Comparison says how strictly an outcome is compared with an [Expectation].
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
	Unasserted TextMode = "unasserted" // not compared
)

// ArgsMode is how the arguments of calls are compared.
type ArgsMode string

// The ways to compare arguments.
const (
	// ArgsJSON compares JSON values, with exact numbers. The arguments of a call that
	// is cut off are closed first.
	ArgsJSON ArgsMode = "json"
	// ArgsPrefix does the same for objects. Of two raw texts one must be a prefix of
	// the other, without regard to blanks outside strings.
	ArgsPrefix ArgsMode = "prefix"
	// ArgsNameOnly compares only the names of the calls.
	ArgsNameOnly ArgsMode = "name-only"
)
