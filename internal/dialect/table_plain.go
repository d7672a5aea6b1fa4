package dialect

// Dialects of plain prompts: what agents teach a model without a format of its own.

var plainTable = []*Dialect{
	yamlXML, continueCodeblock, cwm, react, reactJSON, toolCallFence, toolCode, toolRequest, qwenAgent, uiTARS,
	cherryStudio, dspyReAct, xmlAgent, nexusRaven,
}

var continueCodeblock = row(thinking, Dialect{
	Name:    "continue_codeblock",
	Aliases: []string{"continue-codeblock", "continue"},
	About:   "any model that Continue prompts",
	Source:  "Continue's system message tools",
	Frame:   Frame{Call: Pair{"```tool\nTOOL_NAME: ", "```"}, Between: "\n", At: AtLine},
	Head:    Head{Form: HeadLiteral, End: "\n"},
	Args:    Args{Form: ArgsPairs, KeyMark: Pair{"BEGIN_ARG: ", "\n"}, ValueMark: Pair{"", "\nEND_ARG\n"}, Layout: LayoutLines},
	Show: Show{
		Form: ToolLines, Tool: Pair{"```tool_definition\nTOOL_NAME: {name}\nTOOL_DESCRIPTION: {about}\n", "```"},
		Param: "TOOL_ARG: {name} ({type}, {need}{facts})\n{about}\nEND_ARG\n", Between: "\n",
	},
	Example: "```tool\nTOOL_NAME: get_weather\nBEGIN_ARG: city\nOslo\nEND_ARG\n```",
	Quirks: []string{
		"END_ARG ends a value only if another argument or the end of the block follows.",
		"A code fence in a value is content.",
		"Without the end of the block the call is complete, with a tolerance; without END_ARG it is incomplete.",
	},
})

var cwm = row(thinking, Dialect{
	Name:    "cwm",
	About:   "Code World Model",
	Source:  "vLLM cwm",
	Frame:   Frame{Call: Pair{"<tool: function>\n", "\n</tool>\n"}},
	Head:    Head{Form: HeadLiteral, End: " "},
	Args:    Args{Form: ArgsRaw, Param: "command"},
	Example: "<tool: function>\nget_weather Oslo\n</tool>\n",
	Quirks:  []string{"The text after the name is the tool's only declared parameter, or command; a tool without parameters needs no text."},
})

// aboutReAct describes the models of react.
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
		"Text in place of a JSON object is the tool's only declared parameter, or input.",
		"An Observation that the model makes up is text.",
		"Thoughts are text.",
	},
}

// actionJSON is an action in JSON.
var (
	actionHead = Head{Form: HeadEnvelope, Name: []string{"action", "name"}, Array: true, Answer: "Final Answer"}
	actionArgs = Args{Form: ArgsJSON, Keys: []string{"action_input", "arguments"}, Param: "input"}
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
		{Frame: Frame{Call: Pair{"Action:\n```\n", "\n```"}, At: AtLine}, Head: actionHead, Args: actionArgs},
		{Frame: Frame{Call: Pair{"Action:\n", ""}, At: AtLine}, Head: actionHead, Args: actionArgs},
		actionFence("```json\n"), actionFence("```\n"),
	},
	Results: Results{Result: Pair{"Observation: ", "\n"}},
	Show:    showReact,
	Example: "Action:\n```json\n{\"action\": \"get_weather\", \"action_input\": {\"city\": \"Oslo\"}}\n```",
	Quirks: []string{
		"The word json, or the whole fence, may be missing. So may the word Action, if the object has an action_input.",
		"Text in place of an object is the tool's only declared parameter, or input.",
		"The input of the action Final Answer, with which the model ends its work, is text unless a tool has that name.",
	},
}

// actionFence returns the form of an action in a fence without the word before it.
func actionFence(open string) Form {
	return Form{
		Frame: Frame{Call: Pair{open, "\n```"}, At: AtLine},
		Head:  Head{Form: HeadEnvelope, Name: []string{"action"}, Answer: actionHead.Answer},
		Args:  Args{Form: ArgsJSON, Keys: []string{"action_input"}, Required: true, Param: "input"},
	}
}

var toolCallFence = row(thinking, Dialect{
	Name:    "tool_call_fence",
	About:   "any model that is prompted for fenced blocks, such as Gemma 2 and 3",
	Source:  "ai-sdk-tool-call-middleware's former prompt for Gemma",
	Frame:   Frame{Call: Pair{"```tool_call\n", "\n```"}, Between: "\n", At: AtLine},
	Head:    Head{Form: HeadEnvelope, Name: []string{"name"}, Array: true},
	Args:    Args{Form: ArgsJSON, Keys: []string{"arguments", "parameters", "args"}},
	Example: "```tool_call\n{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Oslo\"}}\n```",
})

var toolCode = row(thinking, Dialect{
	Name:    "tool_code",
	About:   "Gemma 2 and 3, prompted for Python in a fenced block",
	Source:  "Google's guide to function calling with Gemma",
	Frame:   Frame{Section: Pair{"```tool_code\n", "\n```"}, Call: Pair{"", ")"}, Between: "\n", Separators: ";", At: AtLine},
	Head:    pythonHead,
	Args:    pythonArgs,
	Also:    []Form{toolCodeForm("print(default_api.", "))"), toolCodeForm("print(", "))")},
	Example: "```tool_code\nget_weather(city=\"Oslo\")\n```",
	Quirks: []string{
		"Code other than calls with keyword arguments, such as print(f(x)), is text.",
		"In print(default_api.f(a=1)), as Gemini writes it, the call is f(a=1).",
	},
})

// toolCodeForm returns the form of a call of tool_code between two markers.
func toolCodeForm(open, close string) Form {
	return Form{
		Frame: Frame{Section: Pair{"```tool_code\n", "\n```"}, Call: Pair{open, close}, Between: "\n", Separators: ";", At: AtLine},
		Head:  pythonHead,
		Args:  pythonArgs,
	}
}

var toolRequest = row(thinking, Dialect{
	Name:    "tool_request",
	Aliases: []string{"lmstudio", "lm_studio", "lm-studio"},
	About:   "models without a format of their own, as LM Studio prompts them",
	Source:  "LM Studio's default format for tool use",
	Frame:   Frame{Call: Pair{"[TOOL_REQUEST]", "[END_TOOL_REQUEST]"}, Between: "\n"},
	Head:    namedCall,
	Args:    argumentsFirst,
	Show:    showToolRequest,
	Results: Results{Result: Pair{"[TOOL_RESULT]", "[END_TOOL_RESULT]"}, Between: "\n"},
	Example: "[TOOL_REQUEST]{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Oslo\"}}[END_TOOL_REQUEST]",
})

var yamlXML = row(thinking, Dialect{
	Name:    "yaml_xml",
	Aliases: []string{"yamlxml"},
	About:   "any model that is prompted for YAML in a tag named like the tool",
	Source:  "ai-sdk-tool-call-middleware's YAML protocol",
	Frame:   Frame{Call: Pair{"<", "</{name}>"}, Between: "\n"},
	Head:    Head{Form: HeadLiteral, End: ">\n"},
	Args:    Args{Form: ArgsYAML},
	Results: namedResponse,
	Example: "<get_weather>\ncity: Oslo\n</get_weather>",
	Quirks: []string{
		"A tag that neither a key nor the closing tag follows is text.",
		"Unindented text after a key is the value, up to the next declared key.",
		"A string in triple quotes is taken verbatim.",
		"YAML anchors, tags and complex keys are text.",
		"A JSON object in place of the YAML is read as the arguments.",
	},
})

var qwenAgent = row(thinking, Dialect{
	Name:    "qwen_agent",
	Aliases: []string{"qwen-agent", "qwen_en", "qwen_zh", "qwen_en_parallel", "qwen_zh_parallel"},
	About:   "Qwen 1 to 2, as Qwen-Agent prompts them",
	Source:  "Qwen-Agent's prompt qwen (fncall_prompt_type); ms-swift qwen_en",
	Frame:   Frame{Call: Pair{"✿FUNCTION✿: ", ""}, Between: "\n", At: AtLine},
	Head:    Head{Form: HeadLiteral, End: "\n✿ARGS✿: "},
	Args:    Args{Form: ArgsRaw, Param: "input", Object: true, Until: []string{"✿FUNCTION✿", "✿RESULT✿", "✿RETURN✿"}},
	Ends:    Ends{Stop: []string{"✿RESULT✿", "✿RETURN✿"}},
	Results: Results{Result: Pair{"✿RESULT✿: ", "\n"}},
	Example: "✿FUNCTION✿: get_weather\n✿ARGS✿: {\"city\": \"Oslo\"}",
	Quirks: []string{
		"Text in place of a JSON object is the tool's only declared parameter, or input.",
	},
})

var uiTARS = &Dialect{
	Name:    "ui_tars",
	Aliases: []string{"ui-tars"},
	About:   "UI-TARS, which names actions on a screen after Thought",
	Source:  "UI-TARS's prompts and action parser; rapid-mlx ui_tars",
	Frame:   Frame{Call: Pair{"Action: ", ")"}, Between: "\n", At: AtLine, Bare: true},
	Head:    pythonHead,
	Args:    pythonArgs,
	Example: "Action: get_weather(city=\"Oslo\")",
	Quirks: []string{
		"Thoughts are text.",
		quirkQuotes,
	},
}

var cherryStudio = row(thinking, Dialect{
	Name:    "cherry_studio",
	Aliases: []string{"cherry-studio", "cherrystudio"},
	About:   "any model that Cherry Studio prompts",
	Source:  "Cherry Studio's prompt for tools",
	Frame:   Frame{Call: Pair{"<tool_use>\n  <name>", "</arguments>\n</tool_use>"}, Between: "\n"},
	Head:    Head{Form: HeadLiteral, End: "</name>\n  <arguments>"},
	Args:    Args{Form: ArgsJSON},
	Results: Results{Result: Pair{"<tool_use_result>\n  <name>{name}</name>\n  <result>", "</result>\n</tool_use_result>"}, Between: "\n"},
	Example: "<tool_use>\n  <name>get_weather</name>\n  <arguments>{\"city\": \"Oslo\"}</arguments>\n</tool_use>",
})

var dspyReAct = row(thinking, Dialect{
	Name:    "dspy",
	Aliases: []string{"dspy_react", "dspy-react"},
	About:   "any model that DSPy's module ReAct prompts by its ChatAdapter",
	Source:  "DSPy's ReAct and ChatAdapter",
	Frame:   Frame{Call: Pair{"[[ ## next_tool_name ## ]]\n", "\n\n[[ ## completed ## ]]"}, Between: "\n\n"},
	Head:    Head{Form: HeadLiteral, End: "\n\n[[ ## next_tool_args ## ]]\n"},
	Args:    Args{Form: ArgsJSON},
	Noise:   []string{"[[ ## next_thought ## ]]\n"},
	Results: Results{Result: Pair{"[[ ## observation ## ]]\n", ""}, Between: "\n\n"},
	Example: "[[ ## next_tool_name ## ]]\nget_weather\n\n[[ ## next_tool_args ## ]]\n{\"city\": \"Oslo\"}\n\n[[ ## completed ## ]]",
	Quirks: []string{
		"The next thought is text, without its marker.",
		"The tool finish, with which the model ends its work, is a call like any other.",
	},
})

var xmlAgent = row(thinking, Dialect{
	Name:    "xml_agent",
	Aliases: []string{"xml-agent", "langchain_xml"},
	About:   "any model that LangChain's XML agent prompts",
	Source:  "LangChain's XML agent",
	Frame:   Frame{Call: Pair{"<tool>", "</tool_input>"}, Between: "\n", Stop: true},
	Head:    Head{Form: HeadLiteral, End: "</tool><tool_input>"},
	Args:    Args{Form: ArgsRaw, Param: "input", Object: true},
	Also: []Form{{
		Frame: Frame{Call: Pair{"<tool>", "</tool_input>"}, Stop: true},
		Head:  Head{Form: HeadLiteral, End: "</tool> <tool_input>"},
		Args:  Args{Form: ArgsRaw, Param: "input", Object: true},
	}},
	Results: Results{Result: Pair{"<observation>", "</observation>"}, Between: "\n"},
	Noise:   []string{"<final_answer>", "</final_answer>"},
	Ends:    Ends{Stop: []string{"</tool_input>", "<observation>"}},
	Example: "<tool>get_weather</tool><tool_input>{\"city\": \"Oslo\"}</tool_input>",
	Quirks: []string{
		"Text in place of a JSON object is the tool's only declared parameter, or input.",
		"The agent stops a model before </tool_input>, so that it may be missing.",
	},
})

var nexusRaven = &Dialect{
	Name:    "nexus_raven",
	Aliases: []string{"nexus-raven", "nexusraven"},
	About:   "NexusRaven",
	Source:  "NexusRaven's card; the Berkeley leaderboard (bfcl-eval, nexus.py)",
	Frame:   Frame{Section: Pair{"Call: ", "<bot_end>"}, Call: Pair{"", ")"}, Between: "; ", Separators: ";", At: AtLine, Bare: true},
	Head:    pythonHead,
	Args:    pythonArgs,
	Ends:    Ends{Stop: []string{"<bot_end>"}},
	Example: `Call: get_weather(city="Oslo")<bot_end>`,
	Quirks:  []string{quirkQuotes, quirkNewline, quirkWords, quirkCode, "What the model adds as a Thought is text."},
}
