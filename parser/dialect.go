package parser

import "github.com/toolparse/toolparse/dialect"

// A Dialect describes, as data, how a model writes reasoning and tool calls in its text.
// Three independent choices cover nearly all dialects: the frame of markers around a call,
// the head that contains its name, and the form of its arguments. Readers and writers use
// the same value, so they cannot drift apart.
//
// [Dialects] returns the built-in dialects; a program may make its own. A Dialect must not
// be changed after its first use, and is then safe for concurrent use. A copy counts as
// another dialect.
type Dialect struct {
	Name    string   `json:"name"`              // in lower case
	Aliases []string `json:"aliases,omitempty"` // other names, in lower case
	About   string   `json:"about"`             // who writes it
	Source  string   `json:"source"`            // where the facts are from
	Quirks  []string `json:"quirks,omitempty"`  // what its models get wrong, and how the parser handles it

	Reasoning  []Reasoning `json:"reasoning,omitempty"` // markers around reasoning
	Frame      Frame       `json:"frame,omitzero"`
	Head       Head        `json:"head,omitzero"`
	Args       Args        `json:"args,omitzero"`
	Also       []Form      `json:"also,omitempty"`       // other ways in which its models write a call
	Shorthands []Shorthand `json:"shorthands,omitempty"` // tags that are named after their tools

	// Noise lists tokens around text that are not text: they end a segment, and belong to
	// its raw bytes.
	Noise []string `json:"noise,omitempty"`
	// Channels is for dialects whose messages begin with a header.
	Channels Channels `json:"channels,omitzero"`
	// CallsEndReasoning: the opener of a call ends reasoning.
	CallsEndReasoning bool `json:"calls_end_reasoning,omitempty"`
	// CallsInReasoning: calls inside reasoning count, and the reasoning continues after them.
	CallsInReasoning bool `json:"calls_in_reasoning,omitempty"`

	Written Written `json:"written,omitzero"` // what only writers of calls need
	Results Results `json:"results,omitzero"` // how results of calls are written
	Show    Show    `json:"show,omitzero"`    // how a prompt shows the tools

	Example string `json:"example,omitempty"` // one call of get_weather(city="Oslo"), parsed by the tests

	whole   *Dialect         // the dialect that this is one form of
	varies  *Dialect         // the row that this is a variant of
	foreign bool             // only read to recover calls of declared tools
	shared  *compiledDialect // nil: compiled on each use
}

// Reasoning is the pair of markers around reasoning.
type Reasoning struct {
	Open  string `json:"open"`
	Close string `json:"close"`
	// Anywhere: the opener counts anywhere, not only at the beginning of a line.
	Anywhere bool `json:"anywhere,omitempty"`
}

// Shorthand is a tag that is a call of one tool: <run_bash>ls</run_bash>.
type Shorthand struct {
	Tag     string   `json:"tag"`            // also the segment type
	Tool    string   `json:"tool,omitempty"` // the tool's name, if it differs from the tag
	Content string   `json:"content"`        // the parameter that the body sets
	Attrs   []string `json:"attrs,omitempty"`
	Needs   string   `json:"needs,omitempty"` // required attribute: without it the tag is not a call
}

// The columns of a dialect that say how calls are written.
type (
	Form     = dialect.Form
	Pair     = dialect.Pair
	Frame    = dialect.Frame
	Place    = dialect.Place
	Head     = dialect.Head
	HeadForm = dialect.HeadForm
	Args     = dialect.Args
	ArgsForm = dialect.ArgsForm
	Layout   = dialect.Layout
)

// Their values; see package dialect.
const (
	AtLine  = dialect.AtLine
	AtStart = dialect.AtStart

	HeadAttribute = dialect.HeadAttribute
	HeadEnvelope  = dialect.HeadEnvelope
	HeadHeader    = dialect.HeadHeader
	HeadLiteral   = dialect.HeadLiteral
	HeadKey       = dialect.HeadKey

	ArgsTags   = dialect.ArgsTags
	ArgsJSON   = dialect.ArgsJSON
	ArgsPairs  = dialect.ArgsPairs
	ArgsPython = dialect.ArgsPython
	ArgsGemma  = dialect.ArgsGemma
	ArgsYAML   = dialect.ArgsYAML
	ArgsRaw    = dialect.ArgsRaw

	PythonScalars = dialect.PythonScalars
	PythonAll     = dialect.PythonAll

	LayoutLines = dialect.LayoutLines
	LayoutTrim  = dialect.LayoutTrim
)
