package manifest

import (
	"github.com/toolparse/toolparse/parser"
)

// style is how the tools are shown to the models of a dialect, after their own chat
// templates where these are known.
type style struct {
	schema  schemaForm
	open    string // around all tools
	between string // two tools
	close   string
	guide   guide
	loose   bool // open and close are not those of a template
	escapes bool // schema escapes all markup in what a tool says of itself
	own     bool // schema is the caller's own
}

// tagStyle is XML.
var tagStyle = style{schema: xmlForm, between: "\n", guide: tagGuide, escapes: true}

func lines(form schemaForm) style { return style{schema: form, between: "\n"} }

func around(open string, form schemaForm, end string) style {
	return style{schema: form, open: open + "\n", between: "\n", close: "\n" + end}
}

func list(open string, form schemaForm, end string) style {
	return style{schema: form, open: open + "[", between: ", ", close: "]" + end}
}

func guided(s style, g guide) style {
	s.guide = g
	return s
}

// section is the style of dialects whose templates are not known: most have such a
// section.
func section(guide guide) style {
	s := guided(around("<tools>", openAIForm, "</tools>"), guide)
	s.loose = true
	return s
}

// styleOf is the style of a dialect.
func styleOf(d *parser.Dialect) style {
	if s, ok := namedStyle(d.Name); ok {
		return s
	}
	switch {
	case d.Args.Form == parser.ArgsTags:
		return tagStyle
	case d.Args.Form == parser.ArgsPairs && !d.Args.Quoted && !d.Args.Nested:
		return section(pairGuide)
	case d.Frame.Bare || d.Frame.Call.Open == "" && d.Frame.Section.Open == "":
		return lines(openAIForm)
	}
	return section(noGuide)
}

// namedStyle is that of a dialect whose models were shown their tools otherwise than
// most. The markup is that of their chat templates.
func namedStyle(dialect string) (style, bool) {
	switch dialect {
	case "xml":
		return tagStyle, true
	case "sentinel", "json-any", "json-default":
		return lines(defaultForm), true
	case "json-openai":
		return lines(openAIForm), true
	case "json-gemini", "deepseek_v3", "deepseek_v32", "deepseek_v4", "deepseek_v41", "xlam":
		return lines(plainForm), true
	case "qwen3_coder", "step3p5":
		return guided(around("<tools>", qwenForm.write, "</tools>"), markGuide), true
	case "minimax_m2":
		return guided(around("<tools>", within("<tool>", plainForm, "</tool>"), "</tools>"), pairGuide), true
	case "anthropic_invoke":
		return guided(around("<functions>", within("<function>", plainForm, "</function>"), "</functions>"), pairGuide), true
	case "deepseek_v31":
		return style{schema: headingForm, between: "\n\n"}, true
	case "mistral":
		return list("[AVAILABLE_TOOLS]", openAIForm, "[/AVAILABLE_TOOLS]"), true
	case "nemotron_json":
		return list("<AVAILABLE_TOOLS>", openAIForm, "</AVAILABLE_TOOLS>"), true
	case "jamba":
		return around("<tool_definitions>", openAIForm, "</tool_definitions>"), true
	case "phi4_mini_json":
		return list("<|tool|>", plainForm, "<|/tool|>"), true
	case "lfm2":
		return list("List of tools: <|tool_list_start|>", plainForm, "<|tool_list_end|>"), true
	case "olmo3":
		return list("<functions>", plainForm, "</functions>"), true
	case "cohere_command3", "cohere_command4", "kimi_k2":
		return list("", plainForm, ""), true
	case "openai", "llm_jp_harmony", "functionary_v32":
		return style{schema: typeScriptForm, open: "namespace functions {\n\n", between: "\n", close: "\n} // namespace functions"}, true
	case "openhands":
		return guided(lines(openHandsForm.write), pairGuide), true
	case "cline":
		return guided(lines(clineForm.write), pairGuide), true
	case "continue_codeblock":
		return guided(lines(continueForm.write), pairGuide), true
	case "react", "react_json":
		return lines(reactForm), true
	}
	return style{}, false
}
