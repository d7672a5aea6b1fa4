package text_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolparse/toolparse/internal/dialect"
	"github.com/toolparse/toolparse/internal/text"
	"github.com/toolparse/toolparse/toolcall"
)

// newWriter returns a writer for a dialect, with a tool "t" with this schema, or no tools
// if it is "".
func newWriter(t *testing.T, dialectName, schema string) *text.Writer {
	t.Helper()
	dialects, err := dialect.Named(dialectName, "")
	if err != nil {
		t.Fatal(err)
	}
	var opts text.Options
	if schema != "" {
		opts.Tools = []toolcall.ToolDefinition{{Name: "t", Parameters: json.RawMessage(schema)}}
	}
	w, err := text.NewWriter(dialects[0], opts)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func calls(arguments ...string) []toolcall.ToolInvocation {
	var list []toolcall.ToolInvocation
	for _, a := range arguments {
		list = append(list, toolcall.ToolInvocation{Name: "t", Arguments: json.RawMessage(a)})
	}
	return list
}

// typed is a schema with a parameter of each type.
const typed = `{"properties":{"s":{"type":"string"},"n":{"type":"number"},"b":{"type":"boolean"},"l":{"type":"array"},` +
	`"o":{"type":"object","properties":{"k":{"type":"string"}}},"u":{"type":["null","string"]}}}`

func TestAppend(t *testing.T) {
	for _, tt := range []struct {
		name, dialect, schema string
		message               text.Message
		want                  string
	}{
		{"all parts", "hermes", "", text.Message{Reasoning: "think", Text: "say", Calls: calls(`{"a":1}`, `{}`)},
			"<think>\nthink\n</think>\n\nsay\n<tool_call>\n{\"name\": \"t\", \"arguments\": {\"a\": 1}}\n</tool_call>\n<tool_call>\n{\"name\": \"t\", \"arguments\": {}}\n</tool_call>"},
		{"nothing", "hermes", "", text.Message{}, ""},
		{"no arguments", "xml", "", text.Message{Calls: calls("")}, `<tool name="t"><arguments></arguments></tool>`},
		{"numbers, escapes and order stay", "json-gemini", "", text.Message{Calls: calls(`{"z":1.50,"a":9007199254740993,"m":"\u00e9\/"}`)},
			`{"name":"t","args":{"z":1.50,"a":9007199254740993,"m":"\u00e9\/"}}`},
		{"half a surrogate pair in JSON", "hermes", "", text.Message{Calls: calls(`{"a":"\ud83d"}`)},
			"<tool_call>\n{\"name\": \"t\", \"arguments\": {\"a\": \"\\ud83d\"}}\n</tool_call>"},
		{"a list of calls", "json-openai", "", text.Message{Calls: calls(`{}`, `{"a":2}`)},
			`{"tool_calls":[{"function":{"name":"t","arguments":{}}},{"function":{"name":"t","arguments":{"a":2}}}]}`},
		{"typed by schema", "qwen3_coder", typed, text.Message{Calls: calls(`{"s":"42","n":4e2,"b":false,"l":[1],"u":null}`)},
			"<tool_call>\n<function=t>\n<parameter=s>\n42\n</parameter>\n<parameter=n>\n4e2\n</parameter>\n<parameter=b>\nFalse\n</parameter>\n" +
				"<parameter=l>\n[1]\n</parameter>\n<parameter=u>\nnull\n</parameter>\n</function>\n</tool_call>"},
		{"typed by an attribute", "deepseek_v32", "", text.Message{Calls: calls(`{"n":1}`)},
			"<｜DSML｜function_calls>\n<｜DSML｜invoke name=\"t\">\n<｜DSML｜parameter name=\"n\" string=\"false\">1</｜DSML｜parameter>\n</｜DSML｜invoke>\n</｜DSML｜function_calls>"},
		{"a closer that closes nothing", "qwen3_coder", "", text.Message{Calls: calls(`{"s":"a </parameter> b"}`)},
			"<tool_call>\n<function=t>\n<parameter=s>\na </parameter> b\n</parameter>\n</function>\n</tool_call>"},
		{"entities", "xml", "", text.Message{Calls: calls(`{"s":"\n</arg></arguments></tool> &amp;"}`)},
			`<tool name="t"><arguments><arg name="s">&#10;&lt;/arg&gt;&lt;/arguments&gt;&lt;/tool&gt; &amp;amp;</arg></arguments></tool>`},
		{"nested tags", "xml", "", text.Message{Calls: calls(`{"l":["a",{"k":"v"}]}`)},
			`<tool name="t"><arguments><arg name="l"><item>a</item><item><arg name="k">v</arg></item></arg></arguments></tool>`},
		{"tags named like the parameter", "morphxml", typed, text.Message{Calls: calls(`{"o":{"k":"v"},"n":1}`)},
			"<t>\n<o><k>v</k>\n</o>\n<n>1</n>\n</t>"},
		{"Python", "pythonic", "", text.Message{Calls: calls(`{"s":"it's \"q\"\n","l":[null,true],"o":{"k":-1}}`, `{}`)},
			`[t(s="it's \"q\"\n", l=[None, True], o={"k": -1}), t()]`},
		{"Gemma", "gemma4", "", text.Message{Calls: calls(`{"s":"a \"q\"","l":["x",1],"o":{"k":null}}`)},
			`<|tool_call>call:t{l:[<|"|>x<|"|>,1],o:{k:null},s:<|"|>a "q"<|"|>}<tool_call|>`},
		{"Gemma's words", "gemma4", "", text.Message{Calls: calls(`{"größe":1,"名前":2}`)},
			`<|tool_call>call:t{größe:1,名前:2}<tool_call|>`},
		{"YAML", "yaml_xml", typed, text.Message{Calls: calls(`{"s":"plain words","u":"a: b\n","l":["x"]}`)},
			"<t>\ns: plain words\nu: \"a: b\\n\"\nl: [\"x\"]\n</t>"},
		{"raw text", "cwm", "", text.Message{Calls: calls(`{"command":"ls -l | wc"}`)}, "<tool: function>\nt ls -l | wc\n</tool>\n"},
		{"a line of its own", "continue_codeblock", "", text.Message{Text: "Now:", Calls: calls(`{}`)},
			"Now:\n```tool\nTOOL_NAME: t\n```"},
		{"channels", "openai", "", text.Message{Reasoning: "hm", Text: "ok", Calls: calls(`{}`)},
			"<|start|>assistant<|channel|>analysis<|message|>hm<|end|><|start|>assistant<|channel|>final<|message|>ok<|end|>" +
				"<|start|>assistant to=functions.t<|channel|>commentary json<|message|>{}<|call|>"},
		{"a message to the tool", "muse", "", text.Message{Calls: calls(`{}`)},
			"<|start|>assistant to=t<|message|><atem:function_calls>\n<atem:invoke name=\"t\">\n</atem:invoke>\n</atem:function_calls>"},
		{"calls that are counted", "kimi_k2", "", text.Message{Calls: calls(`{}`, `{}`)},
			"<|tool_calls_section_begin|><|tool_call_begin|>functions.t:0<|tool_call_argument_begin|>{}<|tool_call_end|>" +
				"<|tool_call_begin|>functions.t:1<|tool_call_argument_begin|>{}<|tool_call_end|><|tool_calls_section_end|>"},
		{"a call's own count", "kimi_k2", "", text.Message{Calls: []toolcall.ToolInvocation{{Name: "t", CallID: "functions.t:7"}}},
			"<|tool_calls_section_begin|><|tool_call_begin|>functions.t:7<|tool_call_argument_begin|>{}<|tool_call_end|><|tool_calls_section_end|>"},
		{"a file", "xml", "", text.Message{Calls: []toolcall.ToolInvocation{
			{Name: "write_file", Arguments: json.RawMessage(`{"path":"/a","content":"\nx __START_CONTENT__\n"}`)}}},
			`<tool name="write_file"><arguments><arg name="path">/a</arg><arg name="content">&#10;x __START&#95;CONTENT__&#10;</arg></arguments></tool>`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := newWriter(t, tt.dialect, tt.schema).Append([]byte("before "), tt.message)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff("before "+tt.want, string(got)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestAppendErrors(t *testing.T) {
	for _, tt := range []struct {
		name, dialect, schema string
		message               text.Message
		want                  text.Error // Reason: a part of it
	}{
		{"a marker without an escape", "qwen3_coder", "", text.Message{Calls: calls(`{"a":"1","s":"x</parameter>\n</function>\n</tool_call>"}`)},
			text.Error{Tool: "t", Argument: "s", Reason: `it would be read as "x"`}},
		{"another argument in a value", "glm45", "", text.Message{Calls: calls(`{"s":"x</arg_value>\n<arg_key>k</arg_key>\n<arg_value>"}`)},
			text.Error{Tool: "t", Argument: "s", Reason: "it would be read as"}},
		{"no schema", "qwen3_coder", "", text.Message{Calls: calls(`{"n":1}`)},
			text.Error{Tool: "t", Argument: "n", Reason: "without a schema, a number would be read as a string"}},
		{"a string that looks like a number", "qwen3_coder", `{"properties":{"x":{"type":["string","integer"]}}}`, text.Message{Calls: calls(`{"x":"42"}`)},
			text.Error{Tool: "t", Argument: "x", Reason: "a string would be read as 42"}},
		{"a value of another type", "qwen3_coder", typed, text.Message{Calls: calls(`{"b":"maybe"}`)},
			text.Error{Tool: "t", Argument: "b", Reason: "a string would be read as"}},
		{"blanks that are layout", "cline", typed, text.Message{Calls: calls(`{"s":" x"}`)},
			text.Error{Tool: "t", Argument: "s", Reason: "blanks at its ends would be lost"}},
		{"a key with a colon", "gemma4", "", text.Message{Calls: calls(`{"a:b":1}`)},
			text.Error{Tool: "t", Argument: "a:b", Reason: "cannot be written without quotes"}},
		{"a key that is no name", "pythonic", "", text.Message{Calls: calls(`{"a-b":1}`)},
			text.Error{Tool: "t", Argument: "a-b", Reason: "it is not a Python name"}},
		{"the quote in a string", "gemma4", "", text.Message{Calls: calls(`{"s":"<|\"|>"}`)},
			text.Error{Tool: "t", Argument: "s", Reason: "a string contains"}},
		{"half a surrogate pair in text", "qwen3_coder", "", text.Message{Calls: calls(`{"s":"\udc00"}`)},
			text.Error{Tool: "t", Argument: "s", Reason: "half of a surrogate pair"}},
		{"two parameters as one text", "cwm", "", text.Message{Calls: calls(`{"command":"x","y":"z"}`)},
			text.Error{Tool: "t", Reason: "its one argument must be"}},
		{"a name with markup", "qwen3_coder", "", text.Message{Calls: []toolcall.ToolInvocation{{Name: "a>b"}}},
			text.Error{Tool: "a>b", Reason: "it would"}},
		{"no name", "hermes", "", text.Message{Calls: []toolcall.ToolInvocation{{}}}, text.Error{Reason: "a call has no name"}},
		{"not valid JSON", "hermes", "", text.Message{Calls: calls(`{"a":`)}, text.Error{Tool: "t", Reason: "not valid JSON"}},
		{"no UTF-8", "hermes", "", text.Message{Calls: calls("{\"a\":\"\xff\"}")}, text.Error{Tool: "t", Reason: "not valid UTF-8"}},
		{"no object", "hermes", "", text.Message{Calls: calls(`[1]`)}, text.Error{Tool: "t", Reason: "an object, not array"}},
		{"a key twice", "hermes", "", text.Message{Calls: calls(`{"a":1,"\u0061":2}`)}, text.Error{Tool: "t", Reason: `the key "a" is repeated`}},
		{"too deep", "hermes", "", text.Message{Calls: calls(`{"a":` + strings.Repeat("[", 200) + strings.Repeat("]", 200) + `}`)},
			text.Error{Tool: "t", Reason: "nested deeper"}},
		{"no calls in text", "api_tool_call", "", text.Message{Calls: calls(`{}`)}, text.Error{Tool: "t", Reason: "it has no calls in text"}},
		{"no reasoning", "command_r_plus", "", text.Message{Reasoning: "x"}, text.Error{Reason: "has no reasoning"}},
		{"reasoning that ends early", "hermes", "", text.Message{Reasoning: "a</think>b"}, text.Error{Reason: `the reasoning would be read as "\na"`}},
		{"a call in the text", "hermes", "", text.Message{Text: "<tool_call>\n{\"name\": \"x\", \"arguments\": {}}\n</tool_call>", Calls: calls(`{}`)},
			text.Error{Tool: "x", Reason: "something in it would be read as a call"}},
		{"an open fence before the calls", "hermes", "", text.Message{Text: "```\ncode", Calls: calls(`{}`)},
			text.Error{Reason: "the text in front of the calls would hide them"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := newWriter(t, tt.dialect, tt.schema).Append([]byte("before"), tt.message)
			e, ok := errors.AsType[*text.Error](err)
			if !ok {
				t.Fatalf("%v, beside %q", err, got)
			}
			if string(got) != "before" {
				t.Errorf("it wrote %q", got)
			}
			if e.Dialect != tt.dialect || e.Tool != tt.want.Tool || e.Argument != tt.want.Argument || !strings.Contains(e.Reason, tt.want.Reason) {
				t.Errorf("%#v", e)
			}
		})
	}
}

// TestUnchecked writes what a check would reject.
func TestUnchecked(t *testing.T) {
	w, err := text.NewWriter(dialect.All()[0], text.Options{Unchecked: true})
	if err != nil {
		t.Fatal(err)
	}
	const call = `<tool name="t"></tool>`
	if got, err := w.Append(nil, text.Message{Text: call}); err != nil || string(got) != call {
		t.Errorf("%q, %v", got, err)
	}
}

func TestNewWriterErrors(t *testing.T) {
	if _, err := text.NewWriter(&dialect.Dialect{Name: "x", Head: dialect.Head{Form: "y"}}, text.Options{}); err == nil {
		t.Error("a dialect that the parser refuses")
	}
	tools := []toolcall.ToolDefinition{{Name: "t", Parameters: json.RawMessage(`{"type":`)}}
	if _, err := text.NewWriter(dialect.All()[0], text.Options{Tools: tools}); err == nil || !strings.Contains(err.Error(), `"t"`) {
		t.Errorf("a broken schema: %v", err)
	}
}

func TestAppendResults(t *testing.T) {
	one := text.Result{Name: "t", CallID: "functions.t:0", Content: "12 \"degrees\"\n"}
	two := text.Result{Name: "u", CallID: "functions.u:1", Content: "ok"}
	for _, tt := range []struct{ dialect, want string }{
		{"hermes", "<tool_response>\n12 \"degrees\"\n\n</tool_response>\n<tool_response>\nok\n</tool_response>"},
		{"xml", "<tool_response>\n12 \"degrees\"\n\n</tool_response>\n<tool_response>\nok\n</tool_response>"},
		{"kimi_k2", "## Return of functions.t:0\n12 \"degrees\"\n\n## Return of functions.u:1\nok"},
		{"deepseek_v3", "<｜tool▁outputs▁begin｜><｜tool▁output▁begin｜>12 \"degrees\"\n<｜tool▁output▁end｜>\n<｜tool▁output▁begin｜>ok<｜tool▁output▁end｜><｜tool▁outputs▁end｜>"},
		{"openai", `<|start|>functions.t to=assistant<|channel|>commentary<|message|>"12 \"degrees\"\n"<|end|>` +
			`<|start|>functions.u to=assistant<|channel|>commentary<|message|>"ok"<|end|>`},
		{"mistral_v3", `[TOOL_RESULTS]{"content": "12 \"degrees\"\n", "call_id": "functions.t:0"}[/TOOL_RESULTS]` +
			`[TOOL_RESULTS]{"content": "ok", "call_id": "functions.u:1"}[/TOOL_RESULTS]`},
		{"mistral_v7", "[TOOL_RESULTS]functions.t:0[TOOL_CONTENT]12 \"degrees\"\n[/TOOL_RESULTS][TOOL_RESULTS]functions.u:1[TOOL_CONTENT]ok[/TOOL_RESULTS]"},
	} {
		t.Run(tt.dialect, func(t *testing.T) {
			got, err := newWriter(t, tt.dialect, "").AppendResults([]byte("before "), one, two)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff("before "+tt.want, string(got)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestResultText checks which results are written as a JSON string.
func TestResultText(t *testing.T) {
	for _, tt := range []struct {
		form          dialect.Results
		content, want string
	}{
		{dialect.Results{}, `{"a":1}`, `{"a":1}`},
		{dialect.Results{Quoted: true}, `{"a":1}`, `"{\"a\":1}"`},
		{dialect.Results{Quoted: true, Nested: true}, `{"a":1}`, `{"a":1}`},
		{dialect.Results{Quoted: true, Nested: true}, `12`, `12`},
		{dialect.Results{Quoted: true, Nested: true}, `{"a":1} or so`, `"{\"a\":1} or so"`},
		{dialect.Results{Quoted: true, Nested: true}, ``, `""`},
	} {
		if got := text.ResultText(tt.form, tt.content); got != tt.want {
			t.Errorf("%+v, %q: %s, want %s", tt.form, tt.content, got, tt.want)
		}
	}
}

func TestAppendResultsErrors(t *testing.T) {
	for _, tt := range []struct {
		name, dialect string
		result        text.Result
	}{
		{"its own closer", "hermes", text.Result{Name: "t", Content: "x\n</tool_response>"}},
		{"a call", "hermes", text.Result{Name: "t", Content: "<tool_call>"}},
		{"reasoning", "hermes", text.Result{Name: "t", Content: "<think>"}},
		{"the end of the turn", "hermes", text.Result{Name: "t", Content: "<|im_end|>"}},
		{"a marker with a slot", "kimi_k2", text.Result{Name: "t", Content: "## Return of x"}},
		{"a name that breaks the line", "kimi_k2", text.Result{Name: "t\n", Content: "x"}},
		{"an id that breaks the line", "kimi_k2", text.Result{Name: "t", CallID: "a\nb", Content: "x"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := newWriter(t, tt.dialect, "").AppendResults([]byte("before"), tt.result)
			if e, ok := errors.AsType[*text.Error](err); !ok || e.Tool != tt.result.Name || string(got) != "before" {
				t.Errorf("%q, %v", got, err)
			}
		})
	}
}

// TestNames: every dialect can call tools with any of the characters that servers of
// tools use in names.
func TestNames(t *testing.T) {
	names := []string{"file.write", "file_write", "file-write", "getURL2"}
	for c := 'A'; c <= 'Z'; c++ {
		names = append(names, "get"+string(c)+"x", string(c)+"get", string(c+'a'-'A')+"Get")
	}
	for _, d := range dialect.All() {
		if d.Head.Form == "" {
			continue
		}
		for _, name := range names {
			tool := toolcall.ToolDefinition{Name: name, Parameters: json.RawMessage(`{"properties":{"city":{"type":"string"}}}`)}
			w, err := text.NewWriter(d, text.Options{Tools: []toolcall.ToolDefinition{tool}})
			if err != nil {
				t.Fatal(err)
			}
			call := toolcall.ToolInvocation{Name: name, Arguments: json.RawMessage(`{"city":"Oslo"}`)}
			if _, err := w.Append(nil, text.Message{Calls: []toolcall.ToolInvocation{call}}); err != nil {
				t.Error(err)
			}
		}
	}
}

// TestFreeObjects: in every dialect, an object whose members have no schema keeps their
// types, next to members that have one.
func TestFreeObjects(t *testing.T) {
	const schema = `{"type":"object","properties":{"free":{"type":"object"},"open":{"type":"object","properties":{"n":{"type":"integer"}}},"list":{"type":"array","items":{"type":"object"}},"map":{"type":"object","additionalProperties":{"type":"number"}}}}`
	tools := []toolcall.ToolDefinition{{Name: "grade", Parameters: json.RawMessage(schema)}}
	for _, d := range dialect.All() {
		if d.Head.Form == "" || d.Args.Form == dialect.ArgsRaw && !d.Args.Object {
			continue
		}
		w, err := text.NewWriter(d, text.Options{Tools: tools})
		if err != nil {
			t.Fatal(err)
		}
		for _, args := range []string{
			`{"free":{"math":90,"pass":true,"no":null,"name":"5"}}`, `{"free":{"a":{"b":[1,"1",false]}}}`, `{"free":{"a":"b"}}`, `{"free":{}}`,
			`{"open":{"n":1,"other":2,"text":"2"}}`, `{"list":[{"a":1},{"a":"1"}]}`, `{"map":{"a":1.5,"b":2}}`, `{"free":{"x":"<a> & \"b\"","n":1}}`,
		} {
			call := toolcall.ToolInvocation{Name: "grade", Arguments: json.RawMessage(args)}
			if _, err := w.Append(nil, text.Message{Calls: []toolcall.ToolInvocation{call}}); err != nil { // it reads back what it writes
				t.Errorf("%s: %s: %v", d.Name, args, err)
			}
		}
	}
}
