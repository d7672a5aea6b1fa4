package dialect

import "strings"

// How prompts show the tools: the forms, labels and markers are those of the models' own
// chat templates. The sentences are our own, with the same meaning as those of the templates.

// Forms that several dialects share.
var (
	showLines = Show{Form: ToolPlain, Between: "\n"}
	showMCP   = Show{Form: ToolMCP, Between: "\n"}
	showReact = Show{Form: ToolLines, Tool: Pair{Open: "{name}: {about} Parameters: {schema}"}, Between: "\n"}
)

// Sentences for which several templates have an equivalent.
const (
	canCall     = "You can call one or more functions to help the user.\n\n"
	signatures  = "The signatures of the functions stand between <tools></tools> XML tags:\n"
	toolsHead   = "# Tools\n\n" + canCall + signatures
	forEachJSON = "\n\nFor each call of a function, write a JSON object with its name and its arguments between <tool_call></tool_call> XML tags:\n" +
		"<tool_call>\n{\"name\": <function-name>, \"arguments\": <args-json-object>}\n</tool_call>"
	forEachKeys  = "\n\nFor each call of a function, write its name and its arguments in this XML format:\n"
	keysInLines  = "<tool_call>{function-name}\n<arg_key>{arg-key-1}</arg_key>\n<arg_value>{arg-value-1}</arg_value>\n<arg_key>{arg-key-2}</arg_key>\n<arg_value>{arg-value-2}</arg_value>\n...\n</tool_call>"
	keysInOne    = "<tool_call>{function-name}<arg_key>{arg-key-1}</arg_key><arg_value>{arg-value-1}</arg_value><arg_key>{arg-key-2}</arg_key><arg_value>{arg-value-2}</arg_value>...</tool_call>"
	notAvailable = " If no tool in the list can do what is asked, tell the user that you cannot do it."
	coderFormat  = "\n\nTo call a function, reply in this format alone, with nothing after it:\n\n" +
		"<tool_call>\n<function=example_function_name>\n<parameter=example_parameter_1>\nvalue_1\n</parameter>\n" +
		"<parameter=example_parameter_2>\nA value may\nhave several\nlines\n</parameter>\n</function>\n</tool_call>\n\n"
	coderRules = "<IMPORTANT>\nRemember:\n- Keep to this format: a <function=...></function> block within <tool_call></tool_call> XML tags\n- Give every required parameter\n"
	coderMore  = "- You may explain a call in plain words before it, but write nothing after it\n" +
		"- Where no function helps, answer from what you know, and do not speak of functions\n"
	coderEnd = "</IMPORTANT>"
)

// wholeLines shows each tool on a line, in OpenAI's form, inside <tools>.
var wholeLines = Show{Form: ToolOpenAI, Tools: Pair{"<tools>\n", "\n</tools>"}, Between: "\n", Gap: "\n\n"}

// showAs returns form with the name of a template, and the texts around the tools in it.
func showAs(form Show, template, before, after string) Show {
	form.Template, form.Before, form.After = template, before, after
	return form
}

// closedBy returns form with what is said after the conversation.
func closedBy(form Show, text string) Show {
	form.Closing = text
	return form
}

// placed returns form at another place.
func placed(form Show, place ShowPlace, gap string) Show {
	form.Place, form.Gap = place, gap
	return form
}

// showList shows a JSON array of tools between two markers.
func showList(open string, form ToolForm, end string) Show {
	return Show{Form: form, Tools: Pair{open + "[", "]" + end}, Between: ", ", Gap: "\n\n"}
}

// showEach shows each tool on a line in a tag of its own, all inside another tag.
func showEach(tools, tool string) Show {
	return Show{
		Form: ToolPlain, Tools: Pair{"<" + tools + ">\n", "\n</" + tools + ">"},
		Tool: Pair{"<" + tool + ">", "</" + tool + ">"}, Between: "\n", Gap: "\n\n",
	}
}

// showNamespace shows TypeScript, as OpenAI shows its functions.
var showNamespace = Show{
	Form: ToolTypeScript, Tools: Pair{"namespace functions {\n\n", "\n\n} // namespace functions"}, Between: "\n\n", Gap: "\n\n",
	Layout: ToolLayout{Indent: 4, Flush: true},
}

// indented returns form with JSON on several lines.
func indented(form Show) Show {
	form.Layout.Indent = 4
	return form
}

// The tools of the dialects that write JSON.
var (
	showHermes  = showAs(wholeLines, "Qwen 2.5 and 3", toolsHead, forEachJSON)
	showHermes2 = placed(showAs(Show{Form: ToolOpenAI, Tools: Pair{"<tools> ", " </tools>"}, Between: "\n"}, "Hermes 2 Pro and 3",
		"You are an AI model that calls functions. The signatures of the functions stand between <tools></tools> XML tags. You can call one or more of them to help the user. Do not invent values for their arguments. These are the tools: ",
		" For each call of a function, write a JSON object with its name and its arguments between <tool_call></tool_call> XML tags, like this:\n<tool_call>\n{\"name\": <function-name>, \"arguments\": <args-dict>}\n</tool_call>"), ShowFirst, "")
	showGranite4 = showAs(wholeLines, "Granite 4.0 and 4.1",
		"You are a helpful assistant, and have the tools below. You can call one or more of them to help the user.\n\n"+signatures, forEachJSON+"."+notAvailable)
	showGranite = placed(Show{
		Form: ToolOpenAI, Template: "Granite 3.3", Tools: Pair{"[\n    ", "\n]"}, Between: ",\n    ", Layout: ToolLayout{Indent: 4},
	}, ShowSecond, "")
	showGranite20b = showAs(Show{Form: ToolPlain, Tool: Pair{Open: "<|function_call_library|>"}, Between: "\n", Gap: "\n"}, "Granite 20B FunctionCalling", "",
		"\nIf no function fits, or the question lacks what a function requires, write \"<function_call> {\"name\": \"no_function\", \"arguments\": {}}\".")
	showHunyuanA13B = placed(showAs(showList("", ToolOpenAI, ""), "Hunyuan-A13B",
		"You compose calls of functions. You get a question and a list of functions, and call one or more of them to reach the goal. If none can be used, if the question lacks an argument that is required, or if the results are enough for an answer, reply in plain words. "+
			"To call functions, write only this: <tool_calls>[{\"name\": \"func_name1\", \"arguments\": {\"argument1\": \"value1\", \"argument2\": \"value2\"}},...]</tool_calls>. These are the functions, as JSON.\n\n",
		"\n\nFurther requirements:"), ShowBefore, "\n")
	showInternLM = placed(showAs(showList("", ToolPlain, ""), "InternLM 2", "", ""), ShowSecond, "")
	showBielik   = showAs(Show{Form: ToolOpenAI, Tools: Pair{"<|function_list|>\n[", "]\n<|function_list|>"}, Between: ",\n", Gap: "\n\n"}, "Bielik 3",
		"Możesz używać narzędzi, których definicje stoją między znacznikami <|function_list|>:\n",
		"\n\nŻeby wywołać narzędzie, napisz <tool_call>{\"name\": \"nazwa_narzędzia\", \"arguments\": {\"argument\": \"wartość\"}}</tool_call>. Wyniki narzędzi przychodzą ze znacznikiem <|function_output|>.\n")
	showExaone4 = showAs(Show{Form: ToolOpenAI, Tool: Pair{"<tool>", "</tool>"}, Between: "\n", Gap: "\n\n"}, "EXAONE 4",
		"# Available Tools\nYou can call none, one or several of these tools as functions to help the user.\nThe tools stand as JSON within <tool> and </tool> tags:\n",
		"\n\nFor each call of a function, write a JSON object with its name and its arguments within <tool_call> and </tool_call> tags, like this:\n"+
			"<tool_call>{\"name\": function_1_name, \"arguments\": {argument_1_name: argument_1_value, argument_2_name: argument_2_value}}</tool_call>\n<tool_call>{\"name\": function_2_name, \"arguments\": {...}}</tool_call>\n...")
	showSmolLM3 = showAs(Show{Form: ToolOpenAI, Tools: Pair{"<tools>\n", "\n</tools>"}, Between: "\n", Gap: "\n\n", Layout: ToolLayout{Repr: true}}, "SmolLM3",
		"### Tools\n\n"+strings.TrimSuffix(canCall, "\n")+signatures[:len(signatures)-1]+"\n\n", forEachJSON)
	showMinimax = placed(showAs(wholeLines, "MiniMax-M1", "You have these tools:\n",
		"\n\nTo call tools, write their names and the JSON objects of their arguments between <tool_calls></tool_calls> XML tags, like this:\n<tool_calls>\n{\"name\": <tool-name>, \"arguments\": <args-json-object>}\n...\n</tool_calls>"), ShowSecond, "")
	showJamba = showAs(Show{
		Form: ToolPlain, Tools: Pair{"<tool_definitions>\n# Tools\n\n## Functions\n\n", "\n</tool_definitions>"}, Between: "\n\n", Gap: "\n\n", Layout: ToolLayout{Indent: 2},
	}, "Jamba 1.6", "", "")
	showNemotron = showAs(showList("<AVAILABLE_TOOLS>", ToolPlain, "</AVAILABLE_TOOLS>"), "Nemotron Nano 2",
		"These tools can be used to help the user:\n",
		"\n\nTo call tools, use this format:\n<TOOLCALL>[{{\"name\": \"tool_name1\", \"arguments\": \"tool_args1\"}}, {{\"name\": \"tool_name2\", \"arguments\": \"tool_args2\"}}]</TOOLCALL>\n\n"+
			"The user carries out the calls, and returns what the tools answer in this format:\n<TOOL_RESPONSE>[{{\"tool_response1\"}}, {{\"tool_response2\"}}]</TOOL_RESPONSE>\n\n"+
			"With these answers, call more tools, correct calls that failed, or reply to the user.\n\n")
	showNemotronSuper = showAs(showList("<AVAILABLE_TOOLS>", ToolPlain, "</AVAILABLE_TOOLS>"), "Llama 3.3 Nemotron Super 1.5", showNemotron.Before,
		strings.NewReplacer("[{{\"tool_response1\"}}, {{\"tool_response2\"}}]", "[{{\"response\": \"tool_response1\"}}, {{\"response\": \"tool_response2\"}}]",
			"\n\nWith these answers, call more tools, correct calls that failed, or reply to the user.\n\n", "").Replace(showNemotron.After))
	showNemotronMini = showAs(Show{
		Form: ToolOpenAI, Tool: Pair{"<tool> ", " </tool>"}, Gap: "\n\n\n", Layout: ToolLayout{Compact: true},
	}, "Nemotron-Mini, by Ollama", "", "\n\n\n")
	showApriel = showAs(Show{Form: ToolOpenAI, Tools: Pair{"<available_tools>\n", ""}, Gap: "\n", Layout: ToolLayout{Repr: true}}, "Apriel 1.6",
		"The signatures of functions stand between <available_tools></available_tools> XML tags. You can call one or more of them to help the user. Take the values of arguments from the conversation, and do not guess them. These are the tools:\n",
		"\n</available_tools>.\n\nWrite all calls as a list of JSON objects between <tool_calls></tool_calls> XML tags, each with the name of a function and its arguments:\n"+
			"<tool_calls>[\n    {\"name\": <function-name-1>, \"arguments\": <args-dict-1>},\n    {\"name\": <function-name-2>, \"arguments\": <args-dict-2>},\n    ...\n]</tool_calls>")
	showApertus = placed(showAs(Show{Form: ToolTypeScript, Tools: Pair{"", ""}, Between: "\n", Layout: ToolLayout{Indent: 4, Flush: true, Open: true}}, "Apertus", "Tool Capabilities:\n", ""), ShowSecond, "")
	cohereTools = Show{
		Form: ToolPlain, Tools: Pair{"```json\n[\n    ", "\n]\n```"}, Between: ",\n    ", Gap: "\n\n", Layout: ToolLayout{More: `, "responses": null`},
	}
	showCommand3 = placed(showAs(cohereTools, "Command R7B",
		"## Tool Use\nConsider how the tools can help with the task, and make a plan first.\n\n"+
			"0. Write <|START_THINKING|>, a detailed plan of your steps in plain words, and <|END_THINKING|>. Leave this out where no plan is needed, and where you answer without tools.\n\n"+
			"Then carry out the plan, by repeating these steps.\n"+
			"1. Action: write <|START_ACTION|>, a list of calls as JSON, each with the members \"tool_name\" and \"parameters\", and <|END_ACTION|>. Calls that do not depend on each other belong in one list.\n"+
			"2. Observation: the results come in the next turn as JSON, between <|START_TOOL_RESULT|> and <|END_TOOL_RESULT|>. Wait for them, and never make them up. Each names its call by \"tool_call_id\".\n"+
			"3. Reflection: write <|START_THINKING|>, what you learned and what you do next, and <|END_THINKING|>. Leave this out where all goes to plan, and where you are done.\n\n"+
			"Repeat these steps, or none, until you can answer.\n\n"+
			"4. Response: write <|START_RESPONSE|>, your answer to the user, and <|END_RESPONSE|>.\n\n"+
			"## Available Tools\nThese are your tools. Use no tool that is not listed here.\nEach is a JSON object with members such as \"name\", \"description\" and \"parameters\" (a JSON Schema).\n\n", ""), ShowBefore, "\n\n")
	showCommand4 = placed(showAs(cohereTools, "Command A 2026, North", "# Available Tools\n", ""), ShowFirst, "")
	showCommandR = showAs(Show{
		Form: ToolPython, Between: "\n\n", Gap: "\n\n",
		Tool:  Pair{"```python\ndef {name}({signature}) -> List[Dict]:\n    \"\"\"{about}{any:\n\n    Args:}", "\n    \"\"\"\n    pass\n```"},
		Sign:  ", {name}: {need:{typing}|Optional[{typing}] = None}",
		Param: "\n        {name} ({need:{typing}|Optional[{typing}]}): {about}",
	}, "Command R+", "## Available Tools\nThese are your tools:\n\n", "")
	closingCommandR = "Write 'Action:' and the actions to carry out as a JSON list, to answer the user's last message. You can use each tool as often as you need, but carry out no more actions than necessary. " +
		"Where no other tool is needed, use the tool `directly-answer`. Write the list like this:\n" +
		"```json\n[\n    {\n        \"tool_name\": name of the tool,\n        \"parameters\": a dict of its parameters, or {} if it has none\n    }\n]```"
	showGigaChat = placed(showAs(Show{
		Form: ToolTypeScript, Tools: Pair{"namespace functions {\n", "\n\n} // namespace functions\n\n"}, Between: "\n\n", Layout: ToolLayout{Indent: 2, Types: TypesAny},
	}, "GigaChat 3 and 3.1", "", ""), ShowSecond, "")
	showGigaChat35 = placed(showAs(Show{
		Form: ToolTypeScript, Tools: Pair{"namespace functions {\n", "\n\n} // namespace functions"}, Between: "\n\n", Layout: ToolLayout{Indent: 2, Types: TypesDetailed},
	}, "GigaChat 3.5", "", ""), ShowSecond, "")
	showToolRequest = showAs(Show{
		Form: ToolOpenAI, Tools: Pair{"{\n  \"type\": \"toolArray\",\n  \"tools\": [\n    ", "\n  ]\n}"}, Between: ",\n    ", Gap: "\n\n",
		Layout: ToolLayout{Indent: 2},
	}, "LM Studio, for models without a format of their own",
		"You can call the tools below. Write each call in exactly this form:\n[TOOL_REQUEST]{\"name\": \"tool_name\", \"arguments\": {\"param1\": \"value1\"}}[END_TOOL_REQUEST]\n\nAVAILABLE TOOLS:\n",
		"\n\nRULES:\n- Call no tool but those in AVAILABLE TOOLS\n- Give all required arguments\n- Write one [TOOL_REQUEST] block for each call\n- Never write [TOOL_RESULT] yourself\n"+
			"- Write no other text in a message with calls\n- Where no tool fits, just answer\n")
	showPhi4Mini = showAs(indented(Show{Form: ToolOpenAI, Between: "\n\n", Gap: ""}), "Phi-4-mini, by vLLM",
		"\nBeside plain text, you can reply with calls of the functions below. Answer by yourself what you know; call a function for what only it can find out.\n\n"+
			"To call functions, write functools and one list of JSON objects: functools[{\"name\": [function name], \"arguments\": [function arguments as JSON]}, ...]. Keep to the schemas and the types, do not invent values, and choose the functions that do what the user wants.\n\n", "\n\n")
	showFirefunction = showAs(showList("", ToolOpenAI, ""), "FireFunction v2",
		"Beside plain text, you can choose to reply with calls of the functions below. Use them only where they help, and follow their schemas exactly. To call some, write functools and one JSON list: functools[{\"name\": [function name], \"arguments\": [function arguments as JSON]}, ...]\n\nAvailable functions as JSON spec:\n", "\n")
	showXLAM  = showAs(indented(Show{Form: ToolOpenAI, Between: "\n\n", Gap: "\n"}), "xLAM, by vLLM", "", "\n\n")
	showLlama = placed(showAs(indented(Show{Form: ToolOpenAI, Between: "\n\n"}), "Llama 3.1, 3.2 and 3.3",
		"Here are functions. Answer the prompt below best with a JSON object that calls one of them with proper arguments.\n\n"+
			"Write it as {\"name\": function name, \"parameters\": dictionary of argument name and its value}. Do not use variables.\n\n", "\n\n"), ShowFirstUser, "")
)

// The tools of the dialects with calls in the notation of Python or Gemma.
var (
	showLlama4 = showAs(Show{
		Form: ToolOpenAI, Tools: Pair{"[\n    ", "\n]"}, Between: ",\n    ", Gap: "\n", Layout: ToolLayout{Indent: 4},
	}, "Llama 4, by vLLM", "Here are functions as JSON. Call them in exactly this format: [func_name1(param1=value1, param2=value2), func_name2(...)]\n", "\n")
	showPythonic = placed(showAs(indented(Show{Form: ToolOpenAI, Between: "\n\n"}), "Llama 3.2, by vLLM",
		"You can use the functions below. To call some, reply with a Python list of the calls, in the format [func_name1(params_name1=params_value1, params_name2=params_value2...), func_name2(params)]. Do not use variables.\n\n", "\n\n"), ShowBefore, "")
	showOLMo3         = placed(showAs(showList("<functions>", ToolOpenAI, "</functions>"), "OLMo 3", "", ""), "", "")
	showLFM2          = placed(showAs(showList("List of tools: <|tool_list_start|>", ToolOpenAI, "<|tool_list_end|>"), "LFM2", "", ""), "", "\n")
	showLFM25         = placed(showAs(showList("List of tools: ", ToolOpenAI, ""), "LFM2.5", "", ""), "", "\n")
	showGemma         = showAs(Show{Form: ToolGemma, Tool: Pair{"<|tool>declaration:", "<tool|>"}}, "Gemma 4", "", "")
	showFunctionGemma = showAs(Show{Form: ToolGemma, Tool: Pair{"<start_function_declaration>declaration:", "<end_function_declaration>"}, Gap: "\n"}, "FunctionGemma",
		"You can call these functions:", "")
)

// The tools of the dialects that write the name outside JSON arguments.
var (
	showDeepSeekV3 = showAs(Show{Form: ToolOpenAI, Tool: Pair{"```json\n", "\n```"}, Between: "\n\n", Gap: "\n\n"}, "DeepSeek V3 and R1, by vLLM",
		"You are a helpful assistant that can call tools. To call one, keep exactly to this format:\n"+
			"<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>FUNCTION_NAME\n```json\n{\"param1\": \"value1\", \"param2\": \"value2\"}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>\n\n"+
			"The JSON must be valid.\n\n## Tools\n\n### Function\n\nThese functions are available:\n\n\n", "\n")
	showDeepSeekV31 = showAs(Show{Form: ToolLines, Tool: Pair{Open: "### {name}\nDescription: {about}\n\nParameters: {schema}"}, Between: "\n\n", Gap: "\n\n"}, "DeepSeek V3.1",
		"## Tools\nThese tools are available:\n\n",
		"\n\nIMPORTANT: always keep to exactly this format:\n<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>tool_call_name<｜tool▁sep｜>tool_call_arguments<｜tool▁call▁end｜>{{additional_tool_calls}}<｜tool▁calls▁end｜>\n\n"+
			"Here:\n\n- `tool_call_name` is the exact name of one of the tools\n- `tool_call_arguments` is valid JSON that follows the schema of the tool's parameters\n- Several calls follow each other directly, without blanks\n")
	showHunyuanDense = showAs(wholeLines, "Hunyuan's dense models, by ms-swift", toolsHead,
		"\n\nTo call functions, write <tool_calls> first\nWrite each call like this:\n<tool_call>function_name\n```json\nfunction_arguments_in_json_format\n```</tool_call>\nAfter the last call, write </tool_calls>")
	showKimiK2 = placed(showAs(showList("", ToolOpenAI, ""), "Kimi K2", "", ""), ShowFirst, "")
	showKimiK3 = placed(showAs(Show{
		Form: ToolOpenAI, Tools: Pair{"```json\n[", "]\n```"}, Between: ",", Layout: ToolLayout{Compact: true, Sorted: true},
	}, "Kimi K3", "# Tools\nThese tools are available, described in JSONSchema.\n\n", ""), ShowFirst, "")
	availableTools = placed(showAs(showList("[AVAILABLE_TOOLS]", ToolOpenAI, "[/AVAILABLE_TOOLS]"), "Devstral, Ministral 3", "", ""), "", "")
	showMistralV11 = placed(showAs(availableTools, "Mistral Small 3.2", "", ""), ShowLastUser, "")
	showKimiK25    = placed(showAs(Show{
		Form: ToolTypeScript, Tools: Pair{"namespace functions {\n", "\n}\n"}, Between: "\n", Layout: ToolLayout{Indent: 2, Open: true},
	}, "Kimi K2.5", "# Tools\n\n## functions\n", ""), ShowFirst, "")
	showMistralV7 = placed(showAs(showList("[AVAILABLE_TOOLS] ", ToolOpenAI, "[/AVAILABLE_TOOLS]"), "Mistral Small 3.1", "", ""), "", "")
	showMistral7B = placed(showAs(showList("[AVAILABLE_TOOLS] ", ToolPlain, "[/AVAILABLE_TOOLS]"), "Mistral 7B v0.3", "", ""), ShowLastUser, "")
	showGLM40414  = showAs(Show{
		Form: ToolLines, Tool: Pair{Open: "## {name}\n\n{function}\n调用此函数时，参数请写成 JSON。"}, Between: "\n", Gap: "\n\n", Layout: ToolLayout{Indent: 4},
	}, "GLM-4-0414, by ms-swift", "# 可用工具\n\n", "")
	showMistralV3   = placed(showAs(availableTools, "Mistral Nemo", "", ""), ShowLastUser, "")
	showFunctionary = placed(showAs(Show{
		Form: ToolTypeScript, Tools: showNamespace.Tools, Between: "\n\n", Layout: ToolLayout{Indent: 4, Flush: true, Stop: true},
	}, "Functionary 3.2",
		"You can call functions where that is needed.\nCall them only where you must.\nAsk for what a call requires in recipient==all\nWrite the arguments of functions as JSON.\nReply in this format:\n>>>${recipient}\n${content}\nAvailable functions:\n"+
			"// These functions can be called where they are needed.\n", ""), ShowFirst, "")
	showFunctionary31 = placed(showAs(Show{
		Form: ToolLines, Tool: Pair{Open: "Use the function '{name}' to '{about}'\n{function}"}, Between: "\n\n",
	}, "Functionary 3.1", "These functions are available:\n\n",
		"\n\n\nThink carefully before you call functions.\nTo call one, reply in this format alone:\n<{start_tag}={function_name}>{parameters}{end_tag}\nwhere\n\n"+
			"start_tag => `<function`\nparameters => a JSON dict with the names and the values of the function's arguments.\nend_tag => `</function>`\n\n"+
			"For example,\n<function=example_function_name>{\"example_name\": \"example_value\"}</function>\n\n"+
			"Remember:\n- Keep to this format: a call begins with <function= and ends with </function>\n- Give every required parameter\n- Call one function at a time\n- Put the whole call on one line\n\n"), ShowFirst, "")
	showSolarOpen = showAs(Show{
		Form: ToolPlain, Tools: Pair{"<|tools:begin|>", "<|tools:end|>"}, Tool: Pair{"<|tool:begin|>", "<|tool:end|>"}, Gap: "\n\n",
	}, "Solar Open 100B",
		"## Tools\n\n### Tool Call Instruction\nYou can call one or more tools to help the user. They stand in JSON Schema format: <|tools:begin|><|tool:begin|><tools-json-object><|tool:end|>...<|tools:end|>\n\n### Available Tools\n",
		"\n\n### Tool Call Format\nWrite each call like this, with its arguments as a JSON object:\n<|tool_call:begin|><tool-call-id><|tool_call:name|><tool-name><|tool_call:args|><args-json-object><|tool_call:end|>\n"+
			"- <tool-call-id> is random: 10 small letters (a-z) or digits (0-9), such as a1b2c3d4e5\n\n"+
			"### Tool Response Format\nThe next message answers each call like this:\n<|tool_response:id|><tool-call-id><|tool_response:name|><tool-name><|tool_response:result|><results><|tool_response:end|>\n- <tool-call-id> is that of the call")
)

// The tools of the dialects with tags.
var (
	showTags  = Show{Form: ToolTags, Tools: Pair{"<tools>\n", "\n</tools>"}, Between: "\n", Gap: "\n\n"}
	showCoder = showAs(showTags, "Qwen3-Coder, Nemotron 3", "# Tools\n\nThese functions are available:\n\n", coderFormat+coderRules+coderMore+coderEnd)
	// showQwen35 shows JSON, before the system text.
	showQwen35 = placed(showAs(wholeLines, "Qwen 3.5 to 3.8", "# Tools\n\nThese functions are available:\n\n", coderFormat+coderRules+coderMore+coderEnd), ShowBefore, "\n\n")
	showSeed   = showAs(Show{
		Form: ToolPython, Between: "\n\n", Gap: "\n\n",
		Tool:  Pair{"Function:\ndef {name}({signature}):\n    \"\"\"\n    {about}\n\n{any:    Args:}", "\n\n    \"\"\""},
		Sign:  ",{name}: {type}",
		Param: "\n    - {name} ({type}) [{need:必填|选填}]: {about}",
	}, "Seed-OSS", "", "\n请按如下格式调用工具:\n<seed:tool_call>\n<function=example_function_name>\n<parameter=example_parameter_1>value_1</parameter>\n"+
		"<parameter=example_parameter_2>A value may\nhave several\nlines</parameter>\n</function>\n</seed:tool_call>\n")
	showStep3p5  = showAs(wholeLines, "Step 3.5", "# Tools\n\nThese functions are available, in JSONSchema format:\n\n", coderFormat+coderRules+coderEnd)
	minimaxHead  = "# Tools\nYou can call one or more tools to help the user.\nThese tools are available, in JSONSchema format:\n\n"
	showMinimax2 = showAs(showEach("tools", "tool"), "MiniMax-M2", minimaxHead,
		"\n\nTo call tools, use XML, with the parameters in tags:\n\n<minimax:tool_call>\n<invoke name=\"tool-name-1\">\n<parameter name=\"param-key-1\">param-value-1</parameter>\n<parameter name=\"param-key-2\">param-value-2</parameter>\n...\n</invoke>\n</minimax:tool_call>")
	showMinimax3 = showAs(showEach("tools", "tool"), "MiniMax-M3", minimaxHead,
		"\n\nTo call tools, put all calls into one ]<]minimax[>[<tool_call>]<]minimax[>[</tool_call> block. Objects and lists in parameters become XML elements of their own. For example:\n\n"+
			strings.NewReplacer("<", "]<]minimax[>[<").Replace("<tool_call>\n<invoke name=\"tool-name-1\"><param-1>value-1</param-1><param-2><item><key-a>val-a</key-a><key-b>val-b</key-b></item></param-2></invoke>\n<invoke name=\"tool-name-2\"><param-1>value-1</param-1></invoke>\n</tool_call>"))
	showDeepSeekV32 = showAs(Show{Form: ToolPlain, Tools: Pair{"<functions>\n", "\n</functions>"}, Between: "\n", Gap: "\n\n"}, "DeepSeek V3.2",
		"## Tools\n\nYou have a set of tools with which you can answer the user's question.\nTo call functions, write a \"<｜DSML｜function_calls>\" block like the following in your reply to the user:\n"+
			"<｜DSML｜function_calls>\n<｜DSML｜invoke name=\"$FUNCTION_NAME\">\n<｜DSML｜parameter name=\"$PARAMETER_NAME\" string=\"true|false\">$PARAMETER_VALUE</｜DSML｜parameter>\n...\n</｜DSML｜invoke>\n<｜DSML｜invoke name=\"$FUNCTION_NAME2\">\n...\n</｜DSML｜invoke>\n</｜DSML｜function_calls>\n\n"+
			"Write strings as they are, without escapes or quotes, and lists and objects as JSON. The attribute \"string\" is \"true\" for strings, and \"false\" for all else (numbers, booleans, lists, objects).\n\n"+
			"If the thinking_mode is enabled, think again after the results of functions. For example:\n\n<｜DSML｜function_calls>\n...\n</｜DSML｜function_calls>\n\n<function_results>\n...\n</function_results>\n\n<think>...thinking about results</think>\n\n"+
			"These functions are available, in JSONSchema format:\n", "\n")
	showDeepSeekV4  = deepSeekV4Tools("DeepSeek V4", "｜DSML｜", "tool_calls")
	showDeepSeekV41 = deepSeekV4Tools("DeepSeek V4.1", "｜DSML｜ ", "calls")
	showMiniCPM5    = showAs(wholeLines, "MiniCPM 5", "# Tools\n\n"+signatures,
		"\n\nHow to use the tools:\n- Call as many functions as are needed, or none. Without a call, just answer, and write no <function ... </function>.\n"+
			"- To call a function, write an XML element within <function ... </function>:\n<function name=\"function-name\"><param name=\"param-name\">param-value</param></function>\n"+
			"- A param-value may have several lines. If it contains <, & or line feeds, put it into a CDATA block: <param name=\"param-name\"><![CDATA[...multi-line value...]]></param>")
	showGLM45 = placed(showAs(wholeLines, "GLM 4.5 and 4.6", toolsHead, forEachKeys+keysInLines), ShowFirst, "")
	showGLM47 = placed(showAs(wholeLines, "GLM 4.7", toolsHead, forEachKeys+keysInOne), ShowFirst, "")
	showXing4 = placed(showAs(wholeLines, "Xing 4.0, by ms-swift", toolsHead, forEachKeys+strings.NewReplacer("arg_", "param_", "arg-", "param-").Replace(keysInOne)), "", "\n")
	// showGLM5 lists only the functions.
	showGLM5  = placed(showAs(Show{Form: ToolPlain, Tools: wholeLines.Tools, Between: "\n"}, "GLM 5", toolsHead, forEachKeys+keysInOne), ShowFirst, "")
	showLing3 = placed(showAs(wholeLines, "Ling 3", toolsHead,
		"\n\nIf no function can be used, or the question lacks the parameters that one requires, say so.\nTo call functions, write the name and the arguments of each in this XML format:\n"+keysInLines), "", "\n")
	showSpark = placed(showAs(Show{Form: ToolPlain, Tools: wholeLines.Tools, Between: "\n"}, "Spark 2.5", "## Tools\nThese functions are available:\n", ""), ShowBefore, "\n\n")

	showDots = showAs(wholeLines, "dots3, by a renderer", toolsHead,
		"\n\nTo call tools, use XML, with the parameters in tags:\n\n<dots_function_call>\n<invoke name=\"tool-name-1\">\n<parameter name=\"param-key-1\">\nparam-value-1\n</parameter>\n"+
			"<parameter name=\"param-key-2\">\nparam-value-2\n</parameter>\n...\n</invoke>\n</dots_function_call>")
	showK2Horizon = placed(showAs(Show{Form: ToolOpenAI, Tools: Pair{"<ifm|tools>\n", "\n</ifm|tools>"}, Between: "\n"}, "K2 Horizon, with tools in JSON, by two renderers",
		"# Tools\nYou can call tools to help the user.\n\nAvailable tools are:\n\n",
		"\n\nTo call tools, put all calls into one <ifm|tool_calls></ifm|tool_calls> block. For each call, write the name of the function and its arguments like this:\n\n"+
			"<ifm|tool_calls>\n<ifm|tool_call>$FUNCTION_NAME\n<ifm|arg_key>$PARAMETER_NAME</ifm|arg_key>\n<ifm|arg_value>$PARAMETER_VALUE</ifm|arg_value>\n...\n</ifm|tool_call>\n</ifm|tool_calls>\n\n"+
			"Write strings as they are, and lists and objects as JSON."), ShowBefore, "\n\n")
	showSolarOpen2 = showAs(Show{Form: ToolPlain, Tool: Pair{"<|tool:start|>", "<|tool:end|>"}, Between: "\n", Gap: "\n\n"}, "Solar Open 2, by a renderer",
		"## Tools\n- You can call one or more tools to help the user.\n\n### Available Tools\n",
		"\n\n### Tool Call Instruction\n- Reason before a call, and write nothing after it.\n- Write each call like this:\n"+
			"<|tool_call:start|>function-name\n<|tool_arg:start|>argument-key<|tool_arg:value|>argument-value<|tool_arg:end|>\n<|tool_call:end|>")

	lagunaTools = Show{Form: ToolOpenAI, Tools: Pair{"<available_tools>\n", "\n</available_tools>"}, Between: "\n", Gap: "\n\n"}
	lagunaHead  = "### Tools\n\nYou can call functions to help the user.\nThese are the signatures of all functions:\n"
	showLaguna  = showAs(lagunaTools, "Laguna XS.2 and XS 2.1", lagunaHead,
		"\n\nFor each call of a function, write its name and its arguments like XML, without escapes, between '<tool_call>' and '</tool_call>' tags, like here:\n<tool_call>function-name\n<arg_key>argument-key</arg_key>\n<arg_value>value-of-argument-key</arg_value>\n</tool_call>\n")
	showLagunaS21 = showAs(lagunaTools, "Laguna S 2.1", lagunaHead, "")
	showHy3       = showAs(wholeLines, "Hy3", toolsHead,
		"\n\nTo call functions, write <tool_calls:opensource> first\nFor each call, write it like this:\n"+
			"<tool_call:opensource>{function-name}<tool_sep:opensource>\n<arg_key:opensource>{arg-key-1}</arg_key:opensource>\n<arg_value:opensource>{arg-value-1}</arg_value:opensource>\n"+
			"<arg_key:opensource>{arg-key-2}</arg_key:opensource>\n<arg_value:opensource>{arg-value-2}</arg_value:opensource>\n...\n</tool_call:opensource>\nAfter the last call, write </tool_calls:opensource>")
)

// deepSeekV4Tools shows tools to models of DeepSeek V4, whose tags begin with mark.
func deepSeekV4Tools(model, mark, section string) Show {
	open, end := "<"+mark, "</"+mark
	return showAs(Show{Form: ToolPlain, Between: "\n", Gap: "\n\n"}, model,
		"## Tools\n\nYou have a set of tools that help to answer the user's question. To call tools, write a \""+open+section+">\" block like the following:\n\n"+
			open+section+">\n"+open+"invoke name=\"$TOOL_NAME\">\n"+open+"parameter name=\"$PARAMETER_NAME\" string=\"true|false\">$PARAMETER_VALUE"+end+"parameter>\n...\n"+end+"invoke>\n"+
			open+"invoke name=\"$TOOL_NAME2\">\n...\n"+end+"invoke>\n"+end+section+">\n\n"+
			"Write strings as they are, with `string=\"true\"`, and all else (numbers, booleans, lists, objects) as JSON, with `string=\"false\"`.\n\n"+
			"If thinking_mode is enabled (by <think>), write all your reasoning between <think> and </think>, before any call or answer.\n\nOtherwise write calls or the answer right after </think>.\n\n"+
			"### Available Tool Schemas\n\n",
		"\n\nCall tools only by these names, and keep exactly to the schemas of their parameters.\n")
}

// The tools of the dialects with channels.
var (
	showHarmony = showAs(showNamespace, "gpt-oss", "# Tools\n\n## functions\n\n", "")
	showMuse    = Show{
		Template: "Muse Glimmer", Form: ToolPlain, Tools: Pair{"// Function schemas\n", ""}, Between: "\n", Gap: "\n\n",
		Before: "You have a set of tools in this environment with which you can answer the user's question.\n\nTo call a function, write a \"<atem:function_calls>\" block like the following:\n" +
			"<atem:function_calls>\n<atem:invoke name=\"$FUNCTION_NAME\">\n<atem:parameter name=\"$PARAMETER_NAME\">$PARAMETER_VALUE</atem:parameter>\n...\n</atem:invoke>\n</atem:function_calls>\n\n" +
			"Write strings and other scalars as they are, and lists and objects as JSON. Blanks in strings count. The text need not be valid XML: it is searched for these tags.\n" +
			"These functions are available, in JSONSchema format:\n// Tool metadata\n",
		Each: "{\"name\": \"{name}\", \"description\": \"\"}\n",
		After: "\n\nThis is an example of a call:\n(Where a tool has no namespace, call `example_function_name` and not `example_tool_name.example_function_name`)\n\n" +
			"to=example_tool_name.example_function_name\n\n<atem:function_calls>\n<atem:invoke name=\"example_tool_name.example_function_name\">\n<atem:parameter name=\"example_parameter_1\">value_1</atem:parameter>\n" +
			"<atem:parameter name=\"example_parameter_2\">A value may\nhave \"several\"\nlines\n</atem:parameter>\n</atem:invoke>\n</atem:function_calls>\n",
	}
	showInkling = placed(Show{
		Template: "Inkling", Form: ToolPlain, Tools: Pair{"[", "]"}, Between: ",", Layout: ToolLayout{Compact: true, Sorted: true, More: `,"type":"function"`},
	}, ShowFirst, "")
)
