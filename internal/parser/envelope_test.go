package parser

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolparse/toolparse/internal/dialect"
	"github.com/toolparse/toolparse/internal/lex"
	"github.com/toolparse/toolparse/toolcall"
)

// outcomes feeds text to a parser of the dialect in pieces of n bytes, and renders each
// segment on a line: its type, its content, and how it ended.
func outcomes(t *testing.T, dialectName, text string, n int, opts Options) []string {
	t.Helper()
	dialects, err := dialect.Named(dialectName, "")
	if err != nil {
		t.Fatal(err)
	}
	opts.Dialects = dialects
	p, err := New(opts)
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	line := ""
	for _, e := range eventsOf(p, text, n) {
		switch e.Type {
		case toolcall.SegmentStart:
			line = strings.TrimSpace(fmt.Sprintf("%s %s", e.Segment, e.Name)) + ": "
		case toolcall.SegmentContent:
			line += e.Payload
		case toolcall.SegmentEnd:
			line += " " + e.Status.String()
			if e.Reason != toolcall.ReasonNone {
				line += " " + e.Reason.String()
			}
			if e.Tolerances != 0 {
				line += " [" + e.Tolerances.String() + "]"
			}
			lines = append(lines, line)
		}
	}
	return lines
}

func TestEnvelopeOutcomes(t *testing.T) {
	for _, tt := range []struct {
		name, dialect, in string
		want              []string
	}{
		{"clean", "hermes", "<tool_call>\n{\"name\": \"f\", \"arguments\": {\"a\": \"b\"}}\n</tool_call>",
			[]string{`tool_call f: {"a": "b"} complete`}},
		{"no arguments, broken list in a fence", "command_r_plus", "Action:```json[{\"tool_name\":\"g\"}A b",
			[]string{`tool_call g: {} complete [missing_closer]`, `text: A b complete`}},
		{"clean, in a list", "jamba", `<tool_calls>[{"name":"f","arguments":{}}, {"name":"g","arguments":{}}]</tool_calls>`,
			[]string{`tool_call f: {} complete`, `tool_call g: {} complete`}},
		{"clean, on lines", "minimax", "<tool_calls>\n{\"name\":\"f\",\"arguments\":{}}\n{\"name\":\"g\",\"arguments\":{}}\n</tool_calls>",
			[]string{`tool_call f: {} complete`, `tool_call g: {} complete`}},
		{"clean, the key is the name", "apertus", `<|tools_prefix|>[{"f": {"a": 1}}]<|tools_suffix|>`,
			[]string{`tool_call f: {"a": 1} complete`}},
		{"clean, no closer", "phi4_mini_json", `functools[{"name":"f","arguments":{}}]`,
			[]string{`tool_call f: {} complete`}},
		{"no closer", "hermes", "<tool_call>{\"name\":\"f\",\"arguments\":{}}\nwell",
			[]string{`tool_call f: {} complete [missing_closer]`, "text: \nwell complete"}},
		{"no closer, and text on the line", "hermes", `<tool_call>{"name":"f","arguments":{"a":"x"}} and more"}}</tool_call>`,
			[]string{`tool_call f: {"a":"x"} malformed invalid_json`}},
		{"quotes inside, then a member", "hermes", `<tool_call>{"name":"f","arguments":{"a":"say "hi"}, ok"}}</tool_call>`,
			[]string{`tool_call f: {"a":"say \"hi"} malformed invalid_json [missing_closer,unquoted_key,unescaped_quote]`}},
		{"arguments that are no object, then a call", "jamba", `<tool_calls>[{"name":"f","arguments":[1]},{"name":"g","arguments":{}}]</tool_calls>`,
			[]string{`tool_call f:  malformed arguments_not_an_object`, `tool_call g: {} complete`}},
		{"an object without a name, then a call", "nemotron_json", `<TOOLCALL>[{"nme":"f","arguments":{}},{"name":"g","arguments":{}}]</TOOLCALL>`,
			[]string{`tool_call g: {} complete [unknown_member]`}},
		{"a closer that the dialect does not need", "xlam", `[TOOL_CALLS][{"name":"f","arguments":{}}][/TOOL_CALLS] bye`,
			[]string{`tool_call f: {} complete`, `text:  bye complete`}},
		{"a quote after the last brace", "mistral", `[TOOL_CALLS]f[ARGS]{"a":"He said "}" here"}`,
			[]string{`tool_call f: {"a":"He said "} malformed invalid_json`, `text: " here"} complete`}},
		{"a quote after raw arguments", "react", "Action: f\nAction Input: {\"a\":\"He said \"}\" here\"}",
			[]string{`tool_call f: {"a":"He said "} malformed invalid_json`, `text: " here"} complete`}},
		{"one brace too many", "hermes", `<tool_call>{"name":"f","arguments":{}}}</tool_call>`,
			[]string{`tool_call f: {} complete [extra_closer]`}},
		{"one brace too many, and no closer", "hermes", "<tool_call>{\"name\":\"f\",\"arguments\":{}}}\nwell",
			[]string{`tool_call f: {} complete [missing_closer]`, "text: }\nwell complete"}},
		{"one brace too many, on a line", "minimax", "<tool_calls>\n{\"name\":\"f\",\"arguments\":{}}}\n{\"name\":\"g\",\"arguments\":{}}\n</tool_calls>",
			[]string{`tool_call f: {} complete [extra_closer]`, `tool_call g: {} complete`}},
		{"one comma too many", "hermes", `<tool_call>{"name":"f","arguments":{}},</tool_call>`,
			[]string{`tool_call f: {} complete [trailing_comma]`}},
		{"two in a frame", "hermes", `<tool_call>{"name":"f","arguments":{}}{"name":"g","arguments":{}}</tool_call>`,
			[]string{`tool_call f: {} complete [missing_closer]`, `tool_call g: {} complete [missing_opener]`}},
		{"a quote without backslash", "hermes", `<tool_call>{"name":"f","arguments":{"a":"x "y" z"}}</tool_call>`,
			[]string{`tool_call f: {"a":"x \"y\" z"} complete [unescaped_quote]`}},
		{"the same before the name", "hermes", `<tool_call>{"arguments":{"a":"x "y" z"},"name":"f"}</tool_call>`,
			[]string{`tool_call f: {"a":"x \"y\" z"} complete [unescaped_quote]`}},
		{"the same without a closer to end at", "granite", `<|tool_call|>[{"name":"f","arguments":{"a":"x "y" z"}}]`,
			[]string{`tool_call f: {"a":"x ","y" malformed invalid_json [missing_comma,unquoted_key]`}},
		{"a broken call of a list", "mistral", `[TOOL_CALLS][{"name":"f","arguments":{"a": oops, "s":"}{"}}, {"name":"g","arguments":{"b":1}}]`,
			[]string{`tool_call f: {"a":  malformed invalid_json`, `tool_call g: {"b":1} complete`}},
		{"the same without a marker", "json_array", `[{"name":"f","parameters":{"a": oops}}, {"name":"g","parameters":{"b":1}}]`,
			[]string{`tool_call f: {"a":  malformed invalid_json`, `tool_call g: {"b":1} complete`}},
		{"the same in wrappers", "json-openai", `{"tool_calls":[{"function":{"name":"f","arguments":{"a": oops}}}, {"function":{"name":"g","arguments":{"b":1}}}]} so`,
			[]string{`tool_call f: {"a":  malformed invalid_json`, `tool_call g: {"b":1} complete`, `text:  so complete`}},
		{"a broken call that a closer ends", "hermes", `<tool_call>[{"name":"f","arguments":{"a": oops</tool_call>{}}, {"name":"g","arguments":{}}]`,
			[]string{`tool_call f: {"a":  malformed invalid_json`, `text: {}}, {"name":"g","arguments":{}}] complete`}},
		{"a quote that seems to end a string", "hermes", `<tool_call>{"name":"f","arguments":{"a":"He said "}" here"}}</tool_call> so`,
			[]string{`tool_call f: {"a":"He said "} malformed invalid_json`, `text:  so complete`}},
		{"the same, with another brace", "hermes", `<tool_call>{"name":"f","arguments":{"a":"He said "}}" here"}}</tool_call> so`,
			[]string{`tool_call f: {"a":"He said "} malformed invalid_json`, `text:  so complete`}},
		{"the same without a frame", "json-any", `{"name":"f","arguments":{"a":"He said "}" here"}}`,
			[]string{`tool_call f: {"a":"He said "} malformed invalid_json`, `text: " here"}} complete`}},
		{"the same in a list", "json_array", `[{"name":"f","arguments":{"a":"He said "}}" here"}},{"name":"g","arguments":{}}]`,
			[]string{`tool_call f: {"a":"He said "} malformed invalid_json`, `tool_call g: {} complete`}},
		{"a string around arguments with the same fault", "llama3_json", `{"name":"f","arguments":"{"a": 1}"}`,
			[]string{`tool_call f: {} malformed invalid_json [missing_closer]`, `text: a": 1}"} complete`}},
		{"a broken string around arguments, in a list", "json_array", `[{"name":"f","arguments":"{\"a\": x, \"}\""},{"name":"g","arguments":{}}]`,
			[]string{`tool_call f: {"a":  malformed invalid_json`, `tool_call g: {} complete`}},
		{"the same in single quotes", "json_array", `[{'name':'f','arguments':'{"a": oops, "\'}"}'},{"name":"g","arguments":{}}]`,
			[]string{`tool_call f: {"a":  malformed invalid_json [single_quotes]`, `tool_call g: {} complete`}},
		{"the same in wrappers", "json-openai", `{"tool_calls":[{"function":{"name":"f","arguments":"{oops}"}}, {"function":{"name":"g","arguments":"{}"}}]} so`,
			[]string{`tool_call f: {"oops" malformed invalid_json [unquoted_key]`, `tool_call g: {} complete`, `text:  so complete`}},
		{"the same in a frame", "hermes", `<tool_call>[{"name":"f","arguments":"{\"a\":[}]\"}"}, {"name":"g","arguments":{}}]</tool_call> so`,
			[]string{`tool_call f: {"a":[]} malformed arguments_not_an_object [missing_closer]`, `tool_call g: {} complete`, `text:  so complete`}},
		{"the same behind a marker", "mistral", `[TOOL_CALLS][{"name":"f","arguments":"{\"a\": oops}"}, {"name":"g","arguments":{}}]`,
			[]string{`tool_call f: {"a":  malformed invalid_json`, `tool_call g: {} complete`}},
		{"brackets in a string that seems to end, in a list", "hermes", `<tool_call>[{"name":"f","arguments":{"a":"x"}]"y"}},{"name":"g","arguments":{}}]</tool_call>`,
			[]string{`tool_call f: {"a":"x"} malformed invalid_json [missing_closer]`, `tool_call g: {} complete [missing_opener,extra_closer]`}},
		{"a quote in a call on a line", "minimax", "<tool_calls>\n{\"name\":\"f\",\"arguments\":{\"a\":\"x \"y\", z\"}}\n{\"name\":\"g\",\"arguments\":{}}\n</tool_calls>",
			[]string{`tool_call f: {"a":"x \"y", "z" malformed invalid_json [unquoted_key,unescaped_quote]`, `tool_call g: {} complete`}},
		{"a quote in one of two calls in a frame", "hermes", `<tool_call>{"name":"f","arguments":{"a":"x "y", z"}} {"name":"g","arguments":{}}</tool_call> so`,
			[]string{`tool_call f: {"a":"x \"y", "z" malformed invalid_json [missing_closer,unquoted_key,unescaped_quote]`, `tool_call g: {} complete [missing_opener]`, `text:  so complete`}},
		{"the apparent next call, outside a list", "json-any", `{"name":"f","arguments":{"a":"x":y"}},{"name":"g","arguments":{}}`,
			[]string{`tool_call f: {"a":"x" incomplete end_of_stream`}},
		{"the same behind a marker without a closer", "xlam", `[TOOL_CALLS]{"name":"f","arguments":{"a":"x":y"}},{"name":"g","arguments":{}}`,
			[]string{`tool_call f: {"a":"x" malformed invalid_json`}},
		{"a list that is cut, after a call whose arguments are a number", "hermes", `<tool_call>{"name":"f","arguments":5}</tool_call> or <tool_call>[`,
			[]string{`tool_call f:  malformed arguments_not_an_object`, `text:  or <tool_call>[ complete`}},
		{"members of a call in a broken one", "hermes", `<tool_call>[{"name":"f","arguments":{"a": oops, "b":[{"c":{"d":{}}},{"name":"h","arguments":{}}]}},{"name":"g","arguments":{}}]</tool_call>`,
			[]string{`tool_call f: {"a":  malformed invalid_json`, `tool_call g: {} complete`}},
		{"a comma is missing after the arguments", "hermes", `<tool_call>{"name":"f","arguments":{"a":"x"} "id":"q"}</tool_call>`,
			[]string{`tool_call f: {"a":"x"} complete [missing_comma]`}},
		{"the same in bare JSON", "llama3_json", `{"name":"f","parameters":{"a":"x "y" z"}} well`,
			[]string{`tool_call f: {"a":"x ","y" malformed invalid_json [missing_comma,unquoted_key]`, `text:  well complete`}},
		{"a quote before a comma", "hermes", `<tool_call>{"name":"f","arguments":{"a":"x "y", z"}}</tool_call> well`,
			[]string{`tool_call f: {"a":"x \"y", "z" malformed invalid_json [unquoted_key,unescaped_quote]`, `text:  well complete`}},
		{"a string that does not end", "hermes", `<tool_call>{"name":"f","arguments":{"a":"x "y" z}}</tool_call> "well", so`,
			[]string{`tool_call f: {"a":"x \"y\" z}} malformed invalid_json [unescaped_quote]`, `text:  "well", so complete`}},
		{"a comment", "hermes", "<tool_call>{\"name\":\"f\", // it's f\n\"arguments\":{/* \"none\" */}}</tool_call>",
			[]string{`tool_call f: {} complete [comment]`}},
		{"keys without quotes", "hermes", `<tool_call>{name:"f",arguments:{a:1}}</tool_call>`,
			[]string{`tool_call f: {"a":1} complete [unquoted_key]`}},
		{"broken, then another", "hermes", `<tool_call>{"name":"f","arguments":{"a":;}}</tool_call><tool_call>{"name":"g","arguments":{}}</tool_call>`,
			[]string{`tool_call f: {"a": malformed invalid_json`, `tool_call g: {} complete`}},
		{"bare, broken, then another", "llama3_json", `{"name":"f","parameters":{"a":01}}; {"name":"g","parameters":{}}`,
			[]string{`tool_call f: {"a":0 malformed invalid_json`, `tool_call g: {} complete`}},
		{"bare, broken and cut", "llama3_json", `{"name":"f","parameters":{"a":01}`,
			[]string{`tool_call f: {"a":0 incomplete end_of_stream`}},
		{"bare, broken, never closed", "llama3_json", `{"name":"f","parameters":{"a":; ` + strings.Repeat("x", 2000),
			[]string{`tool_call f: {"a": malformed invalid_json`, `text: ; ` + strings.Repeat("x", 2000) + ` complete`}},
		{"words in place of arguments", "gigachat3", `<|function_call|>{"name":"f","arguments":{no json}}`,
			[]string{`text: <|function_call|>{"name":"f","arguments":{no json}} complete`}},
		{"required arguments", "gigachat3", `<|function_call|>{"name":"f"}`,
			[]string{`text: <|function_call|>{"name":"f"} complete`}},
		{"optional arguments", "hermes", `<tool_call>{"name":"f"}</tool_call>`,
			[]string{`tool_call f: {} complete`}},
		{"cut after the key of the arguments", "hermes", `<tool_call>{"name":"f","arguments": `,
			[]string{`tool_call f:  incomplete end_of_stream`}},
		{"cut in the first key", "llama3_json", `{"name":"f","parameters":{"pa`,
			[]string{`tool_call f: {"pa incomplete end_of_stream`}},
		{"a file tool", "hermes", `<tool_call>{"name":"write_file","arguments":{"path":"a.go","content":"say "hi"\n"}}</tool_call>`,
			[]string{`write_file write_file: say "hi"` + "\n" + ` complete [unescaped_quote]`}},
		{"members before the name", "hermes", `<tool_call>{"index":0,"meta":{"a":[1,{"b":"}"}]},"name":"f","arguments":{"a":1}}</tool_call>`,
			[]string{`tool_call f: {"a":1} complete [unknown_member]`}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for _, n := range []int{len(tt.in), 1, 2, 3, 7} {
				if diff := cmp.Diff(tt.want, outcomes(t, tt.dialect, tt.in, n, Options{})); diff != "" {
					t.Errorf("in pieces of %d bytes (-want +got):\n%s", n, diff)
				}
			}
		})
	}
}

// TestBrokenElements checks that, wherever a string of a call's arguments breaks, the parser
// finds the next call of the list, in every dialect that allows lists of calls.
func TestBrokenElements(t *testing.T) {
	values := []string{
		`oops`, `01`, `x"`, `"x"y"`, `"x":y"`, `"x"]"`, `"a"b":"c"`, `"x", "y"`, `"x" "y"`, `"x "y", z"`, `"a "b", "c" d"`,
		`"He said "}" here"`, `"He said "}}" here"`, `"say "hi", "b": "x"`, `"if (x) { print("y") }"`, `{"b":"x"} 5" tall"`, `[{"name":"a"}, oops, {"name":"b"}]`,
	}
	for _, d := range dialect.All() {
		head := &d.Head
		if !head.Array {
			continue
		}
		call := func(name, args string) string {
			if head.Form == dialect.HeadKey {
				return `{"` + name + `": ` + args + `}`
			}
			return `{"` + head.Name[0] + `": "` + name + `", "` + d.Args.Keys[0] + `": ` + args + `}`
		}
		t.Run(d.Name, func(t *testing.T) {
			for _, value := range values {
				for _, long := range []int{1, 2 << 10} {
					if long > 1 && !(&form{closer: lex.NewPattern(d.Frame.Call.Close), leave: lex.NewPattern(d.Frame.Section.Close)}).hasCloser() {
						continue // the parser searches only the next maxBroken bytes
					}
					broken := call("f", `{"a": `+value+`, "c": "`+strings.Repeat("x", long)+`"}`)
					text := d.Frame.Section.Open + d.Frame.Call.Open + "[" + call("e", "{}") + ", " + broken + ", " + call("g", `{"b": 1}`) + "]" + d.Frame.Call.Close + d.Frame.Section.Close
					for _, n := range []int{len(text), 1, 3} {
						var calls []string
						for _, line := range outcomes(t, d.Name, text, n, Options{}) {
							if name, ok := strings.CutPrefix(line, "tool_call "); ok {
								calls = append(calls, name[:1]+line[strings.LastIndex(line, "} ")+1:])
							}
						}
						if len(calls) != 3 || calls[0] != "e complete" || !strings.HasPrefix(calls[2], "g complete") {
							t.Errorf("in pieces of %d bytes: %q of %.300q", n, calls, text)
						}
					}
				}
			}
		})
	}
}

// TestEnvelopeLimits checks that a limit ends a hostile call, whatever the pieces.
func TestEnvelopeLimits(t *testing.T) {
	deep := `<tool_call>{"name":"f","arguments":{"a":` + strings.Repeat("[", 40) + strings.Repeat("]", 40) + `}}</tool_call> well`
	for _, tt := range []struct {
		name, dialect, in string
		limits            toolcall.Limits
		want              []string
	}{
		{"nesting", "hermes", deep, toolcall.Limits{Depth: 10},
			[]string{`tool_call f: {"a":[[[[[[[[[ rejected nested_too_deep`, `text:  well complete`}},
		{"nesting before the name", "hermes", `<tool_call>{"meta":` + strings.Repeat(`{"a":`, 40), toolcall.Limits{Depth: 10},
			[]string{`text: <tool_call>{"meta":` + strings.Repeat(`{"a":`, 40) + ` complete`}},
		{"size of a call whose name comes last", "granite-20b-fc", `<function_call> {"arguments":{"a":"0123456789"},"name":"f"} well`, toolcall.Limits{CallBytes: 30},
			[]string{`tool_call f: {"a":"0123456789"} rejected call_too_large`, `text: } well complete`}},
		{"number of calls in a list", "jamba", `<tool_calls>[{"name":"f","arguments":{}},{"name":"g","arguments":{}}]</tool_calls>`, toolcall.Limits{Calls: 1},
			[]string{`tool_call f: {} complete`, `tool_call g:  rejected too_many_calls`, `text: {}}]</tool_calls> complete`}},
		{"bytes held until the name", "hermes", `<tool_call>{"arguments":{"a":"` + strings.Repeat("x", 100) + `"},"name":"f"}</tool_call>`, toolcall.Limits{HeldBytes: 60},
			[]string{`text: <tool_call>{"arguments":{"a":"` + strings.Repeat("x", 100) + `"},"name":"f"}</tool_call> complete`}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for _, n := range []int{len(tt.in), 1, 3} {
				if diff := cmp.Diff(tt.want, outcomes(t, tt.dialect, tt.in, n, Options{Limits: tt.limits})); diff != "" {
					t.Errorf("in pieces of %d bytes (-want +got):\n%s", n, diff)
				}
			}
		})
	}
}

// TestEnvelopeStreams checks that a call starts with the first byte of its arguments, and that
// a string in them streams, also after a repaired quote.
func TestEnvelopeStreams(t *testing.T) {
	for _, d := range dialect.All() {
		if d.Head.Form != dialect.HeadEnvelope && d.Head.Form != dialect.HeadKey {
			continue
		}
		t.Run(d.Name, func(t *testing.T) {
			head, tail, ok := strings.Cut(d.Example, "Oslo")
			if !ok {
				t.Fatalf("no Oslo in %q", d.Example)
			}
			p, err := New(Options{Dialects: []*dialect.Dialect{d}})
			if err != nil {
				t.Fatal(err)
			}
			started := false
			for _, e := range p.Feed(nil, head) {
				started = started || e.Type == toolcall.SegmentStart && e.Name == "get_weather"
			}
			if !started {
				t.Error("the call has not started before its first value")
			}
			for i := range 50 {
				got := ""
				for _, e := range p.Feed(nil, "north of the town ") {
					got += e.Payload
				}
				if got != "north of the town " {
					t.Fatalf("piece %d came out as %q", i, got)
				}
			}
			closer := lex.NewPattern(d.Frame.Call.Close)
			if closer == "" {
				return
			}
			p.Feed(nil, `the "old" mill `)
			for i := range 50 {
				got := ""
				for _, e := range p.Feed(nil, "north of the town ") {
					got += e.Payload
				}
				if got != "north of the town " {
					t.Fatalf("after a quote, piece %d came out as %q", i, got)
				}
			}
			last := toolcall.Event{}
			for _, e := range p.Close(p.Feed(nil, tail)) {
				if e.Type == toolcall.SegmentEnd && e.Segment == toolcall.SegmentToolCall {
					last = e
				}
			}
			if last.Status != toolcall.Complete || last.Tolerances != toolcall.UnescapedQuote {
				t.Errorf("it ended %v, %v", last.Status, last.Tolerances)
			}
		})
	}
}
