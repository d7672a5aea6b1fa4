package dialect

import (
	"slices"
	"strings"
)

// Dialects with a tag for the function and one for each parameter.

var tagTable = []*Dialect{
	qwen3Coder, qwen35, qwen36, nemotron3, step3p5, seedOSS, openHands, minimaxM2, deepseekV32, deepseekV4, deepseekV41,
	gigachat35, step3, minicpm5, bfclXML, dots, anthropicInvoke, functionary31,
}

// Quirks that several of them share.
const (
	quirkCloser   = "A value without its closing tag ends at a line that begins with the tag of another declared parameter, or at two closing tags of the levels above."
	quirkInner    = "Values may contain the markers: a closing marker counts only if something that may follow it does follow."
	quirkNoOuter  = "The markers around the section may be missing (tolerance missing_opener)."
	quirkJSONBody = "A JSON object in place of the parameters is read as the arguments."

	quirkEndsReasoning = "A call that begins before </think> ends the reasoning."
)

// equalsTags is the form of Qwen3-Coder's parameters, each value on lines of its own.
var equalsTags = Args{Form: ArgsPairs, KeyMark: Pair{"<parameter=", ">\n"}, ValueMark: Pair{"", "\n</parameter>\n"}, Layout: LayoutLines, Python: PythonScalars}

// inlineTags is the same with values in the line of their tags, which keep all blanks.
var inlineTags = Args{Form: ArgsPairs, KeyMark: Pair{"<parameter=", ">"}, ValueMark: Pair{"", "</parameter>\n"}}

// reprTags is the same with all values as Python prints them.
var reprTags = func(a Args) Args { a.Python = PythonAll; return a }(inlineTags)

// lostAngle is Qwen3-Coder's call without the < before function.
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

// attributeTags returns the form of parameters in a tag with their name as an attribute.
func attributeTags(tag, newline string, layout Layout) Args {
	return Args{
		Form: ArgsPairs, Key: "name", KeyMark: Pair{"<" + tag, ">" + newline},
		ValueMark: Pair{"", newline + "</" + tag + ">\n"}, Layout: layout,
	}
}

var qwen3Coder = row(thinking, Dialect{
	Name: "qwen3_coder",
	Aliases: []string{
		"qwen3coder", "qwen3-coder", "qwen3_xml", "mimo", "mimov2_flash", "kexaone2", "nanbeige",
		"berrylm", "iquest_coder", "uitars",
	},
	About:  "Qwen3-Coder, MiMo, IQuest-Coder",
	Source: "the models' chat templates; vLLM qwen3_coder, SGLang qwen3_coder, llama.cpp, Ollama qwen3-coder",
	Quirks: []string{
		"<tool_call> or </tool_call> may be missing, with a tolerance.", quirkCloser, quirkInner,
		"The < before function may be missing.", `Names may be attributes, as in <function name="f">.`,
		quirkEndsReasoning,
	},
	Frame:             Frame{Section: Pair{"<tool_call>\n", "\n</tool_call>"}, Call: Pair{"<function=", "</function>"}, Between: "\n", Single: true},
	Head:              Head{Form: HeadLiteral, End: ">\n"},
	Args:              equalsTags,
	Also:              []Form{attributeCall, lostAngle},
	Noise:             []string{"<|im_end|>", "<|endoftext|>"},
	CallsEndReasoning: true,
	Results:           toolResponse,
	Show:              showCoder,
	Written:           Written{Lead: "\n\n", Reasoning: thinkLines},
	Ends:              Ends{Turn: "<|im_end|>"},
	Example:           "<tool_call>\n<function=get_weather>\n<parameter=city>\nOslo\n</parameter>\n</function>\n</tool_call>",
})

var qwen35 = variant(qwen3Coder, func(d *Dialect) {
	d.Name, d.Aliases = "qwen35", []string{"qwen3.5"}
	d.About = "Qwen 3.5: as qwen3_coder, with the tools as JSON before the system text"
	d.Source = "the models' chat templates"
	d.Show = showQwen35
	d.Written.Keeps = KeepsTurn
	d.Written.Begun = "<think>\n"
})

var qwen36 = variant(qwen35, func(d *Dialect) {
	d.Name, d.Aliases = "qwen36", []string{"qwen3.6", "qwen3.8"}
	d.About = "Qwen 3.6 and 3.8: as qwen35, with all values as JSON"
	d.Args.Python = ""
})

var nemotron3 = variant(qwen3Coder, func(d *Dialect) {
	d.Name, d.Aliases = "nemotron3", []string{"nemotron_v3", "nemotron-3-nano"}
	d.About = "Nemotron 3: as qwen3_coder, with fewer line feeds around text"
	d.Source = "the models' chat templates"
	d.Written = Written{Keeps: KeepsTurn, Begun: "<think>\n", Lead: "\n", Reasoning: Pair{"<think>\n", "\n</think>\n"}}
})

var step3p5 = row(thinking, Dialect{
	Name:              "step3p5",
	Aliases:           []string{"step-3.5", "step3.5", "stepfun3.5", "step5"},
	About:             "Step 3.5",
	Source:            "the model's chat template; vLLM step3p5, SGLang step3p5, llama.cpp",
	Quirks:            []string{"<tool_call> may be missing (tolerance missing_opener).", quirkCloser, quirkInner, quirkEndsReasoning},
	Frame:             Frame{Section: Pair{"<tool_call>\n", "\n</tool_call>"}, Call: Pair{"<function=", "</function>"}, Single: true},
	CallsEndReasoning: true,
	Head:              Head{Form: HeadLiteral, End: ">\n"},
	Args:              equalsTags,
	Also:              []Form{lostAngle},
	Noise:             []string{"<|im_end|>", "<|endoftext|>"},
	Show:              showStep3p5,
	Written:           Written{Keeps: KeepsTurn, Begun: "<think>\n", Reasoning: Pair{"<think>\n", "\n</think>\n"}},
	Results:           Results{Result: Pair{"<tool_response>", "</tool_response>"}},
	Ends:              Ends{Turn: "<|im_end|>"},
	Example:           "<tool_call>\n<function=get_weather>\n<parameter=city>\nOslo\n</parameter>\n</function>\n</tool_call>",
})

var seedOSS = row(thinking, Dialect{
	Name:    "seed_oss",
	Aliases: []string{"seed-oss", "seedoss"},
	About:   "Seed-OSS 36B",
	Source:  "the model's chat template; vLLM seed_oss, llama.cpp",
	Quirks: []string{
		"The model counts its thinking budget in <seed:cot_budget_reflect> inside <seed:think>; this stays reasoning.",
		"A call quoted in the reasoning stays reasoning.", "A line feed after the opening tag of a value is part of the value.", quirkNoOuter, quirkCloser, quirkInner,
	},
	Reasoning: []Reasoning{{Open: "<seed:think>", Close: "</seed:think>", Anywhere: true}},
	Frame:     Frame{Section: Pair{"<seed:tool_call>\n", "\n</seed:tool_call>"}, Call: Pair{"<function=", "</function>"}, Between: "\n", Single: true},
	Head:      Head{Form: HeadLiteral, End: ">\n"},
	Args:      reprTags,
	Show:      showSeed,
	Written:   Written{Keeps: KeepsAll, Lead: "\n\n", Reasoning: Pair{"<seed:think>", "</seed:think>\n"}},
	Results:   rawResults("tool"),
	Ends:      Ends{Turn: "<seed:eos>"},
	Example:   "<seed:tool_call>\n<function=get_weather>\n<parameter=city>Oslo</parameter>\n</function>\n</seed:tool_call>",
})

var openHands = row(thinking, Dialect{
	Name:    "openhands",
	Aliases: []string{"fn_call_converter"},
	About:   "any model that OpenHands prompts for calls in text",
	Source:  "OpenHands fn_call_converter",
	Quirks:  []string{quirkCloser, quirkInner, "</function> may be missing at the end, because it is a stop sequence (tolerance missing_closer)."},
	Frame:   Frame{Call: Pair{"<function=", "</function>"}, Between: "\n", Stop: true},
	Head:    Head{Form: HeadLiteral, End: ">\n"},
	Args:    inlineTags,
	Show: Show{
		Form:    ToolLines,
		Tool:    Pair{"---- BEGIN FUNCTION #{at}: {name} ----\nDescription: {about}\nParameters:\n", "---- END FUNCTION #{at} ----"},
		Param:   "  ({at}) {name} ({type}, {need}{facts}): {about}\n",
		Between: "\n",
	},
	Example: "<function=get_weather>\n<parameter=city>Oslo</parameter>\n</function>",
})

var minimaxM2 = row(thinking, Dialect{
	Name:              "minimax_m2",
	Aliases:           []string{"minimax-m2", "minimaxm2", "minimax_m2.1", "minimax-m2.1"},
	About:             "MiniMax M2 and M2.1",
	Source:            "the models' chat templates; vLLM minimax_m2, SGLang minimax-m2, llama.cpp",
	Quirks:            []string{quirkInner, quirkCloser, quirkNoOuter, "Text between two calls of a section stays text.", quirkEndsReasoning},
	Frame:             Frame{Section: Pair{"<minimax:tool_call>\n", "\n</minimax:tool_call>"}, Call: Pair{"<invoke", "</invoke>"}, Between: "\n"},
	Head:              Head{Form: HeadAttribute, Name: []string{"name"}, End: ">\n"},
	Args:              attributeTags("parameter", "", ""),
	Results:           Results{Result: Pair{"<response>", "</response>"}, Between: "\n"},
	Show:              showMinimax2,
	Written:           Written{Keeps: KeepsTurn, Begun: "<think>\n", Lead: "\n", LeadReasoning: true, Reasoning: thinkLines},
	CallsEndReasoning: true,
	Ends:              Ends{Turn: "[e~["},
	Example:           "<minimax:tool_call>\n<invoke name=\"get_weather\">\n<parameter name=\"city\">Oslo</parameter>\n</invoke>\n</minimax:tool_call>",
})

// markedForms returns the forms of calls whose tags all begin with mark, in a section of that
// name: with parameters, and with a JSON object.
func markedForms(mark, section string) []Form {
	frame := Frame{
		Section: Pair{"<" + mark + section + ">\n", "\n</" + mark + section + ">"},
		Call:    Pair{"<" + mark + "invoke", "</" + mark + "invoke>"}, Between: "\n",
	}
	head := Head{Form: HeadAttribute, Name: []string{"name"}, End: ">\n"}
	args := Args{
		Form: ArgsPairs, Key: "name", Type: "string", KeyMark: Pair{"<" + mark + "parameter", ">"},
		ValueMark: Pair{"", "</" + mark + "parameter>\n"},
		Closers:   []string{"</" + mark + "{name}>"}, Unwrap: []string{"arguments", "input"}, Marked: mark != "",
	}
	return []Form{{Frame: frame, Head: head, Args: args}, {Frame: frame, Head: head, Args: Args{Form: ArgsJSON}}}
}

// The sections of DeepSeek's models, and the tags without their mark.
var (
	dsml32    = markedForms("｜DSML｜", "function_calls")
	dsml4     = markedForms("｜DSML｜", "tool_calls")
	dsml41    = markedForms("｜DSML｜ ", "calls")
	asciiDSML = markedForms("|DSML|", "tool_calls")
	barsDSML  = append(markedForms("｜｜DSML｜｜", "tool_calls"), markedForms("‖DSML‖", "tool_calls")...)
	plainDSML = append(markedForms("", "function_calls"), markedForms("", "tool_calls")...)
	gcml      = markedForms("｜GCML｜", "tool_calls")
)

// Quirks of all dialects with such a mark.
const (
	quirkMark      = "The mark may be missing, or have ASCII or double bars."
	quirkUnwrapped = "All arguments as JSON in a single parameter arguments or input, which the tool does not have, are unwrapped."
	quirkMisspelt  = "A misspelt closing tag of a value counts if another tag follows."
	quirkOneTag    = `<invoke name="f"/> is a call without arguments.`
)

var deepseekV32 = row(thinking, Dialect{
	Name:      "deepseek_v32",
	Aliases:   []string{"deepseekv32", "deepseek-v3.2", "deepseek_v3.2"},
	About:     "DeepSeek V3.2",
	Source:    "the model's encoding; vLLM deepseek_v32, SGLang deepseekv32, llama.cpp",
	Quirks:    []string{quirkNoOuter, quirkJSONBody, quirkOneTag, quirkMark, quirkUnwrapped, quirkMisspelt, quirkInner},
	Reasoning: thinkToken,
	Results:   functionResults,
	Show:      showDeepSeekV32,
	Written:   Written{Keeps: KeepsTurn, Begun: "<think>", Lead: "\n\n", LeadReasoning: true, Empty: "\n"},
	Ends:      Ends{Turn: "<｜end▁of▁sentence｜>"},
	Example:   "<｜DSML｜function_calls>\n<｜DSML｜invoke name=\"get_weather\">\n<｜DSML｜parameter name=\"city\" string=\"true\">Oslo</｜DSML｜parameter>\n</｜DSML｜invoke>\n</｜DSML｜function_calls>",
}).setForms(slices.Concat(dsml32, dsml4, asciiDSML, barsDSML, plainDSML)...)

var deepseekV4 = derived(deepseekV32, func(d *Dialect) {
	d.Name, d.Aliases = "deepseek_v4", []string{"deepseekv4", "deepseek-v4", "dsml"}
	d.About, d.Source = "DeepSeek V4", "the model's encoding; vLLM deepseek_v4, SGLang deepseekv4, llama.cpp"
	d.Quirks = append(slices.Clip(d.Quirks), quirkEndsReasoning)
	d.setForms(slices.Concat(dsml4, dsml32, asciiDSML, barsDSML, plainDSML)...)
	d.CallsEndReasoning = true
	d.Show, d.Written.Keeps = showDeepSeekV4, KeepsAll
	d.Results = Results{Result: Pair{"<tool_result>", "</tool_result>"}, Between: "\n\n"}
	d.Example = strings.ReplaceAll(d.Example, "function_calls>", "tool_calls>")
})

var deepseekV41 = derived(deepseekV4, func(d *Dialect) {
	d.Name, d.Aliases = "deepseek_v41", []string{"deepseekv41", "deepseek-v4.1", "deepseek_v4.1"}
	d.About, d.Source = "DeepSeek V4.1, with a blank after the mark", "SGLang deepseekv41"
	d.Quirks = []string{"The blank after the mark may be missing, as in V4.", quirkNoOuter, quirkJSONBody, quirkOneTag, quirkUnwrapped, quirkMisspelt, quirkInner, quirkEndsReasoning}
	d.setForms(slices.Concat(dsml41, dsml4, dsml32)...)
	d.Show = showDeepSeekV41
	d.Example = strings.NewReplacer("｜DSML｜tool_calls", "｜DSML｜ calls", "｜DSML｜", "｜DSML｜ ").Replace(d.Example)
})

var gigachat35 = row(thinking, Dialect{
	Name:    "gigachat35",
	Aliases: []string{"gigachat3.5", "gigachat-3.5", "gcml"},
	About:   "GigaChat 3.5",
	Source:  "vLLM gigachat35, SGLang gigachat35",
	Quirks:  []string{"<|message_sep|> and </s> after a call are dropped.", quirkNoOuter, quirkJSONBody, quirkMisspelt, quirkInner},
	Noise:   []string{"<|message_sep|>", "</s>"},
	Show:    showGigaChat35,
	Results: Results{Role: "function result", Result: Pair{"<function_response name=\"{name}\">", "</function_response>"}, Between: "\n"},
	Written: Written{Keeps: KeepsTurn, Lead: "\n\n", LeadReasoning: true},
	Ends:    Ends{Turn: "<|message_sep|>"},
	Example: strings.ReplaceAll(deepseekV4.Example, "DSML", "GCML"),
}).setForms(gcml...)

// step3Form returns the form of a call whose tag is between two markers.
func step3Form(open, close string) Form {
	return Form{
		Frame: Frame{
			Section: Pair{"<｜tool_calls_begin｜>", "<｜tool_calls_end｜>"},
			Call:    Pair{open + "<steptml:invoke", "</steptml:invoke>" + close},
		},
		Head: Head{Form: HeadAttribute, Name: []string{"name"}, End: ">"},
		Args: Args{Form: ArgsPairs, Key: "name", KeyMark: Pair{"<steptml:parameter", ">"}, ValueMark: Pair{"", "</steptml:parameter>"}, Marked: true},
	}
}

// step3Forms returns the forms of Step 3's calls: with the type of the call, with its name
// after that, or with neither, each after a separator.
func step3Forms() []Form {
	const begin, end, separator = "<｜tool_call_begin｜>", "<｜tool_call_end｜>", "<｜tool_sep｜>"
	var forms []Form
	for _, before := range []string{"", separator} {
		for _, kind := range []string{"function" + separator, "function" + separator + "\n", "function" + separator + "{name}\n", "\n"} {
			f := step3Form(before+begin+kind, end)
			f.Frame.Closers = []string{"</steptml:invoke>\n" + end, "</steptml:invoke>\n" + f.Frame.Section.Close}
			forms = append(forms, f)
		}
	}
	return append(forms, step3Form("", ""))
}

var step3 = row(thinking, Dialect{
	Name:    "step3",
	Aliases: []string{"step-3", "stepfun3"},
	About:   "Step 3",
	Source:  "the model's chat template; vLLM step3, SGLang step3",
	Quirks: []string{
		"The type function and its separator may be missing; the name may also follow them.",
		"<｜tool_sep｜> between two calls belongs to the second.", quirkNoOuter, quirkInner,
	},
	Example: `<｜tool_calls_begin｜><｜tool_call_begin｜>function<｜tool_sep｜><steptml:invoke name="get_weather"><steptml:parameter name="city">Oslo</steptml:parameter></steptml:invoke><｜tool_call_end｜><｜tool_calls_end｜>`,
}).setForms(step3Forms()...)

var minicpm5 = row(thinking, Dialect{
	Name:    "minicpm5",
	Aliases: []string{"minicpm5xml", "minicpm-5"},
	About:   "MiniCPM 5",
	Source:  "the model's chat template; vLLM minicpm5, SGLang minicpm5, llama.cpp",
	Quirks:  []string{"CDATA sections and entities in values are decoded.", "All arguments as JSON in a single parameter arguments or properties, which the tool does not have, are unwrapped.", "If the first parameter has no name, the tags are text.", quirkInner},
	Frame:   Frame{Call: Pair{"<function", "</function>"}, Between: "\n"},
	Head:    Head{Form: HeadAttribute, Name: []string{"name"}, End: ">"},
	Args:    Args{Form: ArgsPairs, Key: "name", KeyMark: Pair{"<param", ">"}, ValueMark: Pair{"", "</param>"}, Entities: true, CDATA: true, Unwrap: []string{"arguments", "properties"}, Python: PythonAll},
	Show:    showMiniCPM5,
	Written: Written{Keeps: KeepsTurn, Begun: "<think>\n", Lead: "\n", Reasoning: thinkLines},
	Ends:    Ends{Turn: "<|im_end|>"},
	Example: `<function name="get_weather"><param name="city">Oslo</param></function>`,
})

var bfclXML = row(thinking, Dialect{
	Name:    "bfcl_xml",
	Aliases: []string{"bfcl-xml", "concise_xml"},
	About:   "any model that the Berkeley leaderboard prompts for concise XML",
	Source:  "the Berkeley leaderboard (bfcl-eval, ret_fmt=concise_xml)",
	Frame:   Frame{Section: Pair{"<functions>", "</functions>"}, Call: Pair{"<function", "</function>"}},
	Head:    Head{Form: HeadAttribute, Name: []string{"name"}, End: ">"},
	Args: Args{
		Form: ArgsPairs, Key: "name", Type: "type", KeyMark: Pair{"<param", ">"}, ValueMark: Pair{"", "</param>"},
		Entities: true, Python: PythonAll,
	},
	Example: `<functions><function name="get_weather"><param name="city" type="string">Oslo</param></function></functions>`,
	Quirks:  []string{"A value's type is its attribute's, unless the schema wants something else.", quirkNoOuter},
})

var dots = row(thinking, Dialect{
	Name:    "dots",
	Aliases: []string{"dots1", "dots.llm"},
	About:   "dots.llm",
	Source:  "vLLM dots, SGLang dots",
	Quirks:  []string{`A JSON object with name and arguments is accepted in place of the tags.`, quirkNoOuter, quirkInner},
	Frame:   Frame{Section: Pair{"<dots_function_call>\n", "\n</dots_function_call>"}, Call: Pair{"<invoke", "</invoke>"}, Between: "\n", Single: true},
	Head:    Head{Form: HeadAttribute, Name: []string{"name"}, End: ">\n"},
	Args:    attributeTags("parameter", "\n", LayoutLines),
	Also: []Form{{
		Frame: Frame{Section: Pair{"<dots_function_call>", "</dots_function_call>"}, Single: true},
		Head:  Head{Form: HeadEnvelope, Name: []string{"name"}, Array: true},
		Args:  Args{Form: ArgsJSON, Keys: []string{"arguments", "parameters"}},
	}},
	Results: Results{Result: Pair{"<dots_function_response>\n", "\n</dots_function_response>"}, Between: "\n"},
	Show:    showDots,
	Written: Written{Lead: "\n"},
	Example: "<dots_function_call>\n<invoke name=\"get_weather\">\n<parameter name=\"city\">\nOslo\n</parameter>\n</invoke>\n</dots_function_call>",
})

// invokeForm returns the form of Anthropic's call in a section, with a prefix in all tags.
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

var anthropicInvoke = row(thinking, Dialect{
	Name:    "anthropic_invoke",
	Aliases: []string{"anthropic-invoke", "anthropic", "claude_xml", "function_calls"},
	About:   "Claude, and models that fall into its syntax",
	Source:  "Anthropic's prompts for tool use in text; prompt shims",
	Quirks: []string{
		"function_calls may be tool_calls or minimax:tool_call, or missing.",
		"Tags may have the prefix antml:.", "The older form, with <tool_name> and one tag per parameter, is accepted.", quirkInner, quirkCloser,
	},
	Results: invokeResults,
	Show:    showEach("functions", "function"),
	Example: "<function_calls>\n<invoke name=\"get_weather\">\n<parameter name=\"city\">Oslo</parameter>\n</invoke>\n</function_calls>",
}).setForms(
	invokeForm("", "function_calls"), invokeForm("", "tool_calls"), invokeForm("", "minimax:tool_call"), invokeForm("antml:", "function_calls"), elderInvoke,
)

// elderInvoke is the form of that call in Anthropic's first prompts.
var elderInvoke = Form{
	Frame: Frame{
		Section: Pair{"<function_calls>\n", "\n</function_calls>"},
		Call:    Pair{"<invoke>\n<tool_name>", "</parameters>\n</invoke>"}, Between: "\n",
	},
	Head: Head{Form: HeadLiteral, End: "</tool_name>\n<parameters>\n"},
	Args: Args{Form: ArgsPairs, Nested: true, KeyMark: Pair{"<", ">"}, ValueMark: Pair{"", "</{key}>\n"}},
}

var functionary31 = row(thinking, Dialect{
	Name:    "functionary_v31",
	Aliases: []string{"functionary-v3.1", "functionary_v3.1", "llama3.1-function-tag"},
	About:   "Functionary 3.1, and Llama 3.1 with custom tools",
	Source:  "the models' chat templates; llama.cpp functionary v3.1",
	Quirks:  []string{"JSON that is nearly valid is repaired, with a tolerance."},
	Head:    Head{Form: HeadLiteral, End: ">"},
	Args:    Args{Form: ArgsJSON},
	Noise:   []string{"<|eom_id|>", "<|eot_id|>"},
	Show:    showFunctionary31,
	Frame:   Frame{Call: Pair{"<function=", "</function>"}},
	Results: rawResults("ipython"),
	Ends:    Ends{Turn: "<|eom_id|>", Stop: []string{"<|eot_id|>"}},
	Example: `<function=get_weather>{"city": "Oslo"}</function>`,
})
