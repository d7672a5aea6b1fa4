package parser

// Written is what only the writing of a call needs to know: where a reader takes
// any layout, which one a model's own template writes.
type Written struct {
	// Envelope is one call of HeadEnvelope or HeadKey. In it {name} and {id} stand
	// for JSON strings and {args} for the arguments. Where it is empty, the first
	// names that the head and the arguments list are used.
	Envelope string `json:"envelope,omitempty"`
	// List is around the calls of a message where one JSON value, in one frame,
	// holds them all.
	List Pair `json:"list,omitzero"`
	// Compact: JSON has no blanks after its commas and colons.
	Compact bool `json:"compact,omitempty"`
	// Indent is by how many blanks what is within a JSON value is indented, each on its
	// own line, and Level how deep the arguments stand.
	Indent int `json:"indent,omitempty"`
	Level  int `json:"level,omitempty"`
	// Reasoning is around reasoning; by default the first of the dialect's.
	Reasoning Pair `json:"reasoning,omitzero"`
	// Text is around text.
	Text Pair `json:"text,omitzero"`
	// Call is around a call, or its section if it has one of its own; {name} stands
	// for the tool's.
	Call Pair `json:"call,omitzero"`
	// Prompt is what calls begin with and the prompt for an answer ends with, so that
	// the first call of the answer lacks it. Heads are other ways in which its models
	// begin a call then; in them {name} stands for the tool's.
	Prompt string   `json:"prompt,omitempty"`
	Heads  []string `json:"heads,omitempty"`
	// Count is the attribute that counts the calls of a message, from 1.
	Count string `json:"count,omitempty"`
	// Lead is between text and the calls that follow it.
	Lead string `json:"lead,omitempty"`
	// LeadReasoning: it also stands between reasoning and calls.
	LeadReasoning bool `json:"lead_reasoning,omitempty"`
	// Empty is written in the place of arguments where a call has none.
	Empty string `json:"empty,omitempty"`
	// Sorted: the arguments, and the members of objects in them, stand in the order of
	// their names.
	Sorted bool `json:"sorted,omitempty"`
	// Numbered: the ids of calls are their numbers in the conversation, from 0.
	Numbered bool `json:"numbered,omitempty"`
	// NoIDs: the calls are written without their ids, which are read all the same.
	NoIDs bool `json:"no_ids,omitempty"`
}

// Results says how the results of calls are written to a model. In the markers
// {name} and {id} stand for those of the call, and {at} for its number in the message,
// from 1.
type Results struct {
	// Role is the role whose turn they are in the template; the user's by default.
	Role    string `json:"role,omitempty"`
	Turn    Pair   `json:"turn,omitzero"`     // around all that follow one message
	Result  Pair   `json:"result,omitzero"`   // around one
	Between string `json:"between,omitempty"` // between two
	// Quoted: the text of a result is written as a JSON string.
	Quoted bool `json:"quoted,omitempty"`
	// Alone: every result has a turn of its own in the template. Where they share one, as
	// many servers want it, Between is between them.
	Alone bool `json:"alone,omitempty"`
}

// ResultForm is how results are written: as Hermes does, after which most templates
// have been made, where the dialect does not say.
func (d *Dialect) ResultForm() Results {
	if d.Results == (Results{}) {
		return toolResponse
	}
	return d.Results
}

// Show says how a prompt shows the tools to the models of a dialect, after their own
// chat templates where these are known. Without it [Dialect.ShowForm] chooses a form by
// how calls are written.
type Show struct {
	// Form is how one tool is written.
	Form ToolForm `json:"form,omitempty"`
	// Tools is around all tools, Tool around one of them, and Between is written
	// between two.
	Tools   Pair   `json:"tools,omitzero"`
	Tool    Pair   `json:"tool,omitzero"`
	Between string `json:"between,omitempty"`
	// Param is written for each parameter between the two markers of Tool, for
	// ToolLines. In it {at} stands for its number, {name} for its name, {about} for
	// its description, {type} for its type, {need} for required or optional, and
	// {facts} for what else its schema says, each behind a comma. In Tool {at}, {name}
	// and {about} are those of the tool, and for tools without Param {schema} is the schema
	// of all parameters, and {function} the tool as in ToolPlain.
	Param string `json:"param,omitempty"`
	// Sign is written for each parameter at the {signature} in Tool, for ToolPython, but what
	// stands before its {name} only between two. There and in Param {type} is a type of
	// Python, and {need:A|B} stands for A where the parameter is required and for B where it
	// is not; in Tool {any:A} stands for A where there are parameters.
	Sign string `json:"sign,omitempty"`

	// What follows is for prompts in the form of the models' own chat template.

	// Template names the models whose template it is; without it none is known.
	Template string `json:"template,omitempty"`
	// Place is where the section of the tools stands, and Gap what is written between it
	// and the system text, or that of the user, in the same message.
	Place ShowPlace `json:"place,omitempty"`
	Gap   string    `json:"gap,omitempty"`
	// Before and After are what the section says before and after the tools: the labels
	// and markers of the template, and sentences of ours in the place of its own.
	Before string `json:"before,omitempty"`
	After  string `json:"after,omitempty"`
	// Each is written for every tool between Before and the tools; {name} stands for its name.
	Each   string     `json:"each,omitempty"`
	Layout ToolLayout `json:"layout,omitzero"`
}

// ShowPlace is where in a conversation the tools are shown.
type ShowPlace string

// The places. The default is behind the system text, in the same message.
const (
	ShowBefore    ShowPlace = "before"     // before the system text
	ShowFirst     ShowPlace = "first"      // a message of its own before that of the system
	ShowSecond    ShowPlace = "second"     // a message of its own after that of the system
	ShowFirstUser ShowPlace = "first_user" // before the text of the first message of the user
	ShowLastUser  ShowPlace = "last_user"  // before that of the last
)

// ToolLayout is how a template lays out tools that are JSON or TypeScript. By default JSON
// is on one line, with a blank after commas and colons.
type ToolLayout struct {
	// Indent is by how many blanks what is within a member is indented, each on its own line.
	Indent int `json:"indent,omitempty"`
	// Level is how deep a tool stands in a list that is laid out so.
	Level int `json:"level,omitempty"`
	// More is written behind the last member of a tool that is JSON.
	More string `json:"more,omitempty"`
	// Compact: JSON has no blanks.
	Compact bool `json:"compact,omitempty"`
	// Sorted: the members of JSON objects stand in the order of their names.
	Sorted bool `json:"sorted,omitempty"`
	// Repr: the values are Python's literals.
	Repr bool `json:"repr,omitempty"`
	// Flush: the parameters of TypeScript are not indented.
	Flush bool `json:"flush,omitempty"`
	// Open: no comma follows the last member of TypeScript.
	Open bool `json:"open,omitempty"`
	// Typing: types of Python are those of its module typing, which tell what lists and
	// objects hold.
	Typing bool `json:"typing,omitempty"`
	// Stop: a description in TypeScript ends with a full stop.
	Stop bool `json:"stop,omitempty"`
}

// ToolForm is how a prompt writes one tool.
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

// ShowForm is how tools are shown: where the dialect does not say, as XML to models
// that write the tags of the xml dialect, and else as OpenAI writes them, within
// <tools> unless calls have no markup either.
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
