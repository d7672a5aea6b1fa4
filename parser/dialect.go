package parser

import "github.com/toolparse/toolparse/dialect"

// A Dialect says in data how a model writes reasoning and tool calls inside
// its text. Three independent choices describe nearly all of them: the frame
// of markers around a call, the head that gives its name, and the form of its
// arguments. What reads a call and what writes one go by the same value, so that
// the two cannot drift apart.
//
// [Dialects] has those that are built in; a program may make its own. A Dialect
// that was used must not be changed, and then is safe for concurrent use; a copy of it
// is another one.
type Dialect struct {
	Name    string   `json:"name"`              // in lower case
	Aliases []string `json:"aliases,omitempty"` // other names, in lower case
	About   string   `json:"about"`             // who writes it
	Source  string   `json:"source"`            // where the facts are from
	Quirks  []string `json:"quirks,omitempty"`  // what its models do amiss, and what becomes of it

	Reasoning  []Reasoning `json:"reasoning,omitempty"` // markers around reasoning
	Frame      Frame       `json:"frame,omitzero"`
	Head       Head        `json:"head,omitzero"`
	Args       Args        `json:"args,omitzero"`
	Also       []Form      `json:"also,omitempty"`       // other ways in which its models write a call
	Shorthands []Shorthand `json:"shorthands,omitempty"` // tags that are tools of their own

	// Noise are tokens around text that are no text: they end a segment, and
	// go with its raw bytes.
	Noise []string `json:"noise,omitempty"`
	// Channels is for dialects whose messages begin with a header.
	Channels Channels `json:"channels,omitzero"`
	// CallsEndReasoning: the opener of a call ends reasoning.
	CallsEndReasoning bool `json:"calls_end_reasoning,omitempty"`
	// CallsInReasoning: calls inside reasoning count; it goes on after them.
	CallsInReasoning bool `json:"calls_in_reasoning,omitempty"`

	Written Written `json:"written,omitzero"` // what only the writing of calls needs
	Results Results `json:"results,omitzero"` // how the results of calls are written
	Show    Show    `json:"show,omitzero"`    // how a prompt shows the tools

	Example string `json:"example,omitempty"` // one call of get_weather(city="Oslo"), parsed by the tests

	whole   *Dialect  // of which this is one form
	foreign bool      // it is only looked for to recover calls of declared tools
	first   *firstUse // nil: each use compiles it
}

// Reasoning is the pair of markers around reasoning.
type Reasoning struct {
	Open  string `json:"open"`
	Close string `json:"close"`
	// Anywhere: the opener counts anywhere, and not only where it begins a line.
	Anywhere bool `json:"anywhere,omitempty"`
}

// Shorthand is a tag that is a call of one tool: <run_bash>ls</run_bash>.
type Shorthand struct {
	Tag     string   `json:"tag"`            // also the segment type
	Tool    string   `json:"tool,omitempty"` // the tool's name, where that is not the tag
	Content string   `json:"content"`        // the parameter that the body is
	Attrs   []string `json:"attrs,omitempty"`
	Needs   string   `json:"needs,omitempty"` // without this attribute it is no call
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

// Their values, which package dialect explains.
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
