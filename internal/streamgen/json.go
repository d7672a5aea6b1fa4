package streamgen

import (
	"encoding/json"
	"strings"
)

// Texts that look like calls of a JSON profile but are prose.
var (
	bareLures = []string{
		`{"name":"Bob","age":3}`, `{"city": "Oslo"}`, `[1, 2, 3]`, `[{"a": 1}]`, `{"tool": "hammer"}`, `{ "function" : "sine" }`,
		`{"tool_calls": []}`, `{"name":"cut","description":"cuts","parameters":{"type":"object","properties":{}}}`, `{"a":{"b":[{}]}}`,
		`{"name": 5, "arguments": {}}`, `{"arguments": {}}`,
	}
	openAILures  = append([]string{`{"name":"cut","args":{}}`, `{"functionCall": {"name": "cut", "args": {}}}`}, bareLures...)
	geminiLures  = append([]string{`{"name":"cut","arguments":{}}`, `{"tool_calls":[{"function":{"name":"cut","arguments":{}}}]}`}, bareLures...)
	defaultLures = append([]string{`{"name":"cut","args":{}}`, `{"name":"cut","arguments":{}}`}, bareLures...)
)

// A shape is one way to write a call as a JSON object. %N is the name, %A the arguments
// as an object, %S the arguments as a string that contains the object.
type shape struct {
	format string
	prompt bool // the name comes first, so that the arguments stream
}

// openAIShapes are the shapes of a single call.
var openAIShapes = []shape{
	{`{"tool":{"function":{"name":%N,"arguments":%A}}}`, true},
	{`{"function":{"name":%N,"arguments":%A}}`, true},
	{`{"name":%N,"arguments":%A}`, true},
	{`{"name":%N,"parameters":%A}`, false},
	{`{"tool":{"name":%N,"arguments":%A}}`, true},
	{`{"function":%N,"arguments":%A}`, true},
	{`{"function":%N,"parameters":%A}`, false},
	{`{"function":{"arguments":%A,"name":%N}}`, false},
	{`{"arguments":%A,"name":%N}`, false},
	{`{"id":"c1","type":"function","function":{"name":%N,"arguments":%S}}`, true},
	{`{"function":{"name":%N,"arguments":%S}}`, true},
	{`{"function":{"arguments":%S,"name":%N},"type":"function"}`, false},
	{`{"name":%N,"arguments":%S}`, true},
	{`{"type":"function","name":%N,"arguments":%A}`, true},
}

// listShapes are the shapes of a call inside tool_calls or tools.
var listShapes = []shape{
	{`{"function":{"name":%N,"arguments":%A}}`, true},
	{`{"id":"call_1","type":"function","function":{"name":%N,"arguments":%S}}`, true},
	{`{"name":%N,"arguments":%A}`, true},
	{`{"index":0,"function":{"arguments":%S,"name":%N},"id":"call_2"}`, false},
}

var geminiShapes = []shape{
	{`{"name":%N,"args":%A}`, true},
	{`{"args":%A,"name":%N}`, false},
	{`{"functionCall":{"name":%N,"args":%A}}`, true},
	{`{"functionCall":{"args":%A,"name":%N}}`, false},
}

var defaultShapes = []shape{
	{`{"tool":{"function":%N,"parameters":%A}}`, true},
	{`{"tool":{"parameters":%A,"function":%N}}`, false},
	{`{"tool":%N,"parameters":%A}`, true},
	{`{"tool":%N,"arguments":%A}`, true},
	{`{"parameters":%A,"tool":%N}`, false},
	{`{"function":%N,"parameters":%A}`, true},
	{`{"parameters":%A,"function":%N}`, false},
}

func writeOpenAI(g *generator, calls []call) {
	g.fenced(calls, func() {
		switch g.src.IntN(4) {
		default:
			g.separately(calls, openAIShapes)
		case 1:
			g.listed(`{`+pick(g.src, `"tool_calls"`, `"tools"`)+`:[`, calls, `]}`, listShapes)
		case 2:
			g.listed(`{"content":null,"tool_calls":[`, calls, `]}`, listShapes)
		case 3:
			g.listed(`[`, calls, `]`, openAIShapes)
		}
	})
}

func writeGemini(g *generator, calls []call) {
	g.fenced(calls, func() {
		if chance(g.src, 3) {
			g.listed(`[`, calls, `]`, geminiShapes)
			return
		}
		g.separately(calls, geminiShapes)
	})
}

func writeDefault(g *generator, calls []call) {
	g.fenced(calls, func() { g.separately(calls, defaultShapes) })
}

// fenced writes calls. It puts some single calls inside a code fence, whose lines then
// belong to the call.
func (g *generator) fenced(calls []call, write func()) {
	if len(calls) > 1 || !chance(g.src, 6) {
		write()
		g.ended() // inside a list or fence, its end belongs to the last call
		return
	}
	g.looseBlanks = true
	if g.out.Len() > 0 {
		g.raw("\n")
	}
	g.raw("```" + pick(g.src, "", "json", "tool_call") + "\n")
	write()
	g.raw("\n```\n")
}

func (g *generator) separately(calls []call, shapes []shape) {
	for i, c := range calls {
		if i > 0 {
			g.blank()
		}
		g.shape(c, pick(g.src, shapes...), g.style())
		if len(calls) > 1 { // a single one may stand in a fence
			g.ended()
		}
	}
}

func (g *generator) listed(open string, calls []call, closer string, shapes []shape) {
	style := g.style()
	g.layout(open, style)
	for i, c := range calls {
		if i > 0 {
			g.raw(",")
			g.blank()
		}
		g.shape(c, pick(g.src, shapes...), style)
	}
	g.layout(closer, style)
}

// layout writes JSON structure with the blanks of the style. Strings in it must not
// contain brackets, colons or commas.
func (g *generator) layout(format string, style jsonStyle) {
	for _, r := range format {
		switch r {
		case ':':
			g.raw(":" + style.colon)
		case ',':
			g.raw("," + style.comma)
		case '{', '[':
			g.raw(string(r) + style.inner)
		case '}', ']':
			g.raw(style.inner + string(r))
		default:
			g.raw(string(r))
		}
	}
}

func (g *generator) shape(c call, s shape, style jsonStyle) {
	var b strings.Builder
	style.write(&b, c.object())
	args := b.String()
	start := g.out.Len()
	for rest := s.format; rest != ""; {
		at := strings.IndexByte(rest, '%')
		if at < 0 {
			g.layout(rest, style)
			break
		}
		g.layout(rest[:at], style)
		switch rest[at+1] {
		case 'N':
			g.raw(`"` + c.tool.name + `"`)
		case 'A':
			g.letters(args, s.prompt)
		case 'S':
			b.Reset()
			jsonStyle{}.writeString(&b, args)
			g.letters(b.String(), s.prompt)
		}
		rest = rest[at+2:]
	}
	g.expect(c, args, !json.Valid([]byte(args)) || !json.Valid([]byte(g.out.String()[start:])))
}

// letters writes argument text, and calls sure after letters of strings. Only a letter
// after other letters counts, because a single one may end an escape.
func (g *generator) letters(args string, prompt bool) {
	if !prompt {
		g.raw(args)
		return
	}
	inWord := 0
	for i := 0; i < len(args); i++ {
		g.raw(args[i : i+1])
		switch {
		case args[i] == '\\':
			inWord = -8
		case isLetter(rune(args[i])):
			inWord++
		default:
			inWord = min(inWord, 0)
		}
		if inWord >= 3 && !literalTail(args[:i+1]) {
			g.sure()
		}
	}
}

// literalTail reports whether text may end inside null, true or false.
func literalTail(text string) bool {
	tail := text[max(0, len(text)-5):]
	for _, l := range []string{"null", "true", "false"} {
		for n := 1; n <= len(l); n++ {
			if strings.HasSuffix(tail, l[:n]) && n >= 3 {
				return true
			}
		}
	}
	return false
}
