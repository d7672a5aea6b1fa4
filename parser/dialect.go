package parser

import (
	"errors"
	"fmt"
)

// A Dialect says in data how a model writes reasoning and tool calls inside
// its text. Three independent choices describe nearly all of them: the frame
// of markers around a call, the head that gives its name, and the form of its
// arguments. What reads a call and what writes one go by the same value, so that
// the two cannot drift apart.
//
// [Dialects] has those that are built in; a program may make its own. A Dialect
// in use must not be changed, and then is safe for concurrent use.
type Dialect struct {
	Name    string   `json:"name"`              // in lower case
	Aliases []string `json:"aliases,omitempty"` // other names, in lower case
	About   string   `json:"about"`             // who writes it
	Source  string   `json:"source"`            // where the facts are from

	Reasoning  []Pair      `json:"reasoning,omitempty"` // markers around reasoning
	Frame      Frame       `json:"frame,omitzero"`
	Head       Head        `json:"head,omitzero"`
	Args       Args        `json:"args,omitzero"`
	Shorthands []Shorthand `json:"shorthands,omitempty"` // tags that are tools of their own

	Example string `json:"example,omitempty"` // one call of get_weather(city="Oslo"), parsed by the tests
}

// Pair is an opening and a closing marker, as they are written.
type Pair struct {
	Open  string `json:"open"`
	Close string `json:"close"`
}

// Frame holds the literal markers around a call.
type Frame struct {
	// Call is around one call. Without an opener the syntax is bare: the
	// arguments' own first byte begins a candidate, and only declared tools
	// are called.
	Call Pair `json:"call,omitzero"`
	// Fold: markers, tag and attribute names match in any ASCII case.
	Fold bool `json:"fold,omitempty"`
}

// HeadForm is how the name of the tool is written.
type HeadForm string

// The forms of a head.
const (
	HeadAttribute HeadForm = "attribute" // an attribute of the opening tag: <tool name="N">
	HeadEnvelope  HeadForm = "envelope"  // a member of a JSON object: {"name":"N",...}
	HeadHeader    HeadForm = "header"    // a JSON object after the opener: [[SEG_START {"type":...}]]
)

// Head says where the name of the tool stands.
type Head struct {
	Form HeadForm `json:"form,omitempty"`
	// Name lists the attribute or the members that hold the name.
	Name []string `json:"name,omitempty"`
	// Type is the header's member that holds the segment type.
	Type string `json:"type,omitempty"`
	// End closes a header.
	End string `json:"end,omitempty"`
	// Wrap lists the members of an envelope that hold a call as an object.
	Wrap []string `json:"wrap,omitempty"`
	// Array: an envelope may be an array of calls.
	Array bool `json:"array,omitempty"`
	// Lists are the members of an envelope that hold an array of calls.
	Lists []string `json:"lists,omitempty"`
	// Bare lists those of Lists in which a call may lack its arguments.
	Bare []string `json:"bare,omitempty"`
}

// ArgsForm is how the arguments are written.
type ArgsForm string

// The forms of arguments.
const (
	ArgsTags ArgsForm = "tags" // one tag for each value: <arg name="k">v</arg>
	ArgsJSON ArgsForm = "json" // one JSON object
)

// Shorthand is a tag that is a call of one tool: <run_bash>ls</run_bash>.
type Shorthand struct {
	Tag     string   `json:"tag"`     // also the segment type and the tool's name
	Content string   `json:"content"` // the parameter that the body is
	Attrs   []string `json:"attrs,omitempty"`
	Needs   string   `json:"needs,omitempty"` // without this attribute it is no call
}

// Args says how the arguments are written.
type Args struct {
	Form    ArgsForm `json:"form,omitempty"`
	Keys    []string `json:"keys,omitempty"`    // ArgsJSON: the members that hold them
	Wrapper string   `json:"wrapper,omitempty"` // ArgsTags: the tag around them all
	Tag     string   `json:"tag,omitempty"`     // ArgsTags: the tag of one value
	Key     string   `json:"key,omitempty"`     // ArgsTags: the attribute with the parameter's name
	Item    string   `json:"item,omitempty"`    // ArgsTags: the tag of a list's element
	// Entities: &lt; and its like, and CDATA sections, are decoded in values.
	Entities bool `json:"entities,omitempty"`
}

// validate checks what the parser relies on. Its error names the dialect and the
// field.
func (d *Dialect) validate() error {
	if d == nil {
		return errors.New("a dialect is nil")
	}
	wrong := func(field string) error { return fmt.Errorf("dialect %q: %s is empty", d.Name, field) }
	for i, pair := range d.Reasoning {
		if pair.Open == "" || pair.Close == "" {
			return wrong(fmt.Sprintf("a marker of reasoning[%d]", i))
		}
	}
	call := d.Frame.Call
	switch {
	case (call.Open == "") != (call.Close == ""):
		return wrong("a marker of frame.call")
	case call.Open != "" && len(d.Head.Name) == 0:
		return wrong("head.name")
	case call.Open != "" && d.Head.Form == HeadHeader && (d.Head.End == "" || d.Head.Type == ""):
		return wrong("head.end or head.type")
	}
	for i, s := range d.Shorthands {
		if s.Tag == "" || s.Content == "" {
			return wrong(fmt.Sprintf("tag or content of shorthands[%d]", i))
		}
	}
	return nil
}
