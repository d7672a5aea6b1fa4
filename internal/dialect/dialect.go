// Package dialect describes, as data, how models write reasoning and tool calls in their text.
//
// A [Dialect] is a row of columns: the frame of markers around a call, the head that names the
// tool, the form of the arguments, and how a prompt shows the tools and their results. Readers,
// writers, manifests and grammars use the same value, and none of them knows a dialect's name.
//
// Users see this package as the public package dialect, without the columns: dialects of their
// own are JSON, which ReadDialect of package parser checks.
package dialect

import "cmp"

// A Dialect describes, as data, how a model writes reasoning and tool calls in its text.
// Three independent choices cover nearly all dialects: the frame of markers around a call,
// the head that contains its name, and the form of its arguments. Readers and writers use
// the same value, so they cannot drift apart.
//
// A Dialect must not be changed after its first use, and is then safe for concurrent use. A copy counts as
// another dialect.
type Dialect struct {
	Name    string   `json:"name"`              // in lower case
	Aliases []string `json:"aliases,omitempty"` // other names, in lower case
	About   string   `json:"about"`             // who writes it
	Source  string   `json:"source"`            // where the facts are from
	Quirks  []string `json:"quirks,omitempty"`  // what its models get wrong, and how the parser handles it

	Reasoning []Reasoning `json:"reasoning,omitempty"` // markers around reasoning
	Frame     Frame       `json:"frame,omitzero"`
	Head      Head        `json:"head,omitzero"`
	Args      Args        `json:"args,omitzero"`
	Also      []Form      `json:"also,omitempty"` // other ways in which its models write a call
	// Shorthands are tags that are named after their tools. Without any, a dialect with
	// ArgsTags has those of FileTools.
	Shorthands []FileTool `json:"shorthands,omitempty"`

	// Noise lists tokens around text that are not text: they end a segment, and belong to
	// its raw bytes.
	Noise []string `json:"noise,omitempty"`
	// Ends says where an answer ends.
	Ends Ends `json:"ends,omitzero"`
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

	varies *Dialect // the row that this is a variant of
}

// VariantOf returns the row that d is a variant of, or nil: its models write calls alike, but
// their prompts, or small parts of their markup, differ.
func (d *Dialect) VariantOf() *Dialect { return d.varies }

// Native reports whether d has no syntax for calls in text: its models call tools through
// their provider's wire format.
func (d *Dialect) Native() bool {
	return d.Head.Form == "" && d.Args.Form == "" && d.Frame.Call.Open == "" && d.Frame.Section.Open == ""
}

// Forms returns the ways in which d writes a call, the preferred one first, or nil if d
// writes no calls.
func (d *Dialect) Forms() []Form {
	if d.Native() {
		return nil
	}
	return append([]Form{{Frame: d.Frame, Head: d.Head, Args: d.Args}}, d.Also...)
}

// Reasoning is the pair of markers around reasoning. An opener that several closers can end has
// a pair for each, the usual one first.
type Reasoning struct {
	Open  string `json:"open"`
	Close string `json:"close"`
	// Anywhere: the opener counts anywhere, not only at the beginning of a line.
	Anywhere bool `json:"anywhere,omitempty"`
}

// Folds reports whether markers, tag names and attribute names match in any ASCII case.
func (d *Dialect) Folds() bool { return d.Args.Form == ArgsTags }

// FileTool is a tool with a segment type of its own, and in some dialects with a tag of its
// own: <run_bash>ls</run_bash>.
type FileTool struct {
	Tag     string   `json:"tag"`             // the name of its tag and of the segment type
	Tool    string   `json:"tool,omitempty"`  // the name of the tool, if it differs from the tag
	Content string   `json:"content"`         // the parameter that is the content of the segment
	Attrs   []string `json:"attrs,omitempty"` // the other parameters
	Needs   string   `json:"needs,omitempty"` // the parameter without which the tag is not a call, if any
}

// Name returns the name of the tool.
func (f *FileTool) Name() string { return cmp.Or(f.Tool, f.Tag) }

// FileTools are these tools.
var FileTools = []FileTool{
	{Tag: "write_file", Content: "content", Attrs: []string{"path"}, Needs: "path"},
	{Tag: "edit_file", Content: "patch", Attrs: []string{"path"}, Needs: "path"},
	{Tag: "run_bash", Content: "command", Attrs: []string{"background", "timeout_seconds"}},
}

// FileTags returns the tools whose tags are calls in d.
func (d *Dialect) FileTags() []FileTool {
	if d.Shorthands == nil && d.Args.Form == ArgsTags {
		return FileTools
	}
	return d.Shorthands
}
