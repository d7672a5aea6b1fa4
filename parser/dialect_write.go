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
}

// Results says how the results of calls are written to a model. In the markers
// {name} and {id} stand for those of the call.
type Results struct {
	Turn    Pair   `json:"turn,omitzero"`     // around all that follow one message
	Result  Pair   `json:"result,omitzero"`   // around one
	Between string `json:"between,omitempty"` // between two
	// Quoted: the text of a result is written as a JSON string.
	Quoted bool `json:"quoted,omitempty"`
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
	// and {about} are those of the tool, and {schema} is the schema of all parameters,
	// for tools without Param.
	Param string `json:"param,omitempty"`
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
	ToolLines      ToolForm = "lines"      // the texts of Show.Tool and Show.Param
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
	return Show{Form: ToolOpenAI, Tools: Pair{"<tools>\n", "\n</tools>"}, Between: "\n"}
}
