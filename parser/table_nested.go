package parser

// Dialects with a tag named like each parameter.

var nestedTable = []*Dialect{minimaxM3, morphXML, cline}

var minimaxM3 = &Dialect{
	Name:    "minimax_m3",
	Aliases: []string{"minimax-m3", "minimaxm3"},
	About:   "MiniMax M3",
	Source:  "the model's chat template; vLLM minimax_m3, SGLang minimax-m3, llama.cpp",
	Quirks: []string{
		"Every tag has the mark ]<]minimax[>[, so that a tag without it is text: values may hold any markup.",
		"Objects are tags within the value, lists have an <item> for each element, or repeat the parameter's tag.",
		"A value that may be a string or an object is an object where it begins with a marked tag.", quirkNoOuter,
	},
	Reasoning: []Reasoning{{Open: "<mm:think>", Close: "</mm:think>", Anywhere: true}, {Open: "<think>", Close: "</think>"}},
	Frame: Frame{
		Section: Pair{"]<]minimax[>[<tool_call>\n", "\n]<]minimax[>[</tool_call>"},
		Call:    Pair{"]<]minimax[>[<invoke", "]<]minimax[>[</invoke>"}, Between: "\n",
	},
	Head:    Head{Form: HeadAttribute, Name: []string{"name"}, End: ">"},
	Args:    Args{Form: ArgsPairs, Nested: true, Item: "item", KeyMark: Pair{"]<]minimax[>[<", ">"}, ValueMark: Pair{"", "]<]minimax[>[</{key}>"}},
	Noise:   []string{"[e~["},
	Example: "]<]minimax[>[<tool_call>\n]<]minimax[>[<invoke name=\"get_weather\">]<]minimax[>[<city>Oslo]<]minimax[>[</city>]<]minimax[>[</invoke>\n]<]minimax[>[</tool_call>",
}

// What is said of tags named like the tool.
const (
	quirkDeclared = "The tag has no mark of its own: where tools are declared, only theirs are calls, and what follows must be a tag or the closer."
	quirkRepeated = "A list as a parameter's tag that is repeated, also with others in between: its elements."
	quirkIndexed  = "The elements of a list in tags <0>, <1> or of any other name: read."
	quirkCommas   = "A list of numbers as text with commas or newlines between them: read."
	quirkSingle   = "<tool/>: a call without arguments."
)

var morphXML = &Dialect{
	Name:    "morphxml",
	Aliases: []string{"morph-xml", "morph_xml", "sijawara", "xml_tags"},
	About:   "any model that is taught a tag for each tool",
	Source:  "ai-sdk-tool-call-middleware",
	Quirks: []string{
		quirkDeclared, quirkRepeated, quirkIndexed, quirkCommas, quirkSingle,
		"A value without its closer before the call's at the end of the message: it ends there.", quirkInner,
	},
	Reasoning: thinkTags,
	Frame:     Frame{Call: Pair{"<", "</{name}>"}, Between: "\n"},
	Head:      Head{Form: HeadLiteral, End: ">\n"},
	Args:      Args{Form: ArgsPairs, Nested: true, Item: "item", KeyMark: Pair{"<", ">"}, ValueMark: Pair{"", "</{key}>\n"}},
	Results:   namedResponse,
	Example:   "<get_weather>\n<city>Oslo</city>\n</get_weather>",
}

var cline = &Dialect{
	Name:    "cline",
	Aliases: []string{"roo", "roo-code", "roo_code", "roo-fence", "kilo"},
	About:   "any model that Cline or Roo Code prompts",
	Source:  "Cline and Roo Code, their system prompts",
	Quirks: []string{
		quirkDeclared, "Blanks around a value are layout, of content only one newline on each side.", quirkRepeated, quirkSingle, quirkInner,
	},
	Reasoning: thinkTags,
	Frame:     Frame{Call: Pair{"<", "</{name}>"}, Between: "\n"},
	Head:      Head{Form: HeadLiteral, End: ">\n"},
	Args:      Args{Form: ArgsPairs, Nested: true, Item: "item", KeyMark: Pair{"<", ">"}, ValueMark: Pair{"", "</{key}>\n"}, Layout: LayoutTrim, Exact: []string{"content"}},
	Results:   Results{Result: Pair{Open: "[{name}] Result:\n\n"}, Between: "\n\n"},
	Show: Show{
		Form: ToolLines, Tool: Pair{Open: "## {name}\nDescription: {about}\nParameters:\n"},
		Param: "- {name}: ({need}, {type}{facts}) {about}\n", Between: "\n",
	},
	Example: "<get_weather>\n<city>Oslo</city>\n</get_weather>",
}
