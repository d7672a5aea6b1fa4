package benchtext

import (
	"fmt"
	"strings"
)

var escape = strings.NewReplacer("&", "&amp;", "<", "&lt;")

// XML writes a call in the dialect xml.
func XML(c Call) string {
	var b strings.Builder
	arg := func(name, value string) {
		fmt.Fprintf(&b, "<arg name=%q>%s</arg>\n", name, value)
	}
	fmt.Fprintf(&b, "<tool name=%q>\n<arguments>\n", c.Tool)
	arg("path", c.Path)
	arg("content", "\n"+escape.Replace(c.Content)+"\n")
	if c.Line != 0 {
		arg("line", fmt.Sprint(c.Line))
	}
	if c.Overwrite {
		arg("overwrite", "true")
	}
	b.WriteString("</arguments>\n</tool>\n")
	return b.String()
}

// OpenAI writes a call in the dialect json-openai.
func OpenAI(c Call) string {
	return fmt.Sprintf(`{"tool_calls":[{"function":{"name":%q,"arguments":%s}}]}`, c.Tool, c.JSON()) + "\n"
}

// Gemini writes a call in the dialect json-gemini.
func Gemini(c Call) string { return fmt.Sprintf(`{"name":%q,"args":%s}`, c.Tool, c.JSON()) + "\n" }

// Default writes a call in the dialect json-default.
func Default(c Call) string {
	return fmt.Sprintf(`{"tool":{"function":%q,"parameters":%s}}`, c.Tool, c.JSON()) + "\n"
}

// None writes nothing, for calls that are not in the text.
func None(Call) string { return "" }

// Sentinel writes a call in the dialect sentinel. A call of WriteFile has its own
// segment type and verbatim content.
func Sentinel(c Call) string {
	if c.Tool == WriteFile {
		return fmt.Sprintf("[[SEG_START {\"type\":%q,\"path\":%q}]]\n%s[[SEG_END]]\n", c.Tool, c.Path, c.Content)
	}
	return fmt.Sprintf("[[SEG_START {\"type\":\"tool\",\"tool_name\":%q}]]%s[[SEG_END]]\n", c.Tool, c.JSON())
}

// Shorthand writes a call of WriteFile as the tool's own tag.
func Shorthand(c Call) string {
	return fmt.Sprintf("<%s path=%q>\n%s</%[1]s>\n", c.Tool, c.Path, c.Content)
}

// Hermes writes a call as Hermes and Qwen models do: JSON between tags.
func Hermes(c Call) string {
	return fmt.Sprintf("<tool_call>\n{\"name\": %q, \"arguments\": %s}\n</tool_call>\n", c.Tool, c.JSON())
}

// QwenCoder writes a call as Qwen3-Coder does: a tag for each argument.
func QwenCoder(c Call) string {
	var b strings.Builder
	arg := func(name, value string) {
		fmt.Fprintf(&b, "<parameter=%s>\n%s\n</parameter>\n", name, value)
	}
	fmt.Fprintf(&b, "<tool_call>\n<function=%s>\n", c.Tool)
	arg("path", c.Path)
	arg("content", c.Content)
	if c.Line != 0 {
		arg("line", fmt.Sprint(c.Line))
	}
	if c.Overwrite {
		arg("overwrite", "true")
	}
	b.WriteString("</function>\n</tool_call>\n")
	return b.String()
}
