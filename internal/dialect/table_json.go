package dialect

import "slices"

// Dialects whose calls are JSON objects that contain the name, in a frame or bare.

var jsonTable = []*Dialect{
	hermes, hermes2, bielik, exaone4, kExaone, smolLM3, trinity, granite, granite4, granite20bFC, ernie45, longcat, internlm, minimax, jamba, hunyuanA13B,
	nemotronJSON, nemotronSuper, nemotronMini, apriel, apriel15, apertus, pangu, cohereCommand3, cohereCommand4, commandRPlus, gigachat3,
	gigachat31, sarashina, hyperclovax14B,
	phi4MiniJSON, firefunction, rwkv, xlam, llama3JSON, jsonGeneric, jsonArray,
}

// namedCall is the head of an object with a name and arguments. Models confuse the keys of
// the frameworks whose calls they were trained on.
var (
	namedCall = Head{
		Form: HeadEnvelope, Name: []string{"name", "function", "tool", "tool_name"}, Wrap: []string{"function", "tool"}, Array: true,
	}
	argumentsFirst  = Args{Form: ArgsJSON, Keys: []string{"arguments", "parameters", "args"}}
	parametersFirst = Args{Form: ArgsJSON, Keys: []string{"parameters", "arguments", "args"}}
	argumentsNeeded = Args{Form: ArgsJSON, Keys: []string{"arguments", "parameters", "args"}, Required: true}
	listOfCalls     = Written{List: Pair{"[", "]"}}

	// objects is what most dialects of this family have in common.
	objects = Dialect{Head: namedCall, Args: argumentsFirst, Reasoning: thinkTags}
)

var hermes = row(objects, Dialect{
	Name: "hermes",
	Aliases: []string{
		"qwen", "qwen25", "qwen3", "qwen2.5", "qwen3-thinking", "qwen3-vl-instruct", "qwen3-vl-thinking", "qwen3_json", "mimo_vl", "reka",
	},
	About:  "Qwen 2.5 and 3, and most models tuned with their templates",
	Source: "the models' chat templates; vLLM and SGLang hermes, llama.cpp Hermes 2 Pro, Ollama qwen3",
	Frame:  Frame{Call: Pair{"<tool_call>\n", "\n</tool_call>"}, Between: "\n"},
	Noise:  []string{"<|im_end|>", "<|endoftext|>"},
	Quirks: []string{
		"If </tool_call> is missing, or the next call begins instead, the call is complete, with a tolerance.",
		"An extra brace before </tool_call> is dropped, with a tolerance.",
		"Repaired: unquoted keys, comments, single quotes, and unescaped line ends and quotes in strings.",
		"An array between the tags is several calls; arguments written as a JSON string are unwrapped.",
		"An object under another dialect's key (input, params, tool_arguments) is the arguments. Without any, members that the tool declares, all of them, are; beside others the call is malformed.",
		"A code fence between the tags is passed over.",
	},
	Results: toolResponse,
	Show:    showHermes,
	Written: Written{Keeps: KeepsTurn, Lead: "\n", Reasoning: thinkLines},
	Ends:    Ends{Turn: "<|im_end|>"},
	Example: "<tool_call>\n{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Oslo\"}}\n</tool_call>",
})

var hermes2 = variant(hermes, func(d *Dialect) {
	d.Name, d.Aliases = "hermes2pro", []string{"hermes2", "hermes3"}
	d.About = "Hermes 2 Pro, 3 and 4: as hermes, with the tools in a message of their own"
	d.Source = "the models' chat templates"
	d.Written = Written{}
	d.Show = showHermes2
})

var bielik = variant(hermes, func(d *Dialect) {
	d.Name, d.Aliases = "bielik", nil
	d.About, d.Source = "Bielik 3: as hermes, with marks of its own around tools and results", "the model's chat template"
	d.Show = showBielik
	d.Results = Results{Result: Pair{Open: "<|function_output|>"}, Between: "\n", Alone: true}
	d.Written.Keeps = KeepsAll
})

var exaone4 = variant(hermes, func(d *Dialect) {
	d.Name, d.Aliases = "exaone4", []string{"exaone", "exaone-4"}
	d.About, d.Source = "EXAONE 4: as hermes, with a call on one line", "the model's chat template, as axolotl has it"
	d.Frame.Call = Pair{"<tool_call>", "</tool_call>"}
	d.Noise = append([]string{"[|endofturn|]"}, hermes.Noise...)
	d.Ends.Turn = "[|endofturn|]"
	d.Show = showExaone4
	d.Results = Results{Role: "tool", Result: Pair{`<tool_result>{"result": `, "}</tool_result>"}, Between: "\n", Quoted: true}
	d.Example = `<tool_call>{"name": "get_weather", "arguments": {"city": "Oslo"}}</tool_call>`
	d.Written.Keeps = KeepsTurn
	d.Written.Begun = "<think>\n"
})

var kExaone = variant(exaone4, func(d *Dialect) {
	d.Name, d.Aliases = "k_exaone", []string{"k-exaone"}
	d.About, d.Source = "K-EXAONE: as exaone4, with the tools in a message of their own", "a renderer for the model"
	d.Noise = append([]string{"<|endofturn|>"}, hermes.Noise...)
	d.Ends.Turn = "<|endofturn|>"
	d.Show = placed(showAs(showExaone4, "K-EXAONE", "# Tools\n", ""), ShowFirst, "")
	d.Results = Results{Role: "tool", Result: Pair{"<tool_result>", "</tool_result>"}, Between: "\n"}
})

var smolLM3 = variant(hermes, func(d *Dialect) {
	d.Name, d.Aliases = "smollm3", nil
	d.About, d.Source = "SmolLM3: as hermes, with the tools as Python's literals", "the model's chat template"
	d.Show = showSmolLM3
	d.Results = Results{Between: "\n", Alone: true}
})

var trinity = row(objects, Dialect{
	Name:             "trinity",
	About:            "Arcee Trinity",
	Source:           "SGLang trinity",
	Frame:            hermes.Frame,
	Noise:            hermes.Noise,
	CallsInReasoning: true,
	Quirks:           []string{"The model calls tools in the middle of its reasoning. Such calls count, and the reasoning continues after them."},
	Results:          toolResponse,
	Example:          "<think>I look it up.\n<tool_call>\n{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Oslo\"}}\n</tool_call></think>",
})

var granite = row(objects, Dialect{
	Name:    "granite",
	Aliases: []string{"granite3"},
	About:   "Granite 3.0 to 3.3",
	Source:  "the models' chat templates; vLLM granite",
	Reasoning: append([]Reasoning{
		{Open: "Here is my thought process:", Close: "Here is my response:"},
		{Open: "Here's my thought process:", Close: "Here's my response:"},
	}, thinkTags...),
	Frame:   Frame{Call: Pair{Open: "<|tool_call|>"}, Between: ", "},
	Also:    []Form{{Frame: Frame{Call: Pair{Open: "<tool_call>"}}, Head: namedCall, Args: argumentsFirst}},
	Written: listOfCalls,
	Noise:   []string{"<|end_of_text|>", "<|/tool_call|>"}, // the latter is the closer of others that write its opener
	Quirks: []string{
		"Granite 3.1 writes <tool_call> instead of <|tool_call|>. In both, the end of the list ends the calls.",
		"Arguments often come before the name; the call starts as soon as both are known.",
	},
	Show:    showGranite,
	Results: rawResults("tool"),
	Ends:    Ends{Turn: "<|end_of_text|>"},
	Example: "<|tool_call|>[{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Oslo\"}}]",
})

var granite4 = row(objects, Dialect{
	Name:    "granite4",
	About:   "Granite 4",
	Source:  "the models' chat templates; vLLM granite4, llama.cpp",
	Frame:   hermes.Frame,
	Quirks:  []string{"Arguments written as a JSON string, which is common, are unwrapped."},
	Results: toolResponse,
	Show:    showGranite4,
	Written: Written{Lead: "\n"},
	Ends:    Ends{Turn: "<|end_of_text|>"},
	Example: hermes.Example,
})

var granite20bFC = row(objects, Dialect{
	Name:      "granite-20b-fc",
	Aliases:   []string{"granite_20b_fc"},
	About:     "Granite 20B FunctionCalling",
	Source:    "the model's card; vLLM granite-20b-fc",
	Reasoning: noReasoning,
	Frame:     Frame{Call: Pair{Open: "<function_call> "}, Between: "\n"},
	Quirks:    []string{"There is no closing marker; the end of the object ends the call."},
	Show:      showGranite20b,
	Results:   Results{Result: Pair{Open: "<function_response> "}},
	Ends:      Ends{Turn: "<|endoftext|>"},
	Example:   "<function_call> {\"name\": \"get_weather\", \"arguments\": {\"city\": \"Oslo\"}}",
})

var ernie45 = row(objects, Dialect{
	Name:    "ernie45",
	Aliases: []string{"ernie", "ernie-4.5"},
	About:   "ERNIE 4.5",
	Source:  "the models' chat templates; vLLM ernie45",
	Frame:   Frame{Call: Pair{"<tool_call>\n", "\n</tool_call>\n"}},
	Noise:   []string{"<response>", "</response>", "</s>"},
	Quirks:  []string{"After its reasoning the model puts <response> tags around the answer; they are dropped from the text."},
	Results: Results{Result: Pair{"<tool_output>\n", "\n</tool_output>"}, Between: "\n"},
	Example: "<tool_call>\n{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Oslo\"}}\n</tool_call>\n",
})

var longcat = row(objects, Dialect{
	Name:      "longcat",
	About:     "LongCat-Flash",
	Source:    "the models' chat templates; vLLM longcat",
	Reasoning: append([]Reasoning{{Open: "<longcat_think>", Close: "</longcat_think>"}}, thinkTags...),
	Frame:     Frame{Call: Pair{"<longcat_tool_call>\n", "\n</longcat_tool_call>"}, Between: "\n"},
	Noise:     []string{"</longcat_s>"},
	Example:   "<longcat_tool_call>\n{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Oslo\"}}\n</longcat_tool_call>",
})

var internlm = row(objects, Dialect{
	Name:    "internlm",
	Aliases: []string{"internlm2", "intern-s1", "interns1", "intern_s1"},
	About:   "InternLM 2 to 3, Intern-S1",
	Source:  "the models' chat templates; vLLM internlm, SGLang interns1",
	Quirks: []string{
		"Blanks between the two opening tokens are optional.",
		"<|action_start|><|interpreter|> begins code, not a call, and is text.",
	},
	Show:    showInternLM,
	Frame:   Frame{Call: Pair{"<|action_start|><|plugin|>\n", "<|action_end|>"}},
	Also:    []Form{{Frame: Frame{Call: Pair{"<|action_start|> <|plugin|>\n", "<|action_end|>"}}, Head: namedCall, Args: argumentsFirst}},
	Results: rawResults("environment"),
	Ends:    Ends{Turn: "<|im_end|>"},
	Example: "<|action_start|><|plugin|>\n{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Oslo\"}}<|action_end|>",
})

var minimax = row(objects, Dialect{
	Name:    "minimax",
	Aliases: []string{"minimax_m1", "minimax-m1"},
	About:   "MiniMax-M1",
	Source:  "the model's function calling guide; vLLM minimax",
	Frame:   Frame{Section: Pair{"<tool_calls>\n", "\n</tool_calls>"}, Between: "\n", Separators: ","},
	Args:    argumentsNeeded,
	Quirks:  []string{"A line that is not a call is text; calls on later lines still count."},
	Show:    showMinimax,
	Results: Results{Role: "tool", Result: Pair{"tool result: ", "\n\n"}, Alone: true},
	Ends:    Ends{Turn: "<end_of_sentence>"},
	Example: "<tool_calls>\n{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Oslo\"}}\n</tool_calls>",
	Noise:   []string{},
})

var jamba = row(objects, Dialect{
	Name:      "jamba",
	About:     "Jamba 1.5 and later",
	Source:    "the models' chat templates; vLLM jamba",
	Reasoning: noReasoning,
	Frame:     Frame{Call: Pair{"<tool_calls>", "</tool_calls>"}, Between: ",\n    "},
	Written:   Written{List: Pair{"[\n    ", "\n]"}},
	Show:      showJamba,
	Results:   Results{Role: "tool", Result: Pair{Open: "({name})"}, Between: "\n", Alone: true},
	Ends:      Ends{Turn: "<|eom|>"},
	Example:   "<tool_calls>[\n    {\"name\": \"get_weather\", \"arguments\": {\"city\": \"Oslo\"}}\n]</tool_calls>",
})

var hunyuanA13B = row(objects, Dialect{
	Name:    "hunyuan_a13b",
	Aliases: []string{"hunyuan-a13b"},
	About:   "Hunyuan-A13B",
	Source:  "the model's chat template; vLLM hunyuan_a13b",
	Frame:   Frame{Call: Pair{"<tool_calls>", "</tool_calls>"}, Between: ", "},
	Written: listOfCalls,
	Noise:   []string{"<answer>", "</answer>", "<|eos|>"},
	Quirks:  []string{"After its reasoning the model puts <answer> tags around the answer; they are dropped from the text."},
	Show:    showHunyuanA13B,
	Results: Results{Result: Pair{"<tool_response>", "</tool_response>"}, Between: "\n", Alone: true},
	Ends:    Ends{Turn: "<|eos|>"},
	Example: "<tool_calls>[{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Oslo\"}}]</tool_calls>",
})

var nemotronJSON = row(objects, Dialect{
	Name:    "nemotron_json",
	Aliases: []string{"nemotron_v2", "nemotron_nano_v2", "nemotron-nano-v2"},
	About:   "Nemotron Nano 2, Nemotron-H",
	Source:  "the models' chat templates; vLLM nemotron_json, llama.cpp",
	Frame:   Frame{Call: Pair{"<TOOLCALL>", "</TOOLCALL>"}, Between: ", "},
	Also: []Form{{
		Frame: Frame{Section: Pair{"<TOOLCALL>[", "]</TOOLCALL>"}, Call: Pair{"", ")"}, Between: ", ", Separators: ","},
		Head:  pythonHead, Args: pythonArgs,
	}},
	Quirks: []string{
		"A single call may come without the brackets of the list.",
		"The list may contain calls in Python's notation, as the Berkeley leaderboard prompts Llama-3.1-Nemotron-Ultra.",
	},
	Show:    showNemotron,
	Written: Written{Begun: "<think>\n", List: listOfCalls.List, Lead: "\n"},
	Results: Results{Turn: Pair{"<TOOL_RESPONSE>[", "]</TOOL_RESPONSE>"}, Between: ", "},
	Ends:    Ends{Turn: "<SPECIAL_12>"},
	Example: "<TOOLCALL>[{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Oslo\"}}]</TOOLCALL>",
})

var nemotronSuper = variant(nemotronJSON, func(d *Dialect) {
	d.Name, d.Aliases = "nemotron_super", []string{"nemotron-super"}
	d.About = "Llama-3.3-Nemotron-Super 1.5: as nemotron_json, with nothing between text and calls"
	d.Written.Lead, d.Written.Begun = "", ""
	d.Noise = append([]string{"<|eot_id|>"}, d.Noise...)
	d.Ends.Turn = "<|eot_id|>"
	d.Show = showNemotronSuper
	d.Results.Role = "tool"
})

var nemotronMini = row(objects, Dialect{
	Name:      "nemotron_mini",
	Aliases:   []string{"nemotron-mini"},
	About:     "Nemotron-Mini",
	Source:    "Ollama's template of nemotron-mini",
	Reasoning: noReasoning,
	Frame:     Frame{Call: Pair{"<toolcall> ", " </toolcall>"}, Between: " "},
	Show:      showNemotronMini,
	Written:   Written{Lead: "\n"},
	Results:   rawResults("Tool"),
	Ends:      Ends{Turn: "<extra_id_1>"},
	Example:   "<toolcall> {\"name\": \"get_weather\", \"arguments\": {\"city\": \"Oslo\"}} </toolcall>",
})

var apriel = row(objects, Dialect{
	Name:   "apriel",
	About:  "Apriel 1.6",
	Source: "the models' chat templates; llama.cpp",
	Reasoning: append([]Reasoning{
		{Open: "Here are my reasoning steps:", Close: "[BEGIN FINAL RESPONSE]"},
	}, thinkTags...),
	Frame:   Frame{Call: Pair{"<tool_calls>", "</tool_calls>"}, Between: ", "},
	Noise:   []string{"[END FINAL RESPONSE]", "<|end|>"},
	Quirks:  []string{"Some templates open the reasoning in the prompt; then start the parser in reasoning."},
	Show:    showApriel,
	Written: Written{Begun: "Here are my reasoning steps:\n", Envelope: `{"name": {name}, "arguments": {args}, "id": {id}}`, List: listOfCalls.List, Lead: "\n"},
	Results: rawResults("tool"),
	Ends:    Ends{Turn: "<|end|>"},
	Example: "<tool_calls>[{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Oslo\"}, \"id\": \"0\"}]</tool_calls>",
})

var apriel15 = variant(apriel, func(d *Dialect) {
	d.Name, d.Aliases = "apriel15", []string{"apriel-1.5"}
	d.About = "Apriel 1.5: as apriel, with each tool on a line"
	d.Show.Template, d.Show.Between = "Apriel 1.5", "\n"
	d.Show.After = "\n</available_tools>"
	d.Written.Begun = ""
})

var apertus = row(objects, Dialect{
	Name:      "apertus",
	Aliases:   []string{"apertus2509"},
	About:     "Apertus",
	Source:    "the models' chat template; vLLM and SGLang apertus",
	Reasoning: []Reasoning{{Open: "<|inner_prefix|>", Close: "<|inner_suffix|>", Anywhere: true}},
	Frame:     Frame{Call: Pair{"<|tools_prefix|>", "<|tools_suffix|>"}, Between: ", "},
	Head:      Head{Form: HeadKey, Array: true},
	Args:      Args{Form: ArgsJSON},
	Written:   listOfCalls,
	Show:      showApertus,
	Results:   Results{Role: "assistant", Turn: Pair{"[", "]"}, Between: ", "},
	Ends:      Ends{Turn: "<|assistant_end|>"},
	Example:   "<|tools_prefix|>[{\"get_weather\": {\"city\": \"Oslo\"}}]<|tools_suffix|>",
})

var pangu = row(objects, Dialect{
	Name:      "pangu",
	Aliases:   []string{"openpangu", "openpangu_v2"},
	About:     "openPangu",
	Source:    "vLLM pangu",
	Reasoning: append([]Reasoning{{Open: "[unused16]", Close: "[unused17]", Anywhere: true}}, thinkTags...),
	Frame:     Frame{Call: Pair{"<|tool_call_start|>", "<|tool_call_end|>"}, Between: ", "},
	Also:      []Form{{Frame: Frame{Call: Pair{"[unused11]", "[unused12]"}}, Head: namedCall, Args: argumentsFirst}},
	Written:   listOfCalls,
	Noise:     []string{"[unused10]"},
	Quirks:    []string{"The first models write the tokens [unused11] and [unused12] around the list; they are accepted."},
	Example:   "<|tool_call_start|>[{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Oslo\"}}]<|tool_call_end|>",
})

// Cohere's models share their tokens.
var (
	cohereReasoning = []Reasoning{cohereThinking("<|END_THINKING|>"), cohereThinking("<|START_RESPONSE|>")}
	cohereAction    = Frame{Call: Pair{"<|START_ACTION|>", "<|END_ACTION|>"}, Between: ",\n    "}
	cohereCall      = Head{Form: HeadEnvelope, Name: []string{"tool_name", "name"}, Array: true}
	cohereNoise     = []string{
		"<|START_RESPONSE|>", "<|END_RESPONSE|>", "<|START_TEXT|>", "<|END_TEXT|>",
		"<|CHATBOT_TOKEN|>", "<|START_OF_TURN_TOKEN|>", "<|END_OF_TURN_TOKEN|>",
	}
	cohereQuirks  = []string{"A call, or the token before text, ends the reasoning if <|END_THINKING|> is missing.", "Citations (<co>..</co: 0:[1]>) stay in the text as they are.", "The model's tool_call_id is kept as the call's own id."}
	cohereWritten = "{\"tool_call_id\": {id}, \"tool_name\": {name}, \"parameters\": {args}}"
)

// cohereThinking returns the markers of reasoning that close ends.
func cohereThinking(close string) Reasoning {
	return Reasoning{Open: "<|START_THINKING|>", Close: close, Anywhere: true}
}

var cohereCommand3 = &Dialect{
	Name:              "cohere_command3",
	Aliases:           []string{"cohere", "command_r7b", "command-a"},
	About:             "Command R7B, Command A",
	Source:            "the models' chat templates; Cohere's melody, vLLM cohere_command3, llama.cpp Command R7B, Ollama cohere",
	Reasoning:         cohereReasoning,
	CallsEndReasoning: true,
	Frame:             cohereAction,
	Head:              cohereCall,
	Args:              parametersFirst,
	Written:           Written{Envelope: cohereWritten, Numbered: true, List: Pair{"[\n    ", "\n]"}, Text: Pair{"<|START_RESPONSE|>", "<|END_RESPONSE|>"}},
	Noise:             cohereNoise,
	Quirks:            cohereQuirks,
	Show:              showCommand3,
	Results:           cohereResults("", ""),
	Ends:              Ends{Turn: "<|END_OF_TURN_TOKEN|>"},
	Example:           "<|START_ACTION|>[\n    {\"tool_call_id\": \"0\", \"tool_name\": \"get_weather\", \"parameters\": {\"city\": \"Oslo\"}}\n]<|END_ACTION|>",
}

var cohereCommand4 = derived(cohereCommand3, func(d *Dialect) {
	d.Name, d.Aliases = "cohere_command4", []string{"cohere2", "cohere2moe"}
	d.About, d.Source = "Command A 2026, North", "Cohere's melody, vLLM and SGLang cohere_command4, llama.cpp, Ollama cohere"
	d.Reasoning = append(slices.Clip(d.Reasoning), cohereThinking("<|START_TEXT|>"))
	d.Written.Keeps, d.Written.Begun = KeepsAll, "<|START_THINKING|>"
	d.Written.Text = Pair{"<|START_TEXT|>", "<|END_TEXT|>"}
	d.Show = showCommand4
	d.Results = cohereResults("{\"content\": ", "}")
})

var commandRPlus = &Dialect{
	Name:    "command_r_plus",
	Aliases: []string{"command-r", "command_r", "command-r-plus"},
	About:   "Command R and R+",
	Source:  "the models' chat templates; llama.cpp",
	Frame:   Frame{Call: Pair{"Action:\n```json\n", "```"}, Between: ",\n    "},
	Head:    cohereCall,
	Args:    parametersFirst,
	Written: Written{
		Envelope: "{\n        \"tool_name\": {name},\n        \"parameters\": {args}\n    }", List: Pair{"[\n    ", "\n]"},
		Indent: 4, Lead: "\n",
	},
	Show:    closedBy(showCommandR, closingCommandR),
	Results: Results{Role: "system", Result: Pair{"<results>\n", "</results>"}, Between: "\n", Alone: true},
	Noise:   cohereNoise[4:],
	Quirks:  []string{"To answer without a tool the model calls directly-answer, which is reported as a call of an unknown tool."},
	Ends:    Ends{Turn: "<|END_OF_TURN_TOKEN|>"},
	Example: "Action:\n```json\n[\n    {\n        \"tool_name\": \"get_weather\",\n        \"parameters\": {\n            \"city\": \"Oslo\"\n        }\n    }\n]```",
}

var gigachat3 = &Dialect{
	Name:    "gigachat3",
	Aliases: []string{"gigachat", "gigachat-v3"},
	About:   "GigaChat 3, which calls in a turn of its own",
	Source:  "the models' chat templates; vLLM and SGLang gigachat3, llama.cpp",
	Frame:   Frame{Call: Pair{Open: "<|message_sep|>\n\nfunction call<|role_sep|>\n"}},
	Head:    namedCall,
	Args:    argumentsNeeded,
	Also: []Form{
		{Frame: Frame{Call: Pair{Open: "<|function_call|>"}}, Head: namedCall, Args: argumentsNeeded},
		{Frame: Frame{Call: Pair{Open: "function call<|role_sep|>\n"}}, Head: namedCall, Args: argumentsNeeded},
	},
	Noise:   []string{"<|message_sep|>", "</s>"},
	Quirks:  []string{"The separator before the turn of a call may be missing."},
	Show:    showGigaChat,
	Results: rawResults("function result"),
	Ends:    Ends{Turn: "<|message_sep|>"},
	Example: "<|message_sep|>\n\nfunction call<|role_sep|>\n{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Oslo\"}}",
}

var gigachat31 = variant(gigachat3, func(d *Dialect) {
	d.Name, d.Aliases = "gigachat31", []string{"gigachat3.1"}
	d.About = "GigaChat 3.1: as gigachat3, with a marker before a call"
	d.Frame, d.Also = d.Also[0].Frame, append([]Form{{Frame: d.Frame, Head: d.Head, Args: d.Args}}, d.Also[1:]...)
	d.Example = `<|function_call|>{"name": "get_weather", "arguments": {"city": "Oslo"}}`
})

var sarashina = row(objects, Dialect{
	Name:      "sarashina",
	Aliases:   []string{"sarashina2.2", "sarashina-2.2"},
	About:     "Sarashina 2.2",
	Source:    "SMG sarashina",
	Reasoning: noReasoning,
	Frame:     Frame{Call: Pair{Open: "<|tool_calls|>"}, Between: ", "},
	Also:      []Form{{Frame: Frame{}, Head: namedCall, Args: argumentsFirst}},
	Written:   listOfCalls,
	Noise:     []string{"</s>"},
	Quirks: []string{
		"Python literals (single quotes, True, None) are accepted, each with its tolerance.",
		"Without its marker, the list counts if it calls declared tools.",
	},
	Example: "<|tool_calls|>[{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Oslo\"}}]",
})

var hyperclovax14B = row(objects, Dialect{
	Name:      "hyperclovax_14b",
	Aliases:   []string{"hyperclovax-seed-think-14b"},
	About:     "HyperCLOVA X SEED 14B Think, which calls in a turn of its own",
	Source:    "the model's plugin for vLLM; vLLM hyperclovax_14b (a branch)",
	Reasoning: []Reasoning{{Open: "<|im_start|>assistant/think\n", Close: "<|im_end|>\n", Anywhere: true}},
	Frame:     Frame{Call: Pair{"<|im_start|>assistant -> tool/function_call\n", "<|im_end|>"}, Between: ", "},
	Also:      []Form{{Frame: Frame{Call: Pair{" -> tool/function_call\n", "<|im_end|>"}}, Head: namedCall, Args: argumentsFirst}},
	Written:   listOfCalls,
	Noise:     []string{"<|im_start|>assistant\n", "<|im_end|>", "<|endofturn|>", "<|stop|>"},
	Quirks:    []string{"The prompt ends with the beginning of the turn, so that the first header of an answer lacks it."},
	Ends:      Ends{Turn: "<|im_end|>", Stop: []string{"<|endofturn|>", "<|stop|>"}},
	Example:   "<|im_start|>assistant -> tool/function_call\n[{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Oslo\"}}]<|im_end|>",
})

var phi4MiniJSON = row(objects, Dialect{
	Name:      "phi4_mini_json",
	Aliases:   []string{"phi4_mini", "phi4mini", "phi4-mini"},
	About:     "Phi-4-mini",
	Source:    "the model's card; vLLM phi4_mini_json",
	Reasoning: noReasoning,
	Frame:     Frame{Call: Pair{Open: "functools"}, Between: ", "},
	Also:      []Form{{Frame: Frame{Call: Pair{"<|tool_call|>", "<|/tool_call|>"}}, Head: namedCall, Args: argumentsFirst}},
	Written:   listOfCalls,
	Noise:     []string{"<|end|>", "<|endoftext|>"},
	Quirks:    []string{"With other prompts the model puts <|tool_call|> around the list, which is accepted."},
	Show:      showPhi4Mini,
	Results:   rawResults("tool"),
	Ends:      Ends{Turn: "<|end|>"},
	Example:   "functools[{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Oslo\"}}]",
})

var firefunction = row(objects, Dialect{
	Name:      "firefunction",
	Aliases:   []string{"firefunction_v2"},
	About:     "FireFunction v2",
	Source:    "the model's chat template; llama.cpp",
	Reasoning: noReasoning,
	Frame:     Frame{Call: Pair{Open: " functools"}, Between: ", "},
	Written:   listOfCalls,
	Results:   rawResults("tool"),
	Show:      showFirefunction,
	Ends:      Ends{Turn: "<|eot_id|>"},
	Example:   " functools[{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Oslo\"}}]",
})

var rwkv = row(objects, Dialect{
	Name:   "rwkv",
	About:  "RWKV-7 G1",
	Source: "vLLM rwkv",
	Frame:  Frame{Call: Pair{"**Tool Call:**\n```json\n", "\n```"}, Between: "\n"},
	Also: []Form{
		{Frame: Frame{Call: Pair{"<tool_call>", "</tool_call>"}}, Head: namedCall, Args: argumentsFirst},
		{Frame: Frame{}, Head: namedCall, Args: argumentsFirst},
	},
	Quirks:  []string{"Without the heading, a fence or bare JSON counts if it calls a declared tool."},
	Example: "**Tool Call:**\n```json\n{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Oslo\"}}\n```",
})

var xlam = row(objects, Dialect{
	Name:   "xlam",
	About:  "xLAM",
	Source: "the models' cards; vLLM xlam",
	Frame:  Frame{Between: ", "},
	Also: []Form{
		{Frame: Frame{Call: Pair{"<tool_call>", "</tool_call>"}}, Head: namedCall, Args: argumentsFirst},
		{Frame: Frame{Call: Pair{Open: "[TOOL_CALLS]"}}, Head: namedCall, Args: argumentsFirst},
	},
	Written: listOfCalls,
	Noise:   []string{"[/TOOL_CALLS]", "<|eot_id|>", "<|im_end|>"},
	Quirks:  []string{"The list may be bare, in a fence, after [TOOL_CALLS] or in <tool_call>."},
	Show:    showXLAM,
	Results: rawResults("tool"),
	Ends:    Ends{Stop: []string{"<|eot_id|>", "<|im_end|>"}},
	Example: "[{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Oslo\"}}]",
})

var llama3JSON = row(objects, Dialect{
	Name:    "llama3_json",
	Aliases: []string{"llama3", "llama3.1"},
	About:   "Llama 3.1 to 3.3",
	Source:  "the models' chat templates; vLLM llama3_json, SGLang llama3, llama.cpp Llama 3.x",
	Frame:   Frame{Between: "; ", Separators: ";,"},
	Args:    parametersFirst,
	Also: []Form{
		{Frame: Frame{Call: Pair{Open: "<|python_tag|>"}, Separators: ";,"}, Head: namedCall, Args: parametersFirst},
		{Frame: Frame{Call: Pair{"<|python_tag|>", ")"}, Separators: ";"}, Head: Head{Form: HeadLiteral, End: ".call("}, Args: pythonArgs},
	},
	Noise: []string{"<|eot_id|>", "<|eom_id|>", "<|eot|>", "<|eom|>"},
	Quirks: []string{
		"Without <|python_tag|> a call has no marker; if tools are declared, only calls of those count.",
		"Several calls may follow each other with a semicolon, a comma or nothing between them.",
		"The tools that the models know by themselves, such as brave_search, are called as <|python_tag|>brave_search.call(query=\"...\").",
		"<|python_tag|> before anything but a call is text.",
	},
	Show:    showLlama,
	Results: Results{Role: "ipython", Between: "\n", Quoted: true, Alone: true},
	Ends:    Ends{Turn: "<|eot_id|>", Stop: []string{"<|eom_id|>"}},
	Example: "{\"name\": \"get_weather\", \"parameters\": {\"city\": \"Oslo\"}}",
})

var jsonGeneric = row(objects, Dialect{
	Name:    "json_generic",
	Aliases: []string{"bare-json", "generic"},
	About:   "models that are told no more than to call in JSON",
	Source:  "llama.cpp Generic, Ollama's generic parser, Open WebUI, LiteLLM",
	Frame:   Frame{Between: "\n"},
	Head: Head{
		Form: HeadEnvelope, Name: []string{"name", "tool_name", "function", "tool"},
		Wrap:  []string{"tool_call", "function", "tool", "function_call", "functionCall"},
		Array: true, Lists: []string{"tool_calls", "tools"}, Bare: []string{"tool_calls"},
	},
	Written: Written{Envelope: `{"tool_call": {"name": {name}, "arguments": {args}}}`},
	Quirks:  []string{"The call may be in a tool_call object, a tool_calls list, an array or a code fence."},
	Example: "{\"tool_call\": {\"name\": \"get_weather\", \"arguments\": {\"city\": \"Oslo\"}}}",
})

var jsonArray = row(objects, Dialect{
	Name:    "json_array",
	About:   "models that a server constrains to a JSON array of calls, for a required tool call",
	Source:  "SGLang's JSON array parser",
	Frame:   Frame{Between: ", "},
	Args:    parametersFirst,
	Written: listOfCalls,
	Example: "[{\"name\": \"get_weather\", \"parameters\": {\"city\": \"Oslo\"}}]",
})
