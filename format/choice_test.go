package format_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolparse/toolparse/format"
)

// translated is the result of translating a body to one wire, with its losses.
type translated struct {
	to     format.Wire
	has    string // JSON that it must contain
	lacks  string // JSON that it must not contain; "" means none
	losses []string
}

func (w translated) check(t *testing.T, from format.Wire, kind format.Kind, body string) {
	t.Helper()
	out, losses, err := format.Translate([]byte(body), from, w.to, kind, format.TranslateOptions{})
	if _, reported := errors.AsType[*format.ReportedError](err); err != nil && !reported {
		t.Fatal(err)
	}
	if !strings.Contains(string(out), w.has) || w.lacks != "" && strings.Contains(string(out), w.lacks) {
		t.Errorf("%s\nlacks %s\nor has %s", out, w.has, w.lacks)
	}
	var told []string
	for _, l := range losses {
		told = append(told, l.String())
	}
	if diff := cmp.Diff(w.losses, told); diff != "" {
		t.Errorf("losses (-want +got):\n%s", diff)
	}
}

// Servers reject a choice of tools that they do not get.
func TestChoiceDoesNotOutliveItsTools(t *testing.T) {
	const (
		hosted    = `{"type":"web_search_20250305","name":"web_search"}`
		f         = `{"name":"f","input_schema":{"type":"object"}}`
		gone      = ": only its own provider can run or load it; left out"
		noTools   = ": the request has no tools to call; left out"
		leftToIt  = "tool_choice: the choice names only tools that are not sent; left to the model: web_search is not sent"
		anthropic = `{"model":"m","max_tokens":5,"messages":[{"role":"user","content":"x"}],"tools":[`
		chatF     = `{"type":"function","function":{"name":"f"`
	)
	forced := anthropic + hosted + "," + f + `],"tool_choice":{"type":"tool","name":"web_search"}}`
	only := anthropic + hosted + `],"tool_choice":{"type":"any","disable_parallel_tool_use":true}}`
	allowed := `{"model":"m","input":[],"tools":[{"type":"namespace","name":"n","tools":[]},{"type":"function","name":"f"},{"type":"function","name":"g"}],` +
		`"tool_choice":{"type":"allowed_tools","mode":"required","tools":[{"type":"function","name":"inner"}`
	for _, tt := range []struct {
		name, body string
		from       format.Wire
		want       []translated
	}{
		{"allowed, but not there", `{"model":"m","messages":[{"role":"user","content":"x"}],"max_tokens":5,"tools":[{"type":"function","function":{"name":"f"}}],` +
			`"tool_choice":{"type":"allowed_tools","allowed_tools":{"mode":"required","tools":[{"type":"function","function":{"name":"g"}}]}}}`, format.OpenAI, []translated{
			{format.Anthropic, `"tool_choice":{"type":"none"}`, `"tools":[]`, []string{"tool_choice: no tool of this name is declared; g is written as it is", "tool_choice.tools: the wire has no such choice; no tool may be called: no declared tool has the name"}},
		}},
		{"one that is not there", `{"model":"m","messages":[{"role":"user","content":"x"}],"max_tokens":5,"tools":[{"type":"function","function":{"name":"f"}}],` +
			`"tool_choice":{"type":"function","function":{"name":"nope"}}}`, format.OpenAI, []translated{
			{format.OpenAI, `"name":"nope"`, "", []string{"tool_choice: no tool of this name is declared; nope is written as it is"}},
			{format.Anthropic, `"name":"nope"`, "", []string{"tool_choice: no tool of this name is declared; nope is written as it is"}},
			{format.Responses, `"name":"nope"`, "", []string{"tool_choice: no tool of this name is declared; nope is written as it is"}},
		}},
		{"forced", forced, format.Anthropic, []translated{
			{format.OpenAI, `"tool_choice":"auto"`, `web_search`, []string{"tools[0]" + gone, leftToIt}},
			{format.Responses, `"tool_choice":"auto"`, `web_search`, []string{"tools[0]" + gone, leftToIt}},
			{format.Gemini, `"toolConfig":{"functionCallingConfig":{"mode":"AUTO"}}`, `web_search`, []string{"model: the URL names the model; left out", "tools[0]" + gone, leftToIt}},
			{format.Ollama, chatF, `web_search`, []string{leftToIt, "tools[0]" + gone}},
			{format.Anthropic, `"tool_choice":{"type":"tool","name":"web_search"}`, "", nil},
		}},
		{"the only one", only, format.Anthropic, []translated{
			{format.OpenAI, `"messages":[{"role":"user","content":"x"}],"max_completion_tokens":5}`, "tools", []string{"tools[0]" + gone, "tool_choice" + noTools, "parallel_calls" + noTools}},
			{format.Responses, `"max_output_tokens":5}`, "tool", []string{"tools[0]" + gone, "tool_choice" + noTools, "parallel_calls" + noTools}},
			{format.Ollama, `"messages":[{"role":"user","content":"x"}],"options"`, "tools", []string{"tools[0]" + gone, "tool_choice" + noTools, "parallel_calls: the wire cannot turn parallel calls on or off; left out"}},
			{format.Anthropic, `"tool_choice":{"type":"any","disable_parallel_tool_use":true}`, "", nil},
		}},
		{"all that are allowed", allowed + "]}}", format.Responses, []translated{
			{format.OpenAI, `"tool_choice":"none"`, "inner", []string{
				"tools[0]" + gone, "tool_choice.tools[0]: the choice names only tools that are not sent; left out: inner is not sent",
				"tool_choice: the choice names only tools that are not sent; none: no tool that may be called is sent",
			}},
			{format.Responses, `{"type":"function","name":"inner"}`, "", nil},
		}},
		{"one that is allowed", allowed + `,{"type":"function","name":"g"}]}}`, format.Responses, []translated{
			{format.OpenAI, `"allowed_tools":{"mode":"required","tools":[{"type":"function","function":{"name":"g"}}]}`, "inner", []string{
				"tools[0]" + gone, "tool_choice.tools[0]: the choice names only tools that are not sent; left out: inner is not sent",
			}},
			{format.Anthropic, `"tools":[{"name":"g"`, `"f"`, []string{
				"max_tokens: the wire requires a limit; a limit of 4096 tokens is set", "tool_choice.tools[0]: the choice names only tools that are not sent; left out: inner is not sent",
				"tool_choice.tools: the wire has no such choice; only g offered, and not f", "tools[0]" + gone,
			}},
			{format.Ollama, `"tools":[{"type":"function","function":{"name":"g"`, `"f"`, []string{
				"tool_choice.tools[0]: the choice names only tools that are not sent; left out: inner is not sent",
				"tool_choice: the wire has no tool choice; the model need not call any of them",
				"tool_choice.tools: the wire has no tool choice; only g offered, and not f", "tools[0]" + gone,
			}},
		}},
		{"forced, where only the offer can be narrowed", anthropic + f + `,{"name":"g","input_schema":{"type":"object"}}],"tool_choice":{"type":"tool","name":"f"}}`, format.Anthropic, []translated{
			{format.Ollama, `"tools":[` + chatF, `"g"`, []string{"tool_choice: the wire has no tool choice; only f offered, and not g"}},
		}},
	} {
		for _, w := range tt.want {
			t.Run(tt.name+" to "+string(w.to), func(t *testing.T) { w.check(t, tt.from, format.KindRequest, tt.body) })
		}
	}
}
