// Package dialect holds the columns of a dialect's row: the frame of markers around a
// call, the head that names its tool, and the form of its arguments. What reads calls
// and what writes them go by the same values. The rows themselves, and all else that
// a dialect says, are in package parser.
package dialect

import "slices"

// Form is one way to write a call. A dialect may have several: it writes the first, and
// reads all.
type Form struct {
	Frame Frame `json:"frame,omitzero"`
	Head  Head  `json:"head,omitzero"`
	Args  Args  `json:"args,omitzero"`
}

// Pair is an opening and a closing marker, as they are written.
type Pair struct {
	Open  string `json:"open"`
	Close string `json:"close"`
}

// Frame holds the literal markers around a call. The model-native dialects
// write them with their layout: a run of blanks in one is written as it is, and
// read as any run of blanks, or none unless it keeps two words apart.
type Frame struct {
	// Section is around one or more calls.
	Section Pair `json:"section,omitzero"`
	// Call is around one call. Without an opener the syntax is bare, unless there
	// is a section: the call's own first byte begins a candidate, and only
	// declared tools are called.
	Call Pair `json:"call,omitzero"`
	// Between is written between two calls of a section, or of a message.
	Between string `json:"between,omitempty"`
	// Separators are the bytes, beside blanks, that may stand between two calls.
	Separators string `json:"separators,omitempty"`
	// Single: every call is written in a section of its own.
	Single bool `json:"single,omitempty"`
	// At says where an opener counts; anywhere by default.
	At Place `json:"at,omitempty"`
	// Closers are other spellings of what ends a call.
	Closers []string `json:"closers,omitempty"`
	// Bare: prose may hold such an opener, so that only declared tools are called.
	Bare bool `json:"bare,omitempty"`
	// Fold: markers, tag and attribute names match in any ASCII case.
	Fold bool `json:"fold,omitempty"`
}

// Place is where a marker counts.
type Place string

// The places.
const (
	AtLine  Place = "line"  // only where it begins a line, or the message
	AtStart Place = "start" // only where it begins the message, or what follows a call
)

// HeadForm is how the name of the tool is written.
type HeadForm string

// The forms of a head.
const (
	HeadAttribute HeadForm = "attribute" // an attribute of the opening tag: <tool name="N">
	HeadEnvelope  HeadForm = "envelope"  // a member of a JSON object: {"name":"N",...}
	HeadHeader    HeadForm = "header"    // a JSON object after the opener: [[SEG_START {"type":...}]]
	HeadLiteral   HeadForm = "literal"   // the text after the opener, up to End or what must follow
	HeadKey       HeadForm = "key"       // the key of a JSON object whose value is the arguments: {"N":{...}}
)

// Head says where the name of the tool stands.
type Head struct {
	Form HeadForm `json:"form,omitempty"`
	// Name lists the attribute or the members that hold the name.
	Name []string `json:"name,omitempty"`
	// Type is the header's member that holds the segment type.
	Type string `json:"type,omitempty"`
	// End closes a header, a literal name, or the opening tag of a model-native
	// dialect.
	End string `json:"end,omitempty"`
	// Prefix stands before a literal name, and is no part of it.
	Prefix string `json:"prefix,omitempty"`
	// Index stands between a literal name and a number; the call's id is all of it.
	// A number alone is the call of the one declared tool that has its arguments.
	Index string `json:"index,omitempty"`
	// ID stands between a literal name and the call's id.
	ID string `json:"id,omitempty"`
	// Lead stands between the call's id and a literal name, where the id comes first.
	Lead string `json:"lead,omitempty"`
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
	ArgsTags   ArgsForm = "tags"   // one tag for each value: <arg name="k">v</arg>
	ArgsJSON   ArgsForm = "json"   // one JSON object
	ArgsPairs  ArgsForm = "pairs"  // literal markers around each key and each value
	ArgsPython ArgsForm = "python" // keyword arguments with Python's literals
	ArgsGemma  ArgsForm = "gemma"  // Gemma's literal syntax
	ArgsYAML   ArgsForm = "yaml"   // YAML
	ArgsRaw    ArgsForm = "raw"    // the text of one parameter, as it is
)

// Args says how the arguments are written.
type Args struct {
	Form ArgsForm `json:"form,omitempty"`
	Keys []string `json:"keys,omitempty"` // ArgsJSON: the members that hold them
	// Required: an object without a member that holds arguments is no call.
	Required bool   `json:"required,omitempty"`
	Wrapper  string `json:"wrapper,omitempty"` // ArgsTags: the tag around them all
	Tag      string `json:"tag,omitempty"`     // ArgsTags: the tag of one value
	Key      string `json:"key,omitempty"`     // ArgsTags: the attribute with the parameter's name
	Item     string `json:"item,omitempty"`    // ArgsTags: the tag of a list's element
	// Entities: &lt; and its like, and CDATA sections, are decoded in values.
	Entities bool `json:"entities,omitempty"`

	// KeyMark, TypeMark and ValueMark are around a key, its type and its value, for
	// ArgsPairs. With Key, the key is that attribute of a tag that KeyMark.Open
	// begins and KeyMark.Close ends; in ValueMark.Close, {key} stands for the key.
	// For ArgsPython, a KeyMark of "--" and " " makes options of the arguments: the
	// keys begin with hyphens, and blanks stand around them.
	KeyMark   Pair `json:"key_mark,omitzero"`
	TypeMark  Pair `json:"type_mark,omitzero"`
	ValueMark Pair `json:"value_mark,omitzero"`
	// Type is the attribute that gives a value's type: its name, or true for a
	// string and false for JSON.
	Type string `json:"type,omitempty"`
	// Closers are other spellings of what ends a value; in them {name} stands for
	// any name.
	Closers []string `json:"closers,omitempty"`
	// Unwrap are parameters that hold all arguments as a JSON object, where the tool
	// declares no such parameter.
	Unwrap []string `json:"unwrap,omitempty"`
	// Python says which values are written as Python prints them, for ArgsPairs, and may be
	// so without a tolerance.
	Python Python `json:"python,omitempty"`
	// Layout says which blanks around a value are layout.
	Layout Layout `json:"layout,omitempty"`
	// Exact are the parameters of which, whatever the layout, no more than a newline
	// next to each marker is layout.
	Exact []string `json:"exact,omitempty"`
	// Quoted: strings are written as JSON strings.
	Quoted bool `json:"quoted,omitempty"`
	// Escaped: newlines between markers may be written as a backslash and an n.
	Escaped bool `json:"escaped,omitempty"`
	// Nested: each key is a tag that is named like it, with KeyMark around its name
	// and what stands before the < in front of all tags. Objects and lists are tags
	// within the value; Item is the tag of an element.
	Nested bool `json:"nested,omitempty"`
	// Quote stands on both sides of a string, for ArgsGemma; ArgsPython writes it, a double
	// quote by default, and reads any.
	Quote string `json:"quote,omitempty"`
	// Param is the parameter that the text is, for ArgsRaw. A tool that declares no
	// such parameter, and only one at all, gets the text for that.
	Param string `json:"param,omitempty"`
	// Until lists what ends the text, for ArgsRaw, where it begins a line. It is no
	// part of the call.
	Until []string `json:"until,omitempty"`
	// Object: a text that begins with { is the object of all arguments, for ArgsRaw.
	Object bool `json:"object,omitempty"`
}

// Python is which values are Python's literals; none by default.
type Python string

// What they may be.
const (
	PythonScalars Python = "scalars" // True, False and None
	PythonAll     Python = "all"     // those, and lists and objects
)

// Layout is which blanks around a value belong to the markup. Values that are no
// strings are trimmed in any case.
type Layout string

// The layouts. The default keeps all blanks.
const (
	LayoutLines Layout = "lines" // one newline after the opener and one before the closer
	LayoutTrim  Layout = "trim"  // all blanks
	LayoutEdge  Layout = "edge"  // one newline next to the opener and one next to the closer
)

// LayoutOf is the layout of a parameter's value.
func (a *Args) LayoutOf(key string) Layout {
	if slices.Contains(a.Exact, key) {
		return LayoutEdge
	}
	return a.Layout
}
