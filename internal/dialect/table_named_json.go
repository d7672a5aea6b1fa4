package dialect

import "strings"

// Dialects whose calls have the name outside their JSON arguments.

var namedJSONTable = []*Dialect{deepseekV3, deepseekV31, hunyuanDense, glm40414, kimiK2, kimiK25, mistral, mistralV11, mistralV3, mistralV7, mistral7B, plamo3, functionaryV32, functionaryV22, solarOpen, callingTool, glm53Flash, stepAudio2, miroThinker}

// namedJSON is what most dialects of this family have in common.
var namedJSON = Dialect{Args: Args{Form: ArgsJSON}, Reasoning: thinkTags}

var deepseekNoise = []string{
	"<｜end▁of▁sentence｜>", "<｜tool▁outputs▁begin｜>", "<｜tool▁outputs▁end｜>", "<｜tool▁output▁begin｜>", "<｜tool▁output▁end｜>",
}

// deepseekClosers also end a call of V3: its code fence or its closer may be missing.
var deepseekClosers = []string{"\n```\n<｜tool▁call▁end｜>", "\n```\n<｜tool▁calls▁end｜>", "<｜tool▁call▁end｜>"}

var deepseekV3 = row(namedJSON, Dialect{
	Name:      "deepseek_v3",
	Aliases:   []string{"deepseekv3", "deepseek_r1", "deepseek-r1", "cogito"},
	About:     "DeepSeek V3 and R1, and those distilled from them",
	Source:    "the models' chat templates; vLLM deepseek_v3, SGLang deepseekv3, Ollama cogito",
	Reasoning: thinkToken,
	Frame: Frame{
		Section: Pair{"<｜tool▁calls▁begin｜>", "<｜tool▁calls▁end｜>"},
		Call:    Pair{"<｜tool▁call▁begin｜>function<｜tool▁sep｜>", "\n```<｜tool▁call▁end｜>"}, Between: "\n",
		Closers: deepseekClosers,
	},
	Head: Head{Form: HeadLiteral, End: "\n```json\n"},
	Also: append([]Form{
		deepseekForm("<｜tool▁call▁begin｜>function<｜tool▁sep｜>", "\n```\n", "\n```<｜tool▁call▁end｜>"),
		deepseekForm("function<｜tool▁sep｜>", "\n```json\n", "\n```<｜tool▁call▁end｜>"),
	}, asciiDeepSeek("function<|tool_sep|>", "\n```json\n", "\n```")...),
	Noise:   deepseekNoise,
	Quirks:  []string{quirkNoSection, quirkASCII, "The word json and <｜tool▁call▁begin｜> may be missing."},
	Results: toolOutputs,
	Show:    showDeepSeekV3,
	Ends:    Ends{Turn: "<｜end▁of▁sentence｜>"},
	Example: "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>get_weather\n```json\n{\"city\": \"Oslo\"}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>",
})

var deepseekV31 = derived(deepseekV3, func(d *Dialect) {
	d.Name, d.Aliases = "deepseek_v31", []string{"deepseekv31", "deepseek3", "deepseek-v3.1", "deepseek_v3.1"}
	d.About = "DeepSeek V3.1"
	d.Source = "the model's chat template; vLLM deepseek_v31, SGLang deepseekv31, Ollama deepseek3"
	d.Frame.Call, d.Frame.Between = Pair{"<｜tool▁call▁begin｜>", "<｜tool▁call▁end｜>"}, ""
	d.Frame.Closers = nil
	d.Head.End = "<｜tool▁sep｜>"
	d.Also = asciiDeepSeek("", "<|tool_sep|>", "")
	d.Quirks = []string{quirkNoSection, quirkASCII}
	d.Results, d.Show = toolOutput, showDeepSeekV31
	d.Example = "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>get_weather<｜tool▁sep｜>{\"city\": \"Oslo\"}<｜tool▁call▁end｜><｜tool▁calls▁end｜>"
})

// Quirks that both share.
const (
	quirkNoSection = "The opening token of the section may be missing (tolerance missing_opener)."
	quirkASCII     = "The tokens may have ASCII bars and underlines, as in <|tool_calls_begin|>."
)

// deepseekForm returns the form of DeepSeek's calls whose name is between open and end.
func deepseekForm(open, end, close string) Form {
	return Form{
		Frame: Frame{
			Section: Pair{"<｜tool▁calls▁begin｜>", "<｜tool▁calls▁end｜>"},
			Call:    Pair{open, close}, Between: "\n", Closers: deepseekClosers,
		},
		Head: Head{Form: HeadLiteral, End: end},
		Args: Args{Form: ArgsJSON},
	}
}

// asciiDeepSeek returns the forms of DeepSeek's calls with ASCII bars in the tokens, and with
// underscores or DeepSeek's own separators between the words. before and after enclose the
// name, and end precedes the closer.
func asciiDeepSeek(before, after, end string) []Form {
	var forms []Form
	for _, join := range []string{"_", "▁"} {
		token := func(s string) string { return strings.ReplaceAll(s, "_", join) }
		forms = append(forms, Form{
			Frame: Frame{
				Section: Pair{token("<|tool_calls_begin|>"), token("<|tool_calls_end|>")},
				Call:    Pair{token("<|tool_call_begin|>" + before), token(end + "<|tool_call_end|>")}, Between: "\n",
			},
			Head: Head{Form: HeadLiteral, End: token(after)},
			Args: Args{Form: ArgsJSON},
		})
	}
	return forms
}

var hunyuanDense = row(namedJSON, Dialect{
	Name:    "hunyuan_dense",
	Aliases: []string{"hunyuan-dense", "hunyuan_hermes"},
	About:   "Hunyuan's dense models, from 0.5B to 7B",
	Source:  "ms-swift's hunyuan_hermes, after the models' chat template",
	Frame: Frame{
		Section: Pair{"<tool_calls>", "</tool_calls>"}, Call: Pair{"<tool_call>", "\n```</tool_call>"}, Between: "\n",
	},
	Head:  Head{Form: HeadLiteral, End: "\n```json\n"},
	Noise: []string{"<answer>", "</answer>", "<｜hy_place▁holder▁no▁2｜>", "<｜hy_place▁holder▁no▁8｜>"},
	Quirks: []string{
		"After its reasoning the model puts <answer> tags around the answer; they are dropped from the text.",
		"The tags of the section may be missing (tolerance missing_opener).",
	},
	Show: showHunyuanDense,
	Results: Results{
		Turn: Pair{"<tool_responses>", "</tool_responses>"}, Result: Pair{"<tool_response>", "</tool_response>"}, Between: "\n",
	},
	Ends:    Ends{Turn: "<｜hy_place▁holder▁no▁2｜>"},
	Example: "<tool_calls><tool_call>get_weather\n```json\n{\"city\": \"Oslo\"}\n```</tool_call></tool_calls>",
})

var glm40414 = row(namedJSON, Dialect{
	Name:    "glm4_0414",
	Aliases: []string{"glm-4-0414", "chatglm4"},
	About:   "GLM-4-0414, GLM-Z1 and GLM-4-9B",
	Source:  "the models' cards; ms-swift's glm4_0414",
	Frame:   Frame{Between: "\n", At: AtLine, Bare: true},
	Head:    Head{Form: HeadLiteral, End: "\n"},
	Also: []Form{
		{Frame: Frame{Call: Pair{"<|assistant|>", ""}, Bare: true}, Head: Head{Form: HeadLiteral, End: "\n"}, Args: Args{Form: ArgsJSON}},
	},
	Noise:   []string{"<|assistant|>", "<|observation|>", "<|user|>", "<|endoftext|>"},
	Show:    showGLM40414,
	Results: Results{Role: "observation", Between: "\n", Alone: true},
	Quirks: []string{
		"The name stands on a line before a JSON object, with no marker but that of the message: only declared tools are called.",
	},
	Ends:    Ends{Stop: []string{"<|observation|>", "<|user|>", "<tool_response>"}},
	Example: "get_weather\n{\"city\": \"Oslo\"}",
})

var kimiK2 = row(namedJSON, Dialect{
	Name:      "kimi_k2",
	Aliases:   []string{"kimi", "kimi-k2", "kimik2"},
	About:     "Kimi K2",
	Source:    "the model's chat template; vLLM kimi_k2, SGLang kimi_k2, llama.cpp Kimi K2",
	Reasoning: thinkToken,
	Frame: Frame{
		Section: Pair{"<|tool_calls_section_begin|>", "<|tool_calls_section_end|>"},
		Call:    Pair{"<|tool_call_begin|>", "<|tool_call_end|>"},
	},
	Head: Head{Form: HeadLiteral, Prefix: "functions.", Index: ":", End: "<|tool_call_argument_begin|>"},
	Also: []Form{{
		Frame: Frame{
			Section: Pair{"<|tool_call_section_begin|>", "<|tool_call_section_end|>"},
			Call:    Pair{"<|tool_call_begin|>", "<|tool_call_end|>"},
		},
		Head: Head{Form: HeadLiteral, Prefix: "functions.", Index: ":", End: "<|tool_call_argument_begin|>"},
		Args: Args{Form: ArgsJSON},
	}},
	CallsEndReasoning: true,
	Quirks: []string{
		"The tokens around the section may be in the singular, <|tool_call_section_begin|>.",
		"The prefix functions. and the index after the name are optional.",
		"A section that begins inside reasoning ends the reasoning.",
		"The tokens around the section may be missing (tolerance missing_opener).",
	},
	Show:    showKimiK2,
	Results: Results{Role: "tool", Result: Pair{Open: "## Return of {id}\n"}, Between: "\n", Alone: true},
	Written: Written{Keeps: KeepsTurn},
	Ends:    Ends{Turn: "<|im_end|>"},
	Example: "<|tool_calls_section_begin|><|tool_call_begin|>functions.get_weather:0<|tool_call_argument_begin|>{\"city\": \"Oslo\"}<|tool_call_end|><|tool_calls_section_end|>",
})

var kimiK25 = variant(kimiK2, func(d *Dialect) {
	d.Name, d.Aliases = "kimi_k25", []string{"kimi-k2.5", "kimi_k2.5"}
	d.About = "Kimi K2.5 and K2.6: as kimi_k2, with the tools in TypeScript"
	d.Source = "a renderer for the models"
	d.Show = showKimiK25
	d.Written.Begun = "<think>"
})

var mistral = row(namedJSON, Dialect{
	Name:      "mistral",
	Aliases:   []string{"ministral", "magistral", "devstral", "mistral-v13", "mistral_small"},
	About:     "Mistral's newer models, such as Devstral and Ministral 3; it also reads what the older ones write",
	Source:    "mistral-common; vLLM mistral, SGLang mistral, llama.cpp Mistral Nemo, Small 3.2 and Devstral, Ollama ministral",
	Reasoning: []Reasoning{{Open: "[THINK]", Close: "[/THINK]", Anywhere: true}, {Open: "<think>", Close: "</think>"}},
	Frame:     Frame{Call: Pair{"[TOOL_CALLS]", ""}, Closers: []string{"</s>"}},
	Head:      Head{Form: HeadLiteral, ID: "[CALL_ID]", End: "[ARGS]"},
	Also:      []Form{mistralArray},
	Noise:     []string{"[/TOOL_CALLS]", "</s>"},
	Quirks: []string{
		"An id between [CALL_ID] and [ARGS], or next to name and arguments, becomes the call's id.",
		"[TOOL_CALLS] without a name or an array after it is text.",
	},
	Results: Results{Result: Pair{"[TOOL_RESULTS]", "[/TOOL_RESULTS]"}},
	Show:    availableTools,
	Ends:    Ends{Turn: "</s>"},
	Example: "[TOOL_CALLS]get_weather[ARGS]{\"city\": \"Oslo\"}",
})

// mistralArray is the form in which Mistral's first models write calls.
var mistralArray = Form{
	Frame: Frame{Call: Pair{"[TOOL_CALLS] ", ""}},
	Head:  Head{Form: HeadEnvelope, Name: []string{"name"}, Array: true},
	Args:  Args{Form: ArgsJSON, Keys: []string{"arguments"}},
}

var mistralV11 = variant(mistral, func(d *Dialect) {
	d.Name, d.Aliases = "mistral_v11", []string{"mistral-v11", "mistral-small3.2"}
	d.About = "Mistral Small 3.2: as mistral, with the ids of calls"
	d.Source = "mistral-common's tokenizer v11, the chat template of Mistral Small 3.2"
	d.Results = Results{Result: Pair{"[TOOL_RESULTS]{id}[TOOL_CONTENT]", "[/TOOL_RESULTS]"}}
	d.Show = showMistralV11
})

var mistralV3 = variant(mistral, func(d *Dialect) {
	d.Name, d.Aliases = "mistral_v3", []string{"mistral-v3", "mixtral", "mistral-nemo"}
	d.About = "Mistral Nemo, Mixtral 8x22B, Large 2: a JSON array of calls"
	d.Source = "mistral-common's tokenizer v3, the chat template of Mistral Nemo"
	d.Frame, d.Head, d.Args = mistralArray.Frame, mistralArray.Head, mistralArray.Args
	d.Frame.Call.Open = "[TOOL_CALLS]"
	d.Also = []Form{{Frame: mistral.Frame, Head: mistral.Head, Args: mistral.Args}}
	d.Written = Written{Envelope: `{"name": {name}, "arguments": {args}, "id": {id}}`, List: Pair{"[", "]"}}
	d.Results = Results{Result: Pair{`[TOOL_RESULTS]{"content": `, `, "call_id": "{id}"}[/TOOL_RESULTS]`}, Quoted: true, Nested: true}
	d.Show = showMistralV3
	d.Example = `[TOOL_CALLS][{"name": "get_weather", "arguments": {"city": "Oslo"}, "id": "0"}]`
})

var mistralV7 = variant(mistralV3, func(d *Dialect) {
	d.Name, d.Aliases = "mistral_v7", []string{"mistral-v7", "mistral-small3.1"}
	d.About = "Mistral Small 3.1: as mistral_v3, with a blank after the marks, and results in plain text"
	d.Source = "mistral-common's tokenizer v7, the chat template of Mistral Small 3.1, vLLM's templates for mistral"
	d.Frame.Call.Open = "[TOOL_CALLS] "
	d.Results = mistralV11.Results
	d.Show = showMistralV7
	d.Example = `[TOOL_CALLS] [{"name": "get_weather", "arguments": {"city": "Oslo"}, "id": "0"}]`
})

var mistral7B = variant(mistralV7, func(d *Dialect) {
	d.Name, d.Aliases = "mistral_7b", []string{"mistral-7b"}
	d.About = "Mistral 7B v0.3: as mistral_v7, with the ids first"
	d.Source = "the model's chat template"
	d.Written.Envelope = `{"id": {id}, "name": {name}, "arguments": {args}}`
	d.Results = Results{Result: Pair{`[TOOL_RESULTS] {"call_id": "{id}", "content": `, "}[/TOOL_RESULTS]"}, Quoted: true, Nested: true}
	d.Show = showMistral7B
	d.Example = `[TOOL_CALLS] [{"id": "0", "name": "get_weather", "arguments": {"city": "Oslo"}}]`
})

var plamo3 = row(namedJSON, Dialect{
	Name:      "plamo3",
	Aliases:   []string{"plamo-3", "plamo"},
	About:     "PLaMo 3",
	Source:    "vLLM plamo3, SGLang plamo3",
	Reasoning: []Reasoning{{Open: "<|plamo:begin_think:plamo|>", Close: "<|plamo:end_think:plamo|>", Anywhere: true}},
	Frame:     plamoFrame,
	Head:      Head{Form: HeadLiteral, End: "<|plamo:end_tool_name:plamo|><|plamo:begin_tool_arguments:plamo|><|plamo:constrain|>json<|plamo:msg|>"},
	Also: []Form{
		{Frame: plamoFrame, Head: Head{Form: HeadLiteral, End: "<|plamo:end_tool_name:plamo|><|plamo:begin_tool_arguments:plamo|>"}, Args: Args{Form: ArgsJSON}},
		{Frame: plamoFrame, Head: Head{Form: HeadLiteral, End: "<|plamo:end_tool_name:plamo|><|plamo:begin_tool_arguments:plamo|><|plamo:msg|>"}, Args: Args{Form: ArgsJSON}},
	},
	Noise: []string{"<|plamo:tag|>", "<|plamo:msg|>", "<|plamo:end_think:plamo|>"},
	Quirks: []string{
		"The tokens that mark the arguments as JSON are optional.", "A call that begins inside the reasoning ends it.", "A second end of the reasoning is dropped.",
	},
	CallsEndReasoning: true,
	Example:           "<|plamo:begin_tool_requests:plamo|><|plamo:begin_tool_request:plamo|><|plamo:begin_tool_name:plamo|>get_weather<|plamo:end_tool_name:plamo|><|plamo:begin_tool_arguments:plamo|><|plamo:constrain|>json<|plamo:msg|>{\"city\": \"Oslo\"}<|plamo:end_tool_arguments:plamo|><|plamo:end_tool_request:plamo|><|plamo:end_tool_requests:plamo|>",
})

var plamoFrame = Frame{
	Section: Pair{"<|plamo:begin_tool_requests:plamo|>", "<|plamo:end_tool_requests:plamo|>"},
	Call: Pair{
		Open:  "<|plamo:begin_tool_request:plamo|><|plamo:begin_tool_name:plamo|>",
		Close: "<|plamo:end_tool_arguments:plamo|><|plamo:end_tool_request:plamo|>",
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
	Written: Written{Begun: ">>>", Text: Pair{Open: ">>>all\n"}},
	Noise:   []string{">>>all\n", "<|eot_id|>", "<|end_of_text|>"},
	Quirks: []string{
		"A message to all (after >>>all) is text; a call may follow on the same line.",
		"The prompt ends with >>> (parse --prompted).",
	},
	Show:    showFunctionary,
	Results: rawResults("tool"),
	Ends:    Ends{Turn: "<|eot_id|>"},
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
	Also:    []Form{{Frame: Frame{Call: Pair{"<|recipient|>", "<|stop|>"}}, Head: Head{Form: HeadLiteral, End: "\n<|content|>"}, Args: Args{Form: ArgsJSON}}},
	Written: Written{Begun: "<|from|>assistant\n<|recipient|>", Text: Pair{"<|from|>assistant\n<|recipient|>all\n<|content|>", "\n"}},
	Noise: []string{
		"<|from|>assistant\n<|recipient|>all\n<|content|>", "<|recipient|>all\n<|content|>", "<|from|>assistant\n", "<|stop|>",
	},
	Results: Results{Result: Pair{"<|from|>{name}\n<|recipient|>all\n<|content|>", "\n"}},
	Quirks: []string{
		"A message to all is text.",
		"The prompt ends with <|from|>assistant and <|recipient|> (parse --prompted).",
	},
	Ends:    Ends{Turn: "<|stop|>"},
	Example: "<|from|>assistant\n<|recipient|>get_weather\n<|content|>{\"city\": \"Oslo\"}<|stop|>",
}

var solarOpen = row(namedJSON, Dialect{
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
	Also: []Form{{
		Frame: Frame{Section: Pair{"<|tool_calls|>", "<|calls|>"}, Call: Pair{"<|tool_call:begin|>", "<|tool_call:end|>"}},
		Head:  Head{Form: HeadLiteral, Lead: "<|tool_call:name|>", End: "<|tool_call:args|>"}, Args: Args{Form: ArgsJSON},
	}},
	Noise:   []string{"<|begin|>assistant<|content|>", "<|begin|>assistant", "<|content|>", "<|end|>", "<|flush|>"},
	Written: Written{Text: Pair{"<|begin|>assistant<|content|>", "<|end|>"}},
	Results: Results{
		Turn:   Pair{"<|tool_response|>", ""},
		Result: Pair{"<|tool_response:begin|>{id}<|tool_response:name|>{name}<|tool_response:result|>", "<|tool_response:end|>"},
	},
	Quirks: []string{
		"The id before the name becomes the call's id.",
		"The tokens around the section may be missing (tolerance missing_opener).",
	},
	Show:    showSolarOpen,
	Ends:    Ends{Stop: []string{"<|calls|>", "<|flush|>"}},
	Example: "<|begin|>assistant<|tool_calls|><|tool_call:begin|>0<|tool_call:name|>get_weather<|tool_call:args|>{\"city\": \"Oslo\"}<|tool_call:end|><|calls|>",
})

var callingTool = &Dialect{
	Name:    "calling_tool",
	Aliases: []string{"calling-tool"},
	About:   "models that imitate how an agent logs their calls",
	Source:  "agents' transcripts",
	Frame:   Frame{Call: Pair{"[Calling tool: ", ")]"}, Between: "\n"},
	Head:    Head{Form: HeadLiteral, End: "("},
	Args:    Args{Form: ArgsJSON},
	Quirks:  []string{"A name without parentheses, which some agents print, is text."},
	Example: "[Calling tool: get_weather({\"city\": \"Oslo\"})]",
}

var glm53Flash = row(namedJSON, Dialect{
	Name:              "glm53_flash",
	Aliases:           []string{"glm53"},
	About:             "an early GLM 5.3 Flash (the released one writes glm5)",
	Source:            "SGLang glm53_flash (a fork)",
	Reasoning:         thinkToken,
	Frame:             Frame{Call: Pair{"<![", ""}, Bare: true},
	Head:              Head{Form: HeadLiteral, End: ">"},
	Noise:             glm45.Noise,
	CallsEndReasoning: true,
	Quirks:            []string{"The opener also begins CDATA sections and comments, so only calls of declared tools count."},
	Ends:              Ends{Stop: []string{"<|observation|>", "<|user|>", "<tool_response>"}},
	Example:           "<![get_weather>{\"city\": \"Oslo\"}",
})

var stepAudio2 = row(namedJSON, Dialect{
	Name:    "step_audio2",
	Aliases: []string{"step_audio_2", "step-audio-2"},
	About:   "Step-Audio 2, which names the type of the tool first",
	Source:  "vLLM step_audio_2 (a branch)",
	Frame:   Frame{Call: Pair{"<tool_call>function\n", "</tool_call>"}, Between: "\n"},
	Head:    Head{Form: HeadLiteral, End: "\n"},
	Example: "<tool_call>function\nget_weather\n{\"city\": \"Oslo\"}</tool_call>",
})

// mcpForm returns the form of a call of an MCP server's tool.
func mcpForm(server string) Form {
	return Form{
		Frame: Frame{
			Section: Pair{"<use_mcp_tool>\n", "\n</use_mcp_tool>"},
			Call:    Pair{"<server_name>" + server + "</server_name>\n<tool_name>", "\n</arguments>"}, Between: "\n",
		},
		Head: Head{Form: HeadLiteral, End: "</tool_name>\n<arguments>\n"},
		Args: Args{Form: ArgsJSON},
	}
}

var miroThinker = row(namedJSON, Dialect{
	Name:    "mirothinker",
	Aliases: []string{"miro_thinker", "use_mcp_tool"},
	About:   "MiroThinker 1, and other models that are prompted like Cline to call tools of MCP servers",
	Source:  "llama.cpp MiroThinker v1, Cline's prompt",
	Quirks: []string{
		"The server is not a part of the call. Its name, generic-extras where the template does not know the tool, consists of letters, digits and the punctuation of names.",
		quirkNoOuter,
	},
	Results: rawResults("user"),
	Ends:    Ends{Turn: "<|im_end|>"},
	Example: "<use_mcp_tool>\n<server_name>generic-extras</server_name>\n<tool_name>get_weather</tool_name>\n<arguments>\n{\"city\": \"Oslo\"}\n</arguments>\n</use_mcp_tool>",
}).setForms(mcpForm("generic-extras"), mcpForm("{name}"))
