package dialect

// The founding strategies. Their syntax is toolparse's own, fixed in its
// design; autobyteus-ts and other agents write the same surface.

var foundingTable = []*Dialect{xmlTags, sentinel, jsonAny, jsonOpenAI, jsonGemini, jsonDefault, apiToolCall}

var thinkTags = []Reasoning{{Open: "<think>", Close: "</think>"}, {Open: "<thinking>", Close: "</thinking>"}}

// thinking is what dialects of all families have in common whose models think in such tags.
var thinking = Dialect{Reasoning: thinkTags}

// thinkLines encloses reasoning in the templates of Qwen's models and their derivatives.
var thinkLines = Pair{"<think>\n", "\n</think>\n\n"}

var apiToolCall = &Dialect{
	Name:      "api_tool_call",
	Aliases:   []string{"native", "think_only"},
	About:     "models behind an API with native tool calls; in text, only reasoning tags are recognized",
	Source:    "founding design",
	Reasoning: thinkTags,
	Example:   `<think>The wire carries the call.</think>`,
}

var xmlTags = &Dialect{
	Name:      "xml",
	About:     "any model that is taught the XML manifest",
	Source:    "founding design",
	Reasoning: thinkTags,
	Frame:     Frame{Call: Pair{"<tool", "</tool"}},
	Head:      Head{Form: HeadAttribute, Name: []string{"name"}},
	Args:      Args{Form: ArgsTags, Key: "name", Entities: true},
	Example:   `<tool name="get_weather"><arguments><arg name="city">Oslo</arg></arguments></tool>`,
}

var sentinel = &Dialect{
	Name:      "sentinel",
	About:     "any model that is taught the sentinel manifest",
	Source:    "founding design",
	Reasoning: thinkTags,
	Frame:     Frame{Call: Pair{"[[SEG_START", "[[SEG_END]]"}},
	Head:      Head{Form: HeadHeader, Name: []string{"tool_name", "name"}, End: "]]"},
	Args:      Args{Form: ArgsJSON, Keys: []string{"arguments"}},
	Written:   Written{Compact: true},
	Show:      showMCP,
	Example:   `[[SEG_START {"type":"tool","tool_name":"get_weather"}]]{"city":"Oslo"}[[SEG_END]]`,
}

var jsonOpenAI = &Dialect{
	Name:      "json-openai",
	Aliases:   []string{"json_openai"},
	About:     "models that are taught JSON in OpenAI's envelopes",
	Source:    "founding design",
	Reasoning: thinkTags,
	Head: Head{
		Form: HeadEnvelope, Name: []string{"name", "function"}, Wrap: []string{"tool", "function"}, Array: true,
		Lists: []string{"tool_calls", "tools"}, Bare: []string{"tool_calls"},
	},
	Args: Args{Form: ArgsJSON, Keys: []string{"arguments", "parameters"}},
	Written: Written{
		Envelope: `{"function":{"name":{name},"arguments":{args}}}`, List: Pair{`{"tool_calls":[`, `]}`}, Compact: true,
	},
	Example: `{"tool_calls":[{"function":{"name":"get_weather","arguments":{"city":"Oslo"}}}]}`,
}

var jsonGemini = &Dialect{
	Name:      "json-gemini",
	Aliases:   []string{"json_gemini"},
	About:     "models that are taught JSON in Gemini's shape",
	Source:    "founding design",
	Reasoning: thinkTags,
	Head:      Head{Form: HeadEnvelope, Name: []string{"name"}, Wrap: []string{"functionCall"}, Array: true},
	Args:      Args{Form: ArgsJSON, Keys: []string{"args"}},
	Written:   Written{Compact: true},
	Show:      showLines,
	Example:   `{"name":"get_weather","args":{"city":"Oslo"}}`,
}

var jsonDefault = &Dialect{
	Name:      "json-default",
	Aliases:   []string{"json_default"},
	About:     "models that are taught toolparse's plain JSON envelope",
	Source:    "founding design",
	Reasoning: thinkTags,
	Head:      Head{Form: HeadEnvelope, Name: []string{"tool", "function"}, Wrap: []string{"tool"}},
	Args:      Args{Form: ArgsJSON, Keys: []string{"parameters", "arguments"}},
	Written:   Written{Envelope: `{"tool":{"function":{name},"parameters":{args}}}`, Compact: true},
	Show:      showMCP,
	Example:   `{"tool":{"function":"get_weather","parameters":{"city":"Oslo"}}}`,
}

// jsonAny combines the three profiles, for a stream whose provider is unknown.
var jsonAny = &Dialect{
	Name:      "json-any",
	Aliases:   []string{"json_any"},
	About:     "the three JSON profiles at once, for an unknown provider",
	Source:    "founding design",
	Reasoning: thinkTags,
	Head: Head{
		Form: HeadEnvelope, Name: []string{"name", "function", "tool"}, Wrap: []string{"tool", "function", "functionCall"}, Array: true,
		Lists: []string{"tool_calls", "tools"}, Bare: []string{"tool_calls"},
	},
	Args:    Args{Form: ArgsJSON, Keys: []string{"arguments", "parameters", "args"}},
	Written: Written{Compact: true},
	Show:    showMCP,
	Example: `{"name":"get_weather","arguments":{"city":"Oslo"}}`,
}
