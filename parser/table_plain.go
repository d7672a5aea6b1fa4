package parser

// Dialects of plain prompts: what agents teach a model without a format of its own.

var plainTable = []*Dialect{yamlXML, continueCodeblock, cwm, react, reactJSON, toolCallFence, toolCode}

var continueCodeblock = &Dialect{
	Name:      "continue_codeblock",
	Aliases:   []string{"continue-codeblock", "continue"},
	About:     "any model that Continue prompts",
	Source:    "Continue's system message tools",
	Reasoning: thinkTags,
	Frame:     Frame{Call: Pair{"```tool\nTOOL_NAME: ", "```"}, Between: "\n", At: AtLine},
	Head:      Head{Form: HeadLiteral, End: "\n"},
	Args:      Args{Form: ArgsPairs, KeyMark: Pair{"BEGIN_ARG: ", "\n"}, ValueMark: Pair{"", "\nEND_ARG\n"}, Layout: LayoutLines},
	Show: Show{
		Form: ToolLines, Tool: Pair{"```tool_definition\nTOOL_NAME: {name}\nTOOL_DESCRIPTION: {about}\n", "```"},
		Param: "TOOL_ARG: {name} ({type}, {need}{facts})\n{about}\nEND_ARG\n", Between: "\n",
	},
	Example: "```tool\nTOOL_NAME: get_weather\nBEGIN_ARG: city\nOslo\nEND_ARG\n```",
	Quirks: []string{
		"END_ARG in a value: it ends the value only where another argument or the end of the block follows.",
		"A fence in a value is content.",
		"The end of the block is missing: complete, with a tolerance; END_ARG is missing: incomplete.",
	},
}

var cwm = &Dialect{
	Name:      "cwm",
	About:     "Code World Model",
	Source:    "vLLM cwm",
	Reasoning: thinkTags,
	Frame:     Frame{Call: Pair{"<tool: function>\n", "\n</tool>\n"}},
	Head:      Head{Form: HeadLiteral, End: " "},
	Args:      Args{Form: ArgsRaw, Param: "command"},
	Example:   "<tool: function>\nget_weather Oslo\n</tool>\n",
	Quirks: []string{
		"The text after the name is the parameter command, or the only one that the tool declares.",
	},
}

// aboutReAct are the models of react.
const aboutReAct = "any model that is prompted for Thought, Action and Action Input"

var react = &Dialect{
	Name:    "react",
	About:   aboutReAct,
	Source:  "the ReAct paper; LangChain's agents",
	Frame:   Frame{Call: Pair{"Action: ", ""}, Between: "\n", At: AtLine, Bare: true},
	Head:    Head{Form: HeadLiteral, End: "\nAction Input: "},
	Args:    Args{Form: ArgsRaw, Param: "input", Object: true, Until: []string{"Observation:", "Thought:", "Action:", "Final Answer:"}},
	Results: Results{Result: Pair{"Observation: ", "\n"}},
	Show:    showReact,
	Example: "Action: get_weather\nAction Input: {\"city\": \"Oslo\"}",
	Quirks: []string{
		"Text instead of a JSON object: the only parameter that the tool declares, or one called input.",
		"An Observation of the model's own making: text.",
		"Thoughts: text.",
	},
}

// actionJSON is how an action is written as JSON.
var (
	actionHead = Head{Form: HeadEnvelope, Name: []string{"action", "name"}, Array: true}
	actionArgs = Args{Form: ArgsJSON, Keys: []string{"action_input", "arguments"}}
)

var reactJSON = &Dialect{
	Name:    "react_json",
	Aliases: []string{"structured_chat", "smolagents"},
	About:   "any model that is prompted for an Action in JSON",
	Source:  "LangChain's structured chat agent; smolagents",
	Frame:   Frame{Call: Pair{"Action:\n```json\n", "\n```"}, Between: "\n", At: AtLine},
	Head:    actionHead,
	Args:    actionArgs,
	Also: []Form{
		{Frame{Call: Pair{"Action:\n```\n", "\n```"}, At: AtLine}, actionHead, actionArgs},
		{Frame{Call: Pair{"Action:\n", ""}, At: AtLine}, actionHead, actionArgs},
	},
	Results: Results{Result: Pair{"Observation: ", "\n"}},
	Show:    showReact,
	Example: "Action:\n```json\n{\"action\": \"get_weather\", \"action_input\": {\"city\": \"Oslo\"}}\n```",
	Quirks: []string{
		"No word json after the fence, or no fence at all: a call.",
		"The action Final Answer, whose input is text: not a call of a tool; it ends malformed.",
	},
}

var toolCallFence = &Dialect{
	Name:      "tool_call_fence",
	About:     "any model that is prompted for fenced blocks, such as Gemma 2 and 3",
	Source:    "ai-sdk-tool-call-middleware's former prompt for Gemma",
	Reasoning: thinkTags,
	Frame:     Frame{Call: Pair{"```tool_call\n", "\n```"}, Between: "\n", At: AtLine},
	Head:      Head{Form: HeadEnvelope, Name: []string{"name"}, Array: true},
	Args:      Args{Form: ArgsJSON, Keys: []string{"arguments", "parameters", "args"}},
	Example:   "```tool_call\n{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Oslo\"}}\n```",
}

var toolCode = &Dialect{
	Name:      "tool_code",
	Reasoning: thinkTags,
	About:     "Gemma 2 and 3, prompted for Python in a fenced block",
	Source:    "Google's guide to function calling with Gemma",
	Frame:     Frame{Section: Pair{"```tool_code\n", "\n```"}, Call: Pair{"", ")"}, Between: "\n", Separators: ";", At: AtLine},
	Head:      pythonHead,
	Args:      pythonArgs,
	Example:   "```tool_code\nget_weather(city=\"Oslo\")\n```",
	Quirks: []string{
		"Code that is no call with keywords, such as print(f(x)): text.",
	},
}

var yamlXML = &Dialect{
	Name:      "yaml_xml",
	Aliases:   []string{"yamlxml"},
	About:     "any model that is prompted for YAML in a tag named like the tool",
	Source:    "ai-sdk-tool-call-middleware's YAML protocol",
	Reasoning: thinkTags,
	Frame:     Frame{Call: Pair{"<", "</{name}>"}, Between: "\n"},
	Head:      Head{Form: HeadLiteral, End: ">\n"},
	Args:      Args{Form: ArgsYAML},
	Results:   namedResponse,
	Example:   "<get_weather>\ncity: Oslo\n</get_weather>",
	Quirks: []string{
		"A tag after which neither a key nor the closing tag follows: text.",
		"Text that is not indented after a key: the value as it stands, up to the next key that is declared.",
		"A string in three quotes, as in Python: text as it stands.",
		"Anchors, tags and complex keys: text.",
		"A JSON object instead of YAML: the arguments.",
	},
}
