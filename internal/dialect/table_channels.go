package dialect

import "slices"

// Dialects with channels: the recipient of a message decides what it is.

var channelTable = []*Dialect{harmony, llmJPHarmony, beam, muse, kimiK3, inkling}

var (
	harmonyFrame = Frame{Call: Pair{"<|start|>assistant to=", "<|call|>"}, Closers: []string{"<|end|>", "<|return|>"}}
	harmonyHead  = Head{Form: HeadLiteral, Prefix: "functions.", End: "<|channel|>commentary json<|message|>"}
)

var harmony = &Dialect{
	Name:      "openai",
	Aliases:   []string{"harmony", "gpt-oss", "gpt_oss", "gptoss"},
	About:     "gpt-oss",
	Source:    "OpenAI's description of harmony and the models' chat template; vLLM openai, SGLang gpt-oss, llama.cpp GPT-OSS, Ollama harmony",
	Reasoning: []Reasoning{{Open: "<|start|>assistant<|channel|>analysis<|message|>", Close: "<|end|>", Anywhere: true}},
	Channels:  harmonyChannels("<|message|>"),
	Frame:     harmonyFrame,
	Head:      harmonyHead,
	Args:      Args{Form: ArgsJSON},
	Also:      []Form{beamForm},
	Written: Written{Keeps: KeepsTurn,
		Text: Pair{"<|start|>assistant<|channel|>final<|message|>", "<|end|>"}, Prompt: "<|start|>assistant",
		Heads: []string{
			" to=functions.{name}<|channel|>commentary <|constrain|>json<|message|>",
			"<|channel|>commentary to=functions.{name} <|constrain|>json<|message|>",
		},
	},
	Quirks: append(slices.Clone(harmonyQuirks), "Arguments may be tags, as in beam."),
	Show:   showHarmony,
	Results: Results{
		Result: Pair{"<|start|>functions.{name} to=assistant<|channel|>commentary<|message|>", "<|end|>"}, Quoted: true, Alone: true,
	},
	Ends:    Ends{Stop: []string{"<|call|>", "<|return|>"}},
	Example: `<|start|>assistant to=functions.get_weather<|channel|>commentary json<|message|>{"city": "Oslo"}<|call|>`,
}

var llmJPHarmony = &Dialect{
	Name:      "llm_jp_harmony",
	Aliases:   []string{"llm-jp-harmony", "llm-jp", "llm_jp"},
	About:     "LLM-jp 4: harmony with a blank after the special tokens",
	Source:    "llama.cpp LLM-jp harmony",
	Reasoning: []Reasoning{{Open: "<|start|> assistant<|channel|> analysis<|message|> ", Close: "<|end|>", Anywhere: true}},
	Channels:  harmonyChannels("<|message|> "),
	Frame:     Frame{Call: Pair{"<|start|> assistant to=", "<|call|>"}, Closers: []string{"<|end|>", "<|return|>"}},
	Head:      Head{Form: HeadLiteral, Prefix: "functions.", End: "<|channel|> commentary <|constrain|> json<|message|> "},
	Args:      Args{Form: ArgsJSON},
	Written: Written{
		Text: Pair{"<|start|> assistant<|channel|> final<|message|> ", "<|end|>"}, Prompt: "<|start|> assistant",
		Heads: []string{"<|channel|> commentary to=functions.{name} <|constrain|> json<|message|> "},
	},
	Results: Results{Result: Pair{"<|start|> functions.{name} to=assistant<|channel|> commentary<|message|> ", "<|end|>"}, Quoted: true},
	Quirks:  harmonyQuirks,
	Ends:    Ends{Stop: []string{"<|call|>", "<|return|>"}},
	Example: `<|start|> assistant to=functions.get_weather<|channel|> commentary <|constrain|> json<|message|> {"city": "Oslo"}<|call|>`,
}

func harmonyChannels(message string) Channels {
	return Channels{
		Open:      []string{"<|start|>", "<|channel|>"},
		Within:    []string{"<|channel|>", "<|constrain|>"},
		Message:   []string{message},
		Close:     []string{"<|end|>", "<|call|>", "<|return|>"},
		To:        "to=",
		Roles:     []string{"assistant", "user", "system", "developer", "tool", "all"},
		Reasoning: []string{"analysis"},
		Text:      []string{"final", "commentary"},
		Addressed: true,
		Own:       []string{"browser", "python", "container"},
	}
}

var harmonyQuirks = []string{
	"<|start|>, or <|start|>assistant, may be missing before a header that follows a message.",
	"The recipient may come before or after the channel. Its prefix functions. is optional; other namespaces are part of the name.",
	"A call may be in the analysis channel, and may end with <|end|>, <|return|> or the next header.",
	"The content type may be missing, or lack the blanks around it.",
	"Messages to python, browser or container, the model's own tools, are neither calls nor text unless those tools are declared.",
	"A message without a header is text, and so is a header that never ends.",
	"Empty arguments are {}.",
}

// beamTags are its arguments, each value on lines of its own.
var beamTags = Args{
	Form: ArgsPairs, Key: "name", KeyMark: Pair{"<rfl:parameter", ">\n"}, ValueMark: Pair{"", "\n</rfl:parameter>"},
	Layout: LayoutLines, Marked: true,
}

// beamForm is a call whose header is harmony's and whose arguments are tags.
var beamForm = Form{
	Frame: Frame{Call: harmonyFrame.Call, Closers: harmonyFrame.Closers, Stop: true},
	Head:  Head{Form: HeadLiteral, End: "<|channel|>analysis <|constrain|>xml<|message|>"},
	Args:  beamTags,
}

var beam = &Dialect{
	Name:      "beam",
	About:     "Beam: harmony's header, with tags for the arguments",
	Source:    "the response template of the model, as Transformers and SMG have it",
	Reasoning: []Reasoning{{Open: "<|start|>assistant<|channel|>analysis<|message|>", Close: "<|end|>", Anywhere: true}},
	Channels:  harmonyChannels("<|message|>"),
	Frame:     beamForm.Frame,
	Head:      beamForm.Head,
	Args:      beamForm.Args,
	Also:      []Form{{Frame: harmonyFrame, Head: harmonyHead, Args: Args{Form: ArgsJSON}}},
	Written:   Written{Text: Pair{"<|start|>assistant<|channel|>final<|message|>", "<|end|>"}},
	Quirks: []string{
		"The content type may be missing; arguments may be JSON.", "A call may end with <|end|>, <|return|> or the next header.",
		"A value without its closing tag ends at the tag of another parameter.", "<|call|> may be missing at the end, because it is a stop sequence (tolerance missing_closer).",
	},
	Ends:    Ends{Stop: []string{"<|call|>", "<|return|>"}},
	Example: "<|start|>assistant to=get_weather<|channel|>analysis <|constrain|>xml<|message|><rfl:parameter name=\"city\">\nOslo\n</rfl:parameter><|call|>",
}

var muse = &Dialect{
	Name:      "muse",
	Aliases:   []string{"glimmer", "muse-glimmer", "muse_glimmer", "glimmer-atem", "musespark1x", "muse_spark"},
	About:     "Muse Glimmer: ATEM tags in a message to the tool",
	Source:    "vLLM and SGLang muse, llama.cpp Muse Glimmer, Ollama glimmer",
	Reasoning: []Reasoning{{Open: "<|start|>assistant to=self<|message|>", Close: "<|eom|>", Anywhere: true}},
	Channels: Channels{
		Open:      []string{"<|start|>"},
		Message:   []string{"<|message|>"},
		Close:     []string{"<|eom|>", "<|eot|>"},
		To:        "to=",
		Roles:     []string{"assistant", "system", "tool", "atem:function_calls"},
		Reasoning: []string{"self"},
		Text:      []string{"user"},
	},
	Frame: Frame{
		Section: Pair{"<atem:function_calls>\n", "</atem:function_calls>"},
		Call:    Pair{"<atem:invoke", "</atem:invoke>\n"},
		Between: "<|eom|>",
		Single:  true,
	},
	Head: Head{Form: HeadAttribute, Name: []string{"name"}, End: ">\n"},
	Args: Args{Form: ArgsPairs, Key: "name", KeyMark: Pair{"<atem:parameter", ">"}, ValueMark: Pair{"", "</atem:parameter>\n"}},
	Written: Written{Keeps: KeepsAll,
		Text: Pair{"<|start|>assistant to=user<|message|>", "<|eom|>"}, Call: "<|start|>assistant to={name}<|message|>",
		Prompt: "<|start|>assistant",
	},
	Quirks: []string{
		"Markup in a message to user or self is never a call.",
		"A call must name the recipient of its message; without a recipient it may name any tool.",
		"A name written twice, as in read.read, is read once.",
		"<|start|>, or <|start|>assistant, may be missing before a header that follows a message.",
		"A token of the header that leaked into a name is dropped, with what follows it.",
	},
	Show:    showMuse,
	Results: Results{Role: "tool {name}", Result: Pair{"<tool_output name=\"{name}\">\n", "\n</tool_output>"}, Between: "\n", Alone: true},
	Ends:    Ends{Turn: "<|eot|>"},
	Example: "<|start|>assistant to=get_weather<|message|><atem:function_calls>\n<atem:invoke name=\"get_weather\">\n" +
		"<atem:parameter name=\"city\">Oslo</atem:parameter>\n</atem:invoke>\n</atem:function_calls>",
}

// kimiK3Form returns the form of a call with a blank, or none, beside the special tokens.
func kimiK3Form(blank string) Form {
	mark := func(token, word string) string { return token + blank + word + blank + "<|sep|>" }
	return Form{
		Frame: Frame{
			Section: Pair{mark("<|open|>", "tools"), mark("<|close|>", "tools")},
			Call:    Pair{"<|open|>" + blank + "call", mark("<|close|>", "call")},
		},
		Head: Head{Form: HeadAttribute, Name: []string{"tool"}, Index: "index", End: "<|sep|>"},
		Args: Args{
			Form: ArgsPairs, Key: "key", Type: "type",
			KeyMark:   Pair{"<|open|>" + blank + "argument", "<|sep|>"},
			ValueMark: Pair{"", mark("<|close|>", "argument")}, Marked: true,
		},
	}
}

var kimiK3 = &Dialect{
	Name:      "kimi_k3",
	Aliases:   []string{"kimi-k3", "xtml"},
	About:     "Kimi K3 (XTML)",
	Source:    "vLLM and SGLang kimi_k3, llama.cpp Kimi K3",
	Reasoning: []Reasoning{{Open: "<|open|>think<|sep|>", Close: "<|close|>think<|sep|>", Anywhere: true}},
	Channels: Channels{
		Open:      []string{"<|open|>"},
		Message:   []string{"<|sep|>"},
		Close:     []string{"<|close|> response <|sep|>", "<|close|> think <|sep|>", "<|close|> message <|sep|>"},
		Roles:     []string{"message"},
		Reasoning: []string{"think"},
		Text:      []string{"response"},
	},
	Frame:             kimiK3Form("").Frame,
	Head:              kimiK3Form("").Head,
	Args:              kimiK3Form("").Args,
	Also:              []Form{kimiK3Form(" ")},
	CallsEndReasoning: true,
	Written:           Written{Keeps: KeepsAll, Begun: "<|open|>think<|sep|>", Text: Pair{"<|open|>response<|sep|>", "<|close|>response<|sep|>"}, TextAlways: true},
	Quirks: []string{
		"The prompt may have opened the reasoning or the response.",
		"A call may have blanks beside the special tokens.",
		"Entities are decoded in attributes, and not in values.",
		"A value's type is its attribute's, unless the schema wants something else.",
	},
	Show:    showKimiK3,
	Noise:   []string{"<|end_of_msg|>"},
	Results: Results{Result: Pair{`<|open|>message role="tool" tool="{name}" index="{at}"<|sep|>`, "<|close|>message<|sep|>"}, Between: "<|end_of_msg|>"},
	Ends:    Ends{Turn: "<|end_of_msg|>"},
	Example: `<|open|>tools<|sep|><|open|>call tool="get_weather" index="1"<|sep|><|open|>argument key="city" type="string"<|sep|>Oslo` +
		`<|close|>argument<|sep|><|close|>call<|sep|><|close|>tools<|sep|>`,
}

var inkling = &Dialect{
	Name:      "inkling",
	About:     "Inkling: a token says what each message contains",
	Source:    "vLLM and SGLang inkling, llama.cpp Inkling",
	Reasoning: []Reasoning{{Open: "<|message_model|><|content_thinking|>", Close: "<|end_message|>", Anywhere: true}},
	Channels: Channels{
		Open: []string{
			"<|message_model|>", "<|content_text|>", "<|content_thinking|>", "<|content_invoke_tool_json|>", "<|content_invoke_tool_text|>",
			"<|content_tool_error|>",
		},
		Message: []string{
			"<|content_text|>", "<|content_thinking|>", "<|content_invoke_tool_json|>", "<|content_invoke_tool_text|>", "<|content_tool_error|>",
		},
		Close:     []string{"<|end_message|>", "<|content_model_end_sampling|>"},
		Reasoning: []string{"<|content_thinking|>"},
		Text:      []string{"<|content_text|>", "<|content_tool_error|>"},
		Calls:     []string{"<|content_invoke_tool_json|>", "<|content_invoke_tool_text|>"},
	},
	Frame: Frame{Call: Pair{"<|content_invoke_tool_json|>", "<|end_message|>"}, Closers: []string{"<|content_model_end_sampling|>"}},
	Head:  Head{Form: HeadEnvelope, Name: []string{"name"}},
	Args:  Args{Form: ArgsJSON, Keys: []string{"args", "arguments"}},
	Also: []Form{{
		Frame: Frame{Call: Pair{"<|message_model|>", "<|end_message|>"}, Closers: []string{"<|content_model_end_sampling|>"}},
		Head:  Head{Form: HeadLiteral, End: "<|content_invoke_tool_text|>"},
		Args:  Args{Form: ArgsRaw, Param: "text"},
	}},
	Written: Written{
		Compact: true, Text: Pair{"<|message_model|><|content_text|>", "<|end_message|>"}, Call: "<|message_model|>{name}",
	},
	Quirks: []string{
		"The author of a message may stand before its kind.",
		"If the message of a call holds no call, its content is text.",
		"The text of a call is the tool's only declared parameter, or one called text; the author is the tool. Without an author it is text.",
	},
	Show:    showInkling,
	Results: Results{Result: Pair{"<|message_tool|>{name}<|content_text|>", "<|end_message|>"}},
	Ends:    Ends{Turn: "<|content_model_end_sampling|>"},
	Example: `<|message_model|>get_weather<|content_invoke_tool_json|>{"name":"get_weather","args":{"city":"Oslo"}}<|end_message|>`,
}
