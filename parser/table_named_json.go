package parser

// Dialects whose name stands outside of JSON arguments.

var namedJSONTable = []*Dialect{deepseekV3, deepseekV31, kimiK2, mistral, plamo3, functionaryV32, functionaryV22, solarOpen, callingTool, glm53Flash}

var deepseekNoise = []string{
	"<｜end▁of▁sentence｜>", "<｜tool▁outputs▁begin｜>", "<｜tool▁outputs▁end｜>", "<｜tool▁output▁begin｜>", "<｜tool▁output▁end｜>",
}

var deepseekV3 = &Dialect{
	Name:      "deepseek_v3",
	Aliases:   []string{"deepseekv3", "deepseek_r1", "deepseek-r1", "cogito"},
	About:     "DeepSeek V3 and R1, and those distilled from them",
	Source:    "the models' chat templates; vLLM deepseek_v3, SGLang deepseekv3, Ollama cogito",
	Reasoning: thinkToken,
	Frame: Frame{
		Section: Pair{"<｜tool▁calls▁begin｜>", "<｜tool▁calls▁end｜>"},
		Call:    Pair{"<｜tool▁call▁begin｜>function<｜tool▁sep｜>", "\n```<｜tool▁call▁end｜>"}, Between: "\n",
	},
	Head:    Head{Form: HeadLiteral, End: "\n```json\n"},
	Args:    Args{Form: ArgsJSON},
	Noise:   deepseekNoise,
	Quirks:  []string{"The token for the beginning of the section left out: read, with the tolerance missing_opener."},
	Results: toolOutputs,
	Show:    showLines,
	Example: "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>get_weather\n```json\n{\"city\": \"Oslo\"}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>",
}

var deepseekV31 = &Dialect{
	Name:      "deepseek_v31",
	Aliases:   []string{"deepseekv31", "deepseek3", "deepseek-v3.1", "deepseek_v3.1"},
	About:     "DeepSeek V3.1",
	Source:    "the model's chat template; vLLM deepseek_v31, SGLang deepseekv31, Ollama deepseek3",
	Reasoning: thinkToken,
	Frame: Frame{
		Section: Pair{"<｜tool▁calls▁begin｜>", "<｜tool▁calls▁end｜>"},
		Call:    Pair{"<｜tool▁call▁begin｜>", "<｜tool▁call▁end｜>"},
	},
	Head:    Head{Form: HeadLiteral, End: "<｜tool▁sep｜>"},
	Args:    Args{Form: ArgsJSON},
	Noise:   deepseekNoise,
	Quirks:  []string{"The token for the beginning of the section left out: read, with the tolerance missing_opener."},
	Results: toolOutput,
	Show:    Show{Form: ToolLines, Tool: Pair{Open: "### {name}\nDescription: {about}\nParameters: {schema}"}, Between: "\n\n"},
	Example: "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>get_weather<｜tool▁sep｜>{\"city\": \"Oslo\"}<｜tool▁call▁end｜><｜tool▁calls▁end｜>",
}

var kimiK2 = &Dialect{
	Name:      "kimi_k2",
	Aliases:   []string{"kimi", "kimi-k2", "kimik2"},
	About:     "Kimi K2",
	Source:    "the model's chat template; vLLM kimi_k2, SGLang kimi_k2, llama.cpp Kimi K2",
	Reasoning: thinkToken,
	Frame: Frame{
		Section: Pair{"<|tool_calls_section_begin|>", "<|tool_calls_section_end|>"},
		Call:    Pair{"<|tool_call_begin|>", "<|tool_call_end|>"},
	},
	Head:              Head{Form: HeadLiteral, Prefix: "functions.", Index: ":", End: "<|tool_call_argument_begin|>"},
	Args:              Args{Form: ArgsJSON},
	Noise:             []string{"<|im_end|>"},
	CallsEndReasoning: true,
	Quirks: []string{
		"No functions. before the name, or no index after it: read.",
		"A section that begins inside of reasoning: it ends the reasoning.",
		"The tokens around the section left out: read, with the tolerance missing_opener.",
	},
	Results: Results{Result: Pair{Open: "## Return of {id}\n"}, Between: "\n"},
	Show:    showList("", ToolPlain, ""),
	Example: "<|tool_calls_section_begin|><|tool_call_begin|>functions.get_weather:0<|tool_call_argument_begin|>{\"city\": \"Oslo\"}<|tool_call_end|><|tool_calls_section_end|>",
}

var mistral = &Dialect{
	Name:      "mistral",
	Aliases:   []string{"ministral", "magistral", "devstral", "mistral-v11", "mistral-v13", "mistral_small"},
	About:     "Mistral's models: the newer write name[ARGS]{..}, those before name{..}, the first a JSON array",
	Source:    "mistral-common; vLLM mistral, SGLang mistral, llama.cpp Mistral Nemo, Small 3.2 and Devstral, Ollama ministral",
	Reasoning: []Reasoning{{Open: "[THINK]", Close: "[/THINK]", Anywhere: true}, {Open: "<think>", Close: "</think>"}},
	Frame:     Frame{Call: Pair{"[TOOL_CALLS]", ""}},
	Head:      Head{Form: HeadLiteral, ID: "[CALL_ID]", End: "[ARGS]"},
	Args:      Args{Form: ArgsJSON},
	Also: []Form{{
		Frame{Call: Pair{"[TOOL_CALLS] ", ""}},
		Head{Form: HeadEnvelope, Name: []string{"name"}, Array: true},
		Args{Form: ArgsJSON, Keys: []string{"arguments"}},
	}},
	Noise: []string{"[/TOOL_CALLS]", "</s>"},
	Quirks: []string{
		"An id between [CALL_ID] and [ARGS], or beside name and arguments: kept as the call's id.",
		"No name and no array after [TOOL_CALLS]: text.",
	},
	Results: Results{Result: Pair{"[TOOL_RESULTS]", "[/TOOL_RESULTS]"}},
	Show:    showList("[AVAILABLE_TOOLS]", ToolOpenAI, "[/AVAILABLE_TOOLS]"),
	Example: "[TOOL_CALLS]get_weather[ARGS]{\"city\": \"Oslo\"}",
}

var plamo3 = &Dialect{
	Name:      "plamo3",
	Aliases:   []string{"plamo-3", "plamo"},
	About:     "PLaMo 3",
	Source:    "vLLM plamo3, SGLang plamo3",
	Reasoning: []Reasoning{{Open: "<|plamo:begin_think:plamo|>", Close: "<|plamo:end_think:plamo|>", Anywhere: true}},
	Frame:     plamoFrame,
	Head:      Head{Form: HeadLiteral, End: "<|plamo:end_tool_name:plamo|><|plamo:begin_tool_arguments:plamo|><|plamo:constrain|>json<|plamo:msg|>"},
	Args:      Args{Form: ArgsJSON},
	Also: []Form{
		{plamoFrame, Head{Form: HeadLiteral, End: "<|plamo:end_tool_name:plamo|><|plamo:begin_tool_arguments:plamo|>"}, Args{Form: ArgsJSON}},
		{plamoFrame, Head{Form: HeadLiteral, End: "<|plamo:end_tool_name:plamo|><|plamo:begin_tool_arguments:plamo|><|plamo:msg|>"}, Args{Form: ArgsJSON}},
	},
	Noise:   []string{"<|plamo:tag|>", "<|plamo:msg|>"},
	Quirks:  []string{"The arguments without the tokens that say that they are JSON: read."},
	Example: "<|plamo:begin_tool_requests:plamo|><|plamo:begin_tool_request:plamo|><|plamo:begin_tool_name:plamo|>get_weather<|plamo:end_tool_name:plamo|><|plamo:begin_tool_arguments:plamo|><|plamo:constrain|>json<|plamo:msg|>{\"city\": \"Oslo\"}<|plamo:end_tool_arguments:plamo|><|plamo:end_tool_request:plamo|><|plamo:end_tool_requests:plamo|>",
}

var plamoFrame = Frame{
	Section: Pair{"<|plamo:begin_tool_requests:plamo|>", "<|plamo:end_tool_requests:plamo|>"},
	Call: Pair{
		"<|plamo:begin_tool_request:plamo|><|plamo:begin_tool_name:plamo|>",
		"<|plamo:end_tool_arguments:plamo|><|plamo:end_tool_request:plamo|>",
	},
}

var functionaryV32 = &Dialect{
	Name:    "functionary_v32",
	Aliases: []string{"functionary", "functionary-v3.2", "functionary_v3.2"},
	About:   "Functionary 3.2",
	Source:  "the model's chat template; llama.cpp Functionary 3.2",
	Frame:   Frame{Call: Pair{">>>", ""}},
	Head:    Head{Form: HeadLiteral, End: "\n"},
	Args:    Args{Form: ArgsJSON},
	Written: Written{Text: Pair{Open: ">>>all\n"}},
	Noise:   []string{">>>all\n", "<|eot_id|>", "<|end_of_text|>"},
	Quirks: []string{
		"What is said to all, after >>>all, is text; a call may follow it on its line.",
		"The prompt ends in >>>: give it as the prefill.",
	},
	Show:    showNamespace,
	Example: ">>>get_weather\n{\"city\": \"Oslo\"}",
}

var functionaryV22 = &Dialect{
	Name:    "functionary_v22",
	Aliases: []string{"functionary-v2.2", "functionary_v2.2", "functionary-v2.4", "functionary_v2.4"},
	About:   "Functionary 2.2 and 2.4",
	Source:  "the models' chat template",
	Frame:   Frame{Call: Pair{"<|from|>assistant\n<|recipient|>", "<|stop|>"}, Between: "\n"},
	Head:    Head{Form: HeadLiteral, End: "\n<|content|>"},
	Args:    Args{Form: ArgsJSON},
	Also:    []Form{{Frame{Call: Pair{"<|recipient|>", "<|stop|>"}}, Head{Form: HeadLiteral, End: "\n<|content|>"}, Args{Form: ArgsJSON}}},
	Written: Written{Text: Pair{"<|from|>assistant\n<|recipient|>all\n<|content|>", "\n"}},
	Noise: []string{
		"<|from|>assistant\n<|recipient|>all\n<|content|>", "<|recipient|>all\n<|content|>", "<|from|>assistant\n", "<|stop|>",
	},
	Results: Results{Result: Pair{"<|from|>{name}\n<|recipient|>all\n<|content|>", "\n"}},
	Quirks: []string{
		"What is said to all is text.",
		"The prompt ends in <|from|>assistant and <|recipient|>: give them as the prefill.",
	},
	Example: "<|from|>assistant\n<|recipient|>get_weather\n<|content|>{\"city\": \"Oslo\"}<|stop|>",
}

var solarOpen = &Dialect{
	Name:    "solar_open",
	Aliases: []string{"solar-open", "solar_open_100b", "solar-open-100b"},
	About:   "Upstage Solar Open 100B",
	Source:  "the model's chat template; llama.cpp",
	Reasoning: []Reasoning{
		{Open: "<|begin|>assistant<|think|>", Close: "<|end|>", Anywhere: true}, {Open: "<|think|>", Close: "<|end|>", Anywhere: true},
	},
	Frame: Frame{
		Section: Pair{"<|begin|>assistant<|tool_calls|>", "<|calls|>"}, Call: Pair{"<|tool_call:begin|>", "<|tool_call:end|>"},
	},
	Head: Head{Form: HeadLiteral, Lead: "<|tool_call:name|>", End: "<|tool_call:args|>"},
	Args: Args{Form: ArgsJSON},
	Also: []Form{{
		Frame{Section: Pair{"<|tool_calls|>", "<|calls|>"}, Call: Pair{"<|tool_call:begin|>", "<|tool_call:end|>"}},
		Head{Form: HeadLiteral, Lead: "<|tool_call:name|>", End: "<|tool_call:args|>"}, Args{Form: ArgsJSON},
	}},
	Noise:   []string{"<|begin|>assistant<|content|>", "<|begin|>assistant", "<|content|>", "<|end|>", "<|flush|>"},
	Written: Written{Text: Pair{"<|begin|>assistant<|content|>", "<|end|>"}},
	Results: Results{
		Turn:   Pair{"<|tool_response|>", ""},
		Result: Pair{"<|tool_response:begin|>{id}<|tool_response:name|>{name}<|tool_response:result|>", "<|tool_response:end|>"},
	},
	Quirks: []string{
		"The id stands before the name: it is kept as the call's id.",
		"The tokens around the section left out: read, with the tolerance missing_opener.",
	},
	Example: "<|begin|>assistant<|tool_calls|><|tool_call:begin|>0<|tool_call:name|>get_weather<|tool_call:args|>{\"city\": \"Oslo\"}<|tool_call:end|><|calls|>",
}

var callingTool = &Dialect{
	Name:    "calling_tool",
	Aliases: []string{"calling-tool"},
	About:   "models that repeat what an agent prints of their calls",
	Source:  "agents' transcripts",
	Frame:   Frame{Call: Pair{"[Calling tool: ", ")]"}, Between: "\n"},
	Head:    Head{Form: HeadLiteral, End: "("},
	Args:    Args{Form: ArgsJSON},
	Quirks:  []string{"A name without parentheses, as agents print it: text."},
	Example: "[Calling tool: get_weather({\"city\": \"Oslo\"})]",
}

var glm53Flash = &Dialect{
	Name:              "glm53_flash",
	Aliases:           []string{"glm-5.3-flash", "glm53"},
	About:             "GLM 5.3 Flash",
	Source:            "SGLang glm53_flash (a fork)",
	Reasoning:         thinkToken,
	Frame:             Frame{Call: Pair{"<![", ""}, Bare: true},
	Head:              Head{Form: HeadLiteral, End: ">"},
	Args:              Args{Form: ArgsJSON},
	Noise:             glm45.Noise,
	CallsEndReasoning: true,
	Quirks:            []string{"Its opener begins CDATA sections and comments, too: only declared tools are called."},
	Example:           "<![get_weather>{\"city\": \"Oslo\"}",
}
