package parser

import "slices"

// Dialects with a tag for the function and one for each parameter.

var tagTable = []*Dialect{
	qwen3Coder, step3p5, seedOSS, openHands, minimaxM2, deepseekV32, deepseekV4, deepseekV41,
	gigachat35, step3, minicpm5, dots, anthropicInvoke, functionary31,
}

// What is said of several of them.
const (
	quirkCloser   = "A value without its closer: it ends where, at the beginning of a line, the tag of another declared parameter stands, or where two closers of what is around it do."
	quirkInner    = "The markers inside a value: a closer counts only where what may follow it does."
	quirkNoOuter  = "A call without the markers around the section: read, with the tolerance missing_opener."
	quirkJSONBody = "A JSON object in place of the parameters: read as the arguments."
)

// equalsTags are parameters as Qwen3-Coder writes them, each value on lines of
// its own.
var equalsTags = Args{Form: ArgsPairs, KeyMark: Pair{"<parameter=", ">\n"}, ValueMark: Pair{"", "\n</parameter>\n"}, Layout: LayoutLines}

// inlineTags are the same with the values inside the lines, and all their blanks.
var inlineTags = Args{Form: ArgsPairs, KeyMark: Pair{"<parameter=", ">"}, ValueMark: Pair{"", "</parameter>\n"}}

// lostAngle is Qwen3-Coder's call where the < before function is missing.
var lostAngle = Form{
	Frame: Frame{Section: Pair{"<tool_call>\nfunction=", "\n</tool_call>"}, Call: Pair{"", "</function>"}, Single: true},
	Head:  Head{Form: HeadLiteral, End: ">\n"},
	Args:  equalsTags,
}

// attributeCall is Qwen3-Coder's call with the names in attributes.
var attributeCall = Form{
	Frame: Frame{Section: Pair{"<tool_call>\n", "\n</tool_call>"}, Call: Pair{"<function", "</function>"}, Single: true},
	Head:  Head{Form: HeadAttribute, Name: []string{"name"}, End: ">\n"},
	Args:  attributeTags("parameter", "\n", LayoutLines),
}

// attributeTags are parameters in a tag with their name as an attribute.
func attributeTags(tag, newline string, layout Layout) Args {
	return Args{
		Form: ArgsPairs, Key: "name", KeyMark: Pair{"<" + tag, ">" + newline},
		ValueMark: Pair{"", newline + "</" + tag + ">\n"}, Layout: layout,
	}
}

var qwen3Coder = &Dialect{
	Name: "qwen3_coder",
	Aliases: []string{
		"qwen3coder", "qwen3-coder", "qwen3_xml", "qwen3.5", "mimo", "mimov2_flash", "nemotron_v3", "nemotron-3-nano", "kexaone2", "nanbeige",
		"berrylm", "iquest_coder", "uitars",
	},
	About:  "Qwen3-Coder, Qwen 3.5, Nemotron 3, MiMo, IQuest-Coder",
	Source: "the models' chat templates; vLLM qwen3_coder, SGLang qwen3_coder, llama.cpp, Ollama qwen3-coder",
	Quirks: []string{
		"A call without <tool_call>, or without </tool_call>: read, with a tolerance.", quirkCloser, quirkInner,
		"The < before function is missing: read.", `Names in attributes, as in <function name="f">: read.`,
		"A call begins before </think>: it ends the reasoning.",
	},
	Reasoning:         thinkTags,
	Frame:             Frame{Section: Pair{"<tool_call>\n", "\n</tool_call>"}, Call: Pair{"<function=", "</function>"}, Between: "\n", Single: true},
	Head:              Head{Form: HeadLiteral, End: ">\n"},
	Args:              equalsTags,
	Also:              []Form{attributeCall, lostAngle},
	Noise:             []string{"<|im_end|>", "<|endoftext|>"},
	CallsEndReasoning: true,
	Results:           toolResponse,
	Show:              showTags,
	Example:           "<tool_call>\n<function=get_weather>\n<parameter=city>\nOslo\n</parameter>\n</function>\n</tool_call>",
}

var step3p5 = &Dialect{
	Name:      "step3p5",
	Aliases:   []string{"step-3.5", "step3.5", "stepfun3.5", "step5"},
	About:     "Step 3.5",
	Source:    "the model's chat template; vLLM step3p5, SGLang step3p5, llama.cpp",
	Quirks:    []string{"A call without <tool_call>: read, with the tolerance missing_opener.", quirkCloser, quirkInner},
	Reasoning: thinkTags,
	Frame:     Frame{Section: Pair{"<tool_call>\n", "\n</tool_call>"}, Call: Pair{"<function=", "</function>"}, Between: "\n", Single: true},
	Head:      Head{Form: HeadLiteral, End: ">\n"},
	Args:      equalsTags,
	Also:      []Form{lostAngle},
	Noise:     []string{"<|im_end|>", "<|endoftext|>"},
	Show:      showTags,
	Example:   "<tool_call>\n<function=get_weather>\n<parameter=city>\nOslo\n</parameter>\n</function>\n</tool_call>",
}

var seedOSS = &Dialect{
	Name:    "seed_oss",
	Aliases: []string{"seed-oss", "seedoss"},
	About:   "Seed-OSS 36B",
	Source:  "the model's chat template; vLLM seed_oss, llama.cpp",
	Quirks: []string{
		"The model counts its thinking budget in <seed:cot_budget_reflect> inside <seed:think>: that stays reasoning.",
		"A call that is quoted in its reasoning stays reasoning.", "A newline after the opener of a value is part of the value.", quirkNoOuter, quirkCloser, quirkInner,
	},
	Reasoning: []Reasoning{{Open: "<seed:think>", Close: "</seed:think>", Anywhere: true}},
	Frame:     Frame{Section: Pair{"<seed:tool_call>\n", "\n</seed:tool_call>"}, Call: Pair{"<function=", "</function>"}, Between: "\n", Single: true},
	Head:      Head{Form: HeadLiteral, End: ">\n"},
	Args:      inlineTags,
	Noise:     []string{"<seed:eos>"},
	Example:   "<seed:tool_call>\n<function=get_weather>\n<parameter=city>Oslo</parameter>\n</function>\n</seed:tool_call>",
}

var openHands = &Dialect{
	Name:      "openhands",
	Aliases:   []string{"fn_call_converter"},
	About:     "any model that OpenHands prompts for calls in text",
	Source:    "OpenHands fn_call_converter",
	Quirks:    []string{quirkCloser, quirkInner, "</function> is missing at the end, since it is a stop sequence: complete, with the tolerance missing_closer."},
	Reasoning: thinkTags,
	Frame:     Frame{Call: Pair{"<function=", "</function>"}, Between: "\n"},
	Head:      Head{Form: HeadLiteral, End: ">\n"},
	Args:      inlineTags,
	Show: Show{
		Form:    ToolLines,
		Tool:    Pair{"---- BEGIN FUNCTION #{at}: {name} ----\nDescription: {about}\nParameters:\n", "---- END FUNCTION #{at} ----"},
		Param:   "  ({at}) {name} ({type}, {need}{facts}): {about}\n",
		Between: "\n",
	},
	Example: "<function=get_weather>\n<parameter=city>Oslo</parameter>\n</function>",
}

var minimaxM2 = &Dialect{
	Name:      "minimax_m2",
	Aliases:   []string{"minimax-m2", "minimaxm2", "minimax_m2.1", "minimax-m2.1"},
	About:     "MiniMax M2 and M2.1",
	Source:    "the models' chat templates; vLLM minimax_m2, SGLang minimax-m2, llama.cpp",
	Quirks:    []string{quirkInner, quirkCloser, quirkNoOuter, "Text between two calls of a section: it is text."},
	Reasoning: thinkTags,
	Frame:     Frame{Section: Pair{"<minimax:tool_call>\n", "\n</minimax:tool_call>"}, Call: Pair{"<invoke", "</invoke>"}, Between: "\n"},
	Head:      Head{Form: HeadAttribute, Name: []string{"name"}, End: ">\n"},
	Args:      attributeTags("parameter", "", ""),
	Noise:     []string{"[e~["},
	Results:   Results{Result: Pair{"<response>", "</response>"}, Between: "\n"},
	Show:      showEach("tools", "tool"),
	Example:   "<minimax:tool_call>\n<invoke name=\"get_weather\">\n<parameter name=\"city\">Oslo</parameter>\n</invoke>\n</minimax:tool_call>",
}

// markedForms are calls whose tags all begin with mark, in a section of the given
// name: with parameters, and with a JSON object.
func markedForms(mark, section, newline string) []Form {
	frame := Frame{
		Section: Pair{"<" + mark + section + ">" + newline, newline + "</" + mark + section + ">"},
		Call:    Pair{"<" + mark + "invoke", "</" + mark + "invoke>"}, Between: newline,
	}
	head := Head{Form: HeadAttribute, Name: []string{"name"}, End: ">" + newline}
	args := Args{
		Form: ArgsPairs, Key: "name", Type: "string", KeyMark: Pair{"<" + mark + "parameter", ">"},
		ValueMark: Pair{"", "</" + mark + "parameter>" + newline},
		Closers:   []string{"</" + mark + "{name}>"}, Unwrap: []string{"arguments", "input"},
	}
	return []Form{{frame, head, args}, {frame, head, Args{Form: ArgsJSON}}}
}

// The sections of DeepSeek's models, and the tags without their mark.
var (
	dsml32    = markedForms("｜DSML｜", "function_calls", "\n")
	dsml4     = markedForms("｜DSML｜", "tool_calls", "\n")
	dsml41    = markedForms("｜DSML｜ ", "calls", "\n")
	asciiDSML = markedForms("|DSML|", "tool_calls", "\n")
	plainDSML = append(markedForms("", "function_calls", "\n"), markedForms("", "tool_calls", "\n")...)
	gcml      = markedForms("｜GCML｜", "tool_calls", "")
)

// What is said of all with such a mark.
const (
	quirkMark      = "The mark is missing, or its bars are ASCII: read."
	quirkUnwrapped = "All arguments as JSON in one parameter arguments or input that the tool does not have: unwrapped."
	quirkMisspelt  = "The closer of a value is misspelt: it closes where the next tag follows."
	quirkOneTag    = `An <invoke name="f"/>: a call without arguments.`
)

var deepseekV32 = &Dialect{
	Name:      "deepseek_v32",
	Aliases:   []string{"deepseekv32", "deepseek-v3.2", "deepseek_v3.2"},
	About:     "DeepSeek V3.2",
	Source:    "the model's encoding; vLLM deepseek_v32, SGLang deepseekv32, llama.cpp",
	Quirks:    []string{quirkNoOuter, quirkJSONBody, quirkOneTag, quirkMark, quirkUnwrapped, quirkMisspelt, quirkInner},
	Reasoning: thinkToken,
	Frame:     dsml32[0].Frame,
	Head:      dsml32[0].Head,
	Args:      dsml32[0].Args,
	Also:      slices.Concat(dsml32[1:], dsml4, asciiDSML, plainDSML),
	Noise:     []string{"<｜end▁of▁sentence｜>"},
	Results:   functionResults,
	Show:      showLines,
	Example:   "<｜DSML｜function_calls>\n<｜DSML｜invoke name=\"get_weather\">\n<｜DSML｜parameter name=\"city\" string=\"true\">Oslo</｜DSML｜parameter>\n</｜DSML｜invoke>\n</｜DSML｜function_calls>",
}

var deepseekV4 = &Dialect{
	Name:              "deepseek_v4",
	Aliases:           []string{"deepseekv4", "deepseek-v4", "dsml"},
	About:             "DeepSeek V4",
	Source:            "the model's encoding; vLLM deepseek_v4, SGLang deepseekv4, llama.cpp",
	Quirks:            []string{quirkNoOuter, quirkJSONBody, quirkOneTag, quirkMark, quirkUnwrapped, quirkMisspelt, quirkInner, "A call begins before </think>: it ends the reasoning."},
	Reasoning:         thinkToken,
	Frame:             dsml4[0].Frame,
	Head:              dsml4[0].Head,
	Args:              dsml4[0].Args,
	Also:              slices.Concat(dsml4[1:], dsml32, asciiDSML, plainDSML),
	Noise:             []string{"<｜end▁of▁sentence｜>"},
	CallsEndReasoning: true,
	Results:           Results{Result: Pair{"<tool_result>", "</tool_result>"}},
	Show:              showLines,
	Example:           "<｜DSML｜tool_calls>\n<｜DSML｜invoke name=\"get_weather\">\n<｜DSML｜parameter name=\"city\" string=\"true\">Oslo</｜DSML｜parameter>\n</｜DSML｜invoke>\n</｜DSML｜tool_calls>",
}

var deepseekV41 = &Dialect{
	Name:              "deepseek_v41",
	Aliases:           []string{"deepseekv41", "deepseek-v4.1", "deepseek_v4.1"},
	About:             "DeepSeek V4.1, with a blank after the mark",
	Source:            "SGLang deepseekv41",
	Quirks:            []string{"No blank after the mark, as in V4: read.", quirkNoOuter, quirkJSONBody, quirkOneTag, quirkUnwrapped, quirkMisspelt, quirkInner, "A call begins before </think>: it ends the reasoning."},
	Reasoning:         thinkToken,
	Frame:             dsml41[0].Frame,
	Head:              dsml41[0].Head,
	Args:              dsml41[0].Args,
	Also:              slices.Concat(dsml41[1:], dsml4, dsml32),
	Noise:             []string{"<｜end▁of▁sentence｜>"},
	CallsEndReasoning: true,
	Results:           Results{Result: Pair{"<tool_result>", "</tool_result>"}},
	Show:              showLines,
	Example:           "<｜DSML｜ calls>\n<｜DSML｜ invoke name=\"get_weather\">\n<｜DSML｜ parameter name=\"city\" string=\"true\">Oslo</｜DSML｜ parameter>\n</｜DSML｜ invoke>\n</｜DSML｜ calls>",
}

var gigachat35 = &Dialect{
	Name:      "gigachat35",
	Aliases:   []string{"gigachat3.5", "gigachat-3.5", "gcml"},
	About:     "GigaChat 3.5",
	Source:    "vLLM gigachat35, SGLang gigachat35",
	Quirks:    []string{"<|message_sep|> and </s> after a call: swallowed.", quirkNoOuter, quirkJSONBody, quirkMisspelt, quirkInner},
	Reasoning: thinkTags,
	Frame:     gcml[0].Frame,
	Head:      gcml[0].Head,
	Args:      gcml[0].Args,
	Also:      gcml[1:],
	Noise:     []string{"<|message_sep|>", "</s>"},
	Example:   `<｜GCML｜tool_calls><｜GCML｜invoke name="get_weather"><｜GCML｜parameter name="city" string="true">Oslo</｜GCML｜parameter></｜GCML｜invoke></｜GCML｜tool_calls>`,
}

// step3Form is a call whose tag stands between the given markers.
func step3Form(open, close string) Form {
	return Form{
		Frame: Frame{
			Section: Pair{"<｜tool_calls_begin｜>", "<｜tool_calls_end｜>"},
			Call:    Pair{open + "<steptml:invoke", "</steptml:invoke>" + close},
		},
		Head: Head{Form: HeadAttribute, Name: []string{"name"}, End: ">"},
		Args: Args{Form: ArgsPairs, Key: "name", KeyMark: Pair{"<steptml:parameter", ">"}, ValueMark: Pair{"", "</steptml:parameter>"}},
	}
}

// step3Forms are Step 3's calls: with the type of the call, and with its name
// after that, or with neither, and each after a separator.
func step3Forms() []Form {
	const begin, end, separator = "<｜tool_call_begin｜>", "<｜tool_call_end｜>", "<｜tool_sep｜>"
	var forms []Form
	for _, before := range []string{"", separator} {
		for _, kind := range []string{"function" + separator, "function" + separator + "{name}\n", ""} {
			f := step3Form(before+begin+kind, end)
			f.Frame.Closers = []string{"</steptml:invoke>" + f.Frame.Section.Close}
			forms = append(forms, f)
		}
	}
	return append(forms, step3Form("", ""))
}

var step3 = &Dialect{
	Name:    "step3",
	Aliases: []string{"step-3", "stepfun3"},
	About:   "Step 3",
	Source:  "the model's chat template; vLLM step3, SGLang step3",
	Quirks: []string{
		"The type function and its separator are missing, or the name stands after them, too: read.",
		"<｜tool_sep｜> between two calls: it belongs to the second.", quirkNoOuter, quirkInner,
	},
	Reasoning: thinkTags,
	Frame:     step3Forms()[0].Frame,
	Head:      step3Forms()[0].Head,
	Args:      step3Forms()[0].Args,
	Also:      step3Forms()[1:],
	Example:   `<｜tool_calls_begin｜><｜tool_call_begin｜>function<｜tool_sep｜><steptml:invoke name="get_weather"><steptml:parameter name="city">Oslo</steptml:parameter></steptml:invoke><｜tool_call_end｜><｜tool_calls_end｜>`,
}

var minicpm5 = &Dialect{
	Name:      "minicpm5",
	Aliases:   []string{"minicpm5xml", "minicpm-5"},
	About:     "MiniCPM 5",
	Source:    "the model's chat template; vLLM minicpm5, SGLang minicpm5, llama.cpp",
	Quirks:    []string{"A value in a CDATA section, or with entities: decoded.", "A parameter without a name as the first: the tags are text.", quirkInner},
	Reasoning: thinkTags,
	Frame:     Frame{Call: Pair{"<function", "</function>"}, Between: "\n"},
	Head:      Head{Form: HeadAttribute, Name: []string{"name"}, End: ">"},
	Args:      Args{Form: ArgsPairs, Key: "name", KeyMark: Pair{"<param", ">"}, ValueMark: Pair{"", "</param>"}, Entities: true},
	Noise:     []string{"<|im_end|>"},
	Example:   `<function name="get_weather"><param name="city">Oslo</param></function>`,
}

var dots = &Dialect{
	Name:      "dots",
	Aliases:   []string{"dots1", "dots.llm"},
	About:     "dots.llm",
	Source:    "vLLM dots, SGLang dots",
	Quirks:    []string{`A JSON object with name and arguments in place of the tags: read.`, quirkNoOuter, quirkInner},
	Reasoning: thinkTags,
	Frame:     Frame{Section: Pair{"<dots_function_call>", "</dots_function_call>"}, Call: Pair{"<invoke", "</invoke>"}, Single: true},
	Head:      Head{Form: HeadAttribute, Name: []string{"name"}, End: ">"},
	Args:      Args{Form: ArgsPairs, Key: "name", KeyMark: Pair{"<parameter", ">"}, ValueMark: Pair{"", "</parameter>"}},
	Also: []Form{{
		Frame: Frame{Section: Pair{"<dots_function_call>", "</dots_function_call>"}, Single: true},
		Head:  Head{Form: HeadEnvelope, Name: []string{"name"}, Array: true},
		Args:  Args{Form: ArgsJSON, Keys: []string{"arguments", "parameters"}},
	}},
	Example: `<dots_function_call><invoke name="get_weather"><parameter name="city">Oslo</parameter></invoke></dots_function_call>`,
}

// invokeForm is Anthropic's call, its tags with a prefix, in a section.
func invokeForm(prefix, section string) Form {
	return Form{
		Frame: Frame{
			Section: Pair{"<" + prefix + section + ">\n", "\n</" + prefix + section + ">"},
			Call:    Pair{"<" + prefix + "invoke", "</" + prefix + "invoke>"}, Between: "\n",
		},
		Head: Head{Form: HeadAttribute, Name: []string{"name"}, End: ">\n"},
		Args: attributeTags(prefix+"parameter", "", ""),
	}
}

var anthropicInvoke = &Dialect{
	Name:    "anthropic_invoke",
	Aliases: []string{"anthropic-invoke", "anthropic", "claude_xml", "function_calls"},
	About:   "Claude, and models that fell into its syntax",
	Source:  "Anthropic's prompts for tool use in text; prompt shims",
	Quirks: []string{
		"tool_calls or minimax:tool_call in place of function_calls, or nothing at all: read.",
		"The prefix antml: on each tag: read.", "The elder form, with <tool_name> and one tag a parameter: read.", quirkInner, quirkCloser,
	},
	Reasoning: thinkTags,
	Frame:     invokeForm("", "function_calls").Frame,
	Head:      invokeForm("", "function_calls").Head,
	Args:      invokeForm("", "function_calls").Args,
	Also: []Form{
		invokeForm("", "tool_calls"), invokeForm("", "minimax:tool_call"), invokeForm("antml:", "function_calls"), elderInvoke,
	},
	Results: invokeResults,
	Show:    showEach("functions", "function"),
	Example: "<function_calls>\n<invoke name=\"get_weather\">\n<parameter name=\"city\">Oslo</parameter>\n</invoke>\n</function_calls>",
}

// elderInvoke is the form in which Anthropic's first prompts had it.
var elderInvoke = Form{
	Frame: Frame{
		Section: Pair{"<function_calls>\n", "\n</function_calls>"},
		Call:    Pair{"<invoke>\n<tool_name>", "</parameters>\n</invoke>"}, Between: "\n",
	},
	Head: Head{Form: HeadLiteral, End: "</tool_name>\n<parameters>\n"},
	Args: Args{Form: ArgsPairs, Nested: true, Item: "item", KeyMark: Pair{"<", ">"}, ValueMark: Pair{"", "</{key}>\n"}},
}

var functionary31 = &Dialect{
	Name:      "functionary_v31",
	Aliases:   []string{"functionary-v3.1", "functionary_v3.1", "llama3.1-function-tag"},
	About:     "Functionary 3.1, and Llama 3.1 with custom tools",
	Source:    "the models' chat templates; llama.cpp functionary v3.1",
	Quirks:    []string{"JSON that is only nearly so: mended, with a tolerance."},
	Reasoning: thinkTags,
	Frame:     Frame{Call: Pair{"<function=", "</function>"}, Between: "\n"},
	Head:      Head{Form: HeadLiteral, End: ">"},
	Args:      Args{Form: ArgsJSON},
	Noise:     []string{"<|eom_id|>", "<|eot_id|>"},
	Example:   `<function=get_weather>{"city": "Oslo"}</function>`,
}
