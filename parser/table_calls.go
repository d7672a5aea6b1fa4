package parser

import "slices"

// Dialects that write calls as Python or Gemma's literals do.

var callTable = []*Dialect{gemma4, functionGemma, pythonic, llama4Pythonic, olmo3, lfm2, granitePythonic, miniCPM3, miniMaxArrow}

// gemmaArgs are the arguments of Gemma's calls.
var gemmaArgs = Args{Form: ArgsGemma, Quote: `<|"|>`}

var gemma4 = &Dialect{
	Name:    "gemma4",
	Aliases: []string{"gemma-4", "gemma4-no-thinking"},
	About:   "Gemma 4",
	Source:  "the models' chat template; vLLM and SGLang gemma4, llama.cpp Gemma 4, Ollama gemma4",
	Reasoning: []Reasoning{
		{Open: "<|channel>thought\n", Close: "<channel|>", Anywhere: true},
		{Open: "<|channel>", Close: "<channel|>", Anywhere: true},
	},
	Frame: Frame{Call: Pair{"<|tool_call>call:", "<tool_call|>"}, Closers: []string{"} <tool_call|>"}},
	Head:  Head{Form: HeadLiteral},
	Args:  gemmaArgs,
	Also: []Form{
		{Frame{Call: Pair{"<|tool_call> call:", "<tool_call|>"}}, Head{Form: HeadLiteral}, gemmaArgs},
		{Frame{Call: Pair{"<|tool_call>:", "<tool_call|>"}}, Head{Form: HeadLiteral, Prefix: "call:"}, gemmaArgs},
		{Frame{Call: Pair{"call:", "<tool_call|>"}, At: AtLine, Bare: true}, Head{Form: HeadLiteral}, gemmaArgs},
	},
	Noise:   []string{"<tool_call|>", "<|tool_response>", "<channel|>", "<turn|>", "<eos>"},
	Results: Results{Result: Pair{`<|tool_response>response:{name}{value:<|"|>`, `<|"|>}<tool_response|>`}},
	Example: "<|tool_call>call:get_weather{city:<|\"|>Oslo<|\"|>}<tool_call|>",
	Quirks: []string{
		"Strings in single or double quotes, or in none: read as strings; what ends one counts only where a key, an element or a bracket follows.",
		"A string without its opening quote, or one that only the call's closer ends: a string, with a tolerance.",
		"Brackets that are missing before the call's closer: closed, with a tolerance.",
		"A second closer, or <|tool_response> after the call: dropped, as the token that it is.",
		"<|tool_call>:name{ and a bare call:name{ at the beginning of a line: calls; the bare one of declared tools only.",
		"<|channel> without the word thought: reasoning, too.",
	},
}

var functionGemma = &Dialect{
	Name:    "functiongemma",
	Aliases: []string{"function-gemma"},
	About:   "FunctionGemma",
	Source:  "the model's chat template; vLLM and Ollama functiongemma",
	Frame:   Frame{Call: Pair{"<start_function_call>call:", "<end_function_call>"}, Closers: []string{"} <end_function_call>"}},
	Head:    Head{Form: HeadLiteral},
	Args:    Args{Form: ArgsGemma, Quote: "<escape>"},
	Also: []Form{
		{Frame{Call: Pair{"<start_function_call> call:", "<end_function_call>"}}, Head{Form: HeadLiteral}, Args{Form: ArgsGemma, Quote: "<escape>"}},
	},
	Noise:   []string{"<end_function_call>", "<start_function_response>", "<end_of_turn>", "<eos>"},
	Results: Results{Result: Pair{"<start_function_response>response:{name}{value:<escape>", "<escape>}<end_function_response>"}},
	Example: "<start_function_call>call:get_weather{city:<escape>Oslo<escape>}<end_function_call>",
	Quirks: []string{
		"No comma between two arguments: put there, with a tolerance.",
		"Text without <escape> around it: a number, a boolean or null if it is one, else a string.",
	},
}

// Calls as Python writes them. The models' templates differ in what is around.
var (
	pythonHead = Head{Form: HeadLiteral, End: "("}
	pythonArgs = Args{Form: ArgsPython}

	bracketed   = Form{Frame{Section: Pair{"[", "]"}, Call: Pair{"", ")"}, Between: ", ", Separators: ","}, pythonHead, pythonArgs}
	pythonStart = []Form{
		{Frame{Section: Pair{"<|python_start|>[", "]<|python_end|>"}, Call: Pair{"", ")"}, Between: ", ", Separators: ","}, pythonHead, pythonArgs},
		{Frame{Section: Pair{"<|python_start|>", "<|python_end|>"}, Call: Pair{"", ")"}, Between: "\n", Separators: ",;"}, pythonHead, pythonArgs},
	}
)

const (
	quirkQuotes  = "A quote in a string without a backslash: content, with a tolerance, unless what may follow a value stands behind it."
	quirkNewline = "A newline in a string in single quotes: content, with a tolerance."
	quirkWords   = "true, false and null: as True, False and None. Zeros before a number: dropped. Tuples and sets: lists. nan and inf: strings."
	quirkCode    = "Bytes, formatted strings, operators, and arguments without a name: the call is malformed, and the next one counts."
	quirkProse   = "Brackets in prose, and a declared tool's name without a parenthesis and an argument behind it: text."
)

var pythonic = &Dialect{
	Name:      "pythonic",
	Aliases:   []string{"python", "python_list"},
	About:     "Llama 3.2, ToolACE, and others that are taught lists of Python calls",
	Source:    "the models' chat templates; vLLM and SGLang pythonic",
	Reasoning: thinkTags,
	Frame:     bracketed.Frame,
	Head:      pythonHead,
	Args:      pythonArgs,
	Also:      pythonStart,
	Noise:     []string{"<|eot_id|>", "<|eom_id|>"},
	Example:   `[get_weather(city="Oslo")]`,
	Quirks:    []string{quirkQuotes, quirkNewline, quirkWords, quirkCode, quirkProse},
}

var llama4Pythonic = &Dialect{
	Name:      "llama4_pythonic",
	Aliases:   []string{"llama4"},
	About:     "Llama 4",
	Source:    "the models' chat template, which writes JSON; that of vLLM for the models; vLLM llama4_pythonic, SGLang pythonic",
	Reasoning: thinkTags,
	Frame:     bracketed.Frame,
	Head:      pythonHead,
	Args:      pythonArgs,
	Also: append(slices.Clone(pythonStart),
		Form{Frame{Call: Pair{"<|python_start|>", "<|python_end|>"}, Separators: ";,"}, namedCall, parametersFirst},
		Form{Frame{Between: "; ", Separators: ";,"}, namedCall, parametersFirst},
	),
	Noise:   []string{"<|python_start|>", "<|python_end|>", "<|eot|>", "<|eom|>"},
	Example: `[get_weather(city="Oslo")]`,
	Quirks: []string{
		quirkQuotes, quirkNewline, quirkWords, quirkCode, quirkProse,
		"<|python_start|> around the list, or around calls without one: read the same, of any tool.",
		"JSON objects with name and parameters, as the models' own template has them: calls, without markers of declared tools.",
		"<|python_start|> and <|python_end|> around text, as that template has them: dropped, as the tokens that they are.",
	},
}

var olmo3 = &Dialect{
	Name:      "olmo3",
	Aliases:   []string{"olmo-3"},
	About:     "OLMo 3",
	Source:    "the models' chat template; vLLM and Ollama olmo3",
	Reasoning: thinkTags,
	Frame:     Frame{Section: Pair{"<function_calls>", "</function_calls>"}, Call: Pair{"", ")"}, Between: "\n", Separators: ",;"},
	Head:      pythonHead,
	Args:      pythonArgs,
	Noise:     []string{"<|im_end|>", "<|endoftext|>"},
	Show:      showList("<functions>", ToolPlain, "</functions>"),
	Example:   `<function_calls>get_weather(city="Oslo")</function_calls>`,
	Quirks:    []string{quirkQuotes, quirkNewline, quirkWords, quirkCode, "Nothing between the markers: no text."},
}

var lfm2 = &Dialect{
	Name:      "lfm2",
	Aliases:   []string{"lfm2-thinking", "lfm2.5"},
	About:     "LFM2 and LFM2.5",
	Source:    "the models' chat template; vLLM, SGLang and Ollama lfm2, llama.cpp LFM2",
	Reasoning: thinkTags,
	Frame: Frame{
		Section: Pair{"<|tool_call_start|>[", "]<|tool_call_end|>"}, Call: Pair{"", ")"}, Between: ", ", Separators: ",",
	},
	Head: pythonHead,
	Args: pythonArgs,
	Also: []Form{
		{Frame{Section: Pair{"<|tool_call_start|> [", "]<|tool_call_end|>"}, Call: Pair{"", ")"}, Between: ", ", Separators: ","}, pythonHead, pythonArgs},
		{Frame{Section: Pair{"<|tool_call_start|>", "<|tool_call_end|>"}, Call: Pair{"", ")"}, Between: "\n", Separators: ",;"}, pythonHead, pythonArgs},
		{
			Frame{Call: Pair{"<|tool_call_start|>", "<|tool_call_end|>"}},
			Head{Form: HeadEnvelope, Name: []string{"name"}, Array: true},
			Args{Form: ArgsJSON, Keys: []string{"arguments", "parameters"}},
		},
		bracketed,
	},
	Noise:   []string{"<|im_end|>"},
	Results: Results{Result: Pair{"<|tool_response_start|>", "<|tool_response_end|>"}},
	Show:    showList("List of tools: <|tool_list_start|>", ToolPlain, "<|tool_list_end|>"),
	Example: `<|tool_call_start|>[get_weather(city="Oslo")]<|tool_call_end|>`,
	Quirks: []string{
		quirkQuotes, quirkNewline, quirkWords, quirkCode,
		"Calls without brackets, JSON objects and lists of them between the markers: read the same.",
		"The list without its markers: calls of declared tools.",
		"A second closing marker: dropped, as the token that it is. A list right behind the first one, which models repeat: text.",
	},
}

var granitePythonic = &Dialect{
	Name:    "granite_pythonic",
	About:   "Granite models that are taught calls as lines of Python",
	Source:  "vLLM granite_pythonic",
	Frame:   Frame{Call: Pair{"", ")"}, Between: "\n", At: AtLine},
	Head:    pythonHead,
	Args:    pythonArgs,
	Noise:   []string{"<|end_of_text|>", "<|end_of_role|>"},
	Example: `get_weather(city="Oslo")`,
	Quirks: []string{
		quirkQuotes, quirkNewline, quirkWords,
		"A call counts where it begins a line, of declared tools only; where none are declared, of any tool, where it begins the message.",
	},
}

var miniCPM3 = &Dialect{
	Name:      "minicpm3",
	Aliases:   []string{"minicpm-3", "minicpm4", "minicpm-4"},
	About:     "MiniCPM 3 and 4",
	Source:    "the models' chat template",
	Reasoning: append([]Reasoning{{Open: "<|thought_start|>\n", Close: "\n<|thought_end|>", Anywhere: true}}, thinkTags...),
	Frame: Frame{
		Section: Pair{"<|tool_call_start|>\n```python\n", "\n```\n<|tool_call_end|>"}, Call: Pair{"", ")"}, Between: "\n", Separators: ";",
	},
	Head: pythonHead,
	Args: pythonArgs,
	Also: []Form{
		{Frame{Section: Pair{"<|tool_call_start|>", "<|tool_call_end|>"}, Call: Pair{"", ")"}, Between: "\n", Separators: ";"}, pythonHead, pythonArgs},
	},
	Noise:   []string{"<|im_end|>", "</s>"},
	Quirks:  []string{quirkQuotes, quirkNewline, quirkWords, quirkCode, "The fence left out: read."},
	Example: "<|tool_call_start|>\n```python\nget_weather(city=\"Oslo\")\n```\n<|tool_call_end|>",
}

// arrowForm is a call with arrows whose name is in quote.
func arrowForm(quote string) Form {
	return Form{
		Frame{Call: Pair{"[TOOL_CALL]\n{tool => " + quote, "\n}}\n[/TOOL_CALL]"}, Between: "\n"},
		Head{Form: HeadLiteral, End: quote + ", args => {\n"},
		Args{Form: ArgsPython, KeyMark: Pair{"--", " "}},
	}
}

var miniMaxArrow = &Dialect{
	Name:      "minimax_arrow",
	Aliases:   []string{"minimax-arrow", "tool_call_arrow"},
	About:     "MiniMax's models, where they fall into a syntax of their own",
	Source:    "reports of agents' users",
	Reasoning: thinkTags,
	Frame:     arrowForm(`"`).Frame,
	Head:      arrowForm(`"`).Head,
	Args:      arrowForm(`"`).Args,
	Also:      []Form{arrowForm("'")},
	Quirks:    []string{"Line feeds between the parts, or none; the name in single quotes: read.", quirkQuotes, quirkWords},
	Example:   "[TOOL_CALL]\n{tool => \"get_weather\", args => {\n--city \"Oslo\"\n}}\n[/TOOL_CALL]",
}
