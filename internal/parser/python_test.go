package parser_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/toolparse/toolparse/internal/dialect"
	"github.com/toolparse/toolparse/internal/parser"
	"github.com/toolparse/toolparse/toolcall"
)

// TestPythonValues checks what one value in each notation becomes.
func TestPythonValues(t *testing.T) {
	const big = "123456789012345678901234567890"
	for _, tt := range []struct{ python, want string }{
		{`1`, `1 complete`},
		{`-12`, `-12 complete`},
		{`+3`, `3 complete`},
		{`007`, `7 complete`},
		{`-00`, `-0 complete`},
		{`1_000_000`, `1000000 complete`},
		{`0x_ff`, `255 complete`},
		{`0xFF`, `255 complete`},
		{`-0o17`, `-15 complete`},
		{`0b101`, `5 complete`},
		{big, big + ` complete`},
		{`.5`, `0.5 complete`},
		{`5.`, `5.0 complete`},
		{`5.e3`, `5.0e3 complete`},
		{`01.50`, `1.50 complete`},
		{`1e-3`, `1e-3 complete`},
		{`1E+400`, `1E+400 complete`},
		{`True`, `true complete`},
		{`False`, `false complete`},
		{`None`, `null complete`},
		{`true`, `true complete`},
		{`null`, `null complete`},
		{`nan`, `"nan" complete non_finite_number`},
		{`-inf`, `"-inf" complete non_finite_number`},
		{`""`, `"" complete`},
		{`''`, `"" complete`},
		{`""""""`, `"" complete`},
		{`'a"b'`, `"a\"b" complete`},
		{`"a'b"`, `"a'b" complete`},
		{`'a\'b'`, `"a'b" complete`},
		{`"a\tb\\n\n\/"`, `"a\tb\\n\n\\/" complete invalid_escape`},
		{`"\a\v\b\f\r"`, `"\u0007\u000b\b\f\r" complete`},
		{`"\x41\u00e9\U0001F600"`, `"Aé😀" complete`},
		{`"\ud83d\ude00"`, `"😀" complete`},
		{`"\ud83d."`, `"�." complete`},
		{`"\ude00"`, `"�" complete`},
		{`"\101\0\7x\1234"`, `"A\u0000\u0007xS4" complete`},
		{`"\x4g\u12"`, `"\\x4g\\u12" complete invalid_escape`},
		{`"\U00110000"`, `"\\U00110000" complete invalid_escape`},
		{`"\N{BULLET}"`, `"\\N{BULLET}" complete invalid_escape`},
		{"\"a\\\nb\"", `"ab" complete`},
		{"'a\nb'", `"a\nb" complete control_character`},
		{"'''a\nb'c''d'''", `"a\nb'c''d" complete`},
		{`"""say "hi""""`, `"say \"hi\"" complete unescaped_quote`},
		{`"""a "quoted" word"""`, `"a \"quoted\" word" complete`},
		{`r'\d\'\n'`, `"\\d\\'\\n" complete`},
		{`R"\\"`, `"\\\\" complete`},
		{`u'é'`, `"é" complete`},
		{`'a' 'b'`, `"ab" complete`},
		{`'a'"b"` + "\n" + `'''c'''`, `"abc" complete`},
		{`('a' 'b')`, `"ab" complete`},
		{`(1)`, `1 complete`},
		{`((1))`, `1 complete`},
		{`()`, `[] complete`},
		{`(1,)`, `[1] complete`},
		{`(1, 'a')`, `[1,"a"] complete`},
		{`((1, 2), (3,))`, `[[1,2],[3]] complete`},
		{`[]`, `[] complete`},
		{`[ ]`, `[] complete`},
		{`[1, 'a', None,]`, `[1,"a",null] complete`},
		{`[[], [[]]]`, `[[],[[]]] complete`},
		{`{}`, `{} complete`},
		{`{'a': 1, "b": [2]}`, `{"a":1,"b":[2]} complete`},
		{`{'a': {'b': {}},}`, `{"a":{"b":{}}} complete`},
		{`{1: 'a', None: 'b', -2.5: 'c'}`, `{"1":"a","null":"b","-2.5":"c"} complete`},
		{`{a: 1, b: 2}`, `{"a":1,"b":2} complete unquoted_key`},
		{`{'a'}`, `["a"] complete`},
		{`{'a', 'b',}`, `["a","b"] complete`},
		{`{1, 2}`, `[1,2] complete`},
		{`{(1, 2), (3, 4)}`, `[[1,2],[3,4]] complete`},
		{`{'a' 'b': 1}`, `{"ab":1} complete`},
		{`[{'a': ("x", "y")}]`, `[{"a":["x","y"]}] complete`},
		// No literals.
		{`b'a'`, ` malformed`},
		{`f'a'`, ` malformed`},
		{`a`, ` malformed`},
		{`e3`, ` malformed`},
		{`1_e3`, ` malformed`},
		{`1j`, ` malformed`},
		{`1__0`, ` malformed`},
		{`1_`, ` malformed`},
		{`0x`, ` malformed`},
		{`0x-1`, ` malformed`},
		{`1 + 2`, `1 malformed`},
		{`.`, ` malformed`},
		{`-`, ` malformed`},
		{`--1`, ` malformed`},
		{`[1, , 2]`, `[1 malformed`},
		{`[1)`, `[1 malformed`},
		{`{a}`, `["a" malformed unquoted_key`},
		{`{'a': 1, 2}`, `{"a":1,"2" malformed`},
		{`{'a': }`, `{"a": malformed`},
		{`{'a': 1: 2}`, `{"a":1 malformed`},
		{`{[1]: 2}`, ` malformed`},
		{`{'a': 1, (1, 2): 2}`, `{"a":1 malformed`},
		{`[1: 2]`, `[1 malformed`},
		{`(1: 2)`, `[1 malformed`},
		{`[x for x in y]`, `[ malformed`},
		{`g(1)`, ` malformed`},
		// Unescaped quotes, in pairs or not, and missing ones.
		{`"<a href="x">"`, `"<a href=\"x\">" complete unescaped_quote`},
		{`"5" of 7"`, `"5\" of 7" complete unescaped_quote`},
		{`"x="`, `"x=" complete`},
		{`"a, b="c"`, `"a, b=\"c"} malformed unescaped_quote`},
		{`'a), g(v='b'`, `"a), g(v='b"} malformed unescaped_quote`},
		{`"a), g(v="b", w=1`, `"a), g(v=\"b","w":1} malformed unescaped_quote`},
		{`"a", g(v="b"`, `"a\", g(v=\"b"} malformed unescaped_quote`},
		{`"<a id="x" href="y">"`, `"<a id=\"x\" href=\"y\">" complete unescaped_quote`},
		{`"=\n"a"`, `"=\n\"a" complete unescaped_quote`},
	} {
		t.Run(tt.python, func(t *testing.T) {
			want := `f {"v":` + strings.Replace(tt.want, " complete", "} complete", 1)
			got := callsIn(t, dialectNamed(t, "olmo3"), "<function_calls>f(v="+tt.python+")</function_calls>")
			if len(got) != 1 || got[0] != want {
				t.Errorf("got %q, want %q", got, want)
			}
		})
	}
}

func dialectNamed(t interface{ Fatal(...any) }, name string) *dialect.Dialect {
	list, err := dialect.Named(name, "")
	if err != nil {
		t.Fatal(err)
	}
	return list[0]
}

var pythonDialects = []string{"pythonic", "llama4_pythonic", "olmo3", "lfm2", "granite_pythonic"}

// pythonPieces lists the pieces of hostile and broken replies.
var pythonPieces = []string{
	"[", "]", "(", ")", "{", "}", ",", ":", "=", "'", `"`, "'''", `"""`, `\`, "\n", " ", "a", "f", "f(", "f(a=", "g()", "b=", "1", "-2.5", "0x1F",
	"True", "None", "r'", `\x41`, `\ud83d`, `\ude00`, `\n`, "é", "'x'", `"y z"`, "[1, 'a']", "{'k': 1}", "('t', 2)", "', b=", "')]", "'), g(", ";",
	"<function_calls>", "</function_calls>", "<|tool_call_start|>", "<|tool_call_end|>", "<|python_start|>", "<|python_end|>", "<|im_end|>",
	`{"name": "f", "arguments": {"a": 1}}`, "<think>", "</think>", "`", "```\n", "prose ",
}

// outcomeOf returns the result of a parse, whatever its chunks.
func outcomeOf(t *rapid.T, d *dialect.Dialect, tools []toolcall.ToolDefinition, chunks []string) (list []string, raw string) {
	p, err := parser.New(parser.Options{Dialects: []*dialect.Dialect{d}, Tools: tools})
	if err != nil {
		t.Fatal(err)
	}
	var events []toolcall.Event
	for _, c := range chunks {
		events = p.Feed(events, c)
	}
	var content, all strings.Builder
	for _, e := range p.Close(events) {
		all.WriteString(e.Raw)
		switch e.Type {
		case toolcall.SegmentStart:
			list = append(list, fmt.Sprintf("%s %s %s %s", e.Segment, e.ID, e.Name, e.Payload))
			content.Reset()
		case toolcall.SegmentContent:
			content.WriteString(e.Payload)
		case toolcall.SegmentEnd:
			list = append(list, fmt.Sprintf("%s %v %v %v %s", content.String(), e.Status, e.Reason, e.Tolerances, e.Payload))
		}
	}
	return list, all.String()
}

// TestPythonCuts checks that the parser reads broken text alike however it is cut, and loses
// none of it.
func TestPythonCuts(t *testing.T) {
	tools := []toolcall.ToolDefinition{{Name: "f"}, {Name: "g"}, {Name: "write_file"}}
	rapid.Check(t, func(t *rapid.T) {
		d := dialectNamed(t, rapid.SampledFrom(pythonDialects).Draw(t, "dialect"))
		text := strings.Join(rapid.SliceOfN(rapid.SampledFrom(pythonPieces), 1, 40).Draw(t, "pieces"), "")
		if rapid.Bool().Draw(t, "call") {
			text = strings.Replace(d.Example, `city="Oslo"`, text, 1)
		}
		var declared []toolcall.ToolDefinition
		if rapid.Bool().Draw(t, "tools") {
			declared = tools
		}
		want, raw := outcomeOf(t, d, declared, []string{text})
		if raw != text {
			t.Fatalf("the events of %q account for %q", text, raw)
		}
		cuts := [][]string{strings.Split(text, "")}
		for range 5 {
			n := rapid.IntRange(0, len(text)).Draw(t, "cut")
			cuts = append(cuts, []string{text[:n], text[n:]})
		}
		for _, chunks := range cuts {
			got, raw := outcomeOf(t, d, declared, chunks)
			if diff := cmp.Diff(want, got); diff != "" || raw != text {
				t.Fatalf("%q cut as %q: %s", text, chunks, diff)
			}
		}
	})
}
