package dialect

import "slices"

// Dialects that write calls as Python or Gemma's literals do.

var callTable = []*Dialect{gemma4, functionGemma, pythonic, llama4Pythonic, llama4JSON, olmo3, lfm2, lfm25, granitePythonic, miniCPM3, miniMaxArrow}

// gemmaArgs are the arguments of Gemma's calls.
var gemmaArgs = Args{Form: ArgsGemma, Quote: `<|"|>`}

var gemma4 = &Dialect{
	Name:    "gemma4",
	Aliases: []string{"gemma-4", "gemma4-no-thinking"},
	About:   "Gemma 4",
	Source:  "the models' chat template; vLLM and SGLang gemma4, llama.cpp Gemma 4, Ollama gemma4",
	Reasoning: []Reasoning{
		{Open: "<|channel>thought\n", Close: "<channel|>", Anywhere: true},
		{Open: "<|channel><|channel>thought\n", Close: "<channel|>", Anywhere: true},
		{Open: "<|channel>", Close: "<channel|>", Anywhere: true},
	},
	Frame: Frame{Call: Pair{"<|tool_call>call:", "<tool_call|>"}, Closers: []string{"} <tool_call|>"}},
	Head:  Head{Form: HeadLiteral},
	Args:  gemmaArgs,
	Also: []Form{
		{Frame: Frame{Call: Pair{"<|tool_call> call:", "<tool_call|>"}}, Head: Head{Form: HeadLiteral}, Args: gemmaArgs},
		{Frame: Frame{Call: Pair{"<|tool_call>:", "<tool_call|>"}}, Head: Head{Form: HeadLiteral, Prefix: "call:"}, Args: gemmaArgs},
		{Frame: Frame{Call: Pair{"call:", "<tool_call|>"}, At: AtLine, Bare: true}, Head: Head{Form: HeadLiteral}, Args: gemmaArgs},
		{Frame: Frame{Call: Pair{"<|tool_call>call:call:", "<tool_call|>"}}, Head: Head{Form: HeadLiteral}, Args: gemmaArgs},
	},
	Noise:   []string{"<|channel>thought<channel|>", "<tool_call|>", "<|tool_response>", "<channel|>", "<turn|>", "<eos>"},
	Results: Results{Result: Pair{`<|tool_response>response:{name}{value:<|"|>`, `<|"|>}<tool_response|>`}},
	Show:    showGemma,
	Written: Written{Keeps: KeepsTurn, Sorted: true, Reasoning: Pair{"<|channel>thought\n", "\n<channel|>"}},
	Ends:    Ends{Turn: "<turn|>"},
	Example: "<|tool_call>call:get_weather{city:<|\"|>Oslo<|\"|>}<tool_call|>",
	Quirks: []string{
		"Strings may have single quotes, double quotes or none. The end of a string counts only if a key, an element or a bracket follows.",
		"A string may lack its opening quote, or end at the end of the call, with a tolerance.",
		"Brackets left open at the end of the call are closed, with a tolerance.",
		"A second closing marker, or <|tool_response> after the call, is dropped.",
		"<|tool_call>:name{ and <|tool_call>call:call:name{, and at the beginning of a line call:name{ of a declared tool, are calls.",
		"<|channel> without the word thought is reasoning, too; with nothing but that word there is none.",
		"name(key=value) and name(key:value) are read like name{key:value}, with a tolerance.",
		"A call that begins before <channel|> ends the reasoning.",
	},
	CallsEndReasoning: true,
}

var functionGemma = &Dialect{
	Name:    "functiongemma",
	Aliases: []string{"function-gemma", "function_gemma"},
	About:   "FunctionGemma",
	Source:  "the model's chat template; vLLM and Ollama functiongemma",
	Frame:   Frame{Call: Pair{"<start_function_call>call:", "<end_function_call>"}, Closers: []string{"} <end_function_call>"}},
	Head:    Head{Form: HeadLiteral},
	Args:    Args{Form: ArgsGemma, Quote: "<escape>"},
	Also: []Form{
		{Frame: Frame{Call: Pair{"<start_function_call> call:", "<end_function_call>"}}, Head: Head{Form: HeadLiteral}, Args: Args{Form: ArgsGemma, Quote: "<escape>"}},
	},
	Noise:   []string{"<end_function_call>", "<start_function_response>", "<end_of_turn>", "<eos>"},
	Results: Results{Result: Pair{"<start_function_response>response:{name}{value:<escape>", "<escape>}<end_function_response>"}},
	Show:    showFunctionGemma,
	Written: Written{Sorted: true},
	Ends:    Ends{Turn: "<end_of_turn>"},
	Example: "<start_function_call>call:get_weather{city:<escape>Oslo<escape>}<end_function_call>",
	Quirks: []string{
		"A missing comma between two arguments is added, with a tolerance.",
		"Text without <escape> is a number, a boolean or null if it reads as one, else a string.",
	},
}

// Calls in Python's notation. The models' templates differ in what encloses the calls.
var (
	pythonHead = Head{Form: HeadLiteral, End: "("}
	pythonArgs = Args{Form: ArgsPython}

	// pythonCalls is what most of their dialects have in common.
	pythonCalls = Dialect{Head: pythonHead, Args: pythonArgs, Reasoning: thinkTags}

	bracketed   = Form{Frame: Frame{Section: Pair{"[", "]"}, Call: Pair{"", ")"}, Between: ", ", Separators: ","}, Head: pythonHead, Args: pythonArgs}
	pythonStart = []Form{
		{Frame: Frame{Section: Pair{"<|python_start|>[", "]<|python_end|>"}, Call: Pair{"", ")"}, Between: ", ", Separators: ","}, Head: pythonHead, Args: pythonArgs},
		{Frame: Frame{Section: Pair{"<|python_start|>", "<|python_end|>"}, Call: Pair{"", ")"}, Between: "\n", Separators: ",;"}, Head: pythonHead, Args: pythonArgs},
	}
)

const (
	quirkQuotes  = "An unescaped quote in a string is content, with a tolerance, unless something that may follow a value does follow."
	quirkNewline = "A line feed in a single-quoted string is content, with a tolerance."
	quirkWords   = "true, false and null are accepted. Leading zeros are dropped. Tuples and sets become lists, nan and inf strings."
	quirkCode    = "Bytes, f-strings, operators and positional arguments make the call malformed; the next call still counts."
	quirkProse   = "Brackets in prose, and a tool's name that no parenthesis and argument follow, are text."
)

var pythonic = row(pythonCalls, Dialect{
	Name:    "pythonic",
	Aliases: []string{"python", "python_list"},
	About:   "Llama 3.2, ToolACE, and others that are taught lists of Python calls",
	Source:  "the models' chat templates; vLLM and SGLang pythonic",
	Frame:   bracketed.Frame,
	Also:    pythonStart,
	Noise:   []string{"<|eot_id|>", "<|eom_id|>"},
	Show:    showPythonic,
	Results: Results{Role: "ipython", Result: Pair{`{"output": `, "}"}, Between: "\n", Quoted: true, Alone: true},
	Ends:    Ends{Turn: "<|eot_id|>", Stop: []string{"<|eom_id|>"}},
	Example: `[get_weather(city="Oslo")]`,
	Quirks:  []string{quirkQuotes, quirkNewline, quirkWords, quirkCode, quirkProse},
})

var llama4Pythonic = row(pythonCalls, Dialect{
	Name:    "llama4_pythonic",
	Aliases: []string{"llama4"},
	About:   "Llama 4, as vLLM prompts it",
	Source:  "the models' chat template, which writes JSON; that of vLLM for the models; vLLM llama4_pythonic, SGLang pythonic",
	Frame:   bracketed.Frame,
	Also: append(slices.Clone(pythonStart),
		Form{Frame: Frame{Call: Pair{"<|python_start|>", "<|python_end|>"}, Separators: ";,"}, Head: namedCall, Args: parametersFirst},
		Form{Frame: Frame{Between: "; ", Separators: ";,"}, Head: namedCall, Args: parametersFirst},
	),
	Noise:   []string{"<|python_start|>", "<|python_end|>", "<|eot|>", "<|eom|>"},
	Show:    showLlama4,
	Results: Results{Role: "ipython", Between: "\n", Quoted: true, Alone: true},
	Ends:    Ends{Turn: "<|eot|>", Stop: []string{"<|eom|>"}},
	Example: `[get_weather(city="Oslo")]`,
	Quirks: []string{
		quirkQuotes, quirkNewline, quirkWords, quirkCode, quirkProse,
		"<|python_start|> may stand before the list, or before calls without one, of any tool.",
		"JSON objects with name and parameters, as in the models' own template, are calls; without markers, of declared tools only.",
		"<|python_start|> and <|python_end|> around text, as in that template, are dropped.",
	},
})

var llama4JSON = variant(llama4Pythonic, func(d *Dialect) {
	d.Name, d.Aliases = "llama4_json", nil
	d.About, d.Source = "Llama 4: it also reads what llama4_pythonic writes", "the models' chat template"
	d.Frame, d.Args = Frame{Separators: ";,"}, parametersFirst
	d.Head = namedCall
	d.Also = append([]Form{bracketed}, d.Also[:len(d.Also)-1]...)
	d.Written.Text = Pair{"<|python_start|>", "<|python_end|>"}
	d.Show = showLlama
	d.Show.Template = "Llama 4"
	d.Example = llama3JSON.Example
})

var olmo3 = row(pythonCalls, Dialect{
	Name:    "olmo3",
	Aliases: []string{"olmo-3"},
	About:   "OLMo 3",
	Source:  "the models' chat template; vLLM and Ollama olmo3",
	Frame:   Frame{Section: Pair{"<function_calls>", "</function_calls>"}, Call: Pair{"", ")"}, Between: "\n", Separators: ",;"},
	Noise:   []string{"<|im_end|>", "<|endoftext|>"},
	Show:    showOLMo3,
	Results: rawResults("environment"),
	Ends:    Ends{Turn: "<|im_end|>"},
	Example: `<function_calls>get_weather(city="Oslo")</function_calls>`,
	Quirks:  []string{quirkQuotes, quirkNewline, quirkWords, quirkCode, "Markers with nothing between them are dropped."},
})

var lfm2 = row(pythonCalls, Dialect{
	Name:    "lfm2",
	Aliases: []string{"lfm2-thinking"},
	About:   "LFM2",
	Source:  "the models' chat template; vLLM, SGLang and Ollama lfm2, llama.cpp LFM2",
	Frame: Frame{
		Section: Pair{"<|tool_call_start|>[", "]<|tool_call_end|>"}, Call: Pair{"", ")"}, Between: ", ", Separators: ",",
	},
	Also: []Form{
		{Frame: Frame{Section: Pair{"<|tool_call_start|> [", "]<|tool_call_end|>"}, Call: Pair{"", ")"}, Between: ", ", Separators: ","}, Head: pythonHead, Args: pythonArgs},
		{Frame: Frame{Section: Pair{"<|tool_call_start|>", "<|tool_call_end|>"}, Call: Pair{"", ")"}, Between: "\n", Separators: ",;"}, Head: pythonHead, Args: pythonArgs},
		{
			Frame: Frame{Call: Pair{"<|tool_call_start|>", "<|tool_call_end|>"}},
			Head:  Head{Form: HeadEnvelope, Name: []string{"name"}, Array: true},
			Args:  Args{Form: ArgsJSON, Keys: []string{"arguments", "parameters"}},
		},
		bracketed,
	},
	Show:    showLFM2,
	Results: Results{Role: "tool", Result: Pair{"<|tool_response_start|>", "<|tool_response_end|>"}, Alone: true},
	Ends:    Ends{Turn: "<|im_end|>"},
	Example: `<|tool_call_start|>[get_weather(city="Oslo")]<|tool_call_end|>`,
	Quirks: []string{
		quirkQuotes, quirkNewline, quirkWords, quirkCode,
		"Between the markers, calls may lack the brackets, or be JSON objects or a list of them.",
		"Without its markers, the list counts if it calls declared tools.",
		"A second closing marker is dropped. A repeated list right after the first is text.",
	},
})

var lfm25 = variant(lfm2, func(d *Dialect) {
	d.Name, d.Aliases = "lfm25", []string{"lfm2.5", "lfm2.5-thinking"}
	d.About = "LFM2.5: as lfm2, with tools and results without markers"
	d.Source = "the chat templates of LFM2.5-Instruct, -8B-A1B and -VL"
	d.Args.Quote = "'"
	d.Example = `<|tool_call_start|>[get_weather(city='Oslo')]<|tool_call_end|>`
	d.Results = rawResults("tool")
	d.Show = showLFM25
})

var granitePythonic = row(pythonCalls, Dialect{
	Name:      "granite_pythonic",
	About:     "Granite models that are taught calls as lines of Python",
	Source:    "vLLM granite_pythonic",
	Reasoning: noReasoning,
	Frame:     Frame{Call: Pair{"", ")"}, Between: "\n", At: AtLine},
	Noise:     []string{"<|end_of_text|>", "<|end_of_role|>"},
	Example:   `get_weather(city="Oslo")`,
	Quirks: []string{
		quirkQuotes, quirkNewline, quirkWords,
		"A call counts at the beginning of a line, of a declared tool; if none are declared, at the beginning of the message.",
	},
})

var miniCPM3 = row(pythonCalls, Dialect{
	Name:      "minicpm3",
	Aliases:   []string{"minicpm-3", "minicpm4", "minicpm-4"},
	About:     "MiniCPM 3 and 4",
	Source:    "the models' chat template",
	Reasoning: append([]Reasoning{{Open: "<|thought_start|>\n", Close: "\n<|thought_end|>", Anywhere: true}}, thinkTags...),
	Frame: Frame{
		Section: Pair{"<|tool_call_start|>\n```python\n", "\n```\n<|tool_call_end|>"}, Call: Pair{"", ")"}, Between: "\n", Separators: ";",
	},
	Also: []Form{
		{Frame: Frame{Section: Pair{"<|tool_call_start|>", "<|tool_call_end|>"}, Call: Pair{"", ")"}, Between: "\n", Separators: ";"}, Head: pythonHead, Args: pythonArgs},
	},
	Noise:   []string{"<|im_end|>", "</s>"},
	Quirks:  []string{quirkQuotes, quirkNewline, quirkWords, quirkCode, "The fence may be missing."},
	Example: "<|tool_call_start|>\n```python\nget_weather(city=\"Oslo\")\n```\n<|tool_call_end|>",
})

// arrowForm returns the form of a call with arrows whose name is enclosed in quote.
func arrowForm(quote string) Form {
	return Form{
		Frame: Frame{Call: Pair{"[TOOL_CALL]\n{tool => " + quote, "\n}}\n[/TOOL_CALL]"}, Between: "\n"},
		Head:  Head{Form: HeadLiteral, End: quote + ", args => {\n"},
		Args:  Args{Form: ArgsPython, KeyMark: Pair{"--", " "}},
	}
}

var miniMaxArrow = (&Dialect{
	Name:      "minimax_arrow",
	Aliases:   []string{"minimax-arrow", "tool_call_arrow"},
	About:     "MiniMax models that fall into a syntax of their own",
	Source:    "reports of agents' users",
	Reasoning: thinkTags,
	Quirks:    []string{"Line feeds between the parts are optional; the name may be in single quotes.", quirkQuotes, quirkWords},
	Example:   "[TOOL_CALL]\n{tool => \"get_weather\", args => {\n--city \"Oslo\"\n}}\n[/TOOL_CALL]",
}).setForms(arrowForm(`"`), arrowForm("'"))
