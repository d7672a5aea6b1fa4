package streamgen

import "strings"

// markers are pieces of every dialect, to break output with.
var markers = []string{
	"<", ">", "/", "\"", "'", "\\", "{", "}", "[", "]", ",", ":", " ", "\n", "`", "```", "\n```\n", "&", ";", "\x00", "\xff", "\xe2\x82",
	"<tool name=\"t\">", "<tool ", "</tool>", "<arguments>", "</arguments>", "<arg name=\"k\">", "</arg>", "<item>", "</item>",
	"<tool name=\"t\"/>", "<!--", "-->", "<![CDATA[", "]]>", "&lt;", "&#", "__START_CONTENT__", "__END_CONTENT__",
	"<write_file path=\"/a\">", "</write_file>", "<edit_file path='b'>", "</edit_file>", "<run_bash>", "</run_bash>",
	"<tool name=\"write_file\"><arguments>", "<arg name=\"path\">", "<arg name=\"content\">",
	`{"name":"t","arguments":{`, `{"name":"t","args":{`, `{"tool":{"function":"t","parameters":{`, `{"tool_calls":[`, `{"tool":"t",`,
	`"name":"t"`, `"arguments":`, `"args":`, `"a":"b`, `"a":1`, "null", "True", "1e", "\\u", "\\ud83d", "}}", "]}",
	"[[SEG_START", `[[SEG_START {"type":"run_bash"}]]`, `[[SEG_START {"type":"tool","tool_name":"t"}]]`, "[[SEG_END]]", "]]",
	"<think>", "</think>", "\n<think>", "<thinking>", "</thinking>", "word", "é",
}

// Soup returns a text of markers of all dialects in random order.
func Soup(src Source) string {
	var b strings.Builder
	for range src.IntN(40) {
		b.WriteString(pick(src, markers...))
	}
	return b.String()
}

// Mutate breaks a text: it drops, repeats, swaps and replaces bytes and runs of bytes,
// inserts markers, and cuts off the end.
func Mutate(src Source, text string) string {
	for range 1 + src.IntN(4) {
		at := place(src, text)
		to := min(len(text), at+pick(src, 1, 2, 8, 30))
		switch src.IntN(7) {
		case 0:
			text = text[:at] + pick(src, markers...) + text[at:]
		case 1:
			text = text[:at] + text[to:]
		case 2:
			text = text[:to] + text[at:]
		case 3:
			text = text[:at] + pick(src, markers...) + text[to:]
		case 4:
			end := min(len(text), to+(to-at))
			text = text[:at] + text[to:end] + text[at:to] + text[end:]
		case 5:
			text = text[:at] + string(rune(src.IntN(256))) + text[to:]
		case 6:
			text = text[:at]
		}
	}
	return text
}

// place returns an offset in text, from 0 to its length.
func place(src Source, text string) int {
	at := src.IntN(256)<<8 | src.IntN(256)
	return at % (len(text) + 1)
}
