package dialect

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/toolparse/toolparse/internal/dialect"
	"github.com/toolparse/toolparse/internal/lex"
	"github.com/toolparse/toolparse/internal/parser"
	"github.com/toolparse/toolparse/toolcall"
)

// callsOf returns the names and arguments of the calls that d finds in a text, by default its
// own example.
func callsOf(t *testing.T, d *dialect.Dialect, text ...string) (calls []string) {
	t.Helper()
	p, err := parser.New(parser.Options{Dialects: []*dialect.Dialect{d}})
	if err != nil {
		t.Fatal(err)
	}
	if text == nil {
		text = []string{d.Example}
	}
	for _, e := range p.Close(p.Feed(nil, text[0])) {
		if e.Type == toolcall.SegmentStart && e.Segment.IsCall() {
			calls = append(calls, e.Name)
		}
	}
	return calls
}

// TestDetectVariants checks that blanks do not turn a common model into a rare one with the
// same markers.
func TestDetectVariants(t *testing.T) {
	for text, want := range map[string]string{
		`<tool_call>{"name": "f", "arguments": {"a": 1}}</tool_call>`:          "hermes",
		"<tool_call>\n{\"name\":\"f\",\"arguments\":{}}\n</tool_call>":         "hermes",
		"<tool_call>f<arg_key>a</arg_key><arg_value>1</arg_value></tool_call>": "glm47",
	} {
		if got := Detect(text); len(got) == 0 || got[0].Dialect.Name != want {
			t.Errorf("%s: got %v, want %s first", text, got, want)
		}
	}
}

// TestDetectExamples checks that Detect finds the dialect of every example, or one with the
// same surface.
func TestDetectExamples(t *testing.T) {
	for _, d := range dialect.All() {
		if d.Head.Form == "" {
			continue
		}
		t.Run(d.Name, func(t *testing.T) {
			text := "Let me look.\n" + d.Example
			if lex.IsName(d.Example[0]) { // a bare call must begin the message
				text = d.Example
			}
			guesses := Detect(text)
			if len(guesses) == 0 {
				t.Fatal("nothing is guessed")
			}
			for i, g := range guesses {
				t.Logf("%d. %s %.2f %d calls %v", i+1, g.Dialect.Name, g.Confidence, g.Calls, g.Evidence)
			}
			if best := guesses[0]; best.Dialect != d && !slices.Equal(callsOf(t, d), callsOf(t, best.Dialect, d.Example)) {
				t.Errorf("it is taken for %s", best.Dialect.Name)
			}
		})
	}
}

// TestDetectTemplates checks that Dialects recognises a template by what it writes, also if it
// assembles its markers from parts, and does not guess if the source does not show it.
func TestDetectTemplates(t *testing.T) {
	const loop = "{%- for message in messages %}{%- for tc in message.tool_calls %}"
	for _, tt := range []struct{ name, template, want string }{
		{"constants", "{%- set dsml = '｜DSML｜' -%}\n" + loop + `
			{{- '\n\n<' + dsml + 'function_calls>\n' -}}
			{{- '<' + dsml + 'invoke name="' + tc.name + '">\n' -}}
			{{- '<' + dsml + 'parameter name="' + key + '" string="true">' + val + '</' + dsml + 'parameter>\n' -}}
			{{- '</' + dsml + 'invoke>\n' -}}{{- '</' + dsml + 'function_calls>' -}}`, "deepseek_v32"},
		{"another section", "{%- set dsml = '｜DSML｜' -%}\n" + loop + `
			{{- '<' ~ dsml ~ 'tool_calls>\n' -}}{{- '<' ~ dsml ~ 'invoke name="' ~ tc.name ~ '">\n' -}}
			{{- '<' ~ dsml ~ 'parameter name="' ~ key ~ '" string="true">' -}}{{- '</' ~ dsml ~ 'tool_calls>' -}}`, "deepseek_v4"},
		{"constants made of constants", "{%- set ns = ']<]minimax[>[' -%}{%- set begin = ns ~ '<tool_call>' -%}" + loop + `
			{{- begin ~ '\n' }}{{- ns + '<invoke name="' + tc.name + '">' }}{{- ns + '<' + k + '>' -}}{{- ns + '</invoke>' ~ '\n' }}`, "minimax_m3"},
		{"a suffix", "{%- set S = ':opensource' %}{%- set sep = '<tool_sep{}>'.format(S) %}{%- set open = '<tool_call{}>'.format(S) %}" +
			"{%- set all = '<tool_calls{}>'.format(S) %}{%- set key = '<arg_key{}>'.format(S) %}{%- set value = '<arg_value{}>'.format(S) %}" +
			loop + `{{- all + open + tc.name + sep + key + k + value + v }}`, "hy_v3"},
		{"macros", "{%- macro open_tag(tag) -%}{{- '<|open|>' + tag -}}{{- '<|sep|>' -}}{%- endmacro -%}{%- macro close_tag(tag) -%}" +
			"{{- '<|close|>' + tag + '<|sep|>' -}}{%- endmacro -%}" + loop + `{{- open_tag('tools') -}}{{- open_tag('call') -}}{{- open_tag('argument') -}}`, "kimi_k3"},
		{"a type that is always the same", loop + `{{- '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>' + tc['type'] + '<｜tool▁sep｜>' + tc['function']['name'] +
			'\n' + '` + "```json" + `' + '\n' + tc['function']['arguments'] + '\n' + '` + "```" + `' + '<｜tool▁call▁end｜>' -}}{{- '<｜tool▁calls▁end｜>' -}}`, "deepseek_v3"},
		{"one more token", loop + `{{- '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>' + tc['function']['name'] + '<｜tool▁sep｜>' + tc['function']['arguments'] +
			'<｜tool▁call▁end｜>' -}}{{- '<｜tool▁calls▁end｜>' -}}`, "deepseek_v31"},
		{"an object", loop + `{{- '<tool_call>\n' + {"name": tc.name, "arguments": tc.arguments}|tojson + '\n</tool_call>' }}`, "hermes"},
		{"bare JSON", loop + `{{- '{"name": "' + tc.name + '", ' }}{{- '"parameters": ' }}{{- tc.arguments | tojson }}{{- "}<|eom_id|>" }}`, "llama3_json"},
		{"layout", loop + `{{ '\n<tool_call>' + tc.name }}` + "\n{% for k, v in tc.args %}\n<arg_key>{{ k }}</arg_key>\n<arg_value>{{ v }}</arg_value>\n{% endfor %}\n</tool_call>", "glm45"},
		{"no layout", loop + `{{- '<tool_call>' + tc.name -}}{%- for k, v in tc.args -%}` + "<arg_key>{{ k }}</arg_key><arg_value>{{ v }}</arg_value>{%- endfor -%}</tool_call>", "glm47"},
		{"JSON in a list", loop + `{{- '<|START_ACTION|>[\n    {"tool_call_id": "' + tc.id + '", "tool_name": "' + tc.name + '", "parameters": ' }}]<|END_ACTION|>` +
			"{# Action: #}1. Action: write it.<|START_RESPONSE|>", "cohere_command3"},
		{"Python calls", loop + `{{- "<|tool_call_start|>[" + (calls | join(", ")) + "]<|tool_call_end|>" -}}{%- set n = tc["function"]["name"] -%}`, "lfm2"},
		{"a word", "{% for message in messages %}{{ message.function.name }} is a function, call the function call: name{% endfor %}", ""},
		{"a definition", `{% for t in tools %}{"name": "{{ t.name }}", "description": "{{ t.description }}", "parameters": {{ t.parameters | tojson }}}{% endfor %}`, ""},
		{"no markup of a call", "{% for message in messages %}<|im_start|>{{ message.role }}\n{{ message.content }}<|im_end|>{% endfor %}", ""},
		{"no closing marker", "{% for message in messages %}{{ 'a", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			guesses := Detect(tt.template)
			for i, g := range guesses {
				t.Logf("%d. %s %.2f %v", i+1, g.Dialect.Name, g.Confidence, g.Evidence)
				for _, e := range g.Evidence {
					if e.Offset < 0 || e.Offset >= len(tt.template) {
						t.Errorf("%q is said to stand at %d of %d bytes", e.Marker, e.Offset, len(tt.template))
					}
				}
			}
			got := ""
			if len(guesses) > 0 {
				got = guesses[0].Dialect.Name
			}
			if got != tt.want {
				t.Errorf("it is taken for %q, want %q", got, tt.want)
			}
		})
	}
}

// TestDetectHostile checks that Dialects accepts any text as the source of a template, whatever
// its tags are.
func TestDetectHostile(t *testing.T) {
	for _, piece := range []string{"{%", "{%-", "{{", "{{'", `{{"\`, "{#", "{% set a = a + a %}", "{% set a = 'x{}'.format(a) %}", "{{ a['type'", "<tool_call>" + " ", "{"} {
		for _, g := range Detect("{% %}" + strings.Repeat(piece, 2000)) {
			if g.Dialect == nil || g.Confidence < 0 || g.Confidence > 1 {
				t.Errorf("%q: %v", piece, g)
			}
		}
	}
}

// TestGuessJSON checks that a guess is the same JSON for the library, the command and Python.
func TestGuessJSON(t *testing.T) {
	got, err := json.Marshal(Guess{Name: "hermes", Confidence: 0.5, Calls: 1, Evidence: []Evidence{{Marker: "[x]", Offset: 2}}})
	if want := `{"dialect":"hermes","confidence":0.5,"calls":1,"evidence":[{"marker":"[x]","offset":2}]}`; err != nil || string(got) != want {
		t.Errorf("got %s, %v, want %s", got, err, want)
	}
}
