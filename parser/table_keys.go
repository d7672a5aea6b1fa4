package parser

import "slices"

// Dialects with literal markers around each key and each value.

var keyTable = []*Dialect{glm45, glm47, ling3, spark25, poolside, iquest, hyperclovax, hunyuanV3, hunyuanV4, k2Horizon, solarOpen2}

// thinkToken is <think> where it is a token of the model, which prose has no use for.
var thinkToken = []Reasoning{{Open: "<think>", Close: "</think>", Anywhere: true}}

// argKeys are arguments as GLM and those that took after it write them.
func argKeys(between string) Args {
	return Args{
		Form: ArgsPairs, KeyMark: Pair{"<arg_key>", "</arg_key>" + between}, ValueMark: Pair{"<arg_value>", "</arg_value>" + between},
		Escaped: true,
	}
}

// What is said of all of them.
const (
	quirkLayout  = `A backslash and an n for a newline after the name, a key or a value: layout, as the newline is.`
	quirkEscaped = `A list or object whose quotes are escaped, as if it stood in a string: read as what it was before, where the schema wants one.`
	quirkValue   = `A value without its opener or its closer: it begins after the key, and ends where the next key or the call's closer stands.`
	quirkNoValue = `A key without a value: passed over, with the tolerance missing_key.`
)

var glm45 = &Dialect{
	Name:              "glm45",
	Aliases:           []string{"glm", "glm4", "glm-4.5", "glm-4.6", "glm46"},
	About:             "GLM 4.5 and 4.6",
	Source:            "the models' chat templates; vLLM glm45, SGLang glm and glm45, Ollama glm-4.6",
	Quirks:            []string{quirkLayout, quirkEscaped, quirkValue, quirkNoValue, "A call begins before </think>: it ends the reasoning."},
	Reasoning:         thinkToken,
	Frame:             Frame{Call: Pair{"<tool_call>", "</tool_call>"}, Between: "\n"},
	Head:              Head{Form: HeadLiteral, End: "\n"},
	Args:              argKeys("\n"),
	Noise:             []string{"<|user|>", "<|assistant|>", "<|observation|>", "<|endoftext|>"},
	CallsEndReasoning: true,
	Results:           toolResponse,
	Example:           "<tool_call>get_weather\n<arg_key>city</arg_key>\n<arg_value>Oslo</arg_value>\n</tool_call>",
}

var glm47 = &Dialect{
	Name:              "glm47",
	Aliases:           []string{"glm-4.7", "glm5", "glm-5", "glm-ocr"},
	About:             "GLM 4.7 and 5: as glm45, without newlines",
	Source:            "the models' chat templates; vLLM glm47, SGLang glm47, Ollama glm-4.7",
	Quirks:            []string{quirkEscaped, quirkValue, quirkNoValue, "Newlines as in glm45: read as well."},
	Reasoning:         thinkToken,
	Frame:             Frame{Call: Pair{"<tool_call>", "</tool_call>"}},
	Head:              Head{Form: HeadLiteral},
	Args:              argKeys(""),
	Noise:             glm45.Noise,
	CallsEndReasoning: true,
	Results:           Results{Result: Pair{"<tool_response>", "</tool_response>"}},
	Example:           "<tool_call>get_weather<arg_key>city</arg_key><arg_value>Oslo</arg_value></tool_call>",
}

var ling3 = &Dialect{
	Name:              "ling3",
	Aliases:           []string{"ling-3", "ring3"},
	About:             "Ling 3 and Ring 3: as glm45, with other ends of a turn",
	Source:            "SGLang ling3, llama.cpp Ling 3",
	Quirks:            []string{quirkLayout, quirkEscaped, quirkValue, quirkNoValue, "A call begins before </think>: it ends the reasoning."},
	Reasoning:         thinkToken,
	Frame:             glm45.Frame,
	Head:              glm45.Head,
	Args:              argKeys("\n"),
	Noise:             []string{"<|role_end|>", "<|endoftext|>"},
	CallsEndReasoning: true,
	Example:           glm45.Example,
}

var spark25 = &Dialect{
	Name:      "spark25",
	Aliases:   []string{"spark2.5", "spark-2.5", "spark3"},
	About:     "iFlytek Spark 2.5 and 3",
	Source:    "SGLang spark25, llama.cpp Spark 2.5",
	Quirks:    []string{quirkValue, quirkNoValue},
	Reasoning: thinkToken,
	Frame:     glm47.Frame,
	Head:      glm47.Head,
	Args:      argKeys(""),
	Noise:     []string{"<end>", "<|Bot|>", "<|User|>", "<|Tool|>", "<｜end▁of▁sentence｜>"},
	Example:   glm47.Example,
}

var poolside = &Dialect{
	Name:    "poolside_v1",
	Aliases: []string{"poolside", "poolside-v1", "laguna"},
	About:   "Poolside Laguna",
	Source:  "vLLM poolside_v1, SGLang poolside_v1, Ollama laguna and poolside-v1",
	Quirks: []string{
		"The arguments as a JSON object after the name, or the whole call as one: read.",
		"A JSON object with name and arguments and no markers around: a call where a tool of that name is declared.",
		quirkValue, quirkNoValue,
	},
	Reasoning: thinkToken,
	Frame:     glm45.Frame,
	Head:      glm45.Head,
	Args:      argKeys("\n"),
	Also: []Form{
		{glm45.Frame, glm45.Head, Args{Form: ArgsJSON}},
		{glm45.Frame, Head{Form: HeadEnvelope, Name: []string{"name"}}, Args{Form: ArgsJSON, Keys: []string{"arguments", "parameters"}}},
		{Head: Head{Form: HeadEnvelope, Name: []string{"name"}}, Args: Args{Form: ArgsJSON, Keys: []string{"arguments"}}},
	},
	Noise:   []string{"<assistant>", "</assistant>"},
	Example: glm45.Example,
}

var iquest = &Dialect{
	Name:      "iquest_q1",
	Aliases:   []string{"iquest", "iquest-q1"},
	About:     "IQuest Q1",
	Source:    "SGLang iquest_q1 (a branch)",
	Quirks:    []string{quirkValue, quirkNoValue},
	Reasoning: thinkToken,
	Frame:     Frame{Call: Pair{"<iquest_tool_call>", "</iquest_tool_call>"}},
	Head:      Head{Form: HeadLiteral},
	Args:      argKeys(""),
	Example:   "<iquest_tool_call>get_weather<arg_key>city</arg_key><arg_value>Oslo</arg_value></iquest_tool_call>",
}

var hyperclovax = &Dialect{
	Name:    "hyperclovax_seed_think",
	Aliases: []string{"hyperclovax", "hyperclovax-seed-think"},
	About:   "HyperCLOVA X SEED Think",
	Source:  "the model's chat template; vLLM hyperclovax_seed_think",
	Quirks: []string{
		"Strings without their quotes: read as they stand.",
		"A list of calls as bare JSON, as a forced tool choice makes it: calls where tools of those names are declared.",
		quirkValue, quirkNoValue,
	},
	Reasoning: thinkToken,
	Frame:     glm45.Frame,
	Head:      glm45.Head,
	Args: Args{
		Form: ArgsPairs, KeyMark: Pair{"<arg_key>", "</arg_key>\n"}, ValueMark: Pair{"<arg_value>", "</arg_value>\n"},
		Layout: LayoutTrim, Quoted: true,
	},
	Also: []Form{{
		Head: Head{Form: HeadEnvelope, Name: []string{"name"}, Wrap: []string{"function"}, Array: true},
		Args: Args{Form: ArgsJSON, Keys: []string{"parameters", "arguments"}},
	}},
	Noise:   []string{"<|im_end|>"},
	Example: "<tool_call>get_weather\n<arg_key>city</arg_key>\n<arg_value>\"Oslo\"</arg_value>\n</tool_call>",
}

var hunyuanV3 = &Dialect{
	Name:    "hy_v3",
	Aliases: []string{"hunyuan", "hy3", "hyv3"},
	About:   "Tencent Hy3",
	Source:  "the model's chat template; vLLM hy_v3, SGLang hunyuan",
	Quirks: []string{
		"Markers with the suffix :opensource, as in hy_v4, those of the reasoning too: read.",
		"A call outside of <tool_calls>: read, with the tolerance missing_opener.",
		quirkValue, quirkNoValue,
	},
	Reasoning: append(slices.Clone(thinkToken), Reasoning{Open: "<think:opensource>", Close: "</think:opensource>", Anywhere: true}),
	Frame:     Frame{Section: Pair{"<tool_calls>\n", "\n</tool_calls>"}, Call: Pair{"<tool_call>", "</tool_call>"}, Between: "\n"},
	Head:      Head{Form: HeadLiteral, End: "<tool_sep>\n"},
	Args:      argKeys("\n"),
	Also: []Form{{
		Frame{Section: Pair{"<tool_calls:opensource>", "</tool_calls:opensource>"}, Call: Pair{"<tool_call:opensource>", "</tool_call:opensource>"}},
		Head{Form: HeadLiteral, End: "<tool_sep:opensource>"},
		openSourceKeys,
	}},
	Example: "<tool_calls>\n<tool_call>get_weather<tool_sep>\n<arg_key>city</arg_key>\n<arg_value>Oslo</arg_value>\n</tool_call>\n</tool_calls>",
}

// openSourceKeys are arguments of hy_v4.
var openSourceKeys = Args{
	Form: ArgsPairs, KeyMark: Pair{"<arg_key:opensource>", "</arg_key:opensource>"},
	ValueMark: Pair{"<arg_value:opensource>", "</arg_value:opensource>"},
}

var hunyuanV4 = &Dialect{
	Name:    "hy_v4",
	Aliases: []string{"hy4", "hyv4", "hunyuan_v4"},
	About:   "Tencent Hy4",
	Source:  "vLLM hy_v4, SGLang hunyuan (Hy4)",
	Quirks: []string{
		"Markers without the suffix :opensource: read.",
		"A call outside of <tool_calls:opensource>: read, with the tolerance missing_opener.",
		quirkValue, quirkNoValue,
	},
	Reasoning: []Reasoning{
		{Open: "<think:opensource>", Close: "</think:opensource>", Anywhere: true},
		{Open: "<think>", Close: "</think>", Anywhere: true},
	},
	Frame: Frame{
		Section: Pair{"<tool_calls:opensource>", "</tool_calls:opensource>"},
		Call:    Pair{"<tool_call:opensource>", "</tool_call:opensource>"},
	},
	Head:    Head{Form: HeadLiteral},
	Args:    openSourceKeys,
	Also:    []Form{{Frame{Section: Pair{"<tool_calls>", "</tool_calls>"}, Call: Pair{"<tool_call>", "</tool_call>"}}, Head{Form: HeadLiteral}, argKeys("")}},
	Example: "<tool_calls:opensource><tool_call:opensource>get_weather<arg_key:opensource>city</arg_key:opensource><arg_value:opensource>Oslo</arg_value:opensource></tool_call:opensource></tool_calls:opensource>",
}

var k2HorizonFrame = Frame{
	Section: Pair{"<ifm|tool_calls>\n", "\n</ifm|tool_calls>"},
	Call:    Pair{"<ifm|tool_call>", "</ifm|tool_call>"}, Between: "\n",
}

var k2Horizon = &Dialect{
	Name:    "k2_horizon",
	Aliases: []string{"k2-horizon", "k2v3", "k2_v3"},
	About:   "K2 Horizon of IFM, whose template has a switch for the form of a call",
	Source:  "the model's chat template; vLLM k2_horizon, SGLang k2_horizon, llama.cpp K2 Horizon",
	Quirks: []string{
		"The call as one JSON object, or with the type of each value between key and value: read.",
		"A call outside of <ifm|tool_calls>: read, with the tolerance missing_opener.",
		quirkValue, quirkNoValue,
	},
	Reasoning: []Reasoning{
		{Open: "<ifm|think>", Close: "</ifm|think>", Anywhere: true},
		{Open: "<ifm|think_fast>", Close: "</ifm|think_fast>", Anywhere: true},
		{Open: "<ifm|think_faster>", Close: "</ifm|think_faster>", Anywhere: true},
	},
	Frame: k2HorizonFrame,
	Head:  Head{Form: HeadLiteral},
	Args: Args{
		Form: ArgsPairs, KeyMark: Pair{"<ifm|arg_key>", "</ifm|arg_key>"}, TypeMark: Pair{"<ifm|arg_type>", "</ifm|arg_type>"},
		ValueMark: Pair{"<ifm|arg_value>", "</ifm|arg_value>"},
	},
	Also: []Form{{
		k2HorizonFrame, Head{Form: HeadEnvelope, Name: []string{"name"}}, Args{Form: ArgsJSON, Keys: []string{"arguments", "parameters"}},
	}},
	Noise:   []string{"<|im_end|>"},
	Example: "<ifm|tool_calls>\n<ifm|tool_call>get_weather<ifm|arg_key>city</ifm|arg_key><ifm|arg_type>string</ifm|arg_type><ifm|arg_value>Oslo</ifm|arg_value></ifm|tool_call>\n</ifm|tool_calls>",
}

var solarOpen2 = &Dialect{
	Name:      "solar_open2",
	Aliases:   []string{"solar-open2", "solar_open_2"},
	About:     "Upstage Solar Open 2",
	Source:    "vLLM solar_open2, SGLang solar_open2",
	Quirks:    []string{"A value without its closer, or a key without a value: as in glm45.", "An argument twice: the first counts."},
	Reasoning: []Reasoning{{Open: "<|think:start|>", Close: "<|think:end|>", Anywhere: true}},
	Frame:     Frame{Call: Pair{"<|tool_call:start|>", "<|tool_call:end|>"}, Between: "\n"},
	Head:      Head{Form: HeadLiteral, End: "\n"},
	Args:      Args{Form: ArgsPairs, KeyMark: Pair{"<|tool_arg:start|>", "<|tool_arg:value|>"}, ValueMark: Pair{"", "<|tool_arg:end|>\n"}},
	Noise:     []string{"<|im:end|>"},
	Example:   "<|tool_call:start|>get_weather\n<|tool_arg:start|>city<|tool_arg:value|>Oslo<|tool_arg:end|>\n<|tool_call:end|>",
}
