package streamgen

import "strings"

// Hostile is a family of inputs that are cheap to make, but expensive for a parser that
// looks back or waits.
type Hostile struct {
	Name    string
	Dialect string
	open    string // written once
	repeat  string // repeated to the wanted size
}

// Text returns an input of about size bytes, with at least one repetition.
func (h Hostile) Text(size int) string {
	n := max(1, (size-len(h.open))/len(h.repeat))
	return h.open + strings.Repeat(h.repeat, n)
}

// Hostiles returns every family, in a fixed order.
func Hostiles() []Hostile {
	const (
		file    = `<tool name="write_file"><arguments><arg name="path">/a</arg><arg name="content">`
		value   = `<tool name="t"><arguments><arg name="k">`
		command = `<tool name="run_bash"><arguments><arg name="background">true</arg><arg name="command">`
		gemini  = `{"name":"t","args":{"k":"`
	)
	return []Hostile{
		{"unclosed tool tag", "xml", "<tool ", "a"},
		{"unclosed tool tag with attributes", "xml", "<tool ", "k=\"v\" "},
		{"tool tags that never close", "xml", "", "<tool "},
		{"named tool tags that never close", "xml", "", "<tool name=\"t\" "},
		{"named tool tags in prose", "xml", "", "<tool name=\"t\"> a "},
		{"unclosed attribute value", "xml", "<tool name=\"", "x>"},
		{"less-than signs", "xml", "", "<"},
		{"blanks after the name", "xml", "<tool name=\"t\">", " "},
		{"blanks after an inner closer", "xml", value + "v</arg>", " "},
		{"near-miss inner closers", "xml", value, "</arg> x"},
		{"near-miss inner closers with blanks", "xml", value, "</arg>                                "},
		{"inner closer and the level above", "xml", value, "</arg></arguments> "},
		{"near-miss outer closers", "xml", "<run_bash>", "</run_bas"},
		{"near-miss file closers", "xml", "<write_file path=\"/a\">", "</write_file "},
		{"near-miss content closers", "xml", file, "</arg>\n"},
		{"end markers that end nothing", "xml", file + "__START_CONTENT__", "__END_CONTENT__ "},
		{"end markers and closers that end nothing", "xml", file + "__START_CONTENT__", "__END_CONTENT__</arg> "},
		{"blank content", "xml", file, " "},
		{"blank lines of content", "xml", file, "\n"},
		{"command never closed", "xml", command, "a"},
		{"file without a path", "xml", `<tool name="write_file"><arguments><arg name="content">`, "a"},
		{"nested arguments", "xml", `<tool name="t"><arguments>`, `<arg name="k">`},
		{"nested items", "xml", value, "<item>"},
		{"unfinished entities", "xml", value, "&am"},
		{"unfinished numeric entities", "xml", value, "&#11111111"},
		{"never-closed CDATA", "xml", value + "<![CDATA[", "]]"},
		{"never-closed comment", "xml", `<tool name="t"><arguments><!--`, "--"},
		{"argument names in a tag", "xml", `<tool name="t"><arguments>`, "<a"},
		{"self-closing calls", "xml", "", "<tool name=\"t\"/>"},

		{"a brace and blanks", "json-openai", "{", " "},
		{"braces", "json-openai", "", "{"},
		{"brackets", "json-openai", "", "["},
		{"braces and keys", "json-openai", "", `{"a":`},
		{"open envelopes", "json-openai", "", `{"tool_calls":[`},
		{"nested function envelopes", "json-openai", "", `{"tool":{"function":`},
		{"arguments before a name", "json-openai", "", `{"arguments":{"a":`},
		{"arguments before a name that never comes", "json-openai", `{"arguments":{"a":"`, "x"},
		{"a name that never ends", "json-openai", `{"name":"`, "n"},
		{"names without arguments", "json-openai", "", `{"name":"t",`},
		{"members before a call", "json-openai", "{", `"k":"v",`},
		{"keys without quotes", "json-openai", "{", "a"},
		{"quotes", "json-gemini", "", `"`},
		{"quotes in a value", "json-gemini", gemini, `\"`},
		{"backslashes in a value", "json-gemini", gemini, `\\`},
		{"escapes in a value", "json-gemini", gemini, `\u0041`},
		{"half surrogates in a value", "json-gemini", gemini, `\ud83d`},
		{"raw newlines in a value", "json-gemini", gemini, "\n"},
		{"trailing commas in a value", "json-gemini", `{"name":"t","args":{"k":[`, ",1"},
		{"nested arrays in a value", "json-gemini", `{"name":"t","args":{"k":`, "["},
		{"nested objects in a value", "json-gemini", `{"name":"t","args":`, `{"k":`},
		{"a number that never ends", "json-gemini", `{"name":"t","args":{"k":1`, "1"},
		{"open candidates", "json-gemini", "", `{"name":`},
		{"fences", "json-gemini", "", "```json\n{"},
		{"backticks", "json-gemini", "", "`"},
		{"envelopes without an end", "json-default", "", `{"tool":{"parameters":{},`},
		{"half-open quotes and braces", "json-default", "", `{"tool":"`},

		{"never-closed header", "sentinel", `[[SEG_START {"type":"`, "x"},
		{"never-closed header of members", "sentinel", `[[SEG_START {`, `"k":"v",`},
		{"header and blanks", "sentinel", `[[SEG_START`, " "},
		{"nested header", "sentinel", `[[SEG_START `, `{"k":`},
		{"start markers", "sentinel", "", "[[SEG_START"},
		{"start markers with braces", "sentinel", "", "[[SEG_START {"},
		{"opening brackets", "sentinel", "", "["},
		{"near-miss end markers", "sentinel", `[[SEG_START {"type":"run_bash"}]]`, "[[SEG_END]"},
		{"brackets in a body", "sentinel", `[[SEG_START {"type":"run_bash"}]]`, "["},

		{"open reasoning", "api_tool_call", "<think>", "</thin"},
		{"reasoning openers", "api_tool_call", "", "<think>\n"},
		{"lines that might be reasoning", "api_tool_call", "", "\n<thin"},
		{"reasoning blocks", "api_tool_call", "", "<think>a</think>\n"},
	}
}
