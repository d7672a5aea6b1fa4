package dialect

import "github.com/toolparse/toolparse/internal/jsonvalue"

// Show says how a prompt shows the tools to the models of a dialect, according to their own
// chat templates if these are known. Without it, [Dialect.ShowForm] derives a form from the
// way calls are written.
type Show struct {
	// Form says how one tool is written.
	Form ToolForm `json:"form,omitempty"`
	// Tools encloses all tools and Tool one of them. Between separates two tools.
	Tools   Pair   `json:"tools,omitzero"`
	Tool    Pair   `json:"tool,omitzero"`
	Between string `json:"between,omitempty"`
	// Param is written for each parameter between the two markers of Tool, for ToolLines.
	// In it, {at} stands for its number, {name} for its name, {about} for its description,
	// {type} for its type, {need} for required or optional, and {facts} for what else its
	// schema says, each after a comma. In Tool, {at}, {name} and {about} are those of the
	// tool. For tools without Param, {schema} is the schema of all parameters, and
	// {function} the tool as in ToolPlain.
	Param string `json:"param,omitempty"`
	// Sign is written for each parameter at the {signature} in Tool, for ToolPython; the
	// text before its {name} is only written between two parameters. There and in Param,
	// {type} is a Python type, {typing} one of the module typing, which includes the types of
	// elements, and {need:A|B} stands for A if the parameter is required and for B otherwise.
	// In Tool, {any:A} stands for A if there are parameters.
	Sign string `json:"sign,omitempty"`

	// The following fields are for prompts in the form of the models' own chat template.

	// Template names the models that use the template; if it is empty, no template is
	// known.
	Template string `json:"template,omitempty"`
	// Place is where the section of the tools is. Gap separates it from the system text, or
	// from that of the user, in the same message.
	Place ShowPlace `json:"place,omitempty"`
	Gap   string    `json:"gap,omitempty"`
	// Before and After are the texts before and after the tools: the labels and markers of
	// the template, and our own sentences in place of the template's.
	Before string `json:"before,omitempty"`
	After  string `json:"after,omitempty"`
	// Closing is the text of a system message after the conversation.
	Closing string `json:"closing,omitempty"`
	// Each is written for every tool between Before and the tools; {name} stands for its
	// name.
	Each   string     `json:"each,omitempty"`
	Layout ToolLayout `json:"layout,omitzero"`
}

// ShowPlace says where in a conversation the tools are shown.
type ShowPlace string

// The places. The default is after the system text, in the same message.
const (
	ShowBefore    ShowPlace = "before"     // before the system text
	ShowFirst     ShowPlace = "first"      // in a message of its own before the system message
	ShowSecond    ShowPlace = "second"     // in a message of its own after the system message
	ShowFirstUser ShowPlace = "first_user" // before the text of the first user message
	ShowLastUser  ShowPlace = "last_user"  // before the text of the last user message
)

// ToolLayout says how a template lays out tools in JSON or TypeScript. By default JSON is
// on one line, with a blank after commas and colons.
type ToolLayout struct {
	// Indent is the number of blanks of indentation inside a member, one item a line.
	Indent int `json:"indent,omitempty"`
	// More is written after the last member of a tool in JSON.
	More string `json:"more,omitempty"`
	// Compact: JSON has no blanks.
	Compact bool `json:"compact,omitempty"`
	// Sorted: the members of JSON objects are ordered by name.
	Sorted bool `json:"sorted,omitempty"`
	// Repr: values are Python literals.
	Repr bool `json:"repr,omitempty"`
	// Flush: the parameters of TypeScript are not indented.
	Flush bool `json:"flush,omitempty"`
	// Open: no comma follows the last member in TypeScript.
	Open bool `json:"open,omitempty"`
	// Types says how much TypeScript says about types.
	Types TypeDetail `json:"types,omitempty"`
	// Stop: a description in TypeScript ends with a full stop.
	Stop bool `json:"stop,omitempty"`
}

// JSON returns the layout of JSON.
func (l *ToolLayout) JSON() jsonvalue.Layout { return layoutOf(l.Compact, l.Indent) }

// TypeDetail says how much TypeScript says about types. By default integers are numbers.
type TypeDetail string

// The details.
const (
	TypesAny TypeDetail = "any" // several types are any
	// TypesDetailed: there is the type integer, comments have the limits and defaults of
	// parameters, and parentheses enclose the types of elements and alternatives.
	TypesDetailed TypeDetail = "detailed"
)

// ToolForm says how a prompt writes one tool.
type ToolForm string

// The forms of a tool.
const (
	ToolOpenAI     ToolForm = "openai"     // {"type":"function","function":{"name":..,"description":..,"parameters":{..}}}
	ToolPlain      ToolForm = "plain"      // {"name":..,"description":..,"parameters":{..}}
	ToolMCP        ToolForm = "mcp"        // {"name":..,"description":..,"inputSchema":{..}}
	ToolXML        ToolForm = "xml"        // <function name=".."><arguments><arg name=".." type=".."/></arguments></function>
	ToolTags       ToolForm = "tags"       // <function><name>..</name><parameter><name>..</name><type>..</type></parameter></function>
	ToolTypeScript ToolForm = "typescript" // type NAME = (_: { key?: string }) => any;
	ToolPython     ToolForm = "python"     // the texts of Show.Tool, Show.Sign and Show.Param
	ToolLines      ToolForm = "lines"      // the texts of Show.Tool and Show.Param
	ToolGemma      ToolForm = "gemma"      // NAME{description:..,parameters:{..}} in the literals of ArgsGemma
)

// ShowForm returns how tools are shown. If the dialect does not say, that is XML for models
// that write the tags of the xml dialect, and otherwise the form of OpenAI, inside <tools>
// unless calls have no markup either.
func (d *Dialect) ShowForm() Show {
	switch {
	case d.Show != Show{}:
		return d.Show
	case d.Args.Form == ArgsTags:
		return Show{Form: ToolXML, Between: "\n"}
	case d.Frame.Bare || d.Frame.Call.Open == "" && d.Frame.Section.Open == "":
		return Show{Form: ToolOpenAI, Between: "\n"}
	}
	return Show{Form: ToolOpenAI, Tools: Pair{Open: "<tools>\n", Close: "\n</tools>"}, Between: "\n"}
}
