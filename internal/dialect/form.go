package dialect

import "github.com/toolparse/toolparse/internal/lex"

// Form is one way to write a call. A dialect may have several: it writes the first, and
// reads all of them.
type Form struct {
	Frame Frame `json:"frame,omitzero"`
	Head  Head  `json:"head,omitzero"`
	Args  Args  `json:"args,omitzero"`
}

// Marked reports whether a call begins with punctuation, which is rarer in prose than letters.
func (f *Form) Marked() bool {
	first := lex.NewPattern(f.Frame.Section.Open) + lex.NewPattern(f.Frame.Call.Open)
	if first == "" {
		return f.Head.Form != HeadLiteral
	}
	return !lex.IsName(first[0])
}

// Pair is an opening and a closing marker, as written.
type Pair struct {
	Open  string `json:"open"`
	Close string `json:"close"`
}

// Frame holds the literal markers around a call. The markers of model-native dialects
// include their layout. A run of blanks inside a marker is written as it is. On reading,
// any run of blanks matches it, and also none unless the run separates two words.
type Frame struct {
	// Section encloses one or more calls.
	Section Pair `json:"section,omitzero"`
	// Call encloses one call. A syntax without an opener, and without a section, is bare: a
	// candidate begins with the call's own first byte, and only declared tools count.
	Call Pair `json:"call,omitzero"`
	// Between is written between two calls of a section, or of a message.
	Between string `json:"between,omitempty"`
	// Separators are the bytes, besides blanks, that may occur between two calls.
	Separators string `json:"separators,omitempty"`
	// Single: every call is written in a section of its own.
	Single bool `json:"single,omitempty"`
	// At restricts where an opener counts; by default it counts anywhere.
	At Place `json:"at,omitempty"`
	// Closers are other spellings of the marker that ends a call.
	Closers []string `json:"closers,omitempty"`
	// Bare: prose may contain such an opener, so only declared tools count.
	Bare bool `json:"bare,omitempty"`
	// Stop: the closer of a call is a stop sequence that servers leave out. A call is
	// complete without it that ends after the closer of a value, for ArgsPairs, or in its
	// text, for ArgsRaw.
	Stop bool `json:"stop,omitempty"`
}

// Place says where a marker counts.
type Place string

// The places.
const (
	AtLine  Place = "line"  // only at the beginning of a line, or of the message
	AtStart Place = "start" // only at the beginning of the message, or of what follows a call
)

// HeadForm says how the name of the tool is written.
type HeadForm string

// The forms of a head.
const (
	HeadAttribute HeadForm = "attribute" // an attribute of the opening tag: <tool name="N">
	HeadEnvelope  HeadForm = "envelope"  // a member of a JSON object: {"name":"N",...}
	HeadHeader    HeadForm = "header"    // a JSON object after the opener: [[SEG_START {"type":...}]]; type is that of the segment
	HeadLiteral   HeadForm = "literal"   // the text after the opener, up to End or what must follow
	HeadKey       HeadForm = "key"       // the key of a JSON object whose value is the arguments: {"N":{...}}
)

// Head says where the name of the tool is.
type Head struct {
	Form HeadForm `json:"form,omitempty"`
	// Name lists the attribute or the members that contain the name.
	Name []string `json:"name,omitempty"`
	// End closes a header, a literal name, or the opening tag of a model-native dialect.
	End string `json:"end,omitempty"`
	// Prefix precedes a literal name and is not part of it.
	Prefix string `json:"prefix,omitempty"`
	// Index separates a literal name from a number; together they are the call's id. A
	// number alone calls the only declared tool that has the arguments. For HeadAttribute it
	// is the attribute with which writers number the calls of a message, from 1.
	Index string `json:"index,omitempty"`
	// ID separates a literal name from the call's id. Writers need it only if results refer to ids.
	ID string `json:"id,omitempty"`
	// Lead separates the call's id from a literal name, if the id comes first.
	Lead string `json:"lead,omitempty"`
	// Wrap lists the members of an envelope that contain a call as an object.
	Wrap []string `json:"wrap,omitempty"`
	// Array: an envelope may be an array of calls.
	Array bool `json:"array,omitempty"`
	// Lists names the members of an envelope that contain an array of calls.
	Lists []string `json:"lists,omitempty"`
	// Bare names those of Lists in which a call may lack its arguments.
	Bare []string `json:"bare,omitempty"`
	// Answer is the name, in an envelope, with which a model ends its work. Unless a tool has
	// that name, the arguments are text: the model's answer.
	Answer string `json:"answer,omitempty"`
}

// ArgsForm says how the arguments are written.
type ArgsForm string

// The forms of arguments.
const (
	ArgsTags   ArgsForm = "tags"   // one tag for each value: <arg name="k">v</arg>
	ArgsJSON   ArgsForm = "json"   // one JSON object
	ArgsPairs  ArgsForm = "pairs"  // literal markers around each key and each value
	ArgsPython ArgsForm = "python" // keyword arguments with Python's literals
	ArgsGemma  ArgsForm = "gemma"  // Gemma's literal syntax
	ArgsYAML   ArgsForm = "yaml"   // YAML
	ArgsRaw    ArgsForm = "raw"    // the text of one parameter, unmodified
)

// Args says how the arguments are written. Most fields apply to one form only.
type Args struct {
	Form ArgsForm `json:"form,omitempty"`
	Keys []string `json:"keys,omitempty"` // ArgsJSON: the members that contain the arguments
	// Required: an object without a member that contains arguments is not a call.
	Required bool   `json:"required,omitempty"`
	Key      string `json:"key,omitempty"` // ArgsTags: the attribute with the parameter's name
	// Entities: entities such as &lt;, and CDATA sections, are decoded in values.
	Entities bool `json:"entities,omitempty"`
	// CDATA: strings that contain <, & or a newline are written as a CDATA section, and not
	// with entities.
	CDATA bool `json:"cdata,omitempty"`

	// KeyMark, TypeMark and ValueMark enclose a key, its type and its value, for ArgsPairs.
	// Types are read, but not written. With Key, the key is that attribute of a tag that KeyMark.Open begins and
	// KeyMark.Close ends. In ValueMark.Close, {key} stands for the key. For ArgsPython, a
	// KeyMark of "--" and " " turns the arguments into options: the keys begin with hyphens
	// and are separated by blanks.
	KeyMark   Pair `json:"key_mark,omitzero"`
	TypeMark  Pair `json:"type_mark,omitzero"`
	ValueMark Pair `json:"value_mark,omitzero"`
	// Type is the attribute that states a value's type: the name of the type, or true for a
	// string and false for JSON.
	Type string `json:"type,omitempty"`
	// Closers are other spellings of the marker that ends a value. In them, {name} stands
	// for any name.
	Closers []string `json:"closers,omitempty"`
	// Unwrap lists parameters that contain all arguments as a JSON object, if the tool does
	// not declare such a parameter.
	Unwrap []string `json:"unwrap,omitempty"`
	// Python says which values are written as Python prints them, for ArgsPairs. Readers
	// accept them without a tolerance.
	Python Python `json:"python,omitempty"`
	// Layout says which blanks around a value belong to the markup.
	Layout Layout `json:"layout,omitempty"`
	// Escaped: newlines between markers may be written as a backslash and an n.
	Escaped bool `json:"escaped,omitempty"`
	// Marked: no value contains the opener of a key. The opener therefore ends a value that
	// lacks its closer, even in the middle of a line or for an undeclared key. If keys are
	// text, so does the beginning of another call: its opener, its name and a line feed.
	Marked bool `json:"marked,omitempty"`
	// Nested: each key is a tag of that name. KeyMark encloses the name; the text before
	// the < is repeated before all tags. Objects and arrays are tags inside the value.
	Nested bool `json:"nested,omitempty"`
	// Quote encloses a string, for ArgsGemma. ArgsPython writes it, by default a double quote,
	// and reads any quote. ArgsPairs with a double quote has JSON strings.
	Quote string `json:"quote,omitempty"`
	// Param is the parameter that receives the text, for ArgsRaw, or a string that contains
	// no object, for ArgsJSON. If the tool does not declare it, but declares exactly one
	// parameter, that one receives the text.
	Param string `json:"param,omitempty"`
	// Until lists markers that end the text at the beginning of a line, for ArgsRaw. They
	// are not part of the call.
	Until []string `json:"until,omitempty"`
	// Object: for ArgsRaw, a text that begins with { is a JSON object with all arguments. It
	// may stand in a code fence.
	Object bool `json:"object,omitempty"`
}

// QuotesStrings reports whether strings between markers are JSON strings.
func (a *Args) QuotesStrings() bool { return a.Form == ArgsPairs && a.Quote != "" }

// WritesTypes reports whether writers state the type of each value.
func (a *Args) WritesTypes() bool { return a.Type != "" }

// The tags of ArgsTags. ItemTag also encloses an element of an array in the tags of Args.Nested.
const (
	WrapperTag = "arguments" // encloses all values
	ArgTag     = "arg"       // encloses a value
	ItemTag    = "item"      // encloses an element of an array
)

// Python says which values are written as Python literals; by default no values are.
type Python string

// The kinds of values.
const (
	PythonScalars Python = "scalars" // True, False and None
	PythonAll     Python = "all"     // those, and arrays and objects
)

// Layout says which blanks around a value belong to the markup. Values that are not strings
// are always trimmed.
type Layout string

// The layouts. The default keeps all blanks.
const (
	LayoutLines Layout = "lines" // one newline after the opener and one before the closer
	LayoutTrim  Layout = "trim"  // all blanks; around the text of a file, in the parameter content, as LayoutEdge
	LayoutEdge  Layout = "edge"  // one newline next to the opener and one next to the closer
)

// LayoutOf returns the layout of a parameter's value.
func (a *Args) LayoutOf(key string) Layout {
	if a.Layout == LayoutTrim && key == "content" {
		return LayoutEdge
	}
	return a.Layout
}
