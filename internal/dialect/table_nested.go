package dialect

// Dialects with one tag for each parameter, named after it.

var nestedTable = []*Dialect{minimaxM3, morphXML, cline}

var minimaxM3 = row(thinking, Dialect{
	Name:    "minimax_m3",
	Aliases: []string{"minimax-m3", "minimaxm3"},
	About:   "MiniMax M3",
	Source:  "the model's chat template; vLLM minimax_m3, SGLang minimax-m3, llama.cpp",
	Quirks: []string{
		"Every tag has the mark ]<]minimax[>[. A tag without it is text, so values may contain any markup. Blanks may follow the mark.",
		"Objects are nested tags; lists have one <item> per element, or repeat the parameter's tag.",
		"A value that may be a string or an object is an object if it begins with a marked tag.", quirkNoOuter,
	},
	Reasoning: []Reasoning{{Open: "<mm:think>", Close: "</mm:think>", Anywhere: true}, {Open: "<think>", Close: "</think>"}},
	Frame: Frame{
		Section: Pair{"]<]minimax[>[<tool_call>\n", "\n]<]minimax[>[</tool_call>"},
		Call:    Pair{"]<]minimax[>[<invoke", "]<]minimax[>[</invoke>"}, Between: "\n",
	},
	Head: Head{Form: HeadAttribute, Name: []string{"name"}, End: ">"},
	Args: Args{Form: ArgsPairs, Nested: true, KeyMark: Pair{"]<]minimax[>[<", ">"}, ValueMark: Pair{"", "]<]minimax[>[</{key}>"}},
	Also: []Form{{
		Frame: Frame{
			Section: Pair{"]<]minimax[>[ <tool_call>\n", "\n]<]minimax[>[ </tool_call>"},
			Call:    Pair{"]<]minimax[>[ <invoke", "]<]minimax[>[ </invoke>"}, Between: "\n",
		},
		Head: Head{Form: HeadAttribute, Name: []string{"name"}, End: ">"},
		Args: Args{Form: ArgsPairs, Nested: true, KeyMark: Pair{"]<]minimax[>[ <", ">"}, ValueMark: Pair{"", "]<]minimax[>[ </{key}>"}},
	}},
	Show:    showMinimax3,
	Results: minimaxM2.Results,
	Written: Written{Keeps: KeepsAll},
	Ends:    Ends{Turn: "[e~["},
	Example: "]<]minimax[>[<tool_call>\n]<]minimax[>[<invoke name=\"get_weather\">]<]minimax[>[<city>Oslo]<]minimax[>[</city>]<]minimax[>[</invoke>\n]<]minimax[>[</tool_call>",
})

// Quirks of tags that are named after the tool.
const (
	quirkDeclared = "A tag named like its tool is a call only if the tool is declared (if any are) and a tag or the closing tag follows."
	quirkRepeated = "A repeated tag of a list parameter gives the list's elements, even with other tags in between."
	quirkIndexed  = "Elements of a list may be in tags of any name, such as <0> and <1>."
	quirkCommas   = "A list of numbers may be text, separated by commas or line feeds."
	quirkSingle   = "<tool/> is a call without arguments."
)

var morphXML = row(thinking, Dialect{
	Name:    "morphxml",
	Aliases: []string{"morph-xml", "morph_xml", "sijawara", "xml_tags"},
	About:   "any model that is taught a tag for each tool",
	Source:  "ai-sdk-tool-call-middleware",
	Quirks: []string{
		quirkDeclared, quirkRepeated, quirkIndexed, quirkCommas, quirkSingle,
		"A value without its closing tag ends at the call's closing tag at the end of the message.", quirkInner,
	},
	Frame:   Frame{Call: Pair{"<", "</{name}>"}, Between: "\n"},
	Head:    Head{Form: HeadLiteral, End: ">\n"},
	Args:    Args{Form: ArgsPairs, Nested: true, KeyMark: Pair{"<", ">"}, ValueMark: Pair{"", "</{key}>\n"}},
	Results: namedResponse,
	Example: "<get_weather>\n<city>Oslo</city>\n</get_weather>",
})

var cline = row(thinking, Dialect{
	Name:    "cline",
	Aliases: []string{"roo", "roo-code", "roo_code", "roo-fence", "kilo"},
	About:   "any model that Cline or Roo Code prompts",
	Source:  "Cline and Roo Code, their system prompts",
	Quirks: []string{
		quirkDeclared, "Blanks around a value are layout; around content, only one line feed on each side.", quirkRepeated, quirkSingle, quirkInner,
	},
	Frame:   Frame{Call: Pair{"<", "</{name}>"}, Between: "\n"},
	Head:    Head{Form: HeadLiteral, End: ">\n"},
	Args:    Args{Form: ArgsPairs, Nested: true, KeyMark: Pair{"<", ">"}, ValueMark: Pair{"", "</{key}>\n"}, Layout: LayoutTrim},
	Results: Results{Result: Pair{Open: "[{name}] Result:\n\n"}, Between: "\n\n"},
	Show: Show{
		Form: ToolLines, Tool: Pair{Open: "## {name}\nDescription: {about}\nParameters:\n"},
		Param: "- {name}: ({need}, {type}{facts}) {about}\n", Between: "\n",
	},
	Example: "<get_weather>\n<city>Oslo</city>\n</get_weather>",
})
