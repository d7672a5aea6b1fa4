package parser

// How the chat templates of several dialects show the tools.
var (
	showLines = Show{Form: ToolPlain, Between: "\n"}
	showMCP   = Show{Form: ToolMCP, Between: "\n"}
	showTags  = Show{Form: ToolTags, Tools: Pair{"<tools>\n", "\n</tools>"}, Between: "\n"}
	// showNamespace is TypeScript, as OpenAI shows its functions.
	showNamespace = Show{
		Form: ToolTypeScript, Tools: Pair{"namespace functions {\n\n", "\n} // namespace functions"}, Between: "\n",
	}
	showReact = Show{Form: ToolLines, Tool: Pair{Open: "{name}: {about} Parameters: {schema}"}, Between: "\n"}
)

// showList is a JSON list of tools between two markers.
func showList(open string, form ToolForm, end string) Show {
	return Show{Form: form, Tools: Pair{open + "[", "]" + end}, Between: ", "}
}

// showEach is a tool a line, each in a tag, and all in one.
func showEach(tools, tool string) Show {
	return Show{
		Form: ToolPlain, Tools: Pair{"<" + tools + ">\n", "\n</" + tools + ">"},
		Tool: Pair{"<" + tool + ">", "</" + tool + ">"}, Between: "\n",
	}
}
