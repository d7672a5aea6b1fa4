package parser_test

import (
	"strings"
	"testing"

	"github.com/toolparse/toolparse/internal/dialect"

	"github.com/google/go-cmp/cmp"
)

// named returns the one dialect with a name.
func named(t *testing.T, name string) *dialect.Dialect {
	t.Helper()
	list, err := dialect.Named(name, "")
	if err != nil || len(list) != 1 {
		t.Fatal(list, err)
	}
	return list[0]
}

func TestGemma(t *testing.T) {
	const q = `<|"|>`
	for _, tt := range []struct{ name, args, want string }{
		{"clean", `{a:` + q + `x` + q + `,n:1}<tool_call|>`, `f {"a":"x","n":1} complete`},
		{"None, as older templates write it", `{a:None,l:[None]}<tool_call|>`, `f {"a":null,"l":[null]} complete`},
		{"Python's booleans", `{a:True}<tool_call|>`, `f {"a":true} complete python_literal`},
		{"keys that are no words", `{a:None,to/from:1,b c:` + q + `x` + q + `,9:[]}<tool_call|>`, `f {"a":null,"to/from":1,"b c":"x","9":[]} complete`},
		{"prose that looks like a key", `{a:1, see also: b}<tool_call|>`, `f {"a":"1, see also: b"} complete`},
		{"exact numbers", `{n:-1e400,m:00,k:1.0}<tool_call|>`, `f {"n":-1e400,"m":"00","k":1.0} complete`},
		{"empty value", `{a:,b:1}<tool_call|>`, `f {"a":"","b":1} complete`},
		{"no comma", `{a:` + q + `x` + q + `b:1}<tool_call|>`, `f {"a":"x","b":1} complete missing_comma`},
		{"brackets in bare text", `{a:x[1] y}<tool_call|>`, `f {"a":"x[1] y"} complete`},
		{"one comma too many", `{a:[1,],}<tool_call|>`, `f {"a":[1]} complete trailing_comma`},
		{"no bracket", `{a:[1,{b:2<tool_call|>`, `f {"a":[1,{"b":2}]} complete missing_closer`},
		{"wrong bracket", `{a:[1}<tool_call|>`, `f {"a":[1]} complete missing_closer`},
		{"one bracket too many", `{a:1]}<tool_call|>`, `f {"a":1} complete missing_opener`},
		{"no opening quote", `{a:x` + q + `}<tool_call|>`, `f {"a":"x"} complete missing_opener`},
		{"no opening quote before a number", `{a:1` + q + `}<tool_call|>`, `f {"a":"1"} complete missing_opener`},
		{"no closing quote", `{a:` + q + `x]}<tool_call|>`, `f {"a":"x"} complete missing_closer`},
		{"no closing quote, and more arguments", `{a:` + q + `x}<tool_call|><|tool_call>call:g{}<tool_call|>`, `f {"a":"x}<tool_call|><|tool_call>call:g{"} malformed missing_closer`},
		{"a call quoted in a string", `{a:` + q + `x<tool_call|><|tool_call>call:g{}<tool_call|>` + q + `}<tool_call|>`, `f {"a":"x<tool_call|><|tool_call>call:g{}<tool_call|>"} complete`},
		{"no closing quote, and another string", `{a:` + q + `x,b:` + q + `y` + q + `}<tool_call|>`, `f {"a":"x,b:<|\"|>y"} malformed`},
		{"no closing quote, and another call", `{a:` + q + `x}<tool_call|><|tool_call>call:g{b:` + q + `y` + q + `}<tool_call|>`, `f {"a":"x}<tool_call|><|tool_call>call:g{b:<|\"|>y"} malformed`},
		{"two commas, and another string", `{a:` + q + `x` + q + `,,b:` + q + `y` + q + `}<tool_call|>`, `f {"a":"x<|\"|>,,b:<|\"|>y"} malformed`},
		{"quotes in pairs in a string", `{a:` + q + `b:` + q + `y` + q + `.` + q + `}<tool_call|>`, `f {"a":"b:<|\"|>y<|\"|>."} complete`},
		{"quote in a string", `{a:` + q + `x ` + q + ` y` + q + `}<tool_call|>`, `f {"a":"x ` + `<|\"|>` + ` y"} complete`},
		{"plain quotes", `{a:"x\ty\u0041\/","b":'it\'s'}<tool_call|>`, `f {"a":"x\tyA/","b":"it's"} complete missing_opener`},
		{"plain quote inside", `{a:"say "x", or y"}<tool_call|>`, `f {"a":"say \"x\", or y"} complete missing_opener`},
		{"surrogates", `{a:"\ud834\udd1e \ud834"}<tool_call|>`, `f {"a":"𝄞 ` + "\ufffd" + `"} complete missing_opener`},
		{"wrong escape", `{a:"\x \u12"}<tool_call|>`, `f {"a":"\\x \\u12"} complete invalid_escape,missing_opener`},
		{"same key", `{a:1,a:2}<tool_call|>`, `f {"a":1} complete duplicate_argument`},
		{"no key", `{:1}<tool_call|>`, `f malformed`},
		{"no value", `{a}<tool_call|>`, `f malformed`},
		{"after a list", `{a:[1]x}<tool_call|> y`, `f {"a":[1] malformed missing_comma`},
		{"no closer", `{a:1}`, `f {"a":1} complete missing_closer`},
		{"text after no closer", `{a:1} and text`, `f {"a":1} complete missing_closer`},
		{"cut", `{a:[1,` + q + `x`, `f {"a":[1,"x incomplete`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := strings.Join(callsIn(t, named(t, "gemma4"), "<|tool_call>call:f"+tt.args), "|")
			if diff := cmp.Diff(tt.want, strings.ReplaceAll(got, "f  ", "f ")); diff != "" {
				t.Error(diff)
			}
		})
	}
}
