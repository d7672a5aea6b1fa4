package grammar_test

import (
	"encoding/json"
	"math/bits"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/toolparse/toolparse/internal/dialect"
	"github.com/toolparse/toolparse/internal/grammar"
	"github.com/toolparse/toolparse/internal/text"
	"github.com/toolparse/toolparse/toolcall"
)

// accepts reports whether a grammar matches a whole text.
func (s *sampler) accepts(in string) bool {
	m := matcher{s, in, map[place]*spots{}}
	return m.ends(s.rules["root"], 0).has(len(in))
}

// matcher finds the places at which the text of an expression may end.
type matcher struct {
	*sampler
	in   string
	done map[place]*spots
}

type place struct {
	e  *expr
	at int
}

// spots is a set of places in a text. The zero value is empty; the first places need no
// allocation.
type spots struct {
	few  [2]uint64
	many map[int]bool
}

func (s *spots) has(at int) bool {
	if at < 128 {
		return s.few[at/64]>>(at%64)&1 != 0
	}
	return s.many[at]
}

func (s *spots) add(at int) {
	if at < 128 {
		s.few[at/64] |= 1 << (at % 64)
		return
	}
	if s.many == nil {
		s.many = map[int]bool{}
	}
	s.many[at] = true
}

func (s *spots) empty() bool { return s.few == [2]uint64{} && len(s.many) == 0 }

func (s *spots) each(do func(at int)) {
	for i, word := range s.few {
		for ; word != 0; word &= word - 1 {
			do(i*64 + bits.TrailingZeros64(word))
		}
	}
	for at := range s.many {
		do(at)
	}
}

func (m *matcher) ends(e *expr, at int) *spots {
	key := place{e, at}
	if done, ok := m.done[key]; ok {
		return done
	}
	out := &spots{}
	m.done[key] = out
	switch e.op {
	case '"':
		if strings.HasPrefix(m.in[at:], e.text) {
			out.add(at + len(e.text))
		}
	case '[':
		if r, n := utf8.DecodeRuneInString(m.in[at:]); n > 0 && e.has(r) {
			out.add(at + n)
		}
	case 'r':
		m.ends(m.rules[e.text], at).each(out.add)
	case '|':
		for _, o := range e.of {
			m.ends(o, at).each(out.add)
		}
	case '&':
		now := &spots{}
		now.add(at)
		for _, o := range e.of {
			next := &spots{}
			now.each(func(from int) { m.ends(o, from).each(next.add) })
			now = next
		}
		*out = *now
	case '*':
		now := &spots{}
		now.add(at)
		for n := 0; !now.empty() && (e.max < 0 || n <= e.max); n++ {
			next := &spots{}
			now.each(func(from int) {
				if n >= e.min {
					out.add(from)
				}
				m.ends(e.of[0], from).each(func(end int) {
					if end > from && !(n >= e.min && out.has(end)) {
						next.add(end)
					}
				})
			})
			now = next
		}
	}
	return out
}

// TestAccepts checks that grammars match what package text writes of ordinary values.
func TestAccepts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := rapid.SampledFrom(writable()).Draw(t, "dialect")
		if d.Name == "cwm" || d.Name == "yaml_xml" {
			t.Skip("its calls are one text, or have strings without quotes")
		}
		tools := []toolcall.ToolDefinition{
			define("look_up", telling["optional"]), define("walk", telling["lists"]), define("put", telling["scalars"]),
		}
		pieces := rapid.SliceOfN(rapid.SampledFrom([]string{"a", "Zé", " ", "\n", "<div>", "</div>", "<", "&", "\"", "'", "\\", "{", "]", "|", "😀"}), 0, 8)
		words := "x" + strings.Join(pieces.Draw(t, "words"), "") + "x"
		args, err := json.Marshal(rapid.SampledFrom([]map[string]any{
			{"c": true}, {"a": -7, "b": words, "c": false, "d": 1.25}, {"b": words, "c": true},
		}).Draw(t, "args"))
		if err != nil {
			t.Fatal(err)
		}
		calls := []toolcall.ToolInvocation{
			{Name: "look_up", Arguments: args},
			{Name: "walk", Arguments: json.RawMessage(`{"l":["a","b"],"m":[{"x":1},{"x":20}]}`)},
			{Name: "put", Arguments: json.RawMessage(`{"i":0,"n":-1.5,"b":true,"z":null}`)},
		}[:rapid.IntRange(1, 3).Draw(t, "calls")]
		w, err := text.NewWriter(d, text.Options{Tools: tools})
		if err != nil {
			t.Fatal(err)
		}
		written, err := w.Append(nil, text.Message{Calls: calls})
		if err != nil {
			t.Skip("no way to write it")
		}
		out, _, err := grammar.Write(d, grammar.GBNF, grammar.Options{Tools: tools})
		if err != nil {
			t.Fatal(err)
		}
		if s := newSampler(t, string(out)); !s.accepts(strings.TrimPrefix(string(written), d.Written.Prompt)) {
			t.Fatalf("%s: it does not let through\n%s", d.Name, written)
		}
	})
}

// TestRefuses checks that a grammar allows no value that contains its own end.
func TestRefuses(t *testing.T) {
	for _, tt := range []struct{ dialect, before, value, after string }{
		{"qwen3_coder", "<tool_call>\n<function=look_up>\n<parameter=s>\n", "x\n</parameter>", "\n</parameter>\n</function>\n</tool_call>"},
		{"qwen3_coder", "<tool_call>\n<function=look_up>\n<parameter=s>\n", "x</function></tool_call>", "\n</parameter>\n</function>\n</tool_call>"},
		{"glm45", "<tool_call>look_up\n<arg_key>s</arg_key>\n<arg_value>", "<</arg_value>", "</arg_value>\n</tool_call>"},
		{"deepseek_v32", "<｜DSML｜function_calls>\n<｜DSML｜invoke name=\"look_up\">\n<｜DSML｜parameter name=\"s\" string=\"true\">", "</｜DSML｜parameter>",
			"</｜DSML｜parameter>\n</｜DSML｜invoke>\n</｜DSML｜function_calls>"},
		{"morphxml", "<look_up>\n<s>", "a</s>", "</s>\n</look_up>"},
		{"xml", `<tool name="look_up"><arguments><arg name="s">`, "</arg>", "</arg></arguments></tool>"},
		{"gemma4", `<|tool_call>call:look_up{s:<|"|>`, `<<|"|>`, `<|"|>}<tool_call|>`},
		{"hermes", "<tool_call>\n{\"name\": \"look_up\", \"arguments\": {\"s\": \"", `x"`, "\"}}\n</tool_call>"},
		{"pythonic", `[look_up(s="`, `\`, `")]`},
	} {
		t.Run(tt.dialect, func(t *testing.T) {
			dialects, err := dialect.Named(tt.dialect, "")
			if err != nil {
				t.Fatal(err)
			}
			out, _, err := grammar.Write(dialects[0], grammar.GBNF, grammar.Options{Tools: []toolcall.ToolDefinition{define("look_up", telling["string"])}})
			if err != nil {
				t.Fatal(err)
			}
			s := newSampler(t, string(out))
			if !s.accepts(tt.before + "fine" + tt.after) {
				t.Fatalf("not even a plain value is let through by\n%s", out)
			}
			if s.accepts(tt.before + tt.value + tt.after) {
				t.Errorf("%q is let through", tt.value)
			}
		})
	}
}
