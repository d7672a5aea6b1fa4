package streamgen

import "strings"

// words end in a letter, which begins no marker, so that a parser can pass them on at
// once.
var words = strings.Fields(`amber bolt cedar dune ember fjord glade heron iris jetty kelp lumen
	mossy nettle onyx prism quill ridge sable thicket umber vessel willow yarrow zephyr
	naïve über İstanbul 日本語 привет 😀ok`)

// harmless is prose with markup that is none in any dialect.
var harmless = []string{
	"1 < 2 and 3 > 2", "a & b &amp; c", "x = y[0]", "set {a, b}", "f(x)", "100 %", "\"quoted\"", "it's", "c:\\temp",
	"<b>bold</b>", "<br/>", "<!-- note -->", "</p>", "see [1]", "{}", "[]", "[[", "]]", "}}", "<<<", "&lt;tool&gt;",
}

var nativeLures = []string{
	`<tool name="cut"></tool>`, `{"name":"cut","arguments":{"a":"b"}}`, `[[SEG_START {"type":"run_bash"}]]ls[[SEG_END]]`,
	`<run_bash>ls</run_bash>`, "`<think>`", "say <think> aloud",
}

// prose writes visible text. It begins and ends with a word, so that its white space is
// never that between two calls.
func (g *generator) prose() {
	if g.out.Len() > 0 && g.src.IntN(2) == 1 {
		g.say("\n")
	}
	g.word()
	for i, n := 0, g.src.IntN(8); i < n; i++ {
		switch g.src.IntN(6) {
		default:
			g.say(" ")
			g.word()
		case 1:
			g.say(pick(g.src, ".\n", "\n\n", ",\t", "\r\n", " - "))
			g.word()
		case 2:
			g.say(" " + pick(g.src, harmless...) + " ")
			g.word()
		case 3:
			g.say(" " + pick(g.src, g.lures...) + " ")
			g.word()
		case 4:
			g.code()
		case 5:
			g.fence()
		}
	}
	g.say(pick(g.src, "", " ", "\n", ":\n\n"))
}

// code quotes a lure inline.
func (g *generator) code() {
	run := strings.Repeat("`", 1+g.src.IntN(2))
	g.say(" " + run + g.quoted() + run + " ")
	g.word()
}

// fence quotes a lure in a code block. The first line of the block is not a call,
// because in dialects without a marker a call at the top of a fence counts.
func (g *generator) fence() {
	g.say("\n```" + pick(g.src, "", "text", "json", "xml") + "\nexample\n" + g.quoted() + "\n```\n")
	g.word()
}

// quoted returns text that would be a call outside of code.
func (g *generator) quoted() string {
	switch g.dialect {
	case "xml":
		return pick(g.src, `<tool name="cut"><arguments></arguments></tool>`, `<run_bash>ls</run_bash>`)
	case "json-openai":
		return `{"tool_calls":[{"function":{"name":"cut","arguments":{}}}]}`
	case "json-gemini":
		return `{"name":"cut","args":{}}`
	case "json-default":
		return `{"tool":{"function":"cut","parameters":{}}}`
	case "sentinel":
		return `[[SEG_START {"type":"run_bash"}]]ls[[SEG_END]]`
	}
	return "cut()"
}

func (g *generator) word() {
	g.say(pick(g.src, words...))
	g.sure()
}

// say writes text that is expected as text.
func (g *generator) say(s string) {
	g.raw(s)
	g.text.WriteString(s)
}

// think writes a reasoning block at the start of the stream or of a line.
func (g *generator) think() {
	open, closer := "<think>", "</think>"
	if !g.inReasoning {
		if chance(g.src, 3) {
			open, closer = "<thinking>", "</thinking>"
		}
		g.raw(open)
	}
	for i, n := 0, 1+g.src.IntN(5); i < n; i++ {
		if i > 0 {
			g.ponder(pick(g.src, " ", "\n", " < ", " </ ", "\n\n"))
		}
		if chance(g.src, 6) {
			g.ponder(g.quoted() + " ")
		}
		g.ponder(pick(g.src, words...))
		g.sure()
	}
	g.raw(closer)
	g.say(pick(g.src, "\n", "\n\n"))
	g.word()
	g.say("\n")
}

func (g *generator) ponder(s string) {
	g.raw(s)
	g.reasoning.WriteString(s)
}
