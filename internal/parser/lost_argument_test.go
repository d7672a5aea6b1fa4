package parser

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/toolparse/toolparse/internal/dialect"
	"github.com/toolparse/toolparse/toolcall"
)

var shopTools = []toolcall.ToolDefinition{
	toolOf("f", `{"a":{"type":"integer"},"b":{"type":"string"}}`),
	toolOf("g", `{"input":{"type":"object"},"type":{"type":"string"}}`),
}

// TestLostArguments checks that no call is complete if it lost an argument because that is in
// a place where its dialect has none.
func TestLostArguments(t *testing.T) {
	call := func(object string) string { return "<tool_call>\n" + object + "\n</tool_call>" }
	deepseek := func(name, end string) string {
		return "<｜tool▁call▁begin｜>function<｜tool▁sep｜>" + name + "\n```json\n{\"a\":1}\n```" + end
	}
	m3 := func(tags ...string) string { return "]<]minimax[>[" + strings.Join(tags, "]<]minimax[>[") }
	qwenCall := func(name, rest string) string {
		return "<tool_call>\n<function=" + name + ">\n<parameter=b>\n" + rest
	}
	for _, tt := range []struct {
		name, dialect, in string
		tools             []toolcall.ToolDefinition
		want              []string
	}{
		{"another key", "hermes", call(`{"name":"f","input":{"a":1}}`), nil, []string{`tool_call f: {"a":1} complete [arguments_key]`}},
		{"another key before the name", "hermes", call(`{"tool_arguments":{"a":1},"name":"f"}`), nil, []string{`tool_call f: {"a":1} complete [arguments_key]`}},
		{"another key with a string", "hermes", call(`{"name":"f","tool_input":"{\"a\":1}"}`), nil, []string{`tool_call f: {"a":1} complete [arguments_key]`}},
		{"an unknown key", "hermes", call(`{"name":"f","payload":{"a":1}}`), nil, []string{`tool_call f:  malformed unread_argument`}},
		{"an unknown key in a list that does not end", "llama4_json", `<|python_start|>[{"name":"f","payload":{"a":1}}`, nil, []string{`tool_call f:  malformed unread_argument`}},
		{"an unknown key after arguments, in a list that does not end", "json-openai", `{"tool_calls":[{"name":"f","arguments":{"a":1},"payload":1}`, nil, []string{`tool_call f: {"a":1} complete [missing_closer,unknown_member]`}},
		{"another key with a text", "hermes", call(`{"name":"f","input":"a"}`), nil, []string{`tool_call f:  malformed unread_argument`}},
		{"a parameter of that name", "hermes", call(`{"name":"g","input":{"a":1}}`), shopTools, []string{`tool_call g: {"input":{"a":1}} complete [missing_wrapper]`}},
		{"flat", "hermes", call(`{"name":"f","a":1}`), nil, []string{`tool_call f:  malformed unread_argument`}},
		{"flat members, declared", "hermes", call(`{"name":"f","a":1,"b":"x"}`), shopTools, []string{`tool_call f: {"a":1,"b":"x"} complete [missing_wrapper]`}},
		{"flat members, some declared", "hermes", call(`{"name":"f","a":1,"c":"x"}`), shopTools, []string{`tool_call f:  malformed unread_argument`}},
		{"flat members with a type", "hermes", call(`{"name":"f","type":"circle"}`), nil, []string{`tool_call f:  malformed unread_argument`}},
		{"flat members with a declared type", "hermes", call(`{"name":"g","type":"circle"}`), shopTools, []string{`tool_call g: {"type":"circle"} complete [missing_wrapper]`}},
		{"empty beside a member", "hermes", call(`{"name":"f","arguments":{},"b":"x"}`), nil, []string{`tool_call f: {} complete [unknown_member]`}},
		{"empty beside an object", "hermes", call(`{"name":"f","arguments":{},"b":{"c":1}}`), nil, []string{`tool_call f: {} malformed unread_argument`}},
		{"null beside an object", "hermes", call(`{"input":{"a":1},"name":"f","arguments":null}`), nil, []string{`tool_call f: {} malformed unread_argument`}},
		{"some beside a member", "hermes", call(`{"name":"f","arguments":{"a":1},"b":"x"}`), nil, []string{`tool_call f: {"a":1} complete [unknown_member]`}},
		{"arguments twice", "hermes", call(`{"name":"f","arguments":{"a":1},"parameters":{"a":2}}`), nil, []string{`tool_call f: {"a":1} complete [duplicate_argument]`}},
		{"arguments twice, the first empty", "hermes", call(`{"name":"f","arguments":{},"parameters":{"a":2}}`), nil, []string{`tool_call f: {} malformed unread_argument`}},
		{"arguments once more, empty", "hermes", call(`{"name":"f","arguments":{"a":1},"parameters":{}}`), nil, []string{`tool_call f: {"a":1} complete`}},
		{"an object without information", "hermes", call(`{"type":"function","id":"x","index":0,"name":"f","hint":"","more":null,"list":[],"custom":{ }}`), nil, []string{`tool_call f: {} complete`}},
		{"arguments that are a string", "hermes", call(`{"name":"f","arguments":"ls -l"}`), nil, []string{`tool_call f:  malformed arguments_not_an_object`}},
		{"two names", "hermes", call(`{"name":"f","name":"g","arguments":{"a":1}}`), nil, []string{`tool_call f: {"a":1} complete [duplicate_argument]`}},
		{"two names, bare", "json-openai", `{"name":"f","name":"g","arguments":{"a":1}}`, nil, []string{`tool_call f: {"a":1} complete [duplicate_argument]`}},
		{"two names in a wrapper", "json-openai", `{"tool_calls":[{"function":{"name":"f","name":"g","arguments":{"a":1}}}]}`, nil, []string{`tool_call f: {"a":1} complete [duplicate_argument]`}},
		{"in a list without a comma", "mistral_7b", `[TOOL_CALLS] [{"name":"f","x":{"a":1}} {"name":"f","arguments":{"a":1}}]`, nil,
			[]string{`tool_call f:  malformed unread_argument [missing_comma]`, `tool_call f: {"a":1} complete`}},
		{"in a list", "hermes", call(`[{"name":"f","params":{"a":1}},{"name":"g","x":1},{"name":"f"}]`), nil,
			[]string{`tool_call f: {"a":1} complete [arguments_key]`, `tool_call g:  malformed unread_argument`, `tool_call f: {} complete`}},
		{"in a list that names calls", "json-openai", `{"content":"hm","tool_calls":[{"name":"f","a":1},{"name":"f"}],"more":1}`, nil,
			[]string{`tool_call f:  malformed unread_argument`, `tool_call f: {} complete`}},
		{"a second key for a name", "apertus", `<|tools_prefix|>[{"f":{},"g":{"a":1}}]<|tools_suffix|>`, nil, []string{`tool_call f: {} complete`, `tool_call g: {"a":1} complete`}},
		{"a second key for a tool that is not declared", "apertus", `<|tools_prefix|>[{"f":{},"h":{"a":1}}]<|tools_suffix|>`, shopTools, []string{`tool_call f: {} malformed unread_argument`}},
		{"a second key that does not belong to a call", "apertus", `<|tools_prefix|>[{"f":{"a":1},"b":"x"}]<|tools_suffix|>`, nil, []string{`tool_call f: {"a":1} complete [unknown_member]`}},
		{"an element that is not a call", "hermes", call(`[{"foo":1},{"name":"g","arguments":{}}]`), nil, []string{`tool_call g: {} complete [unknown_member]`}},
		{"a key without its closer", "glm45", "<tool_call>f\n<arg_key>b<arg_value>x</arg_value>\n</tool_call>", nil, []string{`tool_call f: {"b":"x"} complete [missing_closer]`}},
		{"the same over lines", "glm45", "<tool_call>f\n<arg_key>b\n<arg_value>x</arg_value>\n</tool_call>", nil, []string{`tool_call f: {"b":"x"} complete [missing_closer]`}},
		{"a value without a key", "glm45", "<tool_call>f\n<arg_key>a</arg_key>\n<arg_value>1</arg_value>\n<arg_value>x</arg_value>\n</tool_call>", nil,
			[]string{`tool_call f: {"a":"1</arg_value>\n<arg_value>x"} complete`}},
		{"a key that does not end", "qwen3_coder", "<tool_call>\n<function=f>\n<parameter=b\nx\n</parameter>\n</function>\n</tool_call>", nil,
			[]string{`tool_call f: {} malformed unread_argument [text_between_arguments]`}},
		{"a line feed before a missing closer", "glm45", "<tool_call>f\n<arg_key>b</arg_key>\n<arg_value>x\n</tool_call>", nil, []string{`tool_call f: {"b":"x"} complete [missing_closer]`}},
		{"the same before a key", "glm45", "<tool_call>f\n<arg_key>b</arg_key>\n<arg_value>x\n<arg_key>a</arg_key><arg_value>1</arg_value></tool_call>", nil,
			[]string{`tool_call f: {"b":"x","a":"1"} complete [missing_closer]`}},
		{"a line feed before its closer", "glm45", "<tool_call>f\n<arg_key>b</arg_key>\n<arg_value>x\n</arg_value>\n</tool_call>", nil, []string{`tool_call f: {"b":"x\n"} complete`}},
		{"a string that swallows a call", "gemma4", `<|tool_call>call:f{b:<|"|>x}<tool_call|><|tool_call>call:g{a:1}<tool_call|>`, nil,
			[]string{`tool_call f: {"b":"x}<tool_call|><|tool_call>call:g{a:1"} malformed unread_argument [missing_closer]`}},
		{"a string without its closer", "gemma4", `<|tool_call>call:f{b:<|"|>x}<tool_call|>`, nil, []string{`tool_call f: {"b":"x"} complete [missing_closer]`}},
		{"a string that quotes a call", "gemma4", `<|tool_call>call:f{b:<|"|>x}<tool_call|><|tool_call>call:g{a:1}<|"|>}<tool_call|>`, nil,
			[]string{`tool_call f: {"b":"x}<tool_call|><|tool_call>call:g{a:1}"} complete`}},
		{"a fence of a broken closer", "deepseek_v3", deepseek("f", "</｜tool▁call▁end｜>") + "\n" + deepseek("g", "<｜tool▁call▁end｜>"), nil,
			[]string{`tool_call f: {"a":1} complete [missing_closer,missing_opener]`, "text: \n```</｜tool▁call▁end｜>\n complete", `tool_call g: {"a":1} complete [missing_opener]`}},
		{"the fences of a broken call", "deepseek_v3", "<｜tool▁call▁begin｜>function</｜tool▁sep｜>f\n```json\n{}\n```<｜tool▁call▁end｜>\n" + deepseek("g", "<｜tool▁call▁end｜>"), nil,
			[]string{"text: <｜tool▁call▁begin｜>function</｜tool▁sep｜>f\n```json\n{}\n```<｜tool▁call▁end｜>\n complete", `tool_call g: {"a":1} complete [missing_opener]`}},
		{"a call in a fence", "deepseek_v3", "```\n" + deepseek("g", "<｜tool▁call▁end｜>") + "\n```", nil,
			[]string{"text: ```\n" + deepseek("g", "<｜tool▁call▁end｜>") + "\n``` complete"}},
		{"text after a closing tag", "morphxml", "<f>\n<b>x</b> so\n</f>", shopTools, []string{`tool_call f: {"b":"x</b> so\n"} malformed unread_argument [missing_closer]`}},
		{"text after a closing tag with a mark", "minimax_m3", m3("<tool_call>\n", "<invoke name=\"f\">", "<b>x", "</b>so", "</invoke>\n", "</tool_call>"), nil,
			[]string{`tool_call f: {"b":"x]<]minimax[>[</b>so"} malformed unread_argument [missing_closer]`}},
		{"a line feed before a key", "glm45", "<tool_call>f\n<arg_key>\nb\n</arg_key>\n<arg_value>x</arg_value>\n</tool_call>", nil, []string{`tool_call f: {"b":"x"} complete`}},
		{"text after a closer", "glm45", "<tool_call>f\n<arg_key>b</arg_key>\n<arg_value>x</arg_value>so\n</tool_call>", nil,
			[]string{`tool_call f: {"b":"x</arg_value>so"} malformed unread_argument [missing_closer]`}},
		{"text after a closer before a key", "glm45", "<tool_call>f\n<arg_key>b</arg_key><arg_value>x</arg_value>so<arg_key>a</arg_key><arg_value>1</arg_value></tool_call>", nil,
			[]string{`tool_call f: {"b":"x</arg_value>so","a":"1"} malformed unread_argument [missing_closer]`}},
		{"text after a closer, then the end of the stream", "qwen3_coder", "<tool_call>\n<function=f>\n<parameter=b>\nx\n</parameter>\n</functio\n</tool_call>", nil,
			[]string{`tool_call f: {"b":"x\n</parameter>\n</functio"} malformed unread_argument [missing_closer]`}},
		{"a broken closer before the next call", "qwen3_coder", qwenCall("f", "x\n</parameter>\n</functio\n</tool_call>") + "\n" + qwenCall("g", "y\n</parameter>\n</function>\n</tool_call>"), nil,
			[]string{`tool_call f: {"b":"x\n</parameter>\n</functio"} malformed unread_argument [missing_closer]`, `tool_call g: {"b":"y"} complete`}},
		{"closers of a value and a call missing before the next call", "qwen3_coder", qwenCall("f", "x\n</tool_call>") + "\n" + qwenCall("g", "y\n</parameter>\n</function>\n</tool_call>"), nil,
			[]string{`tool_call f: {"b":"x"} complete [missing_closer]`, `tool_call g: {"b":"y"} complete`}},
		{"a section's closer in a value", "qwen3_coder", qwenCall("f", "x\n</tool_call>\n<tool_call> so\n</parameter>\n</function>\n</tool_call>"), nil,
			[]string{`tool_call f: {"b":"x\n</tool_call>\n<tool_call> so"} complete`}},
		{"quoted names", "qwen3_coder", "<tool_call>\n<function=\"f\">\n<parameter=\"b\">\nx\n</parameter>\n<parameter='a'>1</parameter>\n</function>\n</tool_call>", nil,
			[]string{`tool_call f: {"b":"x","a":"1"} complete`}},
		{"in a code fence", "hermes", call("```json\n{\"name\":\"f\",\"arguments\":{\"a\":1}}\n```"), nil, []string{`tool_call f: {"a":1} complete [code_fence]`}},
		{"in a fence without a word", "hermes", call("```\n[{\"name\":\"f\",\"arguments\":{\"a\":1}}]```"), nil, []string{`tool_call f: {"a":1} complete [code_fence]`}},
		{"a bracket in a string", "granite", `<|tool_call|>[{"name":"f","arguments":{"b":"x"}]"y"}},{"name":"g","arguments":{"c":1}}]`, nil,
			[]string{`tool_call f: {"b":"x"} malformed invalid_json [missing_closer]`, `tool_call g: {"c":1} complete`}},
		{"a broken element", "hermes", call(`[{"nam: "f"}, {"name":"g","arguments":{"c":1}}]`), nil, []string{`text: <tool_call>` + "\n" + `[{"nam: "f"} complete`, `tool_call g: {"c":1} complete`}},
		{"a broken element of which quotes are right", "hermes", call(`[{"name" "f", "arguments":{}}, {"name":"g","arguments":{"c":1}}]`), nil,
			[]string{`text: <tool_call>` + "\n" + `[{"name" "f", "arguments":{}} complete`, `tool_call g: {"c":1} complete`}},
		{"no valid element", "hermes", call(`[{"nam: "f"}, {"nam: "f"}]`), nil, []string{"text: " + call(`[{"nam: "f"}, {"nam: "f"}]`) + " complete"}},
		{"a string that swallows the next element", "hermes", call(`[{"name":"f","arguments":{"a":"x}}, {"name":"g","arguments":{"b":"y"}}]`), nil,
			[]string{`tool_call f: {"a":"x}}, {\"name\" malformed invalid_json [unescaped_quote]`, `tool_call g: {"b":"y"} complete`}},
		{"a string that swallows the next call", "hermes", call(`{"name":"f","arguments":{"a":"x}},{"name":"g","arguments":{"b":"y"}}`), nil,
			[]string{`tool_call f: {"a":"x}},{\"name\" malformed invalid_json [unescaped_quote]`, `tool_call g: {"b":"y"} complete [missing_opener]`}},
		{"a string that swallows two", "nemotron_json", `<TOOLCALL>[{"name":"f","arguments":{"a":"x}},{"name":"g","arguments":{"b":"y}},{"name":"h","arguments":{"c":1}}]</TOOLCALL>`, nil,
			[]string{`tool_call f: {"a":"x}},{\"name\" malformed invalid_json [unescaped_quote]`, `tool_call g: {"b":"y}},{\"name\" malformed invalid_json [unescaped_quote]`, `tool_call h: {"c":1} complete`}},
		{"a string with an object of another kind", "hermes", call(`{"name":"f","arguments":{"a":"x}},{"b":1, or so"}}`), nil,
			[]string{`tool_call f: {"a":"x}},{\"b\":1, or so"} complete [unescaped_quote]`}},
		{"a string with an escaped object", "hermes", call(`{"name":"f","arguments":{"a":"x}},{\"name\":1, or \"so\""}}`), nil,
			[]string{`tool_call f: {"a":"x}},{\"name\":1, or \"so\""} complete`}},
		{"text in place of arguments", "xml", `<tool name="f"><arguments>ls -l</arguments></tool>`, nil, []string{`tool_call f: {} malformed unread_argument [text_between_arguments]`}},
		{"text beside an argument", "xml", `<tool name="f"><arguments>so <arg name="b">x</arg></arguments></tool>`, nil, []string{`tool_call f: {"b":"x"} complete [text_between_arguments]`}},
		{"an argument with a broken tag", "xml", `<tool name="f"><arguments><arg "b">1</arg><arg name="a">2</arg></arguments></tool>`, nil,
			[]string{`tool_call f: {"a":"2"} malformed unread_argument [text_between_arguments]`}},
		{"a value without a key alone", "qwen3_coder", "<tool_call>\n<function=f>\n<parameter>\nx\n</parameter>\n</function>\n</tool_call>", nil,
			[]string{`tool_call f: {} malformed unread_argument [text_between_arguments]`}},
		{"printed calls", "tool_code", "```tool_code\nprint(default_api.f(a=1, b=\"x)\"))\nprint(default_api.g(b=[2]))\n```", nil, []string{`tool_call f: {"a":1,"b":"x)"} complete`, `tool_call g: {"b":[2]} complete`}},
		{"a printed call", "tool_code", "```tool_code\nprint(f(a=1))\n```", nil, []string{`tool_call f: {"a":1} complete`}},
		{"DeepSeek in ASCII", "deepseek_v31", `<|tool_calls_begin|><|tool_call_begin|>f<|tool_sep|>{"a":1}<|tool_call_end|><|tool_calls_end|>`, nil, []string{`tool_call f: {"a":1} complete`}},
		{"DeepSeek in ASCII, with auto", "auto", `<|tool_calls_begin|><|tool_call_begin|>f<|tool_sep|>{"a":1}<|tool_call_end|><|tool_calls_end|>`, nil, []string{`tool_call f: {"a":1} complete`}},
		{"DeepSeek with ASCII bars", "auto", `<|tool▁calls▁begin|><|tool▁call▁begin|>f<|tool▁sep|>{"a":1}<|tool▁call▁end|><|tool▁calls▁end|>`, nil, []string{`tool_call f: {"a":1} complete`}},
		{"DeepSeek V3 in ASCII, with auto", "auto", "<|tool_calls_begin|><|tool_call_begin|>function<|tool_sep|>f\n```json\n{\"a\":1}\n```<|tool_call_end|><|tool_calls_end|>", nil, []string{`tool_call f: {"a":1} complete`}},
		{"a link", "pythonic", `[f(a="x")](url) so`, nil, []string{`text: [f(a="x")](url) so complete`}},
		{"a link with an escaped quote", "pythonic", `[f(a='x\')]', b=1)](url) so`, nil, []string{`text: [f(a='x\')]', b=1)](url) so complete`}},
		{"a link in a line, of a declared tool", "pythonic", `See [f(a="x")](url) so`, shopTools, []string{`text: See [f(a="x")](url) so complete`}},
		{"a list of a declared tool", "pythonic", `[f(a="x")](url)`, shopTools, []string{`tool_call f: {"a":"x"} complete`, `text: (url) complete`}},
		{"a link of a declared tool without its keys", "pythonic", `[f(c="x")](url)`, shopTools, []string{`text: [f(c="x")](url) complete`}},
		{"no link", "pythonic", `[f(a="x")] (url)`, nil, []string{`tool_call f: {"a":"x"} complete`, `text:  (url) complete`}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for _, n := range []int{len(tt.in), 1, 7} {
				if diff := cmp.Diff(tt.want, outcomes(t, tt.dialect, tt.in, n, Options{Tools: tt.tools})); diff != "" {
					t.Errorf("in pieces of %d: -want +got:\n%s", n, diff)
				}
			}
		})
	}
}

// TestUntypedSchemas checks that a value without a declared type gets the type that its
// schema's keywords apply to.
func TestUntypedSchemas(t *testing.T) {
	for schema, want := range map[string]string{
		`{"minimum":1}`: `7`, `{"multipleOf":1}`: `7`, `{"minLength":1}`: `"7"`, `{"minLength":1,"minimum":1}`: `7`, `{"format":"x"}`: `"7"`,
	} {
		tools := []toolcall.ToolDefinition{{Name: "f", Parameters: json.RawMessage(`{"properties":{"a":` + schema + `}}`)}}
		got := outcomes(t, "glm47", "<tool_call>f<arg_key>a</arg_key><arg_value>7</arg_value></tool_call>", 100, Options{Tools: tools})
		if diff := cmp.Diff([]string{`tool_call f: {"a":` + want + `} complete`}, got); diff != "" {
			t.Errorf("%s: -want +got:\n%s", schema, diff)
		}
	}
}

// TestNoMemberLost checks that, whatever object is in the frame of a JSON call, a complete
// call has everything in it that may be an argument, or reports that it has not, and that it
// is never empty if the object contains something other than arguments.
func TestNoMemberLost(t *testing.T) {
	keys := append([]string{"name", "a", "b", "payload", "type", "id", "description", "index", "function"}, otherArgs...)
	values := []string{`{"x":1}`, `{"a":2}`, `{"a":{"b":[]}}`, `{}`, `[]`, `[3]`, `""`, `"text"`, `"{\"x\":1}"`, `"function"`, `null`, `7`, `true`}
	dialects := slices.DeleteFunc(dialect.All(), func(d *dialect.Dialect) bool {
		return d.Head.Form != dialect.HeadEnvelope || d.Frame.Call.Open == "" || d.Args.Required || d.Frame.Bare
	})
	rapid.Check(t, func(t *rapid.T) {
		d := rapid.SampledFrom(dialects).Draw(t, "dialect")
		members := map[string]string{d.Head.Name[0]: `"f"`}
		order := []string{d.Head.Name[0]}
		for range rapid.IntRange(0, 4).Draw(t, "members") {
			key := rapid.SampledFrom(keys).Draw(t, "key")
			if members[key] == "" && !slices.Contains(d.Head.Name, key) && !slices.Contains(d.Head.Wrap, key) {
				members[key] = rapid.SampledFrom(values).Draw(t, "value")
				order = append(order, key)
			}
		}
		var list []string
		for _, key := range rapid.Permutation(order).Draw(t, "order") {
			list = append(list, fmt.Sprintf("%q:%s", key, members[key]))
		}
		text := d.Frame.Call.Open + "{" + strings.Join(list, ",") + "}" + d.Frame.Call.Close
		opts := Options{Dialects: []*dialect.Dialect{d}}
		if rapid.Bool().Draw(t, "tools") {
			opts.Tools = shopTools
		}
		p, err := New(opts)
		if err != nil {
			t.Fatal(err)
		}
		arguments := ""
		for _, e := range p.Close(p.Feed(nil, text)) {
			switch {
			case !e.Segment.IsCall():
			case e.Type == toolcall.SegmentContent:
				arguments += e.Payload
			case e.Type == toolcall.SegmentEnd && e.Status == toolcall.Complete:
				lost, given := lostOf(arguments, members, d)
				told := e.Tolerances&(toolcall.UnknownMember|toolcall.DuplicateArgument) != 0
				if lost && (!told || arguments == "{}" && !given) {
					t.Fatalf("%s: %s is complete with %s [%s]", d.Name, text, arguments, e.Tolerances)
				}
			}
		}
	})
}

// lostOf reports whether a call with these arguments lacks something of its object, and
// whether the object has arguments of its own.
func lostOf(arguments string, members map[string]string, d *dialect.Dialect) (lost, given bool) {
	var args map[string]json.RawMessage
	json.Unmarshal([]byte(arguments), &args)
	for key, value := range members {
		own := slices.Contains(d.Args.Keys, key)
		given = given || own
		m := headerMember{name: key, value: value}
		if slices.Contains(d.Head.Name, key) || !m.isData() || args[key] != nil {
			continue
		}
		var inner map[string]json.RawMessage
		if own || slices.Contains(otherArgs, key) {
			json.Unmarshal([]byte(m.text()), &inner)
		}
		lost = lost || inner == nil
		for k := range inner {
			lost = lost || args[k] == nil
		}
	}
	return lost, given
}
